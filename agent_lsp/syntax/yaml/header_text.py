"""A header's text as libyaml gets it, and the way back to offsets of the file.

Invariant: `offset` never decreases, and maps the ends of `text` to the ends of the header.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

from agent_lsp.text import Span

# libyaml ends a line at these; the runtimes hand it CRLF or LF, which mean the same to it.
_BLANKS = " \t\n\r\x85\u2028\u2029"
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BREAK = re.compile(r"[\n\r\x85\u2028\u2029]")
_TOKEN = re.compile(r"[\w.\-/]+|[^\n\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Source:
    """`text` is the header with LF for CRLF and without lone surrogates; it begins at `start`.

    Positions in `text` are called indexes, positions in the file offsets.
    """

    original: str
    text: str
    start: int
    crlf: tuple[int, ...]

    def offset(self, index: int) -> int:
        """The offset of `index`; that of a line end which is CRLF is the CR's."""
        shift = bisect_left(self.crlf, index) if self.crlf else 0
        return self.start + index + shift

    def span(self, start: int, end: int) -> Span:
        """The span of the file between two indexes."""
        if self.crlf:
            return Span(self.offset(start), self.offset(end))
        return Span(self.start + start, self.start + end)

    def raw(self, span: Span) -> str:
        """The text of the file under `span`."""
        return self.original[span.start - self.start : span.end - self.start]

    def token(self, index: int) -> Span:
        """The span of the word or the one character at `index`; empty at a line's end."""
        word = _TOKEN.match(self.text, index)
        return self.span(index, word.end() if word else min(index, len(self.text)))

    def line_stop(self, index: int) -> int:
        """The index at which the line of `index` ends."""
        found = _BREAK.search(self.text, index)
        return found.start() if found else len(self.text)

    def trimmed(self, start: int, end: int) -> int:
        """`end` moved back over blanks and line ends, but not before `start`."""
        while end > start and self.text[end - 1] in _BLANKS:
            end -= 1
        return end


def readable(text: str) -> str:
    """`text` as long as it is, with what libyaml takes in place of lone surrogates."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def read(text: str, start: int) -> Source:
    """The source of a header that begins at offset `start` of its file."""
    clean = readable(text)
    if "\r\n" not in clean:
        return Source(text, clean, start, ())
    crlf = tuple(found.start() - nth for nth, found in enumerate(re.finditer("\r\n", clean)))
    return Source(text, clean.replace("\r\n", "\n"), start, crlf)
