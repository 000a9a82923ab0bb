"""Hover on a model, an effort or a sandbox: what is in force here, and what decided it."""

from collections.abc import Iterator

from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render.markdown import steps
from agent_lsp.analysis.render.markup import code, codes, link, words
from agent_lsp.analysis.suggest import known_models, near_miss
from agent_lsp.model.runtime import Origin, ResolvedSetting, Spawn
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import Persona
from agent_lsp.options import Extras
from agent_lsp.workspace.snapshot import TemplateFile


def setting(file: TemplateFile, key: Key, persona: Persona | None) -> Iterator[str]:
    """The value in force for the role or the persona, with its chain, and what is known of it."""
    answer, refusal = as_written.resolved(file, persona.name if persona else None)
    found = as_written.setting(answer, key) if answer else None
    if refusal is not None:
        yield f"**The call is refused**: {words(refusal.message)}"
    if refusal is not None and key.role is KeyRole.EFFORT:
        yield from _written(file, answer)
        found = None
    elif answer is not None and found is not None:
        yield _answer(found, answer.persona)
        yield "\n".join(steps(file.workspace, found))
        yield words(found.note)
    value = found.value if found else _text(file, key, persona)
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


def _answer(setting: ResolvedSetting, persona: str | None) -> str:
    whom = f" for persona {code(persona)}" if persona else ""
    value = "inherited" if setting.value is None else code(setting.value)
    return f"{code(setting.name)} is {value}{whom}, from {words(setting.origin.label)}"


def _written(file: TemplateFile, answer: Spawn | None) -> Iterator[str]:
    """The model and the efforts that a call which is refused for an effort goes by.

    `answer` is that of the call with an effort that every model accepts.
    """
    keys = [
        key
        for holds in (KeyRole.MODEL, KeyRole.EFFORT)
        if (key := file.dialect.key_with_role(holds))
    ]
    found = [as_written.setting(answer, key) for key in keys] if answer else []
    rows = [
        f"- {code(setting.name)}: {code(step.value)}, from {words(step.origin.label)}"
        f"{_origin(file, step.origin)}"
        for key, setting in zip(keys, found, strict=False)
        if setting is not None
        for step in setting.chain
        if step.value is not None and step.wins is (key.role is KeyRole.MODEL)
    ]
    if rows:
        yield "\n".join(rows)


def _origin(file: TemplateFile, origin: Origin) -> str:
    if origin.path is None or origin.span is None:
        return ""
    return f" ({link(file.workspace, origin.path, origin.span)})"


def _text(file: TemplateFile, key: Key, persona: Persona | None) -> str | None:
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
    key = file.dialect.key_with_role(KeyRole.MODEL)
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
    """The personas that have a value of their own for `key`."""
    rows = [
        f"- persona {code(persona.name)}: {code(value.text)} "
        f"({link(file.workspace, file.path, value.span)})"
        for persona in file.reading.declared.personas
        if (value := persona.settings.get(key.name)) is not None
    ]
    if rows:
        yield "With a value of their own:"
        yield "\n".join(rows)
