"""Builds a JSON Schema of a system's header, or of its file of tables, for other programs.

Invariants: the schema allows a type for a value exactly if the runtime's own reading of the text
accepts it. It allows a list in the place of a table by the same rule, whatever the list contains.
Unknown keys are allowed if the runtime ignores them, and not if it refuses the file. A key that the
runtime accepts only beside others may have any value.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.model.template import LoadErrorKind, Reading
from agent_lsp.syntax import document

# An unknown name, and a value of each type in TOML.
_TOML_WORD = "zzz"
# Some runtimes refuse a shorter one.
_PROMPT = "A prompt that is long enough."
_TOML_SAMPLES = {
    "string": f'"{_TOML_WORD}"',
    "integer": "12",
    "number": "1.5",
    "boolean": "true",
    "array": "[]",
    "object": "{}",
}
# The errors that are about a type. A value may also need others beside it, which is not a matter of
# its type.
_REFUSED_IN_TABLES = (LoadErrorKind.TYPE, LoadErrorKind.CHOICE, LoadErrorKind.FORBIDDEN)

_Path = tuple[str, ...]


def tables_schema(dialect: Dialect) -> dict[str, object] | None:
    """The schema of a whole file of `dialect`, or None if its files are not all TOML."""
    is_whole = dialect.is_toml and not dialect.format.is_text
    return _table(_Tables(dialect), ()) if is_whole else None


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables in the files of one dialect, and what they accept."""

    dialect: Dialect

    def keys(self, path: _Path) -> tuple[Key, ...]:
        """The keys of the table at `path` in an empty file."""
        return self.dialect.schema.at(self.dialect.parse(""), path)

    def are_named(self, path: _Path) -> bool:
        """Whether authors choose the keys of the table at `path`, as names."""
        empty = self.dialect.parse("")
        return self.dialect.schema.place(empty, empty.tree.root, path).is_named

    def takes(self, path: _Path, value: str) -> bool:
        """Whether the runtime accepts a file with `value`, in TOML, at `path`."""
        read = self.dialect.format.read(
            self.dialect.parse(f"{'.'.join(path)} = {value}\n"), _TOML_WORD
        )
        return all(error.kind not in _REFUSED_IN_TABLES for error in read.errors)

    def types(self, path: _Path) -> list[str]:
        """The types that a value at `path` may have."""
        return [name for name, sample in _TOML_SAMPLES.items() if self.takes(path, sample)]


def _table(tables: _Tables, path: _Path) -> dict[str, object]:
    if tables.are_named(path):
        inner = (*path, _TOML_WORD)
        one = _table(tables, inner) | {"type": tables.types(inner) or ["object"]}
        return {"type": "object", "additionalProperties": one}
    keys = {key.name: _table_key(tables, key, (*path, key.name)) for key in tables.keys(path)}
    return {"type": "object", "properties": keys}


_BY_KIND = {
    ValueKind.TEXT: "string",
    ValueKind.CHOICE: "string",
    ValueKind.BOOL: "boolean",
    ValueKind.NUMBER: "number",
    ValueKind.LIST: "array",
    ValueKind.RECORDS: "array",
    ValueKind.TABLE: "object",
}


def _table_key(tables: _Tables, key: Key, path: _Path) -> dict[str, object]:
    schema: dict[str, object] = {"description": f"{key.meaning}. Without it: {key.default}"}
    if key.example:
        schema["examples"] = [int(key.example) if key.kind is ValueKind.NUMBER else key.example]
    # A value that needs another one beside it is refused alone, whatever its type.
    types = tables.types(path)
    if not types and not key.choices:
        types = [_BY_KIND[key.kind]]
    if key.kind is ValueKind.TABLE:
        return {**_table(tables, path), **schema, "type": types}
    if key.choices:
        words = [one.name for one in key.choices if tables.takes(path, f'"{one.name}"')]
        others = [{"type": types}] if types else []
        return schema | ({"anyOf": [{"enum": words}, *others]} if others else {"enum": words})
    if key.kind is ValueKind.LIST and "array" in types:
        inside = (name for name, one in _TOML_SAMPLES.items() if tables.takes(path, f"[{one}]"))
        schema["items"] = {"type": list(inside) or ["string"]}
    return schema | {"type": types}


_DRAFT = "http://json-schema.org/draft-07/schema#"
# A word that is valid for no key, and a value of each other type in YAML.
_WORD = "zzz"
_UNKNOWN = "zzzKey"
# Some runtimes refuse a shorter one.
_PROMPT = "A prompt that is long enough."
_SAMPLES = {
    "integer": "12",
    "number": "1.5",
    "boolean": "true",
    "null": "null",
    "array": "[]",
    "object": "{}",
}
_REFUSED = (
    LoadErrorKind.TYPE,
    LoadErrorKind.CHOICE,
    LoadErrorKind.MISSING,
    LoadErrorKind.FORBIDDEN,
)

# Whether the runtime accepts a YAML value at one key of a header.
_Takes = Callable[[str], bool]


