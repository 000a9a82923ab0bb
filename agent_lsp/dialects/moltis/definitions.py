"""Reads a Markdown definition of an agent, as today's runtime does.

Facts: crates/config/src/agent_defs.rs of moltis-org/moltis at 6bd2d118, read 2026-11-27; verdicts
measured as in `tests/conformance`.
"""

from collections.abc import Iterator

from agent_lsp.dialects import rust, serde_yaml
from agent_lsp.dialects.moltis import keys
from agent_lsp.dialects.template import Block, Fault, FaultKind, Reading, Template, Value
from agent_lsp.dialects.vocabulary import Holds, Key, Kind
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import Cut, Fence
from agent_lsp.text import Span

_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_COMMAS = "names with commas between them"

KEYS = (
    Key(
        "name",
        Kind.TEXT,
        "the name of the preset that the file defines; the name of the file does not matter",
        "the runtime skips the file",
        required_by="the runtime",
    ),
    Key("display_name", Kind.TEXT, "what the sub-agent is called in its prompt", "its `name`"),
    Key("tools", Kind.TEXT, f"the only tools that it keeps: {_COMMAS}", "every tool"),
    Key("deny_tools", Kind.TEXT, f"tools that it does not have: {_COMMAS}", "no tool is denied"),
    keys.MODEL,
    Key("emoji", Kind.TEXT, "a sign that the prompt shows behind the name", "no sign"),
    keys.THEME,
    Key(
        "delegate_only",
        Kind.BOOL,
        "leaves the sub-agent nothing but the tools with which it delegates",
        "`false`",
        nullable=False,
    ),
    Key("max_iterations", Kind.NUMBER, "how many rounds it may take", "25", record=keys.U64),
    Key("timeout_secs", Kind.NUMBER, "how many seconds it may take", "no limit", record=keys.U64),
    Key("reasoning_effort", Kind.TEXT, "how long the model reasons", "as configured"),
    Key("mcp_allow_servers", Kind.TEXT, f"the only MCP servers: {_COMMAS}", "every server"),
    Key("mcp_deny_servers", Kind.TEXT, f"MCP servers that it does not have: {_COMMAS}", "none"),
    Key(
        "sandbox_mode",
        Kind.TEXT,
        "which sessions run in a sandbox",
        "as configured",
        holds=Holds.SANDBOX,
    ),
    Key("skills_allow", Kind.TEXT, f"the only skills: {_COMMAS}", "every skill"),
    Key("skills_deny", Kind.TEXT, f"skills that it does not have: {_COMMAS}", "none"),
)

UNOPENED = "agent definition must start with '---' frontmatter delimiter"
UNCLOSED = "missing closing '---' frontmatter delimiter"
UNNAMED = "agent definition missing required 'name' field"
BOTH = "mcp_allow_servers and mcp_deny_servers are mutually exclusive"
# The same values by the names that a preset in `moltis.toml` has for them.
_AS_PRESET = {
    "display_name": "identity.name",
    "emoji": "identity.emoji",
    "theme": "identity.theme",
    "tools": "tools.allow",
    "deny_tools": "tools.deny",
    "mcp_allow_servers": "mcp.allow_servers",
    "mcp_deny_servers": "mcp.deny_servers",
    "sandbox_mode": "sandbox.mode",
    "skills_allow": "skills.allow",
    "skills_deny": "skills.deny",
}
_LISTS = frozenset(key.name for key in KEYS if _COMMAS in key.meaning)


def cut(text: str, bom: bool) -> Cut:
    """The cut at `---` in front, after white space, and at the next line that begins with `---`.

    What follows the dashes of the closing line belongs to the body; a byte-order mark is no white
    space, and hides the header.
    """
    marked = bom or text.startswith("\ufeff")
    start = len(text) - len(rust.trim(text.removeprefix("\ufeff") + "x")) + 1
    start = max(start, int(text.startswith("\ufeff")))
    if not text.startswith("---", start):
        return Cut(Fence.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    inner = start + 3
    opening = Span(start, inner)
    close = text.find("\n---", inner)
    if close < 0:
        return Cut(
            Fence.UNCLOSED, opening, Span(inner, len(text)), None, Span(len(text), len(text))
        )
    fence = Fence.HIDDEN if marked else Fence.CLOSED
    return Cut(
        fence, opening, Span(inner, close), Span(close + 1, close + 4), Span(close + 4, len(text))
    )


def read(document: Document) -> tuple[str | None, Reading]:
    """The name that the file defines, or None, and what the runtime makes of the rest."""
    decoded = decode(document)
    written = Template(_as_preset(decoded.values), (), (_prompt(document),))
    name = decoded.values.get("name")
    faults = tuple(_unseen(document)) or decoded.faults or tuple(_checks(decoded.values, document))
    reading = Reading(written, _NOTHING, faults) if faults else Reading(written, written)
    return (name.text if name is not None else None), reading


def decode(document: Document) -> serde_yaml.Decoded:
    """The header's keys under their own names."""
    header = document.cut.inner
    return serde_yaml.decode(
        document.tree, KEYS, "AgentFrontmatter", header.of(document.text), header.start
    )


def _unseen(document: Document) -> Iterator[Fault]:
    if document.cut.fence is Fence.UNCLOSED:
        yield Fault(FaultKind.UNSEEN, document.cut.open, UNCLOSED)
    elif document.cut.fence is not Fence.CLOSED:
        yield Fault(FaultKind.UNSEEN, document.cut.open, UNOPENED)


def _checks(values: dict[str, Value], document: Document) -> Iterator[Fault]:
    """What the runtime refuses about sound values, in its order."""
    if "name" not in values:
        yield Fault(FaultKind.MISSING, document.cut.open, UNNAMED, "name")
    effort, mode = values.get("reasoning_effort"), values.get("sandbox_mode")
    if effort is not None and effort.text not in [choice.name for choice in keys.EFFORTS]:
        message = f"unknown reasoning effort: {effort.text}"
        yield Fault(FaultKind.CHOICE, effort.span, message, "reasoning_effort")
    allow, deny = values.get("mcp_allow_servers"), values.get("mcp_deny_servers")
    if allow is not None and deny is not None:
        yield Fault(FaultKind.FORBIDDEN, deny.key or deny.span, BOTH, "mcp_deny_servers")
    if mode is not None and mode.text not in [choice.name for choice in keys.MODES]:
        message = f"unknown sandbox mode: {mode.text}"
        yield Fault(FaultKind.CHOICE, mode.span, message, "sandbox_mode")


def _as_preset(values: dict[str, Value]) -> dict[str, Value]:
    """The values under the names that a preset has for them; comma-separated ones as lists."""
    found: dict[str, Value] = {}
    for name, value in values.items():
        if name == "name":
            continue
        if name in _LISTS:
            items = tuple(_items(value))
            # A blank list sets nothing.
            if items:
                found[_AS_PRESET[name]] = Value(items, value.span, value.key)
        else:
            found[_AS_PRESET.get(name, name)] = value
    named = values.get("display_name") or values.get("name")
    if named is not None:
        found["identity.name"] = named
    return found


def _items(value: Value) -> Iterator[Value]:
    for item in value.text.split(","):
        name = rust.trim(item)
        if name:
            yield Value(name, value.span)


def _prompt(document: Document) -> Block:
    body = document.cut.body
    text = rust.trim(body.of(document.text))
    return Block(None, text, body)
