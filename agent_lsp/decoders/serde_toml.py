"""Decodes a TOML tree into a Rust structure in the same way as serde and toml 0.8.

Invariants: a type error is an error, never an exception. Unknown keys are ignored. A record may be
written as a list of its fields in order, and a date counts as an empty record. A value with a
variable in it has an unknown value, and causes no error.

Facts: measured with toml 0.8.23 and serde 1.0.228 (`tests/conformance`), 2026-11-27.
"""

import math
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.decoders import rust
from agent_lsp.decoders.rust import variants
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import (
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    resolve,
)

# The kinds whose value is shown as written if it contains a variable, since its value is unknown.
_SHOWN = (ValueKind.TEXT, ValueKind.NUMBER)
VARIABLE = regex(r"\$\{[^}\r\n]*\}")
_INTEGER = regex(r"[-+]?[0-9][0-9_]*|0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+")
_DATE = regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}:[0-9]{2}")
_BOOLS = {"true": True, "false": False}
_MOST = {"u32": 2**32 - 1, "u64": 2**64 - 1}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The known keys that are set, by dotted name, and the errors in the order of the text."""

    values: dict[str, Value]
    errors: tuple[LoadError, ...]


def decode(node: Node | None, keys: tuple[Key, ...], record: str, text: str) -> Decoded:
    """Decodes `node` as a structure called `record`; the key of an error is a dotted name."""
    values: dict[str, Value] = {}
    target = resolve(node)
    is_open = target is not None and text.find("${", target.span.start, target.span.end) >= 0
    errors = list(_record(target, keys, record, _At(text, "", is_open), values))
    return Decoded(values, tuple(errors))


def is_variable(node: Node | None, text: str) -> bool:
    """Whether `node` is or contains a variable outside of quotes."""
    bare = isinstance(node, Scalar) and node.style is Style.PLAIN
    return bare and node is not None and VARIABLE.search(node.span.of(text)) is not None


def is_date(node: Node | None) -> bool:
    """Whether `node` is a date, a time or both."""
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return plain and isinstance(node, Scalar) and _DATE.match(node.value) is not None


def wrong(node: Node, expected: str, wanted: str, key: str) -> LoadError:
    """The error that `node` is not what serde expected; `wanted` is the same in plain words."""
    found = _unexpected(node)
    message = f"invalid type: {found}, expected {expected}"
    return LoadError(
        LoadErrorKind.TYPE, node.span, message, key, wanted, "date" if is_date(node) else found
    )


@dataclass(frozen=True, slots=True)
class _At:
    """The position of a record: `path` is the prefix of the names of its values.

    `is_open` is true if the record contains variables; most have none, and need no search.
    """

    text: str
    path: str
    is_open: bool

    def into(self, name: str) -> "_At":
        return _At(self.text, f"{self.path}{name}.", self.is_open)

    def key(self, name: str) -> str:
        return f"{self.path}{name}"

    def is_variable(self, node: Node) -> bool:
        return self.is_open and is_variable(node, self.text)

    def said(self, node: Scalar) -> str:
        return text_of(node, self.text) if self.is_open else node.value


def _record(
    node: Node | None,
    keys: tuple[Key, ...],
    record: str,
    at: _At,
    values: dict[str, Value],
) -> Iterator[LoadError]:
    if isinstance(node, Mapping):
        known = {key.name: key for key in keys}
        for entry in node.entries:
            found = known.get(entry.name or "")
            if found is not None:
                yield from _value(entry.node, entry, found, at, values)
    elif isinstance(node, Sequence):
        for key, item in zip(keys, node.items, strict=False):
            yield from _value(resolve(item), None, key, at, values)
    elif node is None or is_absent(node) or is_date(node) or is_variable(node, at.text):
        return
    else:
        yield wrong(node, f"struct {record}", "a table", at.key("").rstrip("."))


def is_absent(node: Node | None) -> bool:
    """Whether there is no readable value in the place of one."""
    is_empty = isinstance(node, Scalar) and node.style is Style.PLAIN and not node.value
    return node is None or isinstance(node, Broken) or is_empty


def _value(
    node: Node | None, entry: Entry | None, key: Key, at: _At, values: dict[str, Value]
) -> Iterator[LoadError]:
    if node is None or is_absent(node):
        return
    label = entry.key.span if entry is not None else None
    if key.kind is ValueKind.TABLE:
        yield from _record(node, key.items, key.record, at.into(key.name), values)
        values.setdefault(f"{at.path}{key.name}", Value((), node.span, label))
        return
    if at.is_variable(node):
        if key.kind in _SHOWN:
            raw = node.span.of(at.text)
            values.setdefault(f"{at.path}{key.name}", Value(raw, node.span, label))
        return
    errors, value = _simple(node, key, at)
    if errors:
        # A value that contains a variable may be of any type.
        if VARIABLE.search(node.span.of(at.text)) is None:
            yield from errors
    else:
        values.setdefault(f"{at.path}{key.name}", Value(value, node.span, label))


def _simple(node: Node, key: Key, at: _At) -> tuple[list[LoadError], object]:
    """The errors of a value without keys of its own, or none and the value."""
    dotted = at.key(key.name)
    match key.kind:
        case ValueKind.LIST:
            return _list(node, dotted, at)
        case ValueKind.NUMBER:
            return _number(node, key, dotted)
        case ValueKind.BOOL:
            if isinstance(node, Scalar) and node.style is Style.PLAIN and node.value in _BOOLS:
                return [], _BOOLS[node.value]
            return [wrong(node, "a boolean", "`true` or `false`", dotted)], None
        case ValueKind.CHOICE:
            return _choice(node, key, dotted)
        case _:
            if isinstance(node, Scalar) and is_text(node):
                return [], at.said(node)
            return [wrong(node, "a string", "a string in quotes", dotted)], None


def is_text(node: Node | None) -> bool:
    """Whether `node` is a quoted string."""
    return isinstance(node, Scalar) and node.style is not Style.PLAIN


def text_of(node: Node | None, text: str) -> str:
    """The text of a quoted string; a variable in it is kept as it is."""
    if not isinstance(node, Scalar):
        return ""
    raw = node.span.of(text)
    if VARIABLE.search(raw) is None or node.style is Style.PLAIN:
        return node.value
    quotes = 3 if raw[:3] in ('"""', "'''") else 1
    return raw[quotes:-quotes].removeprefix("\n")


