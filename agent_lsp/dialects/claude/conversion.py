"""Maps the tools of `claude` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `tools`, which have their source there.
"""

from collections.abc import Iterator

from agent_lsp.dialects.claude import entries
from agent_lsp.dialects.claude.tools import AGENT
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve

_EVERY = "*"
_OF_SERVER = regex(r"mcp__([^*]+?)(?:__(\*|[^*]+))?")

_TOOLS = {
    "Read": effect(Ability.READ),
    "Write": effect(Ability.WRITE),
    "Edit": effect(Ability.EDIT),
    "Glob": effect(Ability.FIND),
    "Grep": effect(Ability.SEARCH),
    "LSP": effect(Ability.CODE),
    "Bash": effect(Ability.RUN),
    "PowerShell": only_with(Ability.RUN),
    "Monitor": only_with(Ability.RUN),
    "WebFetch": effect(Ability.FETCH),
    "WebSearch": effect(Ability.SEARCH_WEB),
    "TodoWrite": effect(Ability.PLAN),
    AGENT: effect(Ability.SPAWN),
    "ListAgents": effect(Ability.RUNNING),
    "SendMessage": effect(Ability.SEND),
    "Skill": effect(Ability.SKILL),
    "ToolSearch": effect(Ability.TOOLS),
    "ListMcpResourcesTool": effect(Ability.LIST_RESOURCES),
    "ReadMcpResourceTool": effect(Ability.READ_RESOURCE),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry in (_EVERY, "mcp__*"):
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2] or _EVERY) if found else None


def _entry(server: str, tool: str, list_: KeyRole) -> str | None:
    """An entry for a tool or a server; all servers together can be denied, but not allowed."""
    if server == tool == _EVERY:
        return "mcp__*" if list_ is KeyRole.DENY else None
    return f"mcp__{server}__{tool}"


def _limited(document: Document) -> tuple[Value, ...]:
    """The allowed entries with parentheses, which name some uses of a tool.

    They limit nothing in a sub-agent, and in a deny list they deny the whole tool: measured with
    Claude Code 2.1.332, 2026-11-28.
    """
    top = document.tree.top
    entry = top.get("tools") if isinstance(top, Mapping) else None
    return tuple(
        value
        for node in _scalars(entry.node if entry is not None else None)
        for value in _in_parentheses(document.text, node)
    )


def _scalars(node: Node | None) -> Iterator[Scalar]:
    items = node.items if isinstance(node, Sequence) else (node,)
    yield from (one for one in map(resolve, items) if isinstance(one, Scalar))


def _in_parentheses(text: str, node: Scalar) -> Iterator[Value]:
    for value in entries.of_scalar(text, node):
        if "(" in value.written:
            yield Value(value.text, value.span)


def _read_only(reading: Reading) -> Value | None:
    mode = reading.effective.settings.get("permissionMode")
    return mode if mode is not None and mode.text == "plan" else None


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    _server,
    _entry,
    holds={
        "permissionMode": Hold(
            "no setting of the other system asks or denies as this mode does",
            frozenset({"acceptEdits", "auto", "bypassPermissions"}),
        ),
        "hooks": Hold("a hook can refuse an action of the agent"),
        "isolation": Hold(
            "in the other system the agent works on the repository itself, not on a copy"
        ),
        "maxTurns": Hold("nothing in the other system stops the agent after this number of turns"),
    },
    unset={"model": frozenset({"inherit"}), "background": frozenset({"false"})},
    limited=_limited,
    read_only=_read_only,
)
