"""Finds the known word that somebody meant who wrote an unknown one.

Invariant: a suggestion is a spelling of the word, or at most a few slips away from it; the
shorter the word, the fewer. No suggestion is better than a silly one.
"""

from collections.abc import Iterable
from functools import lru_cache

_SEPARATORS = str.maketrans("", "", "-_ .")
# (shortest length, slips that a word of this length may have)
_SLIPS = ((8, 2), (3, 1), (0, 0))


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is a misspelling of, or None.

    Another spelling (case, `-` for `_`, `WebSearch` for `web_search`) goes before any slip;
    of equally near candidates the first is taken.
    """
    return _nearest(word, tuple(candidates))


# A file's unknown words are the same ones, keystroke after keystroke.
@lru_cache(maxsize=1024)
def _nearest(word: str, names: tuple[str, ...]) -> str | None:
    if not fold(word):
        return None
    for spell in (str.casefold, fold):
        spelt = spell(word)
        for candidate in names:
            if spell(candidate) == spelt:
                return candidate
    lowered = word.casefold()
    letters = frozenset(lowered)
    best, least = None, _slips(len(word)) + 1
    for candidate in names:
        # Most candidates are too long or too short to be looked at, or have other letters: no
        # slip brings in, or takes away, more than one of them.
        others = _letters(candidate)
        if (
            abs(len(candidate) - len(word)) < least
            and len(letters - others) < least
            and len(others - letters) < least
        ):
            found = distance(lowered, candidate.casefold(), least - 1)
            if found < least:
                best, least = candidate, found
    return best


# The candidates are the same few names, keystroke after keystroke.
@lru_cache(maxsize=1024)
def fold(word: str) -> str:
    """`word` without what differs between ways to spell it: case and separators."""
    return word.casefold().translate(_SEPARATORS)


@lru_cache(maxsize=1024)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word.casefold())


def distance(one: str, other: str, most: int) -> int:
    """How many characters were added, left out, exchanged or swapped; `most + 1` if it is more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, character in enumerate(one):
        older, before = before, row
        row = [at + 1]
        for to, target in enumerate(other):
            cost = min(before[to] + (character != target), before[to + 1] + 1, row[to] + 1)
            if at and to and character == other[to - 1] and one[at - 1] == target:
                cost = min(cost, older[to - 1] + 1)
            row.append(cost)
        # A swap reaches back two rows, so both have to be hopeless.
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[-1], most + 1)


def _slips(length: int) -> int:
    return next(slips for shortest, slips in _SLIPS if length >= shortest)
