"""The tables of `claude`: keys, models, scopes, call parameters and what else to know.

Facts: code.claude.com/docs (tools-reference, model-config, plugins-reference as of 2026-08-22,
sub-agents as of 2026-10-08), anthropics/claude-code CHANGELOG.md at 5cfc0a1, and `AgentDefinition`
of @anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-28.
The keys inside `hooks` and `experimental`: code.claude.com/docs/hooks and sub-agents as of
2026-10-08, and `HOOK_EVENTS` of @anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-28.
"""

from agent_lsp.model.availability import Reach
from agent_lsp.model.dialect import Renamed
from agent_lsp.model.schema import Choice, Key, KeyRole, Model, Parameter, Source, ValueKind

_NONE = "nothing"

HANDLER = (
    Key(
        "type",
        ValueKind.CHOICE,
        "what the hook is",
        "the hook is invalid",
        required_by="the runtime",
        choices=(
            Choice("command", "a command of a shell, which gets the event as JSON"),
            Choice("http", "a request to an address, with the event as JSON"),
            Choice("mcp_tool", "a tool of an MCP server"),
            Choice("prompt", "a question to a model"),
            Choice("agent", "a question to a sub-agent"),
        ),
    ),
    Key("command", ValueKind.TEXT, "the command of a `command`", _NONE),
    Key("args", ValueKind.LIST, "arguments, with which no shell reads the command", _NONE),
    Key(
        "if",
        ValueKind.TEXT,
        "a permission rule, as `Bash(git *)`, that the call has to match",
        "all",
    ),
    Key("timeout", ValueKind.NUMBER, "after how many seconds it is stopped", "depends on the type"),
    Key("statusMessage", ValueKind.TEXT, "what is shown while it runs", "a text of the runtime's"),
    Key("async", ValueKind.BOOL, "whether it runs in the background", "`false`"),
    Key("asyncRewake", ValueKind.BOOL, "as `async`, and exit code 2 wakes the agent", "`false`"),
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
    Key("matcher", ValueKind.TEXT, "for which tools, as `Bash` or `Edit|Write`", "for all"),
    Key(
        "hooks",
        ValueKind.RECORDS,
        "what runs, all at once",
        "the matcher is invalid",
        required_by="the runtime",
        items=HANDLER,
    ),
)
_EVENTS = {
    "PreToolUse": "before a tool is used; exit code 2 prevents it",
    "PostToolUse": "after a tool was used",
    "PostToolUseFailure": "after a tool failed",
    "PostToolBatch": "after tools that were used together",
    "PermissionRequest": "when a permission is asked for",
    "PermissionDenied": "when a permission was denied",
    "Stop": "when the agent ends; the runtime makes it `SubagentStop`",
    "StopFailure": "when it ends by an error",
    "SubagentStart": "when an agent begins",
    "SubagentStop": "when an agent ends",
    "UserPromptSubmit": "when a message is sent",
    "UserPromptExpansion": "when a command becomes a message",
    "SessionStart": "when the session begins",
    "SessionEnd": "when the session ends",
    "Setup": "when the session is set up",
    "PreCompact": "before the conversation is shortened",
    "PostCompact": "after it was shortened",
    "PreModelSwitch": "before the model changes",
    "PostModelSwitch": "after it changed",
    "Notification": "when there is a notification",
    "MessageDisplay": "while a message is shown",
    "TeammateIdle": "when a member of a team has nothing to do",
    "TaskCreated": "when a task is added",
    "TaskCompleted": "when a task is done",
    "Elicitation": "when an MCP server asks the user",
    "ElicitationResult": "when the user has answered it",
    "ConfigChange": "when settings change",
    "InstructionsLoaded": "when instructions are loaded",
    "CwdChanged": "when the working folder changes",
    "FileChanged": "when a watched file changes",
    "DirectoryAdded": "when a folder is added",
    "WorktreeCreate": "when a Git worktree is made",
    "WorktreeRemove": "when it is removed",
}
# A hook that does not load may be what guards the agent's work, so the agent is not loaded then:
# Claude Code 2.1.332, measured 2026-11-28.
GUARDS = frozenset({"PreToolUse", "PermissionRequest"})
EVENTS = tuple(
    Key(name, ValueKind.RECORDS, f"hooks that run {meaning}", "none runs then", items=_MATCHER)
    for name, meaning in _EVENTS.items()
)
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

