"""Parses a YAML header: libyaml parses a valid text, and error recovery an invalid one.

Invariants: `parse` never raises, and always ends. The tree of a valid text is what the runtime
sees. In an invalid text, the damage stays in the part of the text where it is: libyaml parses each
part by itself, and an invalid one does not affect its neighbours. The recursion ends at
`MAX_DEPTH`, so a tree is at most twice as deep.
"""

from bisect import bisect_right

from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Tree,
)
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.syntax.yaml.libyaml import MAX_DEPTH, Source
from agent_lsp.syntax.yaml.pieces import (
    Line,
    Pieces,
    Unit,
    absent,
    below,
    broken,
    code_end,
    compose,
    document,
    flow,
    key,
    own,
    quoted,
    report,
    split,
    unblank,
    units,
)
from agent_lsp.text import Span


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, a header without its fences that begins at offset `start`."""
    source = libyaml.read(text, start)
    anchors: libyaml.Anchors = {}
    reading = libyaml.compose(source, 0, len(source.text), anchors)
    # The parser looks anchors up as it reads, so an unknown one comes before its other complaint.
    problem = reading.unknown or reading.problem
    if reading.problem is not None:
        root, damage, rest = _recovered(source, reading.problem)
        return Tree(root, problem, damage, rest, libyaml.begun(source))
    rest = None if reading.rest is None else Span(source.offset(reading.rest), start + len(text))
    begun = libyaml.begun(source) if problem is not None else None
    return Tree(reading.root, problem, (), rest, begun)


def sound(text: str, start: int = 0) -> Node | None:
    """The root of `text` as `parse` finds it, or None if `text` is not one valid document."""
    source = libyaml.read(text, start)
    reading = libyaml.compose(source, 0, len(source.text), {})
    is_one = (reading.problem, reading.unknown, reading.rest) == (None, None, None)
    return reading.root if is_one else None


def _recovered(
    source: Source, problem: Problem
) -> tuple[Node | None, tuple[Problem, ...], Span | None]:
    """The root of a text that libyaml refuses with `problem`, its damage, and the rest."""
    pieces = Pieces(source)
    lines, rest = document(split(source.text))
    root = _broken_block(pieces, lines, problem, 1) if lines else None
    damage = sorted(pieces.damage, key=lambda found: found.span) or [problem]
    return root, tuple(damage), None if rest is None else source.span(rest, len(source.text))


def _block(pieces: Pieces, lines: Unit, problem: Problem, depth: int) -> Node:
    """The node of `lines`, the first of which is not blank.

    `problem` is the complaint about the construct around the block.
    """
    head = lines[0]
    node, complaint = _compose(pieces, lines)
    if node is not None:
        _report_tab(pieces, head)
        return node
    problem = complaint or problem
    damage = len(pieces.damage)
    node = _broken_block(pieces, lines, problem, depth)
    if len(pieces.damage) == damage:
        report(pieces, problem, head.content, lines[-1].next)
    return node


def _broken_block(pieces: Pieces, lines: Unit, problem: Problem, depth: int) -> Node:
    """The intended node of `lines`, which libyaml refuses with `problem`."""
    head, blocks = lines[0], units(lines)
    if depth > MAX_DEPTH:
        return broken(pieces, head.content, code_end(lines), problem)
    dashes = sum(unit[0].dash for unit in blocks)
    keys = sum(unit[0].colon is not None for unit in blocks)
    # The first unit decides what a block is, but a header is a mapping as soon as it has a key.
    if dashes > (0 if head.dash else keys) and (depth > 1 or not keys):
        items = _items(pieces, blocks, problem, depth)
        end = max(item.span.end for item in items)
        return Sequence(Span(pieces.source.offset(head.content), end), tuple(items))
    if keys and head.text[head.content] != "{":
        entries = _entries(pieces, blocks, problem, depth)
        end = max(entry.span.end for entry in entries)
        return Mapping(Span(pieces.source.offset(head.content), end), tuple(entries))
    return _value(pieces, head, lines, problem, depth)


def _entries(pieces: Pieces, blocks: list[Unit], problem: Problem, depth: int) -> list[Entry]:
    """The entries of a block mapping, unit by unit."""
    entries: list[Entry] = []
    at = 0
    while at < len(blocks):
        count, node, complaint = _sound(pieces, blocks, at, Mapping, problem)
        if isinstance(node, Mapping):
            entries += node.entries
        else:
            entry, outside = _entry(pieces, blocks[at], complaint or problem, depth)
            entries.append(entry)
            blocks[at + 1 : at + 1] = units(outside, mapping=True)
        at += count
    return entries


def _items(pieces: Pieces, blocks: list[Unit], problem: Problem, depth: int) -> list[Node]:
    """The items of a block list, unit by unit."""
    items: list[Node] = []
    at = 0
    while at < len(blocks):
        count, node, complaint = _sound(pieces, blocks, at, Sequence, problem)
        if isinstance(node, Sequence):
            items += node.items
        else:
            items.append(_item(pieces, blocks[at], complaint or problem, depth))
        at += count
    return items


def _sound(
    pieces: Pieces,
    blocks: list[Unit],
    at: int,
    kind: type[Mapping | Sequence],
    problem: Problem,
) -> tuple[int, Node | None, Problem | None]:
    """The number of units from `at` on that parse together, and their node; or the complaint.

    Units are parsed together because libyaml lets a quoted string and a flow list continue at the
    indent of the block around them. `problem` is that of all units together.
    """
    stop = len(blocks) if pieces.budget > pieces.reserve else at + 1
    complaint: Problem | None = problem
    while True:
        if at > 0 or stop < len(blocks) or stop == 1:
            node, complaint = _compose(pieces, (blocks[at][0], blocks[stop - 1][-1]))
            if isinstance(node, kind) and not node.flow:
                _report_tab(pieces, blocks[at][0])
                return stop - at, node, None
        if stop == at + 1:
            return 1, None, complaint
        stop = _suspect(pieces, blocks, at, stop, complaint)


def _suspect(
    pieces: Pieces, blocks: list[Unit], at: int, stop: int, complaint: Problem | None
) -> int:
    """The last unit before `stop` that may have the error; the one after `at` if none is named."""
    offset = pieces.source.offset
    marks = [complaint.span, complaint.context_span] if complaint else []
    units_of = (
        bisect_right(blocks, mark.start, at, stop, key=lambda unit: offset(unit[0].content)) - 1
        for mark in marks
        # The parser reports a missing bracket at the end of the text, but the error is at its
        # beginning.
        if mark and mark.start < offset(blocks[stop - 1][-1].next)
    )
    return max((unit for unit in units_of if at < unit < stop), default=at + 1)


def _entry(pieces: Pieces, unit: Unit, problem: Problem, depth: int) -> tuple[Entry, Unit]:
    """The intended entry of an invalid unit, and the lines that do not belong to it."""
    head = unit[0]
    if head.dash:
        return Entry(_stray(pieces, unit, problem, depth), None), ()
    if head.colon is None:
        return Entry(_word(pieces, unit, problem), None), ()
    name = key(pieces, head.content, head.colon)
    value = head.after(head.colon + 1)
    if not value.after_properties().blank:
        return _inline(pieces, unit, name, value, problem, depth)
    lines, outside = below(unit)
    if lines:
        return Entry(name, _block(pieces, lines, problem, depth + 1)), outside
    if value.blank:
        return Entry(name, absent(pieces, head.colon + 1)), outside
    return Entry(name, broken(pieces, value.content, code_end(unit), problem)), outside


def _inline(
    pieces: Pieces, unit: Unit, name: Node, value: Line, problem: Problem, depth: int
) -> tuple[Entry, Unit]:
    """The entry whose value begins on its key's line, and the lines that do not belong to it."""
    lines, outside = own(unit)
    node, _ = _compose(pieces, lines) if outside else (None, None)
    if isinstance(node, Mapping) and len(node.entries) == 1:
        return node.entries[0], outside
    if isinstance(name, Broken):
        node, _ = _compose(pieces, (value, *unit[1:]))
        if isinstance(node, Scalar | Alias):
            return Entry(name, node), ()
    return Entry(name, _value(pieces, value, unit, problem, depth)), ()


