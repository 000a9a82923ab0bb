"""Decodes the tree of an agent's file as serde and the toml crate 1.x do.

Invariants: a wrong type is an error and never an exception; unknown keys inside of a table are
ignored; a date counts as a text; the keys of an agent itself come before those of `config.toml`,
and a wrong type comes before an unknown key.
Facts: the messages as measured with `@openai/codex` 0.171.0 (`tests/conformance`), 2026-11-28.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent_lsp.decoders import rust
from agent_lsp.decoders.serde_words import variants
from agent_lsp.dialects.codex_agents import keys
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Record, Value
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.syntax.toml.words import WordKind, newer_kind

_MAP = "a map"
# Tables that cannot be written as a list of their values.
_NO_LIST = frozenset({"AgentsToml", "HooksToml", "PermissionsToml"})
_GRANULAR = ("sandbox_approval", "rules", "mcp_elicitations")
_PROFILE_LENGTH, _TOOLS_LENGTH = 5, 4
_SEARCH_PROVIDERS = ("standalone", "search_mcp")
_KINDS = {
    ValueKind.TEXT: "a text in quotes",
    ValueKind.BOOL: "`true` or `false`",
    ValueKind.CHOICE: "a word in quotes",
    ValueKind.NUMBER: "a number",
    ValueKind.LIST: "a list of texts",
    ValueKind.RECORDS: "a list of tables",
    ValueKind.TABLE: "a table",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The values that are set, by dotted names, and the errors as the runtime would meet them."""

    values: dict[str, Value]
    errors: tuple[LoadError, ...]


def decode(root: Node | None) -> Decoded:
    """The file whose tables are `root`."""
    top = resolve(root)
    entries = top.entries if isinstance(top, Mapping) else ()
    values: dict[str, Value] = {}
    own = {key.name for key in keys.OWN} - {keys.PROMPT}
    first = [entry for entry in entries if entry.name in own]
    errors: list[LoadError] = []
    for entry in (*first, *(one for one in entries if one.name not in own)):
        key = keys.TYPED.get(entry.name or "")
        if key is not None:
            suffix = f"\nin `{key.name}`" if key.name in own else ""
            errors += _value(entry, key, "", values, suffix)
    errors += [_unknown(one) for one in entries if one.name not in keys.ACCEPTED and one.name]
    return Decoded(values, tuple(errors))


def is_date(node: Node | None) -> bool:
    """Whether `node` is a date or a time, which counts as a text."""
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return isinstance(node, Scalar) and plain and newer_kind(node.value) is WordKind.DATE_TIME


def _unknown(entry: Entry) -> LoadError:
    name = entry.name or ""
    return LoadError(LoadErrorKind.FORBIDDEN, entry.key.span, f"unknown field `{name}`", name)


def _value(
    entry: Entry, key: Key, prefix: str, values: dict[str, Value], suffix: str = ""
) -> Iterator[LoadError]:
    node, name = resolve(entry.value), f"{prefix}{key.name}"
    if node is None or isinstance(node, Broken):
        return
    error, value = _simple(node, key, name, suffix)
    if error is not None:
        yield error
        return
    values.setdefault(name, Value(value, node.span, entry.key.span))
    if key.kind is ValueKind.TABLE:
        yield from _table(node, key, f"{name}.", values)


def _simple(node: Node, key: Key, name: str, suffix: str) -> tuple[LoadError | None, object]:
    """The error of a value that has the wrong form, or what it is."""

    def wrong(expected: str) -> tuple[LoadError, object]:
        found = _found(node)
        message = f"invalid type: {found}, expected {expected}{suffix}"
        wanted = _KINDS[key.kind]
        return LoadError(LoadErrorKind.TYPE, node.span, message, name, wanted, found), None

    match key.kind:
        case ValueKind.TEXT:
            text = _text(node)
            return (
                (_blank_effort(node, name, text), text) if text is not None else wrong("a string")
            )
        case ValueKind.BOOL:
            is_bool = isinstance(node, Scalar) and _kind(node) is WordKind.BOOLEAN
            word = node.value if isinstance(node, Scalar) else ""
            return (None, word == "true") if is_bool else wrong("a boolean")
        case ValueKind.CHOICE:
            return _choice(node, key, name) or wrong("string or map")
        case ValueKind.NUMBER:
            return (
                (None, _number(node, key.record)) if _fits(node, key.record) else wrong(key.record)
            )
        case ValueKind.LIST | ValueKind.RECORDS:
            if not isinstance(node, Sequence):
                return wrong("a sequence")
            is_list = key.kind is ValueKind.LIST
            return _list(node, name, suffix) if is_list else _records(node, key, name)
        case _:
            is_listed = isinstance(node, Sequence) and key.record not in (*_NO_LIST, _MAP)
            if isinstance(node, Mapping) or is_listed or is_date(node):
                return None, ()
            return wrong(_MAP if key.record == _MAP else f"struct {key.record}")


