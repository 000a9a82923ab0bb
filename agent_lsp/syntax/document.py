"""One file as syntax: its cut and the tree of its header, memoised by text and by header.

Invariant: what is kept is bounded in number and in size, whatever is typed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from agent_lsp.syntax import yaml
from agent_lsp.syntax.markdown import Cut
from agent_lsp.syntax.nodes import Tree


# Documents are told apart by identity: to compare their trees would be to read them again.
@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text with its header found and read; `bom` as in `workspace.files.File`."""

    text: str
    bom: bool
    cut: Cut
    tree: Tree


def parse(text: str, cut: Callable[[str, bool], Cut], *, bom: bool = False) -> Document:
    """The document of `text`, whose header `cut` finds; problems are in its tree."""
    return _parse(text, cut, bom)


# After each keystroke an editor asks about the same text several times.
@lru_cache(maxsize=4)
def _parse(text: str, cut: Callable[[str, bool], Cut], bom: bool) -> Document:
    found = cut(text, bom)
    header = found.inner.of(text)
    read = _kept_tree if len(header) <= _LARGE else yaml.parse
    return Document(text, bom, found, read(header, found.inner.start))


# A keystroke needs one header and its neighbours, a preview one catalogue; a bound keeps
# every keystroke's header from staying in memory, and the tree of a large one takes as much
# as those of a whole project.
_LARGE = 20_000


@lru_cache(maxsize=512)
def _kept_tree(header: str, start: int) -> Tree:
    return yaml.parse(header, start)
