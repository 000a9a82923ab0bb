"""Decodes the tree of an agent's file as serde and the toml crate 1.x do.

Invariants: a wrong type is an error and never an exception; unknown keys inside of a table are
ignored; a date counts as a text; the keys of an agent itself come before those of `config.toml`,
and a wrong type comes before an unknown key.
Facts: the messages as measured with `@openai/codex` 0.171.0 (`tests/conformance`), 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.decoders.rust import variants
from agent_lsp.dialects.codex_agents import keys, roles, toml_values
from agent_lsp.dialects.codex_agents.toml_values import (
    fits,
    found_in,
    is_date,
    kind_of,
    number_of,
    text_of,
)
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Record, Value
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.syntax.toml.scan import WordKind

_MAP = "a map"
# Tables that cannot be written as a list of their values.
_NO_LIST = frozenset({"AgentsToml", "FeaturesToml", "HooksToml", "PermissionsToml"})
_GRANULARLY = "granular"
_GRANULAR = ("sandbox_approval", "rules", "mcp_elicitations")
_OF_THEIR_OWN = {
    "tools": toml_values.tools,
    "permissions": toml_values.permissions,
    "tui": toml_values.notifications,
}
# Features that are no table for certain.
_SWITCHES = frozenset({"shell_tool", "multi_agent"})
_RANGES = {
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u16": (0, 2**16 - 1),
    "u64": (0, 2**63 - 1),
    "usize": (0, 2**63 - 1),
}
_EFFORTS = frozenset({keys.EFFORT, f"{keys.AGENTS}.{roles.DEFAULT_EFFORT}"})
_NOT_STDIO = ("url", "bearer_token_env_var", "bearer_token", "http_headers", "env_http_headers")
_NOT_HTTP = ("args", "env", "cwd", "bearer_token")
_KINDS = {
    ValueKind.TEXT: "a string in quotes",
    ValueKind.BOOL: "`true` or `false`",
    ValueKind.CHOICE: "a word in quotes",
    ValueKind.NUMBER: "a number",
    ValueKind.LIST: "a list of strings",
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


# What a `config.toml` says about all agents of a session; the rest of it is not looked at.
_SESSION = (
    *(key for key in (*keys.OWN, *keys.EFFECTIVE) if key.name in (keys.PROMPT, "model")),
    *(key for key in keys.EFFECTIVE if key.name in (keys.EFFORT, "features")),
    *(key for key in keys.OTHERS if key.name in (keys.SANDBOX_MODE, keys.APPROVAL, keys.AGENTS)),
)
PROJECTS, TRUST = "projects", "trust_level"


def session(root: Node | None) -> Decoded:
    """What concerns agents in the `config.toml` whose tables are `root`.

    The value of `projects` has a record for each folder, with its path under `path`.
    """
    top = resolve(root)
    known = {key.name: key for key in _SESSION}
    values: dict[str, Value] = {}
    errors: list[LoadError] = []
    for entry in top.entries if isinstance(top, Mapping) else ():
        key = known.get(entry.name or "")
        if key is not None:
            errors += _value(entry, key, "", values)
        elif entry.name == PROJECTS:
            span, trusted = entry.key.span, tuple(_projects(resolve(entry.value)))
            values[PROJECTS] = Value(trusted, span)
    return Decoded(values, tuple(errors))


def _projects(node: Node | None) -> Iterator[Record]:
    """What the user decided about each folder."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        table = resolve(entry.value)
        level = table.get(TRUST) if isinstance(table, Mapping) else None
        word = text_of(resolve(level.value)) if level is not None else None
        if level is not None and word is not None:
            path = Value(entry.name or "", entry.key.span)
            yield Record(entry.key.span, {"path": path, TRUST: Value(word, level.key.span)})


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
        found = found_in(node)
        message = f"invalid type: {found}, expected {expected}{suffix}"
        wanted = _KINDS[key.kind]
        return LoadError(LoadErrorKind.TYPE, node.span, message, name, wanted, found), None

    match key.kind:
        case ValueKind.TEXT:
            text = text_of(node)
            if text is None:
                return wrong(key.record or "a string")
            return _blank_effort(node, name, text), text
        case ValueKind.BOOL:
            is_bool = isinstance(node, Scalar) and kind_of(node) is WordKind.BOOLEAN
            word = node.value if isinstance(node, Scalar) else ""
            return (None, word == "true") if is_bool else wrong("a boolean")
        case ValueKind.CHOICE:
            return _choice(node, key, name) or wrong("string or map")
        case ValueKind.NUMBER:
            return _sized(node, key, name) or wrong(key.record)
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


