"""Reads the item behind an empty one as js-yaml does: as part of the same list, if it is outdented.

Invariant: a tree has the places of the text before the change.
Facts: js-yaml 3.15.2 and 4.1.0, run 2026-11-30 (`js-yaml-odd`). Behind a dash with nothing on its
line, they take the next dash for one of the same list, wherever it stands in its line. Other
parsers give it to an outer list, or refuse it.
"""

import re
from collections.abc import Callable, Iterator

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Tree
from agent_lsp.syntax.yaml.edited import Edit, Edited, moved

_NOTHING = r"-[ \t]*(?:#.*)?\r?$"
_EMPTY = regex(rf"^(?P<lead> *(?:- +)*){_NOTHING}", re.MULTILINE)
_ITEM = regex(r"(?P<lead> *)-(?=\s|\Z)")
_BLANK = regex(r"\s*(?:#.*)?")
_TEXT = regex(r"(?P<lead> *).*[|>][-+\d]*[ \t]*(?:#.*)?\r?")
# Nobody writes many of them, and behind each one all rows of an item may move.
_MOST = 50


def with_next_items(text: str, start: int, read: Callable[[str, int], Tree]) -> Tree:
    """The tree of `text`, which begins at `start`, as `read` reads it with these items moved."""
    edits = tuple(_edits(text)) if _EMPTY.search(text) is not None else ()
    if edits:
        edited = Edited.of(text, edits)
        tree = read(edited.text, 0)
        if tree.problem is None:
            return moved(tree, lambda at: start + edited.place(at))
    return read(text, start)


def _edits(text: str) -> Iterator[Edit]:
    """The blanks that put each of these items below the empty one."""
    rows = text.split("\n")
    more = [0] * len(rows)
    below, tried = -1, 0
    for at in range(len(rows)):
        if _BLANK.fullmatch(rows[at]) or 0 <= below < _depth(rows[at]):
            # It is empty, or in a block text.
            continue
        head = _TEXT.fullmatch(rows[at])
        below = len(head["lead"]) if head is not None else -1
        found = _EMPTY.fullmatch(rows[at])
        if found is not None and tried < _MOST:
            tried += 1
            _move(rows, more, at + 1, len(found["lead"]) + more[at])
    place = 0
    for row, blanks in zip(rows, more, strict=True):
        if blanks:
            yield place, place, " " * blanks
        place += len(row) + 1


def _move(rows: list[str], more: list[int], at: int, column: int) -> None:
    """Moves the item that follows in row `at` or below to a column, if it is in one before it."""
    while at < len(rows) and _BLANK.fullmatch(rows[at]):
        at += 1
    item = _ITEM.match(rows[at]) if at < len(rows) else None
    lead = _depth(rows[at]) if item is not None else 0
    blanks = column - lead - more[at] if item is not None else 0
    if blanks <= 0:
        return
    more[at] += blanks
    for below in range(at + 1, len(rows)):
        if rows[below].strip() and _depth(rows[below]) <= lead:
            break
        more[below] += blanks


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
