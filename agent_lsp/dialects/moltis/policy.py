"""Decides which tools a sub-agent keeps, and says why.

Facts: the filters of crates/tools/src/spawn_agent.rs and agents/src/tool_registry.rs of
moltis-org/moltis at 33737298547866 and 6bd2d118, read 2026-11-27.
"""

import re
from collections.abc import Mapping, Sequence

from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.tools import DELEGATION, SEED_TOOLS, SPAWN, TODAY_TOOLS
from agent_lsp.model.mcp_servers import in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value

ALLOW, DENY, DELEGATE = "tools.allow", "tools.deny", "delegate_only"
# The tools that only the other generation has: seen from the document's, and from today's.
_OTHERS = tuple(
    frozenset(tool.name for tool in others) - frozenset(tool.name for tool in own)
    for own, others in ((SEED_TOOLS, TODAY_TOOLS), (TODAY_TOOLS, SEED_TOOLS))
)
# The names of the tools of MCP servers: `mcp__<server>__<tool>`.
MCP = "mcp__"


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern: names are compared exactly when a sub-agent is spawned."""
    return False


def looks_like_pattern(entry: str) -> bool:
    """Whether an entry was meant as a pattern."""
    return "*" in entry or "?" in entry


def matches(entry: str, name: str) -> bool:
    """Whether a list entry covers a tool: the exact name."""
    return entry == name


def cannot_tell(entry: str) -> bool:
    """Whether an entry has the form of a tool that only a running MCP server could name."""
    server, mark, tool = entry.removeprefix(MCP).partition("__")
    return (
        entry.startswith(MCP) and not looks_like_pattern(entry) and bool(server and mark and tool)
    )


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools, for any name of the server."""
    return f"{MCP}{server}__" if server else None


IN_ENTRY = in_group(re.compile(r"mcp__([^*?]+?)__[^*?]+"))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools` that the file's generation has, or on the only one."""
    strangers = _OTHERS[reading.generation == Generation.TODAY.name]
    if len(tools) > 1:
        tools = tuple(tool for tool in tools if tool not in strangers)
    settings = reading.effective.settings
    allow, deny = items(settings, ALLOW), items(settings, DENY)
    if delegates(settings):
        known = (*tools, *(tool for tool in DELEGATION if tool not in tools))
        return Toolset(tuple(_delegating(tool, deny, settings) for tool in known), True)
    verdicts = tuple(_verdict(tool, allow, deny, settings.get(ALLOW)) for tool in tools)
    listed = tuple(item.text for item in allow if cannot_tell(item.text))
    return Toolset(verdicts, bool(allow or deny), listed if allow else (f"{MCP}*",))


def delegates(settings: Mapping[str, Value]) -> bool:
    """Whether the preset leaves nothing but the tools with which agents delegate."""
    value = settings.get(DELEGATE)
    return value is not None and value.value is True


def items(settings: Mapping[str, Value], name: str) -> tuple[Value, ...]:
    """The items of a list; none where it is not set."""
    value = settings.get(name)
    return value.items if value is not None else ()


def _verdict(
    tool: str, allow: Sequence[Value], deny: Sequence[Value], value: Value | None
) -> Verdict:
    if tool == SPAWN:
        by = _entry(allow, tool) or _entry(deny, tool)
        reason = "always removed from a sub-agent, whatever the preset says"
        return Verdict(tool, False, reason, by.span if by else None)
    listed = _entry(allow, tool)
    if allow and listed is None:
        return Verdict(tool, False, f"not in `{ALLOW}`", value.span if value else None)
    denied = _entry(deny, tool)
    if denied is not None:
        return Verdict(tool, False, f"denied by `{DENY}`", denied.span)
    if listed is not None:
        return Verdict(tool, True, f"in `{ALLOW}`", listed.span)
    return Verdict(tool, True, f"no `{ALLOW}`: every tool that is not denied")


def _delegating(tool: str, deny: Sequence[Value], settings: Mapping[str, Value]) -> Verdict:
    switch = settings[DELEGATE].span
    if tool == SPAWN:
        return Verdict(tool, True, f"`{DELEGATE}` gives it back, even where it is denied", switch)
    if tool not in DELEGATION:
        return Verdict(tool, False, f"not one of the tools that `{DELEGATE}` leaves", switch)
    denied = _entry(deny, tool)
    if denied is not None:
        return Verdict(tool, False, f"denied by `{DENY}`", denied.span)
    return Verdict(tool, True, f"one of the tools that `{DELEGATE}` leaves", switch)


def _entry(entries: Sequence[Value], tool: str) -> Value | None:
    return next((entry for entry in entries if entry.text == tool), None)
