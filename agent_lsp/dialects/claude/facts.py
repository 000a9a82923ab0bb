"""The tables of `claude`: keys, models, scopes, call parameters and notes.

Facts: code.claude.com/docs (tools-reference, model-config, plugins-reference as of 2026-08-22,
sub-agents as of 2026-10-08), anthropics/claude-code CHANGELOG.md at 5cfc0a1, and `AgentDefinition`
of @anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-28.
The keys inside `hooks` and `experimental`: code.claude.com/docs/hooks and sub-agents as of
2026-10-08, and `HOOK_EVENTS` of @anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-28.
"""

from agent_lsp.data_classes import replace
from agent_lsp.dialects.claude.tools import TOOLS
from agent_lsp.model.availability import Reach
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import (
    Choice,
    Consequence,
    IfWrong,
    Key,
    KeyRole,
    Model,
    Parameter,
    Renamed,
    Source,
    ValueKind,
    with_consequence,
)

_NONE = "nothing"

_HANDLER = (
    Key(
        "type",
        ValueKind.CHOICE,
        "the kind of the hook",
        "the hook is invalid",
        required_by="the runtime",
        choices=(
            Choice("command", "a shell command, which gets the event as JSON"),
            Choice("http", "a request to an address, with the event as JSON"),
            Choice("mcp_tool", "a tool of an MCP server"),
            Choice("prompt", "a question to a model"),
            Choice("agent", "a question to a sub-agent"),
        ),
    ),
    Key("command", ValueKind.TEXT, "the command of a `command`", _NONE),
    Key("args", ValueKind.LIST, "arguments; with them, the command runs without a shell", _NONE),
    Key(
        "if",
        ValueKind.TEXT,
        "a permission rule, such as `Bash(git *)`, that the call has to match",
        "all",
    ),
    Key(
        "timeout",
        ValueKind.NUMBER,
        "after how many seconds it is stopped",
        "depends on the type",
        has_fraction=True,
    ),
    Key("statusMessage", ValueKind.TEXT, "the text shown while it runs", "a text of the runtime"),
    Key("async", ValueKind.BOOL, "whether it runs in the background", "`false`"),
    Key("asyncRewake", ValueKind.BOOL, "like `async`, and exit code 2 wakes the agent", "`false`"),
    Key(
        "shell",
        ValueKind.CHOICE,
        "the shell of a `command`",
        "bash",
        choices=(Choice("bash", "bash"), Choice("powershell", "PowerShell")),
    ),
    Key(
        "once",
        ValueKind.BOOL,
        "only for hooks of skills; ignored in the file of an agent",
        "`false`",
    ),
    Key("url", ValueKind.TEXT, "the address of an `http`", _NONE),
    Key("headers", ValueKind.TABLE, "headers of the request", _NONE),
    Key("allowedEnvVars", ValueKind.LIST, "variables that `headers` may use", _NONE),
    Key("server", ValueKind.TEXT, "the MCP server of an `mcp_tool`", _NONE),
    Key("tool", ValueKind.TEXT, "the tool of that server", _NONE),
    Key("input", ValueKind.TABLE, "arguments for that tool", _NONE),
    Key("prompt", ValueKind.TEXT, "the question of a `prompt` or an `agent`", _NONE),
    Key("model", ValueKind.TEXT, "the model that answers it", "a fast one"),
)
_MATCHER = (
    Key(
        "matcher",
        ValueKind.TEXT,
        "the tools, such as `Bash` or `Edit|Write`",
        "all tools",
        choices=tuple(Choice(tool.name, tool.meaning) for tool in TOOLS),
    ),
    Key(
        "hooks",
        ValueKind.RECORDS,
        "the hooks, which all run at once",
        "the matcher is invalid",
        required_by="the runtime",
        items=_HANDLER,
    ),
)
_EVENTS = {
    "PreToolUse": "before a tool is used; exit code 2 prevents it",
    "PostToolUse": "after a tool is used",
    "PostToolUseFailure": "after a tool fails",
    "PostToolBatch": "after several tools are used together",
    "PermissionRequest": "when the agent asks for a permission",
    "PermissionDenied": "when a permission is denied",
    "Stop": "when the agent ends; the runtime makes it `SubagentStop`",
    "StopFailure": "when it ends with an error",
    "SubagentStart": "when an agent starts",
    "SubagentStop": "when an agent ends",
    "UserPromptSubmit": "when a message is sent",
    "UserPromptExpansion": "when a command becomes a message",
    "SessionStart": "when the session starts",
    "SessionEnd": "when the session ends",
    "Setup": "when the session is set up",
    "PreCompact": "before the conversation is shortened",
    "PostCompact": "after the conversation is shortened",
    "PreModelSwitch": "before the model changes",
    "PostModelSwitch": "after the model changes",
    "Notification": "when there is a notification",
    "MessageDisplay": "while a message is shown",
    "TeammateIdle": "when a member of a team has nothing to do",
    "TaskCreated": "when a task is added",
    "TaskCompleted": "when a task is done",
    "Elicitation": "when an MCP server asks the user",
    "ElicitationResult": "when the user has answered an MCP server",
    "ConfigChange": "when settings change",
    "InstructionsLoaded": "when instructions are loaded",
    "CwdChanged": "when the working folder changes",
    "FileChanged": "when a watched file changes",
    "DirectoryAdded": "when a folder is added",
    "WorktreeCreate": "when a Git worktree is made",
    "WorktreeRemove": "when a Git worktree is removed",
}
# A hook that does not load may guard the agent's work, so the agent does not load either:
# Claude Code 2.1.332, measured 2026-11-28. Without another hook it loads.
GUARDS = frozenset({"PreToolUse", "PermissionRequest"})
_GUARDING = with_consequence(_MATCHER, IfWrong.LOST)
_OTHER = with_consequence(_MATCHER, IfWrong.LEFT_OUT)
# The keys of a hook.
HANDLERS = (_GUARDING[-1].items, _OTHER[-1].items)


