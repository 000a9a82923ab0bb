"""Decides which tools a spawned agent keeps, and says why.

Facts: codex-rs/core/src/tools/policy.rs, tools/spec.rs and agent/guards.rs at 9f82deac0f1b and
wildmatch 2.6.1 (`tests/conformance/glob.jsonl`), read 2026-11-27.
"""

import re
from collections.abc import Callable, Sequence

from agent_lsp.dialects.codex_templates.tools import COLLABORATION, CONDITIONS, MAX_DEPTH, TOOLS
from agent_lsp.model.mcp_servers import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value

_COLLABORATION = frozenset(tool.name for tool in TOOLS if tool.group == COLLABORATION)
# The names of the tools of MCP servers: `mcp__<server>__<tool>`.
_MCP = "mcp__"
_WILDCARD = re.compile(r"[*?]")
_UNLISTED = "no `allow_list`: every tool that is not denied"


def is_pattern(entry: str) -> bool:
    """Whether a list entry is a pattern rather than a name."""
    return "*" in entry or "?" in entry


def matches(entry: str, name: str) -> bool:
    """Whether a list entry covers a tool: the whole name, case-sensitive, `*` and `?` only."""
    return _glob(entry, name) if is_pattern(entry) else entry == name


def cannot_tell(entry: str) -> bool:
    """Whether an entry speaks of tools that only a running MCP server could name.

    `mcp:*` does not, since no tool is named that way; `*` is about every tool, not about those.
    """
    return bool(_fixed(entry)) and _reaches_mcp(entry)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools; a server of any other name is not started."""
    return f"{_MCP}{server}__" if re.fullmatch(r"[A-Za-z0-9_-]+", server) else None


SERVERS = ServerNames(in_entry=in_group(re.compile(r"mcp__([A-Za-z0-9_-]+?)__.+")))


def toolset(
    reading: Reading, tools: tuple[str, ...], depth: int, *, offered: bool = False
) -> Toolset:
    """The verdict on each of `tools` for an agent at `depth` (the first agent is at 0).

    `offered` says that the session is known to have all of them.
    """
    allow = reading.effective.settings.get("allow_list")
    deny = reading.effective.settings.get("deny_list")
    listed = deny.items if deny else ()
    denied = [entry for entry in listed if not entry.stands_for]
    denies = _deciding(denied)
    doubts = _deciding([entry for entry in listed if entry.stands_for])
    allows = _deciding(allow.items if allow else ())
    allowed = tuple(item.text for item in allow.items) if allow else (f"{_MCP}*",)

    def verdict(tool: str) -> Verdict:
        by = denies(tool)
        if by is not None:
            return Verdict(tool, False, f"denied by `{by.text}`", by.span)
        by = allows(tool)
        if allow is not None and by is None:
            return Verdict(tool, False, "not in `allow_list`", allow.span)
        span = by.span if by is not None else None
        if depth >= MAX_DEPTH and tool in _COLLABORATION:
            reason = f"an agent at depth {MAX_DEPTH} has no collaboration tools"
            return Verdict(tool, False, reason, span)
        doubt = doubts(tool)
        if doubt is not None:
            reason = f"cannot tell: `{doubt.text}` stands in for {doubt.stands_for}"
            return Verdict(tool, False, reason, doubt.span, certain=False)
        reason = f"allowed by `{by.text}`" if by is not None else _UNLISTED
        condition = "" if offered else CONDITIONS.get(tool, "")
        return Verdict(tool, True, reason, span, condition)

    return Toolset(
        tuple(verdict(tool) for tool in tools),
        allow is not None or deny is not None,
        tuple(entry for entry in allowed if _reaches_mcp(entry) and not _all_denied(entry, denied)),
    )


def _deciding(entries: Sequence[Value]) -> Callable[[str], Value | None]:
    """For a tool, the entry to name as the reason: its own name if it is listed, else a pattern."""
    exact = {entry.text: entry for entry in reversed(entries)}
    patterns = [entry for entry in entries if is_pattern(entry.text)]

    def deciding(tool: str) -> Value | None:
        own = exact.get(tool)
        if own is not None or not patterns:
            return own
        return next((entry for entry in patterns if _glob(entry.text, tool)), None)

    return deciding


def _fixed(entry: str) -> str:
    """The common prefix of all names that `entry` covers."""
    return _WILDCARD.split(entry, maxsplit=1)[0]


def _reaches_mcp(entry: str) -> bool:
    fixed = _fixed(entry)
    return fixed.startswith(_MCP) or (fixed != entry and _MCP.startswith(fixed))


def _all_denied(entry: str, denied: Sequence[Value]) -> bool:
    """Whether one deny entry covers every MCP tool that `entry` covers.

    A wildcard of `entry` is replaced by characters that no name holds, for a `*` more of them
    than the deny entry has places, so that only a wildcard which is at least as wide covers them.
    """
    fixed = _fixed(entry)
    rest = entry[len(fixed) :]
    if not fixed.startswith(_MCP):
        entry = _MCP + (rest if rest.startswith("*") else "*")
    return any(
        matches(deny.text, entry.replace("?", "\0").replace("*", "\0" * (len(deny.text) + 1)))
        for deny in denied
    )


def _glob(pattern: str, name: str) -> bool:
    """Whether `pattern` covers `name`, in time linear in the product of their lengths."""
    at = here = 0
    star = resume = -1
    while here < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, resume = at, here
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[here]):
            at, here = at + 1, here + 1
        elif star >= 0:
            # The last star takes one character more, and the rest is tried again.
            resume += 1
            at, here = star + 1, resume
        else:
            return False
    return all(character == "*" for character in pattern[at:])
