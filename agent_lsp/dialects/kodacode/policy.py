"""Decides which tools an agent keeps, and says why.

Facts: internal/tool/{policy_match,mcp}.go and the tool policy of internal/app in sageil/kodacode
at aa5479acbe0f, read 2026-11-27. `MCPToolNameComponent` there makes lower-case letters, digits and
single `_` of each half of a name, so that nothing else is a tool of a server.
"""

import re
from collections.abc import Sequence

from agent_lsp.decoders import go
from agent_lsp.dialects.kodacode.facts import CONDITIONS, MCP_PREFIX, MCP_WILDCARD
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.discovery import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_SEPARATOR = "__"
_HALF = "[a-z0-9]+(?:_[a-z0-9]+)*"
_OF_SERVER = regex(f"{MCP_PREFIX}{_HALF}{_SEPARATOR}{_HALF}")
_PREFIX = regex(r"mcp(?:[\W_]+|$)", re.IGNORECASE)
_SHAPE = "a tool of a server is called `mcp_<server>__<tool>` here"


def is_pattern(entry: str) -> bool:
    """Whether a list entry is a pattern rather than a name: `mcp:*` is the only one there is."""
    return go.trim(entry) == MCP_WILDCARD


def matches(entry: str, name: str) -> bool:
    """Whether a list entry covers a tool: exactly, or as one of the tools of MCP servers."""
    pattern, tool = go.trim(entry), go.trim(name)
    if not pattern or not tool:
        return False
    return pattern == tool or (pattern == MCP_WILDCARD and tool.startswith(MCP_PREFIX))


def cannot_tell(entry: str) -> bool:
    """Whether an entry speaks of tools that only a running MCP server could name."""
    name = go.trim(entry)
    return is_pattern(name) or _OF_SERVER.fullmatch(name) is not None


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools; without a letter or digit there is none."""
    return f"{MCP_PREFIX}{_half(server)}{_SEPARATOR}" if _half(server) else None


SERVERS = ServerNames(in_entry=in_group(regex(rf"{MCP_PREFIX}({_HALF}){_SEPARATOR}{_HALF}")))


def misnamed(entry: str) -> Misnamed | None:
    """The right entry for tools of servers, for one that cannot be the name of any."""
    name = go.trim(entry)
    if cannot_tell(name):
        return None
    if go.lower(name) == MCP_WILDCARD:
        return Misnamed(f"case matters; did you mean `{MCP_WILDCARD}`?", (MCP_WILDCARD,))
    prefix = _PREFIX.match(name)
    if "*" in name or (prefix is None and _SEPARATOR not in name):
        return None
    rest = name[prefix.end() :] if prefix else name
    # With one underscore between them, only two words leave no doubt.
    between = _SEPARATOR if _SEPARATOR in rest or rest.count("_") != 1 else "_"
    server, _, tool = rest.partition(between)
    if not (_half(server) and _half(tool)):
        every = f"`{MCP_WILDCARD}` is every tool of every server"
        return Misnamed(f"{_SHAPE}, and {every}")
    meant = f"{MCP_PREFIX}{_half(server)}{_SEPARATOR}{_half(tool)}"
    return Misnamed(f"{_SHAPE}; did you mean `{meant}`?", (meant,))


def toolset(reading: Reading, tools: tuple[str, ...], depth: int) -> Toolset:  # noqa: ARG001 - the lists count at every depth
    """The verdict on each of `tools`; what delegation takes away is no matter of the lists."""
    allow = reading.effective.settings.get("AllowTools")
    deny = reading.effective.settings.get("DisallowedTools")
    denied = deny.items if deny else ()
    allowed = tuple(item.text for item in allow.items) if allow else (MCP_WILDCARD,)
    closed = any(is_pattern(item.text) for item in denied)
    return Toolset(
        tuple(_verdict(tool, allow, denied) for tool in tools),
        allow is not None or bool(denied),
        () if closed else tuple(entry for entry in allowed if is_pattern(entry)),
    )


def _verdict(tool: str, allow: Value | None, denied: Sequence[Value]) -> Verdict:
    by = _deciding(denied, tool)
    if by is not None:
        return Verdict(tool, False, f"denied by `{by.text}` in `DisallowedTools`", by.span)
    if allow is None:
        return Verdict(tool, True, f"no `AllowTools`: every tool that is not denied{_if_any(tool)}")
    by = _deciding(allow.items, tool)
    if by is None:
        reason = "not in `AllowTools`" if allow.items else "`AllowTools` is empty: no tools"
        return Verdict(tool, False, reason, allow.span)
    return Verdict(tool, True, f"allowed by `{by.text}`{_if_any(tool)}", by.span)


def _if_any(tool: str) -> str:
    condition = CONDITIONS.get(tool, "")
    return f", if {condition}" if condition else ""


def _deciding(entries: Sequence[Value], tool: str) -> Value | None:
    """The entry to name as the reason: the tool's own name if it is listed, else the wildcard."""
    exact = next((entry for entry in entries if entry.text == tool), None)
    return exact or next((entry for entry in entries if matches(entry.text, tool)), None)


def _half(name: str) -> str:
    """A server or a tool of one as the runtime spells it within a name."""
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
