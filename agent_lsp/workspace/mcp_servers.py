"""Reads which MCP servers are configured for a runtime, and which of them a template names."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import HERE, Configuration
from agent_lsp.model.mcp_servers import ServerNames
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.system import System
from agent_lsp.model.template import Value
from agent_lsp.syntax import json as syntax_json
from agent_lsp.syntax import nodes, toml, yaml
from agent_lsp.syntax.nodes import Node, Scalar, Style, resolve
from agent_lsp.syntax.toml.read import excess
from agent_lsp.text import Span
from agent_lsp.workspace.disk import MAX_TABLES
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import spellings
from agent_lsp.workspace.scopes import HostPaths
from agent_lsp.workspace.snapshot import TemplateFile, as_template

_OFF = frozenset({"false", "no", "off"})
_START = Span(0, 0)
_PARSERS = {".toml": toml.parse, ".yaml": yaml.parse, ".yml": yaml.parse}


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

            problem = excess(text)
            return ConfigFile(text, None if problem else tomllib.loads(text), problem or "")
        if extension in (".yaml", ".yml") or (has_comments and text):
            if len(text) > MAX_TABLES:
                return ConfigFile(text, problem=f"larger than {MAX_TABLES // 1000} kB")
            tree = syntax_json.parse(text) if has_comments else yaml.parse(text)
            problem = tree.problem.message if tree.problem is not None else ""
            return ConfigFile(text, None if problem else tree.root, problem)
        return ConfigFile(text, json.loads(text) if text.strip() else None)
    except (ValueError, RecursionError) as error:
        return ConfigFile(text, problem=str(error))


def names_at(read: ConfigFile, keys: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """The names of the servers at `keys`, each with whether it is enabled.

    The servers are a mapping by name, or a list of mappings with names.
    """
    value = read.top
    for key in keys:
        inside = _plain(value)
        value = inside.get(key) if isinstance(inside, Mapping) else None
    found = ((name, _plain(one)) for name, one in _named(_plain(value)))
    return tuple((name, _is_on(one)) for name, one in found if isinstance(one, Mapping))


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

    `keys` lead to the servers in the file at `path`, where this one is called `written`.
    """

    name: str
    prefix: str
    path: Path
    keys: tuple[str, ...] = ()
    written: str = ""
    is_on: bool = True


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
    found: dict[str, McpServer] = {}
    prefix_of = dialect.tools.mcp_prefix
    for configuration, path in _configurations(dialect.system, root, host_paths, files):
        for name, keys, written, is_on in _names(files, configuration, path, root):
            prefix = prefix_of(name) if prefix_of is not None else None
            # A server that is off in one file may be on in another.
            if prefix is not None and not (name in found and (found[name].is_on or not is_on)):
                found[name] = McpServer(name, prefix, path, keys, written, is_on)
    return tuple(found.values())


def place_of(server: McpServer, files: Files) -> Span:
    """The name of `server` in its configuration; the start of the file if it is not found."""
    file = files.read(server.path)
    text = file.text if file is not None else ""
    if len(text) > MAX_TABLES:
        return _START
    parse = _PARSERS.get(server.path.suffix, syntax_json.parse)
    node = resolve(parse(text, 0).root)
    for key in server.keys:
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


def may_configure(path: Path, systems: Iterable[System]) -> bool:
    """Whether MCP servers of a system can be configured in a file of this name."""
    names = (Path(name).name for one in _everywhere(systems) for name in one.files)
    return path.name in names


def named_in(path: Path, systems: Iterable[System], files: Files) -> frozenset[str]:
    """The names in the file at `path` that may be servers, of any project, and whether they are on.

    Findings are outdated if these names change; the rest of such a file changes all the time.
    """
    found = set[str]()
    for one in _everywhere(systems):
        if any(Path(name).name == path.name for name in one.files):
            read = _values(files, path, has_comments=one.has_comments)
            for keys in one.keys:
                found |= {f"{name}={is_on}" for name, is_on in _of_any(read, keys)}
    return frozenset(found)


def _of_any(read: ConfigFile, keys: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The servers at `keys`, where `HERE` stands for each key that there is."""
    if HERE not in keys:
        yield from names_at(read, keys)
        return
    at = keys.index(HERE)
    value = read.top
    for key in keys[:at]:
        inside = _plain(value)
        value = inside.get(key) if isinstance(inside, Mapping) else None
    inside = _plain(value)
    for folder, one in inside.items() if isinstance(inside, Mapping) else ():
        below = ConfigFile("", one)
        yield from ((f"{folder}:{name}", on) for name, on in names_at(below, keys[at + 1 :]))


def are_configured(system: System, root: Path, host_paths: HostPaths, files: Files) -> bool:
    """Whether a file exists in which MCP servers of a session in `root` can be configured."""
    paths = (path for _, path in _configurations(system, root, host_paths, files))
    return any(files.exists(path) or files.is_open(path) for path in paths)


def config_errors(
    system: System, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, str]]:
    """The configurations that cannot be read, each with the reason."""
    found = _configurations(system, root, host_paths, files)
    for path, has_comments in {path: one.has_comments for one, path in found}.items():
        problem = _values(files, path, has_comments=has_comments).problem
        if problem:
            yield path, f"names no MCP servers: {problem}"


def outside(systems: Iterable[System], host_paths: HostPaths) -> Iterator[Path]:
    """The user's files in which MCP servers of any system can be configured."""
    for configuration in _everywhere(systems):
        yield from _there(configuration, None, host_paths)


def inside(systems: Iterable[System]) -> tuple[str, ...]:
    """The names of project files in which MCP servers of any system can be configured."""
    names = (name for configuration in _everywhere(systems) for name in configuration.files)
    return tuple(dict.fromkeys(name for name in names if name[0] not in "~$"))


def is_for_servers(path: Path, systems: Collection[System], host_paths: HostPaths) -> bool:
    """Whether the file at `path` can matter only because of MCP servers."""
    others = {name for system in systems for name in (*system.files, *system.passed_over)}
    rules = (rule for system in systems for rule in system.scopes)
    others |= {Path(marker).name for rule in rules for marker in rule.markers}
    names = {Path(name).name for name in inside(systems)} | {
        own.name for own in outside(systems, host_paths)
    }
    return path.name in names - others


def _everywhere(systems: Iterable[System]) -> Iterator[Configuration]:
    for system in systems:
        yield from system.mcp_servers


def _configurations(
    system: System, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Configuration, Path]]:
    for configuration in system.mcp_servers:
        if configuration.marker and not files.exists(root / configuration.marker):
            continue
        there = list(_there(configuration, root, host_paths))
        if configuration.is_first_there:
            there = [path for path in there if files.exists(path) or files.is_open(path)]
        for path in there[:1]:
            yield configuration, path


