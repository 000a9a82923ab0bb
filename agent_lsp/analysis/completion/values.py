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
from agent_lsp.analysis.places import ValuePlace
from agent_lsp.dialects.vocabulary import Holds, Key, Kind
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def values(of: Subject, at: ValuePlace) -> Iterator[Completion]:
    """What the key at `at` accepts."""
    if at.typed is None or at.key is None:
        return
    text = of.document.text
    # What is in quotes is text, and no truth value.
    mark = "" if at.key.kind is Kind.BOOL else typed_quote(text, at.typed)
    persona = at.key.holds is Holds.PERSONA_NAME
    kind = CompletionKind.PERSONA if persona else CompletionKind.VALUE
    for place, (name, words) in enumerate(_named(of, at, at.key, at.typed)):
        body = " " * at.spaced + literal(scalar(name, mark, flow=at.flow))
        yield offer(text, at.typed, name, kind, body, words, place)


def _named(of: Subject, at: ValuePlace, key: Key, typed: Span) -> Iterator[tuple[str, Words]]:
    if key.holds is Holds.MODEL:
        for model in of.dialect.models:
            yield model.name, Words(f"efforts: {', '.join(model.efforts)}")
        for name in of.options.extra(of.dialect.id).models:
            yield name, Words("named in your settings")
    elif key.holds is Holds.PERSONA_NAME:
        for name in undeclared(of, typed):
            yield name, Words("has a block in the body, and no declaration")
    else:
        efforts = _unsupported(of, at) if key.holds is Holds.EFFORT else frozenset()
        for choice in key.choices:
            if choice.name not in efforts:
                yield choice.name, Words(choice.meaning)


def _unsupported(of: Subject, at: ValuePlace) -> frozenset[str]:
    """The efforts that the model at this place does not have; none where it is not known.

    An effort that no model names, such as "none", depends on no model.
    """
    key = of.dialect.key_holding(Holds.MODEL)
    if key is None:
        return frozenset()
    role = of.reading.written.settings.get(key.name)
    name = at.beside.get(key.name, "").strip() or (role.text if role else "")
    model = next((model for model in of.dialect.models if model.name == name), None)
    if model is None:
        return frozenset()
    return frozenset(effort for other in of.dialect.models for effort in other.efforts) - frozenset(
        model.efforts
    )
