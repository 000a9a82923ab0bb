"""The rules of a permission: what a header writes, in which order, and what decides a use.

Invariants: a rule is a record with the texts `permission`, `pattern` and `action`; the last one
that matches decides, and without one the program asks.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`): a later value of
a name keeps the place of the earlier one; `*` and `?` match as in a shell, over the whole name; a
pattern that ends in ` *` also matches without arguments. Measured 2026-11-30: after the rules of
all files are merged, `~` before `/` or alone, and any `$HOME`, at the start of a pattern become the
home folder; those of a name do not. The second generation keeps a `$HOME` with no `/` behind it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.opencode.facts import ACTIONS, ALLOW, AS_EDIT, ASK, DENY, EDITING, EVERY
from agent_lsp.dialects.opencode.values import in_order, members, value_of
from agent_lsp.model.template import Record, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.text import Span

_PERMISSION, _PATTERN, _ACTION = "permission", "pattern", "action"
# A record has it if its pattern stands in a mapping.
_MAPPED = "mapped"
# A record has it if it comes from the older `tools`.
_OLDER = "older"
# What the program puts the home folder in the place of, at the start of a pattern.
_HOME = regex(r"\A(?:\$HOME|~(?=/|\Z))")
_AT_HOME = "\0"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; `span` is the key or the pattern where it stands, or None for the program's own.

    `path` is the file where it stands, or None if that is the agent's own file. A rule that
    `is_mapped` has its pattern in a mapping, and one that `is_older` comes from `tools`.
    """

    permission: str
    pattern: str
    action: str
    span: Span | None = None
    path: Path | None = None
    is_mapped: bool = False
    is_older: bool = False

    @property
    def text(self) -> str:
        """The rule as a person would write it."""
        inner = self.action if self.pattern == EVERY else f"{{{self.pattern}: {self.action}}}"
        return f"{self.permission}: {inner}"


DEFAULTS = (
    Rule(EVERY, EVERY, ALLOW),
    Rule("doom_loop", EVERY, ASK),
    Rule("external_directory", EVERY, ASK),
    Rule("question", EVERY, DENY),
    Rule("plan_enter", EVERY, DENY),
    Rule("plan_exit", EVERY, DENY),
    Rule("read", EVERY, ALLOW),
    Rule("read", "*.env", ASK),
    Rule("read", "*.env.*", ASK),
    Rule("read", "*.env.example", ALLOW),
)


def of_permission(entry: Entry) -> Value | None:
    """The rules of a key `permission`, or None where its value is none."""
    node = resolve(entry.value)
    if entry.value is None:
        return None
    if isinstance(node, Scalar):
        word = value_of(node)
        found: tuple[Record, ...] = (
            (record(EVERY, EVERY, word, entry.value.span),) if isinstance(word, str) else ()
        )
    elif isinstance(node, nodes.Mapping):
        found = tuple(_of_names(members(node)))
    else:
        return None
    return Value(found, entry.value.span, entry.key.span)


def of_tools(entry: Entry) -> Value | None:
    """The rules of a key `tools`, or None where its value is none."""
    node = resolve(entry.value)
    if entry.value is None or not isinstance(node, nodes.Mapping):
        return None
    found: dict[str, Record] = {}
    for name, one in members(node).items():
        allowed = value_of(one.value)
        if isinstance(allowed, bool):
            name = "edit" if name in AS_EDIT else name  # noqa: PLW2901 - one name stands for three
            action = ALLOW if allowed else DENY
            found[name] = record(name, EVERY, action, one.key.span, is_older=True)
    return Value(tuple(found.values()), entry.value.span, entry.key.span)


def _of_names(found: Mapping[str, Entry]) -> Iterator[Record]:
    for name, entry in found.items():
        node = resolve(entry.value)
        if isinstance(node, nodes.Mapping):
            for pattern, one in members(node).items():
                yield record(name, pattern, value_of(one.value), one.key.span, is_mapped=True)
        else:
            yield record(name, EVERY, value_of(node), entry.key.span)


def record(
    name: str,
    pattern: str,
    action: object,
    span: Span,
    path: Path | None = None,
    *,
    is_mapped: bool = False,
    is_older: bool = False,
) -> Record:
    """A rule as a record, which stands at `span` of the file at `path`, or of the agent's own."""
    texts = {_PERMISSION: name, _PATTERN: pattern, _ACTION: action}
    texts |= {_MAPPED: True} if is_mapped else {}
    texts |= {_OLDER: True} if is_older else {}
    return Record(span, {key: Value(text, span, path=path) for key, text in texts.items()})


def rules(settings: Mapping[str, Value]) -> tuple[Rule, ...]:
    """The rules of an agent with `settings`: those of `tools`, then those of `permission`."""
    found: tuple[Rule, ...] = ()
    for name in ("tools", "permission"):
        value = settings.get(name)
        found = merged(found, _rules(value.records if value is not None else ()))
    return found


def _rules(records: Iterable[Record]) -> tuple[Rule, ...]:
    """The rules among `records`: a half-typed one, which the program refuses, has no action."""
    return tuple(
        Rule(
            one.values[_PERMISSION].text,
            one.values[_PATTERN].text,
            one.values[_ACTION].text,
            one.span if len(one.span) else None,
            one.values[_ACTION].path,
            _MAPPED in one.values,
            _OLDER in one.values,
        )
        for one in records
        if one.values[_ACTION].value in ACTIONS
    )


