"""Decides which tools a sub-agent keeps, and says why.

Facts: code.claude.com/docs/sub-agents and tools-reference as of 2026-10-08, read 2026-11-28; the
tools that patterns cover, the effect of `*` and `mcp__*` in each list, and that `memory` counts
only with one of its three words, measured with Claude Code 2.1.332, 2026-11-28. If every allowed
tool is denied, the agent runs without tools; if one is missing for another reason, the runtime
refuses the spawn: measured with Claude Code 2.1.332, 2026-11-28. A denied `Tool(…)` removes the
tool, but does not count as denied here; neither does the old name of `Agent`, nor `Agent` for an
entry `Agent(…)`.
"""

import re
from collections.abc import Iterable, Mapping

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.claude.facts import ALLOW, DEEPEST, DENY, MEMORIES
from agent_lsp.dialects.claude.tools import (
    AGENT,
    BORROWED,
    BUILT_ON,
    CONDITIONS,
    EXIT_PLAN,
    FOR_MEMORY,
    SEARCH,
    SEARCHES,
    SHELL,
    WITHHELD,
)
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.discovery import ServerNames, in_group
from agent_lsp.model.runtime import RuntimeRefusal, Toolset, Verdict
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

REFUSED = "the runtime refuses to launch the agent"
_WITHHELD = frozenset(tool.name for tool in WITHHELD)
_MEMORIES = frozenset(choice.name for choice in MEMORIES)
_MCP = "mcp__"
# The depth of the session itself, which calls the first sub-agents.
SESSION_DEPTH = 0
_EVERY, _SERVERS = "*", "mcp__*"
# A server, a tool of one, or all servers: a star stands for all tools, and for no part of a name.
_OF_SERVERS = regex(r"mcp__(?:\*|[^*]+(?<!__)(?:__\*)?)")
# Entries that look like the tools of a server, in a wrong spelling.
_LIKE_SERVER = regex(r"mcp(?:_(?!_)|[-:./])|(?!mcp__)(?i:mcp__)|(?!mcp)(?i:mcp)[_:./-]|(?i:mcp)\Z")
# A tool of a server whose name has no underscore, which is the one that can be told.
_ONE_UNDERSCORE = regex(r"mcp_([A-Za-z0-9-]+)_{1,2}([A-Za-z0-9_-]+)")
_ALL = regex(r"all", re.IGNORECASE)


def is_pattern(entry: str) -> bool:
    """Whether an entry stands for several tools: those of a server, or all of them."""
    return entry.endswith(_EVERY) and (entry == _EVERY or cannot_tell(entry))


def matches(entry: str, name: str) -> bool:
    """Whether an entry covers a tool: by its name, by its server, or as any tool."""
    if entry in (name, _EVERY):
        return True
    return cannot_tell(entry) and name.startswith(f"{_server(entry)}__")


def is_void(denied: tuple[Value, ...]) -> bool:
    """Whether a list of denied tools denies nothing, because it has a `*`."""
    return any(entry.text == _EVERY for entry in denied)


def void(role: KeyRole, entry: str) -> str:
    """The reason why an entry covers nothing in this list, though it does in the other one."""
    if role is KeyRole.DENY and entry == _EVERY:
        return f"`{entry}` denies nothing in `{DENY}`, and neither do the other entries"
    if role is KeyRole.ALLOW and entry == _SERVERS:
        return f"`{entry}` allows nothing in `{ALLOW}`: it works in `{DENY}` only"
    return ""


def _server(entry: str) -> str:
    """The part before the tool in the names that an entry for a server covers."""
    return "mcp" if entry == _SERVERS else entry.removesuffix(f"__{_EVERY}")


def cannot_tell(entry: str) -> bool:
    """Whether an entry stands for tools that only a running MCP server could name."""
    # Most entries are plain names, for which the expression would take most of the time of a check.
    return entry.startswith(_MCP) and _OF_SERVERS.fullmatch(entry) is not None


