"""Prepares the text of a header for libyaml, and translates positions back into the file.

Invariant: `offset` never decreases, and maps the ends of `text` to the ends of the header.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

from agent_lsp.text import Span

# libyaml ends a line at these. The runtimes pass CRLF or LF to it, which it treats the same.
_BLANKS = " \t\n\r\x85\u2028\u2029"
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BREAK = re.compile(r"[\n\r\x85\u2028\u2029]")
_TOKEN = re.compile(r"[\w.\-/]+|[^\n\r\x85\u2028\u2029]")


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
