"""Reads parts of an invalid YAML text, also flow lists and quotes, and limits the work."""

import re
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Problem, Scalar, Sequence
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.syntax.yaml.libyaml import MAX_DEPTH, Source
from agent_lsp.syntax.yaml.lines import colon


@dataclass(slots=True)
class Pieces:
    """An invalid text during error recovery; `damage` and `anchors` grow, `budget` shrinks."""

    source: Source
    damage: list[Problem] = field(default_factory=list)
    anchors: libyaml.Anchors = field(default_factory=dict)
    budget: int = 0
    reserve: int = 0

    def __post_init__(self) -> None:
        # Much more than a header written by a person needs.
        size = min(len(self.source.text), 1_000_000)
        self.reserve = 8 * size
        self.budget = self.reserve + 4 * size + 65_536


def compose(
    pieces: Pieces, start: int, end: int, *, before: str = "", after: str = ""
) -> tuple[Node | None, Problem | None]:
    """The node between two indexes, or None and the complaint.

    The complaint is None as well if the budget is used up.
    """
    if pieces.budget <= 0:
        return None, None
    source = pieces.source
    reading = libyaml.compose(source, start, end, pieces.anchors, before=before, after=after)
    read = end - start
    if reading.problem is not None:
        # libyaml parses the text up to the error; the rest is only copied.
        reached = reading.problem.span.start - source.offset(start)
        read = max(0, reached) + read // 16
    pieces.budget -= read + 1
    return (reading.root if reading.rest is None else None), reading.problem


def key(pieces: Pieces, start: int, end: int) -> Node:
    """The key before a colon; text that is not a key is broken."""
    node, problem = compose(pieces, start, end)
    if node is not None and not isinstance(node, Broken):
        return node
    return broken(pieces, start, end, problem)


def absent(pieces: Pieces, index: int) -> Scalar:
    """The missing value at `index`."""
    return Scalar(pieces.source.span(index, index), "")


def broken(pieces: Pieces, start: int, end: int, problem: Problem | None) -> Broken:
    """The text between two indexes as a broken node; reports `problem`."""
    # After a dash there may be only blanks; `end` is then before `start`.
    start = min(start, end)
    span = pieces.source.span(start, pieces.source.trimmed(start, end))
    report(pieces, problem, start, end)
    return Broken(span, pieces.source.raw(span))


def report(pieces: Pieces, problem: Problem | None, start: int, end: int) -> None:
    """Adds `problem` to the damage, at a place between two indexes."""
    if problem is None:
        return
    at, begun = problem.span, problem.context_span
    low, high = pieces.source.offset(start), pieces.source.offset(end)
    inside = low <= at.start < high
    # libyaml notices a missing colon only on the next line.
    late = problem.message == "could not find expected ':'"
    if begun and low <= begun.start < high and (late or not inside):
        problem = replace(problem, span=begun)
    elif not inside:
        problem = replace(problem, span=pieces.source.token(start))
    pieces.damage.append(problem)


_BREAK = regex(r"[\n\r\x85\u2028\u2029]")
_BLANK = regex(
    r"(?:[ \t\n\r\x85\u2028\u2029]"
    r"|(?<=[ \t\n\r\x85\u2028\u2029,\[\]{}])\#[^\n\r\x85\u2028\u2029]*)*"
)
_QUOTED = regex(r""""(?:[^"\\]|\\.)*("?)|'(?:[^']|'')*('?)""", re.DOTALL)
_COLON = regex(r""":(?=[ \t\n\r\x85\u2028\u2029,\[\]{}]|$)|(?<=["']):""")
_PLAIN = regex(r"[^ \t\n\r\x85\u2028\u2029,\[\]{}:]+|:")
_WORDS = regex(r"[^,\[\]{}\n\r\x85\u2028\u2029]*")
_CLOSERS = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class _Token:
    """A token; `kind` is its first character, which for a quoted string is the quote."""

    kind: str
    start: int
    end: int
    quoted: bool = False
    unclosed: bool = False

    @property
    def closes(self) -> bool:
        return self.kind in "]}" and not self.quoted


def flow(pieces: Pieces, start: int, stop: int, problem: Problem | None, depth: int) -> Node:
    """The flow collection at `start`, with missing brackets added; text after it is damage.

    `problem` is the complaint about the construct around it.
    """
    end, closers, levels = _measure(pieces.source.text, start, stop)
    if depth + levels > MAX_DEPTH:
        return broken(pieces, start, stop, problem)
    node, complaint = compose(pieces, start, end, after=closers)
    if node is None:
        node, end = _by_items(pieces, start, stop, complaint or problem, depth)
    elif closers:
        report(pieces, problem, start, end)
    junk = _skip(pieces.source.text, end, stop)
    if junk < stop:
        report(pieces, problem, junk, stop)
    return node


def quoted(pieces: Pieces, start: int, stop: int, problem: Problem | None) -> Node:
    """The quoted string at `start`; if it is not closed, it ends at `stop`."""
    text = pieces.source.text
    end = pieces.source.trimmed(start, stop)
    found = _QUOTED.match(text, start, end)
    if found is not None and not (found[1] or found[2]):
        node, _ = compose(pieces, start, end, after=text[start])
        if node is not None:
            report(pieces, problem, start, end)
            return node
    return broken(pieces, start, end, problem)


