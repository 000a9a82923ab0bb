"""Decodes a header in the same way as Go's yaml.v3: first into a map, then into the record.

Invariants: an error is data, never an exception. Unknown keys are read but not kept. Text after the
first document is ignored. An invalid tree is decoded as far as possible.

Facts: decode.go and, for the scanner, scannerc.go of gopkg.in/yaml.v3 3.0.1
(`tests/conformance/kodacode.jsonl`), read 2026-11-27.
"""

from collections.abc import Iterable

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.decoders.go import quote
from agent_lsp.decoders.yaml_v3 import words
from agent_lsp.decoders.yaml_v3.run import (
    MAX_FAULTS,
    AnyMap,
    Field,
    GaveUpError,
    Map,
    Plain,
    Run,
    Slice,
    Struct,
    Type,
    gave_up,
    mismatch,
    report,
    shown,
    step,
    type_name,
)
from agent_lsp.model.template import LoadError, LoadErrorKind, Record, Value
from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Tree,
    resolve,
)
from agent_lsp.syntax.yaml.go import trouble
from agent_lsp.text import Span


def has_duplicates(run: Run, node: Mapping, path: str) -> bool:
    """Whether a key occurs twice; reports each pair, and the mapping is then not read."""
    alike: dict[tuple[type[Node], str], list[Node]] = {}
    for entry in node.entries:
        alike.setdefault(_identity(entry.key), []).append(entry.key)
    if len(alike) == len(node.entries):
        return False
    for entry in node.entries:
        if len(run.errors) >= MAX_FAULTS:
            break
        kind, text = _identity(entry.key)
        later = alike[kind, text]
        later.pop(0)
        message = f"mapping key {quote(text)} already defined at line {run.at.of(entry.span.start)}"
        for other in later[:MAX_FAULTS]:
            report(run, other, LoadErrorKind.DUPLICATE, message, dotted(path, text))
    return True


def has_text_key(entry: Entry) -> bool:
    """Whether the key of an entry is a string or `<<`."""
    key = resolve(entry.key)
    return isinstance(key, Scalar) and words.tag_of(key) in (words.STR, words.MERGE)


def dotted(path: str, name: str) -> str:
    """The dotted name of a key in the mapping at `path`."""
    return f"{path}.{name}" if path else name


def _identity(key: Node) -> tuple[type[Node], str]:
    """What makes two keys equal: the kind, and the text, which is empty for a collection."""
    match key:
        case Scalar():
            return Scalar, key.value
        case Alias():
            return Alias, key.name
        case _:
            return type(key), ""


_TRUE = ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON")
_FALSE = ("n", "N", "no", "No", "NO", "off", "Off", "OFF")
_I64 = 2**63

# Whether there is a value, and the value.
Result = tuple[bool, object]
_MISS: Result = (False, None)
_EXCESSIVE = "document contains excessive aliasing"
_NOT_MERGEABLE = "map merge requires map or sequence of maps as the value"


def unmarshal(
    run: Run, node: Node, target: Type, path: str, into: dict[object, object] | None = None
) -> Result:
    """Reads `node` as a `target`; a mapping is read into `into` if that is given.

    Returns whether there is a value, and the value. Raises `GaveUpError` if the library gives up.
    """
    if not step(run):
        raise gave_up(run, node, path, _EXCESSIVE)
    match node:
        case Alias():
            return _alias(run, node, target, path, into)
        case Broken():
            return _MISS if run.lenient else (target is Plain.ANY, None)
        case Scalar():
            return _scalar(run, node, target, path)
        case Sequence():
            return _sequence(run, node, target, path)
        case Mapping():
            return _mapping(run, node, target, path, into)


def _alias(
    run: Run, node: Alias, target: Type, path: str, into: dict[object, object] | None
) -> Result:
    if node.target is None:
        # In a valid text, only an alias inside of its own target has no target.
        raise gave_up(run, node, path, f"anchor '{node.name}' value contains itself")
    outermost = run.alias is None
    run.alias = run.alias or node
    try:
        if target is Plain.ANY and into is None:
            return _again(run, node, node.target, path)
        return unmarshal(run, node.target, target, path, into)
    finally:
        if outermost:
            run.alias = None


def _again(run: Run, node: Alias, named: Node, path: str) -> Result:
    """Reads the target of an alias the first time, and afterwards only counts its values."""
    seen = run.walked.get(id(named))
    if seen is not None:
        steps, value = seen
        if not step(run, steps):
            raise gave_up(run, node, path, _EXCESSIVE)
        return True, value
    before, errors = run.decoded, len(run.errors)
    is_good, value = unmarshal(run, named, Plain.ANY, path)
    if is_good and len(run.errors) == errors:
        run.walked[id(named)] = (run.decoded - before, value)
    return is_good, value


