"""Splits a Markdown file into frontmatter and body, and finds code blocks in the body.

Invariants: header, fences and body cover the whole text. The runtime decides which lines are
fences.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex
from agent_lsp.text import Span


class FenceKind(Enum):
    """The state of the fences."""

    CLOSED = "closed"
    UNCLOSED = "unclosed"
    HIDDEN = "hidden by a byte-order mark"
    ABSENT = "absent"

    # What a file has is looked up in what checks need. The hash of an enum is a call in Python.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The spans of a file's header, fences and body.

    `inner` is the text between the fences, without the line end before the closing one. If the
    runtime does not see the header (UNCLOSED, HIDDEN), the spans are those that the author
    intended; the body of the runtime is then the whole file. `whole` is set if the runtime parses
    all up to the closing fence, with that line end and the blanks before the fence.
    """

    fence: FenceKind
    open: Span
    inner: Span
    close: Span | None
    body: Span
    whole: Span | None = None

    @property
    def parsed(self) -> Span:
        """The span of the text that the runtime parses as the header."""
        return self.inner if self.whole is None else self.whole


# In each fence; to look for it takes less time than to call a function with each line.
_MARK = "---"


def split(
    text: str,
    is_fence: Callable[[str], bool],
    *,
    bom: bool = False,
    first_line: int = 0,
    is_end: Callable[[str], bool] | None = None,
) -> Frontmatter:
    """Splits `text` at its first line and the first later line that `is_fence` accepts.

    A closing fence is a line with `---` in it.
    `bom` is true if the file on disk begins with a byte-order mark that `text` lacks. `first_line`
    is the offset of the line that the runtime takes as the first. `is_end` accepts the closing
    fence, if it can differ from the opening one.
    """
    rows = lines(text, first_line)
    first = next(rows, Span(0, 0))
    marked = first.of(text).startswith("\ufeff")
    opening = first.of(text).removeprefix("\ufeff")
    if not is_fence(opening):
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    start = _after(text, first)
    end = start
    for row in rows:
        line = text[row.start : row.end]
        if _MARK in line and (is_end or is_fence)(line):
            fence = FenceKind.HIDDEN if bom or marked else FenceKind.CLOSED
            return Frontmatter(
                fence, first, Span(start, end), row, Span(_after(text, row), len(text))
            )
        end = row.end
    meant = _meant_end(text, start)
    body = min(meant + 1, len(text)) if meant < len(text) else len(text)
    return Frontmatter(FenceKind.UNCLOSED, first, Span(start, meant), None, Span(body, len(text)))


def whole(text: str, _bom: bool) -> Frontmatter:
    """The frontmatter of a file that is all header and has no fences."""
    end = Span(len(text), len(text))
    return Frontmatter(FenceKind.CLOSED, Span(0, 0), Span(0, len(text)), end, end)


def lines(text: str, start: int = 0) -> Iterator[Span]:
    """The spans of the lines from `start` on, without line ends; only LF and CRLF end a line."""
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield Span(
            start,
            stop - 1 if stop > start and text[stop - 1] == "\r" and stop < len(text) else stop,
        )
        start = stop + 1


def code_blocks(text: str, start: int = 0, *, unclosed: bool = False) -> tuple[Span, ...]:
    """The spans of fenced code blocks from `start` on, fences included.

    A block that is not closed is left out; with `unclosed` it goes on to the end of the text, as in
    Markdown.
    """
    if "```" not in text and "~~~" not in text:
        return ()
    found = []
    opened: tuple[int, str] | None = None
    for row in lines(text, start):
        line = row.of(text).strip()
        if opened is None:
            fence = _CODE_FENCE.match(line)
            opened = (row.start, fence[1]) if fence else None
        elif line.startswith(opened[1]) and not line.strip(line[0]):
            found.append(Span(opened[0], row.end))
            opened = None
    if opened is not None and unclosed:
        found.append(Span(opened[0], len(text)))
    return tuple(found)


def _after(text: str, row: Span) -> int:
    stop = text.find("\n", row.end)
    return len(text) if stop < 0 else stop + 1


_CODE_FENCE = regex(r"(`{3,}(?=[^`]*$)|~{3,})")
_HEADER_LINE = regex(r"[ \t]|-(?:[ \t]|$)|[\]})]|#|[\w\"'-][^:\n]*:(?:[ \t]|$)|[A-Za-z_]+$")


def _meant_end(text: str, start: int) -> int:
    """The offset where an unclosed header ends: before the first line that is not YAML."""
    end = start
    blank = False
    for row in lines(text, start):
        line = row.of(text)
        if not line.strip():
            blank = True
            continue
        starts_prose = not _HEADER_LINE.match(line) or (
            blank and not re.match(r"[\w\"'-]+[ \t]*:(?:[ \t]|$)", line)
        )
        if starts_prose:
            break
        end, blank = row.end, False
    return end
