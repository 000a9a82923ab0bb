"""Hover on a key of a header: what it is for, who needs it, and what it amounts to here."""

from collections.abc import Iterator

from agent_lsp.analysis.hovers import meant, personas, policy, settings, standing
from agent_lsp.analysis.hovers.hint import hint
from agent_lsp.analysis.markup import code, codes, fence, words
from agent_lsp.analysis.nearest import nearest
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Key, KeyRole, ValueKind
from agent_lsp.options import Extras
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile


def key(file: TemplateFile, key: Key, at: Span) -> Iterator[str]:
    """What is in force at this place, then the key's row of the table."""
    if file.dialect.no_effect is not None:
        idle = file.dialect.no_effect(file.document, file.scope)
        ours = (one for one in idle if one.span.of(file.document.text) == key.name)
        yield from (f"**No effect here**: {words(one.reason)}" for one in ours)
    here = list(value(file, key, at))
    # What a text amounts to is the text itself, which the reader sees already.
    is_text = key.role is KeyRole.DESCRIPTION or key.role is None
    yield from () if is_text else (*here, *(["---"] if here else []))
    yield from _row(file, key)
    yield from here if is_text else ()


def _row(file: TemplateFile, key: Key) -> Iterator[str]:
    choices = (
        f": {codes([choice.name for choice in key.choices])}"
        if key.kind is ValueKind.CHOICE
        else ""
    )
    yield f"{code(key.name)} ({key.kind.value}{choices}): {words(key.meaning)}"
    facts = [f"- without it: {words(key.default)}"]
    if key.required_by:
        facts.append(f"- required by {words(key.required_by)}")
    yield "\n".join(facts)
    if key.name in file.dialect.notes:
        yield words(file.dialect.notes[key.name])


def value(file: TemplateFile, key: Key, at: Span) -> Iterator[str]:
    """What the value of a key amounts to, at the place of the key or of the value."""
    persona = meant.persona_at(file, at)
    if key.role in (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX):
        yield from settings.setting(file, key, persona)
    elif key.role in (KeyRole.ALLOW, KeyRole.DENY):
        yield from policy.toolset(file)
    elif key.role is KeyRole.STANDING:
        yield from standing.standing(file, key)
    elif key.role is KeyRole.PERSONAS:
        yield from personas.summaries(file)
    elif key.role is KeyRole.PERSONA_NAME and persona is not None:
        yield from personas.persona(file, persona)
    else:
        held = (persona.settings if persona else file.reading.declared.settings).get(key.name)
        chosen = held.text if held is not None else ""
        meaning = next((one.meaning for one in key.choices if one.name == chosen), None)
        yield from _text(key, held) if meaning is None else (f"{code(chosen)}: {words(meaning)}",)
        if key.role is KeyRole.DESCRIPTION and persona is None:
            yield from hint(file, held)


def stranger(file: TemplateFile, name: str, keys: tuple[Key, ...]) -> Iterator[str]:
    """What a key comes to that is not among `keys`, those of its mapping."""
    if name in file.options.extras.get(file.dialect.id, Extras()).keys:
        yield f"{code(name)} is no key of the runtime; your settings name it"
        return
    if keys is file.dialect.keys and name in file.dialect.ignored:
        yield f"{code(name)} has no effect here: {words(file.dialect.ignored[name])}"
        return
    close = nearest(name, [known.name for known in keys])
    hint = f"; did you mean {code(close)}?" if close else ""
    yield f"{code(name)} is no key here: the runtime ignores it{hint}"
    if keys:
        yield f"The keys here: {codes([known.name for known in keys])}"


def _text(key: Key, held: Value | None) -> Iterator[str]:
    # Numbers and words are seen at a glance.
    if held is None or not isinstance(held.value, str) or key.kind is not ValueKind.TEXT:
        return
    text = held.text.strip()
    if not text:
        yield f"{code(key.name)} is blank, which counts as missing"
        return
    yield f"{code(key.name)}, {len(text)} characters, as the runtime reads it:"
    yield fence(text)