def _event(name: str, meaning: str) -> Key:
    is_guard, does = name in GUARDS, f"hooks that run {meaning}"
    items, if_wrong = (_GUARDING, IfWrong.LOST) if is_guard else (_OTHER, IfWrong.IGNORED)
    kind = ValueKind.RECORDS
    return Key(name, kind, does, "no hook runs then", items=items, if_wrong=if_wrong)


EVENTS = tuple(_event(name, meaning) for name, meaning in _EVENTS.items())
EXPERIMENTAL = (
    Key(
        "cacheTtl",
        ValueKind.CHOICE,
        "how long the prompts of the agent are cached; since 2.1.248",
        "as in the session",
        choices=(Choice("5m", "five minutes"), Choice("1h", "an hour")),
    ),
)


SOURCE = Source("code.claude.com/docs, sub-agents", "2026-11-28")

# The measured version, and the date: `docs/maintaining/runtimes.md` says how.
MEASURED, MEASURED_ON = "2.1.332", "2026-11-28"
# Where the runtime is installed, by its own installer and by npm: code.claude.com/docs, setup, read
# 2026-11-28. The installer makes `claude` a link to a program whose name is its version.
_PACKAGE = "node_modules/@anthropic-ai/claude-code/package.json"
PACKAGES = (
    "$PATH/claude",
    f"$PATH/{_PACKAGE}",
    "~/.local/bin/claude",
    f"~/.claude/local/{_PACKAGE}",
    _PACKAGE,
    f"~/.npm-global/lib/{_PACKAGE}",
    f"/usr/local/lib/{_PACKAGE}",
    f"/usr/lib/{_PACKAGE}",
    f"/opt/homebrew/lib/{_PACKAGE}",
    f"~/AppData/Roaming/npm/{_PACKAGE}",
)

ALLOW, DENY = "tools", "disallowedTools"

_INHERITED = "inherited from the session"

ALIASES = (
    Choice("inherit", "the model of the session"),
    Choice("sonnet", "the newest Sonnet"),
    Choice("opus", "the newest Opus"),
    Choice("haiku", "the newest Haiku"),
    Choice("fable", "the newest Fable"),
    Choice("best", "the most capable model that the account has"),
    Choice("opusplan", "Opus while it plans, Sonnet while it works"),
    Choice("sonnet[1m]", "the newest Sonnet, with a context of a million tokens"),
    Choice("opus[1m]", "the newest Opus, with a context of a million tokens"),
    Choice("fable[1m]", "the newest Fable, with a context of a million tokens"),
)
MODELS = tuple(Model(alias.name, ()) for alias in ALIASES)

EFFORTS = (
    Choice("low", "short thinking"),
    Choice("medium", "some thinking"),
    Choice("high", "long thinking"),
    Choice("xhigh", "longer thinking, where the model has it"),
    Choice("max", "as long as the model can"),
)
PERMISSIONS = (
    Choice("default", "asks before each action that needs a permission"),
    Choice("manual", "another word for `default`, since 2.1.200"),
    Choice("acceptEdits", "edits files without asking"),
    Choice("auto", "lets a classifier decide when to ask"),
    Choice("dontAsk", "denies what it would otherwise ask about"),
    Choice("bypassPermissions", "never asks"),
    Choice("plan", "reads and plans, and changes nothing"),
)
MEMORIES = (
    Choice("user", "kept in the user's folder, for all projects"),
    Choice("project", "kept in the project, and meant to be committed"),
    Choice("local", "kept in the project, and not meant to be committed"),
)
_TRUTH = (Choice("true", "yes"), Choice("false", "no"))
# Other colours are common in published files, and harmless.
COLORS = tuple(
    Choice(name, "the colour in which the agent is shown")
    for name in ("red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan")
)

