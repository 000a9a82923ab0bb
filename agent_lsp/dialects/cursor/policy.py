"""Says which tools an agent has: all of its parent, or with `readonly` those that change nothing.

Facts: cursor.com/docs/subagents; that `readonly` removes all MCP tools: forum.cursor.com 159786,
an answer of the vendor; read 2026-11-28.
"""

from agent_lsp.dialects.cursor.facts import CHANGING, READONLY, TOOLS
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value

# Agents that the main agent starts may start others, and those may not.
DEEPEST = 2
_NAMES = frozenset(tool.name for tool in TOOLS)


def is_pattern(_entry: str) -> bool:
    """There is no list of tools, so that nothing is a pattern."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether an entry is the name of a tool."""
    return entry == name


def cannot_tell(entry: str) -> bool:
    """Whether a name may be that of a tool of an MCP server."""
    return entry not in _NAMES


def read_only(reading: Reading) -> Value | None:
    """The value that keeps the agent from changing anything, or None."""
    value = reading.effective.settings.get(READONLY)
    return value if value is not None and value.value is True else None


def toolset(
    reading: Reading, tools: tuple[str, ...], depth: int, *, forced: bool = False
) -> Toolset:
    """The verdict on each of `tools`; `forced` says that the call itself is read-only."""
    by = read_only(reading)
    is_limited = by is not None or forced
    return Toolset(
        tuple(_verdict(tool, by, depth, is_limited=is_limited) for tool in tools), is_limited
    )


def _verdict(tool: str, by: Value | None, depth: int, *, is_limited: bool) -> Verdict:
    entry = by.span if by is not None else None
    if tool == "Task" and depth >= DEEPEST:
        return Verdict(tool, False, "an agent that a sub-agent started cannot start another one")
    if not is_limited:
        return Verdict(tool, True, "every tool of the parent: Cursor has no list of tools")
    if tool not in _NAMES:
        return Verdict(tool, False, "`readonly` removes all MCP tools", entry)
    if tool in CHANGING:
        return Verdict(tool, False, "`readonly`: no edits of files", entry)
    if tool == "Shell":
        reason = "`readonly`: only commands that change nothing; users report that all fail"
        return Verdict(tool, True, reason, entry, certain=False)
    return Verdict(tool, True, "it changes nothing", entry)
