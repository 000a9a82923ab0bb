"""The Go types that a header is decoded into, and how Go prints types and values.

Facts: https://pkg.go.dev/reflect#Type and the verb `%#v` of https://pkg.go.dev/fmt,
read 2026-11-27.
"""

from dataclasses import dataclass
from enum import Enum

from agent_lsp.decoders.go import quote


class Plain(Enum):
    """A type without parts; `ANY` takes whatever there is."""

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
    """One field of a record: its key in YAML, its name in Go, its type."""

    key: str
    name: str
    type: "Type"


@dataclass(frozen=True, slots=True)
class Struct:
    """A record with known keys; others are ignored."""

    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """The field whose key is `key`, or None."""
        return next((field for field in self.fields if field.key == key), None)


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping with any keys of one type."""

    keys: Plain


Type = Plain | Slice | Struct | Map


@dataclass(frozen=True, slots=True)
class AnyMap:
    """A decoded mapping of which nothing is known beforehand."""

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
    """A decoded value of any type as Go's `%#v` prints it."""
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
