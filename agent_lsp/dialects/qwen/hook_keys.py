"""The keys of the hooks in a header of Qwen Code, by event.

Facts: the documents of Qwen Code 0.24.4 (`features/hooks.md` of the package), read 2026-11-29; a
matcher and a `command` were run the same day.
"""

from agent_lsp.dialects.qwen.tools import TOOLS
from agent_lsp.model.schema import Choice, Key, ValueKind

_HANDLER = (
    Key(
        "type",
        ValueKind.CHOICE,
        "the kind of the hook",
        "the hook does not run",
        choices=(
            Choice("command", "a shell command, which gets the event as JSON"),
            Choice("http", "a request to an address, with the event as JSON"),
            Choice("prompt", "a question to a model"),
        ),
    ),
    Key("command", ValueKind.TEXT, "the command of a `command`", "nothing"),
    Key("timeout", ValueKind.NUMBER, "after how many seconds it is stopped", "the usual limit"),
)
_MATCHER = (
    Key(
        "matcher",
        ValueKind.TEXT,
        "the tools, such as `run_shell_command` or `edit|write_file`",
        "all tools",
        choices=tuple(Choice(tool.name, tool.meaning) for tool in TOOLS),
    ),
    Key("hooks", ValueKind.RECORDS, "the hooks", "nothing", items=_HANDLER),
)
_EVENTS = {
    "PreToolUse": "before a tool is used; exit code 2 prevents it",
    "PostToolUse": "after a tool is used",
    "PostToolUseFailure": "after a tool fails",
    "PostToolBatch": "after several tools are used together",
    "PermissionRequest": "when a permission is asked for",
    "PermissionDenied": "when a permission is denied",
    "UserPromptSubmit": "when a message is sent",
    "UserPromptExpansion": "when a command becomes a message",
    "SessionStart": "when the session starts",
    "SessionEnd": "when the session ends",
    "Stop": "when a turn ends",
    "StopFailure": "when an error ends a turn",
    "SubagentStart": "when an agent starts",
    "SubagentStop": "when an agent ends",
    "PreCompact": "before the conversation is shortened",
    "PostCompact": "after the conversation is shortened",
    "Notification": "when there is a notification",
    "TodoCreated": "when something to do is added",
    "TodoCompleted": "when something to do is done",
    "InstructionsLoaded": "when a file of instructions is loaded",
}
EVENTS: tuple[Key, ...] = tuple(
    Key(name, ValueKind.RECORDS, f"what runs {when}", "nothing", items=_MATCHER)
    for name, when in _EVENTS.items()
)
