"""Reads which MCP servers are configured for a runtime.

Invariants: configuration is only read. Which extensions and plugins a session has is stored until
the disk changes.
"""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import EACH, HERE, Configuration
from agent_lsp.model.system import System
from agent_lsp.syntax import json as syntax_json
from agent_lsp.syntax import nodes, yaml
from agent_lsp.syntax.nodes import Node, Style, Tree, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.bundles import bundles_of, texts_of
from agent_lsp.workspace.disk import MAX_TABLES
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import HostPaths, led, spellings
from agent_lsp.workspace.snapshot import TemplateFile

_OFF = frozenset({"false", "no", "off"})
_START = Span(0, 0)
_OF_YAML = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """The text of a configuration, and its values, plain or as YAML nodes, or the `problem`."""

    text: str
    top: object = None
    problem: str = ""


def config_file(text: str, extension: str, *, has_comments: bool = False) -> ConfigFile:
    """The values of a file with this `text`; the `extension` decides the language.

    `has_comments` says that JSON may have comments and commas at the end.
    """
    try:
        if extension == ".toml":
            import tomllib  # noqa: PLC0415 - most workspaces have no such file

            from agent_lsp.syntax.toml.read import excess  # noqa: PLC0415 - as above

            problem = excess(text)
            return ConfigFile(text, None if problem else tomllib.loads(text), problem or "")
        if extension in _OF_YAML or (has_comments and text):
            if len(text) > MAX_TABLES:
                return ConfigFile(text, problem=f"larger than {MAX_TABLES // 1000} kB")
            tree = syntax_json.parse(text) if has_comments else yaml.parse(text)
            problem = tree.problem.message if tree.problem is not None else ""
            return ConfigFile(text, None if problem else tree.root, problem)
        return ConfigFile(text, json.loads(text) if text.strip() else None)
    except (ValueError, RecursionError) as error:
        return ConfigFile(text, problem=str(error))


def _servers_at(read: ConfigFile, keys: Sequence[str]) -> Mapping[str, Mapping[object, object]]:
    """What is configured at `keys`, by the names of the servers.

    The servers are a mapping by name, or a list of mappings with names.
    """
    value = read.top
    for key in keys:
        value = _step(_plain(value), key)
    found = ((name, _plain(one)) for name, one in _named(_plain(value)))
    return {name: one for name, one in found if isinstance(one, Mapping)}


def _step(inside: object, key: str) -> object:
    """What is at `key`, which may be a place in a list."""
    if isinstance(inside, Mapping):
        return inside.get(key)
    is_place = isinstance(inside, list) and key.isdecimal() and int(key) < len(inside)
    return inside[int(key)] if isinstance(inside, list) and is_place else None


