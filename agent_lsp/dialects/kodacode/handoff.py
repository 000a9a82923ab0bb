"""The contract that a `handoff` key makes, and what a call can tell of the handoffs it needs.

Facts: `markdownHandoffContract` in internal/agent/markdown.go of sageil/kodacode at aa5479acbe0f
and internal/app/delegated_child_handoff.go, read 2026-11-27.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.decoders import go
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.template import Record, Template, Value

LATEST = "latest"
INVALID, MISSING = "handoff source is invalid", "required handoff source is missing"
_REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Consume:
    """Results of one kind that an agent wants from handoffs before it."""

    kind: str
    required: bool
    source: str
    max_sources: int


@dataclass(frozen=True, slots=True)
class Contract:
    """The kinds of results that an agent provides and consumes."""

    provides: tuple[str, ...]
    consumes: tuple[Consume, ...]


def contract(template: Template) -> Contract:
    """The contract of a template; entries without a kind do not count."""
    provides = [_text(record, "kind") for record in _records(template, "provides")]
    consumes = (_consume(record) for record in _records(template, "consumes"))
    kinds = dict.fromkeys(kind for kind in provides if kind)
    return Contract(tuple(kinds), tuple(consume for consume in consumes if consume.kind))


def refused(wanted: Contract) -> RuntimeRefusal | None:
    """Why every call without `source_handoff_ids` is refused, or None."""
    first = next(iter(wanted.consumes), None)
    return RuntimeRefusal(INVALID) if first is not None and first.source != LATEST else None


def notes(wanted: Contract, given: list[str]) -> Iterator[str]:
    """Notes on what depends on the handoffs of the parent's turn."""
    if given:
        kinds = " or ".join(f"`{consume.kind}`" for consume in wanted.consumes)
        which = f" that provides {kinds}" if kinds else ""
        yield (
            f"each of source_handoff_ids must be a completed handoff of the parent's turn{which}; "
            f"else the call is refused: {INVALID}"
        )
        return
    for consume in wanted.consumes:
        if consume.source != LATEST:
            yield f"`from: {consume.source}` is not known, so the call is refused: {INVALID}"
            return
        many = (
            f"the latest {consume.max_sources} results"
            if consume.max_sources > 1
            else ("the latest result")
        )
        yield f"the child gets {many} of kind `{consume.kind}` from handoffs of the parent's turn"
        if consume.required:
            yield f"without a result of kind `{consume.kind}` the call is refused: {MISSING}"


def _records(template: Template, name: str) -> tuple[Record, ...]:
    value = template.settings.get("handoff")
    inner = value.value.values.get(name) if value and isinstance(value.value, Record) else None
    return inner.records if inner is not None else ()


def _consume(record: Record) -> Consume:
    most = _value(record, "max_sources")
    required = _value(record, "required") is True or _text(record, "missing") == _REJECT
    return Consume(
        _text(record, "kind"),
        required,
        _text(record, "from") or LATEST,
        most if isinstance(most, int) and most > 0 else 1,
    )


def _text(record: Record, name: str) -> str:
    value: Value | None = record.values.get(name)
    return go.trim(value.text) if value is not None else ""


def _value(record: Record, name: str) -> object:
    value = record.values.get(name)
    return value.value if value is not None else None
