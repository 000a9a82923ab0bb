"""Finds the mistakes that keep hooks from loading, and the whole agent if a hook may guard it.

Invariant: unknown events are not looked at, and neither are keys that the runtime does not read in
a hook of its type.
Facts: Claude Code 2.1.332, measured 2026-11-28, and its debug log: `Agent '…' not loaded:
hooks.PreToolUse.0: …` for the events in `GUARDS`, `entry ignored` for the others, and `Invalid
hooks in agent '…'` if `hooks` is not a mapping. An event without a value is ignored, whichever it
is.
"""

import re
from collections.abc import Callable, Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.claude import entries
from agent_lsp.dialects.claude.facts import EVENTS, GUARDS
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

# The keys of a header that `faults` looks at. Few headers have one.
AT_TOP = frozenset({"hooks", *GUARDS})
_EVENTS = frozenset(event.name for event in EVENTS)
_NOTHING = ("", "~", "null", "Null", "NULL")
_FALSE = regex(r"false|False|FALSE|[-+]?0+(?:\.0*)?")
_TRUTH = regex(r"true|True|TRUE|false|False|FALSE")
_ADDRESS = regex(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_SHELLS = ("bash", "powershell")


@dataclass(frozen=True, slots=True)
class HookFault:
    """The mistake at `span` and its fix; one `in_guard` costs the agent, and not only the hook."""

    span: Span
    thing: str
    fix: str
    in_guard: bool = True


def faults(top: Mapping) -> Iterator[HookFault]:
    """Yields the mistakes in the hooks of a header, in the order of the text."""
    for entry in top.entries:
        node = entry.node
        if entry.name in GUARDS and not _is_nothing(node):
            thing = f"`{entry.name}` is not below `hooks`"
            yield HookFault(entry.key.span, thing, "move it there")
        elif entry.name == "hooks" and not _is_unset(node):
            yield from _events(node)


def _events(node: Node | None) -> Iterator[HookFault]:
    if isinstance(node, Broken) or node is None:
        return
    if not isinstance(node, Mapping):
        yield HookFault(node.span, f"`hooks` is {_what(node)}", "write a mapping of events")
        return
    for event in node.entries:
        matchers, name = event.node, event.name or ""
        if name not in _EVENTS:
            continue
        if _is_nothing(matchers):
            fix = "write a list of matchers"
            yield HookFault(event.key.span, f"`{name}` has no value", fix, in_guard=False)
            continue
        for fault in _matchers(name, event, matchers):
            yield HookFault(fault.span, fault.thing, fault.fix, in_guard=name in GUARDS)


def _matchers(name: str, event: Entry, node: Node | None) -> Iterator[HookFault]:
    if not isinstance(node, Sequence):
        span = node.span if node is not None and len(node.span) else event.key.span
        thing = f"`{name}` is {_what(node)}"
        yield HookFault(span, thing, "write a list of matchers, each with a list `hooks`")
        return
    for item in node.items:
        yield from _matcher(name, item)


def _matcher(name: str, item: Node) -> Iterator[HookFault]:
    node = resolve(item)
    if not isinstance(node, Mapping):
        thing = f"an item of `{name}` is {_what(node)}"
        yield HookFault(item.span, thing, "write a mapping with a list `hooks`")
        return
    matcher, inner = node.get("matcher"), node.get("hooks")
    if matcher is not None and not is_text(matcher.node):
        yield _wrong(matcher, "a string, such as `Bash`")
    hooks = inner.node if inner is not None else None
    if isinstance(hooks, Sequence):
        for hook in hooks.items:
            yield from _hook(name, hook)
    elif inner is None:
        thing = f"this matcher of `{name}` has no `hooks`"
        yield HookFault(_begin(node), thing, "write a list of hooks")
    else:
        yield _wrong(inner, "a list of mappings with a `type`")


def _hook(name: str, item: Node) -> Iterator[HookFault]:
    node = resolve(item)
    if not isinstance(node, Mapping):
        thing = f"an item of `hooks` in `{name}` is {_what(node)}"
        yield HookFault(item.span, thing, "write a mapping with a `type`")
        return
    type_ = node.get("type")
    value = type_.node if type_ is not None else None
    kind = value.value if isinstance(value, Scalar) else ""
    if type_ is None:
        yield HookFault(_begin(node), f"this hook of `{name}` has no `type`", "write `type`")
    elif kind not in _REQUIRED:
        yield _wrong(type_, "`command`, `http`, `mcp_tool`, `prompt` or `agent`")
    else:
        for key in _REQUIRED[kind]:
            if node.get(key) is None:
                thing = f"this `{kind}` of `{name}` has no `{key}`"
                yield HookFault(_begin(node), thing, f"write `{key}`")
        for entry in node.entries:
            taken = (_REQUIRED[kind] | _OPTIONAL[kind] | _COMMON).get(entry.name or "")
            if taken is not None and not taken[0](entry.node):
                yield _wrong(entry, taken[1])


def _wrong(entry: Entry, wanted: str) -> HookFault:
    node = entry.node
    span = node.span if node is not None and len(node.span) else entry.key.span
    is_quoted = isinstance(node, Scalar) and node.style in (Style.SINGLE, Style.DOUBLE)
    if is_quoted and isinstance(node, Scalar) and re.fullmatch(r"\d+(?:\.\d+)?", node.value):
        wanted = f"`{node.value}`, without quotes"
    return HookFault(span, f"`{entry.name}` is {_what(node)}", f"write {wanted}")


def _begin(node: Mapping) -> Span:
    """The first key of a mapping that lacks one."""
    return node.entries[0].key.span if node.entries else node.span


def _what(node: Node | None) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Scalar) and not _is_nothing(node):
        is_quoted = node.style in (Style.SINGLE, Style.DOUBLE)
        word = f'"{node.value}"' if is_quoted else node.value
        return f"`{word}`" if node.value else "empty text"
    return "empty"


