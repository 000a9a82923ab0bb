"""The tools that an agent of `codex-templates` can have, and which of them it keeps, and why."""

import re
from collections.abc import Callable, Sequence

from agent_lsp.model.discovery import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.schema import Choice, Tool
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

COLLABORATION = "collaboration"
_EXECUTION = "execution"
_RESOURCES = "MCP resources"
_EXPERIMENTAL = "experimental"

MAX_DEPTH = 2
MAX_THREADS = 12

# The two facts about `spawn_agent` that no template shows.
ESCAPE = (
    "an agent that it starts has the tools that its own template leaves, not the tools of "
    "this one: an agent with few tools can start one with all of them"
)
LIMIT = (
    f"a session has at most {MAX_THREADS} spawned agents open at a time, unless "
    "`agents.max_threads` of the configuration says otherwise; one more is refused"
)

_ONE_OF_FOUR = (
    "; a session offers only one of `exec_command`, `shell`, `shell_command` and `local_shell`"
)
_UNIFIED = f"unified exec is on, by the feature `unified_exec` or by the model{_ONE_OF_FOUR}"
_SHELL = f"unified exec is off and the model expects its commands in this form{_ONE_OF_FOUR}"
_COLLAB = "the feature `collab` is on"
_LISTED = "the model lists it among its experimental tools"
_JAVASCRIPT = "the feature `js_repl` is on"

TOOLS = (
    Tool(
        "exec_command",
        "starts a command in a terminal and returns its output",
        _EXECUTION,
        _UNIFIED,
    ),
    Tool(
        "write_stdin", "writes to a command that `exec_command` left running", _EXECUTION, _UNIFIED
    ),
    Tool("shell", "runs a command given as an argument list", _EXECUTION, _SHELL),
    Tool("shell_command", "runs a command line", _EXECUTION, _SHELL),
    Tool("local_shell", "runs a command through the model's own shell tool", _EXECUTION, _SHELL),
    Tool(
        "container.exec",
        "is another name under which the runtime accepts shell calls",
        _EXECUTION,
        "the feature `shell_tool` is on; no session offers it, but a call by this name is accepted",
    ),
    Tool(
        "apply_patch",
        "edits files",
        _EXECUTION,
        "the model includes it, or the feature `apply_patch_freeform` is on",
    ),
    Tool("update_plan", "keeps the visible plan up to date", _EXECUTION),
    Tool("view_image", "shows an image file to the model", _EXECUTION),
    Tool(
        "web_search",
        "searches the web",
        _EXECUTION,
        "`web_search` is not `disabled` in the configuration",
    ),
    Tool(
        "request_user_input",
        "asks the user a question",
        _EXECUTION,
        "the feature `collaboration_modes` is on",
    ),
    Tool("js_repl", "runs JavaScript in a session that keeps its state", _EXECUTION, _JAVASCRIPT),
    Tool("js_repl_reset", "restarts the JavaScript session", _EXECUTION, _JAVASCRIPT),
    Tool(
        "search_tool_bm25",
        "finds tools by their descriptions",
        _EXECUTION,
        "the feature `apps` is on",
    ),
    Tool("list_mcp_resources", "lists what MCP servers offer to read", _RESOURCES),
    Tool(
        "list_mcp_resource_templates",
        "lists the parameterised resources of MCP servers",
        _RESOURCES,
    ),
    Tool("read_mcp_resource", "reads one resource of an MCP server", _RESOURCES),
    Tool("grep_files", "searches file contents", _EXPERIMENTAL, _LISTED),
    Tool("read_file", "reads a file", _EXPERIMENTAL, _LISTED),
    Tool("list_dir", "lists a folder", _EXPERIMENTAL, _LISTED),
    Tool("test_sync_tool", "serves the runtime's own tests", _EXPERIMENTAL, _LISTED),
    Tool("list_agents", "lists the roles and personas that can be spawned", COLLABORATION, _COLLAB),
    Tool("list_active_agents", "lists the agents that run now", COLLABORATION, _COLLAB),
    Tool("spawn_agent", "starts another agent", COLLABORATION, _COLLAB, (ESCAPE, LIMIT)),
    Tool("send_input", "sends a message to a running agent", COLLABORATION, _COLLAB),
    Tool("resume_agent", "resumes a closed agent", COLLABORATION, _COLLAB),
    Tool("wait", "waits for agents, from 10 s to 30 min (default: 5 min)", COLLABORATION, _COLLAB),
    Tool("close_agent", "ends an agent", COLLABORATION, _COLLAB),
    Tool(
        "set_thread_note",
        "sets the note by which an agent's thread is known",
        COLLABORATION,
        _COLLAB,
    ),
)

CONDITIONS = {tool.name: tool.condition for tool in TOOLS if tool.condition}

GLOBS = (
    Choice("mcp__*", "every tool of every MCP server"),
    Choice("*_agent", "`spawn_agent`, `resume_agent`, `close_agent`"),
    Choice("list_*", "every tool that lists something"),
)


_COLLABORATION = frozenset(tool.name for tool in TOOLS if tool.group == COLLABORATION)
# The names of the tools of MCP servers: `mcp__<server>__<tool>`.
_MCP = "mcp__"
_WILDCARD = regex(r"[*?]")
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


SERVERS = ServerNames(in_entry=in_group(regex(r"mcp__([A-Za-z0-9_-]+?)__.+")))


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
