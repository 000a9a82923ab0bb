"""Checks values that VS Code ignores because of their shape, and words that it marks as errors.

Facts: VS Code 1.139.1, run 2026-11-28: a value of another type is as if it were not there, so that
an agent with a text for `agents` may call every agent. Marks on labels and permissions have no
effect in VS Code; what GitHub makes of the latter is not established.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.copilot import reading
from agent_lsp.dialects.copilot.agent_checks import MEANT
from agent_lsp.dialects.copilot.values import truth
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile

_ALL, _READ_ONLY = ("read", "write", "none"), ("read", "none")
# The scopes of `github.permissions`, each with its values.
SCOPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("actions", "contents", "discussions", "issues", "pull-requests"), _ALL),
    "workflows": ("write", "none"),
    **dict.fromkeys(("checks", "security-events"), _READ_ONLY),
    "metadata": ("read",),
}
# What VS Code does not mark with `target: github-copilot`, and what it reads nowhere.
_OF_GITHUB = frozenset(
    {
        *("name", "description", "tools", "target", "model", "reasoning-effort"),
        *("mcp-servers", "github", "infer"),
    }
)
_OF_CLI = frozenset({"mcp-servers", "skills", "deferred-tool-loading"})
_LIST = ("a list of names", "VS Code ignores it, and the agent may call every agent")
_TEXT = (Scalar,)
_SHAPES: dict[str, tuple[tuple[type[Node], ...], tuple[str, str]]] = {
    "name": (_TEXT, ("a text", "the agent has the name of its file in VS Code")),
    "description": (_TEXT, ("a text", "the agent has no description in VS Code")),
    "tools": (
        (Sequence, Scalar),
        ("a list of tools", "VS Code ignores it, and the agent gets every tool"),
    ),
    "model": ((Sequence, Scalar), ("a text or a list of models", "VS Code ignores it")),
    "agents": ((Sequence,), _LIST),
    "handoffs": ((Sequence,), ("a list of hand-offs", "VS Code shows no button")),
    "argument-hint": (_TEXT, ("a text", "VS Code ignores it")),
    "target": (_TEXT, ("a text", "VS Code ignores it")),
}
# What VS Code takes for a switch that is neither `true` nor `false`.
_SWITCHES = {
    "user-invocable": "takes it for `true`",
    "disable-model-invocation": "takes it for `false`",
    "infer": "ignores it",
}
# What an empty text leaves.
_EMPTY = {
    "description": "models that choose an agent see only its name",
    "model": "the model of the session stays",
    "argument-hint": "there is no hint",
    "target": "it has no effect",
}


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each value that VS Code ignores because of its shape."""
    for entry in _entries(file):
        shape, (kind, effect) = _SHAPES.get(entry.name or "", ((), ("", "")))
        node = entry.node
        if not shape or node is None or (isinstance(node, Scalar) and not node.value.strip()):
            continue
        if not isinstance(node, shape):
            yield _wrong(node, entry.name or "", kind, effect)
        elif entry.name == "handoffs":
            yield from _wrong_in_handoffs(node)
        elif entry.name in ("agents", "tools", "model"):
            message = f"an item of {code(entry.name)} is a name: VS Code drops this one"
            wrong = (item for item in _items(node) if not isinstance(item, Scalar))
            yield from (Finding(item.span, message, _WARNING) for item in wrong)


_WARNING, _NOTE = Severity.WARNING, Severity.INFORMATION


def _wrong_in_handoffs(node: Node) -> Iterator[Finding]:
    for item in _items(node):
        if not isinstance(item, Mapping):
            message = "a hand-off has `label`, `agent` and `prompt`: VS Code drops this one"
            yield Finding(item.span, message, _WARNING)
            continue
        for entry in item.entries:
            value = entry.node
            if entry.name == "model" and value is not None and not isinstance(value, Scalar):
                yield _wrong(value, "model", "a string in a hand-off", "the current model stays")


def _wrong(node: Node, name: str, kind: str, effect: str) -> Finding:
    return Finding(node.span, f"{code(name)} must be {kind}: {effect}", _WARNING)


