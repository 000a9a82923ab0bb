"""Colours a file by semantic tokens: markers, variables, personas, agents, tools, patterns.

Invariant: tokens are in source order, do not overlap, and never continue past a line end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.context.prompts import variables
from agent_lsp.analysis.decorations.tool_lists import ToolList, agents, tool_lists
from agent_lsp.analysis.navigation.references import ReferenceRole, references
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.suggest import is_vouched, known_tools
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


class TokenKind(Enum):
    """The kind of a token, under its name in the Language Server Protocol."""

    MARKER = "macro"
    NAME = "class"
    TOOL = "function"
    PATTERN = "regexp"


@dataclass(frozen=True, slots=True)
class SemanticToken:
    """A word; `gone` is set if the agent lacks this tool, or all tools of this pattern."""

    span: Span
    kind: TokenKind
    declares: bool = False
    gone: bool = False


def semantic_tokens(file: TemplateFile) -> tuple[SemanticToken, ...]:
    """All tokens of the file."""
    text, end = file.document.text, 0
    kept = []
    found = (SemanticToken(span, TokenKind.MARKER) for _, span in variables(file))
    for token in sorted((*_entries(file), *_names(file), *found), key=lambda token: token.span):
        word = token.span.of(text)
        # For the protocol, a lone CR ends a line as well.
        if token.span.start >= end and word and "\n" not in word and "\r" not in word:
            kept.append(token)
            end = token.span.end
    return tuple(kept)


def _names(file: TemplateFile) -> Iterator[SemanticToken]:
    for place in references(file):
        yield SemanticToken(
            place.span, TokenKind.NAME, declares=place.role is ReferenceRole.DECLARATION
        )
        if place.role is ReferenceRole.MARKER:
            line = line_at(file.document.text, place.span.start)
            yield SemanticToken(Span(line.start, place.span.start), TokenKind.MARKER)
            yield SemanticToken(Span(place.span.end, line.end), TokenKind.MARKER)


def _entries(file: TemplateFile) -> Iterator[SemanticToken]:
    for written in tool_lists(file):
        yield from _list(written)
    named = file.dialect.tools.named
    for agent in agents(file) if named is not None else ():
        yield from _named(agent, named(agent.reading) if named is not None else ())


def _named(file: TemplateFile, entries: tuple[Value, ...]) -> Iterator[SemanticToken]:
    """The tokens of the names in a policy that is no list."""
    shipped = frozenset(known_tools(file.dialect, file.options))
    names = tuple(dict.fromkeys(one.text for one in entries if one.text in shipped))
    verdicts = {one.tool: one.kept for one in as_written.toolset(file, names).verdicts}
    for one in entries:
        if file.dialect.tools.is_pattern(one.text):
            yield SemanticToken(one.span, TokenKind.PATTERN)
        elif one.text in verdicts:
            yield SemanticToken(one.span, TokenKind.TOOL, gone=not verdicts[one.text])


def _list(tool_list: ToolList) -> Iterator[SemanticToken]:
    file, denies = tool_list.file, tool_list.key.role is KeyRole.DENY
    known = frozenset(known_tools(file.dialect, file.options))

    def is_tool(name: str) -> bool:
        return name in known or is_vouched(file.dialect, file.options, name)

    plain = [entry for entry in tool_list.entries if not file.dialect.tools.is_pattern(entry.name)]
    # Other names are not resolved: their verdicts are not shown, and each name costs a match with
    # each entry of both lists.
    names = tuple(dict.fromkeys(entry.name for entry in plain if is_tool(entry.name)))
    verdicts = {one.tool: one for one in as_written.toolset(file, names).verdicts}
    for entry in tool_list.entries:
        if file.dialect.tools.is_pattern(entry.name):
            yield SemanticToken(entry.span, TokenKind.PATTERN, gone=denies)
        # An unknown tool gets no colour, so that the mistake is visible.
        elif is_tool(entry.name):
            is_kept = entry.name in verdicts and verdicts[entry.name].kept
            yield SemanticToken(entry.span, TokenKind.TOOL, gone=not is_kept)
