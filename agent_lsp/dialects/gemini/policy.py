"""Decides which tools an agent gets, and which names `tools` may have.

Invariants: a name that may not be there refuses the file, and is no matter of policy; a name that
may be there can still give nothing. `complete_task` and the tools of the agent's own servers are
there whatever `tools` says.
Facts: Gemini CLI 0.61.0, measured 2026-11-28 (`tests/conformance`).
"""

import re

from agent_lsp.dialects.gemini.facts import (
    COMPLETE,
    DISCOVERED,
    NAMES,
    NEVER,
    SEARCH_ALIAS,
    TOOLS,
    UNNAMEABLE,
)
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.discovery import ServerNames, up_to_underscores
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex
from agent_lsp.text import Span

_EVERY = "*"
_MCP = "mcp_"
# The name of a server ends at the first underscore.
_OF_SERVER = regex(
    r"mcp_(?P<server>[A-Za-z0-9.:-]+)_(?P<tool>\*|[A-Za-z0-9_.:-]*[A-Za-z0-9.:-][\w.:-]*)"
)
_OF_CLAUDE = regex(r"mcp__(?P<server>[A-Za-z0-9_-]+?)(?:__(?P<tool>[A-Za-z0-9_-]+|\*))?")
_SPLIT_SERVER = regex(r"mcp_(?P<server>[\w.:-]+)_\*", re.ASCII)
_CONDITIONS = {tool.name: tool.condition for tool in TOOLS}


def is_valid(name: str) -> bool:
    """Whether the runtime takes a file whose `tools` have `name`."""
    if name in NAMES or name == _EVERY or name.startswith(DISCOVERED) or name == f"{_MCP}*":
        return True
    return name.isascii() and _OF_SERVER.fullmatch(name) is not None


def is_pattern(entry: str) -> bool:
    """Whether an entry stands for several tools."""
    return entry == _EVERY or (entry.startswith(_MCP) and entry.endswith("_*") and is_valid(entry))


def matches(entry: str, name: str) -> bool:
    """Whether an entry of `tools` covers a tool."""
    if entry == _EVERY or SEARCH_ALIAS.get(entry, entry) == SEARCH_ALIAS.get(name, name):
        return True
    return is_pattern(entry) and name.startswith(entry.removesuffix("*"))


def cannot_tell(entry: str) -> bool:
    """Whether only a running server or a command of the project knows what an entry covers."""
    return entry.startswith((_MCP, DISCOVERED)) and is_valid(entry)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools."""
    return f"{_MCP}{server}_" if re.fullmatch(r"[A-Za-z0-9_.:-]+", server) else None


SERVERS = ServerNames(in_entry=up_to_underscores(_MCP), own_key="mcp_servers")


def server_of(entry: str) -> tuple[str, str] | None:
    """The server and the tool of an entry, each `*` for all; None if it speaks of no server."""
    if entry in (_EVERY, f"{_MCP}*"):
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found["server"], found["tool"]) if found is not None else None


def misnamed(entry: str) -> Misnamed | None:
    """The entry to write for one that means tools of servers, and that the runtime refuses."""
    if is_valid(entry):
        return None
    found = _OF_CLAUDE.fullmatch(entry)
    if found is not None:
        return _written(found["server"], found["tool"] or _EVERY)
    split = _SPLIT_SERVER.fullmatch(entry)
    if split is not None:
        return _written(split["server"], _EVERY)
    bare = re.fullmatch(r"mcp_(?P<server>[A-Za-z0-9.:-]+)_?", entry)
    return _written(bare["server"], _EVERY) if bare is not None else None


def _written(server: str, tool: str) -> Misnamed:
    if server == _EVERY or (tool == _EVERY and "_" in server):
        why = "for a pattern takes no server whose name has `_`"
        return Misnamed(f"name each tool or write `mcp_*`, {why}")
    meant = f"{_MCP}{server}_{tool}"
    return Misnamed(f"write `{meant}`", (meant,))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`, those of its session."""
    settings = reading.effective.settings
    allowed, servers = settings.get("tools"), settings.get("mcp_servers")
    own = tuple(servers.items) if servers is not None else ()
    listed = allowed.items if allowed is not None else ()
    patterns = [entry.text for entry in listed if cannot_tell(entry.text) or entry.text == _EVERY]
    patterns = [f"{_MCP}*" if one == _EVERY else one for one in patterns]
    if allowed is None:
        patterns = [f"{_MCP}*"]
    patterns += [f"{_MCP}{server.text}_*" for server in own]
    return Toolset(
        tuple(_verdict(tool, allowed, own) for tool in tools),
        allowed is not None,
        tuple(dict.fromkeys(patterns)),
    )


def _verdict(tool: str, allowed: Value | None, servers: tuple[Value, ...]) -> Verdict:
    by = _deciding(allowed, tool)
    span = by.span if by is not None else None
    if tool == COMPLETE:
        return Verdict(tool, True, "every agent has it, because only it ends the work", span)
    if tool in NEVER:
        return Verdict(tool, False, NEVER[tool], span)
    server = next((one for one in servers if tool.startswith(f"{_MCP}{one.text}_")), None)
    if server is not None:
        reason = f"of the agent's own server `{server.text}`, which `tools` does not limit"
        return Verdict(tool, True, reason, server.span)
    condition = _CONDITIONS.get(tool, "")
    if allowed is None:
        reason = "no `tools`: every tool that the session has"
        return Verdict(tool, True, reason, condition=condition)
    if by is None:
        return Verdict(tool, False, _not_listed(tool, allowed), _place(allowed))
    return Verdict(tool, True, f"allowed by `{by.text}`", span, condition=condition)


def _not_listed(tool: str, allowed: Value) -> str:
    if not allowed.items:
        return "`tools` is empty"
    if tool in UNNAMEABLE:
        return "`tools` cannot name it: only `*`, or no `tools`, gives it"
    return "not in `tools`"


def _place(allowed: Value) -> Span | None:
    return allowed.span if len(allowed.span) else None


def _deciding(allowed: Value | None, tool: str) -> Value | None:
    """The entry to name as the reason: the tool's own name if it is listed."""
    listed = allowed.items if allowed is not None else ()
    exact = next((entry for entry in listed if entry.text == tool), None)
    return exact or next((entry for entry in listed if matches(entry.text, tool)), None)