def missing_part(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each label of a hand-off that VS Code marks as an error."""
    seen: set[str] = set()
    for entry in _entries(file):
        for item in _items(entry.node) if entry.name == "handoffs" else ():
            label = item.get("label") if isinstance(item, Mapping) else None
            node = label.node if label is not None else None
            if not isinstance(node, Scalar) or not node.value.strip():
                continue
            word, mark = node.value.lower(), "and VS Code marks an error; change one of them"
            if word in seen:
                thing = f"another hand-off has the label {code(node.value)} as well"
                yield Finding(node.span, f"{thing}, {mark}", _NOTE)
            elif not any(sign.isascii() and sign.isalnum() for sign in word):
                thing = f"the label {code(node.value)} has no letter from a to z and no digit"
                yield Finding(node.span, f"{thing}, and VS Code marks an error", _NOTE)
            seen.add(word)


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each key of `github` and of its permissions that is none."""
    github = _github(file)
    for entry in github.entries if github is not None else ():
        if entry.name not in ("permissions", "toolsets"):
            yield _unknown(entry, ("permissions", "toolsets"), "`github` has no key")
    for entry in _permissions(github):
        if entry.name not in SCOPES:
            yield _unknown(entry, tuple(SCOPES), "no permission is called")


def no_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each empty text and each key of another program that VS Code marks."""
    yield from _of_others(file)
    for entry in _entries(file):
        node, effect = entry.node, _EMPTY.get(entry.name or "")
        if effect and isinstance(node, Scalar) and not node.value.strip() and len(node.span):
            thing = f"{code(entry.name or '')} is empty, and VS Code marks it: {effect}"
            yield Finding(node.span, f"{thing}; write a text, or remove the key", _NOTE)


def _of_others(file: TemplateFile) -> Iterator[Finding]:
    """The keys that VS Code does not read, and those that it marks because of the target."""
    target = file.reading.effective.settings.get("target")
    is_of_github = target is not None and target.text == "github-copilot"
    for entry in _entries(file):
        name, node = entry.name or "", entry.node
        is_void = isinstance(node, Scalar) and not len(node.span)
        if is_void and name in _KNOWN - _OF_CLI_AS_WELL:
            message = f"{code(name)} has no value, and VS Code marks an error"
            yield Finding(entry.key.span, message, Severity.HINT)
        if name in _OF_CLI:
            message = f"{code(name)} has no effect in VS Code: only Copilot CLI reads it"
        elif is_of_github and name in _KNOWN and name not in _OF_GITHUB:
            thing = f"VS Code reads {code(name)}, and marks it as not supported"
            message = f"{thing} with `target: github-copilot`"
        else:
            continue
        yield Finding(entry.key.span, message, Severity.HINT)


# Of these Copilot CLI wants a value, or the agent has no tools.
_OF_CLI_AS_WELL = frozenset({*_SWITCHES, "name", "description", "tools", "model", "github"})
# The keys of VS Code.
_KNOWN = frozenset(
    {
        *_SHAPES,
        *("user-invocable", "disable-model-invocation", "infer", "hooks", "advancedOptions"),
    }
)


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each switch and each permission with a value that is none."""
    for entry in _entries(file):
        node, effect = entry.node, _SWITCHES.get(entry.name or "")
        if effect and isinstance(node, Scalar) and node.value and truth(node) is None:
            meant = MEANT.get(node.value.lower())
            thing = f"{code(entry.name or '')} cannot be {code(node.value)}: VS Code {effect}"
            fix = f"write {code(meant)}" if meant else "write `true` or `false`"
            yield Finding(node.span, f"{thing}; {fix}", meant=(meant,) if meant else ())
    for entry in _permissions(_github(file)):
        node, allowed = entry.node, SCOPES.get(entry.name or "", ())
        if not isinstance(node, Scalar) or not allowed or node.value in allowed:
            continue
        if not len(node.span):
            # It is still to be written.
            continue
        thing = f"{code(entry.name or '')} cannot be {code(node.value)}"
        meant = nearest(node.value, allowed)
        fix = f"use {listed(allowed)}"
        yield Finding(node.span, f"{thing}; {fix}", meant=(meant,) if meant else ())


def _unknown(entry: Entry, names: tuple[str, ...], thing: str) -> Finding:
    meant = nearest(entry.name or "", names)
    fix = f"did you mean {code(meant)}?" if meant else f"use {listed(names)}"
    message = f"{thing} {code(entry.name or '')}; {fix}"
    return Finding(entry.key.span, message, meant=(meant,) if meant else ())


def _github(file: TemplateFile) -> Mapping | None:
    found = next((one.node for one in _entries(file) if one.name == "github"), None)
    return found if isinstance(found, Mapping) else None


def _permissions(github: Mapping | None) -> tuple[Entry, ...]:
    entry = github.get("permissions") if github is not None else None
    node = entry.node if entry is not None else None
    return node.entries if isinstance(node, Mapping) else ()


def _entries(file: TemplateFile) -> tuple[Entry, ...]:
    return reading.header(file.document).entries if header.parses(file) else ()


def _items(node: Node | None) -> Iterator[Node]:
    for item in node.items if isinstance(node, Sequence) else ():
        target = resolve(item)
        if target is not None:
            yield target


_OF_KEY = frozenset({Field.KEY})
CHECKS: tuple[Check, ...] = (
    Check(("wrong-type",), wrong_type, changes=_OF_KEY),
    Check(("missing-part",), missing_part, changes=_OF_KEY),
    Check(("unknown-key",), unknown_key, changes=_OF_KEY),
    Check(("unknown-value",), unknown_value, changes=_OF_KEY),
    Check(("no-effect",), no_effect, changes=frozenset()),
)
