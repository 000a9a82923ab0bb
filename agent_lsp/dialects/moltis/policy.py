"""The tools of Moltis in both generations, and which of them a sub-agent keeps, and why."""

from collections.abc import Mapping, Sequence

from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.model.discovery import in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.schema import Tool
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_RUN, _FILES, _WEB, _AGENTS = "commands", "files", "web", "sub-agents"
_SESSIONS, _MEMORY, _CODE, _SKILLS = "sessions", "memory", "code search", "skills"
_SEND, _NODES, _KEEP, _MCP, _OTHER = "messages", "nodes", "checkpoints", "mcp", "other"

SPAWN = "spawn_agent"
LIST, HISTORY, SEND = "sessions_list", "sessions_history", "sessions_send"

_SPAWN_NOTE = "always removed from a sub-agent, whatever `tools.allow` and `tools.deny` say"
_CODE_NOTE = (
    "the documentation of presets uses it; the code of that time has no tool of this name, and "
    "the current "
    "code calls it `{}`"
)

_BOTH = (
    Tool("exec", "runs a command", _RUN),
    Tool("cron", "manages what runs at set times", _RUN),
    Tool("web_search", "searches the web", _WEB),
    Tool("web_fetch", "fetches a page", _WEB),
    Tool("memory_search", "searches the stored memory", _MEMORY),
    Tool("memory_get", "reads an entry of the memory", _MEMORY),
    Tool(LIST, "lists the sessions that it may see", _SESSIONS),
    Tool(HISTORY, "reads the messages of a session", _SESSIONS),
    Tool(SEND, "sends a message to a session", _SESSIONS, notes=("for coordinators only",)),
)
_OLD_FILES = (
    Tool("read_file", "reads a file", _FILES, notes=(_CODE_NOTE.format("Read"),)),
    Tool("write_file", "writes a file", _FILES, notes=(_CODE_NOTE.format("Write"),)),
    Tool(
        "glob",
        "finds files by a pattern of their names",
        _FILES,
        notes=(_CODE_NOTE.format("Glob"),),
    ),
    Tool("grep", "finds text in files", _FILES, notes=(_CODE_NOTE.format("Grep"),)),
)
_NEW = (
    Tool("process", "manages commands that keep running", _RUN),
    Tool("Read", "reads a file", _FILES),
    Tool("Write", "writes a file", _FILES),
    Tool("Edit", "changes a piece of a file", _FILES),
    Tool("MultiEdit", "changes several pieces of a file", _FILES),
    Tool("Glob", "finds files by a pattern of their names", _FILES),
    Tool("Grep", "finds text in files", _FILES),
    Tool("firecrawl_scrape", "fetches a page through Firecrawl", _WEB),
    Tool("browser", "drives a browser", _WEB),
    Tool("calc", "calculates", _OTHER),
    Tool("task_list", "keeps a list of tasks", _AGENTS),
    Tool("webhook", "calls a webhook", _WEB),
    Tool("spawn_status", "tells how a sub-agent in the background is doing", _AGENTS),
    Tool("spawn_result", "gets what a sub-agent in the background has returned", _AGENTS),
    Tool("spawn_list", "lists the sub-agents in the background", _AGENTS),
    Tool("cancel_spawn", "stops a sub-agent in the background", _AGENTS),
    Tool("sessions_search", "searches the messages of sessions", _SESSIONS),
    Tool("sessions_create", "creates a session", _SESSIONS),
    Tool("sessions_delete", "deletes a session", _SESSIONS),
    Tool("session_state", "keeps values for a session", _SESSIONS),
    Tool("branch_session", "branches a session off", _SESSIONS),
    Tool("memory_save", "saves an entry of the memory", _MEMORY),
    Tool("memory_delete", "deletes an entry of the memory", _MEMORY),
    Tool("memory_forget", "forgets entries of the memory", _MEMORY),
    Tool("codebase_search", "searches the indexed code", _CODE),
    Tool("codebase_peek", "reads a piece of the indexed code", _CODE),
    Tool("codebase_status", "tells the state of the index", _CODE),
    Tool("create_skill", "creates a skill", _SKILLS),
    Tool("update_skill", "replaces a skill", _SKILLS),
    Tool("delete_skill", "deletes a skill", _SKILLS),
    Tool("read_skill", "reads a skill", _SKILLS),
    Tool("write_skill_files", "writes files of a skill", _SKILLS),
    Tool("patch_skill", "changes a piece of a skill", _SKILLS),
    Tool("send_message", "sends a message to a channel", _SEND),
    Tool("send_image", "sends an image to a channel", _SEND),
    Tool("send_document", "sends a document to a channel", _SEND),
    Tool("update_channel_settings", "changes the settings of a channel", _SEND),
    Tool("generate_image", "makes an image", _OTHER),
    Tool("speak", "speaks a text", _OTHER),
    Tool("transcribe", "writes down what is spoken", _OTHER),
    Tool("voice_call", "makes a call", _OTHER),
    Tool("show_map", "shows a map", _OTHER),
    Tool("get_user_location", "asks where the user is", _OTHER),
    Tool("nodes_list", "lists the nodes", _NODES),
    Tool("nodes_describe", "describes a node", _NODES),
    Tool("nodes_select", "selects a node", _NODES),
    Tool("sandbox_packages", "manages the packages of the sandbox", _RUN),
    Tool("auto_checkpoint", "turns checkpoints on and off", _KEEP),
    Tool("checkpoints_list", "lists the checkpoints", _KEEP),
    Tool("checkpoint_restore", "goes back to a checkpoint", _KEEP),
    Tool("mcp_list", "lists the MCP servers", _MCP),
    Tool("mcp_add", "adds an MCP server", _MCP),
    Tool("mcp_remove", "removes an MCP server", _MCP),
    Tool("mcp_status", "tells the state of an MCP server", _MCP),
    Tool("mcp_restart", "restarts an MCP server", _MCP),
    Tool("connectors", "uses the connected services", _OTHER),
    Tool("gmail_connector", "uses Gmail", _OTHER),
    Tool("himalaya_connector", "uses mail through Himalaya", _OTHER),
    Tool("caldav", "uses a calendar", _OTHER),
    Tool("home_assistant", "uses Home Assistant", _OTHER),
    Tool("teams_search_messages", "searches messages in Teams", _SEND),
    Tool("teams_member_info", "describes a member in Teams", _SEND),
    Tool("teams_pin_message", "pins a message in Teams", _SEND),
    Tool("teams_edit_message", "changes a message in Teams", _SEND),
    Tool("teams_read_message", "reads a message in Teams", _SEND),
    Tool("tool_search", "finds tools by what they do", _OTHER),
)

WITHHELD = (Tool(SPAWN, "spawns a sub-agent", _AGENTS, notes=(_SPAWN_NOTE,)),)
SEED_TOOLS = (*_BOTH, *_OLD_FILES)
TODAY_TOOLS = (*_BOTH, *_NEW)
TOOLS = (*_BOTH, *_OLD_FILES, *_NEW)

RENAMED = {"read_file": "Read", "write_file": "Write", "glob": "Glob", "grep": "Grep"}

# The tools with `delegate_only`, in the runtime's order.
DELEGATION = (
    SPAWN,
    "spawn_status",
    "spawn_result",
    "spawn_list",
    "cancel_spawn",
    LIST,
    HISTORY,
    "sessions_search",
    SEND,
    "task_list",
)


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


IN_ENTRY = in_group(regex(r"mcp__([^*?]+?)__[^*?]+"))


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
