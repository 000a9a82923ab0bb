"""What the words of a template are to its runtime: markers, personas, agents, tools, patterns.

Invariant: tokens stand in their order, do not overlap, and none goes over a line end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.lists import List, lists
from agent_lsp.analysis.marker import line_at
from agent_lsp.analysis.navigation.references import Role, places
from agent_lsp.analysis.tools import is_vouched, known_tools
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


class Kind(Enum):
    """What a token is, in the words of the Language Server Protocol."""

    MARKER = "macro"
    NAME = "class"
    TOOL = "function"
    PATTERN = "regexp"


@dataclass(frozen=True, slots=True)
class Token:
    """A word; `gone` says that the agent does not have this tool, or none of these."""

    span: Span
    kind: Kind
    declares: bool = False
    gone: bool = False


def tokens(of: Subject) -> tuple[Token, ...]:
    """All tokens of the file."""
    text, end = of.document.text, 0
    kept = []
    for token in sorted((*_entries(of), *_names(of)), key=lambda token: token.span):
        if token.span.start >= end and len(token.span) and "\n" not in token.span.of(text):
            kept.append(token)
            end = token.span.end
    return tuple(kept)


def _names(of: Subject) -> Iterator[Token]:
    for place in places(of):
        yield Token(place.span, Kind.NAME, declares=place.role is Role.DECLARATION)
        if place.role is Role.MARKER:
            line = line_at(of.document.text, place.span.start)
            yield Token(Span(line.start, place.span.start), Kind.MARKER)
            yield Token(Span(place.span.end, line.end), Kind.MARKER)


def _entries(of: Subject) -> Iterator[Token]:
    for written in lists(of):
        yield from _list(written)


def _list(written: List) -> Iterator[Token]:
    of, denies = written.of, written.key.holds is Holds.DENY
    known = frozenset(known_tools(of.dialect, of.options))

    def is_tool(name: str) -> bool:
        return name in known or is_vouched(of.dialect, of.options, name)

    plain = [entry for entry in written.entries if not of.dialect.is_pattern(entry.name)]
    # What becomes of others is not shown, and each is tried on each entry of both lists.
    names = tuple(dict.fromkeys(entry.name for entry in plain if is_tool(entry.name)))
    verdicts = {one.tool: one for one in meant.toolset(of, names).verdicts}
    for entry in written.entries:
        if of.dialect.is_pattern(entry.name):
            yield Token(entry.span, Kind.PATTERN, gone=denies)
        # What is no tool that anybody knows is left without a colour, which tells.
        elif is_tool(entry.name):
            is_kept = entry.name in verdicts and verdicts[entry.name].kept
            yield Token(entry.span, Kind.TOOL, gone=not is_kept)
