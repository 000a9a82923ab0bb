"""Takes the values of a header from its nodes, as VS Code does.

Invariant: a value that VS Code does not take is not there. Of two keys of one name the first
counts.
Facts: VS Code 1.139.1, `PromptHeader` in promptSyntax/promptFileParser, read 2026-11-28 and
measured with the texts of `tests/conformance/copilot.jsonl`.
"""

from collections.abc import Callable, Iterable, Iterator

from agent_lsp.model.template import Record, Value
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

TEXTS = frozenset({"name", "description", "argument-hint", "target", "reasoning-effort"})
SWITCHES = frozenset({"user-invocable", "disable-model-invocation", "infer"})
# Mappings of which the names of the members are all that counts here.
NAMED = frozenset({"mcp-servers", "hooks", "github"})
# Words of other systems, and misspellings, for the list of tools.
INSTEAD_OF_TOOLS = (
    *("Tools", "tool", "allowed-tools", "allowedTools", "allowed_tools"),
    *("allow_list", "allowlist", "toolsets"),
)
_TRUTH = {"true": True, "false": False}
_BLANKS = " \t"


def settings(entries: Iterable[Entry]) -> dict[str, Value]:
    """The known keys that are set, each with the value that VS Code takes."""
    found: dict[str, Value] = {}
    seen: set[str] = set()
    for entry in entries:
        name, node = entry.name or "", resolve(entry.value)
        if name in seen or node is None or entry.value is None:
            continue
        seen.add(name)
        value = _value(name, node)
        if value is not None:
            found[name] = Value(value, entry.value.span, entry.key.span)
    return found


def _value(name: str, node: Node) -> object | None:
    if name in TEXTS:
        return node.value if isinstance(node, Scalar) else None
    if name in SWITCHES:
        return truth(node)
    take = _TAKEN.get(name)
    return take(node) if take is not None else None


def truth(node: Node | None) -> bool | None:
    """What a switch is set to; anything but `true` and `false` is nothing."""
    return _TRUTH.get(node.value) if isinstance(node, Scalar) else None


def _tools(node: Node) -> object | None:
    if isinstance(node, Scalar):
        return tuple(item for item in in_text(node) if item.text)
    return _items(node)


def _items(node: Node) -> object | None:
    """The texts of a list; empty ones, lists and mappings do not count."""
    if not isinstance(node, Sequence):
        return None
    return tuple(item for item in texts(node) if item.text)


def _model(node: Node) -> object | None:
    return node.value if isinstance(node, Scalar) else _all_items(node)


def _all_items(node: Node) -> object | None:
    return tuple(texts(node)) if isinstance(node, Sequence) else None


def texts(node: Sequence) -> Iterator[Value]:
    """The texts among the items of a list."""
    for item in node.items:
        target = resolve(item)
        if isinstance(target, Scalar):
            yield Value(target.value, item.span)


def in_text(node: Scalar, quotes: str = "\"'") -> Iterator[Value]:
    """The items of a text, which commas divide; one may be in one of `quotes`.

    In a text with quotes around it, or of several lines, the places are not exact.
    """
    text = node.value
    shift = {len(text): 0, len(text) + 2: 1}.get(len(node.span))
    if node.style in (Style.LITERAL, Style.FOLDED):
        shift = None
    at = 0
    while True:
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        if at >= len(text):
            return
        begin, quote = at, text[at] if text[at] in quotes else ""
        end = text.find(quote or ",", at + len(quote))
        end = len(text) if end < 0 else end
        item = text[at + len(quote) : end]
        item = item if quote else item.rstrip()
        at = min(end + len(quote), len(text))
        span = node.span
        if shift is not None:
            stop = at if quote else begin + len(item)
            span = Span(node.span.start + shift + begin, node.span.start + shift + stop)
        yield Value(item, span)
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        at += text[at : at + 1] == ","


def _handoffs(node: Node) -> object | None:
    """The hand-offs that VS Code shows: those with an agent, a label and a prompt."""
    if not isinstance(node, Sequence):
        return None
    found = ((item.span, resolve(item)) for item in node.items)
    records = (Record(span, handoff(one)) for span, one in found if isinstance(one, Mapping))
    return tuple(one for one in records if is_shown(one))


def handoff(node: Mapping) -> dict[str, Value]:
    """The known keys of a hand-off; here the last one of a name counts."""
    found: dict[str, Value] = {}
    for entry in node.entries:
        name, target = entry.name or "", resolve(entry.value)
        if entry.value is None or not isinstance(target, Scalar):
            continue
        if name in ("agent", "label", "prompt", "model"):
            found[name] = Value(target.value, entry.value.span, entry.key.span)
        elif name in ("send", "showContinueOn"):
            said = truth(target)
            if said is None:
                found.pop(name, None)
            else:
                found[name] = Value(said, entry.value.span, entry.key.span)
    return found


def is_shown(one: Record) -> bool:
    """Whether VS Code shows a button for a hand-off."""
    agent, label = (one.values.get(name) for name in ("agent", "label"))
    has_words = agent is not None and agent.text and label is not None and label.text.strip()
    return bool(has_words) and "prompt" in one.values


def _members(node: Node) -> object | None:
    """The names of the members of a mapping."""
    if not isinstance(node, Mapping):
        return None
    return tuple(Value(one.name, one.key.span) for one in node.entries if one.name)


OTHERS = frozenset({"tools", "agents", "model", "handoffs", *NAMED})
_TAKEN: dict[str, Callable[[Node], object | None]] = {
    "tools": _tools,
    "agents": _items,
    "model": _model,
    "handoffs": _handoffs,
    **dict.fromkeys(NAMED, _members),
}
