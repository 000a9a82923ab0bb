"""Builds the tables of a TOML file from its statements, and finds conflicting keys.

Invariants: toml_edit decides what defines a table or a key again. After a conflict, the statements
still go into the intended table. The span of a table reaches from its first to its last statement,
so tables whose parts alternate in the text overlap.
"""

# Read in crates/toml_edit/src/parser/{state,inline_table}.rs of toml-rs/toml at 10fcdfb5,
# 2026-11-28.

from agent_lsp.data_classes import dataclass, field
from agent_lsp.syntax.nodes import (
    Broken,
    Entry,
    Header,
    Mapping,
    Node,
    Pair,
    Problem,
    Scalar,
    Section,
    Sequence,
)
from agent_lsp.syntax.toml.scan import kind
from agent_lsp.text import Span

# The same limit as for YAML, because the same functions read both.
MAX_DEPTH = 64
_HEADER = "invalid table header"
_Key = Scalar | Broken


@dataclass(slots=True)
class _Table:
    """A table under construction; an `implicit` one has been named only on the way to another."""

    span: Span
    implicit: bool = True
    dotted: bool = False
    items: "list[_Item]" = field(default_factory=list)
    named: "dict[str | None, _Item]" = field(default_factory=dict)


@dataclass(slots=True)
class _Item:
    """An entry under construction; an array of tables is a list of them."""

    key: _Key
    value: "_Table | list[_Table] | Node | None"


def document(span: Span, sections: tuple[Section, ...], damage: list[Problem]) -> Mapping:
    """The table of all tables in `sections`; adds conflicts to `damage`."""
    root = _Table(span, implicit=False)
    for section in sections:
        header, pairs, before = section.header, section.pairs, len(damage)
        table = root if header is None else _opened(root, header, pairs, damage)
        # If the header is in conflict, so is everything below it, and one error is enough.
        said = damage if len(damage) == before else []
        for pair in pairs:
            _put(table, pair, header.keys if header else (), said)
    return _mapping(root, 0, flow=False)


def inline_table(span: Span, pairs: tuple[Pair, ...], depth: int, damage: list[Problem]) -> Mapping:
    """The inline table of `pairs`, nested in `depth` collections."""
    table = _Table(span, implicit=False)
    for pair in pairs:
        _put(table, pair, None, damage)
    return _mapping(table, depth, flow=True)


def _opened(root: _Table, header: Header, pairs: tuple[Pair, ...], damage: list[Problem]) -> _Table:
    """The table that `header` opens."""
    *way, last = header.keys
    hull = Span(header.span.start, pairs[-1].span.end) if pairs else header.span
    table = _descend(root, tuple(way), hull, damage, dotted=False)
    item = table.named.get(_name(last))
    value = item.value if item else None
    if isinstance(value, list) and header.array:
        value.append(_Table(hull, implicit=False))
        return value[-1]
    if item and isinstance(value, _Table) and not header.array:
        if not value.implicit or value.dotted:
            damage.append(_duplicate(last, item.key, tuple(way), _HEADER))
        else:
            item.key = last
        value.implicit, value.span = False, _joined(value.span, hull)
        return value
    if item is not None:
        damage.append(_duplicate(last, item.key, tuple(way), _HEADER))
    new = _Table(hull, implicit=False)
    _add(table, last, [new] if header.array else new)
    return new


def _put(table: _Table, pair: Pair, path: tuple[_Key, ...] | None, damage: list[Problem]) -> None:
    """Adds `pair` to `table`; `path` is that of its header, None for an inline table."""
    *way, last = pair.keys
    before = len(damage)
    target = _descend(table, tuple(way), pair.span, damage, dotted=True)
    item = target.named.get(_name(last))
    if len(damage) > before:
        # Report one problem for each statement.
        pass
    elif way and not target.dotted:
        damage.append(_duplicate(last, way[-1], None))
    elif item is not None:
        damage.append(_duplicate(last, item.key, None if way else path))
    _add(target, last, pair.value)


def _descend(
    table: _Table, way: tuple[_Key, ...], hull: Span, damage: list[Problem], *, dotted: bool
) -> _Table:
    """The table at the end of `way`; creates missing tables."""
    for at, key in enumerate(way):
        # A dotted table begins after its own key.
        span = Span(key.span.end, hull.end) if dotted else hull
        item = table.named.get(_name(key))
        found = item.value if item else None
        if isinstance(found, list):
            found = found[-1]
        elif isinstance(found, _Table) and item and dotted and not found.implicit:
            damage.append(_duplicate(key, item.key, None))
        if isinstance(found, _Table):
            found.span = _joined(found.span, span)
        else:
            if item is not None:
                damage.append(_no_table(way[: at + 1], item))
            found = _Table(span, dotted=dotted)
            _add(table, key, found)
        table = found
    return table


def _add(table: _Table, key: _Key, value: "_Table | list[_Table] | Node | None") -> None:
    item = _Item(key, value)
    table.items.append(item)
    name = _name(key)
    # Later statements go into the table, even if it is in conflict.
    if name is not None and (name not in table.named or isinstance(value, _Table | list)):
        table.named[name] = item


def _mapping(table: _Table, depth: int, *, flow: bool) -> Mapping:
    entries = (Entry(item.key, _node(item.value, depth + 1, flow=flow)) for item in table.items)
    return Mapping(table.span, tuple(entries), flow)


def _node(value: "_Table | list[_Table] | Node | None", depth: int, *, flow: bool) -> Node | None:
    if isinstance(value, list):
        span = _joined(value[0].span, value[-1].span)
        if depth > MAX_DEPTH:
            return Broken(span, "")
        return Sequence(span, tuple(_mapping(table, depth + 1, flow=False) for table in value))
    if not isinstance(value, _Table):
        return value
    return Broken(value.span, "") if depth > MAX_DEPTH else _mapping(value, depth, flow=flow)


def _duplicate(
    key: _Key, first: _Key, path: tuple[_Key, ...] | None, doing: str | None = None
) -> Problem:
    where = ""
    if path is not None:
        where = f" in table `{_dotted(path)}`" if path else " in document root"
    return Problem(f"duplicate key `{_name(key)}`{where}", key.span, doing, first.span)


def _no_table(way: tuple[_Key, ...], item: _Item) -> Problem:
    name, value = _dotted(way), item.value
    type_name = "inline table" if isinstance(value, Mapping) else "array"
    type_name = kind(value).value if isinstance(value, Scalar) else type_name
    message = f"dotted key `{name}` attempted to extend non-table type ({type_name})"
    return Problem(message, way[-1].span, None, item.key.span)


def _name(key: _Key) -> str | None:
    """The name of a key; None for a broken key, or one that has not been typed yet."""
    return key.value if isinstance(key, Scalar) and key.span.start < key.span.end else None


def _dotted(way: tuple[_Key, ...]) -> str:
    return ".".join(_name(key) or "" for key in way)


def _joined(first: Span, second: Span) -> Span:
    if first.start <= second.start and second.end <= first.end:
        return first
    return Span(min(first.start, second.start), max(first.end, second.end))
