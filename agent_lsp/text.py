"""Positions in texts: spans, edits, and the translation between offsets and lines and columns.

Invariants: an offset counts code points from the start of the text. A span is half open. Lines and
columns exist only here and at the edges of the program.
"""

from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum
from itertools import accumulate, takewhile

from agent_lsp.data_classes import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets, in code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __lt__(self, other: "Span") -> bool:
        return (self.start, self.end) < (other.start, other.end)

    def __bool__(self) -> bool:
        # An empty span is still a place, so it is true.
        return True

    def covers(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches this span, its end included."""
        return self.start <= offset <= self.end

    def of(self, text: str) -> str:
        """The part of `text` in this span."""
        return text[self.start : self.end]

    def shift(self, by: int) -> "Span":
        """The same span, moved by `by` code points."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class Cover:
    """The offsets in many spans, which may overlap."""

    starts: tuple[int, ...]
    # The last end of all spans up to the one that begins there.
    ends: tuple[int, ...]

    @classmethod
    def of(cls, spans: Iterable[Span]) -> "Cover":
        """The offsets in `spans`."""
        ordered = sorted(spans)
        ends = accumulate((span.end for span in ordered), max)
        return cls(tuple(span.start for span in ordered), tuple(ends))

    def __contains__(self, offset: int) -> bool:
        before = bisect_right(self.starts, offset)
        return before > 0 and offset < self.ends[before - 1]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replaces the text in `span` by `text`; an empty span inserts."""

    span: Span
    text: str


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """Returns `text` after `edits`, whose spans refer to `text` as given and do not overlap.

    Raises `ValueError` if two edits overlap, which is a bug of the caller.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at:
            message = f"edits overlap at offset {edit.span.start}"
            raise ValueError(message)
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)


def joined(text: str, edits: Iterable[TextEdit]) -> TextEdit:
    """One edit with the effect of all `edits` of `text`, of which there is at least one."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    span = Span(ordered[0].span.start, max(edit.span.end for edit in ordered))
    inner = (TextEdit(edit.span.shift(-span.start), edit.text) for edit in ordered)
    return TextEdit(span, apply(span.of(text), inner))


def differences(old: str, new: str) -> tuple[TextEdit, ...]:
    """The edits that turn `old` into `new` and leave lines alone that both have."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - rarely needed; slow to import

    before, after = (text.splitlines(keepends=True) for text in (old, new))
    starts = [0, *accumulate(map(len, before))]
    same = sum(1 for _ in takewhile(_are_equal, zip(before, after, strict=False)))
    before, after = before[same:], after[same:]
    ends = zip(reversed(before), reversed(after), strict=False)
    left = sum(1 for _ in takewhile(_are_equal, ends))
    before, after = before[: len(before) - left], after[: len(after) - left]
    if len(before) * len(after) > _MOST_COMPARED:
        span = Span(starts[same], starts[same + len(before)])
        return (TextEdit(span, "".join(after)),)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        TextEdit(Span(starts[same + start], starts[same + end]), "".join(after[to:until]))
        for what, start, end, to, until in matcher.get_opcodes()
        if what != "equal"
    )


# Comparing all pairs takes minutes if thousands of lines are equal.
_MOST_COMPARED = 1_000_000


def common_prefix(first: str, second: str) -> int:
    """The length of the common prefix of two texts."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(first: str, second: str) -> int:
    """The length of the common suffix of two texts."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if (
            first[len(first) - middle : len(first) - low]
            == second[len(second) - middle : len(second) - low]
        ):
            low = middle
        else:
            high = middle - 1
    return low


def _are_equal(lines: tuple[str, str]) -> bool:
    return lines[0] == lines[1]


