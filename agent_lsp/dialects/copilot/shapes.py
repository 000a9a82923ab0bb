"""Checks values that VS Code ignores because of their shape, and words that it marks as errors.

Facts: VS Code 1.139.1, run 2026-11-28: a value of another type is as if it were not there, so that
an agent with a text for `agents` may call every agent. Marks on labels and permissions have no
effect in VS Code; what GitHub makes of the latter is not established.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.suggest import nearest
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
_LIST = ("a list of names", "VS Code ignores it, and the agent may call every agent")
_SHAPES: dict[str, tuple[type[Node], tuple[str, str]]] = {
    "agents": (Sequence, _LIST),
    "handoffs": (Sequence, ("a list of hand-offs", "VS Code shows no button")),
    "argument-hint": (Scalar, ("a text", "VS Code ignores it")),
    "target": (Scalar, ("a text", "VS Code ignores it")),
}


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each value that VS Code ignores because of its shape."""
    for entry in _entries(file):
        shape, (kind, effect) = _SHAPES.get(entry.name or "", (None, ("", "")))
        node = entry.node
        if shape is None or node is None or (isinstance(node, Scalar) and not node.value.strip()):
            continue
        if not isinstance(node, shape):
            yield _wrong(node, entry.name or "", kind, effect)
        elif entry.name == "handoffs":
            yield from _wrong_in_handoffs(node)
        elif entry.name == "agents":
            yield from (
                Finding(
                    item.span, "an item of `agents` is a name: VS Code drops this one", _WARNING
                )
                for item in _items(node)
                if not isinstance(item, Scalar)
            )


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


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each permission with a value that is none."""
    for entry in _permissions(_github(file)):
        node, allowed = entry.node, SCOPES.get(entry.name or "", ())
        if not isinstance(node, Scalar) or not node.value or not allowed or node.value in allowed:
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
    top = header.root(file) if header.parses(file) else None
    return top.entries if top is not None else ()


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
)