def _named(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from ((name, one) for name, one in value.items() if isinstance(name, str))
    for one in value if isinstance(value, list) else ():
        inside = _plain(one)
        name = _plain(inside.get("name")) if isinstance(inside, Mapping) else None
        if isinstance(name, str):
            yield name, one


def _is_on(value: Mapping[object, object]) -> bool:
    return _plain(value.get("enabled")) is not False


def _plain(value: object) -> object:
    """The value of a YAML node; inner nodes are kept, and a plain word that means no is false.

    Following all aliases of aliases could make the value grow without bounds.
    """
    found = resolve(value) if isinstance(value, Node) else value
    if isinstance(found, nodes.Mapping):
        return {one.name: one.value for one in found.entries}
    if isinstance(found, nodes.Sequence):
        return list(found.items)
    if isinstance(found, nodes.Scalar):
        is_off = found.style is Style.PLAIN and found.value.lower() in _OFF
        return False if is_off else found.value
    return found


@dataclass(frozen=True, slots=True)
class McpServer:
    """A configured server; the names of all its tools begin with `prefix`.

    `keys` lead to the servers in the file at `path`, where this one is called `written`. `bundle`
    is the name of the bundle that is part of the server's name, if there is one.
    """

    name: str
    prefix: str
    path: Path
    keys: tuple[str, ...] = ()
    written: str = ""
    is_on: bool = True
    bundle: str = ""


def matching(servers: Iterable[McpServer], entry: str) -> McpServer | None:
    """The server whose tools an entry in a list of tools means, or None."""
    # A server's name may stand for all its tools, without a suffix.
    return next((server for server in servers if f"{entry}__".startswith(server.prefix)), None)


def mcp_servers_of(file: TemplateFile) -> tuple[McpServer, ...]:
    """The MCP servers of a session for the template `file`."""
    return tuple(one for one in configured_for(file) if one.is_on)


def configured_for(file: TemplateFile) -> tuple[McpServer, ...]:
    """As `mcp_servers_of`, with the servers that are switched off; found once for a file."""
    found: tuple[McpServer, ...] | None = file.answers.get(configured_for)
    if found is None:
        host_paths, files = file.workspace.host_paths, file.workspace.files
        made = _configured(file.dialect, file.root, host_paths, files)
        found = file.answers[configured_for] = made
    return found


def mcp_servers(
    dialect: Dialect, root: Path, host_paths: HostPaths, files: Files
) -> tuple[McpServer, ...]:
    """The MCP servers of a session of `dialect` that starts in `root`, without duplicates."""
    return tuple(one for one in _configured(dialect, root, host_paths, files) if one.is_on)


def _configured(
    dialect: Dialect, root: Path, host_paths: HostPaths, files: Files
) -> tuple[McpServer, ...]:
    found, is_sole = dict[str, McpServer](), False
    prefix_of = dialect.tools.mcp_prefix
    for place in _places(dialect.system, root, host_paths, files):
        off = _switched_off(place.configuration, root, host_paths, files)
        switches = place.configuration.switches
        texts = texts_of(switches.records, root, host_paths, files) if switches is not None else ()
        for name, keys, written, server in _names(files, place, root):
            is_set = not place.configuration.has_switch or _is_on(server)
            is_on = is_set and not is_sole and written not in off
            if switches is not None:
                is_on = is_on and switches.is_on(texts, f"{place.prefix}{written}", server)
            prefix = prefix_of(name) if prefix_of is not None else None
            # A server that is off in one file may be on in another.
            if prefix is not None and not (name in found and (found[name].is_on or not is_on)):
                bundle = place.prefix.removesuffix(":")
                found[name] = McpServer(name, prefix, place.path, keys, written, is_on, bundle)
        is_sole = is_sole or (place.configuration.is_sole and files.exists(place.path))
    return tuple(found.values())


def place_of(server: McpServer, files: Files) -> Span:
    """The name of `server` in its configuration; the start of the file if it is not found."""
    file = files.read(server.path)
    text = file.text if file is not None else ""
    if len(text) > MAX_TABLES:
        return _START
    node = resolve(_parser(server.path.suffix)(text, 0).root)
    for key in server.keys:
        if isinstance(node, nodes.Sequence):
            node = resolve(node.items[int(key)])
            continue
        entry = node.get(key) if isinstance(node, nodes.Mapping) else None
        node = entry.node if entry is not None else None
    if isinstance(node, nodes.Mapping):
        own = node.get(server.written)
        return own.key.span if own is not None else _START
    for item in node.items if isinstance(node, nodes.Sequence) else ():
        inside = resolve(item)
        name = inside.get("name") if isinstance(inside, nodes.Mapping) else None
        value = name.node if name is not None else None
        if isinstance(value, nodes.Scalar) and value.value == server.written:
            return value.span
    return _START


def _parser(extension: str) -> Callable[[str, int], Tree]:
    """Parses the language of configurations with this `extension`."""
    if extension == ".toml":
        from agent_lsp.syntax import toml  # noqa: PLC0415 - most workspaces have no such file

        return toml.parse
    return yaml.parse if extension in _OF_YAML else syntax_json.parse


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of files that decide which MCP servers a session has.

    In a file of `configurations` some are configured, and one of `records`, with the name of its
    folder, says which extensions or servers there are. A file of `others` also matters for
    something else.
    """

    configurations: frozenset[str]
    records: frozenset[tuple[str, ...]]
    others: frozenset[str]


# Asked for each file that changes.
@lru_cache(maxsize=8)
def _names_in(systems: tuple[System, ...]) -> _Names:
    records = [(each, PurePosixPath(name)) for each in _records(systems) for name in each]
    others = {name for system in systems for name in (*system.files, *system.passed_over)}
    markers = (marker for system in systems for rule in system.scopes for marker in rule.markers)
    return _Names(
        frozenset(PurePosixPath(name).name for one in _everywhere(systems) for name in one.files),
        frozenset(
            path.parts[-2:] if len(each) > 1 or path.parts[0][:1] != "$" else path.parts[-1:]
            for each, path in records
        ),
        frozenset({*others, *(PurePosixPath(marker).name for marker in markers)}),
    )


def may_configure(path: Path, systems: tuple[System, ...]) -> bool:
    """Whether a file of this name decides which MCP servers a session of a system has."""
    return path.name in _names_in(systems).configurations or _is_record(path, systems)


def named_in(path: Path, systems: tuple[System, ...], files: Files) -> frozenset[str]:
    """The names in the file at `path` that may be servers, of any project, and whether they are on.

    Findings are outdated if these names change; the rest of such a file changes all the time. For
    a file that says which extensions or servers a session has, it is the text.
    """
    found = set[str]()
    for one in _everywhere(systems):
        if any(Path(name).name == path.name for name in one.files):
            read = _values(files, path, has_comments=one.has_comments)
            for keys in one.keys:
                found |= {f"{name}={_is_on(server)}" for name, server in _of_any(read, keys)}
        for each in one.disabled:
            if any(Path(name).name == path.name for name in each.files):
                top = _values(files, path, has_comments=one.has_comments).top
                found |= {f"{name}=off" for name in _listed(top, each.keys)}
    if _is_record(path, systems):
        file = files.read(path)
        found |= {file.text} if file is not None else set()
    return frozenset(found)


def _is_record(path: Path, systems: tuple[System, ...]) -> bool:
    """Whether a file of this name says which extensions or servers a session has."""
    # A file in the folder of a variable has its name whatever the folder is called.
    return not _names_in(systems).records.isdisjoint((path.parts[-2:], path.parts[-1:]))


def _records(systems: Iterable[System]) -> Iterator[tuple[str, ...]]:
    """The files that say which extensions or servers a session has, each with its alternatives."""
    for one in _everywhere(systems):
        if one.switches is not None:
            yield from one.switches.records
        if one.enablement is not None:
            yield from one.enablement.records
        if one.bundles is not None and one.bundles.installed is not None:
            yield from one.bundles.installed.files


def _of_any(
    read: ConfigFile, keys: tuple[str, ...]
) -> Iterator[tuple[str, Mapping[object, object]]]:
    """The servers at `keys`, where `HERE` stands for each key that there is."""
    if HERE not in keys:
        yield from _servers_at(read, keys).items()
        return
    at = keys.index(HERE)
    value = read.top
    for key in keys[:at]:
        inside = _plain(value)
        value = inside.get(key) if isinstance(inside, Mapping) else None
    inside = _plain(value)
    for folder, one in inside.items() if isinstance(inside, Mapping) else ():
        servers = _servers_at(ConfigFile("", one), keys[at + 1 :])
        yield from ((f"{folder}:{name}", server) for name, server in servers.items())


def are_configured(system: System, root: Path, host_paths: HostPaths, files: Files) -> bool:
    """Whether a file exists in which MCP servers of a session in `root` can be configured."""
    paths = (place.path for place in _places(system, root, host_paths, files))
    return any(files.exists(path) or files.is_open(path) for path in paths)


def config_errors(
    system: System, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, str]]:
    """The configurations that cannot be read, each with the reason."""
    found = _places(system, root, host_paths, files)
    for path, has_comments in {one.path: one.configuration.has_comments for one in found}.items():
        problem = _values(files, path, has_comments=has_comments).problem
        if problem:
            yield path, f"names no MCP servers: {problem}"


def outside(
    systems: Collection[System], roots: Iterable[Path], host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, str]]:
    """The folders out of projects with files that decide about MCP servers of any system.

    Each has the pattern of the files. The sessions of `roots` have plugins there.
    """
    for alternatives in (*(one.files for one in _everywhere(systems)), *_records(systems)):
        for path in _there(alternatives, None, host_paths):
            at = path.parts.index(EACH) if EACH in path.parts else -1
            yield type(path)(*path.parts[:at]), "/".join(path.parts[at:])
    for root in roots:
        found = (one for system in systems for one in _places(system, root, host_paths, files))
        yield from ((one.path.parent, one.path.name) for one in found if one.is_installed)


def inside(systems: Collection[System]) -> tuple[str, ...]:
    """The names of project files that decide about MCP servers of any system."""
    every = (*(one.files for one in _everywhere(systems)), *_records(systems))
    return tuple(dict.fromkeys(name for names in every for name in names if name[0] not in "~$"))


def is_for_servers(path: Path, systems: tuple[System, ...]) -> bool:
    """Whether the file at `path` can matter only because of MCP servers."""
    return path.name not in _names_in(systems).others and may_configure(path, systems)


def _everywhere(systems: Iterable[System]) -> Iterator[Configuration]:
    for system in systems:
        yield from system.mcp_servers


@dataclass(frozen=True, slots=True)
class _Place:
    """A file at `path` in which servers are configured as `configuration` says.

    `prefix` is that of its bundle, for which `qualified` returns the runtime's name of a server.
    `is_installed` says that the file is out of the session's folder.
    """

    configuration: Configuration
    path: Path
    prefix: str = ""
    qualified: Callable[[str, str], str] | None = None
    is_installed: bool = False


# The places in the installed extensions and plugins that a session has.
_INSTALLED = Memo[tuple[_Place, ...]](Lifetime.TREE)


def _places(system: System, root: Path, host_paths: HostPaths, files: Files) -> Iterator[_Place]:
    for one in system.mcp_servers:
        if one.bundles is not None or one.enablement is not None:
            made = partial(_of_installed, one, root, host_paths, files)
            yield from _INSTALLED.get(files, None, (one, root), made, basis=host_paths)
            continue
        there = list(_there(one.files, root, host_paths))
        if one.is_first_there:
            there = [path for path in there if files.exists(path) or files.is_open(path)]
        yield from (_Place(one, path) for path in there[:1])


def _of_installed(
    configuration: Configuration, root: Path, host_paths: HostPaths, files: Files
) -> tuple[_Place, ...]:
    """The places in the extensions or bundles that a session in `root` has."""
    found: list[_Place] = []
    if configuration.bundles is not None:
        for base, bundle in bundles_of(configuration.bundles, root, host_paths, files):
            called, is_out = configuration.qualified, base != root
            for written in (*bundle.servers, configuration):
                one = replace(written, switches=configuration.switches)
                if (place := led(base, one.files[0])) is not None:
                    path = type(base)(os.path.normpath(place))
                    found.append(_Place(one, path, bundle.prefix, called, is_installed=is_out))
    if (asked := configuration.enablement) is not None:
        texts = texts_of(asked.records, root, host_paths, files)
        folders = tuple(dict.fromkeys((str(root), str(files.real(root)))))
        for path in _of_extensions(configuration, host_paths, files):
            manifest = files.read(path)
            text = manifest.text if manifest is not None else ""
            if asked.is_on(texts, folders, text, path.parent.name):
                found.append(_Place(configuration, path, is_installed=True))
    return tuple(found)


def _of_extensions(
    configuration: Configuration, host_paths: HostPaths, files: Files
) -> Iterator[Path]:
    """The existing files for which the `*` of a configuration stands."""
    for path in list(_there(configuration.files, None, host_paths))[:1]:
        at = path.parts.index(EACH)
        above = type(path)(*path.parts[:at])
        found = (above.joinpath(name, *path.parts[at + 1 :]) for name in files.folders(above))
        yield from filter(files.exists, found)


def _there(alternatives: Iterable[str], root: Path | None, host_paths: HostPaths) -> Iterator[Path]:
    """The possible paths of a file on this machine."""
    for written in alternatives:
        head, _, rest = written.partition("/")
        if head == "~":
            if host_paths.home is not None:
                yield host_paths.home / rest
        elif head.startswith("$"):
            folder = host_paths.variables.get(head.removeprefix("$"))
            if folder:
                yield type(host_paths.templates)(folder) / rest
        elif root is not None:
            yield root / written


def _switched_off(
    configuration: Configuration, root: Path, host_paths: HostPaths, files: Files
) -> frozenset[str]:
    """The names in the lists that switch off servers of a configuration."""
    found = set[str]()
    for one in configuration.disabled:
        for path in list(_there(one.files, root, host_paths))[:1]:
            top = _values(files, path, has_comments=configuration.has_comments).top
            for name in spellings(root) if HERE in one.keys else ("",):
                found.update(_listed(top, tuple(name if key == HERE else key for key in one.keys)))
    return frozenset(found)


def _listed(top: object, keys: tuple[str, ...]) -> Iterator[str]:
    """The texts in the list at `keys`, where `HERE` stands for each key that there is."""
    value = _plain(top)
    if keys:
        inside = value.values() if keys[0] == HERE and isinstance(value, Mapping) else ()
        for one in inside if keys[0] == HERE else (_step(value, keys[0]),):
            yield from _listed(one, keys[1:])
        return
    entries = value if isinstance(value, list) else ()
    yield from (one for one in map(_plain, entries) if isinstance(one, str))


def _names(
    files: Files, place: _Place, root: Path
) -> Iterator[tuple[str, tuple[str, ...], str, Mapping[object, object]]]:
    """The servers in a file: the runtime's name, the keys, the name there, what is set."""
    read = _values(files, place.path, has_comments=place.configuration.has_comments)
    written = (
        [name if key == HERE else key for key in keys]
        for keys in place.configuration.keys
        for name in (spellings(root) if HERE in keys else ("",))
    )
    found = ((tuple(keys), _servers_at(read, keys)) for keys in written)
    keys, servers = next((one for one in found if one[1]), ((), {}))
    for name, server in servers.items():
        called = place.qualified(place.prefix, name) if place.qualified is not None else name
        yield called, keys, name, server


_VALUES = Memo[ConfigFile](Lifetime.LISTING)


def _values(files: Files, path: Path, *, has_comments: bool) -> ConfigFile:
    """The values of the file at `path`; empty if there is none."""
    file = files.read(path)
    if file is None:
        return ConfigFile("")
    if file.problem is not None:
        return ConfigFile("", problem=file.problem)
    text = file.text
    # Called by each completion and hover, and the file seldom changes.
    return _VALUES.get(
        files,
        path.parent,
        (path, has_comments),
        lambda: config_file(text, path.suffix, has_comments=has_comments),
        basis=text,
    )
