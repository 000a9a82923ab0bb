"""Edits of YAML by spans: each verb gives the text edits that do it and leaves other bytes alone.

Invariants: nodes come from a parse of the `text` given with them; new lines copy the indent of
their neighbours and the line end of the file; a tuple is written as a flow list.
"""

import re

from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.yaml_quote import quote, quote_key
from agent_lsp.text import Span, TextEdit

__all__ = [
    "Edits",
    "Value",
    "append_item",
    "insert_entry",
    "quote",
    "remove_entry",
    "remove_item",
    "rename_key",
    "replace_value",
]

Edits = tuple[TextEdit, ...]
Value = str | tuple[str, ...]

_BLANKS = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:\s|(?<=\s)#[^\r\n]*)*")
_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_DASHES = re.compile(r"[ \t]*(?:-[ \t]+)+")
_NULLS = ("", "~", "null", "Null", "NULL")


def replace_value(text: str, entry: Entry, value: Value, *, flow: bool = False) -> Edits:
    """Gives `entry` another value, and the colon that it may lack; `flow` is between brackets."""
    written = _written(value, flow=flow)
    key, old = entry.key.span, entry.value.span if entry.value else entry.key.span
    colon = text.find(":", key.end, old.start) + 1
    if not colon:
        return _insert(key.end, f": {written}")
    if not len(old):
        return (_fill(text, old.end, written),)
    line_stop = _line_stop(text, colon)
    if old.start < line_stop:
        return (TextEdit(old, written),)
    # A value that begins below its key moves up to it, before a comment that may be there.
    return (_fill(text, colon, written), TextEdit(Span(line_stop, old.end), ""))


def rename_key(entry: Entry, name: str) -> Edits:
    """Gives `entry` another key."""
    return (TextEdit(entry.key.span, quote_key(name)),)


def insert_entry(
    text: str, mapping: Mapping, name: str, value: Value, after: str | None = None
) -> Edits:
    """Adds `name` with `value` behind the entry `after`, or at the top if that is None.

    Where there is no entry `after`, the new one becomes the last.
    """
    flow = mapping.flow
    written = f"{quote_key(name)}: {_written(value, flow=flow)}"
    if not mapping.entries:
        return _insert(text.index("{", mapping.span.start) + 1, written)
    if after is None:
        at = mapping.entries[0].key.span.start
        return _insert(at, written + (", " if flow else _new_line(text, at)))
    anchor = mapping.get(after) or mapping.entries[-1]
    if flow:
        return _insert(anchor.span.end, f", {written}")
    new_line = _new_line(text, anchor.key.span.start)
    return _insert(_line_stop(text, anchor.span.end), new_line + written)


def remove_entry(text: str, entry: Entry) -> Edits:
    """Takes `entry` out: its lines, or in flow style its text and a comma."""
    return (TextEdit(_removal(text, entry.span), ""),)


def append_item(text: str, target: Sequence | Entry, item: str) -> Edits:
    """Adds `item` to a list, or to the list that the value of an entry becomes by it.

    There is no edit where the value is an alias, a mapping or broken.
    """
    if isinstance(target, Sequence):
        return (_append_flow if target.flow else _append_block)(text, target, item)
    match target.value:
        case Sequence() as sequence:
            return append_item(text, sequence, item)
        case None:
            return replace_value(text, target, (item,))
        case Scalar() as scalar:
            null = scalar.style is Style.PLAIN and scalar.value in _NULLS
            return replace_value(text, target, (item,) if null else (scalar.value, item))
        case _:
            return ()


def remove_item(text: str, sequence: Sequence, item: Node) -> Edits:
    """Takes `item` out of its list: its lines, or in flow style its text and a comma.

    The last item of a block list leaves `[]`: nothing at all would mean something else.
    """
    if sequence.flow:
        return (TextEdit(_removal(text, item.span), ""),)
    if len(sequence.items) == 1:
        before = text[: sequence.span.start].rstrip()
        start = len(before) if before.endswith(":") else sequence.span.start
        return (TextEdit(Span(start, sequence.span.end), " []"),)
    dash = text.rfind("-", sequence.span.start, item.span.start)
    return (TextEdit(_removal(text, Span(max(dash, 0), item.span.end)), ""),)


