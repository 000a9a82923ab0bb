"""Checks what VS Code loses of a header, values that it ignores, and words that it marks as errors.

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
from agent_lsp.dialects.copilot.facts import ALLOW, NAMES
from agent_lsp.dialects.copilot.header_reader import STRAY
from agent_lsp.dialects.copilot.values import INSTEAD_OF_TOOLS, truth
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.programs import readers_in_use
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
    "name": (_TEXT, ("a string", "the agent has the name of its file in VS Code")),
    "description": (_TEXT, ("a string", "the agent has no description in VS Code")),
    "tools": (
        (Sequence, Scalar),
        ("a list of tools", "VS Code ignores it, and the agent gets every tool"),
    ),
    "model": ((Sequence, Scalar), ("a string or a list of models", "VS Code ignores it")),
    "agents": ((Sequence,), _LIST),
    "handoffs": ((Sequence,), ("a list of hand-offs", "VS Code shows no button")),
    "argument-hint": (_TEXT, ("a string", "VS Code ignores it")),
    "target": (_TEXT, ("a string", "VS Code ignores it")),
}
# What VS Code takes for a switch that is neither `true` nor `false`.
_SWITCHES = {
    "user-invocable": "reads it as `true`",
    "disable-model-invocation": "reads it as `false`",
    "infer": "ignores it",
}
# The editor looks at the quotes of these; `infer` it marks whatever it says.
_MARKED_IN_QUOTES = frozenset({"user-invocable", "disable-model-invocation"})
# What an empty text leaves.
_EMPTY = {
    "description": "models that choose an agent see only its name",
    "model": "the model of the session stays",
    "argument-hint": "there is no hint",
    "target": "it has no effect",
}


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on the line because of which VS Code loses the rest of a header."""
    for error in header.possible_errors(file, LoadErrorKind.SYNTAX):
        document = file.document
        sign = error.span.of(document.text)
        found = reading.header(document)
        if sign == "\ufeff":
            what = "belongs to the key after it" if found.entries else "is not `key: value`"
            message = f"a byte-order mark {what}: {error.message}; remove the mark"
            yield Finding(error.span, message, None if error.certain else Severity.WARNING)
            continue
        severity = None if error.certain else Severity.WARNING
        thing, part, fix = _reason(file, error.span)
        yield Finding(error.span, f"{thing}, and {part} is read: {error.message}; {fix}", severity)


def _reason(file: TemplateFile, span: Span) -> tuple[str, str, str]:
    """Why VS Code loses a part of a header, which part, and what to do."""
    text, sign = file.document.text, span.of(file.document.text)
    found, below = reading.header(file.document), "nothing below it"
    if found.open_quote == span:
        return f"no {code(sign)} closes this text", below, "close it"
    if any(one.opened == span for one in found.faults):
        # A placeholder, `{{ name }}`, is closed, and no mapping.
        is_placeholder = text.startswith("{{", span.start)
        fix = "quote the whole value" if is_placeholder else "close it"
        return f"nothing closes this {code(sign)}", below, fix
    if not found.entries:
        thing = f"the header begins with {code(sign.strip())}, which is not `key: value`"
        return thing, "nothing of it", "write lines `key: value`"
    if _is_behind_a_value(text, span):
        thing = f"{code(sign)} follows a closed quote or bracket"
        fix = "remove it" if sign.strip("]} \t") == "" else "quote the whole value"
        return thing, "nothing from here on", fix
    thing, fix = _ends(sign)
    return thing, "nothing from here on", fix


def _is_behind_a_value(text: str, span: Span) -> bool:
    line = text[max(text.rfind(end, 0, span.start) for end in "\r\n") + 1 : span.start]
    return line.rstrip().endswith(('"', "'", "]", "}"))


