"""Decodes a header into a Rust structure in the same way as serde_yaml 0.9.

Invariants: a type error is an error, never an exception. Unknown keys are ignored. An invalid tree
is decoded as far as possible, without type errors.

Facts: shared behaviour measured with serde_yaml 0.9.34 (`tests/conformance`), 2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.decoders.rust import (
    end_of_stream,
    mark,
    position,
    unexpected,
    variants,
    whole,
)
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Record, Value
from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    Tree,
    resolve,
)
from agent_lsp.text import Span

_NULL_TAG = "tag:yaml.org,2002:null"
_NULLS = ("null", "Null", "NULL", "~")
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
MORE_THAN_ONE = "deserializing from YAML containing more than one document is not supported"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The known keys that are set, and the errors in the order in which the runtime finds them."""

    values: dict[str, Value]
    errors: tuple[LoadError, ...]


def decode(tree: Tree, keys: tuple[Key, ...], record: str, header: str, start: int) -> Decoded:
    """Decodes `tree` as a structure called `record`.

    Messages give positions in `header`, which begins at offset `start`.
    """
    at = _Place(header, start, sound=tree.problem is None)
    if tree.problem is not None:
        values, _ = _record(tree.root, keys, record, "", at)
        text = mark(tree.problem, header, start)
        syntax = LoadError(LoadErrorKind.SYNTAX, tree.problem.span, text)
        return Decoded(values, (*_before(tree, keys, record, at), syntax))
    if tree.rest is not None:
        values, errors = _record(tree.root, keys, record, "", at)
        return Decoded(values, (*errors, LoadError(LoadErrorKind.SYNTAX, tree.rest, MORE_THAN_ONE)))
    if tree.root is None:
        return Decoded({}, tuple(_nothing(keys, header, start)))
    values, errors = _record(tree.root, keys, record, "", at)
    return Decoded(values, tuple(errors))


def _before(tree: Tree, keys: tuple[Key, ...], record: str, at: "_Place") -> Iterator[LoadError]:
    """The error in the text before the YAML error, which the runtime finds first."""
    end = at.start + len(at.header)
    for error in _record(tree.begun, keys, record, "", at)[1]:
        # A mapping that is still open may get the missing key later.
        if error.kind is not LoadErrorKind.MISSING or error.span.end < end:
            yield error


def _nothing(keys: tuple[Key, ...], header: str, start: int) -> Iterator[LoadError]:
    """The errors for the keys that are missing in an empty header."""
    line, column = end_of_stream(header)
    where = "" if (line, column) == (1, 1) else f" at line {line} column {column}"
    span = Span(start, start + len(header))
    for key in keys:
        if key.mandatory:
            message = f"missing field `{key.name}`{where}"
            yield LoadError(LoadErrorKind.MISSING, span, message, key.name, key.kind.value)


@dataclass(frozen=True, slots=True)
class _Place:
    header: str
    start: int
    sound: bool

    def of(self, node: Node) -> str:
        return self.at(node.span.start)

    def inside(self, node: Node) -> str:
        """As `of`, for a node outside of any key: serde_yaml does not print the very start."""
        return self.of(node) if node.span.start > self.start else ""

    def at(self, offset: int) -> str:
        line, column = position(self.header, offset - self.start)
        return f" at line {line} column {column}"


def _record(
    node: Node | None, keys: tuple[Key, ...], record: str, path: str, at: _Place
) -> tuple[dict[str, Value], list[LoadError]]:
    target = resolve(node)
    values: dict[str, Value] = {}
    errors: list[LoadError] = []
    if target is None or isinstance(target, Broken):
        return values, errors
    if not isinstance(target, Mapping):
        if not _is_void(target):
            expected = f"struct {record}"
            return values, [_wrong_type(target, node, expected, "a mapping", path, at)]
        entries: tuple[Entry, ...] = ()
    else:
        entries = target.entries
    known = {key.name: key for key in keys}
    seen: set[str] = set()
    for entry in entries:
        key = known.get(entry.name or "")
        if entry.name is None and not isinstance(resolve(entry.key), Broken):
            errors.append(_wrong_type(entry.key, entry.key, "field identifier", "a name", path, at))
        if key is None:
            continue
        if key.name in seen:
            errors.append(_duplicate(key, entry, target, path, at))
            continue
        seen.add(key.name)
        value, found = _value(entry, key, f"{path}.{key.name}" if path else key.name, at)
        errors += found
        if value is not None:
            values[key.name] = value
    errors += _missing(keys, seen, target, path, at)
    return values, errors


def _missing(
    keys: tuple[Key, ...], seen: set[str], node: Node, path: str, at: _Place
) -> Iterator[LoadError]:
    for key in keys:
        if key.mandatory and key.name not in seen:
            prefix = f"{path}: " if path else ""
            where = at.of(node) if path else at.inside(node)
            message = f"{prefix}missing field `{key.name}`{where}"
            dotted = f"{path}.{key.name}" if path else key.name
            yield LoadError(LoadErrorKind.MISSING, node.span, message, dotted, key.kind.value)


def _value(entry: Entry, key: Key, path: str, at: _Place) -> tuple[Value | None, list[LoadError]]:
    node = Mapping(entry.span, ()) if _means_outer(entry.value, at) else entry.node
    if node is None or isinstance(node, Broken):
        return None, []
    if key.nullable:
        unset, error = _is_unset(node, path)
        if error is not None or unset:
            return None, [error] if error is not None else []
    written = entry.value if entry.value is not None else node
    decoded, errors = _DECODERS[key.kind](node, written, key, path, at)
    return (None if decoded is None else Value(decoded, written.span, entry.key.span)), errors


