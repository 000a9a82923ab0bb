"""Completions for the value of a key: words, models, efforts and names of personas.

Invariant: what is offered is what the runtime accepts at this place, as far as it is known.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    offer,
    scalar,
    typed_quote,
)
from agent_lsp.analysis.completion.personas import undeclared
from agent_lsp.analysis.context.contexts import ValueContext
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog


def values(file: TemplateFile, at: ValueContext) -> Iterator[Completion]:
    """Offers the values that the key at `at` accepts."""
    if at.typed is None or at.key is None:
        return
    text = file.document.text
    # A quoted value is text, not a boolean.
    is_bare = at.key.kind is ValueKind.BOOL
    mark = "" if is_bare else typed_quote(text, at.typed)
    persona = at.key.role is KeyRole.PERSONA_NAME
    kind = CompletionKind.PERSONA if persona else CompletionKind.VALUE
    for place, (name, words) in enumerate(_named(file, at, at.key, at.typed)):
        word = name if is_bare else scalar(name, mark, file.dialect.notation, flow=at.flow)
        body = " " * at.spaced + literal(word)
        yield offer(text, at.typed, name, kind, body, words, place)


def _named(
    file: TemplateFile, at: ValueContext, key: Key, typed: Span
) -> Iterator[tuple[str, Words]]:
    if key.role is KeyRole.MODEL:
        yield from _models(file)
    elif key.role is KeyRole.PERSONA_NAME:
        for name in undeclared(file, typed):
            yield name, Words("has a block in the body, and no declaration")
    elif key.role is KeyRole.OTHER_AGENT:
        yield from _agents(file, key)
    elif key.kind is ValueKind.BOOL and not key.choices:
        yield from ((name, Words(key.meaning)) for name in ("true", "false"))
    else:
        efforts = _unsupported(file, at) if key.role is KeyRole.EFFORT else frozenset()
        for choice in key.choices:
            if choice.name not in efforts:
                yield choice.name, Words(choice.meaning)


def _models(file: TemplateFile) -> Iterator[tuple[str, Words]]:
    """The models of the generation that the file is written for, and those of the settings."""
    generation = file.reading.generation
    for model in file.dialect.models.listed:
        if not generation or model.generation in ("", generation):
            said = f"efforts: {', '.join(model.efforts)}" if model.efforts else "a model"
            yield model.name, Words(said)
    for name in file.options.extra(file.dialect.id).models:
        yield name, Words("named in your settings")


def _agents(file: TemplateFile, key: Key) -> Iterator[tuple[str, Words]]:
    """Each name once, with the file that defines it; what the runtime brings along comes last."""
    found = {one.name: Words("a template of this file") for one in file.names}
    for name in catalog(file.workspace, file.dialect, file.root).names:
        found.setdefault(name, Words("a template of another file"))
    for choice in key.choices:
        found.setdefault(choice.name, Words(choice.meaning))
    yield from found.items()


def _unsupported(file: TemplateFile, at: ValueContext) -> frozenset[str]:
    """The efforts that the model at this place does not have; none where it is not known.

    An effort that no model names, such as "none", depends on no model.
    """
    key = file.dialect.key_with_role(KeyRole.MODEL)
    if key is None:
        return frozenset()
    role = file.reading.declared.settings.get(key.name)
    name = at.siblings.get(key.name, "").strip() or (role.text if role else "")
    model = next((model for model in file.dialect.models.listed if model.name == name), None)
    if model is None:
        return frozenset()
    return frozenset(
        effort for other in file.dialect.models.listed for effort in other.efforts
    ) - frozenset(model.efforts)