def _is_nothing(node: Node | None) -> bool:
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return node is None or (plain and isinstance(node, Scalar) and node.value in _NOTHING)


def _is_unset(node: Node | None) -> bool:
    """Whether `hooks` counts as absent."""
    if isinstance(node, Scalar) and not node.value:
        return True
    is_plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    is_false = is_plain and isinstance(node, Scalar) and _FALSE.fullmatch(node.value) is not None
    return is_false or _is_nothing(node)


def is_text(node: Node | None) -> bool:
    """Whether a value is text."""
    return isinstance(node, Scalar) and entries.is_text(node)


def _is_address(node: Node | None) -> bool:
    return isinstance(node, Scalar) and _ADDRESS.fullmatch(node.value) is not None


def _is_positive(node: Node | None) -> bool:
    is_number = isinstance(node, Scalar) and entries.is_number_or_truth(node)
    word = node.value if is_number and isinstance(node, Scalar) else ""
    return re.match(r"\+?[\d.]*[1-9]|0x0*[1-9a-fA-F]", word) is not None


def _is_truth(node: Node | None) -> bool:
    is_plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return is_plain and isinstance(node, Scalar) and _TRUTH.fullmatch(node.value) is not None


def _is_shell(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value in _SHELLS


def are_texts(node: Node | None) -> bool:
    """Whether a value is a list of strings."""
    return isinstance(node, Sequence) and all(is_text(resolve(item)) for item in node.items)


def _is_table(node: Node | None) -> bool:
    return isinstance(node, Mapping)


def is_table_of_texts(node: Node | None) -> bool:
    """Whether a value is a mapping of strings."""
    return isinstance(node, Mapping) and all(is_text(e.node) for e in node.entries)


_Taken = tuple[Callable[[Node | None], bool], str]
_TEXT: _Taken = (is_text, "a string, in quotes if it would be something else")
_TEXTS: _Taken = (are_texts, "a list of strings")
_BOOL: _Taken = (_is_truth, "`true` or `false`")
_REQUIRED: dict[str, dict[str, _Taken]] = {
    "command": {"command": _TEXT},
    "http": {"url": (_is_address, "an address, such as `https://…`")},
    "mcp_tool": {"server": _TEXT, "tool": _TEXT},
    "prompt": {"prompt": _TEXT},
    "agent": {"prompt": _TEXT},
}
_OPTIONAL: dict[str, dict[str, _Taken]] = {
    "command": {
        "args": _TEXTS,
        "async": _BOOL,
        "asyncRewake": _BOOL,
        "shell": (_is_shell, "`bash` or `powershell`"),
    },
    "http": {"headers": (is_table_of_texts, "a mapping of strings"), "allowedEnvVars": _TEXTS},
    "mcp_tool": {"input": (_is_table, "a mapping")},
    "prompt": {"model": _TEXT},
    "agent": {"model": _TEXT},
}
TYPES = tuple(_REQUIRED)
_COMMON: dict[str, _Taken] = {
    "timeout": (_is_positive, "a number above 0"),
    "if": _TEXT,
    "statusMessage": _TEXT,
    "once": _BOOL,
}
