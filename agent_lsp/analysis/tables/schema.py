"""A JSON Schema of a file whose tables are templates, for programs that check TOML by one.

Invariants: a type of a value is allowed exactly if the runtime's own reading of the file takes
it, and so is a list in the place of a table, whatever it holds; keys and tables that are not
ours are allowed.
"""

from dataclasses import dataclass

from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import LoadErrorKind
from agent_lsp.dialects.vocabulary import Key, ValueKind

# A name that nobody has written, and a value of each type, as TOML writes it.
_WORD = "zzz"
_SAMPLES = {
    "string": f'"{_WORD}"',
    "integer": "12",
    "number": "1.5",
    "boolean": "true",
    "array": "[]",
    "object": "{}",
}
# A value may need others beside it, which is no question of its type.
_REFUSED = (LoadErrorKind.TYPE, LoadErrorKind.CHOICE, LoadErrorKind.FORBIDDEN)

_Path = tuple[str, ...]


def tables_schema(dialect: Dialect) -> dict[str, object] | None:
    """The schema of a whole file of `known`, or None if its files are none of tables."""
    return None if dialect.keys_at is None else _table(_Tables(dialect), ())


@dataclass(frozen=True, slots=True)
class _Tables:
    """The files of one dialect, which can be asked what they may hold."""

    dialect: Dialect

    def keys(self, path: _Path) -> tuple[Key, ...]:
        """The keys of the table at `path`, as a file that says nothing has them."""
        at = self.dialect.keys_at
        return () if at is None else at(self.dialect.parse(""), path)

    def are_named(self, path: _Path) -> bool:
        """Whether the keys of the table at `path` are names that people choose."""
        of = self.dialect.template_at
        return of is not None and of(path) is None and of((*path, _WORD)) is not None

    def takes(self, path: _Path, value: str) -> bool:
        """Whether the runtime reads a file in which `value`, in TOML, stands at `path`."""
        read = self.dialect.read(self.dialect.parse(f"{'.'.join(path)} = {value}\n"), _WORD)
        return all(fault.kind not in _REFUSED for fault in read.errors)

    def types(self, path: _Path) -> list[str]:
        """The types of which a value may be at `path`."""
        return [name for name, sample in _SAMPLES.items() if self.takes(path, sample)]


def _table(tables: _Tables, path: _Path) -> dict[str, object]:
    if tables.are_named(path):
        inner = (*path, _WORD)
        one = _table(tables, inner) | {"type": tables.types(inner)}
        return {"type": "object", "additionalProperties": one}
    keys = {key.name: _key(tables, key, (*path, key.name)) for key in tables.keys(path)}
    return {"type": "object", "properties": keys}


def _key(tables: _Tables, key: Key, path: _Path) -> dict[str, object]:
    told: dict[str, object] = {"description": f"{key.meaning}. Without it: {key.default}"}
    if key.example:
        told["examples"] = [int(key.example) if key.kind is ValueKind.NUMBER else key.example]
    types = tables.types(path)
    if key.kind is ValueKind.TABLE:
        return {**_table(tables, path), **told, "type": types}
    if key.choices:
        words = [one.name for one in key.choices if tables.takes(path, f'"{one.name}"')]
        others = [{"type": types}] if types else []
        return told | ({"anyOf": [{"enum": words}, *others]} if others else {"enum": words})
    if key.kind is ValueKind.LIST and "array" in types:
        inside = (name for name, one in _SAMPLES.items() if tables.takes(path, f"[{one}]"))
        told["items"] = {"type": list(inside)}
    return told | {"type": types}
