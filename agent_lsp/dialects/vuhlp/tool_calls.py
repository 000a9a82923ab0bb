"""Finds the `tool_call` lines in the text of a role template, and checks them.

Facts: "CLI tool protocol" in the document of the system, and
packages/daemon/src/runtime/tool-call-parser.ts of Volpestyle/vuhlp-code at d6c289510, read
2026-11-27.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.dialects.remark import About, Remark
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.arguments import arguments
from agent_lsp.dialects.vuhlp.preamble import within_quotes
from agent_lsp.dialects.vuhlp.tools import MANAGING, TOOL_SCHEMAS, tool
from agent_lsp.syntax import markdown, yaml
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Style
from agent_lsp.text import Span

_WRAPPERS = ("tool_call", "toolCall")
_MARK = re.compile(r'"tool_?[cC]all"\s*:')
_QUOTE = re.compile(r'(?<!\\)"')
_PLACEHOLDER = re.compile(r"\.\.\.|…|<[a-z]", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(?:never|not|avoid|cannot)\b|n't\b", re.IGNORECASE)
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
    found, before = [], ""
    for row in markdown.lines(text):
        line = row.of(text)
        span = _call(row, line, is_begun=before.rstrip().endswith("{"))
        before = line
        if span is None or _is_spoken_of(row, span, text):
            continue
        alone = span.of(text) == line.strip()
        fenced = any(fence.start <= row.start < fence.end for fence in fences)
        echoed = _SHELL.search(line) is not None
        found.append(ToolCall(span, *_parsed(span, text), fenced, alone, echoed))
    return tuple(found)


def role_of(call: ToolCall) -> Scalar | None:
    """The role that a call spawns a node with."""
    if call.name is None or call.name.value != "spawn_node":
        return None
    held = call.entry.value if call.entry else None
    return _text(held, "roleTemplate") or _text(held, "role")


def call_remarks(text: str, about: About, *, manages_edges: bool) -> Iterator[Remark]:
    """What is to be said about the calls in a template; it may declare that it `manages_edges`."""
    ids: set[str] = set()
    aliases: set[str] = set()
    for call in tool_calls(text):
        yield from _line(call, text)
        if call.echoed or call.value is None or call.inner is None:
            continue
        yield from _tool(call, about.name, manages_edges=manages_edges)
        # Of two examples an agent copies one at a time.
        yield from _repeated(_get(call.inner, "id"), "id", set() if call.fenced else ids)
        if call.name is not None and call.name.value == "spawn_node" and not call.fenced:
            held = call.entry.value if call.entry else None
            yield from _repeated(_get(held, "alias"), "alias", aliases)
        yield from _role(call, about)


def _line(call: ToolCall, text: str) -> Iterator[Remark]:
    if call.echoed:
        message = "a tool call that a shell command prints is an error for vuhlp: write it yourself"
        yield Remark("tool-call-echoed", call.span, message)
    elif call.value is None:
        source = call.span.of(text)
        # What stands for something else is for people, and nobody emits it as it is.
        weight = Severity.HINT if _PLACEHOLDER.search(source) else None
        yield Remark("tool-call-json", call.span, _why(source), weight)
    elif not call.alone:
        message = "vuhlp runs a tool call only if nothing else is on its line"
        yield Remark("tool-call-not-alone", call.span, message)
    elif call.fenced:
        message = "a tool call is not to be written in a code fence; agents may copy this one so"
        yield Remark("tool-call-fenced", call.span, message)


def _call(row: Span, line: str, *, is_begun: bool) -> Span | None:
    """The call on a line, as far as it stands there; `is_begun` if the line above opens it."""
    mark = _MARK.search(line)
    if mark is None:
        return None
    start = line.rfind("{", 0, mark.start())
    if start < 0:
        is_first = is_begun and not line[: mark.start()].strip()
        return Span(row.start + mark.start(), row.start + len(line.rstrip())) if is_first else None
    end = line.rfind("}") + 1
    return Span(row.start + start, row.start + (end if end > start else len(line.rstrip())))


def _is_spoken_of(row: Span, span: Span, text: str) -> bool:
    """Whether a line only speaks of a call: in inline code among words, or to forbid it."""
    before, after = text[row.start : span.start], text[span.end : row.end]
    is_inline = before.endswith("`") and after.startswith("`")
    has_words = bool(before.strip("` \t-*>") or after.strip("` \t"))
    return (is_inline and has_words) or _FORBIDDEN.search(before) is not None


def _why(source: str) -> str:
    """Why a call does not run; another parser has other words for it, so ours are few."""
    if _json(source) is None:
        return "vuhlp does not run this tool call: it has to be JSON on one line"
    return "vuhlp does not run this tool call: `tool_call` has to be an object"


def _json(source: str) -> object:
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _tool(call: ToolCall, role: str, *, manages_edges: bool) -> Iterator[Remark]:
    name = call.name
    place = call.inner.span if call.inner else call.span
    if name is None:
        yield Remark("tool-call-name", place, "the tool call names no tool")
        return
    known = tool(name.value)
    if known is None:
        names = tuple(one.name for one in TOOL_SCHEMAS)
        message = f"vuhlp has no tool `{name.value}`"
        span = within_quotes(name)
        yield Remark("tool-call-name", span, message, word=name.value, meant=names)
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
        span = entry.key.span
        if isinstance(entry.key, Scalar):
            span = within_quotes(entry.key)
        yield Remark("tool-call-params", span, message, instead="args")
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


def _role(call: ToolCall, about: About) -> Iterator[Remark]:
    role = role_of(call)
    # The runtime makes a path of the name, so that one with a slash may lead anywhere.
    if role is None or "/" in role.value or "\\" in role.value:
        return
    roles = about.agents()
    if role.value not in roles:
        message, known = facts.not_found(role.value), tuple(sorted(roles))
        span = within_quotes(role)
        yield Remark("role-not-found", span, message, word=role.value, meant=known)


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
    value = _json(line)
    is_call = isinstance(value, dict) and any(
        isinstance(value.get(wrapper), dict) for wrapper in _WRAPPERS
    )
    said = value if isinstance(value, dict) and is_call else None
    return said, inner if isinstance(inner, Mapping) else None


def _get(node: Node | None, name: str) -> Entry | None:
    return node.get(name) if isinstance(node, Mapping) else None


def _text(node: Node | None, name: str) -> Scalar | None:
    entry = _get(node, name)
    value = entry.value if entry else None
    return value if isinstance(value, Scalar) and value.style is Style.DOUBLE else None
