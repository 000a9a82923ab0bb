"""The state of one decoding, and how yaml.v3 reports errors.

Invariant: if the library continues after an error, the error is in the `Run`. If it gives up, there
is an exception, which never leaves the decoder.

Facts: decode.go of gopkg.in/yaml.v3 3.0.1, read 2026-11-27. The Go types that a header is decoded
into, and how Go prints types and values: https://pkg.go.dev/reflect#Type and the verb `%#v` of
https://pkg.go.dev/fmt, read 2026-11-27.
"""

from enum import Enum

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.decoders.go import quote
from agent_lsp.decoders.yaml_v3 import words
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Alias, Mapping, Node, Scalar, Sequence
from agent_lsp.text import Span


class Plain(Enum):
    """A type without parts; `ANY` accepts every value."""

    STRING = "string"
    BOOL = "bool"
    INT = "int"
    ANY = "interface {}"


@dataclass(frozen=True, slots=True)
class Slice:
    """A list."""

    element: "Type"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: its key in YAML, its name in Go, its type."""

    key: str
    name: str
    type: "Type"


@dataclass(frozen=True, slots=True)
class Struct:
    """A record with known keys; other keys are ignored."""

    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """The field with the key `key`, or None."""
        return next((field for field in self.fields if field.key == key), None)


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping whose keys all have one type."""

    keys: Plain


Type = Plain | Slice | Struct | Map


@dataclass(frozen=True, slots=True)
class AnyMap:
    """A decoded mapping without a known type."""

    type: Map
    entries: dict[object, object]


def type_name(type_: Type) -> str:
    """The type as Go prints it."""
    match type_:
        case Plain():
            return type_.value
        case Slice():
            return f"[]{type_name(type_.element)}"
        case Map():
            return f"map[{type_.keys.value}]interface {{}}"
        case Struct():
            return f"struct {{ {'; '.join(map(_field, type_.fields))} }}"


def shown(value: object) -> str:
    """A decoded value as Go's `%#v` prints it."""
    match value:
        case None:
            return "interface {}(nil)"
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case AnyMap():
            entries = (f"{shown(key)}:{shown(item)}" for key, item in value.entries.items())
            return f"{type_name(value.type)}{{{', '.join(entries)}}}"
        case list():
            return f"[]interface {{}}{{{', '.join(map(shown, value))}}}"
        case _:
            return f"{value:g}" if isinstance(value, float) else str(value)


def _field(field: Field) -> str:
    tag = quote(f'yaml:"{field.key}"')
    return f"{field.name} {type_name(field.type)} {tag}"


# A hostile header could cause millions of errors, and a message with all of them helps nobody.
MAX_FAULTS = 100
_FEW_ALIASED, _FEW_DECODED = 100, 1000
_SMALL, _LARGE = 400_000, 4_000_000
_ALLOWED, _ALLOWED_IN_LARGE = 0.99, 0.10


class GaveUpError(Exception):
    """The library gives up, and forgets the errors that it has found so far."""

    def __init__(self, error: LoadError) -> None:
        super().__init__(error.message)
        self.error = error


@dataclass(slots=True)
class Run:
    """The state of one decoding; `merged` are the keys that a merged mapping must not set."""

    at: words.Lines
    lenient: bool = False
    errors: list[LoadError] = field(default_factory=list)
    names: dict[str, Span] = field(default_factory=dict)
    merged: set[object] | None = None
    # The outermost alias that is being followed; errors behind it are shown at the alias.
    alias: Alias | None = None
    decoded: int = 0
    aliased: int = 0
    # The number of steps that a value behind an alias takes, and the value, by the identity of its
    # node.
    walked: dict[int, tuple[int, object]] = field(default_factory=dict)


def step(run: Run, steps: int = 1) -> bool:
    """Counts values; False if the library finds that too many of them are behind aliases."""
    run.decoded += steps
    run.aliased += steps if run.alias is not None else 0
    if run.aliased <= _FEW_ALIASED or run.decoded <= _FEW_DECODED:
        return True
    over = min(max(run.decoded - _SMALL, 0) / (_LARGE - _SMALL), 1)
    return run.aliased / run.decoded <= _ALLOWED - (_ALLOWED - _ALLOWED_IN_LARGE) * over


def report(run: Run, node: Node, kind: LoadErrorKind, message: str, path: str) -> None:
    """Adds an error about `node`."""
    _note(run, node, LoadError(kind, _place(run, node), message, path))


def mismatch(run: Run, node: Scalar | Sequence | Mapping, target: Type, path: str) -> None:
    """Adds the error that `node` is not a `target`."""
    message, got = words.mismatch(node, type_name(target)), words.tag_of(node)
    error = LoadError(LoadErrorKind.TYPE, _place(run, node), message, path, _expected(target), got)
    _note(run, node, error)


def gave_up(run: Run, node: Node, path: str, message: str) -> GaveUpError:
    """The exception that ends the decoding because of `node`."""
    return GaveUpError(LoadError(LoadErrorKind.TYPE, _place(run, node), f"yaml: {message}", path))


def _note(run: Run, node: Node, error: LoadError) -> None:
    if len(run.errors) < MAX_FAULTS:
        line = run.at.of(node.span.start)
        run.errors.append(replace(error, message=f"line {line}: {error.message}"))


def _place(run: Run, node: Node) -> Span:
    """The span of an error for the author: that of the outermost alias, or of `node` itself."""
    return node.span if run.alias is None else run.alias.span


def _expected(target: Type) -> str:
    match target:
        case Plain.BOOL:
            return "true or false"
        case Plain.INT:
            return "a whole number"
        case Slice():
            return "a list"
        case Struct() | Map():
            return "a mapping"
        case _:
            return "a string"
