"""The keys of hooks in a header by event, and checks for hooks that cannot do their work.

Facts: the documents of Qwen Code 0.24.4 (`features/hooks.md` of the package), read 2026-11-29; a
matcher and a `command` were run the same day. A command runs in Bash in the folder of the session,
which is in `QWEN_PROJECT_DIR`, `CLAUDE_PROJECT_DIR` and `GEMINI_PROJECT_DIR`; a script that is
missing or not executable prevents nothing. A matcher is a regular expression for a part of the name
of a tool, and case counts. The display name of a tool, and `Bash`, `Read` and `Write`, stand for a
tool as well, alone or between bars. Hooks also run for other agents that work at the same time.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.missing_file import futile_scripts
from agent_lsp.analysis.context.hooks import matchers
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.qwen.tools import BORROWED, DISPLAY_NAMES, TOOLS, tool_of
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Choice, IfWrong, Key, Severity, ValueKind, with_consequence
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.workspace.snapshot import TemplateFile

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
# What a wrong value in a hook does was neither read nor run.
_UNDOCUMENTED = with_consequence(_MATCHER, IfWrong.UNDOCUMENTED)
EVENTS: tuple[Key, ...] = tuple(
    Key(name, ValueKind.RECORDS, f"what runs {when}", "nothing", items=_UNDOCUMENTED)
    for name, when in _EVENTS.items()
)


_GUARDS = frozenset({"PreToolUse", "PermissionRequest"})
_OF_TOOLS = frozenset({*_GUARDS, "PostToolUse", "PostToolUseFailure", "PermissionDenied"})
_NAMES = regex(r"\w+(?:\|\w+)*")
_MCP = "mcp"
_OF_CLAUDE = ("Bash", "Read", "Write")
_ALIASES = {
    **{display: name for name, display in DISPLAY_NAMES.items()},
    **{name: BORROWED[name][1] for name in _OF_CLAUDE},
}
# A shorter word is a part of many names.
_SHORTEST = 4


def futile_hook(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each script that is not there, and each matcher without a tool."""
    if not header.loads(file) or file.scope.prefix:
        return
    for one in matchers(file):
        if one.event in _OF_TOOLS and one.pattern is not None:
            yield from _unmatched(file, one.pattern)
    yield from futile_scripts(file, _GUARDS)


def _unmatched(file: TemplateFile, node: Scalar) -> Iterator[Finding]:
    """A finding on a matcher of plain names none of which is a tool of the agent."""
    if not _NAMES.fullmatch(node.value):
        return
    words = node.value.split("|")
    if any(word.startswith(_MCP) for word in words):
        # The tools of a server are not known.
        return
    named = {tool for word in words for tool in _named(word)}
    if not named:
        near = nearest(words[0], _ALIASES) or nearest(words[0], DISPLAY_NAMES)
        if len(words) == 1 and near is not None and len(near) >= _SHORTEST:
            thing = f"the matcher {code(node.value)} is not a tool, so its hooks never run"
            message = f"{thing}; case matters; did you mean {code(near)}?"
            yield Finding(node.span, message, meant=(near,))
        return
    tools = tuple(dict.fromkeys((*tool_policy.policy(file).names, *named)))
    verdicts = file.dialect.tools.toolset(file.reading, tools, 1).verdicts
    if not any(one.tool in named and (one.kept or not one.certain) for one in verdicts):
        thing = f"the matcher {code(node.value)} is not a tool of this agent"
        message = f"{thing}, so its hooks only run for other agents at the same time"
        yield Finding(node.span, message, Severity.INFORMATION)


def _named(word: str) -> Iterator[str]:
    """The tools that a word between bars matches."""
    if word in _ALIASES:
        yield _ALIASES[word]
    elif tool_of(word) in DISPLAY_NAMES:
        yield tool_of(word)
    yield from (name for name in DISPLAY_NAMES if word in name)


CHECK = Check(("futile-hook",), futile_hook, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE)
