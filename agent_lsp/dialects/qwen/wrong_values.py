"""Finds values that the runtime drops, and says what it does instead.

Facts: Qwen Code 0.24.4, `parseSubagentContent` and agent-frontmatter-schema, read 2026-11-28;
measured the same day for each key except for the effect of `background`, `hooks` and `color`.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.dialects.qwen import values
from agent_lsp.dialects.qwen.values import Read
from agent_lsp.model.template import LoadError, LoadErrorKind

_IGNORED = "the runtime ignores it"
_EVERY_TOOL = f"{_IGNORED}, and the agent gets every tool"
_NONE_DENIED = f"{_IGNORED}, and denies nothing"


def wrong_values(found: Mapping[str, Read]) -> Iterator[LoadError]:
    """Yields a possible error for each value that does not count; the file loads all the same."""
    for key, lost in (("tools", _EVERY_TOOL), ("disallowedTools", _NONE_DENIED)):
        if key in found:
            yield from _list(key, found[key], lost)
    for key in ("mcpServers", "hooks"):
        if key in found:
            yield from _mapping(key, found[key])
    turns, background = found.get("maxTurns"), found.get("background")
    if turns is not None and values.count(turns) is None:
        yield _wrong("maxTurns", turns, "a whole number above 0", _IGNORED)
    is_bool = background is not None and isinstance(background.value, bool)
    if background is not None and not is_bool and background.value not in ("true", "false"):
        lost = f"{_IGNORED}: the call decides"
        yield _wrong("background", background, "`true` or `false`", lost)
    for key in ("permissionMode", "color"):
        one = found.get(key)
        if one is not None and not isinstance(one.value, str):
            yield _wrong(key, one, "a word", _IGNORED)


def _list(key: str, one: Read, lost: str) -> Iterator[LoadError]:
    if isinstance(one.value, str):
        return
    if not isinstance(one.value, tuple):
        yield _wrong(key, one, "a list, or text with commas", lost)
        return
    is_left = any(isinstance(item.value, str) for item in one.value)
    for item in one.value:
        if not isinstance(item.value, str):
            said = "the runtime leaves it out" if is_left else lost
            yield _wrong(key, item, "text in each item", said)


def _mapping(key: str, one: Read) -> Iterator[LoadError]:
    wanted, inner = {
        "mcpServers": ("a mapping from names to settings", "the settings of a server"),
        "hooks": ("a mapping from events to lists", "a list of matchers"),
    }[key]
    if not isinstance(one.value, Mapping):
        yield _wrong(key, one, wanted, _IGNORED)
        return
    for name, member in one.members.items():
        is_right = isinstance(member.value, Mapping if key == "mcpServers" else tuple)
        if not is_right:
            yield _wrong(f"{key}.{name}", member, inner, _IGNORED)


def _wrong(key: str, one: Read, wanted: str, lost: str) -> LoadError:
    got = ""
    if isinstance(one.value, Mapping):
        got = "a mapping"
    elif isinstance(one.value, tuple):
        got = "a list"
    return LoadError(LoadErrorKind.TYPE, one.span, lost, key, wanted, got, certain=False)
