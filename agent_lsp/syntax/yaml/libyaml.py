"""Runs libyaml, the parser of the runtimes, on a header: for its nodes, or for its complaint."""

import re
from bisect import bisect_left
from itertools import starmap, zip_longest

from agent_lsp.data_classes import dataclass, field
from agent_lsp.patterns import compiled_late, regex
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
from agent_lsp.text import Span

# PyYAML's own reader, which libyaml replaces, has an expression that takes as long as all the rest.
with compiled_late():
    import yaml
    from yaml import Mark
    from yaml.events import (
        AliasEvent,
        CollectionEndEvent,
        CollectionStartEvent,
        DocumentEndEvent,
        Event,
        MappingStartEvent,
        NodeEvent,
        ScalarEvent,
        SequenceEndEvent,
        StreamEndEvent,
    )
    from yaml.reader import ReaderError

# libyaml ends a line at these. The runtimes pass CRLF or LF to it, which it treats the same.
_BLANKS = " \t\n\r\x85\u2028\u2029"
_SURROGATE = regex(r"[\ud800-\udfff]")
_BREAK = regex(r"[\n\r\x85\u2028\u2029]")
_TOKEN = regex(r"[\w.\-/]+|[^\n\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Source:
    """A header with LF for CRLF and without lone surrogates; it begins at offset `start`.

    A position in `text` is an index; a position in the file is an offset.
    """

    original: str
    text: str
    start: int
    crlf: tuple[int, ...]

    def offset(self, index: int) -> int:
        """The offset of `index`; for a line end that is CRLF in the file, the offset of the CR."""
        shift = bisect_left(self.crlf, index) if self.crlf else 0
        return self.start + index + shift

    def span(self, start: int, end: int) -> Span:
        """The span in the file between two indexes."""
        if self.crlf:
            return Span(self.offset(start), self.offset(end))
        return Span(self.start + start, self.start + end)

    def raw(self, span: Span) -> str:
        """The text of the file in `span`."""
        return self.original[span.start - self.start : span.end - self.start]

    def token(self, index: int) -> Span:
        """The span of the word or the single character at `index`; empty at the end of a line."""
        word = _TOKEN.match(self.text, index)
        return self.span(index, word.end() if word else min(index, len(self.text)))

    def line_stop(self, index: int) -> int:
        """The index where the line of `index` ends."""
        found = _BREAK.search(self.text, index)
        return found.start() if found else len(self.text)

    def trimmed(self, start: int, end: int) -> int:
        """`end` moved back over blanks and line ends, at most to `start`."""
        while end > start and self.text[end - 1] in _BLANKS:
            end -= 1
        return end


def readable(text: str) -> str:
    """`text` with U+FFFD for each lone surrogate, which libyaml cannot read; same length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def read(text: str, start: int) -> Source:
    """The source of the header `text`, which begins at offset `start` of its file."""
    clean = readable(text)
    if "\r\n" not in clean:
        return Source(text, clean, start, ())
    crlf = tuple(found.start() - nth for nth, found in enumerate(re.finditer("\r\n", clean)))
    return Source(text, clean.replace("\r\n", "\n"), start, crlf)


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


if not yaml.__with_libyaml__:
    raise ImportError(
        "this PyYAML lacks libyaml, the parser that decides what a runtime loads: install a "
        "PyYAML wheel made for this platform, or libyaml's headers and build PyYAML again"
    )

_BOM = "\ufeff"
_MAX_BRACKETS = 1000
_BRACKET = regex(r"[\[\]{}]")

_Failure = ReaderError | yaml.MarkedYAMLError


@dataclass(frozen=True, slots=True)
class Reading:
    """What libyaml makes of a part of a text.

    `problem` is its complaint about the first document, which then has no `root`. `unknown` is the
    first alias whose anchor it has not seen. `rest` is the index where a second document begins, or
    an invalid one.
    """

    root: Node | None = None
    problem: Problem | None = None
    unknown: Problem | None = None
    rest: int | None = None


def compose(
    source: Source,
    start: int,
    end: int,
    anchors: Anchors,
    *,
    before: str = "",
    after: str = "",
) -> Reading:
    """The node that libyaml reads between two indexes of `source`.

    `before` and `after` are added around that part, and have no place in the file. `anchors` are
    the targets for aliases; new ones are added to it.
    """
    text = before + source.text[start:end] + after
    # libyaml does not count a byte-order mark at the start of the text.
    place = EventOffsets(source, start, end, start - len(before) + text.startswith(_BOM))
    if (problem := _depth_problem(text, place)) is not None:
        return Reading(problem=problem)
    events, failure, more = _events(text)
    unknown = _unknown_anchor(events, place, anchors) if "*" in text else None
    if failure is not None and not (events and isinstance(events[-1], DocumentEndEvent)):
        return Reading(None, _problem(failure, text, place), unknown)
    rest = _rest(place, events[-1]) if failure or more else None
    return Reading(build(events, place, anchors), None, unknown, rest)


def begun(source: Source) -> Node | None:
    """The node of what libyaml reports before the first problem; None if it nests too deep."""
    place = EventOffsets(source, 0, len(source.text), 0 + source.text.startswith(_BOM))
    if _depth_problem(source.text, place) is not None:
        return None
    events, _, _ = _events(source.text)
    seen: set[str] = set()
    for at, event in enumerate(events):
        if isinstance(event, AliasEvent) and event.anchor not in seen:
            events = events[:at]
            break
        if isinstance(event, NodeEvent) and event.anchor:
            seen.add(event.anchor)
    return build_begun(events, place)


def _depth_problem(text: str, offsets: EventOffsets) -> Problem | None:
    """A complaint about brackets that nest so deep that some versions of libyaml take minutes."""
    if text.count("[") + text.count("{") <= _MAX_BRACKETS:
        return None
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth = max(0, depth + (1 if bracket[0] in "[{" else -1))
        if depth > _MAX_BRACKETS:
            at = offsets.source.token(offsets.index(bracket.start()))
            return Problem("exceeded maximum nesting depth", at, "while increasing flow level", at)
    return None


def _events(text: str) -> tuple[list[Event], _Failure | None, bool]:
    """The events of the first document, the exception, and whether another document follows."""
    events: list[Event] = []
    parser = yaml.CSafeLoader(text)
    try:
        while (event := parser.get_event()) is not None:
            if events and isinstance(events[-1], DocumentEndEvent):
                return events, None, not isinstance(event, StreamEndEvent)
            events.append(event)
    except (ReaderError, yaml.MarkedYAMLError) as failure:
        # The traceback would keep all events alive until the next garbage collection.
        return events, failure.with_traceback(None), False
    finally:
        parser.dispose()
    return events, None, False


def _unknown_anchor(events: list[Event], offsets: EventOffsets, anchors: Anchors) -> Problem | None:
    seen = set(anchors)
    for event in events:
        if isinstance(event, AliasEvent) and event.anchor not in seen:
            return Problem("unknown anchor", offsets.span(start_of(event), end_of(event)))
        if isinstance(event, NodeEvent) and event.anchor:
            seen.add(event.anchor)
    return None


def _rest(offsets: EventOffsets, document_end: Event) -> int:
    index = offsets.index(end_of(document_end))
    while index < offsets.end and offsets.source.trimmed(index, index + 1) == index:
        index += 1
    return index


def _problem(failure: _Failure, text: str, offsets: EventOffsets) -> Problem:
    source = offsets.source
    if isinstance(failure, ReaderError):
        # This is the only position that libyaml counts in bytes.
        index = len(text.encode()[: failure.position].decode(errors="ignore"))
        index -= text.startswith(_BOM)
        return Problem(failure.reason, source.token(offsets.index(index)))
    at, begun = failure.problem_mark, failure.context_mark
    return Problem(
        failure.problem or "",
        source.token(offsets.index(at.index if at else 0)),
        failure.context,
        source.token(offsets.index(begun.index)) if begun else None,
    )