# Required keys, then those that authors write most: counted in 1,876 public files, 2026-11-29.
KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of the agent, whatever its file is called: lower-case letters and hyphens",
        "the runtime treats the file as documentation: it defines no agent",
        role=KeyRole.AGENT,
        required_by="the runtime",
        example="reviewer",
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "when to delegate to the agent; Claude reads it to choose one",
        "the runtime skips the file",
        role=KeyRole.DESCRIPTION,
        required_by="the runtime",
        mandatory=True,
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model: an alias, or a full model id",
        _INHERITED,
        role=KeyRole.MODEL,
        example="sonnet",
    ),
    Key(
        "tools",
        ValueKind.LIST,
        "the only tools that the agent gets: a list, or a string with commas or spaces",
        "every tool of the session that sub-agents can have",
        role=KeyRole.ALLOW,
        in_text=True,
        if_wrong=IfWrong.EMPTY,
    ),
    Key(
        "color",
        ValueKind.CHOICE,
        "the colour of the agent's name",
        "the runtime chooses one",
        choices=COLORS,
    ),
    Key(
        "effort",
        ValueKind.CHOICE,
        "how long the model thinks; a number is also allowed",
        _INHERITED,
        role=KeyRole.EFFORT,
        choices=EFFORTS,
    ),
    Key(
        "maxTurns", ValueKind.NUMBER, "the number of turns after which the agent stops", "no limit"
    ),
    Key(
        "memory",
        ValueKind.CHOICE,
        "where the agent keeps notes between sessions; it gets Read, Write and Edit for them",
        "it keeps none",
        choices=MEMORIES,
    ),
    Key(
        "disallowedTools",
        ValueKind.LIST,
        "tools that the agent does not get; they are removed before `tools` applies",
        "nothing is removed",
        role=KeyRole.DENY,
        in_text=True,
    ),
    Key(
        "initialPrompt",
        ValueKind.TEXT,
        "the first message of a session that `--agent` starts with this agent",
        "the session waits for a message",
    ),
    Key(
        "isolation",
        ValueKind.CHOICE,
        "whether the agent works on a copy of the repository",
        "it works in the folder of the session",
        choices=(Choice("worktree", "in a separate Git worktree"),),
    ),
    Key(
        "permissionMode",
        ValueKind.CHOICE,
        "what the agent may do without asking; a session in `auto`, `acceptEdits` or "
        "`bypassPermissions` has precedence",
        _INHERITED,
        choices=PERMISSIONS,
    ),
    Key(
        "skills",
        ValueKind.LIST,
        "skills that the agent starts with, in full; a missing one is left out",
        "none is preloaded",
        in_text=True,
        role=KeyRole.SKILL,
    ),
    Key(
        "mcpServers",
        ValueKind.LIST,
        "MCP servers for the agent: a list of names, or of mappings from a name to its settings",
        "the session's",
    ),
    Key(
        "hooks",
        ValueKind.TABLE,
        "hooks while the agent runs: a mapping from an event to a list of matchers",
        "the session's",
        items=EVENTS,
        closed=True,
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "background",
        ValueKind.BOOL,
        "whether the agent always runs in the background, where it has fewer tools",
        "`false`: the call decides",
        choices=_TRUTH,
    ),
    Key(
        "omitClaudeMd",
        ValueKind.BOOL,
        "whether the agent starts without the CLAUDE.md of the user and the project; since 2.1.271",
        "`false`: they are loaded",
        choices=_TRUTH,
    ),
    Key(
        "experimental",
        ValueKind.TABLE,
        "options that may change",
        "as in the session",
        items=EXPERIMENTAL,
    ),
)
# Keys of a definition in JSON or of the SDK, which are also seen in a file.
OTHER_KEYS = frozenset(
    {
        *("autoCompactWindow", "observer", "observerMessage"),
        *("observeSubagents", "observeToolResults"),
    }
)
KNOWN = frozenset(key.name for key in KEYS) | OTHER_KEYS
# The keys that have no effect in an agent of a plugin.
NOT_IN_PLUGINS = ("permissionMode", "mcpServers", "hooks", "initialPrompt")
# Keys with which other systems keep an agent from writing; here it still gets every tool.
RENAMED = {
    name: Renamed(None, "it restricts nothing; use `tools` and `disallowedTools`")
    for name in (
        *("sandbox_mode", "sandbox", "sandbox-mode", "sandboxMode"),
        *("read_only", "readonly", "readOnly", "read-only"),
    )
}
# Keys of commands and skills, of the command line and of the SDK: code.claude.com/docs, skills and
# cli-reference as of 2026-08-22, read 2026-11-28. In the file of an agent they are unknown.
ELSEWHERE = {
    **dict.fromkeys(("allowed-tools", "allowedTools", "allowed_tools"), "tools"),
    **dict.fromkeys(("disallowed-tools", "disallowed_tools"), "disallowedTools"),
}
LONGEST_NAME = 256
# Keys that show that a header without a name was intended for an agent.
TELLING = frozenset(
    {"tools", "disallowedTools", "model", "permissionMode", "maxTurns", "isolation", "color"}
)

