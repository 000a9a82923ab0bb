"""Asks the client to watch files.

Invariant: only the places of templates, also wrong ones, of settings and MCP servers, and of what
templates name are watched.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath

from lsprotocol import types

from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.model.discovery import HERE, ScopeRule
from agent_lsp.model.system import System
from agent_lsp.patterns import regex
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import Session
from agent_lsp.workspace import skills
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.mcp_servers import inside, outside
from agent_lsp.workspace.placement import may_be_template
from agent_lsp.workspace.programs import borrows
from agent_lsp.workspace.scopes import is_as_written, scope_of, scopes
from agent_lsp.workspace.search import claims

_ID = "agent-templates-files"
_METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
# Neovim does not match a character class after a star.
_FILES = "*.{md,MD}"
# What needs no escape in a pattern.
_PLAIN = regex(r"[\w./@ +-]+")
# Each one costs the client something.
_MOST_PLACES = 1000
_COME_AND_GO = types.WatchKind.Create | types.WatchKind.Delete


def watch(ls: Server) -> None:
    """Asks the client to watch the current places, unless it already does."""
    session = ls.session
    wanted = tuple(_watchers(session)) if session.client.watches else ()
    if wanted == session.watchers:
        return
    if session.watchers:
        old = types.UnregistrationParams([types.Unregistration(_ID, _METHOD)])
        ls.client_unregister_capability(old).add_done_callback(logged)
    session.watchers = wanted
    options = types.DidChangeWatchedFilesRegistrationOptions(wanted)
    new = types.RegistrationParams([types.Registration(_ID, _METHOD, options)])
    ls.client_register_capability(new).add_done_callback(logged)


def _watchers(session: Session) -> Iterator[types.FileSystemWatcher]:
    systems = session.workspace.systems
    yield from _of_systems(systems)
    yield from _of_folders(session)
    named = (
        *claims(session.workspace),
        *_spelled_otherwise(session),
        *_led_to(session),
        *_of_manifests(session),
    )
    for folder in dict.fromkeys(named):
        for root in session.workspace.roots:
            if root in folder.parents:
                below = folder.relative_to(root).as_posix()
                yield types.FileSystemWatcher(f"**/{below}/{_FILES}")
    yield from _of_places(session)
    if session.client.watches_outside:
        for folder, found in dict.fromkeys(_outside(session, named)):
            yield types.FileSystemWatcher(types.RelativePattern(folder.as_uri(), found))
        for folder in dict.fromkeys(_above_user_folders(session)):
            place = types.RelativePattern(folder.parent.as_uri(), folder.name)
            yield types.FileSystemWatcher(place, _COME_AND_GO)


@cache
def _of_systems(systems: tuple[System, ...]) -> tuple[types.FileSystemWatcher, ...]:
    """What to watch in each workspace: hundreds of places, asked for with each new one."""
    return tuple(_places_of(systems))


def _places_of(systems: tuple[System, ...]) -> Iterator[types.FileSystemWatcher]:
    yield types.FileSystemWatcher(f"**/{SETTINGS_FILE}")
    rules = [rule for system in systems for rule in system.scopes]
    every = (one for system in systems for one in (system, *system.beside))
    places = (found for system in every for found in _projects(system))
    for relative, files in dict.fromkeys(places):
        yield types.FileSystemWatcher(f"**/{relative}/{files}")
        # When a folder is deleted, clients often report only the folder and not its files.
        place = PurePosixPath(relative)
        for part in (place, *place.parents[:-1]):
            yield types.FileSystemWatcher(f"**/{part}", _COME_AND_GO)
    yield from _of_traces(systems)
    for landmark in (one.common.landmark for one in systems if one.common is not None):
        yield types.FileSystemWatcher(f"**/{landmark}", _COME_AND_GO)
    markers = (f"**/{marker}" for marker in _markers(rules))
    for pattern in dict.fromkeys((*markers, *_misplaced_patterns(systems))):
        yield types.FileSystemWatcher(pattern)
    for folder, below in dict.fromkeys(skills.patterns(systems)):
        yield types.FileSystemWatcher(f"**/{folder}/{below}")
        yield types.FileSystemWatcher(f"**/{folder}", _COME_AND_GO)
        yield types.FileSystemWatcher(f"**/{folder}/{below.rpartition('/')[0]}", _COME_AND_GO)
    # Files that may be templates are already watched.
    servers = [name for name in inside(systems) if not may_be_template(systems, name)]
    yield from (types.FileSystemWatcher(f"**/{name}") for name in servers)
    holding = (str(PurePosixPath(name).parent) for name in (*_markers(rules), *servers))
    for folder in dict.fromkeys(one for one in holding if one != "."):
        yield types.FileSystemWatcher(f"**/{folder}", _COME_AND_GO)


def _markers(rules: Iterable[ScopeRule]) -> Iterator[str]:
    return (marker for rule in rules for marker in rule.markers)


def _of_folders(session: Session) -> Iterator[types.FileSystemWatcher]:
    """The folders of the workspace that have templates somewhere below them.

    When one is deleted, clients often report only that.
    """
    above = dict[Path, None]()
    for folder in session.workspace.folders:
        for root in session.workspace.roots:
            if root in folder.parents:
                inside = (folder, *folder.parents)
                above.update(dict.fromkeys(one for one in inside if root in one.parents))
    # The outer ones first, of which there are few.
    for folder in sorted(above, key=lambda one: (len(one.parts), one))[:_MOST_PLACES]:
        for root in session.workspace.roots:
            if root in folder.parents:
                below = folder.relative_to(root).as_posix()
                if _PLAIN.fullmatch(below):
                    yield types.FileSystemWatcher(f"**/{below}", _COME_AND_GO)


def _of_manifests(session: Session) -> Iterator[Path]:
    """The folders of templates that a manifest names, which may be called anything."""
    workspace = session.workspace
    for system in workspace.systems:
        rules = [rule for rule in system.scopes if rule.manifests is not None]
        usual = {folder for rule in rules for folder in rule.folders}
        for folder in workspace.folders if rules else ():
            if folder.name not in usual:
                scope = scope_of(system, folder, workspace.host_paths, workspace.files)
                if scope is not None and any(rule.label == scope.label for rule in rules):
                    yield folder


def _above_user_folders(session: Session) -> Iterator[Path]:
    """The folders in the home with those of the user's own templates, and the folders of these."""
    home = session.workspace.host_paths.home
    for folder, _ in _user_folders(session):
        yield from (one for one in (folder, *folder.parents) if home in one.parents)