def everywhere(names: Iterable[str], allowed: set[str]) -> tuple[str, ...]:
    """Those of the tools `names` that each session has, as far as the agent may keep them.

    A sub-agent may have some of them only without `Bash`.
    """
    said = allowed | FOR_MEMORY
    is_any = any(is_pattern(text) or cannot_tell(text) for text in said)
    return tuple(name for name in names if name not in CONDITIONS and (is_any or name in said))


def names_server(entry: str) -> bool:
    """Whether an entry is for a server, present or not, and not for one tool."""
    server = entry.removeprefix(_MCP).removesuffix(f"__{_EVERY}")
    return entry.startswith(_MCP) and "__" not in server and server not in ("", _EVERY)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools, with `_` for characters that are not allowed."""
    return f"{_MCP}{re.sub('[^A-Za-z0-9_-]', '_', server)}__" if server else None


# The servers that the runtime, its programs and its account bring, and those of plugins, which may
# be installed anywhere: names of servers in the program of 2.1.332, read 2026-11-29.
_ELSEWHERE = regex(
    r"claude_ai_.*|plugin_.*|ide|computer-use|claude-(?:in|for)-chrome|Claude_in_Chrome"
    r"|Claude_(?:Preview|Browser)|claude-(?:device|artifacts)|remote-devices|workspace|cowork"
)
SERVERS = ServerNames(
    in_entry=in_group(regex(r"mcp__([^*]+?)(?:__.*)?", re.DOTALL)),
    own_key="mcpServers",
    keys=frozenset({"mcpServers"}),
    elsewhere=_ELSEWHERE,
)


def misnamed(entry: str) -> Misnamed | None:
    """The mistake in an entry that can never cover a tool, or None."""
    if _ALL.fullmatch(entry):
        return Misnamed("to allow every tool, remove the key")
    if entry in BORROWED:
        system, meant = BORROWED[entry]
        also = " and ".join(f"`{tool}`" for tool in meant)
        return Misnamed(f"it is a name of {system}; did you mean {also}?", meant)
    if entry[0] == "[" or entry[-1] == "]":
        # The runtime reads a list in brackets as text if it is not valid YAML.
        bare = entry.strip("[]\"'")
        fix = "the brackets are part of the name, because the list is not valid YAML"
        return Misnamed(f"{fix}; write `{bare}`" if bare else fix, (bare,) if bare else ())
    if "(" in entry or entry.endswith(")"):
        return _parentheses(entry)
    if entry.startswith(_MCP):
        return _of_server(entry)
    if not _LIKE_SERVER.match(entry):
        return None
    if entry.lower().startswith(_MCP):
        right = _MCP + entry[len(_MCP) :]
        return Misnamed(f"case matters; did you mean `{right}`?", (right,))
    written = "a tool of an MCP server is written `mcp__<server>__<tool>`"
    parts = _ONE_UNDERSCORE.fullmatch(entry)
    if parts is None:
        return Misnamed(written)
    right = "__".join(("mcp", *parts.groups()))
    return Misnamed(f"{written}; did you mean `{right}`?", (right,))


def _parentheses(entry: str) -> Misnamed | None:
    """The mistake in an entry with a parenthesis; a correct `Tool(…)` has none left."""
    name, opened, rest = entry.partition("(")
    if not opened:
        return Misnamed("a `)` without `(` is part of the name", (entry.rstrip(")"),))
    if ")" not in rest:
        # With a comma in it, the rest may be other tools.
        right = () if "," in rest or not rest.strip() else (f"{entry})",)
        return Misnamed("`(` is never closed, so the rest is part of the entry; write `)`", right)
    if name.strip() in ("", _EVERY) or not rest.endswith(")"):
        return Misnamed("an entry is `Tool` or `Tool(…)`, and nothing else")
    return Misnamed("in brackets, a comma splits an entry even inside parentheses; use quotes")


def _of_server(entry: str) -> Misnamed | None:
    if cannot_tell(entry):
        return None
    if _EVERY in entry:
        return Misnamed("`*` stands only for all tools of a server, as in `mcp__github__*`")
    server = entry.rstrip("_")
    fix = f"did you mean `{server}`?" if server != "mcp" else "name the server"
    return Misnamed(fix, (server,) if server != "mcp" else ())


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of a list, indexed, because a list may be as long as the list of tools."""

    entries: tuple[Value, ...]
    named: Mapping[str, Value]
    # The index of the first entry for a server, or for every tool.
    broad: Mapping[str, int]

    @classmethod
    def of(cls, entries: tuple[Value, ...], role: KeyRole) -> "_Entries":
        """`entries` by what they cover, the first ones of each kind."""
        named: dict[str, Value] = {}
        broad: dict[str, int] = {}
        for at, entry in enumerate(entries):
            named.setdefault(entry.text, entry)
            if void(role, entry.text):
                continue
            if entry.text == _EVERY:
                broad.setdefault(_EVERY, at)
            elif cannot_tell(entry.text):
                broad.setdefault(_server(entry.text), at)
        return cls(entries, named, broad)

    def deciding(self, tool: str) -> Value | None:
        """The entry to name as the reason: the tool's own name if it is listed."""
        if tool in self.named or not self.broad:
            return self.named.get(tool)
        is_of_server = tool.startswith(_MCP)
        ends = re.finditer("(?=__)", tool) if is_of_server else ()
        covering = (_EVERY, *(tool[: end.start()] for end in ends))
        found = [self.broad[name] for name in covering if name in self.broad]
        return self.entries[min(found)] if found else None


