"""Finds the word at a place of a role template: what it means, and what could stand there.

Invariants: a place is a word without its quotes, or the empty place where one may begin; places
are only in the `[template]` block and in `tool_call` lines.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from agent_lsp.data_classes import replace
from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.preamble import Preamble, preamble, within_quotes
from agent_lsp.dialects.vuhlp.tools import (
    TOOL_SCHEMAS,
    Argument,
    Shape,
    ToolCall,
    ToolSchema,
    tool,
    tool_calls,
)
from agent_lsp.model.schema import Choice, ValueKind, WordAt, WordKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Broken, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span

_KEYS = tuple(Choice(key.name, key.meaning) for key in facts.KEYS)
_TOOLS = tuple(Choice(one.name, one.meaning) for one in TOOL_SCHEMAS)
_LISTS = {
    "capabilities": ("capability", facts.CAPABILITIES, (facts.DECLARED_ONLY,)),
    "constraints": ("constraint", facts.CONSTRAINTS, ()),
}
_ENTRIES = {
    key.name: f'{key.name} = ["$1"]' if key.kind is ValueKind.LIST else f'{key.name} = "$1"'
    for key in facts.KEYS
}
_VALUES = {Shape.STRING: '"$1"', Shape.OBJECT: "{$1\\}", Shape.ARRAY: "[$1]", Shape.BOOLEAN: "$1"}
_CALL = (
    Choice("id", "a short string that no other call has; the runtime makes one up without it"),
    Choice("name", "the tool"),
    Choice("args", "what the tool is called with"),
)
_FIRST_SIGNS = regex(r"""[ \t]*\{"?[a-z_]*"?\}?[ \t]*""")
_CALLS = tuple(
    Choice(f'{{"tool_call":{{"name":"{one.name}"', one.meaning)
    for one in TOOL_SCHEMAS
    if not one.native
)
# Blanks behind a colon, and the colon.
_NEAR = 8
_CALL_SHAPES = {"id": '"id":"$1"', "name": '"name":"$1"', "args": '"args":{$1\\}'}


def _whole(tool: ToolSchema) -> str:
    """A call with the arguments that it needs, each with a tab stop."""
    needed = (arg for arg in tool.arguments if arg.required)
    args = ",".join(
        f'"{arg.name}":{_VALUES[arg.shape].replace("$1", f"${at}")}'
        for at, arg in enumerate(needed, 1)
    )
    braces = "\\}" * 3
    return f'{{"tool_call":{{"name":"{tool.name}","args":{{{args}{braces}'


_WHOLE = {
    choice.name: _whole(one)
    for choice, one in zip(_CALLS, (one for one in TOOL_SCHEMAS if not one.native), strict=True)
}


def word_at(document: Document, offset: int, agents: Callable[[], frozenset[str]]) -> WordAt | None:
    """The place at `offset`, or None; `agents` returns the roles that resolve to a file."""
    roles = agents()
    found = preamble(document)
    if found is not None and found.header.end < offset <= _end(document, found):
        places = _in_block(document, found, offset)
    else:
        calls = (call for call in tool_calls(document.text) if call.span.covers(offset))
        places = (one for call in calls for one in _in_call(call, offset, roles))
        places = chain(_begun(document.text, offset), places)
    there = next((one for one in places if one.span.covers(offset)), None)
    # Behind a colon no name begins, however free the place is.
    is_value = document.text[max(0, offset - _NEAR) : offset].rstrip().endswith(":")
    begun = _next(document.text, offset, roles) if there is None or is_value else None
    return begun or there


def _end(document: Document, preamble: Preamble) -> int:
    """The end of the block, with the blank line after it, in which the block may continue."""
    rows = frontmatter.lines(document.text, min(preamble.span.end + 1, len(document.text)))
    follows = next((row for row in rows if row.start > preamble.span.end), None)
    is_blank = follows is not None and not follows.of(document.text).strip()
    return (
        follows.end if follows is not None and is_blank else max(preamble.span.end, _last(document))
    )


def _last(document: Document) -> int:
    """The end of a text whose last line is empty; no line stands there."""
    return len(document.text) if document.frontmatter.inner.end + 1 == len(document.text) else 0


def _next(text: str, offset: int, roles: frozenset[str]) -> WordAt | None:
    """The empty place behind a sign that begins a member or its value, as if a word began there."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    before, after = text[start:offset], text[offset : end if end >= 0 else len(text)]
    is_free = not after.strip() or after.lstrip().startswith((",", "}", "]"))
    if not is_free or not before.rstrip().endswith(("{", ",", ":")):
        return None
    is_value = before.rstrip().endswith(":")
    word = '"x"' if is_value else "x"
    supposed = Span(len(before) + is_value, len(before) + is_value + 1)
    for call in tool_calls(f"{before}{word}{after}"):
        for one in _in_call(call, supposed.end, roles):
            if one.span == supposed:
                shapes = _quoted(one.offers) if is_value else one.shapes
                return replace(one, span=Span(offset, offset), word="", shapes=shapes)
    return None