def _append_block(text: str, sequence: Sequence, item: str) -> Edits:
    first, last = sequence.items[0], sequence.items[-1]
    dash = max(text.rfind("-", sequence.span.start, first.span.start), sequence.span.start)
    gap = text[dash + 1 : first.span.start]
    marker = "-" + (gap if gap and not gap.strip(" \t") else " ")
    new_line = _new_line(text, dash)
    return _insert(_line_stop(text, last.span.end), new_line + marker + quote(item))


def _append_flow(text: str, sequence: Sequence, item: str) -> Edits:
    written = quote(item, flow=True)
    if not sequence.items:
        return _insert(text.index("[", sequence.span.start) + 1, written)
    last = sequence.items[-1].span
    if text[_line_start(text, last.start) : last.start].strip():
        return _insert(last.end, f", {written}")
    new_line = _new_line(text, last.start)
    comma = _gap_end(text, last.end)
    if text.startswith(",", comma):
        return _insert(_line_stop(text, comma), f"{new_line}{written},")
    stop = _line_stop(text, last.end)
    return (*_insert(last.end, ","), *_insert(stop, new_line + written))


def _removal(text: str, span: Span) -> Span:
    """What to take out so that nothing is left of the entry or the item at `span`."""
    start = _line_start(text, span.start)
    before, behind = text[start : span.start], _gap_end(text, span.end)
    if text.startswith((",", "]", "}"), behind):
        return _flow_removal(text, span, behind)
    if not before.strip(" \t"):
        return _lines(text, start, span.end)
    below = _next_line(text, span.end)
    sibling = below + len(before)
    aligned = text[below:sibling] == " " * len(before)
    if (
        _DASHES.fullmatch(before)
        and aligned
        and text[sibling : sibling + 1] not in (*" \t\r\n#", "")
    ):
        # The next entry takes the place behind the dash.
        return Span(span.start, sibling)
    return span


def _flow_removal(text: str, span: Span, behind: int) -> Span:
    if text[behind] == ",":
        start, end = _line_start(text, span.start), _blanks_end(text, behind + 1)
        alone = not text[start : span.start].strip(" \t")
        if alone and end == _line_stop(text, end):
            return _lines(text, start, end)
        return Span(span.start, end)
    before = len(text[: span.start].rstrip())
    return Span(before - 1, span.end) if text[before - 1 : before] == "," else span


def _lines(text: str, start: int, end: int) -> Span:
    """The lines from `start` on to the one of `end`, with a line end."""
    below = _next_line(text, end)
    if below > _line_stop(text, end):
        return Span(start, below)
    # At the end of the text, it is the line end before them.
    return Span(len(text[:start].removesuffix("\n").removesuffix("\r")), below)


def _written(value: Value, *, flow: bool) -> str:
    if isinstance(value, str):
        return quote(value, flow=flow)
    return "[" + ", ".join(quote(item, flow=True) for item in value) + "]"


def _insert(at: int, text: str) -> Edits:
    return (TextEdit(Span(at, at), text),)


def _fill(text: str, at: int, written: str) -> TextEdit:
    """Writes behind a colon or a dash, over the blanks that end the line there."""
    end = _blanks_end(text, at)
    return TextEdit(Span(at, end if end == _line_stop(text, at) else at), f" {written}")


def _new_line(text: str, at: int) -> str:
    """A line end, and the indent of a line whose text begins in the column of `at`."""
    ends = _LINE_END.search(text, _line_stop(text, at)) or _LINE_END.search(text)
    indent = re.sub(r"[^\t]", " ", text[_line_start(text, at) : at])
    return (ends[0] if ends else "\n") + indent


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_stop(text: str, at: int) -> int:
    return _end(_LINE, text, at)


def _next_line(text: str, at: int) -> int:
    stop = _line_stop(text, at)
    return _end(_LINE_END, text, stop)


def _blanks_end(text: str, at: int) -> int:
    return _end(_BLANKS, text, at)


def _gap_end(text: str, at: int) -> int:
    """The offset behind blanks, line ends and comments."""
    return _end(_GAP, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
