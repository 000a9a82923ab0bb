"""The hooks of an agent in VS Code: their events and keys, and what is wrong with them.

Facts: VS Code 1.139.1: the checks of its own editor, run 2026-11-28, and its reader of the hooks of
an agent, read 2026-11-29. The reader drops what has a wrong shape, takes a hook without a `type`
for a command, and does not look at `matcher`. With `target: github-copilot` the events also have
the names of GitHub's agent, and the editor wants `bash` or `powershell`; what the other names and
commands say is read all the same, and so are the two events that the editor does not know with
`target: vscode`. Copilot CLI ignores the key, so what may be right elsewhere is information.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.missing_file import futile_scripts
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.copilot import reading
from agent_lsp.model.check import Basis, Check, Field, Finding, Tag
from agent_lsp.model.schema import Choice, Hooks, Key, Severity, ValueKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_EVENTS = {
    "SessionStart": "when a session starts",
    "SessionEnd": "when a session ends",
    "UserPromptSubmit": "when a message is sent",
    "PreToolUse": "before a tool is used",
    "PostToolUse": "after a tool is used",
    "PreCompact": "before the conversation is shortened",
    "SubagentStart": "when a sub-agent starts",
    "SubagentStop": "when a sub-agent ends",
    "Stop": "when the agent ends; in a sub-agent it is `SubagentStop`",
    "ErrorOccurred": "when there is an error",
}
# The names of events with `target: github-copilot`, each with that of VS Code.
_OF_GITHUB = {
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "userPromptSubmitted": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "agentStop": "Stop",
    "subagentStop": "SubagentStop",
    "errorOccurred": "ErrorOccurred",
}
_GITHUB, _VSCODE = "github-copilot", "vscode"
# The events that VS Code marks with a target, and reads, each with the name that it wants.
_MARKED = {
    _GITHUB: {
        **dict.fromkeys(_EVENTS, ""),
        **{right: name for name, right in _OF_GITHUB.items()},
    },
    _VSCODE: dict.fromkeys(("SessionEnd", "ErrorOccurred"), ""),
}
_NONE = "nothing"
_COMMAND = (
    Key(
        "type",
        ValueKind.CHOICE,
        "the kind of the hook",
        "the hook does not run",
        choices=(Choice("command", "a command, which gets the event as JSON"),),
    ),
    Key("command", ValueKind.TEXT, "the command on every system", _NONE),
    Key("windows", ValueKind.TEXT, "the command on Windows", "`command`"),
    Key("linux", ValueKind.TEXT, "the command on Linux", "`command`"),
    Key("osx", ValueKind.TEXT, "the command on macOS", "`command`"),
    Key("bash", ValueKind.TEXT, "the command for Bash", "`command`"),
    Key("powershell", ValueKind.TEXT, "the command for PowerShell", "`command`"),
    Key("cwd", ValueKind.TEXT, "the folder in which it runs", "the workspace folder"),
    Key("env", ValueKind.TABLE, "its variables", "the session's"),
    Key("timeout", ValueKind.NUMBER, "after how many seconds it is stopped", "the usual limit"),
)
_GROUP = (
    Key("matcher", ValueKind.TEXT, "nothing in VS Code: the hooks run for all tools", "all tools"),
    Key("hooks", ValueKind.RECORDS, "the hooks of this matcher", _NONE, items=_COMMAND),
)
EVENTS: tuple[Key, ...] = tuple(
    Key(name, ValueKind.RECORDS, f"what runs {when}", _NONE, items=(*_COMMAND, *_GROUP))
    for name, when in _EVENTS.items()
)
_COMMANDS = ("command", "windows", "linux", "osx", "bash", "powershell")
_GUARDS = frozenset({"PreToolUse", "preToolUse"})
# The commands on systems with a shell that takes paths with a slash.
OF_FILE = Hooks(commands=("command", "linux", "osx", "bash"), plain=True)
_LIMITS = ("timeout", "timeoutSec")
_OF_HOOK = ("type", *_COMMANDS, "cwd", "env", *_LIMITS)
# The commands and the limit that VS Code does not mark with `target: github-copilot`, and the limit
# that it marks there alone.
_GITHUB_COMMANDS, _GITHUB_LIMIT, _LIMIT = ("bash", "powershell"), "timeoutSec", "timeout"
_OF_GROUP = ("matcher", "hooks")


@dataclass(frozen=True, slots=True)
class _Hook:
    """A command that runs at an event, or a `group` of commands."""

    node: Mapping
    group: bool


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each event of the hooks that is none, and on each key of a hook."""
    target = _target(file)
    for event in _events(file):
        found = _event(event, target)
        if found is not None:
            yield found
        for hook in _hooks(event):
            names = _OF_GROUP if hook.group else _OF_HOOK
            # A matcher beside a command is reported as one without an effect.
            some = (one for one in hook.node.entries if one.name not in (*names, "matcher"))
            yield from (_key(one, names) for one in some)
            if not hook.group:
                yield from _marked_keys(hook, is_of_github=target == _GITHUB)