def schema(dialect: Dialect) -> dict[str, object] | None:
    """The schema of a header of `dialect`, or of its file of tables; None for other formats."""
    tables = tables_schema(dialect)
    if tables is not None:
        files = " and ".join(sorted(dialect.system.files)) or f"*{dialect.system.extension}"
        return _titled(dialect, f"the agents in {files}", tables)
    mandatory = "".join(
        f"{key.name}: {_good(key)}\n" for key in dialect.schema.keys if key.mandatory
    )
    samples = (
        f"{mandatory}{key.name}: {_good(key)}" for key in dialect.schema.keys if not key.mandatory
    )
    if not any(_read(dialect, header).effective.settings for header in samples):
        return None
    header = _mapping(dialect.schema.keys, lambda text: _is_taken(dialect, text))
    for key in dialect.schema.keys:
        items = _items(dialect, key)
        if items is not None:
            header["properties"][key.name]["items"] = items
    if not _is_taken(dialect, f"{mandatory}{_UNKNOWN}: {_WORD}"):
        header["additionalProperties"] = False
    return _titled(dialect, "the header of a template", header)


def _items(dialect: Dialect, key: Key) -> dict[str, object] | None:
    """The entries of a tool list in which the runtime accepts no unknown tool, else None."""
    others = [one for one in dialect.schema.keys if one.mandatory and one != key]

    def takes(entry: str) -> bool:
        taken = partial(_is_taken, dialect)
        return _takes_value(taken, others, key.name, f'["{entry}"]')

    if key.role not in (KeyRole.ALLOW, KeyRole.DENY) or takes(_WORD):
        return None
    tools = dialect.tools
    names = [*tools.names, *(pattern.name for pattern in tools.globs)]
    prefix = tools.mcp_prefix(_WORD) if tools.mcp_prefix is not None else None
    of_server = f"^{prefix}.+".replace(_WORD, ".+") if prefix and takes(f"{prefix}{_WORD}") else ""
    of_servers = [{"type": "string", "pattern": of_server}] if of_server else []
    return {"anyOf": [{"enum": [name for name in names if takes(name)]}, *of_servers]}


def _titled(dialect: Dialect, what: str, found: dict[str, object]) -> dict[str, object]:
    return {
        "$schema": _DRAFT,
        "title": f"{dialect.title}: {what}",
        "description": f"Source: {dialect.source.where}, read {dialect.source.read}",
        **found,
    }


def _mapping(keys: Iterable[Key], takes: _Takes) -> dict[str, Any]:
    """The schema of a mapping with `keys`; `takes` tells whether the runtime accepts its text."""
    known = tuple(keys)
    mandatory = [key for key in known if key.mandatory]
    return {
        "type": "object",
        "properties": {
            key.name: _key(
                key,
                partial(_takes_value, takes, [one for one in mandatory if one != key], key.name),
            )
            for key in known
        },
        "required": [key.name for key in mandatory],
    }


def _takes_value(takes: _Takes, others: Iterable[Key], name: str, value: str) -> bool:
    entries = [f"{key.name}: {_good(key)}" for key in others]
    return takes(f"{{{', '.join((*entries, f'{name}: {value}'))}}}")


def _key(key: Key, takes: _Takes) -> dict[str, object]:
    """The schema of the value of `key`, with what its editor may show about it."""
    schema: dict[str, object] = {"description": f"{key.meaning}. Without it: {key.default}"}
    if key.example:
        schema["examples"] = [key.example == "true" if key.kind is ValueKind.BOOL else key.example]
    types = _types(takes, key.example or _WORD)
    is_choice = key.kind is ValueKind.CHOICE or "string" not in types
    if is_choice and key.choices:
        schema |= _choice(key, takes)
    elif types:
        schema["type"] = types
    if key.kind is ValueKind.LIST and "array" in types:
        inside = _types(lambda value: takes(f"[{value}]"), _WORD)
        schema |= {"items": {"type": inside}} if inside else {}
    if key.kind is ValueKind.RECORDS and "array" in types:
        one = _mapping(key.items, lambda text: takes(f"[{text}]"))
        inside = _types(lambda value: takes(f"[{value}]"), _WORD)
        others = [name for name in inside if name != "object"]
        schema["items"] = {"anyOf": [one, {"type": others}]} if others else one
    return schema


def _choice(key: Key, takes: _Takes) -> dict[str, object]:
    words = [choice.name for choice in key.choices]
    types = _types(takes, _WORD)
    only: dict[str, object] = {"enum": [*words, *([None] if "null" in types else [])]}
    # Other words may be accepted, too, or a whole table. The words are the ones to suggest.
    others = [name for name in types if name != "null"]
    return {"anyOf": [only, {"type": others}]} if others else only


def _types(takes: _Takes, word: str) -> list[str]:
    """The accepted types; `word` is a valid text there."""
    samples = {"string": word, **_SAMPLES}
    return [name for name, sample in samples.items() if takes(sample)]


def _good(key: Key) -> str:
    """A valid value of `key`."""
    if key.kind is ValueKind.BOOL:
        return "true"
    if key.kind in (ValueKind.LIST, ValueKind.RECORDS):
        return "[]"
    return key.choices[0].name if key.choices else key.example or _WORD


def _is_taken(dialect: Dialect, header: str) -> bool:
    return all(error.kind not in _REFUSED for error in _read(dialect, header).errors)


def _read(dialect: Dialect, header: str) -> Reading:
    text = f"---\n{header}\n---\n{_PROMPT}\n"
    return dialect.format.read(document.parse(text, dialect.format.split), _WORD)
