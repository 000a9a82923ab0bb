"""A broken piece of a header and the mistake in it: what `mistakes` finds its words for.

Invariant: spans are in the header and without blanks at their ends.
"""

from dataclasses import dataclass

from agent_lsp.syntax.nodes import Problem
from agent_lsp.text import Span

# libyaml ends a line at these, editors and the runtime only at the first two.
LINE_ENDS = "\n\r\x85\u2028\u2029"


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, where, and how to put it right."""

    span: Span
    thing: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A problem in its text, and where the header around it is."""

    text: str
    header: Span
    problem: Problem

    @property
    def at(self) -> int:
        """Where the parser gave up."""
        return self.problem.span.start

    @property
    def since(self) -> int:
        """Where what it was reading began."""
        return (self.problem.context_span or self.problem.span).start

    def row(self, offset: int) -> Span:
        """The line of `offset`, as the parser counts lines, without blanks around it."""
        start = end = min(max(offset, self.header.start), self.header.end)
        while start > self.header.start and self.text[start - 1] not in LINE_ENDS:
            start -= 1
        while end < self.header.end and self.text[end] not in LINE_ENDS:
            end += 1
        return self.bare(Span(start, end))

    def rest(self, start: int) -> Span:
        """What stands from `start` to the end of its line."""
        return self.bare(Span(start, max(self.row(start).end, start + 1)))

    def bare(self, span: Span) -> Span:
        """`span` without blanks at its ends."""
        piece = span.of(self.text)
        start = span.start + len(piece) - len(piece.lstrip(" \t"))
        return Span(start, max(start, span.start + len(piece.rstrip(" \t\r\n"))))