def names_of(settings: Mapping[str, Value]) -> Iterator[Value]:
    """The names in the rules of the agent's own file, also half-typed ones; patterns have none."""
    for name in ("tools", "permission"):
        value = settings.get(name)
        for one in value.records if value is not None else ():
            permission = one.values[_PERMISSION]
            if permission.path is None and one.values[_PATTERN].text == EVERY:
                yield permission


def of_rules(settings: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The rules of a key `permission`, each by its names with dots between them."""
    value = settings.get("permission")
    for one in value.records if value is not None else ():
        action = one.values[_ACTION]
        inner = f".{one.values[_PATTERN].text}" if _MAPPED in one.values else ""
        yield f"{one.values[_PERMISSION].text}{inner}", action


def of_builtin(own: Iterable[tuple[str, str, str]]) -> Value:
    """The rules of a built-in agent, each a permission, a pattern and an action."""
    nowhere = Span(0, 0)
    return Value(tuple(record(*one, nowhere, is_mapped=one[1] != EVERY) for one in own), nowhere)


def of_file(value: Value, path: Path) -> Value:
    """A value whose rules stand in the file at `path`."""
    records = tuple(
        replace(one, values={key: replace(each, path=path) for key, each in one.values.items()})
        for one in value.records
    )
    return replace(value, value=records, path=path)


def merged_value(first: Value | None, second: Value) -> Value:
    """The rules of two files as one value, with the place of the second one."""
    if first is None:
        return second
    records = (
        record(
            *(one.permission, one.pattern, one.action, one.span or Span(0, 0), one.path),
            is_mapped=one.is_mapped,
            is_older=one.is_older,
        )
        for one in merged(_rules(first.records), _rules(second.records))
    )
    return replace(second, value=tuple(records))


def as_merged(settings: Mapping[str, Value]) -> dict[str, Value]:
    """The settings of a file as the program merges them with those of others.

    Before that, `tools` becomes rules of `permission`, and `maxSteps` becomes `steps`.
    """
    found = dict(settings)
    older, newer = found.pop("tools", None), found.get("permission")
    if older is not None:
        found["permission"] = older if newer is None else merged_value(older, newer)
    most = found.pop("maxSteps", None)
    if most is not None:
        found.setdefault("steps", most)
    return found


def merged(first: Iterable[Rule], second: Iterable[Rule]) -> tuple[Rule, ...]:
    """Two lists of rules as the program merges their mappings: a name keeps its first place.

    The patterns of a name are merged if both have patterns for it.
    """
    found = _by_name(first)
    for name, own in _by_name(second).items():
        before = found.get(name)
        are_maps = before is not None and _is_map(before) and _is_map(own)
        found[name] = in_order({**(before or {}), **own}) if are_maps else own
    return tuple(rule for own in in_order(found).values() for rule in own.values())


def _is_map(own: Mapping[str, Rule]) -> bool:
    return any(rule.is_mapped for rule in own.values())


def _by_name(found: Iterable[Rule]) -> dict[str, dict[str, Rule]]:
    names: dict[str, dict[str, Rule]] = {}
    for rule in found:
        names.setdefault(rule.permission, {})[rule.pattern] = rule
    return names


def permission_of(tool: str) -> str:
    """The permission that decides over a tool."""
    return "edit" if tool in EDITING else tool


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a whole name."""
    if "*" not in pattern and "?" not in pattern:
        return pattern == name
    return _expression(pattern).fullmatch(name) is not None


def covers(later: Rule, earlier: Rule, home: Path | None = None) -> bool:
    """Whether a rule is about all that an earlier one is about.

    Without the `home` folder, only patterns that also name it by a sign can be about it.
    """
    folder = home.as_posix() if home is not None else _AT_HOME
    wide, narrow = (_HOME.sub(lambda _: folder, one.pattern, 1) for one in (later, earlier))
    return _is_wider(later.permission, earlier.permission) and _is_wider(wide, narrow)


def home_sign(pattern: str) -> str:
    """The start of a pattern in whose place the program puts the home folder, or nothing."""
    found = _HOME.match(pattern)
    return found[0] if found is not None else ""


def _is_wider(wide: str, narrow: str) -> bool:
    if wide in (EVERY, narrow):
        return True
    if "*" not in wide and "?" not in wide:
        return False
    return all(matches(wide, one) for one in _instances(narrow, len(wide) + 1))


def _instances(pattern: str, longest: int) -> Iterator[str]:
    """Uses that a pattern matches, with nothing for each `*`, and with more than `longest`."""
    if pattern.endswith(" *"):
        yield from _instances(pattern[:-2], longest)
    signs = pattern.replace("?", "\1")
    yield from (signs.replace(EVERY, "\1" * length) for length in (0, longest))


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    signs = {"*": ".*", "?": "."}
    head, tail = (pattern[:-2], "(?: .*)?") if pattern.endswith(" *") else (pattern, "")
    body = "".join(signs.get(sign, re.escape(sign)) for sign in re.sub(r"\*+", "*", head))
    return re.compile(body + tail, re.DOTALL)


def deciding(found: Iterable[Rule], permission: str, use: str | None = None) -> Rule | None:
    """The last rule for a permission, and for one use of it where that is given; or None."""
    last = None
    for rule in found:
        if matches(rule.permission, permission) and (use is None or matches(rule.pattern, use)):
            last = rule
    return last


def is_offered(found: Iterable[Rule], tool: str) -> bool:
    """Whether a model is offered the tool: unless the last rule of its name denies everything."""
    last = deciding(found, permission_of(tool))
    return last is None or last.pattern != EVERY or last.action != DENY
