"""Entries in the lists of shipped templates that stand for what the runtime's own have there.

Invariant: only a template that the product ships has any; what a user writes is what it says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from agent_lsp.model.template import Reading, Template, Value


@dataclass(frozen=True, slots=True)
class ShippedStandIn:
    """`entry` in the list `key` of the shipped `template` is in the place of `stands_for`."""

    template: str
    key: str
    entry: str
    stands_for: str


def mark(reading: Reading, stand_ins: tuple[ShippedStandIn, ...], template: str | None) -> Reading:
    """`reading` of the shipped `template` with those of its entries marked that are `stand_ins`."""
    own = [stand_in for stand_in in stand_ins if stand_in.template == template]
    if not own:
        return reading
    return replace(
        reading, declared=_marked(reading.declared, own), effective=_marked(reading.effective, own)
    )


def shipped_stand_ins(settings: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The marked entries, each with the key of its list."""
    for key, value in settings.items():
        yield from ((key, item) for item in value.items if item.stands_for)


def _marked(template: Template, stand_ins: list[ShippedStandIn]) -> Template:
    meant = {(stand_in.key, stand_in.entry): stand_in.stands_for for stand_in in stand_ins}
    lists = {key: template.settings[key] for key, _ in meant if key in template.settings}
    marked = {
        key: replace(
            value,
            value=tuple(replace(i, stands_for=meant.get((key, i.text), "")) for i in value.items),
        )
        for key, value in lists.items()
    }
    return replace(template, settings={**template.settings, **marked})
