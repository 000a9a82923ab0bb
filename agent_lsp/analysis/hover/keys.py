"""Explains a key of a header: its purpose, who needs it, and the effect of its value.

For a model, an effort or a sandbox, it shows the effective value and its origin.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice

from agent_lsp.analysis.hover import names, policy
from agent_lsp.analysis.preview import as_written, programs
from agent_lsp.analysis.render import code, codes, fence, link, place, steps, words
from agent_lsp.analysis.suggest import known_models, near_miss, nearest
from agent_lsp.data_classes import replace
from agent_lsp.model.availability import Availability
from agent_lsp.model.runtime import Definition, Origin, ResolvedSetting, RoleHint, Spawn
from agent_lsp.model.schema import Key, KeyPath, KeyRole, ValueKind, wrong_value
from agent_lsp.model.template import LoadErrorKind, Persona, Value
from agent_lsp.options import Extras
from agent_lsp.syntax.nodes import Entry, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    as_others_read,
    as_programs_read,
    catalog_of,
    definition,
)

# A longer value of another file is not shown in a line.
_LONGEST = 80


def hint(file: TemplateFile, description: Value | None) -> Iterator[str]:
    """The part about this agent of the spawn call's own description, in its session."""
    dialect = file.dialect.calls.hint
    if dialect is None or file.name is None:
        return
    found = catalog_of(file)
    winner = found.winner(file.name)
    if winner is None or winner.path != file.path:
        return
    above = islice(found.names, bisect_left(found.names, file.name))
    before = (name for name in above if found.winner(name) is not None)
    rank = len(list(islice(before, dialect.roles))) + 1
    where = f"In a session in {code(place(file.workspace, file.root))} the description of"
    call = f"{where} {code(file.dialect.calls.spawn_call)}"
    if rank > dialect.roles:
        yield f"{call} leaves this role out: it has the first {dialect.roles} by name"
    else:
        shown = _shown(dialect, description.text.strip() if description else "")
        yield f"{call} shows {shown}: number {rank} by name, of {dialect.roles} at most"


def _shown(hint: RoleHint, text: str) -> str:
    if not text:
        return "only the name of this role"
    if len(text) <= hint.longest:
        return f"all of it, {len(text)} {'character' if len(text) == 1 else 'characters'}"
    rest = len(text) - hint.longest + 1
    return f"its first {hint.longest - 1} characters and `…` for the other {rest}"


def availability(file: TemplateFile, key: Key) -> Iterator[str]:
    """Each way to use the agent, with a row for each word that the key accepts."""
    ways = as_written.availability(file)
    if not ways:
        return
    yield ", ".join(f"**{way.word}: {_answer(way)}**" for way in ways)
    yield "\n".join(f"- {way.word}: {_answer(way)}, {words(way.reason)}" for way in ways)
    if key.kind is ValueKind.CHOICE:
        head = " | ".join(way.word for way in ways)
        rows = (
            f"| {code(choice.name)} | "
            + " | ".join(map(_answer, as_written.availability(file, key, choice.name)))
            + " |"
            for choice in key.choices
        )
        yield "\n".join((f"| {code(key.name)} | {head} |", f"|---|{'---|' * len(ways)}", *rows))
    for other in as_programs_read(file):
        if other.reading.errors:
            yield f"In {words(programs.line(other))}"
            continue
        said = (f"{way.word}: {_answer(way)}" for way in as_written.availability(other))
        yield f"In {words(other.program)}: {', '.join(said)}"


def _answer(availability: Availability) -> str:
    return "yes" if availability.is_open else "no"


def setting_name(file: TemplateFile, path: KeyPath, key: Key) -> str | None:
    """The name of `key`, in the mapping at `path`, as a setting of the template or a persona.

    None for a key in a mapping inside of a setting, such as an item of a list of hooks.
    """
    schema, personas_key = file.dialect.schema, file.dialect.schema.by_role.get(KeyRole.PERSONAS)
    if not path or (personas_key is not None and path[0] == personas_key.name):
        return key.name
    above = schema.templates_above(path)
    own = path[len(above) + 1 :] if above is not None else path
    dotted = ".".join((*map(str, own), key.name))
    return dotted if file.dialect.key(dotted) is not None else None


def key(file: TemplateFile, key: Key, entry: Entry, path: KeyPath) -> Iterator[str]:
    """The effective value here, then the row of the key in the table."""
    key = file.dialect.schema.key_in(key, file.scope)
    if file.dialect.schema.no_effect is not None:
        start = entry.key.span.start
        without_effect = file.dialect.schema.no_effect(file.document, file.scope)
        ours = (one for one in without_effect if one.span.start == start)
        yield from (f"**No effect here**: {words(one.reason)}" for one in ours)
    setting = setting_name(file, path, key)
    yield from () if setting is None else provenance(file, setting)
    yield from _readers(file, key, path)
    # What is written here decides nothing where another file goes before.
    is_used = setting is None or not _is_overridden(file, setting)
    here = list(value(file, key, entry, path)) if is_used else []
    # The effective value of a text is the text itself, which the reader already sees.
    is_text = key.role is KeyRole.DESCRIPTION or key.role is None
    yield from () if is_text else (*here, *(["---"] if here else []))
    yield from _row(file, replace(key, name=setting or key.name), _losses(file, key, path))
    yield from here if is_text else ()


