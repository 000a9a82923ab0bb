"""Reads what makes plugins: their manifests, and the files that say which of them a session has.

Invariants: a mistake counts as one only if it was seen to keep a plugin from loading; entries for
other parts of a plugin are not looked at; no content of the files causes an error.
Facts: measured with Claude Code 2.1.332, 2026-11-28, with `--plugin-dir` and with marketplaces of
folders. `plugin.json` is optional where a `marketplace.json` lists the folder, and the name is that
of `plugin.json`, else of the entry. `agents` in `plugin.json` replaces the folder `agents/`, and in
an entry it adds to it; each path there begins with `./` and ends in `.md`, or the plugin does not
load, and neither does one whose manifest is not JSON or lacks a name. A missing file is ignored. Of
two entries of one name in a `marketplace.json`, the first one counts. An entry with `strict: false`
that names parts conflicts with a `plugin.json`. `installed_plugins.json` says where a copy of each
plugin is; `enabledPlugins` in the settings of the user and of the session's own folder, the local
ones last, says which of them a session has, even if it was installed for another project. The
settings of folders above do not count. Plugins without a copy, in a folder that
`extraKnownMarketplaces` names, are not looked for. `skills` in a manifest adds folders of skills or
single skills, and a path there that does not begin with `./` keeps the plugin from loading;
`commands` in `plugin.json` replaces that folder. `mcpServers` in a manifest has MCP servers, the
path of a file of them, or a list of both, whose last one of a name counts; each path there begins
with `./` and ends in `.json`, or the plugin does not load. They come before those in the plugin's
`.mcp.json`. Those in an entry count only without a `plugin.json`: measured with the same version,
2026-11-29.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from agent_lsp.data_classes import dataclass
from agent_lsp.model.discovery import Bundle, Configuration
from agent_lsp.patterns import regex

_OWN, _INDEX, _AGENTS = (
    "`.claude-plugin/plugin.json`",
    "`.claude-plugin/marketplace.json`",
    "agents",
)
_SERVERS = "mcpServers"
# Two are those of packed servers, whose names are inside.
_OF_SERVERS = (".json", ".mcpb", ".dxt")
_REPLACED = f"`{_AGENTS}` in {_OWN} lists the agents of the plugin, but not this file; add it there"
# Characters that no name of a plugin has; the runtime's own words are "must be non-empty and must
# not contain ”@”, ”:”, whitespace, path separators, or invisible/control characters".
_NO_NAME = regex(r"[@:\s/\\\x00-\x1f\x7f]")
# Stands for the files of a folder of which none counts.
_NO_FILE = "?"
_SKILLS, _COMMANDS = "skills", "commands"
_PARTS = ("commands", "agents", "skills", "hooks", "outputStyles")


# The types of other keys; with another type the plugin does not load.
_ANY = (str, list, dict)
_WORDS: dict[object, str] = {str: "a string", list: "a list", _ANY: "a path, list or mapping"}
_SHAPES: dict[str, type | tuple[type, ...]] = {
    "version": str,
    "dependencies": list,
    "hooks": _ANY,
    "lspServers": _ANY,
    _SERVERS: _ANY,
}


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The entries about a plugin, and why the runtime refuses them; empty if it does not.

    `at` is the place of an entry in its list.
    """

    values: dict[str, object]
    fault: str = ""
    at: int = 0


def bundle(own: str | None, indexes: tuple[tuple[str, str], ...], name: str) -> Bundle | None:
    """The bundle that `plugin.json` and the nearest `marketplace.json` make of a folder.

    A marketplace may make several plugins of one folder; the first one gives the names in it.
    """
    found = ((tuple(_entries(text, place)), place) for text, place in indexes)
    entries, listed = next((one for one in found if one[0]), ((), ""))
    sound = tuple(entry for entry in entries if not entry.fault)
    if own is None:
        if not sound:
            lost = next((entry.fault for entry in entries), "")
            return Bundle(f"{name}:", lost=lost) if entries else None
        files = tuple(pair for one in sound for pair in _files(one, f"{one.values['name']}:"))
        beside = tuple(pair for one in sound for pair in _beside(one))
        up = PurePosixPath(*(".." for _ in PurePosixPath(listed).parts), _INDEX.strip("`"))
        servers = tuple(
            each for one in sound for each in _servers(one, str(up), ("plugins", str(one.at)))
        )
        return Bundle(f"{sound[0].values['name']}:", files, beside=beside, servers=servers)
    manifest = _manifest(own)
    if manifest.fault:
        return Bundle(f"{name}:", tuple(_meant(manifest, f"{name}:")), lost=manifest.fault)
    prefix = f"{manifest.values['name']}:"
    if any(_is_in_conflict(entry) for entry in sound):
        lost = f"{_INDEX} says `strict: false` and names parts, but {_OWN} also exists"
        return Bundle(prefix, lost=lost)
    files = tuple(pair for one in (manifest, *sound) for pair in _files(one, prefix))
    beside = tuple(pair for one in (manifest, *sound) for pair in _beside(one))
    instead = frozenset({_COMMANDS} & manifest.values.keys())
    replaced = _REPLACED if _AGENTS in manifest.values else ""
    servers = tuple(_servers(manifest, _OWN.strip("`"), ()))
    return Bundle(prefix, files, replaced, beside=beside, instead=instead, servers=servers)


