"""Parses one file: its frontmatter and the tree of its header, both memoised.

Invariant: the memos are bounded in number and in size, whatever is typed.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

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
    return (_parse_large if len(text) > _HUGE else _Kept.documents)(text, split, bom, read)


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
        text, bom, found, _Kept.trees(read, header, start) if is_kept else read(header, start)
    )


# After each keystroke an editor sends several requests about the same text. The earlier version of
# a large text is no longer needed, and would only slow down garbage collection.
_FEW = 4
_parse_large = lru_cache(maxsize=2)(_made)


# A keystroke needs one header and its neighbours, and a preview one catalog. This bound, in code
# points, keeps large headers out of the memo: the tree of one takes as much memory as those of a
# whole project.
_LARGE = 20_000


_HUGE = 50_000
_MOST_KEPT = 512


def keep(many: int) -> None:
    """Makes room in the memos for the trees and documents of `many` files more than usual.

    A run that reads the names in all files first reads each file again, in the same order. With
    room for one file less, the memos would always have lost the next one.
    """
    _Kept.trees = lru_cache(maxsize=many + _MOST_KEPT)(_read)
    _Kept.documents = lru_cache(maxsize=many + _MOST_KEPT)(_made)


def _read(read: Callable[[str, int], Tree], header: str, start: int) -> Tree:
    return read(header, start)


class _Kept:
    """The memos of the process."""

    trees = lru_cache(maxsize=_MOST_KEPT)(_read)
    documents = lru_cache(maxsize=_FEW)(_made)


class _Remembering(Protocol):
    @property
    def answers(self) -> dict[Any, Any]:
        """What was found out about this value, by question."""


_About = TypeVar("_About", bound=_Remembering)
_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")
_UNKNOWN = object()


def memoised(
    function: Callable[Concatenate[_About, _Rest], _Answer],
) -> Callable[Concatenate[_About, _Rest], _Answer]:
    """`function`, called once for each document or template file with its other arguments.

    The other arguments are hashable and positional. The answers go with the value that they are
    about. Many checks in turn ask the same question.
    """

    @wraps(function)
    def remembered(about: _About, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        key, answers = (function, rest), about.answers
        found: _Answer = answers.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = answers[key] = function(about, *rest, **named)
        return found

    return remembered
