"""Finds values of the wrong type, and says what the runtime makes of the key or the file.

Facts: the types of the keys, code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28; the
effect of other values, measured with Claude Code 2.1.332, 2026-11-28, whose debug log names them.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeGuard

from agent_lsp.analysis.checks.messages import listed
from agent_lsp.dialects.claude import entries
from agent_lsp.dialects.claude.facts import KEYS, MEMORIES, NOT_IN_PLUGINS
from agent_lsp.dialects.claude.hooks import are_texts, is_table_of_texts, is_text
from agent_lsp.model.schema import Choice, IfWrong, Key, KeyRole, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

IGNORED = IfWrong.IGNORED.value
EMPTY_LIST = IfWrong.EMPTY.value
NONE_DENIED = "the runtime denies nothing"
LEFT_OUT = "the runtime leaves it out"
_NO_TOOLS = "the agent has no tools"
_ONLY_NOTES = f"{_NO_TOOLS} except those that `memory` turns on"
_KEYS: dict[str | None, Key] = {key.name: key for key in KEYS}
_NUMBER = regex(r"\+?0*[1-9]")
_FRACTION = regex(r"[+-]?\d*\.\d+")
_TRUTH = regex(r"true|false", re.IGNORECASE)


def shapes(entries: tuple[Entry, ...], skipped: str, *, plugin: bool) -> Iterator[LoadError]:
    """Yields the values of the wrong type; `skipped` says what becomes of the file."""
    keeps_notes = any(entry.name == "memory" and _is_word(entry, MEMORIES) for entry in entries)
    for entry in entries:
        key = _KEYS.get(entry.name)
        node = entry.node
        if key is None or _is_nothing(node) or (plugin and key.name in NOT_IN_PLUGINS):
            continue
        if key.name == "hooks":
            continue
        if key.name == "mcpServers":
            yield from _servers(node)
        elif key.role is KeyRole.DESCRIPTION:
            yield from _description(node, skipped, plugin=plugin)
        elif key.kind is ValueKind.LIST:
            yield from _list(key, node, _ONLY_NOTES if keeps_notes else _NO_TOOLS)
        elif key.role is not KeyRole.AGENT:
            yield from _single(key, node)


def _is_word(entry: Entry, choices: tuple[Choice, ...]) -> bool:
    node = entry.node
    return isinstance(node, Scalar) and node.value in {choice.name for choice in choices}


def no_text(node: Node | None) -> TypeGuard[Scalar]:
    """Whether every reader of YAML reads a number or a boolean there."""
    return isinstance(node, Scalar) and entries.is_number_or_truth(node)


def _servers(node: Node | None) -> Iterator[LoadError]:
    wanted = "a list of names, or of mappings from a name to settings"
    if not isinstance(node, Sequence):
        lost = "the runtime ignores it, and the agent has none of these servers"
        yield from _wrong("mcpServers", node, wanted, lost)
        return
    for item in node.items:
        server = resolve(item)
        tables = (
            [
                (entry, settings)
                for entry in server.entries
                if isinstance(settings := entry.node, Mapping)
            ]
            if isinstance(server, Mapping)
            else []
        )
        if isinstance(server, Mapping) and tables and len(tables) == len(server.entries):
            for entry, settings in tables:
                yield from _server(entry, settings)
        elif server is not None and not (isinstance(server, Scalar) and not no_text(server)):
            expected = "in each item a name, or a name with its settings below it"
            yield _doubt("mcpServers", item.span, expected, "", _NO_SERVER)


def _server(entry: Entry, settings: Mapping) -> Iterator[LoadError]:
    """Yields the mistake for which the runtime leaves a server out."""
    kind = settings.get("type")
    node = kind.node if kind is not None else None
    type_ = node.value if isinstance(node, Scalar) else "stdio"
    needed = _NEEDED.get(type_)
    if needed is None:
        place = node.span if node is not None else entry.key.span
        expected = f"{listed(tuple(_NEEDED), 'or')} in `type`"
        yield _doubt("mcpServers", place, expected, f"`{type_}`", _NO_SERVER)
    elif settings.get(needed) is None:
        expected, got = f"a mapping with `{needed}`", "a mapping without it"
        yield _doubt("mcpServers", entry.key.span, expected, got, _NO_SERVER)
    for one in settings.entries if needed is not None else ():
        value, (is_right, wanted) = one.node, _TAKEN.get(one.name or "", _ANYTHING)
        if (type_ == "stdio" or one.name not in _OF_STDIO) and not is_right(value):
            span = value.span if value is not None and len(value.span) else one.key.span
            got = _what(value) if value is not None else ""
            yield _doubt("mcpServers", span, f"{wanted} in `{one.name}`", got, _NO_SERVER)


def _is_number(node: Node | None) -> bool:
    return isinstance(node, Scalar) and no_text(node) and not _TRUTH.fullmatch(node.value)


def _is_word_of(node: Node | None) -> bool:
    return isinstance(node, Scalar) and is_text(node) and bool(node.value)


# The settings of a server; `type` is that of a `command` if it is not set. Measured as above: any
# text is an address, and other keys do not count.
_NO_SERVER = "the runtime leaves the server out"
_NEEDED = {"stdio": "command", "http": "url", "sse": "url", "ws": "url"}
_OF_STDIO = frozenset({"command", "args", "env"})
_Taken = tuple[Callable[[Node | None], bool], str]
_TAKEN: dict[str, _Taken] = {
    "command": (_is_word_of, "a string"),
    "args": (are_texts, "a list of strings"),
    "env": (is_table_of_texts, "a mapping of strings"),
    "url": (is_text, "a string"),
    "headers": (is_table_of_texts, "a mapping of strings"),
    "timeout": (_is_number, "a number"),
}
_ANYTHING: _Taken = (lambda _: True, "")


def _description(node: Node | None, skipped: str, *, plugin: bool) -> Iterator[LoadError]:
    if not plugin and (isinstance(node, Sequence | Mapping) or no_text(node)):
        got = _what(node)
        yield LoadError(LoadErrorKind.TYPE, node.span, skipped, "description", "a string", got)


def _list(key: Key, node: Node | None, no_tools: str) -> Iterator[LoadError]:
    lost = {KeyRole.ALLOW: f"{EMPTY_LIST}, and {no_tools}", KeyRole.DENY: NONE_DENIED}.get(
        key.role or KeyRole.TASK, IGNORED
    )
    if isinstance(node, Mapping) or (key.in_text and no_text(node)):
        yield from _wrong(key.name, node, "a list, or a string with commas", lost)
    elif isinstance(node, Sequence):
        items = [resolve(item) for item in node.items]
        is_left = any(isinstance(one, Scalar) and entries.is_text(one) for one in items)
        is_fatal = key.role is KeyRole.ALLOW and not is_left
        effect = f"{LEFT_OUT}, and {no_tools}" if is_fatal else LEFT_OUT
        for item, inner in zip(node.items, items, strict=True):
            if inner is not None and (isinstance(inner, Sequence | Mapping) or no_text(inner)):
                yield _doubt(key.name, item.span, "a string in each item", _what(inner), effect)


def _single(key: Key, node: Node | None) -> Iterator[LoadError]:
    if key.role is KeyRole.EFFORT and isinstance(node, Sequence) and len(node.items) == 1:
        # The runtime turns the list into text, which is its item.
        return
    if isinstance(node, Sequence) or (
        isinstance(node, Mapping) and key.kind is not ValueKind.TABLE
    ):
        wanted = {ValueKind.NUMBER: "a whole number", ValueKind.BOOL: "`true` or `false`"}.get(
            key.kind
        )
        yield from _wrong(key.name, node, wanted or "a word", IGNORED)
    elif isinstance(node, Scalar) and key.kind is ValueKind.NUMBER:
        is_fraction = node.style is Style.PLAIN and _FRACTION.fullmatch(node.value.strip())
        if is_fraction or not _NUMBER.match(node.value.strip()):
            yield from _wrong(key.name, node, "a whole number above 0", IGNORED)
    elif isinstance(node, Scalar) and key.kind is ValueKind.BOOL:
        # In quotes it is a word, and the runtime takes two words.
        is_word = entries.is_text(node) and node.value not in ("true", "false")
        if is_word or not _TRUTH.fullmatch(node.value.strip()):
            yield from _wrong(key.name, node, "`true` or `false`", IGNORED)
    elif isinstance(node, Scalar) and key.role is KeyRole.MODEL and no_text(node):
        yield from _wrong(key.name, node, "an alias or an id", IGNORED)
    elif isinstance(node, Scalar) and key.kind is ValueKind.TABLE:
        yield from _wrong(key.name, node, "a mapping", IGNORED)


def _wrong(name: str, node: Node | None, wanted: str, lost: str) -> Iterator[LoadError]:
    if node is not None and not isinstance(node, Broken):
        yield _doubt(name, node.span, wanted, _what(node), lost)


def _doubt(name: str, span: Span, wanted: str, got: str, lost: str) -> LoadError:
    return LoadError(LoadErrorKind.TYPE, span, lost, name, wanted, got, certain=False)


def _what(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    return "a list" if isinstance(node, Sequence) else ""


def _is_nothing(node: Node | None) -> bool:
    """Whether there is no value, or a broken one."""
    if isinstance(node, Broken) or node is None:
        return True
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return plain and isinstance(node, Scalar) and node.value in ("", "~", "null", "Null", "NULL")