def _begun(text: str, offset: int) -> Iterator[WordAt]:
    """The place on a line where nothing but the first signs of a call stands."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)].rstrip("\r")
    if _FIRST_SIGNS.fullmatch(line):
        span = Span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))
        yield WordAt(WordKind.TOOL, "call", span, "", _CALLS, shapes=_WHOLE)


def _in_block(document: Document, preamble: Preamble, offset: int) -> Iterator[WordAt]:
    taken = {entry.name for entry in preamble.entries}
    for entry in preamble.entries:
        offers = tuple(key for key in _KEYS if key.name == entry.name or key.name not in taken)
        is_begun = entry.value is None
        yield from _word(
            WordKind.KEY, "key", entry.key, offers, shapes=_ENTRIES if is_begun else {}
        )
        known, held = _LISTS.get(entry.name or ""), entry.value
        if known is not None and isinstance(held, Sequence):
            yield from _in_list(known, held, offset)
    line = document.text.rfind("\n", 0, offset) + 1
    if not document.text[line : offset + 1].strip():
        free = tuple(key for key in _KEYS if key.name not in taken)
        yield WordAt(WordKind.KEY, "key", Span(offset, offset), "", free, shapes=_ENTRIES)


def _in_list(
    vocabulary: tuple[str, tuple[Choice, ...], tuple[str, ...]], held: Sequence, offset: int
) -> Iterator[WordAt]:
    title, words, notes = vocabulary
    taken = {item.value for item in held.items if isinstance(item, Scalar)}
    for item in held.items:
        own = item.value if isinstance(item, Scalar) else None
        offers = tuple(word for word in words if word.name == own or word.name not in taken)
        yield from _word(WordKind.VALUE, title, item, offers, notes, _quoted(offers))
    if held.span.start < offset < held.span.end:
        free = tuple(word for word in words if word.name not in taken)
        yield WordAt(WordKind.VALUE, title, Span(offset, offset), "", free, notes, _quoted(free))


def _in_call(call: ToolCall, offset: int, roles: frozenset[str]) -> Iterator[WordAt]:
    inner, name, entry = call.inner, call.name, call.entry
    if inner is None or not inner.span.covers(offset):
        return
    yield from _names(inner, _CALL, offset, _CALL_SHAPES)
    schema = tool(name.value) if name is not None else None
    if name is not None:
        notes = _arguments(schema) if schema is not None else ()
        yield from _word(WordKind.TOOL, "tool", name, _TOOLS, notes)
    if schema is not None and entry is not None:
        yield from _in_object(schema.arguments, entry.value, offset, roles)


def _arguments(schema: ToolSchema) -> tuple[str, ...]:
    """The names of the arguments that a call needs, and of those that it may have."""
    needed = [f"`{one.name}`" for one in schema.arguments if one.required]
    others = [f"`{one.name}`" for one in schema.arguments if not one.required]
    return (
        *((f"it needs {', '.join(needed)}",) if needed else ()),
        *((f"it may have {', '.join(others)}",) if others else ()),
    )


def _in_object(
    expected: tuple[Argument, ...], held: Node | None, offset: int, roles: frozenset[str]
) -> Iterator[WordAt]:
    if not isinstance(held, Mapping) or not held.span.covers(offset):
        return
    words = tuple(Choice(one.name, _meaning(one)) for one in expected)
    shapes = {one.name: f'"{one.name}":{_VALUES[one.shape]}' for one in expected}
    for entry in held.entries:
        one = next((arg for arg in expected if entry.name in (arg.name, arg.other)), None)
        if one is not None and entry.value is not None:
            yield from _in_value(one, entry.value, offset, roles)
    yield from _names(held, words, offset, shapes)


def _names(
    held: Mapping,
    words: tuple[Choice, ...],
    offset: int,
    shapes: dict[str, str],
) -> Iterator[WordAt]:
    """The names of an object's members, and the empty place where one may begin."""
    taken = {entry.name for entry in held.entries}
    for entry in held.entries:
        offers = tuple(word for word in words if word.name == entry.name or word.name not in taken)
        is_begun = entry.value is None and not isinstance(entry.key, Broken)
        is_bare = isinstance(entry.key, Scalar) and entry.key.style is Style.PLAIN
        yield from _word(
            WordKind.KEY,
            "argument",
            entry.key,
            offers,
            shapes=shapes if is_begun and is_bare else {},
        )
    is_free = not any(entry.span.covers(offset) for entry in held.entries)
    if is_free and held.span.start < offset < held.span.end:
        free = tuple(word for word in words if word.name not in taken)
        yield WordAt(WordKind.KEY, "argument", Span(offset, offset), "", free, shapes=shapes)


