"""Finds places in lines and between brackets, for edits of YAML and TOML.

Invariant: the module knows only brackets, commas and comments after `#`.
"""

import re

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Sequence
from agent_lsp.text import Span, TextEdit

Edits = tuple[TextEdit, ...]

_BLANKS = regex(r"[ \t]*")
_GAP = regex(r"(?:\s|(?<=\s)#[^\r\n]*)*")
_LINE = regex(r"[^\r\n]*")
_LINE_END = regex(r"\r\n|\n|\r")


def append_flow(text: str, sequence: Sequence, written: str) -> Edits:
    """Adds `written` to a list in brackets; on its own line if the last item has one."""
    if not sequence.items:
        return insert(text.index("[", sequence.span.start) + 1, written)
    last = sequence.items[-1].span
    if text[line_start(text, last.start) : last.start].strip():
        return insert(last.end, f", {written}")
    indented = new_line(text, last.start)
    comma = gap_end(text, last.end)
    if text.startswith(",", comma):
        return insert(line_stop(text, comma), f"{indented}{written},")
    stop = line_stop(text, last.end)
    return (*insert(last.end, ","), *insert(stop, indented + written))


def flow_removal(text: str, span: Span, behind: int) -> Span:
    """The span to remove for the item at `span` in brackets.

    `behind` is the offset of the comma or bracket after it.
    """
    if text[behind] == ",":
        start, end = line_start(text, span.start), blanks_end(text, behind + 1)
        alone = not text[start : span.start].strip(" \t")
        if alone and end == line_stop(text, end):
            return lines(text, start, end)
        return Span(span.start, end)
    before = len(text[: span.start].rstrip())
    return Span(before - 1, span.end) if text[before - 1 : before] == "," else span


def lines(text: str, start: int, end: int) -> Span:
    """The span of the lines from `start` to the line of `end`, with a line end."""
    below = next_line(text, end)
    if below > line_stop(text, end):
        return Span(start, below)
    # At the end of the text, that is the line end before them.
    return Span(len(text[:start].removesuffix("\n").removesuffix("\r")), below)


def insert(at: int, text: str) -> Edits:
    """Inserts `text` at an offset."""
    return (TextEdit(Span(at, at), text),)


def new_line(text: str, at: int) -> str:
    """A line end, and an indent up to the column of `at`."""
    ends = _LINE_END.search(text, line_stop(text, at)) or _LINE_END.search(text)
    indent = re.sub(r"[^\t]", " ", text[line_start(text, at) : at])
    return (ends[0] if ends else "\n") + indent


def line_start(text: str, at: int) -> int:
    """The offset where the line of `at` begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_stop(text: str, at: int) -> int:
    """The offset where the line of `at` ends."""
    return _end(_LINE, text, at)


def next_line(text: str, at: int) -> int:
    """The offset where the line after that of `at` begins."""
    stop = line_stop(text, at)
    return _end(_LINE_END, text, stop)


def blanks_end(text: str, at: int) -> int:
    """The offset after spaces and tabs."""
    return _end(_BLANKS, text, at)


def gap_end(text: str, at: int) -> int:
    """The offset after white space and comments."""
    return _end(_GAP, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