def _is_in_conflict(entry: _Manifest) -> bool:
    return entry.values.get("strict") is False and any(part in entry.values for part in _PARTS)


def _files(manifest: _Manifest, prefix: str) -> Iterator[tuple[str, str]]:
    """The files of agents that a sound manifest names, relative to the plugin."""
    said = manifest.values.get(_AGENTS)
    paths = said if isinstance(said, list) else [said]
    named = (PurePosixPath(path) for path in paths if isinstance(path, str))
    yield from ((str(path), prefix) for path in named if ".." not in path.parts)


def _beside(manifest: _Manifest) -> Iterator[tuple[str, str]]:
    """The folders and files of skills and commands that a sound manifest names."""
    for part in (_SKILLS, _COMMANDS):
        said = manifest.values.get(part)
        for path in said if isinstance(said, list) else [said]:
            if isinstance(path, str) and ".." not in PurePosixPath(path).parts:
                yield part, str(PurePosixPath(path))


def _servers(manifest: _Manifest, file: str, keys: tuple[str, ...]) -> Iterator[Configuration]:
    """Where a sound manifest, which is at `keys` in `file`, configures MCP servers."""
    said = manifest.values.get(_SERVERS)
    parts = list(enumerate(said))[::-1] if isinstance(said, list) else [(None, said)]
    for at, one in parts:
        if isinstance(one, str) and ".." not in PurePosixPath(one).parts:
            path = str(PurePosixPath(one))
            yield Configuration((path,), ((_SERVERS,), ()), has_switch=False)
        elif isinstance(one, dict):
            place = (*keys, _SERVERS) if at is None else (*keys, _SERVERS, str(at))
            yield Configuration((file,), (place,), has_switch=False)


def _meant(manifest: _Manifest, prefix: str) -> Iterator[tuple[str, str]]:
    """The files that a manifest with a mistake names, and any file of a folder that it names."""
    for path, _ in _files(manifest, prefix):
        yield (path if path.endswith(".md") else f"{path}/{_NO_FILE}"), prefix


# Each folder of its plugins asks for a manifest.
@lru_cache(maxsize=64)
def _manifest(text: str) -> _Manifest:
    values = _parsed(text)
    if isinstance(values, str):
        return _Manifest({}, f"{_OWN} {values}")
    fault = next(_faults(values), "")
    return _Manifest(values, f"in {_OWN}, {fault}" if fault else "")


@lru_cache(maxsize=8)
def _plugins(text: str) -> tuple[tuple[str, _Manifest], ...]:
    """The places that a marketplace lists below its own folder, each with its entry."""
    top = _parsed(text)
    plugins = top.get("plugins") if isinstance(top, dict) else None
    if isinstance(top, str) or not isinstance(plugins, list):
        return ()
    owner, meta = top.get("owner"), top.get("metadata")
    fault = _name_fault(top.get("name"))
    if not (isinstance(owner, dict) and isinstance(owner.get("name"), str)):
        fault = fault or "`owner` is not a mapping with a `name`"
    root = meta.get("pluginRoot") if isinstance(meta, dict) else None
    found = (_listed(entry, root) if isinstance(entry, dict) else None for entry in plugins)
    made, names = [], set[object]()
    for at, one in enumerate(found):
        if one is None:
            continue
        place, values, why = one
        name = values.get("name")
        twin = f"an entry above has the name `{name}`, too, and only that one is used"
        loss = fault or why or (twin if name in names else "")
        made.append((place, _Manifest(values, f"in {_INDEX}, {loss}" if loss else "", at)))
        names |= {name} if isinstance(name, str) else set()
    return tuple(made)