def _sized(node: Node, key: Key, name: str) -> tuple[LoadError | None, object] | None:
    """A number, with the error of one that the type of `key` does not have; None if it is none."""
    if not fits(node, key.record):
        return None
    number = number_of(node, key.record)
    if key.record not in _RANGES or not isinstance(number, int):
        return None, number
    lowest, highest = _RANGES[key.record]
    if lowest <= number <= highest:
        return None, number
    found, wanted = f"integer `{number}`", f"from {lowest} to {highest}"
    message = f"invalid value: {found}, expected {key.record}"
    return LoadError(LoadErrorKind.TYPE, node.span, message, name, wanted, found), None


def _blank_effort(node: Node, name: str, text: str) -> LoadError | None:
    if name not in _EFFORTS or text:
        return None
    message = "reasoning_effort must not be empty"
    return LoadError(LoadErrorKind.BLANK, node.span, message, name)


def _choice(node: Node, key: Key, name: str) -> tuple[LoadError | None, object] | None:
    """A word of an enum, or the table with one that has more to say; None for any other value."""
    names = [choice.name for choice in key.choices]
    word, at = text_of(node), node.span
    inner: Node | None = None
    if isinstance(node, Mapping) and len(node.entries) == 1:
        word, at = node.entries[0].name, node.entries[0].key.span
        inner = resolve(node.entries[0].value)
    if word is None:
        return None
    if name == keys.APPROVAL:
        names.insert(-1, _GRANULARLY)
    if word == _GRANULARLY and name == keys.APPROVAL:
        if inner is None and not isinstance(node, Mapping):
            message = "invalid type: unit variant, expected newtype variant"
            wanted = "a table below `granular`"
            return LoadError(LoadErrorKind.TYPE, at, message, name, wanted, word), None
        held = {one.name for one in inner.entries} if isinstance(inner, Mapping) else set()
        missing = next((one for one in _GRANULAR if one not in held), None)
        if missing is None:
            error = _switch(inner)
            return error, None if error is not None else word
        message = f"missing field `{missing}`"
        return LoadError(LoadErrorKind.MISSING, at, message, name, missing), None
    if word in names:
        if not isinstance(inner, Scalar):
            return None, word
        found = found_in(inner)
        message, wanted = f"invalid type: {found}, expected unit", "a word in quotes"
        return LoadError(LoadErrorKind.TYPE, inner.span, message, name, wanted, found), None
    message = f"unknown variant `{word}`, expected {variants(names)}"
    return LoadError(LoadErrorKind.CHOICE, at, message, name, ", ".join(names), word), None


def _switch(node: Node | None) -> LoadError | None:
    """The error of the first of the switches below `granular` that is none."""
    switch = Key("", ValueKind.BOOL, "", "")
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        if entry.name in _GRANULAR and value is not None:
            error, _ = _simple(value, switch, keys.APPROVAL, "")
            if error is not None:
                return error
    return None


def _list(node: Sequence, name: str, suffix: str) -> tuple[LoadError | None, object]:
    items = []
    for index, item in enumerate(map(resolve, node.items)):
        text = text_of(item)
        if text is not None and item is not None:
            items.append(Value(text, item.span))
        elif item is not None and not isinstance(item, Broken):
            found = found_in(item)
            message = f"invalid type: {found}, expected a string{suffix}"
            wanted, where = "a string in quotes", f"{name}[{index}]"
            return LoadError(LoadErrorKind.TYPE, item.span, message, where, wanted, found), None
    return None, tuple(items)


def _records(node: Sequence, key: Key, name: str) -> tuple[LoadError | None, object]:
    records = []
    for index, item in enumerate(map(resolve, node.items)):
        if not isinstance(item, Mapping):
            if item is None or isinstance(item, Broken):
                continue
            found = found_in(item)
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
    is_outer = prefix == f"{key.name}."
    if is_outer and key.name in _OF_THEIR_OWN:
        yield from _OF_THEIR_OWN[key.name](node)
    elif is_outer and key.name == "features":
        yield from _features(node, values)
    elif is_outer and key.name == keys.AGENTS:
        yield from agents(node, values)
    elif is_outer and key.name == keys.SERVERS:
        for entry in node.entries if isinstance(node, Mapping) else ():
            yield from _server(entry, key, f"{prefix}{entry.name}", values)
    elif key.is_named:
        yield from _named(node, key, prefix, values)
    else:
        known = {one.name: one for one in key.items}
        for entry in node.entries if isinstance(node, Mapping) else ():
            if entry.name in known:
                yield from _value(entry, known[entry.name], prefix, values)


