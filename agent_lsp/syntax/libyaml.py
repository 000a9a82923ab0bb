"""What libyaml, the parser of the runtimes, makes of a stretch of a header: nodes or a complaint.

Invariants: nothing here recurses, and no node stands deeper than `MAX_DEPTH`, counted through
aliases too, so readers of a tree may recurse. libyaml's lines are never used: it ends them at
U+0085, U+2028 and U+2029 as well.
"""

import re
from dataclasses import dataclass, field

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    StreamEndEvent,
)
from yaml.reader import ReaderError

from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Style,
)
from agent_lsp.syntax.yaml_source import Source
from agent_lsp.text import Span

if not yaml.__with_libyaml__:
    raise ImportError(
        "this PyYAML lacks libyaml, the parser that decides what a runtime loads: install a "
        "PyYAML wheel made for this platform, or libyaml's headers and build PyYAML again"
    )

# Headers need five levels; Python's stack holds a thousand frames.
MAX_DEPTH = 64
_BOM = "\ufeff"
_MAX_BRACKETS = 1000
_BRACKET = re.compile(r"[\[\]{}]")
_STYLES = {style.value: style for style in Style} | {"": Style.PLAIN}

# What an anchor stands for, None while it is being read, and how deep that is.
Anchors = dict[str, tuple[Node | None, int]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One stretch of text as libyaml sees it.

    `problem` is its complaint about the first document, which then has no `root`.
    `unknown` is the first alias of an anchor that it has not seen. `rest` is the index where
    a second document, or what fails to be one, begins.
    """

    root: Node | None = None
    problem: Problem | None = None
    unknown: Problem | None = None
    rest: int | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Turns indexes of the text that libyaml got into indexes of the source and spans."""

    source: Source
    start: int
    end: int
    shift: int

    def index(self, at: int) -> int:
        at += self.shift
        return self.start if at < self.start else min(at, self.end)

    def span(self, start: int, end: int) -> Span:
        return self.source.span(self.index(start), self.index(end))


@dataclass(slots=True)
class _Open:
    """A collection that is being read; the outermost is the document."""

    start: int = 0
    mapping: bool = False
    flow: bool = False
    tag: str | None = None
    anchor: str | None = None
    children: list[Node] = field(default_factory=list)
    height: int = 0


def compose(
    source: Source,
    start: int,
    end: int,
    anchors: Anchors,
    *,
    before: str = "",
    after: str = "",
) -> Reading:
    """What libyaml reads between two indexes of `source`.

    `before` and `after` are put around the stretch and have no place in the file.
    `anchors` is what aliases may refer to, and is added to.
    """
    text = before + source.text[start:end] + after
    # libyaml does not count a byte-order mark at the very start.
    place = _Place(source, start, end, start - len(before) + text.startswith(_BOM))
    if (problem := _depth_problem(text, place)) is not None:
        return Reading(problem=problem)
    events, failure, more = _events(text)
    unknown = _unknown_anchor(events, place, anchors) if "*" in text else None
    if failure is not None and not (events and isinstance(events[-1], DocumentEndEvent)):
        return Reading(None, _problem(failure, text, place), unknown)
    rest = _rest(place, events[-1]) if failure or more else None
    return Reading(_build(events, place, anchors), None, unknown, rest)


def _depth_problem(text: str, place: _Place) -> Problem | None:
    """A complaint about brackets in brackets that take some versions of libyaml minutes."""
    if text.count("[") + text.count("{") <= _MAX_BRACKETS:
        return None
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth = max(0, depth + (1 if bracket[0] in "[{" else -1))
        if depth > _MAX_BRACKETS:
            at = place.source.token(place.index(bracket.start()))
            return Problem("exceeded maximum nesting depth", at, "while increasing flow level", at)
    return None


def _events(text: str) -> tuple[list[Event], yaml.YAMLError | None, bool]:
    """The events of the first document, what went wrong, and whether another document follows."""
    events: list[Event] = []
    parser = yaml.CSafeLoader(text)
    try:
        while (event := parser.get_event()) is not None:
            if events and isinstance(events[-1], DocumentEndEvent):
                return events, None, not isinstance(event, StreamEndEvent)
            events.append(event)
    except yaml.YAMLError as failure:
        return events, failure, False
    finally:
        parser.dispose()
    return events, None, False


def _unknown_anchor(events: list[Event], place: _Place, anchors: Anchors) -> Problem | None:
    seen = set(anchors)
    for event in events:
        if isinstance(event, AliasEvent) and event.anchor not in seen:
            return Problem("unknown anchor", place.span(_start(event), _end(event)))
        if isinstance(event, NodeEvent) and event.anchor:
            seen.add(event.anchor)
    return None


def _rest(place: _Place, document_end: Event) -> int:
    index = place.index(_end(document_end))
    while index < place.end and place.source.trimmed(index, index + 1) == index:
        index += 1
    return index


def _build(events: list[Event], place: _Place, anchors: Anchors) -> Node | None:
    """The node of a whole document's `events`, None if there is no document."""
    stack = [_Open()]
    for event in events:
        match event:
            case ScalarEvent():
                _put(stack, anchors, event.anchor, _scalar(event, place), 0)
            case AliasEvent():
                alias, height = _alias(event, place, anchors, len(stack))
                _put(stack, anchors, None, alias, height)
            case CollectionStartEvent():
                if event.anchor:
                    # An alias in it is no unknown one, but has a target only behind it.
                    anchors[event.anchor] = (None, 0)
                mapping, flow = isinstance(event, MappingStartEvent), bool(event.flow_style)
                stack.append(_Open(_start(event), mapping, flow, event.tag, event.anchor))
            case CollectionEndEvent():
                opened = stack.pop()
                node = _collection(opened, event, place, len(stack))
                _put(stack, anchors, opened.anchor, node, opened.height + 1)
            case _:
                pass
    return stack[0].children[0] if stack[0].children else None


def _put(stack: list[_Open], anchors: Anchors, anchor: str | None, node: Node, height: int) -> None:
    if anchor:
        anchors[anchor] = (node, height)
    stack[-1].children.append(node)
    stack[-1].height = max(stack[-1].height, height)


def _scalar(event: ScalarEvent, place: _Place) -> Scalar:
    start, end = place.index(_start(event)), place.index(_end(event))
    style = _STYLES[event.style or ""]
    if start == end:
        # Without a colon, libyaml puts an absent value at the next token.
        start = end = place.source.trimmed(place.start, start)
    elif style in (Style.LITERAL, Style.FOLDED):
        end = place.source.trimmed(start, end)
    return Scalar(place.source.span(start, end), event.value, style, event.tag)


def _alias(event: AliasEvent, place: _Place, anchors: Anchors, depth: int) -> tuple[Alias, int]:
    name = event.anchor or ""
    target, height = anchors.get(name, (None, 0))
    if depth + height > MAX_DEPTH:
        target, height = None, 0
    return Alias(place.span(_start(event), _end(event)), name, target), height


def _collection(opened: _Open, event: CollectionEndEvent, place: _Place, depth: int) -> Node:
    """The finished collection; `depth` counts those that it stands in, the document included."""
    children = opened.children
    # Only brackets have an end of their own; a block, and a pair in `[a: b]`, end with a child.
    bracket = _end(event) > _start(event) or not children
    last = place.source.offset(place.index(_end(event))) if bracket else children[-1].span.end
    span = Span(place.source.offset(place.index(opened.start)), last)
    if depth > MAX_DEPTH:
        # Of nested ones, only the outermost is kept.
        return Broken(span, place.source.raw(span) if depth == MAX_DEPTH + 1 else "")
    if opened.mapping:
        entries = tuple(map(Entry, children[::2], children[1::2]))
        return Mapping(span, entries, opened.flow, opened.tag)
    return Sequence(span, tuple(children), opened.flow, opened.tag)


def _problem(failure: yaml.YAMLError, text: str, place: _Place) -> Problem:
    source = place.source
    if isinstance(failure, ReaderError):
        # The only position that libyaml counts in bytes.
        index = len(text.encode()[: failure.position].decode(errors="ignore"))
        index -= text.startswith(_BOM)
        return Problem(failure.reason, source.token(place.index(index)))
    if not isinstance(failure, yaml.MarkedYAMLError) or failure.problem_mark is None:
        return Problem(str(failure), source.token(place.start))
    begun = failure.context_mark
    return Problem(
        failure.problem or "",
        source.token(place.index(failure.problem_mark.index)),
        failure.context,
        source.token(place.index(begun.index)) if begun else None,
    )


def _start(event: Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: Event) -> int:
    return event.end_mark.index if event.end_mark else 0
