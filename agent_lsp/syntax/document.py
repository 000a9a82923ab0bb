"""Parses one file: its frontmatter and the tree of its header, both memoised.

Invariant: the memos are bounded in number and in size, whatever is typed.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache

from agent_lsp.data_classes import dataclass, field
from agent_lsp.syntax import yaml
from agent_lsp.syntax.frontmatter import Frontmatter
from agent_lsp.syntax.nodes import Tree


# Documents are compared by identity; comparing their trees would take as long as parsing.
@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text with its frontmatter and the tree of its header; `bom` as in `SourceFile`.

    `answers` are those of other modules that depend on nothing but the document.
    """

    text: str
    bom: bool
    frontmatter: Frontmatter
    tree: Tree
    answers: dict[Hashable, object] = field(init=False, default_factory=dict, repr=False)


def parse(
    text: str,
    split: Callable[[str, bool], Frontmatter],
    *,
    bom: bool = False,
    read: Callable[[str, int], Tree] = yaml.parse,
) -> Document:
    """The document of `text`; its tree has the problems.

    `split` finds the frontmatter. `read` parses a header that begins at an offset.
    """
    return (_parse_large if len(text) > _HUGE else _parse)(text, split, bom, read)


def _made(
    text: str,
    split: Callable[[str, bool], Frontmatter],
    bom: bool,
    read: Callable[[str, int], Tree],
) -> Document:
    found = split(text, bom)
    header, start = found.parsed.of(text), found.parsed.start
    is_kept = len(header) <= _LARGE
    return Document(
        text, bom, found, _Trees.kept(read, header, start) if is_kept else read(header, start)
    )


# After each keystroke an editor sends several requests about the same text. The earlier version of
# a large text is no longer needed, and would only slow down garbage collection.
_parse = lru_cache(maxsize=4)(_made)
_parse_large = lru_cache(maxsize=2)(_made)


# A keystroke needs one header and its neighbours, and a preview one catalog. This bound, in code
# points, keeps large headers out of the memo: the tree of one takes as much memory as those of a
# whole project.
_LARGE = 20_000


_HUGE = 50_000
_MOST_KEPT = 512


def keep(many: int) -> None:
    """Raises the number of trees in the memo to `many`, unless it is already larger."""
    _Trees.kept = lru_cache(maxsize=max(many, _MOST_KEPT))(_read)


def _read(read: Callable[[str, int], Tree], header: str, start: int) -> Tree:
    return read(header, start)


class _Trees:
    """The memo of the process."""

    kept = lru_cache(maxsize=_MOST_KEPT)(_read)
