"""One file as syntax: its cut and the tree of its header, memoised by header text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from agent_lsp.syntax import yaml
from agent_lsp.syntax.markdown import Cut
from agent_lsp.syntax.nodes import Tree


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its header found and read; `bom` as in `workspace.files.File`."""

    text: str
    bom: bool
    cut: Cut
    tree: Tree


def parse(text: str, cut: Callable[[str, bool], Cut], *, bom: bool = False) -> Document:
    """The document of `text`, whose header `cut` finds; problems are in its tree."""
    found = cut(text, bom)
    return Document(text, bom, found, _tree(found.inner.of(text), found.inner.start))


# A keystroke needs one header and its neighbours, a preview one catalogue; a bound keeps
# every keystroke's header from staying in memory.
@lru_cache(maxsize=2048)
def _tree(header: str, start: int) -> Tree:
    return yaml.parse(header, start)
