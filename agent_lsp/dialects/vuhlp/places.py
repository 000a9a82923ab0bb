"""What stands at a place of a role template, what could stand there, and what it means.

Invariants: a place is a word without its quotes, or the empty place where one may begin; places
are only in the `[template]` block and in `tool_call` lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from agent_lsp.dialects.vocabulary import Choice
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.preamble import preamble
from agent_lsp.dialects.vuhlp.tool_calls import ToolCall, tool_calls
from agent_lsp.dialects.vuhlp.tools import TOOLS, Argument, tool
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span


class Sort(Enum):
    """What a word is."""

    KEY = "key"
    CAPABILITY = "capability"
    CONSTRAINT = "constraint"
    TOOL = "tool"
    ARGUMENT = "argument"
    ROLE = "role"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Place:
    """A word at `span`, and the words that may stand there; a ROLE leads to a file of its name."""

    sort: Sort
    span: Span
    word: str
    offers: tuple[Choice, ...]

    @property
    def meaning(self) -> str:
        """What the word means, or nothing if it is not among the offers."""
        return next((one.meaning for one in self.offers if one.name == self.word), "")


_KEYS = tuple(Choice(key.name, key.meaning) for key in facts.KEYS)
_TOOLS = tuple(Choice(one.name, one.meaning) for one in TOOLS)
_LISTS = {
    "capabilities": (Sort.CAPABILITY, facts.CAPABILITIES),
    "constraints": (Sort.CONSTRAINT, facts.CONSTRAINTS),
}


def place(document: Document, offset: int, roles: tuple[Choice, ...]) -> Place | None:
    """The place at `offset`, or None; `roles` are those that resolve to a file."""
    found = preamble(document)
    if found is not None and found.header.end < offset <= found.span.end:
        places = _in_block(found.entries, offset)
    else:
        calls = (call for call in tool_calls(document.text) if call.span.covers(offset))
        places = (one for call in calls for one in _in_call(call, offset, roles))
    return next((one for one in places if one.span.covers(offset)), None)


def _in_block(entries: tuple[Entry, ...], offset: int) -> Iterator[Place]:
    for entry in entries:
        yield from _word(Sort.KEY, entry.key, _KEYS)
        held, known = entry.value, _LISTS.get(entry.name or "")
        if known is None or not isinstance(held, Sequence):
            continue
        for item in held.items:
            yield from _word(known[0], item, known[1])
        if held.span.start < offset < held.span.end:
            yield Place(known[0], Span(offset, offset), "", known[1])


def _in_call(call: ToolCall, offset: int, roles: tuple[Choice, ...]) -> Iterator[Place]:
    name, entry = call.name, call.entry
    if name is not None:
        yield from _word(Sort.TOOL, name, _TOOLS)
    known = tool(name.value) if name is not None else None
    if known is not None and entry is not None:
        yield from _in_object(known.arguments, entry.value, offset, roles)


def _in_object(
    expected: tuple[Argument, ...], held: Node | None, offset: int, roles: tuple[Choice, ...]
) -> Iterator[Place]:
    if not isinstance(held, Mapping) or not held.span.covers(offset):
        return
    names = tuple(Choice(one.name, one.meaning) for one in expected)
    for entry in held.entries:
        yield from _word(Sort.ARGUMENT, entry.key, names)
        one = next((arg for arg in expected if entry.name in (arg.name, arg.other)), None)
        if one is not None and entry.value is not None:
            yield from _in_value(one, entry.value, offset, roles)


def _in_value(
    one: Argument, value: Node, offset: int, roles: tuple[Choice, ...]
) -> Iterator[Place]:
    if one.name == "roleTemplate":
        yield from _word(Sort.ROLE, value, roles)
    elif one.choices:
        yield from _word(Sort.VALUE, value, tuple(Choice(name, "") for name in one.choices))
    yield from _in_object(one.members, value, offset, roles)
    for item in value.items if isinstance(value, Sequence) else ():
        yield from _in_object(one.each, item, offset, roles)


def _word(sort: Sort, node: Node, offers: tuple[Choice, ...]) -> Iterator[Place]:
    """The word that a node is; one that is broken is what is typed so far."""
    if isinstance(node, Broken):
        yield Place(sort, node.span, node.text, offers)
    if not isinstance(node, Scalar):
        return
    quotes = node.style in (Style.DOUBLE, Style.SINGLE)
    # A text that is not closed ends with its last character.
    closed = quotes and len(node.span) == len(node.value) + 2
    start, end = node.span.start + quotes, node.span.end - closed
    yield Place(sort, Span(start, max(start, end)), node.value, offers)