class Encoding(Enum):
    """The unit in which columns count."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


@dataclass(frozen=True, slots=True)
class LineIndex:
    """Translates between the offsets of one text and its zero-based lines and columns.

    Lines end at LF, CRLF and lone CR, as in the Language Server Protocol. U+2028, form feed and
    similar characters do not end a line. The first `unseen` characters have no column, as the
    byte-order mark of a file that an editor removes.
    """

    text: str
    unseen: int = 0
    starts: tuple[int, ...] = field(init=False)
    # For each encoding, the width of the text up to each block, if somebody has asked for it.
    _widths: dict[Encoding, list[int]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", _line_starts(self.text))

    def line_of(self, offset: int) -> int:
        """The zero-based line that contains `offset`."""
        return bisect_right(self.starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """The span of `line` without its line end; after the last line, the end of the text."""
        if line >= len(self.starts):
            return Span(len(self.text), len(self.text))
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def position(self, offset: int, encoding: Encoding = Encoding.UTF32) -> tuple[int, int]:
        """The line and column of `offset`, both zero-based, the column in units of `encoding`.

        An `offset` out of range is clamped. One between a CR and its LF counts as the end of the
        line.
        """
        offset = max(0, min(offset, len(self.text)))
        if offset and self.text[offset - 1 : offset + 1] == "\r\n":
            offset -= 1
        line = self.line_of(offset)
        return line, self._width(max(self.starts[line], self.unseen), offset, encoding)

    def offset(self, line: int, column: int, encoding: Encoding = Encoding.UTF32) -> int:
        """The offset of a zero-based line and column; beyond the end of the line, that end."""
        if line < 0:
            return 0
        span = self.line_span(line)
        if line >= len(self.starts):
            return span.end
        if line == 0:
            span = Span(min(self.unseen, span.end), span.end)
        if encoding is Encoding.UTF32:
            return min(span.start + max(column, 0), span.end)
        begin, left = self._block(span, column, encoding)
        for at in range(begin, span.end):
            width = _width(self.text[at], encoding)
            # A column inside a character means the start of the character.
            if left < width:
                return at
            left -= width
        return span.end

    def _block(self, line: Span, column: int, encoding: Encoding) -> tuple[int, int]:
        """The start of the block of `line` with `column`, and the columns that are left there."""
        if column < _BLOCK or len(line) < _BLOCK:
            return line.start, column
        widths = self._widths_of(encoding)
        wanted = self._width(0, line.start, encoding) + column
        block = bisect_right(widths, wanted) - 1
        start = max(line.start, min(block * _BLOCK, line.end))
        return start, wanted - self._width(0, start, encoding)

    def _width(self, start: int, end: int, encoding: Encoding) -> int:
        """The width of the text between two offsets; each look-up takes the same time."""
        if end - start < _BLOCK or encoding is Encoding.UTF32:
            return _width(self.text[start:end], encoding)
        return self._width_until(end, encoding) - self._width_until(start, encoding)

    def _width_until(self, offset: int, encoding: Encoding) -> int:
        block = offset // _BLOCK
        rest = self.text[block * _BLOCK : offset]
        return self._widths_of(encoding)[block] + _width(rest, encoding)

    def _widths_of(self, encoding: Encoding) -> list[int]:
        if encoding not in self._widths:
            blocks = range(0, len(self.text), _BLOCK)
            widths = (_width(self.text[at : at + _BLOCK], encoding) for at in blocks)
            self._widths[encoding] = list(accumulate(widths, initial=0))
        return self._widths[encoding]


# In code points. A line of minified text can have hundreds of thousands, and as many places.
_BLOCK = 256


def _line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    at = 0
    has_cr = "\r" in text
    while True:
        lf = text.find("\n", at)
        cr = text.find("\r", at, lf if lf >= 0 else len(text)) if has_cr else -1
        if cr >= 0:
            at = cr + 2 if text[cr + 1 : cr + 2] == "\n" else cr + 1
        elif lf >= 0:
            at = lf + 1
        else:
            return tuple(starts)
        starts.append(at)


def _width(text: str, encoding: Encoding) -> int:
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)
