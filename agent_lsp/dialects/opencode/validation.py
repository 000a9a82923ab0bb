"""Says what the program's schema finds wrong with a header, and in which words it prints that.

Invariant: an issue is one fault in the program's own words; one fault of `permission` may be two,
since the schema looks at a known name twice.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`). A date, as YAML
makes one of `2020-01-01`, is an object without keys: `options`, `tools` and `permission` take it
for an empty mapping. `options` takes bytes (`!!binary`) as well; measured 2026-11-30
(`tests/conformance/opencode-tags.jsonl`).
"""

import math
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.opencode.facts import (
    ACTION_ONLY,
    ACTIONS,
    COLORS,
    DEFAULT_AGENT,
    DEPTH,
    MODES,
    PERMISSIONS,
)
from agent_lsp.dialects.opencode.values import Binary, Date, is_whole, members, value_of, written
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, resolve
from agent_lsp.text import Span

_COLOR = regex(r"#[0-9a-fA-F]{6}")
_ACTION, _RULE = "PermissionActionConfig", "PermissionRuleConfig"
# The order of the schema, in which the program prints what it finds.
_ORDER = (
    *("model", "variant", "temperature", "top_p", "tools", "disable", "description"),
    *("mode", "hidden", "options", "color", "steps", "maxSteps", "permission"),
)
# The body of a header takes the place of its `prompt`, whatever that is.
OF_TABLE = (*_ORDER[:4], "prompt", *_ORDER[4:])
OF_COMMAND = ("description", "agent", "model", "variant", "subtask")


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault: the path to it, the program's words, and where it stands.

    `expected` and `got` say in our words what was wanted and found.
    """

    kind: LoadErrorKind
    path: tuple[str, ...]
    message: str
    span: Span
    expected: str = ""
    got: str = ""


def validate(top: Mapping, keys: tuple[str, ...] = _ORDER) -> tuple[Issue, ...]:
    """The issues of a header, of the table of an agent, or of some `keys` of a JSON file."""
    found = members(top)
    return tuple(
        issue for name in keys if name in found for issue in _RULES[name](name, found[name])
    )


def sentence(issues: tuple[Issue, ...], where: str) -> str:
    """What the program prints instead of starting."""
    lines = (f"↳ {issue.message} {'.'.join(issue.path)}" for issue in issues)
    return "\n".join((f"Configuration is invalid at {where}", *lines))


def issue_of(
    path: tuple[str, ...],
    entry: Entry,
    wanted: str,
    expected: str,
    kind: LoadErrorKind = LoadErrorKind.TYPE,
) -> Issue:
    """The issue of a value where the program wants another one."""
    node = resolve(entry.value)
    span = entry.value.span if entry.value is not None and len(entry.value.span) else entry.key.span
    got = node.value if isinstance(node, Scalar) else written(value_of(node))
    message = f"Expected {wanted}, got {written(value_of(node))}"
    return Issue(kind, path, message, span, expected, got)


def _text(name: str, entry: Entry) -> Iterator[Issue]:
    if not isinstance(value_of(entry.value), str):
        yield issue_of((name,), entry, "string | undefined", "a string")


def _bool(name: str, entry: Entry) -> Iterator[Issue]:
    if not isinstance(value_of(entry.value), bool):
        yield issue_of((name,), entry, "boolean | undefined", "`true` or `false`")


def _number(name: str, entry: Entry) -> Iterator[Issue]:
    value = value_of(entry.value)
    if not isinstance(value, float):
        yield issue_of((name,), entry, "number | undefined", "a number")
    elif not math.isfinite(value):
        kind = LoadErrorKind.CHOICE
        yield issue_of((name,), entry, "a finite number", "a finite number", kind)


def _count(name: str, entry: Entry) -> Iterator[Issue]:
    value = value_of(entry.value)
    kind, expected = LoadErrorKind.CHOICE, "a whole number above 0"
    if not isinstance(value, float):
        yield issue_of((name,), entry, "number | undefined", expected)
        return
    if not is_whole(value):
        yield issue_of((name,), entry, "an integer", expected, kind)
    if not value > 0:
        yield issue_of((name,), entry, "a value greater than 0", expected, kind)


def _depth(name: str, entry: Entry) -> Iterator[Issue]:
    value = value_of(entry.value)
    kind, expected = LoadErrorKind.CHOICE, "a whole number of 0 or more"
    if not isinstance(value, float):
        yield issue_of((name,), entry, "number | undefined", expected)
        return
    if not is_whole(value):
        yield issue_of((name,), entry, "an integer", expected, kind)
    if not value >= 0:
        yield issue_of((name,), entry, "a value greater than or equal to 0", expected, kind)


def _words(*words: str) -> str:
    return " | ".join(f'"{word}"' for word in words)


def _mode(name: str, entry: Entry) -> Iterator[Issue]:
    value, wanted = value_of(entry.value), _words(*MODES)
    if not isinstance(value, str):
        yield issue_of((name,), entry, f"{wanted} | undefined", ", ".join(MODES))
    elif value not in MODES:
        yield issue_of((name,), entry, wanted, ", ".join(MODES), LoadErrorKind.CHOICE)


def _color(name: str, entry: Entry) -> Iterator[Issue]:
    value, words = value_of(entry.value), _words(*COLORS)
    expected, kind = ", ".join(COLORS), LoadErrorKind.CHOICE
    if not isinstance(value, str):
        yield issue_of((name,), entry, f"string | {words} | undefined", expected)
    elif value not in COLORS and not _COLOR.fullmatch(value):
        wanted = "a string matching the RegExp ^#[0-9a-fA-F]{6}$"
        yield issue_of((name,), entry, wanted, expected, kind)
        yield issue_of((name,), entry, words, expected, kind)


def _options(name: str, entry: Entry) -> Iterator[Issue]:
    # Bytes are an object with a number for each, which are then sent as options.
    if not isinstance(value_of(entry.value), Map | Date | Binary):
        yield issue_of((name,), entry, "object | undefined", "a mapping")


def _tools(name: str, entry: Entry) -> Iterator[Issue]:
    node = resolve(entry.value)
    if isinstance(value_of(entry.value), Date):
        return
    if not isinstance(node, Mapping):
        yield issue_of((name,), entry, "object | undefined", "a mapping of names to true or false")
        return
    for tool, one in members(node).items():
        if not isinstance(value_of(one.value), bool):
            yield issue_of((name, tool), one, "boolean", "`true` or `false`")


def _permission(name: str, entry: Entry) -> Iterator[Issue]:
    node, value = resolve(entry.value), value_of(entry.value)
    expected, kind = ", ".join(ACTIONS), LoadErrorKind.CHOICE
    if isinstance(value, str):
        if value not in ACTIONS:
            yield issue_of((name,), entry, _ACTION, expected, kind)
        return
    if isinstance(value, Date):
        return
    if not isinstance(node, Mapping):
        yield issue_of((name,), entry, f"{_ACTION} | object | undefined", "an action or a mapping")
        return
    found = members(node)
    # First the known names in the order of the schema, then all in the order of the text.
    for word in PERMISSIONS:
        if word in found:
            yield from _rule((name, word), found[word], in_schema=word)
    for tool, one in found.items():
        yield from _rule((name, tool), one)


def _rule(path: tuple[str, ...], entry: Entry, *, in_schema: str = "") -> Iterator[Issue]:
    """The issues of what stands under a permission's name: an action, or a mapping to actions."""
    node, value = resolve(entry.value), value_of(entry.value)
    kind, actions = LoadErrorKind.CHOICE, ", ".join(ACTIONS)
    is_action_only = in_schema in ACTION_ONLY
    optional = " | undefined" if in_schema else ""
    if isinstance(value, str):
        if value not in ACTIONS:
            yield issue_of(path, entry, _ACTION, actions, kind)
    elif is_action_only:
        yield issue_of(path, entry, f"{_ACTION}{optional}", actions)
    elif isinstance(node, Mapping):
        for pattern, one in members(node).items():
            if value_of(one.value) not in ACTIONS:
                is_word = isinstance(value_of(one.value), str)
                how = kind if is_word else LoadErrorKind.TYPE
                yield issue_of((*path, pattern), one, _ACTION, actions, how)
    else:
        yield issue_of(path, entry, f"{_RULE}{optional}", "an action, or a mapping to actions")


_Check = Callable[[str, Entry], Iterator[Issue]]


_RULES: Map[str, _Check] = {
    "prompt": _text,
    "model": _text,
    "variant": _text,
    "temperature": _number,
    "top_p": _number,
    "tools": _tools,
    "disable": _bool,
    "description": _text,
    "mode": _mode,
    "hidden": _bool,
    "options": _options,
    "color": _color,
    "steps": _count,
    "maxSteps": _count,
    "permission": _permission,
    DEPTH: _depth,
    DEFAULT_AGENT: _text,
    "agent": _text,
    "subtask": _bool,
}
