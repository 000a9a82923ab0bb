"""Finds the known word that an unknown one was meant to be: a key, a tool, a model.

Invariants: a suggestion is another spelling of the word, or at most a few slips away from it. A
shorter word may have fewer slips. Another number is another model, never a slip. The list of models
is remote and grows, so that a word that may be the name of a new family is no slip either. No
suggestion is better than a wrong one.
"""

from collections.abc import Iterable
from functools import lru_cache

from agent_lsp.model.dialect import Dialect
from agent_lsp.options import Extras, Options
from agent_lsp.patterns import regex

_SEPARATORS = str.maketrans("", "", "-_ .")
# (shortest length, slips that a word of this length may have)
_SLIPS = ((8, 2), (3, 1), (0, 0))

_TOKEN = regex(r"[^\W\d_]+|\d+")
_SHORTEST_WITH_SLIP = 3
_MOST_SLIPS = 2


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is a misspelling of, or None.

    Another spelling (case, `-` for `_`, `WebSearch` for `web_search`) has precedence over any slip.
    Of equally near candidates, the first one is returned.
    """
    return _nearest(word, tuple(candidates))


# A file has the same unknown words at each keystroke.
@lru_cache(maxsize=16_384)
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
        # Most candidates are too long or too short, or have other letters. One slip adds or removes
        # at most one letter.
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


# The candidates are the same few names at each keystroke.
@lru_cache(maxsize=1024)
def fold(word: str) -> str:
    """`word` without the differences between spellings: case and separators."""
    return word.casefold().translate(_SEPARATORS)


@lru_cache(maxsize=1024)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word.casefold())


def distance(one: str, other: str, most: int) -> int:
    """The number of inserted, deleted, replaced or swapped characters; `most + 1` if more."""
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
        # A swap uses the row before the last one, so that both rows have to exceed the limit.
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[-1], most + 1)


def _slips(length: int) -> int:
    return next(slips for shortest, slips in _SLIPS if length >= shortest)


def known_models(dialect: Dialect, options: Options) -> tuple[str, ...]:
    """The models that the runtime describes, and those that the user vouches for."""
    names = (model.name for model in dialect.models.listed)
    return tuple(dict.fromkeys((*names, *options.extra(dialect.id).models)))


def near_miss(name: str, models: Iterable[str]) -> str | None:
    """The model that `name` is a misspelling of, or None.

    Case and separators may differ, and a letter or two of the words. Numbers may not differ.
    """
    best, least = None, _MOST_SLIPS + 1
    for model in models:
        slips = 0 if fold(name) == fold(model) else _differing_letters(name, model)
        if slips < least:
            best, least = model, slips
    return best


def _differing_letters(name: str, model: str) -> int:
    """The number of differing letters; more than allowed if anything else differs."""
    words, meant = _TOKEN.findall(name.casefold()), _TOKEN.findall(model.casefold())
    if len(words) != len(meant):
        return _MOST_SLIPS + 1
    total = 0
    for word, other in zip(words, meant, strict=True):
        allowed = 0 if other.isdigit() or len(other) < _SHORTEST_WITH_SLIP else 1
        found = distance(word, other, allowed)
        if found > allowed:
            return _MOST_SLIPS + 1
        total += found
    return total


def known_tools(dialect: Dialect, options: Options) -> tuple[str, ...]:
    """The runtime's tools and those that the user vouches for, each once, without patterns.

    They include tools that no agent has, so that everybody can see that these are removed.
    """
    names = (tool for tool in _vouched(dialect, options) if not dialect.tools.is_pattern(tool))
    return tuple(dict.fromkeys((*dialect.tools.names, *names)))


def is_vouched(dialect: Dialect, options: Options, tool: str) -> bool:
    """Whether the user vouches for such a tool, by its name or by a pattern."""
    return any(dialect.tools.matches(name, tool) for name in _vouched(dialect, options))


def _vouched(dialect: Dialect, options: Options) -> tuple[str, ...]:
    return options.extras.get(dialect.id, Extras()).tools
