"""Runs libyaml, the parser of the runtimes, on a header: for its nodes, or for its complaint.

Invariants: every text gets an answer, in time proportional to its length, and at most one
complaint. The messages are those of libyaml.
"""

import re
from dataclasses import dataclass

import yaml
from yaml.events import AliasEvent, DocumentEndEvent, Event, NodeEvent, StreamEndEvent
from yaml.reader import ReaderError

from agent_lsp.syntax.nodes import Node, Problem
from agent_lsp.syntax.yaml.build import Anchors, EventOffsets, build, build_begun, end_of, start_of
from agent_lsp.syntax.yaml.header_text import Source

if not yaml.__with_libyaml__:
    raise ImportError(
        "this PyYAML lacks libyaml, the parser that decides what a runtime loads: install a "
        "PyYAML wheel made for this platform, or libyaml's headers and build PyYAML again"
    )

_BOM = "\ufeff"
_MAX_BRACKETS = 1000
_BRACKET = re.compile(r"[\[\]{}]")

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
