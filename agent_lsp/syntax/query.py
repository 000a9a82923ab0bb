"""Finds nodes of a tree by offset or span, with their ancestors.

Invariant: a node is found where it is written; the targets of aliases are not searched.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence
from agent_lsp.text import Span

_Node_co = TypeVar("_Node_co", bound="Node | None", covariant=True)
_Child = TypeVar("_Child", Entry, Node)


@dataclass(frozen=True, slots=True)
class NodePath(Generic[_Node_co]):
    """A node with its ancestors.

    `above` are the collections and entries from the root down to `node`. `node` is None if the
    offset is between nodes. `is_key` says that `node` is the key of the last entry.
    """

    above: tuple[Mapping | Entry | Sequence, ...]
    node: _Node_co
    is_key: bool = False

    def up(self, steps: int) -> Mapping | Entry | Sequence | None:
        """The ancestor `steps` above the node, or None."""
        return self.above[-steps] if steps <= len(self.above) else None

    @property
    def entry(self) -> Entry | None:
        """The entry of which the node is the key or the value."""
        return self.above[-1] if self.above and isinstance(self.above[-1], Entry) else None

    @property
    def sequence(self) -> Sequence | None:
        """The sequence of which the node is an item."""
        return self.above[-1] if self.above and isinstance(self.above[-1], Sequence) else None

    @property
    def mapping(self) -> Mapping | None:
        """The innermost mapping around the node."""
        return next((outer for outer in reversed(self.above) if isinstance(outer, Mapping)), None)

    @property
    def flow(self) -> bool:
        """Whether the node is inside of brackets or braces."""
        return any(isinstance(outer, Mapping | Sequence) and outer.flow for outer in self.above)


def path_at(root: Node | None, offset: int) -> NodePath[Node | None]:
    """The path from `root` to the node at `offset`.

    Tables whose parts alternate in the text overlap, so the first one that contains `offset` may be
    the wrong one.
    """
    if not isinstance(root, Mapping | Sequence):
        return NodePath((), root)
    found = None
    for child in root.entries if isinstance(root, Mapping) else root.items:
        if not (child if isinstance(child, Entry) else child.span).covers(offset):
            continue
        path = _into(child, offset) if isinstance(child, Entry) else path_at(child, offset)
        if path.node is not None:
            return NodePath((root, *path.above), path.node, path.is_key)
        found = found or path
    return NodePath((root, *(found.above if found is not None else ())), None)


def path_to(root: Node | None, span: Span) -> NodePath[Node] | None:
    """The path from `root` to the innermost key, value or item with exactly this span, or None."""
    return _in_order(root, span) or _through(root, span)


def _into(entry: Entry, offset: int) -> NodePath[Node | None]:
    if entry.key.span.covers(offset):
        return NodePath((entry,), entry.key, is_key=True)
    value = entry.value if entry.value and entry.value.span.covers(offset) else None
    path = path_at(value, offset)
    return NodePath((entry, *path.above), path.node, path.is_key)


def _in_order(root: Node | None, span: Span) -> NodePath[Node] | None:
    """The path in a tree whose nodes are in the order of the text, such as one of YAML."""
    found: NodePath[Node] | None = None
    waiting = [NodePath((), root)] if root is not None else []
    while waiting:
        path = waiting.pop()
        node = path.node
        if node.span == span:
            found = path
        if isinstance(node, Mapping):
            for entry in _around(node.entries, span):
                above = (*path.above, node, entry)
                waiting.append(NodePath(above, entry.key, is_key=True))
                if entry.value is not None:
                    waiting.append(NodePath(above, entry.value))
        elif isinstance(node, Sequence):
            above = (*path.above, node)
            waiting += (NodePath(above, item) for item in _around(node.items, span))
    return found


def _through(root: Node | None, span: Span) -> NodePath[Node] | None:
    """The path in a tree whose nodes may overlap: the ancestors of the node at the start."""
    path = path_at(root, span.start)
    if path.node is not None and path.node.span == span:
        return NodePath(path.above, path.node, path.is_key)
    for depth in range(len(path.above) - 1, -1, -1):
        outer = path.above[depth]
        if not isinstance(outer, Entry) and outer.span == span:
            return NodePath(path.above[:depth], outer)
    return None


def _around(children: tuple[_Child, ...], span: Span) -> Iterator[_Child]:
    """The `children`, which are in the order of the text, that can contain `span`."""
    after = bisect_right(children, span.start, key=lambda child: child.span.start)
    # Several empty nodes can be at the same offset.
    for child in reversed(children[:after]):
        if child.span.end < span.start:
            return
        yield child