def _named(node: Node, key: Key, prefix: str, values: dict[str, Value]) -> Iterator[LoadError]:
    """The errors in a table in which people choose the names."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        name = entry.name or ""
        one = replace(key, name=name, is_named=False)
        if len(key.items) == 1 and not key.items[0].name:
            one = replace(key.items[0], name=name)
        yield from _value(entry, one, prefix, values)


def agents(node: Node, values: dict[str, Value]) -> Iterator[LoadError]:
    """The errors of `[agents]`; its settings go to `values`, and its roles there as records.

    What is no setting is a role, whatever it was meant to be.
    """
    records = []
    settings = {key.name: key for key in roles.SETTINGS}
    for entry in node.entries if isinstance(node, Mapping) else ():
        key = settings.get(entry.name or "")
        if key is not None:
            yield from _value(entry, key, f"{keys.AGENTS}.", values)
        elif entry.name is not None:
            record, errors = _role(entry)
            yield from errors
            records += [] if record is None else [record]
    both = f"{keys.AGENTS}.{roles.SHORT_THREADS}", f"{keys.AGENTS}.{roles.THREADS}"
    if all(name in values for name in both):
        second = max((values[name] for name in both), key=lambda value: value.span)
        message = f"duplicate field `{roles.THREADS}`"
        yield LoadError(LoadErrorKind.DUPLICATE, second.key or second.span, message, both[0])
    if keys.AGENTS in values:
        values[keys.AGENTS] = replace(values[keys.AGENTS], value=tuple(records))


def _role(entry: Entry) -> tuple[Record | None, list[LoadError]]:
    """The role that a table, or a list of its values, makes, under `role` with its name.

    That of a table lacks the values that have an error.
    """
    node, name = resolve(entry.value), f"{keys.AGENTS}.{entry.name}"
    record = "struct AgentRoleToml"
    if node is None or isinstance(node, Broken):
        return None, []
    if isinstance(node, Scalar):
        found = found_in(node)
        message, wanted = f"invalid type: {found}, expected {record}", "a table"
        error = LoadError(LoadErrorKind.TYPE, entry.key.span, message, name, wanted, found)
        return None, [error]
    values = {"role": Value(entry.name or "", entry.key.span)}
    errors: list[LoadError] = []
    if isinstance(node, Sequence):
        for key, item in zip(roles.ROLE, node.items, strict=False):
            errors += _value(Entry(entry.key, item), key, "", values)
        if not errors and len(node.items) < len(roles.ROLE):
            message = f"invalid length {len(node.items)}, expected {record} with 3 elements"
            span = entry.key.span
            errors = [LoadError(LoadErrorKind.TYPE, span, message, "", "a table", "a list")]
    elif isinstance(node, Mapping):
        known = {key.name: key for key in roles.ROLE}
        for one in node.entries:
            if one.name in known:
                errors += _value(one, known[one.name], "", values)
    named = [replace(error, key=f"{name}.{error.key}".rstrip(".")) for error in errors]
    is_read = isinstance(node, Mapping) or not errors
    return (Record(entry.key.span, values) if is_read else None), named


def _features(node: Node, values: dict[str, Value]) -> Iterator[LoadError]:
    """Each is a boolean, or a table for some; names that nobody knows are ignored."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        is_table = isinstance(value, Mapping) and entry.name not in _SWITCHES
        if value is None or is_table or isinstance(value, Broken):
            continue
        key = Key(entry.name or "", ValueKind.BOOL, "", "")
        yield from _value(entry, key, "features.", values)


def _server(entry: Entry, key: Key, name: str, values: dict[str, Value]) -> Iterator[LoadError]:
    node = resolve(entry.value)
    if node is None or isinstance(node, Broken):
        return
    if not isinstance(node, Mapping):
        found = found_in(node)
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
        unfit = next((one for one in _NOT_STDIO if node.get(one)), None)
        message = f"{unfit} is not supported for stdio" if unfit else ""
    elif node.get("url") is not None:
        unfit = next((one for one in _NOT_HTTP if node.get(one)), None)
        message = f"{unfit} is not supported for streamable_http" if unfit else ""
    else:
        unfit, message = None, "invalid transport"
    wrong = node.get(unfit) if unfit else None
    if message:
        span = wrong.key.span if wrong is not None else entry.key.span
        yield LoadError(LoadErrorKind.FORBIDDEN, span, message, name, "`command` or `url`")
