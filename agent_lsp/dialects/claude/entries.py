"""The entries of a list of tools or skills, written as a text or as a list.

Invariants: commas and blanks divide entries, those inside parentheses do not; the text of an
entry is the tool that it speaks of, its span all that is written.
Facts: code.claude.com/docs/sub-agents and tools-reference as of 2026-10-08, read 2026-11-28.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from agent_lsp.dialects.claude.tools import AGENT, TASK
from agent_lsp.dialects.template import Value
from agent_lsp.syntax.nodes import Scalar, Style
from agent_lsp.text import Span

# A text between dividers; Python and its patterns agree about what is blank.
_ENTRY = re.compile(r"[^\s,]+")


def source(text: str, node: Scalar) -> str:
    """`node` as it stands in the file, without its quotes but with blanks in their place."""
    written = node.span.of(text)
    if node.style in (Style.SINGLE, Style.DOUBLE) and len(written) > 1:
        return f" {written[1:-1]} "
    if node.style in (Style.LITERAL, Style.FOLDED):
        mark, line_end, rest = written.partition("\n")
        return " " * len(mark) + line_end + rest
    return written


def split(written: str, span: Span) -> Iterator[Value]:
    """The entries of a text that begins where `span` does."""
    for start, stop in spans(written):
        found = of_item(written[start:stop], Span(span.start + start, span.start + stop))
        if found is not None:
            yield found


def spans(written: str) -> Iterator[tuple[int, int]]:
    """Where the entries of a text stand in it."""
    if "(" not in written:
        # As nearly all lists are.
        yield from (entry.span() for entry in _ENTRY.finditer(written))
        return
    depth, dividers = 0, [-1]
    for at, sign in enumerate(written):
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        if depth == 0 and (sign == "," or sign.isspace()):
            dividers.append(at)
    for before, after in pairwise((*dividers, len(written))):
        if written[before + 1 : after].strip():
            yield before + 1, after


def apart(text: str, items: Iterable[Scalar]) -> Iterator[Scalar]:
    """The items without those that a comma in parentheses has cut off the one before."""
    depth = 0
    for item in items:
        written = source(text, item)
        if depth <= 0:
            yield item
        depth = max(0, depth) + written.count("(") - written.count(")")


def of_item(text: str, span: Span) -> Value | None:
    """The tool that one entry speaks of, whatever stands in parentheses; None for a blank one."""
    name = text.strip().partition("(")[0].strip()
    return Value(AGENT if name == TASK else name, span) if name else None
