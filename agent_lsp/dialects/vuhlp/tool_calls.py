"""Finds the `tool_call` lines in the text of a role template, and checks them.

Facts: "CLI tool protocol" in the document of the system, and
packages/daemon/src/runtime/tool-call-parser.ts of Volpestyle/vuhlp-code at d6c289510, read
2026-11-27.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.dialects.remark import Remark
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.arguments import arguments
from agent_lsp.dialects.vuhlp.tools import MANAGING, TOOLS, tool
from agent_lsp.syntax import markdown, yaml
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Style
from agent_lsp.text import Span

_WRAPPERS = ("tool_call", "toolCall")
_MARK = re.compile(r'"tool_?[cC]all"\s*:')
_QUOTE = re.compile(r'(?<!\\)"')
_SHELL = re.compile(r"\b(?:echo|printf|cat)\b[^{]*\{")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A line with a tool call.

    `span` is the JSON in it without the text around it; `value` what it says, None where it is no
    JSON; `inner` is the value of `tool_call` with its places, as far as it can be read; `fenced`
    says that it stands in a code fence, `alone` that nothing else is on the line.
    """

    span: Span
    value: dict[str, object] | None
    inner: Mapping | None
    fenced: bool
    alone: bool
    echoed: bool

    @property
    def name(self) -> Scalar | None:
        """The name of the tool."""
        return _text(self.inner, "name")

    @property
    def entry(self) -> Entry | None:
        """The arguments, under whichever key."""
        return _get(self.inner, "args") or _get(self.inner, "params")


def tool_calls(text: str) -> tuple[ToolCall, ...]:
    """The lines of `text` that call a tool or were meant to."""
    if "tool" not in text:
        return ()
    fences = markdown.code_blocks(text)
    found = []
    for row in markdown.lines(text):
        line = row.of(text)
        mark = _MARK.search(line)
        start = line.rfind("{", 0, mark.start()) if mark else -1
        if start < 0:
            continue
        end = line.rfind("}") + 1
        span = Span(row.start + start, row.start + (end if end > start else len(line.rstrip())))
        alone = not (line[:start].strip() or text[span.end : row.end].strip())
        fenced = any(fence.start <= row.start < fence.end for fence in fences)
        echoed = _SHELL.search(line) is not None
        found.append(ToolCall(span, *_parsed(span, text), fenced, alone, echoed))
    return tuple(found)


def call_remarks(
    text: str, role: str, *, manages_edges: bool, roles: frozenset[str]
) -> Iterator[Remark]:
    """What is to be said about the calls in the template `role`.

    `manages_edges` says that it declares to; `roles` are those that resolve to a file.
    """
    ids: set[str] = set()
    aliases: set[str] = set()
    for call in tool_calls(text):
        yield from _line(call, text)
        if call.echoed or call.value is None or call.inner is None:
            continue
        yield from _tool(call, role, manages_edges=manages_edges)
        yield from _repeated(_get(call.inner, "id"), "id", ids)
        entry = call.entry
        held = entry.value if entry else None
        if call.name is not None and call.name.value == "spawn_node":
            yield from _repeated(_get(held, "alias"), "alias", aliases)
            yield from _role(held, roles)


def _line(call: ToolCall, text: str) -> Iterator[Remark]:
    if call.echoed:
        message = "a tool call that a shell command prints is an error for vuhlp: write it yourself"
        yield Remark("tool-call-echoed", call.span, message)
    elif call.value is None:
        yield Remark("tool-call-json", call.span, _why(call.span.of(text)))
    elif not call.alone:
        message = "vuhlp runs a tool call only if nothing else is on its line"
        yield Remark("tool-call-not-alone", call.span, message)
    elif call.fenced:
        message = "a tool call is not to be written in a code fence; agents may copy this one so"
        yield Remark("tool-call-fenced", call.span, message)


def _why(line: str) -> str:
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not readable"
        reason = reason[:1].lower() + reason[1:]
        return f"vuhlp does not run this tool call: it has to be JSON on one line ({reason})"
    return "vuhlp does not run this tool call: `tool_call` has to be an object"


def _tool(call: ToolCall, role: str, *, manages_edges: bool) -> Iterator[Remark]:
    name = call.name
    place = call.inner.span if call.inner else call.span
    if name is None:
        yield Remark("tool-call-name", place, "the tool call names no tool")
        return
    known = tool(name.value)
    if known is None:
        names = tuple(one.name for one in TOOLS)
        message = f"vuhlp has no tool `{name.value}`"
        yield Remark("tool-call-name", name.span, message, word=name.value, meant=names)
        return
    if known.native:
        message = (
            f"Claude, Codex and Gemini have tools of their own for this; `{name.value}` as a "
            "tool call is for other providers (`VUHLP_<PROVIDER>_NATIVE_TOOLS`)"
        )
        yield Remark("tool-call-native", name.span, message)
    if known.name in MANAGING and not (manages_edges or facts.is_orchestrator(role)):
        message = (
            f"`{known.name}` needs edge management, which `{role}` does not declare: add "
            f"`{facts.MANAGES_EDGES}` to its capabilities"
        )
        yield Remark("tool-call-edges", name.span, message)
    entry = call.entry
    if entry is None:
        if any(argument.required for argument in known.arguments):
            yield Remark("tool-call-argument", place, f"`{known.name}` needs `args`")
        return
    if entry.name == "params":
        message = "`params` is accepted with a warning in the log; the key is `args`"
        yield Remark("tool-call-params", entry.key.span, message)
    yield from arguments(known.name, known.arguments, entry)


def _repeated(entry: Entry | None, key: str, seen: set[str]) -> Iterator[Remark]:
    value = entry.value if entry else None
    if not isinstance(value, Scalar):
        return
    if value.style is not Style.DOUBLE:
        if key == "id":
            yield Remark("tool-call-id", value.span, "`id` is a text, or left out")
    elif value.value in seen:
        yield Remark("tool-call-id", value.span, f"`{value.value}` is the {key} of another call")
    else:
        seen.add(value.value)


def _role(held: Node | None, roles: frozenset[str]) -> Iterator[Remark]:
    role = _text(held, "roleTemplate") or _text(held, "role")
    if role is not None and role.value not in roles:
        message, known = facts.not_found(role.value), tuple(sorted(roles))
        yield Remark("role-not-found", role.span, message, word=role.value, meant=known)


def _parsed(span: Span, text: str) -> tuple[dict[str, object] | None, Mapping | None]:
    """The JSON of a line, and the inner object with its places.

    JSON is YAML, whose reader has the places and also reads what is half typed; only a text that
    is still open has to be closed, one character behind the end.
    """
    line = span.of(text)
    is_open = len(_QUOTE.findall(line)) % 2 == 1
    root = yaml.parse(line + '"' * is_open, span.start).root
    entry = _get(root, _WRAPPERS[0]) or _get(root, _WRAPPERS[1])
    inner = entry.value if entry else None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    is_call = isinstance(value, dict) and any(
        isinstance(value.get(wrapper), dict) for wrapper in _WRAPPERS
    )
    return value if is_call else None, inner if isinstance(inner, Mapping) else None


def _get(node: Node | None, name: str) -> Entry | None:
    return node.get(name) if isinstance(node, Mapping) else None


def _text(node: Node | None, name: str) -> Scalar | None:
    entry = _get(node, name)
    value = entry.value if entry else None
    return value if isinstance(value, Scalar) and value.style is Style.DOUBLE else None
