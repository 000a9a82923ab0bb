"""Tells by the keys of a configuration which generation of the runtime it is written for.

Invariant: where nothing tells, nothing is guessed.
"""

from collections.abc import Iterable
from enum import Enum
from functools import cache

from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis import keys
from agent_lsp.model.schema import Choice, Key, ValueKind


class Generation(Enum):
    """The runtime that the document on presets describes, or the current one."""

    SEED = "the older runtime (February 2026)"
    TODAY = "the current runtime (since March 2026)"

    @property
    def short(self) -> str:
        """The generation in a message, without the date."""
        return self.value.partition(" (")[0]

    @property
    def other(self) -> "Generation":
        """The other generation."""
        return Generation.TODAY if self is Generation.SEED else Generation.SEED


def named(name: str) -> Generation | None:
    """The generation that goes by `name` in settings, or None."""
    return next((one for one, choice in _CHOSEN.items() if choice.name == name), None)


@cache
def preset_keys(generation: Generation | None) -> tuple[Key, ...]:
    """The keys of a preset; of an unknown generation those that both read alike."""
    if generation is None:
        return _shared(keys.SEED_PRESET, keys.TODAY_PRESET)
    return keys.SEED_PRESET if generation is Generation.SEED else keys.TODAY_PRESET


def agents_keys(generation: Generation) -> tuple[Key, ...]:
    """The keys of `[agents]` in the order of the record."""
    first = keys.DEFAULT if generation is Generation.SEED else keys.DEFAULT_PRESET
    return (first, keys.PRESETS)


def of_names(agents: Iterable[str], preset: Iterable[str]) -> Generation | None:
    """The generation that the names of keys tell: those of `[agents]`, and dotted those of presets.

    One key of today's is enough: its author has the current runtime, and what is older
    beside it was left over.
    """
    top, inner = frozenset(agents), frozenset(preset)
    if keys.DEFAULT_PRESET.name in top or inner & ONLY_TODAY:
        return Generation.TODAY
    if keys.DEFAULT.name in top or inner & ONLY_SEED:
        return Generation.SEED
    return None


def flat(table: tuple[Key, ...], prefix: str = "") -> dict[str, Key]:
    """The keys of a table and of those in it, by their dotted names."""
    found: dict[str, Key] = {}
    for key in table:
        dotted = f"{prefix}{key.name}"
        found[dotted] = key
        if key.kind is ValueKind.TABLE:
            found |= flat(key.items, f"{dotted}.")
    return found


def _shared(first: tuple[Key, ...], second: tuple[Key, ...]) -> tuple[Key, ...]:
    names = {key.name: key for key in second}
    both = []
    for key in first:
        other = names.get(key.name)
        if other is None or other.kind is not key.kind:
            continue
        items = _shared(key.items, other.items)
        both.append(
            Key(
                key.name,
                key.kind,
                key.meaning,
                key.default
                if key.default == other.default
                else f"{key.default} ({other.default} today)",
                key.role,
                items=items,
                # A value that one generation accepts is no error while the generation is unknown.
                record=key.record
                if key.kind is not ValueKind.NUMBER
                else max(key.record, other.record),
                example=key.example,
                choices=key.choices,
            )
        )
    return tuple(both)


_CHOSEN = {
    Generation.SEED: Choice("document", Generation.SEED.value),
    Generation.TODAY: Choice("today", Generation.TODAY.value),
}
CHOICES = tuple(_CHOSEN.values())
SEED = flat(keys.SEED_PRESET)
TODAY = flat(keys.TODAY_PRESET)
# Both, as far as one table can show them; the names are those of settings.
DOTTED = tuple(
    replace(key, name=name)
    for name, key in (SEED | TODAY).items()
    if key.kind is not ValueKind.TABLE
)
ONLY_SEED = frozenset(SEED) - frozenset(TODAY)
ONLY_TODAY = frozenset(TODAY) - frozenset(SEED)

# The text that hovers add for keys of only one generation.
_SEED_ONLY = "the current runtime ignores it"
_TODAY_ONLY = "the older runtime ignores it"
NOTES = dict.fromkeys(ONLY_SEED, _SEED_ONLY) | dict.fromkeys(ONLY_TODAY, _TODAY_ONLY)
