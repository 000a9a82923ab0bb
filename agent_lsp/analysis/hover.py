"""What is shown for a place in a template; the first line is the answer.

Invariants: a header that the runtime does not use is said first; what follows explains it as
written. The answer is a function of the snapshot and nothing is stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from agent_lsp.analysis import cursor
from agent_lsp.analysis.hovers import file, keys, meant, personas, policy, words_at
from agent_lsp.analysis.marker import line_at
from agent_lsp.analysis.markup import code, words
from agent_lsp.analysis.places import (
    FencePlace,
    ItemPlace,
    KeyPlace,
    MarkerPlace,
    Place,
    ValuePlace,
)
from agent_lsp.analysis.tables import hover as tables
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax.markdown import Fence
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, Workspace, subject


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about what is under `span`."""

    span: Span
    markdown: str


def hover(workspace: Workspace, path: Path, offset: int) -> Hover | None:
    """What to show at `offset` of the template at `path`; None where there is nothing to say."""
    of = subject(workspace, path)
    return None if of is None else hover_of(of, offset)


def hover_of(of: Subject, offset: int) -> Hover | None:
    """As `hover`, for a template that is at hand."""
    found = _found(of, offset)
    if found is None:
        return None
    span, answer = found
    blocks = [block for block in answer if block]
    return Hover(span, "\n\n".join(blocks) + "\n") if blocks else None


def _found(of: Subject, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The span that is explained, and the blocks of the explanation."""
    if of.file.problem is not None:
        return Span(0, 0), file.file(of)
    if of.dialect.keys_at is not None:
        return tables.explained(of, offset)
    if of.dialect.place is not None:
        return words_at.explained(of, offset)
    place = cursor.place(of, offset)
    if isinstance(place, FencePlace) and place.opening:
        return place.span, chain(_lost(of), file.file(of))
    first = line_at(of.document.text, 0)
    if of.document.cut.fence is Fence.ABSENT and first.covers(offset):
        return first, chain(_lost(of), file.file(of))
    written = _listed(of, offset) or _written(of, place)
    if written is None:
        return None
    seen = of.document.cut.fence is Fence.ABSENT or meant.lost(of) is None
    before = () if seen else (*_lost(of), "As it is written:")
    return written[0], chain(before, written[1])


def _listed(of: Subject, offset: int) -> tuple[Span, Iterator[str]] | None:
    """What an entry of a list says that may be written as a text."""
    for holds in (Holds.ALLOW, Holds.DENY):
        key = of.dialect.key_holding(holds)
        value = of.reading.written.settings.get(key.name) if key and key.in_text else None
        for item in value.items if value is not None else ():
            if key is not None and item.span.covers(offset):
                return item.span, policy.entry(of, key, item.text)
    return None


def _written(of: Subject, place: Place | None) -> tuple[Span, Iterator[str]] | None:
    """What a place inside the file says, taken as its author means it."""
    if isinstance(place, FencePlace):
        return place.span, file.body(of)
    if isinstance(place, MarkerPlace):
        return (place.line, personas.marker(of, place.name)) if place.name else None
    if isinstance(place, KeyPlace):
        return _key(of, place)
    if isinstance(place, ValuePlace):
        return _value(of, place)
    return _item(of, place) if isinstance(place, ItemPlace) else None


def _key(of: Subject, place: KeyPlace) -> tuple[Span, Iterator[str]] | None:
    if place.entry is None or place.entry.name is None:
        return None
    name, span = place.entry.name, place.entry.key.span
    known = next((known for known in place.keys if known.name == name), None)
    if known is None:
        return span, keys.stranger(of, name, place.keys)
    return span, keys.key(of, known, place.entry.span)


def _value(of: Subject, place: ValuePlace) -> tuple[Span, Iterator[str]] | None:
    if place.entry is None or place.entry.value is None:
        return None
    if place.key is None:
        return place.entry.span, keys.stranger(of, place.entry.name or "", _keys(of, place))
    return place.entry.value.span, keys.value(of, place.key, place.entry.span)


def _keys(of: Subject, place: ValuePlace) -> tuple[Key, ...]:
    """The keys of the mapping that a value stands in, as far as the dialect knows them."""
    if place.mapping is not None and place.mapping is resolve(of.document.tree.root):
        return of.dialect.keys
    personas_key = of.dialect.key_holding(Holds.PERSONAS)
    in_persona = place.entry is not None and meant.persona_at(of, place.entry.span)
    return personas_key.items if personas_key and in_persona else ()


def _item(of: Subject, place: ItemPlace) -> tuple[Span, Iterator[str]] | None:
    if place.entry is None or place.entry.value is None or place.key is None:
        return None
    item = resolve(place.item)
    if place.key.holds in (Holds.ALLOW, Holds.DENY) and isinstance(item, Scalar) and place.item:
        name = item.value.partition("(")[0] if place.key.in_text else item.value
        return place.item.span, policy.entry(of, place.key, name.strip())
    return place.entry.value.span, keys.value(of, place.key, place.entry.span)


def _lost(of: Subject) -> Iterator[str]:
    loss = meant.lost(of)
    if loss is None:
        return
    yield f"**{loss[0].upper()}{words(loss[1:])}**"
    if of.reading.faults:
        yield code(of.reading.faults[0].message)
