"""Decides which tools a spawned agent has, and says why.

Facts: measured with `@openai/codex` 0.171.0, 2026-11-28: nothing in a file but
`features.shell_tool = false` takes tools away, and nothing adds any.
"""

from agent_lsp.dialects.codex_agents.facts import AGENT_TOOLS, SHELL, TOOLS
from agent_lsp.dialects.codex_agents.keys import SHELL as SWITCH
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value

_CONDITIONS = {tool.name: tool.condition for tool in (*TOOLS, *AGENT_TOOLS)}
_AGENTS = frozenset(tool.name for tool in AGENT_TOOLS)
_MCP = "mcp__"


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern: there are no lists."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether two names are the same."""
    return entry == name


def cannot_tell(entry: str) -> bool:
    """Whether an entry has the form of a tool that only a running MCP server could name."""
    return entry.startswith(_MCP)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools."""
    return f"{_MCP}{server}__" if server else None


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`."""
    switch = reading.effective.settings.get(SWITCH)
    is_off = switch is not None and switch.value is False
    verdicts = tuple(_verdict(tool, switch if is_off else None) for tool in tools)
    return Toolset(verdicts, is_off, (f"{_MCP}*",))


def _verdict(tool: str, switch: Value | None) -> Verdict:
    if tool in SHELL and switch is not None:
        return Verdict(tool, False, f"`{SWITCH}` is `false`", switch.span)
    if tool in _AGENTS:
        reason = "agents of the second kind may start others; at the default depth no other may"
        return Verdict(tool, True, reason, condition=_CONDITIONS[tool])
    reason = "an agent has the tools of its session"
    return Verdict(tool, True, reason, condition=_CONDITIONS.get(tool, ""))