def _in_value(
    argument: Argument, value: Node, offset: int, roles: frozenset[str]
) -> Iterator[WordAt]:
    if argument.name == "roleTemplate":
        offers = tuple(Choice(role, _role(role)) for role in sorted(roles))
        yield from _word(WordKind.AGENT, "role", value, offers, shapes=_quoted(offers))
    elif argument.choices:
        choices = tuple(Choice(name, f"a value of `{argument.name}`") for name in argument.choices)
        yield from _word(WordKind.VALUE, "value", value, choices, shapes=_quoted(choices))
    yield from _in_object(argument.members, value, offset, roles)
    for item in value.items if isinstance(value, Sequence) else ():
        yield from _in_object(argument.each, item, offset, roles)


def _meaning(argument: Argument) -> str:
    required = ", required" if argument.required else ""
    return f"{argument.shape.value}{required}: {argument.meaning}"


def _role(name: str) -> str:
    return "a role that vuhlp ships" if name in vuhlp.ROLES else "a role of the repository"


def _quoted(words: tuple[Choice, ...]) -> dict[str, str]:
    """Each word as it is written where no quote has been typed."""
    return {word.name: f'"{word.name}"' for word in words}


def _word(
    sort: WordKind,
    title: str,
    node: Node,
    offers: tuple[Choice, ...],
    notes: tuple[str, ...] = (),
    shapes: dict[str, str] | None = None,
) -> Iterator[WordAt]:
    """The word that a node is; one that is broken is what is typed so far."""
    if isinstance(node, Broken):
        mark = node.text[:1] in ("'", '"')
        span = Span(node.span.start + mark, node.span.end)
        yield WordAt(
            sort, title, span, node.text[mark:], offers, notes, {} if mark else shapes or {}
        )
    if isinstance(node, Scalar):
        # In quotes the word alone takes the place of what is there.
        bare = shapes or {} if node.style is Style.PLAIN else {}
        yield WordAt(sort, title, within_quotes(node), node.value, offers, notes, bare)