def toolset(reading: Reading, tools: tuple[str, ...], depth: int) -> Toolset:
    """The verdict on each of `tools` for a sub-agent that is spawned at `depth`."""
    settings = reading.effective.settings
    allow, deny = settings.get("tools"), settings.get("disallowedTools")
    counts = deny is not None and not is_void(deny.items)
    denied = _Entries.of(deny.items if deny is not None and counts else (), KeyRole.DENY)
    listed = _Entries.of(allow.items if allow is not None else (), KeyRole.ALLOW)
    memory, mode = settings.get("memory"), settings.get("permissionMode")
    keeps_notes = memory is not None and memory.text in _MEMORIES
    is_planning = mode is not None and mode.text == "plan"
    verdicts = []
    for tool in tools:
        reason = _never(tool, depth, is_planning=is_planning)
        if reason:
            verdicts.append(Verdict(tool, False, reason))
        elif keeps_notes and memory and tool in FOR_MEMORY and denied.deciding(tool) is None:
            # It adds to `tools`; denied tools are still removed.
            verdicts.append(Verdict(tool, True, "`memory` turns it on", memory.span))
        else:
            verdicts.append(_verdict(tool, allow, listed, denied))
    may_run = allow is None or listed.deciding(SHELL) is not None
    has_shell = may_run and denied.deciding(SHELL) is None
    verdicts = _with_conditions(verdicts, listed, has_shell=has_shell)
    closed = any(item.text == _SERVERS for item in denied.entries)
    open_patterns = [
        item.text
        for item in listed.entries
        if cannot_tell(item.text) and not void(KeyRole.ALLOW, item.text)
    ]
    if allow is None or any(item.text == _EVERY for item in listed.entries):
        open_patterns.append(_SERVERS)
    is_restricted = allow is not None or bool(denied.entries)
    return Toolset(tuple(verdicts), is_restricted, () if closed else tuple(open_patterns))


def _with_conditions(
    verdicts: list[Verdict], listed: _Entries, *, has_shell: bool
) -> list[Verdict]:
    """The verdicts, with what a tool depends on; that of the search tools is that of the build."""
    conditions = dict(CONDITIONS)
    for tool in SEARCH:
        if has_shell or tool not in listed.named:
            conditions[tool] = SEARCHES
    return [
        replace(one, condition=conditions[one.tool]) if one.kept and one.tool in conditions else one
        for one in verdicts
    ]