def _stray(pieces: Pieces, unit: Unit, problem: Problem, depth: int) -> Node:
    """The items of a list in a place where a key is expected."""
    damage = len(pieces.damage)
    node = _block(pieces, unit, problem, depth + 1)
    if len(pieces.damage) == damage:
        at = pieces.source.token(unit[0].content)
        expected = Problem("did not find expected key", at, "while parsing a block mapping")
        report(pieces, expected, unit[0].content, unit[-1].next)
    return node


def _word(pieces: Pieces, unit: Unit, problem: Problem) -> Node:
    """A key without its colon; the lines that belong to it are left out."""
    head = unit[0]
    node, complaint = compose(pieces, head.content, head.code_stop)
    if node is None or (isinstance(node, Mapping) and not node.flow):
        return broken(pieces, head.content, code_end(unit), complaint or problem)
    at = pieces.source.token(head.content)
    missing = Problem("could not find expected ':'", at, "while scanning a simple key", at)
    report(pieces, missing, head.content, head.stop)
    return node


def _item(pieces: Pieces, unit: Unit, problem: Problem, depth: int) -> Node:
    """The intended item of an invalid unit."""
    head = unit[0]
    if not head.dash:
        at, doing = pieces.source.token(head.content), "while parsing a block collection"
        missing = Problem("did not find expected '-' indicator", at, doing)
        return broken(pieces, head.content, code_end(unit), missing)
    value = head.after(head.content + 1)
    lines = unblank(unit[1:] if value.after_properties().blank else (value, *unit[1:]))
    if lines:
        return _block(pieces, lines, problem, depth + 1)
    return broken(pieces, value.content, code_end(unit), problem)


def _value(pieces: Pieces, value: Line, unit: Unit, problem: Problem, depth: int) -> Node:
    """The value from `value` to the end of its unit, if it is not a block."""
    begin = value.after_properties().content
    first = value.text[begin : begin + 1]
    if first in ("[", "{"):
        return flow(pieces, begin, unit[-1].stop, problem, depth)
    if first in ('"', "'"):
        return quoted(pieces, begin, unit[-1].stop, problem)
    return broken(pieces, value.content, code_end(unit), problem)


def _report_tab(pieces: Pieces, head: Line) -> None:
    """Reports a tab in the indent of a line, which `_compose` replaces by spaces."""
    if head.tab is not None:
        at, doing = pieces.source.token(head.tab), "while scanning for the next token"
        problem = Problem("found character that cannot start any token", at, doing, at)
        report(pieces, problem, head.start, head.stop)


def _compose(pieces: Pieces, lines: Unit) -> tuple[Node | None, Problem | None]:
    """The node that libyaml reads from the first to the last of `lines`, in the same columns."""
    head = lines[0]
    return compose(pieces, head.content, lines[-1].next, before=" " * head.indent)
