"""Splits a header into lines, and groups them into units by their indent.

Invariants: lines end where libyaml ends them. A unit is a line with the lines that belong to it.
Units are in order, and leave out only blank lines before the first one.
"""

import re
from collections.abc import Iterable

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex

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
