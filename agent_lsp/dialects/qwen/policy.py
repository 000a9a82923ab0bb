"""Decides which tools a sub-agent has, and says why.

Facts: Qwen Code 0.24.4, `convertToRuntimeConfig`, `prepareTools` and `matchesMcpPattern`, read and
measured 2026-11-28. `tools` is compared exactly; only `disallowedTools` has patterns, and only for
tools of MCP servers. A list of which no entry is a tool leaves the agent without tools, and nothing
refuses it; a list without entries is every tool.
"""

import re
from collections.abc import Iterator

from agent_lsp.dialects.qwen.facts import ALLOW, DENY
from agent_lsp.dialects.qwen.tools import AGENT, BORROWED, EVERY, WITHHELD
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.discovery import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_WITHHELD = frozenset(tool.name for tool in WITHHELD)
# An agent this deep calls no other one, by the default of `model.maxSubagentDepth`.
DEEPEST = 5
_MCP = "mcp__"
_ONE_TOOL = regex(r"mcp__[^*]+?__[^*]+")
_LIKE_SERVER = regex(r"(?i:mcp)(?:_(?!_)|[-:./])|(?!mcp__)(?i:mcp__)")
# Only two words leave no doubt where the name of the server ends.
_ONE_UNDERSCORE = regex(r"(?i:mcp)_([A-Za-z0-9-]+)_([A-Za-z0-9-]+)")
_SPECIFIED = regex(r"(?P<tool>[^\s(]+)\s*\(.*\)?")


def is_pattern(entry: str) -> bool:
    """Whether an entry stands for several tools: all of them, or those of servers."""
    return entry == EVERY or (entry.startswith(_MCP) and entry.endswith(EVERY))


def matches(entry: str, name: str) -> bool:
    """Whether an entry covers a tool in the list in which entries of its kind count."""
    if entry in (name, EVERY):
        return True
    if not (entry.startswith(_MCP) and name.startswith(_MCP)):
        return False
    if entry.endswith(EVERY):
        return name.startswith(entry[:-1])
    # The name of a server stands for its tools.
    return "__" not in entry.removeprefix(_MCP) and name.startswith(f"{entry}__")


def cannot_tell(entry: str) -> bool:
    """Whether an entry stands for tools that only a running MCP server could name."""
    return entry.startswith(_MCP) and len(entry) > len(_MCP)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools."""
    return f"{_MCP}{server}__" if server else None


SERVERS = ServerNames(
    in_entry=in_group(regex(r"mcp__([^*]+?)(?:__.*)?", re.DOTALL)), own_key="mcpServers"
)


def misnamed(entry: str) -> Misnamed | None:
    """The mistake in an entry that can never cover a tool, or None."""
    if entry in BORROWED:
        system, tool = BORROWED[entry]
        fix = f"it is a name of {system}; did you mean `{tool}`?"
        return Misnamed(fix, (tool,))
    if _LIKE_SERVER.match(entry):
        written = "a tool of an MCP server is called `mcp__server__tool`"
        parts = _ONE_UNDERSCORE.fullmatch(entry)
        if parts is None:
            return Misnamed(written)
        right = f"{_MCP}{parts[1]}__{parts[2]}"
        return Misnamed(f"{written}; did you mean `{right}`?", (right,))
    if entry[:1] == "[" or entry[-1:] == "]":
        bare = entry.strip("[]\"' ")
        fix = "the brackets are part of the name, because the header is not valid YAML"
        return Misnamed(f"{fix}; write `{bare}`" if bare else fix, (bare,) if bare else ())
    specified = _SPECIFIED.fullmatch(entry)
    if specified is not None:
        tool = specified["tool"]
        known = BORROWED.get(tool, ("", tool))[1]
        fix = f"a tool cannot be allowed for some uses only; write `{known}` for all of it"
        return Misnamed(fix, (known,))
    if ";" in entry:
        names = tuple(filter(None, re.split(r"[;\s]+", entry)))
        return Misnamed("only a comma divides tools", names)
    return None


def void(role: KeyRole, entry: str) -> str:
    """The reason why an entry covers nothing in this list, though it does in the other one."""
    if role is KeyRole.DENY and entry == EVERY:
        return f"`{entry}` denies nothing in `{DENY}`"
    if role is KeyRole.ALLOW and entry.startswith(_MCP) and not _ONE_TOOL.fullmatch(entry):
        return f"`{entry}` allows nothing in `{ALLOW}`: it works in `{DENY}` only"
    return ""


def denies(entry: str, tool: str) -> bool:
    """Whether an entry of `disallowedTools` takes a tool away."""
    return entry != EVERY and matches(entry, tool)


def toolset(reading: Reading, tools: tuple[str, ...], depth: int) -> Toolset:
    """The verdict on each of `tools` for a sub-agent that is called at `depth`."""
    settings = reading.effective.settings
    allow, deny = settings.get(ALLOW), settings.get(DENY)
    listed = allow.items if allow is not None else ()
    denied = deny.items if deny is not None else ()
    is_every = not listed or any(item.text == EVERY for item in listed)
    open_patterns = (f"{_MCP}{EVERY}",) if is_every else tuple(_of_servers(listed))
    if any(item.text in (f"{_MCP}{EVERY}", _MCP) for item in denied):
        open_patterns = ()
    return Toolset(
        tuple(_verdict(tool, listed, denied, depth) for tool in tools),
        bool(listed or denied),
        open_patterns,
    )


def _of_servers(listed: tuple[Value, ...]) -> Iterator[str]:
    yield from (item.text for item in listed if _ONE_TOOL.fullmatch(item.text))


def _verdict(
    tool: str, listed: tuple[Value, ...], denied: tuple[Value, ...], depth: int
) -> Verdict:
    by = next((item for item in listed if item.text == tool), None)
    if tool in _WITHHELD:
        reason = "no sub-agent has it, whatever `tools` says"
        return Verdict(tool, False, reason, by.span if by is not None else None)
    if tool == AGENT and depth >= DEEPEST:
        return Verdict(tool, False, f"an agent at depth {DEEPEST} cannot call another one")
    denier = next((item for item in denied if denies(item.text, tool)), None)
    if denier is not None:
        return Verdict(tool, False, f"denied by `{_written(denier)}`", denier.span)
    if not listed:
        return Verdict(tool, True, "no `tools`: every tool of the session that is not denied")
    by = by or next((item for item in listed if item.text == EVERY), None)
    if by is None:
        return Verdict(tool, False, "not in `tools`")
    return Verdict(tool, True, f"allowed by `{_written(by)}`", by.span)


def _written(item: Value) -> str:
    return item.written or item.text


def offered(reading: Reading, tools: tuple[str, ...], depth: int) -> tuple[str, ...]:
    """The tools as the request has them: in the order of `tools`, and as often as it has them."""
    found = toolset(reading, tools, depth)
    kept = {verdict.tool for verdict in found.kept}
    allow = reading.effective.settings.get(ALLOW)
    listed = [item.text for item in allow.items] if allow is not None else []
    if not listed or EVERY in listed:
        return tuple(tool for tool in tools if tool in kept)
    return tuple(name for name in listed if name in kept)