def _marked_keys(hook: _Hook, *, is_of_github: bool) -> Iterator[Finding]:
    """The keys of a hook that VS Code marks because of the target, and reads."""
    for entry in hook.node.entries:
        name, right = entry.name or "", ""
        if name == (_LIMIT if is_of_github else _GITHUB_LIMIT):
            right = _GITHUB_LIMIT if is_of_github else _LIMIT
        elif not is_of_github or name not in _COMMANDS or name in _GITHUB_COMMANDS:
            continue
        where = f" with {code(f'target: {_GITHUB}')}" if is_of_github else ""
        thing = f"VS Code reads {code(name)}, and marks it as unknown in a hook{where}"
        fix = f"write {code(right)}" if right else "`bash` and `powershell` are the commands there"
        meant = (right,) if right else ()
        yield Finding(entry.key.span, f"{thing}; {fix}", Severity.INFORMATION, meant=meant)


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each part of the hooks that has not the shape that VS Code reads."""
    entry = reading.entry(file.document, "hooks") if header.parses(file) else None
    if entry is not None and not _is_blank(entry) and not isinstance(entry.node, Mapping):
        yield _wrong(entry, "a map from an event to a list of commands", "VS Code reads no hooks")
    for event in _events(file):
        if not _is_blank(event) and not isinstance(event.node, Sequence):
            yield _wrong(event, "a list of commands", "its hooks do not run")
        yield from _no_hooks(event)
        for hook in _hooks(event):
            yield from _wrong_in(hook)


def _no_hooks(entry: Entry) -> Iterator[Finding]:
    """The items of a list of hooks that are none."""
    for item in _items(entry):
        if not isinstance(item, Mapping):
            message = "a hook is a map with `type` and `command`: VS Code drops this one"
            yield Finding(item.span, message, Severity.WARNING)


def _wrong_in(hook: _Hook) -> Iterator[Finding]:
    for entry in hook.node.entries:
        node, name = entry.node, entry.name or ""
        if _is_blank(entry):
            continue
        if name == "hooks" and not isinstance(node, Sequence):
            yield _wrong(entry, "a list of commands", "they do not run")
        elif name == "hooks":
            yield from _no_hooks(entry)
        elif name == "type" and not isinstance(node, Scalar):
            yield _wrong(entry, "`command`", "VS Code drops the hook")
        elif name in (*_COMMANDS, "cwd") and not isinstance(node, Scalar):
            yield _wrong(entry, "a string", "it is ignored")
        elif name == "env" and not isinstance(node, Mapping):
            yield _wrong(entry, "a map from a variable to a string", "no variable is set")
        elif name == "env" and isinstance(node, Mapping):
            wrong = (one for one in node.entries if not isinstance(one.node, Scalar))
            yield from (_wrong(one, "a string", "VS Code marks an error") for one in wrong)
        elif name in _LIMITS and not _is_number(node):
            yield _wrong(entry, "a number of seconds", "there is no such limit")


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each kind of hook but `command`, which VS Code drops."""
    for event in _events(file):
        for hook in _hooks(event):
            entry = None if hook.group else hook.node.get("type")
            node = entry.node if entry is not None else None
            if not isinstance(node, Scalar) or node.value in ("", "command"):
                continue
            thing = f"the `type` of a hook is `command`, and not {code(node.value)}"
            yield Finding(node.span, f"{thing}: VS Code drops the hook", meant=("command",))