def _listed(entry: dict[str, object], root: object) -> tuple[str, dict[str, object], str] | None:
    """The place of an entry, its values, and why the runtime refuses it."""
    source = entry.get("source")
    if not isinstance(source, str) or "://" in source:
        return None
    fault = next(_faults(entry), "")
    if not isinstance(entry.get("category", ""), str):
        fault = fault or "`category` is not a string"
    path = PurePosixPath(source)
    if not source.startswith("./") and source != ".":
        if isinstance(root, str):
            path = PurePosixPath(root) / source
        else:
            fault = fault or f"the source `{source}` does not begin with `./`"
    return str(path), entry, fault


def _entries(text: str, place: str) -> Iterator[_Manifest]:
    yield from (entry for listed, entry in _plugins(text) if listed == place)


def _parsed(text: str) -> dict[str, object] | str:
    """The mapping in `text`, or the reason why there is none."""
    try:
        values = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return "is not JSON"
    return values if isinstance(values, dict) else "is not a mapping"


def _faults(values: dict[str, object]) -> Iterator[str]:
    """Yields the mistakes in a manifest or an entry that keep a plugin from loading."""
    fault = _name_fault(values.get("name"))
    if fault:
        yield fault
    for key, types in _SHAPES.items():
        if key in values and not isinstance(values[key], types):
            yield f"`{key}` is not {_WORDS[types]}"
    yield from _path_faults(values, _SKILLS)
    yield from _path_faults(values, _SERVERS, _OF_SERVERS)
    if _AGENTS not in values:
        return
    said = values[_AGENTS]
    for path in said if isinstance(said, list) else [said]:
        if not isinstance(path, str):
            yield f"`{_AGENTS}` is neither a path nor a list of paths"
        elif not path.startswith("./"):
            yield f"`{path}` in `{_AGENTS}` does not begin with `./`"
        elif not path.endswith(".md"):
            yield f"`{path}` in `{_AGENTS}` does not end in `.md`; name files there, not a folder"


def _path_faults(
    values: dict[str, object], key: str, endings: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yields the mistakes in the paths at `key`, which end in one of `endings` if there are any."""
    said = values.get(key)
    for path in said if isinstance(said, list) else [said]:
        if not isinstance(path, str) or (endings and "://" in path):
            continue
        if not path.startswith("./"):
            yield f"`{path}` in `{key}` does not begin with `./`"
        elif endings and not path.endswith(endings):
            yield f"`{path}` in `{key}` does not end in `{endings[0]}`"


def _name_fault(name: object) -> str:
    """The reason why a plugin or a marketplace cannot have this name, or an empty text."""
    if name is None:
        return "there is no `name`"
    if not isinstance(name, str):
        return "`name` is not a string"
    if not name or _NO_NAME.search(name):
        return f"`{name}` cannot be a name" if name else "`name` is empty"
    return ""


_PLUGINS, _ENABLED = "plugins", "enabledPlugins"


def enabled(texts: tuple[str | None, ...], root: str) -> tuple[tuple[str, str], ...]:
    """The folders of the plugins of a session in `root`, each with the prefix of its agents.

    `texts` are those of `installed_plugins.json` and of the settings; the last ones count most.
    """
    installed, *settings = map(_mapping, texts)
    said: dict[str, object] = {}
    for one in settings:
        said |= _of(one, _ENABLED)
    found = []
    for name, entries in _of(installed, _PLUGINS).items():
        if said.get(name) is not True or not isinstance(entries, list):
            continue
        places = [entry for entry in entries if isinstance(entry, dict)]
        own = (entry for entry in places if entry.get("projectPath") == root)
        entry = next(own, next(iter(places), {}))
        path = entry.get("installPath")
        if isinstance(path, str) and path:
            found.append((f"{name.partition('@')[0]}:", path))
    return tuple(found)


def are_missing(texts: tuple[str | None, ...]) -> bool:
    """Whether the settings turn on a plugin of which this machine has no copy."""
    installed, *settings = map(_mapping, texts)
    said: dict[str, object] = {}
    for one in settings:
        said |= _of(one, _ENABLED)
    there = _of(installed, _PLUGINS)
    return any(is_on is True and name not in there for name, is_on in said.items())


def _of(values: dict[str, object], key: str) -> dict[str, object]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _mapping(text: str | None) -> dict[str, object]:
    try:
        values = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        values = None
    return values if isinstance(values, dict) else {}
