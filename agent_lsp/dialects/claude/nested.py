"""The keys inside `hooks` and `experimental`.

Facts: code.claude.com/docs/hooks and sub-agents as of 2026-10-08, and `HOOK_EVENTS` of
@anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-28.
"""

from agent_lsp.model.schema import Choice, Key, ValueKind

_NONE = "nothing"

_HANDLER = (
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
        items=_HANDLER,
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