def _blank_effort(node: Node, name: str, text: str) -> LoadError | None:
    if name != keys.EFFORT or text:
        return None
    message = "reasoning_effort must not be empty"
    return LoadError(LoadErrorKind.BLANK, node.span, message, name)


def _choice(node: Node, key: Key, name: str) -> tuple[LoadError | None, object] | None:
    """A word of an enum, or the table with one that has more to say; None for any other value."""
    names = [choice.name for choice in key.choices]
    word, at = _text(node), node.span
    inner: Node | None = None
    if isinstance(node, Mapping) and len(node.entries) == 1:
        word, at = node.entries[0].name, node.entries[0].key.span
        inner = resolve(node.entries[0].value)
    if word is None:
        return None
    if word == "granular" and name == keys.APPROVAL:
        held = {one.name for one in inner.entries} if isinstance(inner, Mapping) else set()
        missing = next((one for one in _GRANULAR if one not in held), None)
        if missing is None:
            return None, word
        message = f"missing field `{missing}`"
        return LoadError(LoadErrorKind.MISSING, at, message, name, missing), None
    if word in names:
        return None, word
    message = f"unknown variant `{word}`, expected {variants(names)}"
    return LoadError(LoadErrorKind.CHOICE, at, message, name, ", ".join(names), word), None


def _list(node: Sequence, name: str, suffix: str) -> tuple[LoadError | None, object]:
    items = []
    for index, item in enumerate(map(resolve, node.items)):
        text = _text(item)
        if text is not None and item is not None:
            items.append(Value(text, item.span))
        elif item is not None and not isinstance(item, Broken):
            found = _found(item)
            message = f"invalid type: {found}, expected a string{suffix}"
            wanted, where = "a text in quotes", f"{name}[{index}]"
            return LoadError(LoadErrorKind.TYPE, item.span, message, where, wanted, found), None
    return None, tuple(items)


def _records(node: Sequence, key: Key, name: str) -> tuple[LoadError | None, object]:
    records = []
    for index, item in enumerate(map(resolve, node.items)):
        if not isinstance(item, Mapping):
            if item is None or isinstance(item, Broken):
                continue
            found = _found(item)
            message = f"invalid type: {found}, expected struct SkillConfig"
            where = f"{name}[{index}]"
            return LoadError(LoadErrorKind.TYPE, item.span, message, where, "a table", found), None
        values: dict[str, Value] = {}
        known = {one.name: one for one in key.items}
        for entry in item.entries:
            if entry.name in known:
                for error in _value(entry, known[entry.name], "", values):
                    return error, None
        missing = next(
            (one.name for one in key.items if one.mandatory and one.name not in values), ""
        )
        if missing:
            message = f"missing field `{missing}`"
            return LoadError(LoadErrorKind.MISSING, item.span, message, name, missing), None
        records.append(Record(item.span, values))
    return None, tuple(records)


def _table(node: Node, key: Key, prefix: str, values: dict[str, Value]) -> Iterator[LoadError]:
    if key.name == "tools":
        yield from _tools(node)
    elif key.name == "permissions":
        yield from _permissions(node)
    elif key.name == "features":
        yield from _features(node, values)
    elif key.name == "agents":
        values["agents"] = replace(values["agents"], value=tuple(_roles(node)))
    elif key.name == keys.SERVERS:
        for entry in node.entries if isinstance(node, Mapping) else ():
            yield from _server(entry, key, f"{prefix}{entry.name}", values)
    else:
        known = {one.name: one for one in key.items}
        for entry in node.entries if isinstance(node, Mapping) else ():
            if entry.name in known:
                yield from _value(entry, known[entry.name], prefix, values)


_ROLE = (
    Key("description", ValueKind.TEXT, "", ""),
    Key("config_file", ValueKind.TEXT, "", ""),
    Key(keys.NICKNAMES, ValueKind.LIST, "", ""),
)


def _roles(node: Node) -> Iterator[Record]:
    """The tables `[agents.<role>]`, each with the name of the role under `role`."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        table = resolve(entry.value)
        if not isinstance(table, Mapping) or entry.name is None:
            continue
        values = {"role": Value(entry.name, entry.key.span)}
        known = {one.name: one for one in _ROLE}
        errors = [
            error
            for one in table.entries
            if one.name in known
            for error in _value(one, known[one.name], "", values)
        ]
        if not errors:
            yield Record(entry.key.span, values)


def _features(node: Node, values: dict[str, Value]) -> Iterator[LoadError]:
    """Each is a boolean, or a table for some; names that nobody knows are ignored."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        if value is None or isinstance(value, Mapping | Broken):
            continue
        key = Key(entry.name or "", ValueKind.BOOL, "", "")
        yield from _value(entry, key, "features.", values)


