"""The tables of `cursor`: keys, tools, models, call parameters and what else to know.

Facts: cursor.com/docs/subagents in the version with types, defaults and model parameters; names of
tools in the published types of npm @cursor/sdk 1.0.32; the call in threads of forum.cursor.com by
number. All read 2026-11-28, and nothing measured: what no document says is called not documented.
"""

from agent_lsp.model.schema import (
    Choice,
    Key,
    KeyRole,
    Model,
    Parameter,
    Renamed,
    Source,
    Tool,
    ValueKind,
)

SOURCE = Source("cursor.com/docs/subagents", "2026-11-28")
UNKNOWN = "what Cursor does then is not documented"
REFUSED = "Cursor may not load the agent (its documentation does not say)"
READONLY, BACKGROUND, INHERIT, FAST = "readonly", "is_background", "inherit", "fast"

KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of the agent, and the `/name` that calls it: lower-case letters and hyphens",
        "the agent is called after its file",
        role=KeyRole.AGENT,
        example="reviewer",
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "when to delegate to the agent; it is a hint of the tool `Task`, which the model reads",
        "the model has no hint when to delegate to the agent",
        role=KeyRole.DESCRIPTION,
        required_by="the model",
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "`inherit`, or the id of a model; options are in brackets, as in "
        "`claude-opus-5[effort=high]`, and `[]` is the standard variant; a model that the plan or "
        "an administrator does not allow is silently replaced",
        "the model of the parent",
        role=KeyRole.MODEL,
        example=INHERIT,
    ),
    Key(
        READONLY,
        ValueKind.BOOL,
        "with `true` the agent edits no files, runs no commands that change something, and has no "
        "MCP tools at all",
        "`false`: the agent may do what its parent may",
        role=KeyRole.SANDBOX,
    ),
    Key(
        BACKGROUND,
        ValueKind.BOOL,
        "whether the parent continues while the agent runs",
        "`false`: the parent waits",
    ),
)

_WIDER = "a Cursor agent has every tool of its parent, MCP tools included"
_SERVERS = "single MCP servers cannot be added or removed: forum.cursor.com 159786"
# Keys of other systems, which the documents do not have: they list five keys.
IGNORED = {
    "color": "Cursor has no colours for agents",
    "effort": "the effort follows the model, as in `claude-opus-5[effort=high]`",
    "globs": "it is a key of the rules in `.cursor/rules`",
    "alwaysApply": "it is a key of the rules in `.cursor/rules`",
    "hooks": "an agent has no hooks of its own",
    "maxTurns": "nothing limits the turns of an agent",
    "mcpServers": _SERVERS,
    "mcp_servers": _SERVERS,
    "memory": "an agent has no memory of its own",
    "skills": "an agent names no skills",
    "temperature": "the options of a model follow its id",
}
_FREE = "the agent may change files and run any command"
_FRONT = "the parent waits for the agent"
RENAMED = {
    **{name: Renamed(READONLY, _FREE) for name in ("readOnly", "read_only", "read-only")},
    **{name: Renamed(BACKGROUND, _FRONT) for name in ("background", "isBackground")},
    **{
        name: Renamed(None, _WIDER)
        for name in ("tools", "allowed-tools", "allowedTools", "disallowedTools")
    },
    "permissionMode": Renamed(None, f"no mode limits an agent, and `{READONLY}` is the only limit"),
}
# Keys that limit an agent for another program, and not for Cursor.
LIMITS = frozenset({"tools", "allowed-tools", "disallowedTools", "permissionMode"})

_CHANGES, _LOOKS, _MORE = "changes", "looks", "more"
TOOLS = (
    Tool("Read", "reads a file", _LOOKS),
    Tool("Grep", "searches the contents of files", _LOOKS),
    Tool("Glob", "finds files by patterns", _LOOKS),
    Tool("LS", "lists a folder", _LOOKS),
    Tool("SemSearch", "searches the code by meaning", _LOOKS),
    Tool("ReadLints", "reads what linters say", _LOOKS),
    Tool("WebSearch", "searches the web", _LOOKS),
    Tool("WebFetch", "fetches a page from the web", _LOOKS),
    Tool("Edit", "changes a part of a file", _CHANGES),
    Tool("Write", "writes a file", _CHANGES),
    Tool("Delete", "deletes a file", _CHANGES),
    Tool("GenerateImage", "makes an image", _CHANGES),
    Tool("Shell", "runs a command", _MORE),
    Tool("Task", "starts a sub-agent", _MORE),
    Tool("TodoWrite", "keeps a list of tasks", _MORE),
    Tool("AskQuestion", "asks the user", _MORE),
    Tool("Await", "waits for something that runs in the background", _MORE),
)
CHANGING = frozenset(tool.name for tool in TOOLS if tool.group == _CHANGES)

MODELS = (
    Model(INHERIT, ()),
    Model("composer-2", (), note="an example of the documents"),
    Model("composer-2.5", (), note="an example of the documents"),
    Model("gpt-5.6-sol", (), note="an example of the documents"),
    Model("claude-opus-5", (), note="an example of the documents"),
)
# Aliases of Claude Code: a user saw an agent with `opus` run on the model of the parent
# (ericlitman/open-pstack#77).
ALIASES = frozenset({"opus", "sonnet", "haiku", "fable"})

# The agents that Cursor has without a file: three in the documents, and those that users see in the
# choice of `Task`. The documents do not say what a file with such a name does.
BUILT_IN = frozenset(
    {
        "explore",
        "bash",
        "browser",
        "shell",
        "generalPurpose",
        "computerUse",
        "cursor-guide",
        "best-of-n-runner",
    }
)
# Commands that Cursor has without a file; no order of a command and an agent is documented.
COMMANDS = frozenset({"plan", "review", "babysit", "in-cloud", "loop"})

LIST_PARAMETERS = (
    Parameter("subagent_type", str, "only the agent of this name", role=KeyRole.AGENT),
)
_TRUTH = (Choice("true", "yes"), Choice("false", "no"))
SPAWN_PARAMETERS = (
    Parameter("subagent_type", str, "the agent", role=KeyRole.AGENT),
    Parameter("description", str, "what the call is for, in a few words", content=True),
    Parameter("prompt", str, "the task of the agent", role=KeyRole.TASK),
    Parameter("model", str, "the model, which overrides the file's", role=KeyRole.MODEL),
    Parameter(READONLY, bool, "whether the agent may change nothing", choices=_TRUTH),
    Parameter("run_in_background", bool, "whether the parent continues", choices=_TRUTH),
    Parameter("resume", str, "the id of an agent that continues its conversation", content=True),
)

NOTES = {
    "model": (
        f"`{FAST}` was one of three documented values until 2026; the current document does not "
        "have it, and files of the vendor still do"
    ),
    READONLY: (
        "users report that all commands fail under `readonly`, those that change nothing included "
        "(forum.cursor.com 162369)"
    ),
}