def _is_unset(node: Node, path: str) -> tuple[bool, LoadError | None]:
    """Whether an optional value counts as absent; a `!!null` tag accepts only null."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN:
        return False, None
    if node.tag == _NULL_TAG:
        if node.value in _NULLS:
            return True, None
        message = f'invalid value: string "{node.value}", expected null'
        return False, LoadError(
            LoadErrorKind.TYPE, node.span, message, path, "null", f"`{node.value}`"
        )
    if node.tag is not None:
        return False, None
    return node.value == "" or node.value in _NULLS, None


def _text(
    node: Node, written: Node, key: Key, path: str, at: _Place
) -> tuple[object, list[LoadError]]:
    if isinstance(node, Scalar):
        return node.value, []
    return None, [_wrong_type(node, written, "a string", key.kind.value, path, at)]


def _bool(
    node: Node, written: Node, key: Key, path: str, at: _Place
) -> tuple[object, list[LoadError]]:
    literal = isinstance(node, Scalar) and (
        node.style is Style.PLAIN
        or (node.style is Style.LITERAL and node.tag == "tag:yaml.org,2002:bool")
    )
    if isinstance(node, Scalar) and literal and node.value in _BOOLS:
        return _BOOLS[node.value], []
    return None, [_wrong_type(node, written, "a boolean", key.kind.value, path, at)]


def _choice(
    node: Node, written: Node, key: Key, path: str, at: _Place
) -> tuple[object, list[LoadError]]:
    names = [choice.name for choice in key.choices]
    if not isinstance(node, Scalar):
        return None, [
            _wrong_type(node, written, "a YAML tag starting with '!'", "a word", path, at)
        ]
    word = node.value
    if node.tag is not None and node.tag.startswith("!") and len(node.tag) > 1:
        word = node.tag[1:]
        if node.value not in ("", *_NULLS):
            message = f'{path}: invalid value: string "{node.value}", expected null{at.of(written)}'
            return None, [
                LoadError(
                    LoadErrorKind.TYPE,
                    written.span,
                    message,
                    path,
                    "nothing after the tag",
                    f"`{node.value}`",
                )
            ]
    if word in names:
        return word, []
    message = f"{path}: unknown variant `{word}`, expected {variants(names)}{at.of(written)}"
    return None, [
        LoadError(LoadErrorKind.CHOICE, written.span, message, path, ", ".join(names), word)
    ]


def _list(
    node: Node, written: Node, key: Key, path: str, at: _Place
) -> tuple[object, list[LoadError]]:
    if not isinstance(node, Sequence):
        if _is_void(node):
            return (), []
        return None, [_wrong_type(node, written, "a sequence", key.kind.value, path, at)]
    values: list[object] = []
    errors: list[LoadError] = []
    for index, item in enumerate(node.items):
        target = Sequence(node.span, ()) if _means_outer(item, at) else resolve(item)
        here = f"{path}[{index}]"
        if target is None or isinstance(target, Broken):
            continue
        if key.kind is ValueKind.RECORDS:
            record, found = _record(target, key.items, key.record, here, at)
            values.append(Record(item.span, record))
            errors += found
        elif isinstance(target, Scalar):
            values.append(Value(target.value, item.span))
        else:
            errors.append(_wrong_type(target, item, "a string", "a string", here, at))
    return tuple(values), errors


def _number(
    node: Node, written: Node, key: Key, path: str, at: _Place
) -> tuple[object, list[LoadError]]:
    number = whole(node)
    if number is None:
        return None, [_wrong_type(node, written, key.record, key.kind.value, path, at)]
    if 0 <= number < _MORE[key.record]:
        return number, []
    message = f"{path}: invalid value: integer `{number}`, expected {key.record}{at.of(written)}"
    wanted = f"a whole number below {_MORE[key.record]}"
    return None, [LoadError(LoadErrorKind.TYPE, written.span, message, path, wanted, f"`{number}`")]


_MORE = {"u32": 2**32, "u64": 2**64}

_DECODERS = {
    ValueKind.TEXT: _text,
    ValueKind.NUMBER: _number,
    ValueKind.BOOL: _bool,
    ValueKind.CHOICE: _choice,
    ValueKind.LIST: _list,
    ValueKind.RECORDS: _list,
}


def _means_outer(node: Node | None, at: _Place) -> bool:
    """Whether `node` is an alias for the node around it: one without target, in a valid text."""
    return isinstance(node, Alias) and node.target is None and at.sound


def _is_void(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style is Style.PLAIN and node.value == ""


def _wrong_type(
    node: Node, written: Node | None, expected: str, wanted: str, path: str, at: _Place
) -> LoadError:
    prefix = f"{path}: " if path else ""
    where = at.of(node) if path else at.inside(node)
    found = unexpected(node)
    message = f"{prefix}invalid type: {found}, expected {expected}{where}"
    place = node.span if written is None else written.span
    return LoadError(LoadErrorKind.TYPE, place, message, path, wanted, found)


def _duplicate(key: Key, entry: Entry, mapping: Node, path: str, at: _Place) -> LoadError:
    """The error of the second key, which serde_yaml reports at the start of its mapping."""
    prefix, where = (f"{path}: ", at.of(mapping)) if path else ("", at.inside(mapping))
    message = f"{prefix}duplicate field `{key.name}`{where}"
    return LoadError(LoadErrorKind.DUPLICATE, entry.key.span, message, path or key.name)
