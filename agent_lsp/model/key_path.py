"""Finds the keys that belong at a path of a header or of a file, at any depth.

Invariants: the walk is the same for YAML, TOML and JSON, because their trees are the same. A path
may lead to a place where nothing is written yet. A key that needs a certain value of another key is
left out only if that value decides against it. If the value is unknown or missing without a
default, all keys stay.
"""

from collections.abc import Iterable, Iterator, Mapping

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Entry, Node, Scalar, Sequence, resolve

# The names and the numbers of items that lead from the root of a tree to a node.
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A mapping, a list or a value, found by the names that lead to it.

    `key` is the key of the last name, or None for an unknown key and for the root. `keys` are the
    keys that belong in the mapping, and none if the place is no mapping. `is_named` says that
    people choose the names here.
    """

    key: Key | None
    keys: tuple[Key, ...]
    is_named: bool = False

    def named(self, name: str) -> Key | None:
        """The key called `name` that belongs here, or None."""
        return next((key for key in self.keys if key.name == name), None)


def place_at(keys: tuple[Key, ...], root: Node | None, path: KeyPath) -> KeyPlace:
    """The place at `path` below `root`, a mapping for `keys`.

    A name below a list of mappings, without the number of an item, belongs to the last item.
    """
    node = resolve(root)
    place = KeyPlace(None, counting(keys, node))
    for step in path:
        if isinstance(step, str) and isinstance(node, Sequence):
            node = _child(node, -1)
            place = _into(place, -1, node)
        node = _child(node, step)
        place = _into(place, step, node)
    return place


def path_of(above: Iterable[nodes.Mapping | Entry | Sequence], last: Node | None = None) -> KeyPath:
    """The path through the nodes `above`, and to an item `last` of the last of them."""
    path: list[str | int] = []
    around: Sequence | None = None
    for step in (*above, *(() if last is None else (last,))):
        if around is not None:
            path.append(next((n for n, item in enumerate(around.items) if item is step), -1))
        around = step if isinstance(step, Sequence) and step is not last else None
        if isinstance(step, Entry):
            path.append(step.name or "")
    return tuple(path)


def every(keys: Iterable[Key]) -> Iterator[Key]:
    """The keys and all keys inside of them, the outer ones first."""
    waiting = list(keys)
    seen: set[int] = set()
    while waiting:
        key = waiting.pop(0)
        yield key
        # Many keys may share their inner keys.
        if key.items and id(key.items) not in seen:
            seen.add(id(key.items))
            waiting += key.items


def dotted(
    keys: tuple[Key, ...], table: Node | None, prefix: str = ""
) -> Iterator[tuple[str, Entry]]:
    """The values written in `table` and in the tables inside of it, by their dotted names."""
    node = resolve(table)
    for entry in node.entries if isinstance(node, nodes.Mapping) else ():
        name = f"{prefix}{entry.name}"
        key = next((key for key in keys if key.name == entry.name), None)
        is_table = key is not None and key.kind is ValueKind.TABLE
        if is_table and isinstance(entry.node, nodes.Mapping):
            yield from dotted(key.items if key else (), entry.value, f"{name}.")
        elif isinstance(entry.key, Scalar):
            yield name, entry


def counting(keys: tuple[Key, ...], node: Node | None) -> tuple[Key, ...]:
    """The `keys` that apply, given the values of the keys on which they depend."""
    for key in keys:
        if key.when is not None:
            break
    else:
        # Each keystroke asks this for each mapping, and most have no such keys.
        return keys
    words = _deciding(keys, node if isinstance(node, nodes.Mapping) else None)
    found: dict[str, Key] = {}
    for key in keys:
        word = words[key.when.key] if key.when is not None else None
        if key.when is None or word is None or word in key.when.values:
            found.setdefault(key.name, key)
    return tuple(found.values())


def _into(place: KeyPlace, step: str | int, node: Node | None) -> KeyPlace:
    key = place.key
    if isinstance(step, int):
        is_record = key is not None and key.kind is ValueKind.RECORDS
        return KeyPlace(key, counting(key.items, node) if is_record and key else ())
    if place.is_named and key is not None:
        return KeyPlace(replace(key, is_named=False), counting(key.items, node))
    found = place.named(step)
    if found is None and key is not None and key.others is not None:
        found = replace(key.others, name=step)
    if found is None or not may_be_table(found):
        return KeyPlace(found, ())
    return KeyPlace(found, () if found.is_named else counting(found.items, node), found.is_named)


def may_be_table(key: Key) -> bool:
    """Whether the value of a key may be a table."""
    return key.kind is ValueKind.TABLE or (key.kind is ValueKind.CHOICE and bool(key.items))


def _child(node: Node | None, step: str | int) -> Node | None:
    if isinstance(step, str):
        entry = node.get(step) if isinstance(node, nodes.Mapping) else None
        return entry.node if entry is not None else None
    items = node.items if isinstance(node, Sequence) else ()
    return resolve(items[step]) if -len(items) <= step < len(items) else None


def _deciding(keys: tuple[Key, ...], node: nodes.Mapping | None) -> Mapping[str, str | None]:
    """The word or the default of each key on which others depend; None decides nothing."""
    found: dict[str, str | None] = {}
    conditions = [key.when for key in keys if key.when is not None]
    for name in dict.fromkeys(one.key for one in conditions):
        known = {word for one in conditions if one.key == name for word in one.values}
        default = next((one.default for one in conditions if one.key == name and one.default), None)
        entry = node.get(name) if node is not None else None
        value = entry.node if entry is not None else None
        word = value.value if isinstance(value, Scalar) else None
        found[name] = default if entry is None else word if word in known else None
    return found
