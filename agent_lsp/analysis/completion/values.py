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
from agent_lsp.workspace.snapshot import TemplateFile


def values(file: TemplateFile, at: ValueContext) -> Iterator[Completion]:
    """Offers the values that the key at `at` accepts."""
    if at.typed is None or at.key is None:
        return
    text = file.document.text
    # A quoted value is text, not a boolean.
    mark = "" if at.key.kind is ValueKind.BOOL else typed_quote(text, at.typed)
    persona = at.key.role is KeyRole.PERSONA_NAME
    kind = CompletionKind.PERSONA if persona else CompletionKind.VALUE
    for place, (name, words) in enumerate(_named(file, at, at.key, at.typed)):
        body = " " * at.spaced + literal(scalar(name, mark, flow=at.flow))
        yield offer(text, at.typed, name, kind, body, words, place)


def _named(
    file: TemplateFile, at: ValueContext, key: Key, typed: Span
) -> Iterator[tuple[str, Words]]:
    if key.role is KeyRole.MODEL:
        for model in file.dialect.models.listed:
            yield model.name, Words(f"efforts: {', '.join(model.efforts)}")
        for name in file.options.extra(file.dialect.id).models:
            yield name, Words("named in your settings")
    elif key.role is KeyRole.PERSONA_NAME:
        for name in undeclared(file, typed):
            yield name, Words("has a block in the body, and no declaration")
    else:
        efforts = _unsupported(file, at) if key.role is KeyRole.EFFORT else frozenset()
        for choice in key.choices:
            if choice.name not in efforts:
                yield choice.name, Words(choice.meaning)


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
