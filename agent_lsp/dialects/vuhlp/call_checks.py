"""Checks the `tool_call` lines of a role template.

Facts: "CLI tool protocol" in the document of the system, and
packages/daemon/src/runtime/{tool-call-parser,prompt-builder}.ts of Volpestyle/vuhlp-code at
d6c289510, read 2026-11-27.
"""

import re
from collections.abc import Callable, Iterator

from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.preamble import within_quotes
from agent_lsp.dialects.vuhlp.tool_calls import (
    ToolCall,
    are_several,
    get,
    json_of,
    role_of,
    text_of,
    tool_calls,
)
from agent_lsp.dialects.vuhlp.tools import MANAGING, TOOL_SCHEMAS, Argument, Shape, tool
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style

# What stands for something else is for people, and nobody emits it as it is.
_PLACEHOLDER = re.compile(r"\.\.\.|…|<[^\W\d]|\{\{|\$\{|^\{[\w -]+\}$|^\$\w+$", re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether a text, or something in it, is to be replaced by what is meant."""
    return _PLACEHOLDER.search(text) is not None


def arguments(owner: str, expected: tuple[Argument, ...], entry: Entry) -> Iterator[Finding]:
    """Reports missing, unknown and mistyped arguments in the object of `entry`."""
    held = entry.value
    if not isinstance(held, Mapping):
        name = entry.name or ""
        if held is not None:
            yield finding("tool-call-argument", held.span, f"`{name}` has to be an object")
        return
    yield from _members(owner, expected, held)


def _members(owner: str, expected: tuple[Argument, ...], held: Mapping) -> Iterator[Finding]:
    known = {name: one for one in expected for name in (one.name, one.other) if name}
    present = {known[entry.name].name for entry in held.entries if entry.name in known}
    for one in expected:
        if one.required and one.name not in present:
            message = f"`{owner}` needs `{one.name}`, {one.shape.value}"
            yield finding("tool-call-argument", held.span, message)
    for entry in held.entries:
        name = entry.name or ""
        if name in known:
            yield from _value(known[name], entry.value)
            continue
        message = f"`{owner}` has no argument `{name}`"
        names = tuple(one.name for one in expected)
        span = within_quotes(entry.key) if isinstance(entry.key, Scalar) else entry.key.span
        yield finding("tool-call-argument", span, message, Severity.INFORMATION, name, names)


def _value(one: Argument, node: Node | None) -> Iterator[Finding]:
    if node is None or (isinstance(node, Scalar) and is_placeholder(node.value)):
        return
    if _shape(node) is not one.shape:
        message = f"`{one.name}` has to be {one.shape.value}"
        yield finding("tool-call-argument", node.span, message)
        return
    if isinstance(node, Scalar) and one.choices and node.value not in one.choices:
        words = " or ".join(f"`{choice}`" for choice in one.choices)
        message = f"`{one.name}` has to be {words}"
        span = within_quotes(node)
        yield finding("tool-call-argument", span, message, word=node.value, candidates=one.choices)
    if isinstance(node, Mapping) and one.members:
        yield from _members(one.name, one.members, node)
    if isinstance(node, Sequence) and one.each:
        for item in node.items:
            if isinstance(item, Mapping):
                yield from _members(one.name, one.each, item)
            else:
                message = f"`{one.name}` has to be a list of objects"
                yield finding("tool-call-argument", item.span, message)


def _shape(node: Node) -> Shape | None:
    """The JSON type of a value; None for numbers, null and unreadable values."""
    if isinstance(node, Mapping):
        return Shape.OBJECT
    if isinstance(node, Sequence):
        return Shape.ARRAY
    if isinstance(node, Scalar) and node.style is Style.DOUBLE:
        return Shape.STRING
    is_truth = isinstance(node, Scalar) and node.value in ("true", "false")
    return Shape.BOOLEAN if is_truth else None


def call_checks(
    text: str, name: str, roles: Callable[[], frozenset[str]], *, manages_edges: bool
) -> Iterator[Finding]:
    """The findings on the calls in a template, which may declare that it `manages_edges`."""
    ids: set[str] = set()
    aliases: set[str] = set()
    for call in tool_calls(text):
        yield from _line(call, text)
        if call.bare:
            message = "vuhlp runs this with a warning in its log: a call belongs under `tool_call`"
            yield finding("tool-call-wrapper", call.span, message)
        if call.echoed or call.value is None or call.inner is None:
            continue
        yield from _tool(call, name, manages_edges=manages_edges)
        # Of two examples an agent copies one at a time.
        yield from _repeated(get(call.inner, "id"), "id", set() if call.fenced else ids)
        if call.name is not None and call.name.value == "spawn_node" and not call.fenced:
            held = call.entry.value if call.entry else None
            yield from _repeated(get(held, "alias"), "alias", aliases)
        yield from _role(call, roles)


def _line(call: ToolCall, text: str) -> Iterator[Finding]:
    if call.echoed:
        message = "a tool call that a shell command prints is an error for vuhlp: write it yourself"
        yield finding("tool-call-echoed", call.span, message)
    elif call.value is None:
        source = call.span.of(text)
        # What stands for something else is for people, and nobody emits it as it is.
        weight = Severity.HINT if is_placeholder(source) else None
        yield finding("tool-call-json", call.span, _why(source), weight)
    elif not call.alone:
        message = "vuhlp runs a tool call only if nothing else is on its line"
        yield finding("tool-call-not-alone", call.span, message)
    elif call.fenced:
        place = "backticks" if text.startswith("`", call.span.end) else "a code fence"
        message = f"a tool call must not be in {place}; agents may copy it like this"
        yield finding("tool-call-fenced", call.span, message)


def _why(source: str) -> str:
    """Why a call does not run; another parser has other words for it, so ours are few."""
    if are_several(source):
        return "vuhlp runs none of these tool calls: there may be one on a line"
    if json_of(source) is None:
        return "vuhlp does not run this tool call: it has to be JSON on one line"
    return "vuhlp does not run this tool call: `tool_call` has to be an object"


def _tool(call: ToolCall, role: str, *, manages_edges: bool) -> Iterator[Finding]:
    name = call.name
    place = call.inner.span if call.inner else call.span
    if name is None:
        yield finding("tool-call-name", place, "the tool call names no tool")
        return
    known = tool(name.value.strip())
    if known is None and is_placeholder(name.value):
        return
    if known is None:
        names = tuple(one.name for one in TOOL_SCHEMAS)
        message = f"vuhlp has no tool `{name.value}`"
        span = within_quotes(name)
        yield finding("tool-call-name", span, message, word=name.value, candidates=names)
        return
    if known.native:
        message = (
            f"Claude, Codex and Gemini have tools of their own for this; `{name.value}` as a "
            "tool call is for other providers (`VUHLP_<PROVIDER>_NATIVE_TOOLS`)"
        )
        yield finding("tool-call-native", name.span, message)
    if known.name in MANAGING and not (manages_edges or facts.is_orchestrator(role)):
        message = (
            f"`{known.name}` needs edge management, which `{role}` does not declare: add "
            f"`{facts.MANAGES_EDGES}` to its capabilities"
        )
        yield finding("tool-call-edges", name.span, message)
    entry = call.entry
    if entry is None:
        # Not even for a tool that takes none.
        message = f"vuhlp does not run this call: `{known.name}` needs `args`, an object"
        yield finding("tool-call-argument", place, message)
        return
    if entry.name == "params":
        message = "`params` is accepted with a warning in the log; the key is `args`"
        span = entry.key.span
        if isinstance(entry.key, Scalar):
            span = within_quotes(entry.key)
        yield finding("tool-call-params", span, message, instead="args")
    yield from arguments(known.name, known.arguments, entry)


def _repeated(entry: Entry | None, key: str, seen: set[str]) -> Iterator[Finding]:
    value = entry.value if entry else None
    if not isinstance(value, Scalar):
        return
    if value.style is not Style.DOUBLE:
        if key == "id":
            yield finding("tool-call-id", value.span, "`id` is a text, or left out")
    elif is_placeholder(value.value):
        return
    elif value.value in seen:
        yield finding("tool-call-id", value.span, f"`{value.value}` is the {key} of another call")
    else:
        seen.add(value.value)


def _role(call: ToolCall, roles: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    role = role_of(call)
    # The runtime makes a path of the name, so that one with a slash may lead anywhere.
    if role is None or "/" in role.value or "\\" in role.value or is_placeholder(role.value):
        return
    held = call.entry.value if call.entry else None
    prompt = text_of(held, "customSystemPrompt")
    if prompt is not None and prompt.value:
        # It stands in the place of the file, which is not looked for.
        return
    names = roles()
    if role.value not in names:
        message, known = facts.not_found(role.value), tuple(sorted(names))
        span = within_quotes(role)
        yield finding("role-not-found", span, message, word=role.value, candidates=known)