def _measure(text: str, start: int, stop: int) -> tuple[int, str, int]:
    """The end of the collection at `start`, its missing closing brackets, and its depth."""
    stack: list[str] = []
    levels = 0
    for token in _tokens(text, start, stop):
        if token.kind in _CLOSERS:
            stack.append(_CLOSERS[token.kind])
            levels = max(levels, len(stack))
        elif token.closes:
            stack.pop()
            if not stack:
                return token.end, "", levels
    # The text may end with a comment, so the brackets go on a new line.
    return stop, "\n" + "".join(reversed(stack)), levels


def _by_items(
    pieces: Pieces, start: int, stop: int, problem: Problem | None, depth: int
) -> tuple[Node, int]:
    """The collection with its items read one by one, and the index where it ends."""
    damage = len(pieces.damage)
    stretches, end = _split(pieces.source.text, start, stop)
    span = pieces.source.span(start, end)
    node: Node
    if pieces.source.text[start] == "[":
        items = (_item(pieces, *stretch, problem, depth) for stretch in stretches)
        node = Sequence(span, tuple(items), flow=True)
    else:
        pairs = (_pair(pieces, *stretch, problem, depth) for stretch in stretches)
        node = Mapping(span, tuple(pairs), flow=True)
    if len(pieces.damage) == damage:
        report(pieces, problem, start, end)
    return node, end


def _item(pieces: Pieces, start: int, end: int, problem: Problem | None, depth: int) -> Node:
    node, complaint = compose(pieces, start, end, before="[", after="\n]")
    if isinstance(node, Sequence) and len(node.items) == 1:
        return node.items[0]
    first = pieces.source.text[start]
    if first in _CLOSERS:
        return flow(pieces, start, end, complaint or problem, depth + 1)
    if first in "\"'":
        return quoted(pieces, start, end, complaint or problem)
    return broken(pieces, start, end, complaint or problem)


def _pair(pieces: Pieces, start: int, end: int, problem: Problem | None, depth: int) -> Entry:
    node, complaint = compose(pieces, start, end, before="{", after="\n}")
    if isinstance(node, Mapping) and len(node.entries) == 1:
        return node.entries[0]
    at = colon(pieces.source.text, start, end)
    if at is None:
        return Entry(broken(pieces, start, end, complaint or problem), None)
    name = key(pieces, start, at)
    value = _skip(pieces.source.text, at + 1, end)
    if value == end:
        return Entry(name, absent(pieces, at + 1))
    return Entry(name, _item(pieces, value, end, complaint or problem, depth))


def _split(text: str, start: int, stop: int) -> tuple[list[tuple[int, int]], int]:
    """The parts between the commas of the collection at `start`, and the index where it ends."""
    stretches: list[tuple[int, int]] = []
    depth, first, last = 0, stop, stop
    for token in _tokens(text, start, stop, by_line=True):
        opens = token.kind in _CLOSERS and not token.quoted
        depth += opens - token.closes
        separates = depth == 0 or (depth == 1 and (opens or token.kind == ","))
        if not separates:
            first, last = min(first, token.start), token.end
        if (separates or (depth == 1 and token.unclosed)) and first < stop:
            stretches.append((first, last))
            first = stop
        if depth == 0:
            return stretches, token.end
    return ([*stretches, (first, last)] if first < stop else stretches), stop


def _tokens(text: str, start: int, stop: int, *, by_line: bool = False) -> Iterator[_Token]:
    """The tokens of a flow collection.

    With `by_line`, a quoted string that does not end on its line ends at a comma or bracket.
    """
    at = _skip(text, start, stop)
    # A quote opens a string only where a value can begin.
    fresh = True
    while at < stop:
        first = text[at]
        token = _quoted_token(text, at, stop, by_line=by_line) if fresh else None
        if token is not None:
            fresh = False
        elif first in "[]{},":
            token = _Token(first, at, at + 1)
            fresh = first in "[{,"
        else:
            mark = _COLON.match(text, at, stop)
            found = mark or _PLAIN.match(text, at, stop)
            token = _Token(first, at, found.end() if found else at + 1)
            # After an anchor or a tag, the value still follows.
            fresh = mark is not None or first in "&!"
        yield token
        at = _skip(text, token.end, stop)


def _quoted_token(text: str, at: int, stop: int, *, by_line: bool) -> _Token | None:
    found = _QUOTED.match(text, at, stop)
    if found is None:
        return None
    unclosed = not (found[1] or found[2])
    if by_line and (unclosed or _BREAK.search(text, at, found.end())):
        end = _WORDS.match(text, at + 1, stop)
        return _Token(text[at], at, end.end() if end else at + 1, quoted=True, unclosed=True)
    return _Token(text[at], at, found.end(), quoted=True, unclosed=unclosed)


def _skip(text: str, start: int, stop: int) -> int:
    """The index after blanks, line ends and comments."""
    found = _BLANK.match(text, start, stop)
    return found.end() if found else start
