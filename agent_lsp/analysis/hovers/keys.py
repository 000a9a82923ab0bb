"""Hover on a key of a header: what it is for, who needs it, and what it amounts to here."""

from collections.abc import Iterator

from agent_lsp.analysis.hovers import meant, personas, policy, settings, standing
from agent_lsp.analysis.hovers.hint import hint
from agent_lsp.analysis.markup import code, codes, fence, words
from agent_lsp.analysis.nearest import nearest
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Key, Kind
from agent_lsp.options import Extras
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def key(of: Subject, known: Key, at: Span) -> Iterator[str]:
    """What is in force at this place, then the key's row of the table."""
    if of.dialect.idle is not None:
        idle = of.dialect.idle(of.document, of.scope)
        ours = (one for one in idle if one.span.of(of.document.text) == known.name)
        yield from (f"**No effect here**: {words(one.reason)}" for one in ours)
    here = list(value(of, known, at))
    # What a text amounts to is the text itself, which the reader sees already.
    is_text = known.holds is Holds.DESCRIPTION or known.holds is None
    yield from () if is_text else (*here, *(["---"] if here else []))
    yield from _row(of, known)
    yield from here if is_text else ()


def _row(of: Subject, known: Key) -> Iterator[str]:
    choices = (
        f": {codes([choice.name for choice in known.choices])}" if known.kind is Kind.CHOICE else ""
    )
    yield f"{code(known.name)} ({known.kind.value}{choices}): {words(known.meaning)}"
    facts = [f"- without it: {words(known.default)}"]
    if known.required_by:
        facts.append(f"- required by {words(known.required_by)}")
    yield "\n".join(facts)
    if known.name in of.dialect.notes:
        yield words(of.dialect.notes[known.name])


def value(of: Subject, known: Key, at: Span) -> Iterator[str]:
    """What the value of a key amounts to, at the place of the key or of the value."""
    persona = meant.persona_at(of, at)
    if known.holds in (Holds.MODEL, Holds.EFFORT, Holds.SANDBOX):
        yield from settings.setting(of, known, persona)
    elif known.holds in (Holds.ALLOW, Holds.DENY):
        yield from policy.toolset(of)
    elif known.holds is Holds.STANDING:
        yield from standing.standing(of, known)
    elif known.holds is Holds.PERSONAS:
        yield from personas.summaries(of)
    elif known.holds is Holds.PERSONA_NAME and persona is not None:
        yield from personas.persona(of, persona)
    else:
        held = (persona.settings if persona else of.reading.written.settings).get(known.name)
        chosen = held.text if held is not None else ""
        meaning = next((one.meaning for one in known.choices if one.name == chosen), None)
        yield from _text(known, held) if meaning is None else (f"{code(chosen)}: {words(meaning)}",)
        if known.holds is Holds.DESCRIPTION and persona is None:
            yield from hint(of, held)


def stranger(of: Subject, name: str, keys: tuple[Key, ...]) -> Iterator[str]:
    """What a key comes to that is not among `keys`, those of its mapping."""
    if name in of.options.extras.get(of.dialect.id, Extras()).keys:
        yield f"{code(name)} is no key of the runtime; your settings name it"
        return
    if keys is of.dialect.keys and name in of.dialect.ignored:
        yield f"{code(name)} has no effect here: {words(of.dialect.ignored[name])}"
        return
    close = nearest(name, [known.name for known in keys])
    hint = f"; did you mean {code(close)}?" if close else ""
    yield f"{code(name)} is no key here: the runtime ignores it{hint}"
    if keys:
        yield f"The keys here: {codes([known.name for known in keys])}"


def _text(known: Key, held: Value | None) -> Iterator[str]:
    # Numbers and words are seen at a glance.
    if held is None or not isinstance(held.value, str) or known.kind is not Kind.TEXT:
        return
    text = held.text.strip()
    if not text:
        yield f"{code(known.name)} is blank, which counts as missing"
        return
    yield f"{code(known.name)}, {len(text)} characters, as the runtime reads it:"
    yield fence(text)
