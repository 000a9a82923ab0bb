"""The MCP servers that are configured for a runtime, by name: read, and never started.

Invariants: which tools a server has nobody knows who does not run it; a configuration that
cannot be read names no server.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.scopes import Places


@dataclass(frozen=True, slots=True)
class Server:
    """A configured server; all its tools' names begin with `prefix`."""

    name: str
    prefix: str
    path: Path


def matching(of: Subject, entry: str) -> Server | None:
    """The configured server whose tools an entry of a list means, or None."""
    found = servers_of(of)
    return next((server for server in found if entry.startswith(server.prefix)), None)


def servers_of(of: Subject) -> tuple[Server, ...]:
    """The servers of the session that the template `of` speaks of."""
    return servers(of.dialect, of.root, of.workspace.places, of.workspace.files)


def servers(known: Dialect, root: Path, places: Places, files: Files) -> tuple[Server, ...]:
    """The servers of a session of `known` that starts in `root`, each name once."""
    found: dict[str, Server] = {}
    for path in configurations(known, root, places):
        for name in _names(files, path, known):
            prefix = known.servers.prefix(name) if known.servers is not None else None
            if prefix is not None:
                found.setdefault(name, Server(name, prefix, path))
    return tuple(found.values())


def configurations(known: Dialect, root: Path, places: Places) -> Iterator[Path]:
    """The files in which the servers of `known` may be configured; they need not exist."""
    for alternatives in known.servers.files if known.servers is not None else ():
        there = (_place(written, root, places) for written in alternatives)
        yield from filter(None, (next(filter(None, there), None),))


def _place(written: str, root: Path, places: Places) -> Path | None:
    head, _, rest = written.partition("/")
    if head == "~":
        return places.home / rest if places.home is not None else None
    if head.startswith("$"):
        folder = places.variables.get(head.removeprefix("$"))
        return Path(folder) / rest if folder else None
    return root / written


def _names(files: Files, path: Path, known: Dialect) -> tuple[str, ...]:
    file = files.read(path)
    if file is None or file.problem is not None or known.servers is None:
        return ()
    # Asked at each completion and hover, and the file is seldom another one.
    key = (known.id, "servers", path)
    kept = files.derived(path.parent, key)
    if isinstance(kept, _Read) and kept.text == file.text:
        return kept.names
    names = tuple(_read(file.text, path, known.servers.keys))
    files.remember(path.parent, key, _Read(file.text, names))
    return names


@dataclass(frozen=True, slots=True)
class _Read:
    text: str
    names: tuple[str, ...]


def _read(text: str, path: Path, keys: tuple[str, ...]) -> Iterator[str]:
    value: object
    try:
        value = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError):
        return
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    for name, server in value.items() if isinstance(value, Mapping) else ():
        is_off = isinstance(server, Mapping) and server.get("enabled") is False
        if isinstance(name, str) and not is_off:
            yield name