def _losses(file: TemplateFile, key: Key, path: KeyPath) -> Iterator[str]:
    """What a value costs that the key does not take, for each program if they differ."""
    found = {file.program: file.dialect.loss(key, file.scope)}
    for other in as_others_read(file):
        for one in other.dialect.schema.at(other.document, path):
            if one.name == key.name:
                found[other.program] = other.dialect.loss(one, other.scope)
    if len(set(found.values())) == 1:
        yield f"- with {wrong_value(key)} that it does not take: {words(found[file.program])}"
        return
    for program, loss in found.items():
        clause = words(loss.replace("the runtime", program))
        yield f"- with {wrong_value(key)} that {words(program)} does not take: {clause}"


def _row(file: TemplateFile, key: Key, losses: Iterable[str]) -> Iterator[str]:
    choices = (
        f": {codes([choice.name for choice in key.choices])}"
        if key.kind is ValueKind.CHOICE
        else ""
    )
    yield f"{code(key.name)} ({key.type_name}{choices}): {words(key.meaning)}"
    facts = [f"- without it: {words(key.default)}"]
    if key.required_by or key.mandatory:
        facts.append(f"- required by {words(key.required_by or 'the parser')}")
    if key.when is not None:
        facts.append(f"- only where {code(key.when.key)} is {codes(key.when.values)}")
    facts += losses
    if key.no_effect:
        facts.append(f"- no effect: {words(key.no_effect)}")
    yield "\n".join(facts)
    if key.name in file.dialect.findings.notes:
        yield words(file.dialect.findings.notes[key.name])


def value(file: TemplateFile, key: Key, entry: Entry, path: KeyPath) -> Iterator[str]:
    """The effect of the value of a key, at the key or at the value."""
    name = setting_name(file, path, key)
    if name is None:
        yield from _inner(key, entry)
        return
    yield from _setting(file, replace(key, name=name), entry.span)


def _inner(key: Key, entry: Entry) -> Iterator[str]:
    """The meaning of a word inside of a setting."""
    node = entry.node
    chosen = node.value if isinstance(node, Scalar) else ""
    meaning = next((one.meaning for one in key.choices if one.name == chosen), None)
    if meaning is not None:
        yield f"{code(chosen)}: {words(meaning)}"


def _setting(file: TemplateFile, key: Key, at: Span) -> Iterator[str]:
    persona = as_written.persona_at(file, at)
    if key.role in (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX):
        yield from setting(file, key, persona)
    elif key.role in (KeyRole.ALLOW, KeyRole.DENY):
        yield from policy.toolset(file)
    elif key.role is KeyRole.AVAILABILITY:
        yield from availability(file, key)
    elif key.role is KeyRole.PERSONAS:
        yield from names.summaries(file)
    elif key.role is KeyRole.PERSONA_NAME and persona is not None:
        yield from names.persona(file, persona)
    else:
        held = (persona.settings if persona else file.reading.declared.settings).get(key.name)
        chosen = held.text if held is not None else ""
        meaning = next((one.meaning for one in key.choices if one.name == chosen), None)
        yield from _resolved(file, key)
        yield from _text(key, held) if meaning is None else (f"{code(chosen)}: {words(meaning)}",)
        if key.role is KeyRole.DESCRIPTION and persona is None:
            yield from hint(file, held)


def _readers(file: TemplateFile, key: Key, path: KeyPath) -> Iterator[str]:
    """The other programs that read the file and do not know the key."""
    for other in as_others_read(file):
        known = other.dialect.schema.at(other.document, path)
        if any(one.name == key.name for one in known):
            continue
        program = words(other.program)
        forbidden = (e for e in other.reading.errors if e.kind is LoadErrorKind.FORBIDDEN)
        if any(key.name in (error.key, error.got) for error in forbidden):
            yield f"**{program} refuses the file because of it**, and reads this file, too"
        else:
            yield f"**No effect in {program}**, which reads this file, too"


