"""Decides which tools a sub-agent keeps, and says why.

Facts: `filter_tools_for_agent` in codex-rs/core/src/agents.rs and the names of MCP tools in
core/src/mcp_connection_manager.rs at 67ee14f48, read 2026-11-27.
"""

import re

from agent_lsp.dialects.codex_subagents.facts import SHELL_FAMILY, WITHHELD
from agent_lsp.model.mcp_servers import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value

_WITHHELD = frozenset(tool.name for tool in WITHHELD)
# The names of the tools of MCP servers: `<server>__<tool>`.
_MCP = "__"


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether a list entry covers a tool: the exact name, or another of the shell family."""
    return entry == name or {entry, name} <= SHELL_FAMILY


def cannot_tell(entry: str) -> bool:
    """Whether an entry has the form of a tool that only a running MCP server could name."""
    server, mark, tool = entry.partition(_MCP)
    return bool(server and mark and tool)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools; a server of any other name is not started."""
    return f"{server}{_MCP}" if re.fullmatch(r"[A-Za-z0-9_-]+", server) else None


# A name that begins with `mcp__` has the form of another system.
SERVERS = ServerNames(in_entry=in_group(re.compile(r"(?!mcp__)([A-Za-z0-9_-]+?)__.+")))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`; without a list the sub-agent has MCP tools, too."""
    allowed = reading.effective.settings.get("tools")
    listed = allowed.items if allowed is not None else ()
    open_patterns = tuple(item.text for item in listed if cannot_tell(item.text))
    return Toolset(
        tuple(_verdict(tool, allowed) for tool in tools),
        allowed is not None,
        open_patterns if allowed is not None else (f"*{_MCP}*",),
    )


def _verdict(tool: str, allowed: Value | None) -> Verdict:
    if tool in _WITHHELD:
        reason = "sub-agent tools are never available inside a sub-agent"
        by = _deciding(allowed, tool) if allowed is not None else None
        return Verdict(tool, False, reason, by.span if by else None)
    if allowed is None:
        return Verdict(tool, True, "no `tools`: every tool of the session")
    if not allowed.items:
        return Verdict(tool, False, "`tools` is empty: no tools", allowed.span)
    by = _deciding(allowed, tool)
    if by is None:
        return Verdict(tool, False, "not in `tools`", allowed.span)
    if by.text != tool:
        return Verdict(tool, True, f"of the shell family, as `{by.text}` is", by.span)
    return Verdict(tool, True, f"allowed by `{by.text}`", by.span)


def _deciding(allowed: Value, tool: str) -> Value | None:
    """The entry to name as the reason: the tool's own name if it is listed."""
    exact = next((entry for entry in allowed.items if entry.text == tool), None)
    return exact or next((entry for entry in allowed.items if matches(entry.text, tool)), None)