# The version that was measured, and when: `docs/maintaining/runtimes.md` says how.
MEASURED, MEASURED_ON = "2.1.332", "2026-11-28"
# Where the runtime is installed, by its own installer and by npm: code.claude.com/docs, setup, read
# 2026-11-28. The first is a link to a program that is called by its version.
_PACKAGE = "node_modules/@anthropic-ai/claude-code/package.json"
PACKAGES = (
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
    Choice("default", "asks before what needs a permission"),
    Choice("manual", "another word for `default`, since 2.1.200"),
    Choice("acceptEdits", "edits files without asking"),
    Choice("auto", "lets a classifier decide what has to be asked"),
    Choice("dontAsk", "denies what would have to be asked"),
    Choice("bypassPermissions", "asks nothing"),
    Choice("plan", "looks and plans, and changes nothing"),
)
MEMORIES = (
    Choice("user", "kept in the user's folder, for all projects"),
    Choice("project", "kept in the project, to be committed"),
    Choice("local", "kept in the project, not to be committed"),
)
_TRUTH = (Choice("true", "yes"), Choice("false", "no"))
# Others are common in published files, and harmless.
COLORS = tuple(
    Choice(name, "the colour in which the agent is shown")
    for name in ("red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan")
)

KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "what the agent is called, whatever its file is: lower-case letters and hyphens",
        "the file is taken for documentation, and defines no agent",
        role=KeyRole.AGENT,
        required_by="the runtime",
        example="reviewer",
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "when to delegate to the agent; Claude reads it to choose one",
        "the runtime skips the file",
        role=KeyRole.DESCRIPTION,
        required_by="the runtime",
        mandatory=True,
    ),
    Key(
        "tools",
        ValueKind.LIST,
        "the only tools that the agent gets, divided by commas or blanks, or a list",
        "every tool of the session that sub-agents can have",
        role=KeyRole.ALLOW,
        in_text=True,
    ),
    Key(
        "disallowedTools",
        ValueKind.LIST,
        "tools that the agent does not get; they are taken away before `tools` is looked at",
        "nothing is taken away",
        role=KeyRole.DENY,
        in_text=True,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model: an alias, or the full id of one",
        _INHERITED,
        role=KeyRole.MODEL,
        example="sonnet",
    ),
    Key(
        "permissionMode",
        ValueKind.CHOICE,
        "what the agent may do without asking; a session in `auto`, `acceptEdits` or "
        "`bypassPermissions` goes first",
        _INHERITED,
        choices=PERMISSIONS,
    ),
    Key("maxTurns", ValueKind.NUMBER, "after how many turns the agent is stopped", "no limit"),
    Key(
        "skills",
        ValueKind.LIST,
        "skills that the agent starts with, in full; one that is missing is left out",
        "none is loaded beforehand",
        in_text=True,
    ),
    Key(
        "mcpServers",
        ValueKind.LIST,
        "MCP servers for the agent: a list of names, or of mappings from a name to its settings",
        "those of the session",
    ),
    Key(
        "hooks",
        ValueKind.TABLE,
        "hooks while the agent runs: a mapping from an event to a list of matchers",
        "those of the session",
        items=EVENTS,
        closed=True,
    ),
    Key(
        "memory",
        ValueKind.CHOICE,
        "where the agent keeps notes between sessions; it gets Read, Write and Edit for them",
        "it keeps none",
        choices=MEMORIES,
    ),
    Key(
        "background",
        ValueKind.BOOL,
        "whether the agent always runs in the background, where it has fewer tools",
        "`false`: the call decides",
        choices=_TRUTH,
    ),
    Key(
        "effort",
        ValueKind.CHOICE,
        "how long the model thinks; a number is taken, too",
        _INHERITED,
        role=KeyRole.EFFORT,
        choices=EFFORTS,
    ),
    Key(
        "isolation",
        ValueKind.CHOICE,
        "whether the agent works on a copy of the repository",
        "it works where the session does",
        choices=(Choice("worktree", "in a Git worktree of its own"),),
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
    Key(
        "color", ValueKind.CHOICE, "the colour of the agent's name", "chosen for it", choices=COLORS
    ),
    Key(
        "initialPrompt",
        ValueKind.TEXT,
        "the first message of a session that is started with this agent by `--agent`",
        "the session waits for a message",
    ),
)
# A definition in JSON or of the SDK has these; in a file they are seen, too.
OTHER_KEYS = frozenset(
    {
        *("autoCompactWindow", "observer", "observerMessage"),
        *("observeSubagents", "observeToolResults"),
    }
)
KNOWN = frozenset(key.name for key in KEYS) | OTHER_KEYS
# What an agent of a plugin may not decide.
NOT_IN_PLUGINS = ("permissionMode", "mcpServers", "hooks", "initialPrompt")
# How other systems keep an agent from writing; here it gets every tool all the same.
RENAMED = {
    name: Renamed(None, "it keeps the agent from nothing; `tools` and `disallowedTools` do")
    for name in (
        *("sandbox_mode", "sandbox", "sandbox-mode", "sandboxMode"),
        *("read_only", "readonly", "readOnly", "read-only"),
    )
}
# Keys of commands and skills, of the command line and of the SDK: code.claude.com/docs, skills and
# cli-reference as of 2026-08-22, read 2026-11-28. In the file of an agent they are no keys.
ELSEWHERE = {
    **dict.fromkeys(("allowed-tools", "allowedTools", "allowed_tools"), "tools"),
    **dict.fromkeys(("disallowed-tools", "disallowed_tools"), "disallowedTools"),
}
LONGEST_NAME = 256
# What says of a header without a name that an agent was meant.
TELLING = frozenset(
    {"tools", "disallowedTools", "model", "permissionMode", "maxTurns", "isolation", "color"}
)