def _list(node: Node, dotted: str, at: _At) -> tuple[list[LoadError], object]:
    if not isinstance(node, Sequence):
        return [wrong(node, "a sequence", "a list of strings", dotted)], None
    items, errors = [], []
    for index, item in enumerate(map(resolve, node.items)):
        if isinstance(item, Scalar) and is_text(item):
            items.append(Value(at.said(item), item.span))
        elif item is not None and not is_absent(item) and not at.is_variable(item):
            errors.append(wrong(item, "a string", "a string in quotes", f"{dotted}[{index}]"))
    return errors, tuple(items)


def _number(node: Node, key: Key, dotted: str) -> tuple[list[LoadError], object]:
    number = _integer(node)
    if number is None:
        return [wrong(node, key.record, "a whole number", dotted)], None
    if 0 <= number <= _MOST[key.record]:
        return [], number
    message = f"invalid value: integer `{number}`, expected {key.record}"
    wanted = f"a whole number from 0 to {_MOST[key.record]}"
    kind = LoadErrorKind.TYPE
    return [LoadError(kind, node.span, message, dotted, wanted, f"`{number}`")], None


def _choice(node: Node, key: Key, dotted: str) -> tuple[list[LoadError], object]:
    """A word in quotes, or, as toml reads it too, a table with it as the only key."""
    names = [choice.name for choice in key.choices]
    if isinstance(node, Mapping):
        return _variant(node, names, dotted)
    if not is_text(node) or not isinstance(node, Scalar):
        return [_no_variant(node, _NO_WORD, dotted)], None
    if node.value in names:
        return [], node.value
    return [_unknown_variant(node, node.value, names, dotted)], None


_NO_WORD = "wanted string or table"
_ONE = "wanted exactly 1 element, "


def _variant(node: Mapping, names: list[str], dotted: str) -> tuple[list[LoadError], object]:
    if len(node.entries) != 1:
        many = "more than 1 element" if node.entries else "found 0 elements"
        return [_no_variant(node, f"{_ONE}{many}", dotted)], None
    entry, value = node.entries[0], resolve(node.entries[0].value)
    word = entry.name or ""
    if word not in names:
        return [_unknown_variant(entry.key, word, names, dotted)], None
    is_empty = (isinstance(value, Mapping) and not value.entries) or (
        isinstance(value, Sequence) and not value.items
    )
    if is_empty or value is None or is_absent(value):
        return [], word
    return [_no_variant(value, "expected empty table", dotted)], None


def _no_variant(node: Node, message: str, dotted: str) -> LoadError:
    found = _unexpected(node)
    return LoadError(LoadErrorKind.TYPE, node.span, message, dotted, "a word in quotes", found)


def _unknown_variant(node: Node, word: str, names: list[str], dotted: str) -> LoadError:
    message = f"unknown variant `{word}`, expected {variants(names)}"
    return LoadError(LoadErrorKind.CHOICE, node.span, message, dotted, ", ".join(names), word)


def _integer(node: Node) -> int | None:
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    if not plain or not isinstance(node, Scalar) or is_date(node):
        return None
    return int(node.value.replace("_", ""), 0) if _INTEGER.fullmatch(node.value) else None


def _unexpected(node: Node) -> str:
    """The found value, in serde's words."""
    if isinstance(node, Mapping) or is_date(node):
        return "map"
    if isinstance(node, Sequence):
        return "sequence"
    if not isinstance(node, Scalar):
        return "unit value"
    if node.style is not Style.PLAIN:
        return f"string {rust.debug(node.value)}"
    if node.value in _BOOLS:
        return f"boolean `{node.value}`"
    number = _integer(node)
    if number is not None:
        return f"integer `{number}`"
    return f"floating point `{_float(node.value)}`"


def _float(word: str) -> str:
    """A float as Rust prints it."""
    number = float(word.replace("_", "").replace("+", "", 1))
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else repr(number)
    digits = repr(number)
    return digits if "e" not in digits else f"{number:f}"