def _tools(node: Node) -> Iterator[LoadError]:
    """A list has the four values of the table by position, and the first is a provider."""
    wanted = "a table"
    if isinstance(node, Sequence):
        word = _text(resolve(node.items[0])) if node.items else None
        if node.items and word is not None and word not in _SEARCH_PROVIDERS:
            first, other = _SEARCH_PROVIDERS
            message = f"unknown variant `{word}`, expected `{first}` or `{other}`"
            yield LoadError(LoadErrorKind.TYPE, node.span, message, "tools", wanted, "a list")
        elif len(node.items) < _TOOLS_LENGTH:
            many = max(2, len(node.items)) if node.items else 0
            message = f"invalid length {many}, expected struct ToolsToml with 4 elements"
            yield LoadError(LoadErrorKind.TYPE, node.span, message, "tools", wanted, "a list")
        return
    entry = node.get("web_search") if isinstance(node, Mapping) else None
    value = resolve(entry.value) if entry is not None else None
    is_fine = isinstance(value, Mapping) or (
        isinstance(value, Scalar) and _kind(value) is WordKind.BOOLEAN
    )
    if value is not None and not is_fine and not isinstance(value, Broken):
        message = "data did not match any variant of untagged enum WebSearchToolConfigInput"
        got = _found(value)
        wanted = "`true`, `false` or a table"
        yield LoadError(LoadErrorKind.TYPE, value.span, message, "tools.web_search", wanted, got)


def _permissions(node: Node) -> Iterator[LoadError]:
    record = "struct PermissionProfileToml"
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        name = f"permissions.{entry.name}"
        if isinstance(value, Sequence) and len(value.items) < _PROFILE_LENGTH:
            message = f"invalid length {len(value.items)}, expected {record} with 5 elements"
            yield LoadError(LoadErrorKind.TYPE, value.span, message, name, "a table", "a list")
        elif isinstance(value, Scalar) and not is_date(value):
            found = _found(value)
            message = f"invalid type: {found}, expected {record}"
            yield LoadError(LoadErrorKind.TYPE, value.span, message, name, "a table", found)


def _server(entry: Entry, key: Key, name: str, values: dict[str, Value]) -> Iterator[LoadError]:
    node = resolve(entry.value)
    if node is None or isinstance(node, Broken):
        return
    if not isinstance(node, Mapping):
        found = _found(node)
        message = f"invalid type: {found}, expected struct RawMcpServerConfig"
        yield LoadError(LoadErrorKind.TYPE, node.span, message, name, "a table", found)
        return
    known = {one.name: one for one in key.items}
    errors: list[LoadError] = []
    for one in node.entries:
        if one.name in known:
            errors += _value(one, known[one.name], f"{name}.", values)
    yield from errors
    if errors:
        return
    message = ""
    if node.get("command") is not None:
        unfit = next((one for one in ("url", "bearer_token") if node.get(one)), None)
        message = f"{unfit} is not supported for stdio" if unfit else ""
    elif node.get("url") is not None:
        unfit = "bearer_token" if node.get("bearer_token") else None
        message = f"{unfit} is not supported for streamable_http" if unfit else ""
    else:
        unfit, message = None, "invalid transport"
    wrong = node.get(unfit) if unfit else None
    if message:
        span = wrong.key.span if wrong is not None else entry.key.span
        yield LoadError(LoadErrorKind.FORBIDDEN, span, message, name, "`command` or `url`")


def _kind(node: Scalar) -> WordKind | None:
    return WordKind.STRING if node.style is not Style.PLAIN else newer_kind(node.value)


def _text(node: Node | None) -> str | None:
    """The text that a value is; a date without quotes is one as well."""
    if not isinstance(node, Scalar):
        return None
    return node.value if _kind(node) in (WordKind.STRING, WordKind.DATE_TIME) else None


def _fits(node: Node, record: str) -> bool:
    kind = _kind(node) if isinstance(node, Scalar) else None
    if record == "f64":
        return kind in (WordKind.INTEGER, WordKind.FLOAT)
    return kind is WordKind.INTEGER


def _number(node: Node, record: str) -> object:
    word = node.value.replace("_", "") if isinstance(node, Scalar) else "0"
    return float(word) if record == "f64" and "x" not in word else int(word, 0)


def _found(node: Node) -> str:
    """What was found, in serde's words."""
    if isinstance(node, Mapping):
        return "map"
    if isinstance(node, Sequence):
        return "sequence"
    if not isinstance(node, Scalar):
        return "unit value"
    match _kind(node):
        case WordKind.INTEGER:
            return f"integer `{int(node.value.replace('_', ''), 0)}`"
        case WordKind.BOOLEAN:
            return f"boolean `{node.value}`"
        case WordKind.FLOAT:
            return f"floating point `{node.value}`"
        case _:
            return f"string {rust.debug(node.value)}"