# Who reads `.claude/agents`, too: VS Code (read by the reader of code-server 4.139.1) and GitHub
# Copilot CLI 1.0.102, measured 2026-11-28; cursor.com/docs (subagents), read 2026-11-28. What no
# sub-agent has counts for the main session: Claude Code 2.1.332, measured 2026-11-28.
REACH = Reach(
    readers=("VS Code", "Copilot CLI", "Cursor"),
    session="`claude --agent`",
    session_key="initialPrompt",
)

# Built-in agents that are not told of the project's CLAUDE.md and Git.
NOT_TOLD = frozenset({"Explore", "Plan"})

_AGENT = Parameter("subagent_type", str, "the agent, by its name", role=KeyRole.AGENT)
LIST_PARAMETERS = (Parameter("name", str, "only this agent", role=KeyRole.AGENT),)
SPAWN_PARAMETERS = (
    _AGENT,
    Parameter("prompt", str, "what the agent shall do", content=True, role=KeyRole.TASK),
    Parameter("model", str, "an alias, which goes before the header's", role=KeyRole.MODEL),
    Parameter("as", str, "`session` to run it as `claude --agent` does, instead of calling it"),
    Parameter("background", bool, "whether it runs in the background"),
    Parameter("env", dict, "variables that the session has, such as CLAUDE_CODE_SUBAGENT_MODEL"),
)
# In their places: Claude Code 2.1.332, measured 2026-11-28.
MODEL_VARIABLE, FORCE_VARIABLE = "CLAUDE_CODE_SUBAGENT_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL_FORCE"
EFFORT_VARIABLE = "CLAUDE_CODE_SUBAGENT_EFFORT"
# From this depth on an agent cannot call another one.
DEEPEST = 3

NOTES = {
    "project": (
        "every `.claude/agents` from the folder where the session starts up to the repository's "
        "counts, with all folders below it; the nearest one wins. Agents of `claude --agents` go "
        "before them; in a Git worktree without this folder that of the main checkout counts"
    ),
    "plugin": (
        "every `*.md` below `agents` is one, and folders there are part of the name; agents of "
        "the project and user are called otherwise, so it takes the place of none"
    ),
    "tools": (
        "what stands in `Tool(…)` limits nothing in a sub-agent; the agents in `Agent(…)` count "
        "only for one that is started by `claude --agent`"
    ),
    "disallowedTools": "what stands in `Tool(…)` does not count: the whole tool is taken away",
    "model": (
        f"the call goes before the header, and the header before the variable `{MODEL_VARIABLE}`, "
        f"which goes before all with `{FORCE_VARIABLE}`, and did so before 2.1.251; an "
        "organisation may put another model in its place"
    ),
    "permissionMode": (
        "the session's own mode goes first if it asks less; since 2.1.267 `bypassPermissions` "
        "counts only where the session has it, too"
    ),
}
