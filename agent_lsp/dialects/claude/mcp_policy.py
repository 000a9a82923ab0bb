"""Decides which MCP servers the settings allow: `allowedMcpServers` and `deniedMcpServers`.

Facts: Claude Code 2.1.332, run 2026-11-30. Both lists count in the settings of the administrator,
the person and the project, and add up, unless the administrator sets `allowManagedMcpServersOnly`:
then only the administrator allows. An entry has one of `serverName`, `serverCommand` and
`serverUrl`; any other one is dropped. If an allow list has commands, a server with a command needs
one of them, whatever its name is; the same holds for addresses. A denial goes before all of it.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from json import loads
from urllib.parse import urlsplit

from agent_lsp.data_classes import dataclass

_NAME, _COMMAND, _URL = "serverName", "serverCommand", "serverUrl"
_PLUGIN = "plugin:"


@dataclass(frozen=True, slots=True)
class _Rules:
    """The entries of one kind of list, by what they name."""

    names: frozenset[str]
    commands: frozenset[tuple[str, ...]]
    urls: tuple[str, ...]


def is_allowed(texts: tuple[str | None, ...], name: str, server: Mapping[object, object]) -> bool:
    """Whether the settings allow the server `name` with the configuration `server`.

    `texts` are those of the settings, the administrator's first. The name of a server of a plugin
    begins with `plugin:`; no allow list can have it.
    """
    allowed, denied = _policy(texts)
    command, url = _command_of(server), server.get("url")
    address = _plain(url) if isinstance(url, str) and command is None else None
    if name in denied.names or command in denied.commands or _is_in(address, denied.urls):
        return False
    if allowed is None:
        return True
    if command is not None and allowed.commands:
        return command in allowed.commands
    if address is not None and allowed.urls:
        return _is_in(address, allowed.urls)
    return name in allowed.names and not name.startswith(_PLUGIN)


def _command_of(server: Mapping[object, object]) -> tuple[str, ...] | None:
    command, given = server.get("command"), server.get("args")
    if not isinstance(command, str):
        return None
    return (command, *(_words(given) if isinstance(given, list) else ()))


# Asked for each server of each file, and the texts seldom change.
@lru_cache(maxsize=8)
def _policy(texts: tuple[str | None, ...]) -> tuple[_Rules | None, _Rules]:
    """What is allowed, None for everything, and what is denied."""
    every = [_settings(text) for text in texts]
    is_managed_only = bool(every) and every[0].get("allowManagedMcpServersOnly") is True
    deciding = every[:1] if is_managed_only else every
    lists = [one["allowedMcpServers"] for one in deciding if _is_list(one, "allowedMcpServers")]
    denied = [one["deniedMcpServers"] for one in every if _is_list(one, "deniedMcpServers")]
    return (_rules(lists) if lists else None), _rules(denied)


def _settings(text: str | None) -> Mapping[str, object]:
    try:
        values = loads(text) if text else {}
    except (ValueError, RecursionError):
        values = {}
    return values if isinstance(values, dict) else {}


def _is_list(values: Mapping[str, object], key: str) -> bool:
    return isinstance(values.get(key), list)


def _rules(lists: list[object]) -> _Rules:
    entries = [entry for one in lists if isinstance(one, list) for entry in one]
    names = (one for one in _entries(entries, _NAME) if isinstance(one, str))
    commands = (_words(one) for one in _entries(entries, _COMMAND) if isinstance(one, list))
    urls = (_plain(one) for one in _entries(entries, _URL) if isinstance(one, str))
    return _Rules(frozenset(names), frozenset(commands), tuple(urls))


def _entries(entries: list[object], key: str) -> Iterator[object]:
    keys = {_NAME, _COMMAND, _URL}
    for one in entries:
        if isinstance(one, dict) and keys & one.keys() == {key}:
            yield one[key]


def _words(value: list[object]) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str))


def _plain(url: str) -> str:
    """An address as the runtime compares it: in lower case up to the path, and with a path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    whole = parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower())
    return whole._replace(path=parts.path or "/").geturl()


def _is_in(address: str | None, patterns: tuple[str, ...]) -> bool:
    return address is not None and any(_matches(one, address) for one in patterns)


def _matches(pattern: str, address: str) -> bool:
    """Whether `*` of a pattern can stand for parts of the address."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == address
    at, between, last = len(first), rest[:-1], rest[-1]
    if not address.startswith(first):
        return False
    for part in between:
        found = address.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return address.endswith(last) and len(address) - len(last) >= at
