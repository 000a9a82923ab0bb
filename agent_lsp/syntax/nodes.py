"""The nodes that the YAML and TOML parsers produce, and their search by offset or span."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Generic, TypeVar

from agent_lsp.data_classes import dataclass, field
from agent_lsp.text import Span


class Style(Enum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"
    MULTI_SINGLE = "'''"
    MULTI_DOUBLE = '"""'


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text value; `value` is the text after quotes, escapes and folding.

    `tag` is the resolved explicit tag (`tag:yaml.org,2002:str`, `!local`) or None. A missing value
    after a colon is a plain scalar with an empty span.
    """

    span: Span
    value: str
    style: Style = Style.PLAIN
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """`*name`; `target` is the anchored node, or None if that is not known (yet).

    Following aliases of aliases can grow without bounds, so comparison and `repr` do not look at
    the target.
    """

    span: Span
    name: str
    target: "Node | None" = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Broken:
    """Text in the place of a value that does not parse."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, in block (`- a`) or flow (`[a]`) form."""

    span: Span
    items: "tuple[Node, ...]"
    flow: bool = False
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value; `value is None` means that there is no colon yet."""

    key: "Node"
    value: "Node | None"
    # The text of the key, or None if the key is not a scalar. Nearly every check uses this.
    name: str | None = field(init=False, default=None, repr=False, compare=False)
    # The value, or the target if it is an alias.
    node: "Node | None" = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        key = self.key.target if isinstance(self.key, Alias) else self.key
        if isinstance(key, Scalar):
            object.__setattr__(self, "name", key.value)
        node = self.value.target if isinstance(self.value, Alias) else self.value
        object.__setattr__(self, "node", node)

    @property
    def span(self) -> Span:
        """The span from the start of the key to the end of the value."""
        end = self.key.span.end if self.value is None else self.value.span.end
        return Span(self.key.span.start, max(end, self.key.span.end))

    def covers(self, offset: int) -> bool:
        """Whether `offset` is in the entry, or in a part of its value before its key."""
        is_inside = self.value is not None and self.value.span.covers(offset)
        return is_inside or self.span.covers(offset)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with values in source order; duplicates are kept."""

    span: Span
    entries: tuple[Entry, ...]
    flow: bool = False
    tag: str | None = None

    def get(self, name: str) -> Entry | None:
        """The first entry called `name`, or None."""
        # Called for each key of a dialect in each header, so it is no generator.
        for entry in self.entries:
            if entry.name == name:
                return entry
        return None


Node = Scalar | Alias | Broken | Sequence | Mapping


def resolve(node: "Node | None") -> "Node | None":
    """`node`, or the target if it is an alias; None if the alias has no target."""
    return node.target if isinstance(node, Alias) else node


def leaves(root: "Node | None") -> "Iterator[Scalar | Alias | Broken]":
    """The nodes at or below `root` that hold no others, keys included, in no certain order."""
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            waiting += (side for one in node.entries for side in (one.key, one.value))
        elif isinstance(node, Sequence):
            waiting += node.items
        elif node is not None:
            yield node


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a header does not load, in the words of the runtime's parser.

    `message` is the problem without a position, and `span` the place where the parser gave up.
    `context` is what the parser was doing, and `context_span` the place where that began.
    """

    message: str
    span: Span
    context: str | None = None
    context_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """A table header of TOML, `[a.b]`, or `[[a.b]]` if `array`; invalid keys are `Broken`."""

    span: Span
    keys: "tuple[Scalar | Broken, ...]"
    array: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """`a.b = value` in TOML; `value is None` means that there is no equals sign yet."""

    span: Span
    keys: "tuple[Scalar | Broken, ...]"
    value: "Node | None"


@dataclass(frozen=True, slots=True)
class Section:
    """A table header of TOML with the pairs below it, or the pairs before all headers.

    `span` ends at the next header.
    """

    span: Span
    header: Header | None
    pairs: tuple[Pair, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The names in the header; a broken key has an empty name."""
        keys = self.header.keys if self.header else ()
        return tuple(key.value if isinstance(key, Scalar) else "" for key in keys)


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree of one header.

    `problem` is the verdict of the runtime's parser. With None the text is valid, and `root` is
    exactly what the runtime sees, down to a depth of 64; deeper nodes are `Broken`. Otherwise
    `root` is the result of error recovery, and `damage` lists the parts that could not be read, in
    source order.

    `begun` is what the runtime has seen of an invalid text when its parser gives up: a key may lack
    its value, and an open collection ends with the text.

    `rest` is the text after the first document: another document, or an invalid one. Runtimes
    differ in what they do with it, so it is no problem here.

    `sections` are the statements of a TOML text, in source order.
    """

    root: Node | None
    problem: Problem | None = None
    damage: tuple[Problem, ...] = ()
    rest: Span | None = None
    begun: Node | None = field(default=None, repr=False, compare=False)
    sections: tuple[Section, ...] = field(default=(), repr=False, compare=False)
    # The root, or the target if it is an alias.
    top: Node | None = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", resolve(self.root))


_Node_co = TypeVar("_Node_co", bound=Node | None, covariant=True)
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
    # Nearly all nodes are in the order of the text, and a long list is asked for each of its items.
    path = _down(root, offset, _near)
    return path if path.node is not None else _down(root, offset, _covering)


def path_to(root: Node | None, span: Span) -> NodePath[Node] | None:
    """The path from `root` to the innermost key, value or item with exactly this span, or None."""
    return _in_order(root, span) or _through(root, span)


_Candidates = Callable[[Mapping | Sequence, int], "Iterable[Entry | Node]"]


def _down(root: Node | None, offset: int, candidates: _Candidates) -> NodePath[Node | None]:
    """The path through the first of the `candidates` in each collection that leads to a node."""
    if not isinstance(root, Mapping | Sequence):
        return NodePath((), root)
    found = None
    for child in candidates(root, offset):
        if isinstance(child, Entry):
            path = _into(child, offset, candidates)
        else:
            path = _down(child, offset, candidates)
        if path.node is not None:
            return NodePath((root, *path.above), path.node, path.is_key)
        found = found or path
    return NodePath((root, *(found.above if found is not None else ())), None)


def _into(entry: Entry, offset: int, candidates: _Candidates) -> NodePath[Node | None]:
    if entry.key.span.covers(offset):
        return NodePath((entry,), entry.key, is_key=True)
    value = entry.value if entry.value and entry.value.span.covers(offset) else None
    path = _down(value, offset, candidates)
    return NodePath((entry, *path.above), path.node, path.is_key)


def _near(outer: Mapping | Sequence, offset: int) -> "Iterable[Entry | Node]":
    """The children at `offset` of a collection whose children are in the order of the text."""
    at = Span(offset, offset)
    near = _around(outer.entries, at) if isinstance(outer, Mapping) else _around(outer.items, at)
    return reversed(tuple(near))


def _covering(outer: Mapping | Sequence, offset: int) -> "Iterable[Entry | Node]":
    if isinstance(outer, Sequence):
        # What belongs to an item ends where the next one begins, also in TOML.
        return _near(outer, offset)
    return (one for one in outer.entries if one.covers(offset))


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