def _never(tool: str, depth: int, *, is_planning: bool) -> str:
    """The reason why no sub-agent has the tool, or an empty text; a session may have every tool."""
    if depth == SESSION_DEPTH:
        return ""
    if tool == EXIT_PLAN and is_planning:
        return ""
    if tool in _WITHHELD:
        return "sub-agents cannot have it, only a session of `claude --agent`"
    if tool == AGENT and depth >= DEEPEST:
        return f"an agent at depth {DEEPEST} cannot call another one"
    return ""


def _verdict(tool: str, allow: Value | None, listed: _Entries, denied: _Entries) -> Verdict:
    by = denied.deciding(tool)
    if by is not None:
        return Verdict(tool, False, f"denied by `{by.text}`", by.span)
    ground = BUILT_ON.get(tool)
    by = denied.deciding(ground) if ground is not None else None
    if by is not None:
        return Verdict(tool, False, f"denied by `{by.text}`, which it is built on", by.span)
    if allow is None:
        return Verdict(tool, True, "no `tools`: every tool of the session that is not denied")
    if not listed.entries:
        return Verdict(tool, False, "`tools` has no entries: no tools", allow.span)
    by = listed.deciding(tool)
    if by is None:
        return Verdict(tool, False, "not in `tools`", allow.span)
    return Verdict(tool, True, f"allowed by `{by.text}`", by.span)


_UNKNOWN, _ALWAYS_WITHHELD = "unrecognized", "not available to subagents"
_UNMATCHED = "recognized but matched no tools in this session"
_ADVICE = "Fix the agent's tools frontmatter or pass a different subagent_type."


def zero_tools(
    name: str, reading: Reading, found: Toolset, offered: tuple[str, ...] | None
) -> RuntimeRefusal | None:
    """The refusal in the runtime's words; `offered` are the tools of the session, where known."""
    allow = reading.effective.settings.get(ALLOW)
    if allow is None or not allow.items or found.kept:
        return None
    known = {verdict.tool for verdict in found.verdicts}
    if offered is None and any(_may_be_there(item.text) for item in allow.items):
        return None
    deny = reading.effective.settings.get(DENY)
    denied = deny.items if deny is not None else ()
    missing: dict[str, list[str]] = {_UNKNOWN: [], _ALWAYS_WITHHELD: [], _UNMATCHED: []}
    for item in allow.items:
        if not _is_denied(item, denied):
            missing[_group(item, known)].append(item.written or item.text)
    said = "; ".join(f"{why} [{', '.join(names)}]" for why, names in missing.items() if names)
    if not said:
        return None
    return RuntimeRefusal(
        f"Agent '{name}' would be spawned with zero tools — refusing. "
        f"Its tools list resolved to nothing: {said}. {_ADVICE}"
    )


def _may_be_there(tool: str) -> bool:
    """Whether an unknown session could have the tool."""
    return cannot_tell(tool) and not void(KeyRole.ALLOW, tool)


def _is_denied(item: Value, denied: tuple[Value, ...]) -> bool:
    """Whether an entry denies the tool on purpose."""
    if item.text == AGENT and item.written != AGENT:
        return False
    ground = BUILT_ON.get(item.text)
    return any(
        matches(entry.text, item.text) and (entry.text != item.text or _is_whole(entry))
        for entry in denied
    ) or any(entry.text == ground for entry in denied)


def _is_whole(entry: Value) -> bool:
    is_one_tool = entry.text != AGENT and not names_server(entry.text)
    return "(" not in entry.written or not is_one_tool


def _group(item: Value, known_keys: set[str]) -> str:
    if item.text in known_keys:
        return _UNMATCHED if item.text == AGENT else _ALWAYS_WITHHELD
    return _UNMATCHED if names_server(item.text) else _UNKNOWN
