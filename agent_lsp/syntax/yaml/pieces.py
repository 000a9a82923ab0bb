"""Divides an invalid YAML text into lines, units and smaller parts, and reads each, within limits.

Invariants: lines end where libyaml ends them. A unit is a line with the lines that belong to it by
their indent. Units are in order, and leave out only blank lines before the first one.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Problem, Scalar, Sequence
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.syntax.yaml.libyaml import MAX_DEPTH, Source

_LINE = regex(r"([^\n\r\x85\u2028\u2029]*)(\r\n|[\n\r\x85\u2028\u2029]|\Z)")
_INDENT = regex(r"[ \t\ufeff]*")
_BLANKS = regex(r"[ \t]*")
_DASH = regex(r"-(?=[ \t]|$)")
_MARKER = regex(r"(?:---|\.\.\.)(?=[ \t]|$)")
_COMMENT = regex(r"(?<![^ \t\n\r\x85\u2028\u2029])#")
_PROPERTIES = regex(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|$))*")
# A quoted key, or text up to the first colon before a blank; a comment ends the search.
_KEY = regex(
    r"""(?: "(?:[^"\\]|\\.)*"[ \t]* | '(?:[^']|'')*'[ \t]*
          | (?!["'\[{]|[?-][ \t]) (?: [^:#] | (?<![ \t])\# | :(?![ \t]|$) )+? )
        :(?=[ \t]|$)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, as the indexes of its start, its first visible character, its end and the next line.

    `indent` is the column of `content`; a tab reaches to the next multiple of eight.
    """

    text: str
    start: int
    content: int
    stop: int
    next: int
    indent: int

    @property
    def blank(self) -> bool:
        """Whether the line is empty, or has only a comment."""
        return self.content == self.stop or self.text[self.content] == "#"

    @property
    def tab(self) -> int | None:
        """The index of the first tab in the indent."""
        at = self.text.find("\t", self.start, self.content)
        return None if at < 0 else at

    @property
    def marker(self) -> bool:
        """Whether the line ends a document or begins another one."""
        return self.indent == 0 and bool(_MARKER.match(self.text, self.content, self.stop))

    @property
    def dash(self) -> bool:
        """Whether the line begins an item of a block list."""
        return _DASH.match(self.text, self.content, self.stop) is not None

    @property
    def colon(self) -> int | None:
        """The index of the colon after the key at the start of the line, or None."""
        return colon(self.text, self.content, self.stop)

    @property
    def code_stop(self) -> int:
        """The index where the line ends without its comment and the blanks before that."""
        comment = _COMMENT.search(self.text, self.content, self.stop)
        stop = comment.start() if comment else self.stop
        while stop > self.content and self.text[stop - 1] in " \t":
            stop -= 1
        return stop

    def after(self, index: int) -> "Line":
        """The rest of the line after `index` and the blanks there."""
        found = _BLANKS.match(self.text, index, self.stop)
        content = found.end() if found else index
        indent = self.indent + content - self.content
        return Line(self.text, content, content, self.stop, self.next, indent)

    def after_properties(self) -> "Line":
        """The rest of the line after its leading anchors and tags."""
        found = _PROPERTIES.match(self.text, self.content, self.stop)
        return self.after(found.end() if found else self.content)


Unit = tuple[Line, ...]


def split(text: str) -> list[Line]:
    """The lines of `text`; an empty text after the last line end is no line."""
    lines = []
    for found in _LINE.finditer(text):
        start, stop = found.span(1)
        if start == found.end():
            break
        indent = _INDENT.match(text, start, stop)
        content = indent.end() if indent else start
        column = len(text[start:content].replace("\ufeff", "").expandtabs(8))
        lines.append(Line(text, start, content, stop, found.end(), column))
    return lines


def colon(text: str, start: int, stop: int) -> int | None:
    """The index of the colon after the key at `start`, which may be in quotes; or None."""
    key = _KEY.match(text, start, stop)
    return key.end() - 1 if key else None


def document(lines: list[Line]) -> tuple[Unit, int | None]:
    """The lines of the first document, and the index where the text after it begins, or None."""
    at = 0
    while at < len(lines) and (lines[at].blank or lines[at].text[lines[at].content] == "%"):
        at += 1
    if at < len(lines) and lines[at].marker:
        lines = [*lines[:at], lines[at].after(lines[at].content + 3), *lines[at + 1 :]]
    end = next((nth for nth, line in enumerate(lines) if nth > at and line.marker), len(lines))
    more = unblank(tuple(lines[end:]))
    if more and more[0].text.startswith("...", more[0].content):
        more = unblank(more[1:])
    return unblank(tuple(lines[at:end])), more[0].content if more else None


def unblank(lines: Unit) -> Unit:
    """`lines` without leading blank ones."""
    at = next((nth for nth, line in enumerate(lines) if not line.blank), len(lines))
    return lines[at:]


def units(lines: Iterable[Line], *, mapping: bool = False) -> list[Unit]:
    """The units of a block: each line that does not belong to the unit before begins one.

    In a block that begins with an item, each item is a unit, unless the block is known to be a
    `mapping`.
    """
    grouped: list[list[Line]] = []
    for line in lines:
        listed = not mapping and bool(grouped) and grouped[0][0].dash
        if grouped and (line.blank or _hangs_on(line, grouped[-1], listed=listed)):
            grouped[-1].append(line)
        elif not line.blank:
            grouped.append([line])
    return [tuple(unit) for unit in grouped]


def own(unit: Unit) -> tuple[Unit, Unit]:
    """The lines of a key with its value, and the lines from an item or key after an empty line.

    The latter lines belong to a key whose own line is missing.
    """
    for nth in range(2, len(unit)):
        before, line = unit[nth - 1], unit[nth]
        if before.content == before.stop and (line.dash or line.colon is not None):
            return unit[:nth], unit[nth:]
    return unit, ()


def below(unit: Unit) -> tuple[Unit, Unit]:
    """The lines of the value below a key, and the lines from the first less indented key on."""
    lines = unblank(unit[1:])
    for nth, line in enumerate(lines):
        dedented = line.indent < lines[0].indent and not line.blank
        if dedented and line.colon is not None:
            return lines[:nth], lines[nth:]
    return lines, ()


def code_end(unit: Unit) -> int:
    """The end of the last line that is not blank; if that is the first, without its comment."""
    last = next((line for line in reversed(unit) if not line.blank), unit[0])
    return last.code_stop if last is unit[0] else last.stop


def _hangs_on(line: Line, unit: list[Line], *, listed: bool) -> bool:
    """Whether `line` belongs to `unit`; `listed` means that the units are items of a list."""
    head = unit[0]
    if line.indent > head.indent or line.text[line.content] in "]},":
        return True
    if line.indent < head.indent or line.colon is not None:
        return False
    if line.dash:
        # `key:` may have its items at its own indent. A word may become such a key. Items without
        # their key belong together.
        at = head.colon
        word = at is None and head.indent == 0
        empty = at is not None and head.after(at + 1).after_properties().blank
        return not listed and (head.dash or word or empty)
    return _ends_open(unit)


def _ends_open(unit: list[Line]) -> bool:
    """Whether the value of the unit is a flow collection that must continue."""
    value, last = unit[0], next(line for line in reversed(unit) if not line.blank)
    while value.dash:
        value = value.after(value.content + 1)
    at = value.colon
    value = (value if at is None else value.after(at + 1)).after_properties()
    flow = value.text.startswith(("[", "{"), value.content, value.stop)
    return flow and value.text.endswith((",", "[", "{"), last.content, last.code_stop)


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