# Other readers of `.claude/agents`: VS Code (read by the reader of code-server 4.139.1) and GitHub
# Copilot CLI 1.0.102, measured 2026-11-28; cursor.com/docs (subagents), read 2026-11-28. A
# tool that no sub-agent has counts for the main session: Claude Code 2.1.332, measured 2026-11-28.
REACH = Reach(
    readers=("VS Code", "Copilot CLI", "Cursor"),
    session="`claude --agent`",
    session_key="initialPrompt",
)

# Built-in agents that do not get the project's CLAUDE.md and the state of Git.
NOT_TOLD = frozenset({"Explore", "Plan"})

_AGENT = Parameter("subagent_type", str, "the agent, by its name", role=KeyRole.AGENT)
LIST_PARAMETERS = (Parameter("name", str, "show only this agent", role=KeyRole.AGENT),)
SPAWN_PARAMETERS = (
    _AGENT,
    Parameter("prompt", str, "the task of the agent", content=True, role=KeyRole.TASK),
    Parameter("model", str, "an alias, which has precedence over the header", role=KeyRole.MODEL),
    Parameter(
        "as",
        str,
        "`session`: run it as `claude --agent` does, instead of calling it",
        choices=(
            Choice("session", "as `claude --agent` runs it"),
            Choice("sub-agent", "as a call of `Agent` runs it"),
        ),
    ),
    Parameter("background", bool, "whether it runs in the background"),
    Parameter("env", dict, "variables of the session, such as CLAUDE_CODE_SUBAGENT_MODEL"),
)
# In their places: Claude Code 2.1.332, measured 2026-11-28.
MODEL_VARIABLE, FORCE_VARIABLE = "CLAUDE_CODE_SUBAGENT_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL_FORCE"
EFFORT_VARIABLE = "CLAUDE_CODE_SUBAGENT_EFFORT"
# At this depth an agent cannot call another one.
DEEPEST = 3

NOTES = {
    "project": (
        "every `.claude/agents` is read, from the folder where the session starts up to the "
        "root of the repository, with all folders below it; the nearest one wins. Agents of "
        "`claude --agents` have precedence; in a Git worktree without this folder, the runtime "
        "reads the "
        "folder of the main checkout"
    ),
    "plugin": (
        "every `*.md` below `agents` is an agent, and folders there are part of its name; agents "
        "of the project and the user have other names, so it never replaces one"
    ),
    "tools": (
        "in a sub-agent, the text in `Tool(…)` limits nothing; the agents in `Agent(…)` apply only "
        "to an agent that `claude --agent` starts"
    ),
    "disallowedTools": "the text in `Tool(…)` has no effect: the whole tool is removed",
    "model": (
        f"the call has precedence over the header, and the header over the variable "
        f"`{MODEL_VARIABLE}`; with `{FORCE_VARIABLE}`, and before 2.1.251, the variable comes "
        "first; an organisation may set another model instead"
    ),
    "permissionMode": (
        "the mode of the session has precedence if it asks less; since 2.1.267 "
        "`bypassPermissions` applies only if the session also has it"
    ),
}

# In a plugin a file is an agent whatever its header: Claude Code 2.1.332, measured 2026-11-28.
_IN_PLUGINS = {
    KeyRole.AGENT: "the name of the file",
    KeyRole.DESCRIPTION: "the session sees only the name of the plugin",
}
_OF_PLUGINS = Consequence(
    header_refused=IfWrong.IGNORED.value,
    header_absent="the plugin has the agent all the same, by the name of its file",
)


def key_in(key: Key, scope: Scope) -> Key:
    """The key in a file of `scope`."""
    if not scope.prefix:
        return key
    is_mild = key.if_wrong is None or not key.if_wrong.is_severe
    if_wrong = key.if_wrong if is_mild else IfWrong.IGNORED
    if key.role not in _IN_PLUGINS:
        return replace(key, if_wrong=if_wrong)
    default = _IN_PLUGINS[key.role]
    return replace(key, if_wrong=if_wrong, default=default, required_by=None, mandatory=False)


def consequence_in(scope: Scope) -> Consequence | None:
    """The treatment of a file of `scope` without a readable header, if it is not as usual."""
    return _OF_PLUGINS if scope.prefix else None
