"""Decodes a header in the same way as Go's yaml.v3: first into a map, then into the record.

Invariants: an error is data, never an exception. Unknown keys are read but not kept. Text after the
first document is ignored. An invalid tree is decoded as far as possible.

Facts: decode.go and, for the scanner, scannerc.go of gopkg.in/yaml.v3 3.0.1
(`tests/conformance/kodacode.jsonl`), read 2026-11-27.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent_lsp.decoders.yaml_v3 import words
from agent_lsp.decoders.yaml_v3.decoder import unmarshal
from agent_lsp.decoders.yaml_v3.run import Field, GaveUpError, Map, Plain, Run, Slice, Struct, Type
from agent_lsp.model.template import LoadError, LoadErrorKind, Value
from agent_lsp.syntax.nodes import Mapping, Node, Tree, resolve
from agent_lsp.syntax.yaml.go import trouble
from agent_lsp.text import Span

__all__ = ["Decoded", "Field", "Plain", "Slice", "Struct", "decode"]

_TOP = Map(Plain.STRING)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The known keys that are set, the span of each key of the header, and the errors.

    The library reports all errors of one decoding together, so each error has the whole text.
    """

    values: dict[str, Value]
    names: dict[str, Span]
    errors: tuple[LoadError, ...]


def decode(tree: Tree, record: Struct, header: str, start: int) -> Decoded:
    """Decodes `tree` as a `record`.

    Messages give lines in `header`, which begins at offset `start`.
    """
    at = words.lines(header, start)
    problem = trouble(tree, header, start)
    if problem is not None:
        text = words.trouble(problem, at, header[problem.span.start - start :])
        place = tree.problem.span if tree.problem is not None else problem.span
        error = LoadError(LoadErrorKind.SYNTAX, place, f"yaml: {text}")
        return Decoded(_declared(tree.root, record, at), _written(tree.root), (error,))
    if tree.root is None:
        return Decoded({}, {}, ())
    run = Run(at)
    errors = _read(run, tree.root, _TOP, {})
    if errors:
        # The library stops here, and does not decode the record.
        later = (
            _read(Run(at, lenient=True), tree.root, record, {})
            if isinstance(tree.root, Mapping)
            else ()
        )
        said = {error.span for error in errors}
        errors += tuple(error for error in later if error.span not in said)
        return Decoded(_declared(tree.root, record, at), _written(tree.root), errors)
    values: dict[object, object] = {}
    errors = _read(Run(at), tree.root, record, values)
    kept = _declared(tree.root, record, at) if errors else _values(values.items())
    return Decoded(kept, run.names, errors)


def _read(run: Run, root: Node, target: Type, into: dict[object, object]) -> tuple[LoadError, ...]:
    try:
        unmarshal(run, root, target, "", into)
    except GaveUpError as stop:
        return (stop.error,)
    text = "\n".join(("yaml: unmarshal errors:", *(f"  {error.message}" for error in run.errors)))
    # A key that occurs three times has two errors with the same span.
    places = {error.span: replace(error, message=text) for error in reversed(run.errors)}
    return tuple(reversed(places.values()))


def _declared(root: Node | None, record: Struct, at: words.Lines) -> dict[str, Value]:
    """The declared values of a header that the library refuses, as far as they can be read."""
    values: dict[object, object] = {}
    if isinstance(root, Mapping):
        _read(Run(at, lenient=True), root, record, values)
    return _values(values.items())


def _values(items: Iterable[tuple[object, object]]) -> dict[str, Value]:
    return {str(key): value for key, value in items if isinstance(value, Value)}


def _written(root: Node | None) -> dict[str, Span]:
    """The spans of the keys in a header that the library refuses; of equal keys, the first."""
    mapping = resolve(root)
    entries = reversed(mapping.entries) if isinstance(mapping, Mapping) else ()
    return {entry.name: entry.key.span for entry in entries if entry.name is not None}