def _scalar(run: Run, node: Scalar, target: Type, path: str) -> Result:
    try:
        tag, value = words.resolve(node)
    except words.TagError as failure:
        if run.lenient:
            return _MISS
        raise gave_up(run, node, path, str(failure)) from failure
    if value is None:
        return target is Plain.ANY or isinstance(target, Slice | Map), None
    match target:
        case Plain.STRING:
            return True, value if tag == words.BINARY else node.value
        case Plain.ANY:
            return True, value
        case Plain.BOOL if isinstance(value, bool):
            return True, value
        case Plain.BOOL if isinstance(value, str) and value in (*_TRUE, *_FALSE):
            return True, value in _TRUE
        case Plain.INT if _fits(value):
            return True, max(int(value), -_I64)
    mismatch(run, node, target, path)
    return _MISS


def _fits(value: words.Word) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value < _I64


def _sequence(run: Run, node: Sequence, target: Type, path: str) -> Result:
    if not isinstance(target, Slice) and target is not Plain.ANY:
        mismatch(run, node, target, path)
        return _MISS
    item_type = target.element if isinstance(target, Slice) else Plain.ANY
    items: list[object] = []
    for index, item in enumerate(node.items):
        is_good, value = unmarshal(run, item, item_type, f"{path}[{index}]")
        if is_good and isinstance(target, Slice):
            items.append(value if isinstance(value, Record) else Value(value, item.span))
        elif is_good:
            items.append(value)
    return True, tuple(items) if isinstance(target, Slice) else items


@dataclass(frozen=True, slots=True)
class _Filling:
    """A mapping that is being read: its type, its path, and the entries so far.

    `merged` are the keys that it must not set, because it is merged into a mapping that has them.
    """

    type: Struct | Map
    path: str
    entries: dict[object, object]
    merged: set[object] | None
    done: set[str] = field(default_factory=set)


def _mapping(
    run: Run, node: Mapping, target: Type, path: str, into: dict[object, object] | None
) -> Result:
    if not run.lenient and has_duplicates(run, node, path):
        return _MISS
    if target is Plain.ANY:
        target = Map(Plain.STRING if all(map(has_text_key, node.entries)) else Plain.ANY)
    if not isinstance(target, Struct | Map):
        mismatch(run, node, target, path)
        return _MISS
    filling = _Filling(target, path, {} if into is None else into, run.merged)
    run.merged = None
    merge: Node | None = None
    for entry in node.entries:
        if isinstance(entry.key, Scalar) and words.is_merge(entry.key):
            merge = entry.value
        elif isinstance(target, Struct):
            _into_struct(run, entry, filling, target)
        else:
            _into_map(run, entry, filling, target)
    run.merged = filling.merged
    if merge is not None:
        _merge(run, node, merge, filling)
    if isinstance(target, Map):
        return True, AnyMap(target, filling.entries)
    found = filling.entries.items()
    values = {str(key): value for key, value in found if isinstance(value, Value)}
    return True, Record(node.span, values)


def _into_struct(run: Run, entry: Entry, filling: _Filling, target: Struct) -> None:
    is_good, name = unmarshal(run, entry.key, Plain.STRING, filling.path)
    if not is_good or not isinstance(name, str) or not _may_set(filling, name):
        return
    field = target.field(name)
    if field is None or entry.value is None:
        return
    path = dotted(filling.path, name)
    if name in filling.done:
        message = f"field {name} already set in type {type_name(target)}"
        report(run, entry.key, LoadErrorKind.DUPLICATE, message, path)
        return
    filling.done.add(name)
    try:
        _, value = unmarshal(run, entry.value, field.type, path)
    except GaveUpError:
        if not run.lenient:
            raise
        return
    if value is not None:
        filling.entries[name] = Value(value, entry.value.span, entry.key.span)


def _into_map(run: Run, entry: Entry, filling: _Filling, target: Map) -> None:
    is_good, key = unmarshal(run, entry.key, target.keys, filling.path)
    if not is_good:
        return
    if isinstance(key, AnyMap | list):
        raise gave_up(run, entry.key, filling.path, f"invalid map key: {shown(key)}")
    if not _may_set(filling, key):
        return
    if not filling.path and isinstance(key, str):
        run.names.setdefault(key, entry.key.span)
    path = dotted(filling.path, str(key))
    is_good, value = unmarshal(run, entry.value or entry.key, Plain.ANY, path)
    if is_good:
        filling.entries[key] = value


def _may_set(filling: _Filling, key: object) -> bool:
    """Whether `key` is not set in a mapping that this one is merged into; marks it as set."""
    if filling.merged is None:
        return True
    is_free = key not in filling.merged
    filling.merged.add(key)
    return is_free


def _merge(run: Run, parent: Mapping, merge: Node, filling: _Filling) -> None:
    """Reads the value of `<<` into the same mapping, except for the keys that it already has."""
    if run.merged is None:
        keys = (unmarshal(run, entry.key, Plain.ANY, filling.path) for entry in parent.entries)
        good = (key for is_good, key in keys if is_good)
        run.merged = {key for key in good if not isinstance(key, AnyMap | list)}
    for source in merge.items if isinstance(merge, Sequence) else (merge,):
        is_loop = isinstance(source, Alias) and source.target is None
        if not is_loop and not isinstance(resolve(source), Mapping):
            raise gave_up(run, source, filling.path, _NOT_MERGEABLE)
        unmarshal(run, source, filling.type, filling.path, filling.entries)
    run.merged = filling.merged


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