def provenance(file: TemplateFile, name: str) -> Iterator[str]:
    """The file that each setting comes from, if the runtime merges several for one agent."""
    found = definition(file)
    if found is None or not found.is_merged:
        return
    origin = found.origins.get(name)
    if origin is None:
        if name in found.reading.declared.settings:
            yield "The runtime's own agent of this name sets it"
        return
    others = dict.fromkeys(part.path for part in found.parts if part.path != origin.path)
    beside = ", ".join(link(file.workspace, path) for path in others)
    merged = f"; the agent is merged with {beside}" if beside else ""
    if any(one.startswith(f"{name}.") for one in found.inner):
        yield from _parts(file, found, name)
    elif origin.path == file.path:
        yield f"This file gives {code(name)}{merged}"
    else:
        held = found.reading.declared.settings.get(name)
        is_short = held is not None and 0 < len(held.text) <= _LONGEST and "\n" not in held.text
        value = f": {code(held.text)}" if held is not None and is_short else ""
        place = link(file.workspace, origin.path)
        yield f"**{place} gives {code(name)}**, and not this file{value}"


def _is_overridden(file: TemplateFile, name: str) -> bool:
    """Whether another file of the agent gives a setting, and this file nothing of it."""
    found = definition(file)
    origin = found.origins.get(name) if found is not None else None
    is_made = found is not None and any(one.startswith(f"{name}.") for one in found.inner)
    return origin is not None and origin.path != file.path and not is_made


def _parts(file: TemplateFile, found: Definition, name: str) -> Iterator[str]:
    """The file that each part of a setting comes from, in the order of the runtime."""
    rows, places = [], set()
    for one, value in found.inner.items():
        if one.startswith(f"{name}."):
            path = value.path or found.parts[0].path
            places.add(path)
            place = link(file.workspace, path, value.span)
            rows.append(f"- {code(one.removeprefix(f'{name}.'))}: {code(value.text)} ({place})")
    if len(places) > 1:
        yield f"{code(name)} is made of several files, in this order:"
        yield "\n".join(rows)
    elif places == {file.path}:
        yield f"This file alone gives {code(name)}"
    else:
        place = link(file.workspace, places.pop())
        yield f"**{place} gives {code(name)}**, and nothing here changes it"


def _resolved(file: TemplateFile, key: Key) -> Iterator[str]:
    """The value, and its prompt, that a spawn uses for a key that only the runtime knows."""
    answer = as_written.spawned(file) if file.dialect.schema.is_tables else None
    titles = (key.name, key.name.partition(".")[0])
    for one in answer.settings if answer is not None and key.role is None else ():
        if one.name in titles:
            value = "inherited" if one.value is None else code(one.value)
            yield f"{code(one.name)} is {value}, from {words(one.origin.label)}"
            yield "\n".join(steps(file.workspace, one))
            break
    for part in answer.prompt if answer is not None else ():
        if part.title == titles[1]:
            yield "The prompt begins with:"
            yield fence(part.text.strip())


def stranger(file: TemplateFile, name: str, keys: tuple[Key, ...], path: KeyPath) -> Iterator[str]:
    """The hover of a key that is not among `keys`, the known ones of its mapping at `path`."""
    if name in file.options.extras.get(file.dialect.id, Extras()).keys:
        yield f"{code(name)} is not a key of the runtime; your settings list it"
        return
    if not path and name in file.dialect.schema.ignored:
        yield f"{code(name)} has no effect here: {words(file.dialect.schema.ignored[name])}"
        return
    does = file.dialect.schema.stranger(path, name)
    if does is not None and path:
        yield f"{code(name)}: {words(does)}" if does else ""
        return
    if does == "":
        return
    close = nearest(name, [known.name for known in keys])
    hint = f"; did you mean {code(close)}?" if close else ""
    errors = (one for one in file.reading.errors if one.kind is LoadErrorKind.FORBIDDEN)
    is_fatal = any(name in (one.got, one.key) for one in errors)
    loss = (
        "the runtime refuses the file because of it"
        if is_fatal
        else words(does or "the runtime ignores it")
    )
    yield f"{code(name)} is not a key here: {loss}{hint}"
    if keys:
        yield f"The keys here: {codes([known.name for known in keys])}"


def _text(key: Key, held: Value | None) -> Iterator[str]:
    # Numbers and words can be read at a glance.
    if held is None or not isinstance(held.value, str) or key.kind is not ValueKind.TEXT:
        return
    text = held.text.strip()
    if not text:
        yield f"{code(key.name)} is blank, so the runtime treats it as missing"
        return
    letters = "1 character" if len(text) == 1 else f"{len(text)} characters"
    yield f"{code(key.name)}, {letters}, as the runtime reads it:"
    yield fence(text)


