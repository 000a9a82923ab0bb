"""Files of other systems in folders that a dialect shares with them.

Invariants: a folder that is shared with nobody holds no such file; what a file is told by is
its name, its header or the lack of one, never its prompt.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.dialects.folders import SharedFolder
from agent_lsp.dialects.model import Dialect
from agent_lsp.syntax import unseen
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve


@dataclass(frozen=True, slots=True)
class Foreign:
    """What tells that a file is another system's.

    `keys` are its header's keys that say so, `has_header` whether there is one that the runtime
    could see, and `is_note` that the file explains the folder.
    """

    keys: tuple[str, ...] = ()
    has_header: bool = True
    is_note: bool = False


def foreign(dialect: Dialect, file_name: str, document: Document) -> Foreign | None:
    """What tells that `document` is another system's, or None: it may well be an agent."""
    shared = dialect.shared
    if shared is None:
        return None
    is_note = file_name.rpartition(".")[0].lower() in shared.notes
    # A sign that nobody sees keeps the header from being one, and is no choice of anybody's.
    seen = document.text[unseen.leading(document.text).end :]
    has_header = any(
        cut.fence is not FenceKind.ABSENT
        for cut in (document.frontmatter, dialect.split(seen, False))
    )
    keys = tuple(_telling(shared, document))
    if not keys and has_header and not is_note:
        return None
    return Foreign(keys, has_header, is_note)


def _telling(shared: SharedFolder, document: Document) -> Iterator[str]:
    top = resolve(document.tree.root)
    for entry in top.entries if isinstance(top, Mapping) else ():
        name = entry.name or ""
        words = shared.values.get(name, frozenset())
        if name in shared.keys or not words.isdisjoint(_words(entry.value)):
            yield name


def _words(node: Node | None) -> Iterator[str]:
    """The words of a value: the items of a list, or of a text that commas divide."""
    value = resolve(node)
    for item in value.items if isinstance(value, Sequence) else (value,):
        text = resolve(item)
        if isinstance(text, Scalar):
            yield from (word.strip() for word in text.value.split(","))
