"""Builds nodes from the events of libyaml.

Invariants: nothing here recurses. Nodes deeper than `MAX_DEPTH`, counted through aliases as well,
are `Broken`, so functions that read a tree may recurse. Only the indexes of libyaml's marks are
used, not the lines, because libyaml also ends lines at U+0085, U+2028 and U+2029.
"""

from dataclasses import dataclass, field
from itertools import starmap, zip_longest

from yaml import Mark
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from agent_lsp.syntax.nodes import Alias, Broken, Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.yaml.header_text import Source
from agent_lsp.text import Span

# Headers need five levels; Python's stack holds a thousand frames.
MAX_DEPTH = 64
_BLOCKS = (Style.LITERAL, Style.FOLDED)
_STYLES = {style.value: style for style in Style} | {"": Style.PLAIN}

# The target of each anchor, None while that is being read, with its depth.
Anchors = dict[str, tuple[Node | None, int]]


@dataclass(frozen=True, slots=True)
class EventOffsets:
    """Translates libyaml's indexes of a part of the text into those of its source."""

    source: Source
    start: int
    end: int
    shift: int

    def index(self, at: int) -> int:
        """The index in the source for libyaml's index `at`, inside of the part."""
        at += self.shift
        return self.start if at < self.start else min(at, self.end)

    def span(self, start: int, end: int) -> Span:
        """The span in the file between two indexes of libyaml."""
        return self.source.span(self.index(start), self.index(end))


@dataclass(slots=True)
class _Open:
    """A collection under construction; the outermost one is the document."""

    start: int = 0
    mapping: bool = False
    flow: bool = False
    tag: str | None = None
    anchor: str | None = None
    children: list[Node] = field(default_factory=list)
    height: int = 0


def build(events: list[Event], offsets: EventOffsets, anchors: Anchors) -> Node | None:
    """The root node of the `events` of a document, or None if there is no document."""
    stack = [_Open()]
    for event in events:
        match event:
            case ScalarEvent(anchor=None):
                # Nearly all nodes of headers.
                stack[-1].children.append(_scalar(event, offsets, stack[-1]))
            case ScalarEvent():
                _put(stack, anchors, event.anchor, _scalar(event, offsets, stack[-1]), 0)
            case AliasEvent():
                alias, height = _alias(event, offsets, anchors, len(stack))
                _put(stack, anchors, None, alias, height)
            case CollectionStartEvent():
                if event.anchor:
                    # An alias inside of the collection is known, but has no target until the end of
                    # the collection.
                    anchors[event.anchor] = (None, 0)
                mapping, flow = isinstance(event, MappingStartEvent), bool(event.flow_style)
                stack.append(_Open(start_of(event), mapping, flow, event.tag, event.anchor))
            case CollectionEndEvent():
                opened = stack.pop()
                node = _collection(opened, event, offsets, len(stack))
                _put(stack, anchors, opened.anchor, node, opened.height + 1)
            case _:
                pass
    return stack[0].children[0] if stack[0].children else None


def build_begun(events: list[Event], offsets: EventOffsets) -> Node | None:
    """As `build`, for `events` that stop anywhere; open collections end with the text."""
    depth = 0
    for event in events:
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
    start, end = (Mark("", at, 0, 0, None, 0) for at in (0, offsets.end - offsets.shift))
    return build([*events, *[SequenceEndEvent(start, end)] * depth], offsets, {})


def start_of(event: Event) -> int:
    """The index of an event's start in libyaml's text."""
    return event.start_mark.index if event.start_mark else 0


def end_of(event: Event) -> int:
    """The index of an event's end in libyaml's text."""
    return event.end_mark.index if event.end_mark else 0


def _put(stack: list[_Open], anchors: Anchors, anchor: str | None, node: Node, height: int) -> None:
    if anchor:
        anchors[anchor] = (node, height)
    stack[-1].children.append(node)
    stack[-1].height = max(stack[-1].height, height)


def _scalar(event: ScalarEvent, offsets: EventOffsets, opened: _Open) -> Scalar:
    start, end = offsets.index(start_of(event)), offsets.index(end_of(event))
    style = _STYLES[event.style or ""]
    if start < end and style not in _BLOCKS:
        return Scalar(offsets.source.span(start, end), event.value, style, event.tag)
    if start == end:
        # Without a colon, libyaml reports a missing value at the next token.
        at = offsets.source.offset(offsets.source.trimmed(offsets.start, start))
        at = max(at, opened.children[-1].span.end) if opened.children else at
        return Scalar(Span(at, at), event.value, style, event.tag)
    end = min(end, offsets.source.line_stop(offsets.source.trimmed(start, end)))
    return Scalar(offsets.source.span(start, end), event.value, style, event.tag)


def _alias(
    event: AliasEvent, offsets: EventOffsets, anchors: Anchors, depth: int
) -> tuple[Alias, int]:
    name = event.anchor or ""
    target, height = anchors.get(name, (None, 0))
    if depth + height > MAX_DEPTH:
        target, height = None, 0
    return Alias(offsets.span(start_of(event), end_of(event)), name, target), height


def _collection(
    opened: _Open, event: CollectionEndEvent, offsets: EventOffsets, depth: int
) -> Node:
    """The finished collection; `depth` counts the collections around it, and the document."""
    children = opened.children
    # Only collections in brackets have an end of their own. Blocks, and a pair in `[a: b]`, end
    # with their last child.
    bracket = end_of(event) > start_of(event) or not children
    last = offsets.source.offset(offsets.index(end_of(event))) if bracket else children[-1].span.end
    span = Span(offsets.source.offset(offsets.index(opened.start)), last)
    if depth > MAX_DEPTH:
        # Only the outermost of nested ones keeps its text.
        return Broken(span, offsets.source.raw(span) if depth == MAX_DEPTH + 1 else "")
    if opened.mapping:
        entries = tuple(starmap(Entry, zip_longest(children[::2], children[1::2])))
        return Mapping(span, entries, opened.flow, opened.tag)
    return Sequence(span, tuple(children), opened.flow, opened.tag)
