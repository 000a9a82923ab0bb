"""Reads one file as syntax: its frontmatter and the tree of its header, both memoised.

Invariant: what is kept is bounded in number and in size, whatever is typed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from agent_lsp.syntax import yaml
from agent_lsp.syntax.frontmatter import Frontmatter
from agent_lsp.syntax.nodes import Tree


# Documents are told apart by identity: to compare their trees would be to read them again.
@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text with its header found and read; `bom` as in `workspace.source_file.SourceFile`."""

    text: str
    bom: bool
    frontmatter: Frontmatter
    tree: Tree


def parse(
    text: str,
    split: Callable[[str, bool], Frontmatter],
    *,
    bom: bool = False,
    read: Callable[[str, int], Tree] = yaml.parse,
) -> Document:
    """The document of `text`, whose header `split` finds; problems are in its tree.

    `read` makes a tree of a header and the offset where it begins.
    """
    return (_parse_large if len(text) > _HUGE else _parse)(text, split, bom, read)


def _made(
    text: str,
    split: Callable[[str, bool], Frontmatter],
    bom: bool,
    read: Callable[[str, int], Tree],
) -> Document:
    found = split(text, bom)
    header, start = found.inner.of(text), found.inner.start
    is_kept = len(header) <= _LARGE
    return Document(
        text, bom, found, _Trees.kept(read, header, start) if is_kept else read(header, start)
    )


# After each keystroke an editor asks about the same text several times. What a large one was
# before is only in the way, most of all of whoever collects what is not in use.
_parse = lru_cache(maxsize=4)(_made)
_parse_large = lru_cache(maxsize=2)(_made)


# A keystroke needs one header and its neighbours, a preview one catalogue; a bound keeps
# every keystroke's header from staying in memory, and the tree of a large one takes as much
# as those of a whole project.
_LARGE = 20_000


_HUGE = 50_000
_MOST_KEPT = 512


def keep(many: int) -> None:
    """Keeps the trees of so many headers from now on, if they are more than are kept anyway."""
    _Trees.kept = lru_cache(maxsize=max(many, _MOST_KEPT))(_read)


def _read(read: Callable[[str, int], Tree], header: str, start: int) -> Tree:
    return read(header, start)


class _Trees:
    """The memo of this process."""

    kept = lru_cache(maxsize=_MOST_KEPT)(_read)
