"""Finds the header of an agent file as KodaCode does.

Invariant: the runtime takes white space off both ends of the file and of the header, and knows a
fence only by the line ends around it, so the first line of a header cannot close it.
Facts: `splitMarkdownFrontMatter` in internal/agent/markdown.go of sageil/kodacode at
aa5479acbe0f, read 2026-11-27.
"""

import re
from itertools import pairwise

from agent_lsp.dialects.go import SPACE
from agent_lsp.syntax import markdown
from agent_lsp.syntax.markdown import FenceKind, Frontmatter
from agent_lsp.text import Span

_FENCE = "---"
_BOM = "\ufeff"
_ABSENT = Span(0, 0)
# White space that makes no difference to YAML, and that people type in.
_BLANK_LINES = re.compile(r"(?:[ ]*\r?\n)*")
_BLANKS = re.compile(r"[ \r\n]*")


def cut(text: str, bom: bool) -> Frontmatter:
    """The cut at the first line that is `---`, and the next one but the line right below it."""
    start = len(text) - len(text.lstrip(SPACE))
    marked = text.startswith(_BOM, start)
    rows = list(markdown.lines(text, start + marked))
    end = len(text.rstrip(SPACE))
    # A file that is nothing but a fence has no line end behind it once it is trimmed.
    if not rows or rows[0].of(text) != _FENCE or rows[0].end == end:
        return Frontmatter(FenceKind.ABSENT, _ABSENT, _ABSENT, None, Span(0, len(text)))
    opening = Span(start, rows[0].end)
    inner_start = rows[1].start if len(rows) > 1 else len(text)
    for before, row in pairwise(rows[1:]):
        if text[row.start : min(row.end, end)] == _FENCE:
            fence = FenceKind.HIDDEN if bom or marked else FenceKind.CLOSED
            inner = _inner(text, Span(inner_start, before.end))
            return Frontmatter(fence, opening, inner, row, Span(_after(text, row), len(text)))
    return _unclosed(text, opening, inner_start)


def _unclosed(text: str, opening: Span, start: int) -> Frontmatter:
    """The cut of a header without an end; an empty one ends where the author means it to."""
    rest = text[opening.start :].removeprefix(_BOM)
    meant = markdown.split(rest, lambda line: line == _FENCE)
    shift = len(text) - len(rest)
    inner, body = meant.inner.shift(shift), meant.body.shift(shift)
    return Frontmatter(FenceKind.UNCLOSED, opening, Span(start, max(inner.end, start)), None, body)


def _inner(text: str, span: Span) -> Span:
    """The header without white space that YAML would trip over and the runtime takes away."""
    header = span.of(text)
    lead = header[: len(header) - len(header.lstrip(SPACE))]
    trail = header[len(header.rstrip(SPACE)) :]
    start = span.start if _BLANK_LINES.fullmatch(lead) else span.start + len(lead)
    end = span.end if _BLANKS.fullmatch(trail) else span.end - len(trail)
    return Span(start, max(start, end))


def _after(text: str, row: Span) -> int:
    stop = text.find("\n", row.end)
    return len(text) if stop < 0 else stop + 1
