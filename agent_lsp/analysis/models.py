"""The models that can be known here, and which of them a name was meant to be.

Invariants: another number is another model, never a slip; the list of models is remote and grows,
so a word that may be the name of a new family is none either.
"""

import re
from collections.abc import Iterable

from agent_lsp.analysis.nearest import distance, fold
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import PartialWord
from agent_lsp.options import Options

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_SHORTEST_WITH_SLIP = 3
_MOST_SLIPS = 2
# In a shorter word another letter makes another word.
_SHORTEST_WITH_ANOTHER_LETTER = 5


def known_models(dialect: Dialect, options: Options) -> tuple[str, ...]:
    """The models that the runtime ships a description of, and those that the user vouches for."""
    names = (model.name for model in dialect.models)
    return tuple(dict.fromkeys((*names, *options.extra(dialect.id).models)))


def near_miss(name: str, models: Iterable[str]) -> str | None:
    """The model that `name` is a misspelling of, or None.

    Case and separators may differ, and a letter or two of the words; numbers may not.
    """
    best, least = None, _MOST_SLIPS + 1
    for model in models:
        slips = 0 if fold(name) == fold(model) else _slips(name, model)
        if slips < least:
            best, least = model, slips
    return best


def near_id(name: str, words: tuple[PartialWord, ...]) -> str | None:
    """The id that `name` is a misspelling of, whose `words` can only be one of a few, or None."""
    meant = name
    for word in reversed(words):
        written = word.span.of(name)
        right = next((one for one in word.choices if written == one or _is_typo(written, one)), "")
        if not right:
            return None
        meant = f"{meant[: word.span.start]}{right}{meant[word.span.end :]}"
    return meant if meant != name else None


def _is_typo(word: str, meant: str) -> bool:
    """Whether one slip makes `word` of `meant`, and it is hardly a word of its own."""
    if word[:1] != meant[:1] or distance(word, meant, 1) != 1:
        return False
    is_longer = len(word) > len(meant)
    is_swapped = sorted(word) == sorted(meant)
    return is_longer or is_swapped or len(meant) >= _SHORTEST_WITH_ANOTHER_LETTER


def _slips(name: str, model: str) -> int:
    """How many letters differ; more than are allowed if anything else does."""
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
