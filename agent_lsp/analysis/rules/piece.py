"""A broken piece of a header and the mistake in it: what the explanations find words for.

Invariant: spans are in the header and without blanks at their ends.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agent_lsp.dialects.vocabulary import Key
from agent_lsp.syntax.nodes import Problem
from agent_lsp.text import Span

# libyaml ends a line at these, editors and the runtime only at the first two.
LINE_ENDS = "\n\r\x85\u2028\u2029"

_KEY = re.compile(r"(?:-[ \t]+)*[\"']?([\w-]+)[\"']?[ \t]*:[ \t]+")


@dataclass(frozen=True, slots=True)
class YamlMistake:
    """What is wrong, where, and how to put it right."""

    span: Span
    thing: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class BrokenPiece:
    """A problem in its text, where the header around it is, and the keys that may stand in it."""

    text: str
    header: Span
    problem: Problem
    keys: Mapping[str, Key]

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

    def above(self, row: Span) -> Span | None:
        """The line above `row` that is not blank."""
        before = self.text[self.header.start : row.start].rstrip(" \t\r\n")
        return self.row(self.header.start + len(before)) if before else None

    def item(self, start: int) -> Span:
        """The text of the list item or value that starts at `start`, without a comment."""
        row = self.rest(start)
        line = self.text[self.row(start).start : start]
        if line.count("[") > line.count("]"):
            end = re.search(r"[\],]", row.of(self.text))
            row = Span(row.start, row.start + end.start()) if end and end.start() else row
        comment = re.search(r"[ \t]#", row.of(self.text))
        return self.bare(Span(row.start, row.start + comment.start()) if comment else row)

    def owner(self, start: int) -> Key | None:
        """The key of the dialect whose value begins at `start`, on the line of the key."""
        before = self.text[self.row(start).start : start]
        found = _KEY.fullmatch(before)
        return self.keys.get(found[1]) if found else None

    def bare(self, span: Span) -> Span:
        """`span` without blanks at its ends."""
        piece = span.of(self.text)
        start = span.start + len(piece) - len(piece.lstrip(" \t"))
        return Span(start, max(start, span.start + len(piece.rstrip(" \t\r\n"))))