def _there(
    configuration: Configuration, root: Path | None, host_paths: HostPaths
) -> Iterator[Path]:
    """The possible paths of a configuration on this machine."""
    for written in configuration.files:
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


def _names(
    files: Files, configuration: Configuration, path: Path, root: Path
) -> Iterator[tuple[str, tuple[str, ...], str, bool]]:
    """The servers in a file: the runtime's name, the keys, the name there, and whether it is on."""
    read = _values(files, path, has_comments=configuration.has_comments)
    written = (
        [name if key == HERE else key for key in keys]
        for keys in configuration.keys
        for name in (spellings(root) if HERE in keys else ("",))
    )
    found = ((tuple(keys), names_at(read, keys)) for keys in written)
    keys, names = next((one for one in found if one[1]), ((), ()))
    qualified = configuration.qualified
    marker = files.read(root / configuration.marker) if qualified is not None else None
    for name, is_on in names:
        text = marker.text if marker is not None else ""
        called = qualified(text, root.name, name) if qualified is not None else name
        yield called, keys, name, is_on


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


@dataclass(frozen=True, slots=True)
class NamedServer:
    """A server that a file names in `entry`, which is the name itself in a list of servers.

    `span` is that of the name, or None if the text has it in another way. `others` are longer names
    that the entry may mean instead.
    """

    name: str
    span: Span | None
    entry: Value
    others: tuple[str, ...] = ()


def named_servers(file: TemplateFile) -> tuple[NamedServer, ...]:
    """The servers that the tool lists and the lists of servers in a header name."""
    names = file.dialect.tools.servers
    return tuple(_named_in_header(file, names)) if names is not None else ()


def named_server_at(file: TemplateFile, offset: int) -> NamedServer | None:
    """The server that the entry at `offset` names, or None."""
    return next((one for one in named_servers(file) if one.entry.span.covers(offset)), None)


def server_of(file: TemplateFile, named: NamedServer) -> McpServer | None:
    """The configured server that `named` means in a session for `file`, or None."""
    servers, entry = configured_for(file), named.entry.text
    if named.name == entry:
        return next((one for one in servers if one.name == entry), None)
    return matching(servers, entry)


def own_servers(file: TemplateFile) -> frozenset[str]:
    """The servers that the header itself configures."""
    names = file.dialect.tools.servers
    node = _value(file, names.own_key) if names is not None else None
    tables = node.items if isinstance(node, nodes.Sequence) else (node,)
    found = (resolve(one) for one in tables if one is not None)
    return frozenset(
        one.name
        for each in found
        if isinstance(each, nodes.Mapping)
        for one in each.entries
        if one.name
    )


def _named_in_header(file: TemplateFile, names: ServerNames) -> Iterator[NamedServer]:
    text = file.document.text
    for entry in _entries(file):
        spans = names.in_entry(entry.text)
        if spans:
            at = text.find(entry.text, entry.span.start, entry.span.end)
            first, *others = spans
            span = first.shift(at) if at >= 0 else None
            more = tuple(one.of(entry.text) for one in others)
            yield NamedServer(first.of(entry.text), span, entry, more)
    for value in names.listed(file.document):
        yield NamedServer(value.text, _place(text, value), value)
    for key in sorted(names.keys):
        node = _value(file, key)
        for item in node.items if isinstance(node, nodes.Sequence) else ():
            found = resolve(item)
            # A name with a colon is that of a plugin's server.
            if isinstance(found, Scalar) and found.value and ":" not in found.value:
                value = Value(found.value, found.span)
                yield NamedServer(found.value, _place(text, value), value)


def _place(text: str, value: Value) -> Span | None:
    """The place of a name in the text, without quotes; None if it is written in another way."""
    at = text.find(value.text, value.span.start, value.span.end)
    return Span(at, at + len(value.text)) if at >= 0 else None


def _entries(file: TemplateFile) -> Iterator[Value]:
    """The entries of the tool lists, each where it stands in the text."""
    tools = file.dialect.tools
    if tools.named is not None:
        yield from tools.named(file.reading)
    elif file.dialect.schema.is_tables:
        for one in file.names:
            yield from _of_lists(as_template(file, (one,)))
    else:
        yield from _of_lists(file)


def _of_lists(file: TemplateFile) -> Iterator[Value]:
    for role in (KeyRole.ALLOW, KeyRole.DENY):
        key = file.dialect.schema.by_role.get(role)
        value = file.reading.declared.settings.get(key.name) if key is not None else None
        yield from (one for one in (value.items if value is not None else ()) if one.text)


def _value(file: TemplateFile, key: str) -> Node | None:
    top = file.document.tree.top
    entry = top.get(key) if isinstance(top, nodes.Mapping) else None
    return entry.node if entry is not None else None