def _ends(sign: str) -> tuple[str, str]:
    """Why a line ends the keys of a header, and what to do."""
    bare = sign.strip()
    key, colon, rest = bare.partition(":")
    if colon and (not rest or rest[0] in " \t") and key in NAMES:
        return f"{code(key)} is indented less than the first key", "indent all keys alike"
    written = reading.meant_by(bare)
    if written is not None:
        thing = f"{code(bare)} is not `key: value`"
        if key == written[0] and rest:
            what = "no space" if not rest[0].isspace() else f"U+{ord(rest[0]):04X} and no space"
            thing = f"{what} follows the colon of {code(key)}"
        right = ALLOW if written[0] in INSTEAD_OF_TOOLS else written[0]
        return thing, f"write {code(f'{right}: {written[1]}'.strip())}"
    if bare.startswith(("```", "...", "+++")):
        return f"{code(bare)} is not `key: value`", "remove the line"
    thing = f"{code(bare)} is not `key: value`"
    return thing, "indent it if it belongs to the value above, else remove it"


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each value that VS Code ignores because of its shape."""
    for entry in _entries(file):
        shape, (kind, effect) = _SHAPES.get(entry.name or "", ((), ("", "")))
        node = entry.node
        if entry.name in _SWITCHES and node is not None and not isinstance(node, Scalar):
            effect = f"VS Code {_SWITCHES[entry.name]}"
            yield _wrong(node, entry.name, "`true` or `false`", effect)
        if not shape or node is None or _is_void(node, shape):
            continue
        if not isinstance(node, shape):
            yield _wrong(node, entry.name or "", kind, effect)
        elif entry.name == "handoffs":
            yield from _wrong_in_handoffs(node)
        elif entry.name in ("agents", "tools", "model"):
            message = f"an item of {code(entry.name)} is a name: VS Code drops this one"
            wrong = (item for item in _items(node) if not isinstance(item, Scalar))
            yield from (Finding(item.span, message, _WARNING) for item in wrong)
    if header.parses(file):
        yield from _stray(file)


def _is_void(node: Node, shape: tuple[type[Node], ...]) -> bool:
    """Whether a text is still to be written, or is an empty one where a text may stand."""
    if not isinstance(node, Scalar) or node.value.strip():
        return False
    return Scalar in shape or not len(node.span)


def _stray(file: TemplateFile) -> Iterator[Finding]:
    """The signs in brackets that VS Code skips."""
    for fault in reading.header(file.document).faults:
        if fault.code == STRAY:
            sign = fault.span.of(file.document.text)
            thing = f"there is no item before this {code(sign)}"
            if sign != ",":
                thing = f"this {code(sign)} is not an item of a list, and separates two"
            mark = "VS Code skips it, and marks an error; remove it"
            yield Finding(fault.span, f"{thing}: {mark}", _NOTE)


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
        if entry.name == "model" and isinstance(node, Sequence):
            yield from _blank_models(node)
        if effect and isinstance(node, Scalar) and not node.value.strip() and len(node.span):
            thing = f"{code(entry.name or '')} is empty, and VS Code marks it: {effect}"
            yield Finding(node.span, f"{thing}; write a text, or remove the key", _NOTE)


def _blank_models(node: Sequence) -> Iterator[Finding]:
    """The findings on a list of models with none in it, and on blank ones."""
    mark = "and VS Code marks an error"
    if not node.items:
        thing = f"`model` has no item, {mark}: the model of the session stays"
        yield Finding(node.span, f"{thing}; write one, or remove the key", _NOTE)
    for item in _items(node):
        if isinstance(item, Scalar) and not item.value.strip():
            message = f"`model` has a blank item, {mark}; remove it"
            yield Finding(item.span, message, _NOTE)


def _of_others(file: TemplateFile) -> Iterator[Finding]:
    """The keys that VS Code does not read, and those that it marks because of the target."""
    target = file.reading.effective.settings.get("target")
    is_of_github = target is not None and target.text == "github-copilot"
    has_cli = len(readers_in_use(file.dialect, file.options)) > 1
    for entry in _entries(file):
        name, node = entry.name or "", entry.node
        is_void = isinstance(node, Scalar) and not len(node.span)
        if is_void and name in _KNOWN - (_OF_CLI_AS_WELL if has_cli else _WITH_AN_EFFECT):
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


# Of these Copilot CLI wants a value, and refuses the file, or the agent has no tools.
_OF_CLI_AS_WELL = frozenset({*_SWITCHES, "name", "description", "tools", "model", "github"})
# What these do without a value is told by checks of their own.
_WITH_AN_EFFECT = frozenset({"name", "tools"})
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
        is_written = isinstance(node, Scalar) and len(node.span)
        if isinstance(node, Scalar) and entry.name in _MARKED_IN_QUOTES and truth(node) is not None:
            if node.style is not Style.PLAIN:
                message = f"VS Code reads {code(node.value)} in quotes, and marks an error"
                yield Finding(node.span, message, _NOTE, meant=(node.value,))
        elif effect and isinstance(node, Scalar) and is_written and truth(node) is None:
            meant = MEANT.get(node.value.lower())
            value = code(node.value) if node.value else "empty"
            thing = f"{code(entry.name or '')} cannot be {value}: VS Code {effect}"
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