def setting(file: TemplateFile, key: Key, persona: Persona | None) -> Iterator[str]:
    """The effective value for the role or the persona, with its chain and the known facts."""
    answer, refusal = as_written.resolved(file, persona.name if persona else None)
    found = as_written.setting(answer, key) if answer else None
    if refusal is not None:
        yield f"**The runtime refuses the call**: {words(refusal.message)}"
    if refusal is not None and key.role is KeyRole.EFFORT:
        yield from _asked(file, answer)
        found = None
    elif answer is not None and found is not None:
        yield _in_force(found, answer.persona)
        yield "\n".join(steps(file.workspace, found))
        yield words(found.note)
    value = found.value if found else _value_of(file, key, persona)
    if value is not None:
        yield from about(file, key, value)
    if persona is None:
        yield from _personas(file, key)


def about(file: TemplateFile, key: Key, value: str) -> Iterator[str]:
    """The facts about a model, an effort or another word that a key accepts."""
    if key.role is KeyRole.MODEL:
        yield _model(file, value)
        return
    choice = next((choice for choice in key.choices if choice.name == value), None)
    if choice is not None:
        yield f"{code(value)}: {words(choice.meaning)}"
    if key.role is KeyRole.EFFORT:
        yield from _efforts(file)


def _in_force(setting: ResolvedSetting, persona: str | None) -> str:
    whom = f" for persona {code(persona)}" if persona else ""
    value = "inherited" if setting.value is None else code(setting.value)
    return f"{code(setting.name)} is {value}{whom}, from {words(setting.origin.label)}"


def _asked(file: TemplateFile, answer: Spawn | None) -> Iterator[str]:
    """The model and the efforts that decide a call which is refused because of its effort.

    `answer` is that of the call with an effort that every model supports.
    """
    keys = [
        key
        for holds in (KeyRole.MODEL, KeyRole.EFFORT)
        if (key := file.dialect.schema.by_role.get(holds))
    ]
    found = [as_written.setting(answer, key) for key in keys] if answer else []
    rows = [
        f"- {code(setting.name)}: {code(step.value)}, from {words(step.origin.label)}"
        f"{_linked(file, step.origin)}"
        for key, setting in zip(keys, found, strict=False)
        if setting is not None
        for step in setting.chain
        if step.value is not None and step.wins is (key.role is KeyRole.MODEL)
    ]
    if rows:
        yield "\n".join(rows)


def _linked(file: TemplateFile, origin: Origin) -> str:
    if origin.path is None or origin.span is None:
        return ""
    return f" ({link(file.workspace, origin.path, origin.span)})"


def _value_of(file: TemplateFile, key: Key, persona: Persona | None) -> str | None:
    value = (persona.settings if persona else file.reading.declared.settings).get(key.name)
    return value.text or None if value else None


def _model(file: TemplateFile, name: str) -> str:
    known = next((model for model in file.dialect.models.listed if model.name == name), None)
    if known is not None and known.note:
        return f"{code(name)}: {words(known.note)}"
    if known is not None and not _tells_efforts(file):
        return f"{code(name)} is in the model list that the runtime ships"
    if known is not None:
        return (
            f"{code(name)} is in the model list that the runtime ships: {_supports(known.efforts)}"
        )
    vouched = file.options.extras.get(file.dialect.id, Extras()).models
    if name in vouched:
        return (
            f"{code(name)} is not in the model list that the runtime ships; your settings name it"
        )
    if not file.dialect.models.listed:
        return "The runtime has no fixed list of models: the provider's own decides"
    close = near_miss(name, known_models(file.dialect, file.options))
    hint = f"; did you mean {code(close)}?" if close else ""
    return (
        f"{code(name)} is not in the model list that the runtime ships, "
        f"so it depends on the provider's own list{hint}"
    )


def _efforts(file: TemplateFile) -> Iterator[str]:
    """The efforts that the models of this file support."""
    named: list[str] = []
    if not _tells_efforts(file):
        return
    key = file.dialect.schema.by_role.get(KeyRole.MODEL)
    written = file.reading.declared
    for values in (written.settings, *(persona.settings for persona in written.personas)):
        value = values.get(key.name) if key else None
        if value is not None and value.text not in named:
            named.append(value.text)
    known = {model.name: model for model in file.dialect.models.listed}
    rows = [f"- {code(name)} {_supports(known[name].efforts)}" for name in named if name in known]
    if rows:
        yield "\n".join(rows)


def _tells_efforts(file: TemplateFile) -> bool:
    """Whether the efforts of a model are known."""
    return any(model.efforts for model in file.dialect.models.listed)


def _supports(efforts: tuple[str, ...]) -> str:
    return f"supports {codes(efforts)}" if efforts else "supports no effort"


def _personas(file: TemplateFile, key: Key) -> Iterator[str]:
    """The personas that set a value of their own for `key`."""
    rows = [
        f"- persona {code(persona.name)}: {code(value.text)} "
        f"({link(file.workspace, file.path, value.span)})"
        for persona in file.reading.declared.personas
        if (value := persona.settings.get(key.name)) is not None
    ]
    if rows:
        yield "With a value of their own:"
        yield "\n".join(rows)