def missing_part(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each hook that runs nothing, and on one whose `type` is missing."""
    is_of_github = _target(file) == _GITHUB
    for event in _events(file):
        for hook in _hooks(event):
            if hook.group:
                continue
            said = {entry.name for entry in hook.node.entries if not _is_blank(entry)}
            # What a misspelt key was meant for is there.
            said |= {nearest(name, _OF_HOOK) for name in said if name and name not in _OF_HOOK}
            if said.isdisjoint(_COMMANDS):
                thing = (
                    f"the hook has no {listed(('command', *_COMMANDS[1:4]))}, so it runs nothing"
                )
                yield Finding(_first(hook), f"{thing}; add one")
            elif is_of_github and said.isdisjoint(_GITHUB_COMMANDS):
                thing = "the hook has no `bash` or `powershell`: VS Code runs it"
                mark = f"and marks an error with {code(f'target: {_GITHUB}')}; add one"
                yield Finding(_first(hook), f"{thing}, {mark}", Severity.INFORMATION)
            elif "type" not in said:
                thing = "the hook has no `type`: VS Code runs it, and marks an error"
                fix = f"add {code('type: command')}"
                yield Finding(_first(hook), f"{thing}; {fix}", Severity.INFORMATION)


def no_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each matcher, at which VS Code does not look."""
    for event in _events(file):
        for hook in _hooks(event):
            entry = hook.node.get("matcher")
            node = entry.node if entry is not None else None
            if entry is None or (isinstance(node, Scalar) and node.value in ("", "*")):
                continue
            thing = f"{code('matcher')} has no effect in VS Code: the hooks run for every tool"
            fix = "check `tool_name` of the input in the command"
            tags = (Tag.UNNECESSARY,)
            yield Finding(entry.key.span, f"{thing}; {fix}", Severity.INFORMATION, tags)


def futile_hook(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each script that is missing or cannot be run.

    VS Code 1.139.1, the function that runs a hook, run by itself 2026-11-29: a command runs in a
    shell, in its `cwd` below the workspace folder; exit code 2 refuses, and another one is shown.
    """
    if header.parses(file):
        yield from futile_scripts(file, _GUARDS)


def _events(file: TemplateFile) -> tuple[Entry, ...]:
    entry = reading.entry(file.document, "hooks") if header.parses(file) else None
    node = entry.node if entry is not None else None
    return node.entries if isinstance(node, Mapping) else ()


def _items(event: Entry) -> Iterator[Node]:
    node = event.node
    for item in node.items if isinstance(node, Sequence) else ():
        target = resolve(item)
        if target is not None:
            yield target


def _hooks(event: Entry) -> Iterator[_Hook]:
    """The hooks of an event, with and without a matcher, and the groups of those with one."""
    for item in _items(event):
        inner = item.get("hooks") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping):
            continue
        yield _Hook(item, inner is not None)
        for each in _items(inner) if inner is not None else ():
            if isinstance(each, Mapping):
                yield _Hook(each, False)


def _target(file: TemplateFile) -> str:
    value = file.reading.effective.settings.get("target")
    return value.text if value is not None else ""


def _event(event: Entry, target: str) -> Finding | None:
    name, is_of_github = event.name or "", target == _GITHUB
    if is_of_github and name in _OF_GITHUB:
        return None
    marked = _MARKED.get(target, {}).get(name)
    if marked is not None:
        thing = f"VS Code reads the hooks of {code(name)}, and marks the event as unknown"
        fix = f"; write {code(marked)}" if marked else ""
        message = f"{thing} with {code(f'target: {target}')}{fix}"
        return Finding(
            event.key.span, message, Severity.INFORMATION, meant=(marked,) if marked else ()
        )
    if name in _EVENTS:
        return None
    right = _OF_GITHUB.get(name)
    if right is not None:
        thing = f"{code(name)} is an event of agents with `target: github-copilot`"
        message = f"{thing}; in VS Code it is {code(right)}"
        return Finding(event.key.span, message, Severity.INFORMATION, meant=(right,))
    thing = f"no event is called {code(name)}, so its hooks do not run"
    meant = nearest(name, (*_OF_GITHUB, *_EVENTS) if is_of_github else _EVENTS)
    fix = f"did you mean {code(meant)}?" if meant else "see the completion for those that there are"
    return Finding(event.key.span, f"{thing}; {fix}", meant=(meant,) if meant else ())


def _key(entry: Entry, names: tuple[str, ...]) -> Finding:
    name = entry.name or ""
    thing = f"unknown key {code(name)} in a hook: VS Code ignores it"
    meant = nearest(name, names)
    if meant is None:
        return Finding(entry.key.span, thing, Severity.INFORMATION)
    return Finding(entry.key.span, f"{thing}; did you mean {code(meant)}?", meant=(meant,))


def _wrong(entry: Entry, kind: str, effect: str) -> Finding:
    place = entry.value.span if entry.value is not None else entry.key.span
    return Finding(place, f"{code(entry.name or '')} must be {kind}: {effect}", Severity.WARNING)


def _is_blank(entry: Entry) -> bool:
    """Whether a value is still to be written."""
    node = entry.node
    return node is None or (isinstance(node, Scalar) and not node.value.strip())


def _is_number(node: Node | None) -> bool:
    try:
        return isinstance(node, Scalar) and float(node.value) >= 0
    except ValueError:
        return False


def _first(hook: _Hook) -> Span:
    return hook.node.entries[0].key.span if hook.node.entries else hook.node.span


CHECKS: tuple[Check, ...] = (
    Check(("unknown-key",), unknown_key, changes=frozenset({Field.KEY})),
    Check(("wrong-type",), wrong_type, changes=frozenset({Field.KEY})),
    Check(("unknown-value",), unknown_value, changes=frozenset({Field.KEY})),
    Check(("missing-part",), missing_part, changes=frozenset({Field.KEY})),
    Check(("no-effect",), no_effect, changes=frozenset()),
    Check(("futile-hook",), futile_hook, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE),
)
