"""The hooks of an agent in VS Code: their events and keys, and what is wrong with them.

Facts: VS Code 1.139.1, the checks of its own editor, 2026-11-28. What it does with hooks while an
agent runs is not established, so what may be right elsewhere is information. Copilot CLI ignores
the key. With `target: github-copilot` the events have the names of GitHub's agent.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Choice, Key, Severity, ValueKind
from agent_lsp.syntax.nodes import Entry, Mapping, Sequence, resolve
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
    Key("cwd", ValueKind.TEXT, "the folder in which it runs", "that of the workspace"),
    Key("env", ValueKind.TABLE, "its variables", "those of the session"),
    Key("timeout", ValueKind.NUMBER, "after how many seconds it is stopped", "the usual limit"),
)
_GROUP = (
    Key("matcher", ValueKind.TEXT, "the tools for which the hooks run", "all tools"),
    Key("hooks", ValueKind.RECORDS, "the hooks of this matcher", _NONE, items=_COMMAND),
)
EVENTS: tuple[Key, ...] = tuple(
    Key(name, ValueKind.RECORDS, f"what runs {when}", _NONE, items=(*_COMMAND, *_GROUP))
    for name, when in _EVENTS.items()
)
_KNOWN = frozenset({*(key.name for key in (*_COMMAND, *_GROUP)), "timeoutSec"})


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each event of the hooks that is none, and on each key of a hook."""
    top = header.root(file) if header.parses(file) else None
    entry = top.get("hooks") if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    if not isinstance(node, Mapping):
        return
    target = file.reading.effective.settings.get("target")
    is_of_github = target is not None and target.text == "github-copilot"
    for event in node.entries:
        found = None if is_of_github else _event(event)
        if found is not None:
            yield found
        for hook in _hooks(event):
            yield from map(_key, (one for one in hook.entries if one.name not in _KNOWN))


def _event(event: Entry) -> Finding | None:
    name = event.name or ""
    if name in _EVENTS:
        return None
    right = _OF_GITHUB.get(name)
    if right is not None:
        thing = f"{code(name)} is an event of agents with `target: github-copilot`"
        message = f"{thing}; in VS Code it is {code(right)}"
        return Finding(event.key.span, message, Severity.INFORMATION, meant=(right,))
    thing = f"no event is called {code(name)}, so its hooks do not run"
    meant = nearest(name, _EVENTS)
    fix = f"did you mean {code(meant)}?" if meant else "see the completion for those that there are"
    return Finding(event.key.span, f"{thing}; {fix}", meant=(meant,) if meant else ())


def _hooks(event: Entry) -> Iterator[Mapping]:
    """The hooks of an event, with and without a matcher, and the matchers."""
    node = resolve(event.value)
    for item in node.items if isinstance(node, Sequence) else ():
        one = resolve(item)
        if not isinstance(one, Mapping):
            continue
        yield one
        inner = one.get("hooks")
        within = resolve(inner.value) if inner is not None else None
        for each in within.items if isinstance(within, Sequence) else ():
            hook = resolve(each)
            if isinstance(hook, Mapping):
                yield hook


def _key(entry: Entry) -> Finding:
    name = entry.name or ""
    thing = f"unknown key {code(name)} in a hook: VS Code ignores it"
    meant = nearest(name, _KNOWN)
    if meant is None:
        return Finding(entry.key.span, thing, Severity.INFORMATION)
    return Finding(entry.key.span, f"{thing}; did you mean {code(meant)}?", meant=(meant,))


CHECKS: tuple[Check, ...] = (Check(("unknown-key",), unknown_key, changes=frozenset({Field.KEY})),)