def _of_traces(systems: Iterable[System]) -> Iterator[types.FileSystemWatcher]:
    """What shows that a project uses a system, unless it is a place of templates or a marker."""
    every = tuple(systems)
    watched = {marker for system in every for rule in system.scopes for marker in rule.markers}
    for system in every:
        for relative, _ in _projects(system):
            place = PurePosixPath(relative)
            watched.update(map(str, (place, *place.parents)))
    traces = (trace for system in filter(borrows, every) for trace in system.traces)
    for trace in dict.fromkeys(one for one in traces if one not in watched):
        yield types.FileSystemWatcher(f"**/{trace}", _COME_AND_GO)


def _of_places(session: Session) -> Iterator[types.FileSystemWatcher]:
    """The files of the workspace that templates name, and their folders.

    Beside one that does not exist, there may be the file that is meant.
    """
    folders, lacking = dict[str, None](), dict[str, None]()
    for place in _places(session):
        for root in session.workspace.roots:
            if root in place.parents:
                below = place.relative_to(root)
                if _PLAIN.fullmatch(below.as_posix()):
                    yield types.FileSystemWatcher(f"**/{below.as_posix()}")
                    folders |= dict.fromkeys((below.parent.as_posix(),))
                    if not session.files.exists(place):
                        lacking |= dict.fromkeys((below.parent.as_posix(),))
    for folder in lacking:
        yield types.FileSystemWatcher(f"**/{folder}/*" if folder != "." else "*", _COME_AND_GO)
    for folder in folders:
        if folder != ".":
            yield types.FileSystemWatcher(f"**/{folder}", _COME_AND_GO)


def _places(session: Session) -> list[Path]:
    """The files that templates name, in order."""
    return sorted(frozenset[Path]().union(*session.places.values()))[:_MOST_PLACES]


def _outside(session: Session, named: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """The watched folders outside the workspace, each with the pattern of its files."""
    yield from _user_folders(session)
    yield from ((folder, _FILES) for folder in named if not _is_inside(session, folder))
    others = (place for place in _places(session) if not _is_inside(session, place))
    yield from ((place.parent, place.name) for place in others)
    top = Path(session.workspace.host_paths.templates.anchor)
    yield from skills.outside(session.workspace.systems, top, session.workspace.host_paths, Files())
    yield from outside(
        session.workspace.systems,
        session.workspace.roots,
        session.workspace.host_paths,
        session.files,
    )


def _spelled_otherwise(session: Session) -> Iterator[Path]:
    """The template folders whose spelling on a disk that ignores case is not the usual one."""
    workspace = session.workspace
    for folder in () if session.files.is_exact else workspace.folders:
        for system in workspace.systems:
            scope = scope_of(system, folder, workspace.host_paths, workspace.files)
            if scope is not None and not is_as_written(system, scope.folder):
                yield folder


def _led_to(session: Session) -> Iterator[Path]:
    """The targets of the workspace's links to folders, where the disk reports changes."""
    files, roots = session.files, session.workspace.roots
    for folder in session.workspace.folders:
        real = files.real(folder)
        names = (
            root / real.relative_to(top)
            for root in roots
            if real.is_relative_to(top := files.real(root))
        )
        # For a link into the workspace, events have the names below the workspace folder.
        name = next(names, real)
        if name != folder:
            yield name


def _is_inside(session: Session, folder: Path) -> bool:
    return any(root in (folder, *folder.parents) for root in session.workspace.roots)


def _misplaced_patterns(systems: Iterable[System]) -> Iterator[str]:
    """The patterns for folders where people put templates by mistake."""
    for system in systems:
        if system.misplaced is None:
            continue
        for folder in (*system.misplaced.folders, *system.misplaced.shared):
            yield f"**/{folder}/{_FILES}"
        for folder, _ in _projects(system):
            yield f"**/{folder}/*/**/{_FILES}"
            if system.misplaced.extensions:
                yield f"**/{folder}/*.{{{','.join(system.misplaced.extensions)}}}"


def _projects(system: System) -> Iterator[tuple[str, str]]:
    """The project folders of `rule`, each with the pattern of its files."""
    for rule in system.scopes:
        for folder in () if rule.builtin else rule.folders:
            # The session root itself is told by its marker.
            if folder != HERE and not folder.startswith(("$", "~")):
                yield folder, _inside(system, deep=rule.deep)


def _inside(system: System, *, deep: bool) -> str:
    files = _FILES if system.extension == ".md" else f"*{system.extension}"
    return f"**/{files}" if deep else files


def _user_folders(session: Session) -> Iterator[tuple[Path, str]]:
    top = Path(session.workspace.host_paths.templates.anchor)
    for system in session.workspace.systems:
        # Read the disk anew, since a folder may have been created just now.
        for scope in scopes(system, top, session.workspace.host_paths, Files()):
            if scope.kind != "project" and not scope.builtin:
                names = sorted(system.files) or (_inside(system, deep=scope.deep),)
                yield from ((scope.folder, name) for name in names)
