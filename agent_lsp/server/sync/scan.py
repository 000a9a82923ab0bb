"""Checks the closed files of the workspace: all of them, or those that a change affects.

Invariants: a closed file is checked again only if it has changed, or the set of files with its name
has. Open files come first. Names that a call can mistake for each other count as one. A misplaced
file has the name that it would have in the right folder.
"""

from collections.abc import Callable, Collection, Container, Generator, Iterable, Iterator
from inspect import GEN_CREATED, getgeneratorstate
from pathlib import Path
from time import monotonic
from typing import TypeVar

from agent_lsp.analysis.checks.files import name_for
from agent_lsp.analysis.navigation.name_index import Agent, names
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.system import System
from agent_lsp.server.server import Server
from agent_lsp.server.session import (
    EVERY_SYSTEM,
    NextScan,
    Placed,
    Session,
    is_reported,
    is_unknown_folder,
    mark,
    path_at,
    set_folders,
)
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.jobs import later, shown
from agent_lsp.server.sync.publish import (
    agents_changed,
    preview_changed,
    publish,
    redraw,
    tell_hidden,
)
from agent_lsp.server.sync.registration import attach
from agent_lsp.server.sync.watch import watch
from agent_lsp.workspace import definitions
from agent_lsp.workspace.exports import Exports, Names, exports, named
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import (
    Placement,
    Workspace,
    own_placements,
    placement_by_place,
    placements,
    placements_of_folder,
)
from agent_lsp.workspace.search import template_folders, templates

# The first system of each kind of names, which is looked up for each name of a workspace.
_SYSTEMS = Memo[dict[str, System]](Lifetime.TREE)
# The names in a step of a search. A look at one takes less time than a step of its own.
_AT_ONCE = 16


def dependents(placed: Placed) -> Names:
    """The names of a file, in canonical spelling."""
    workspace, path, found = placed.workspace, placed.path, placed.in_systems
    return spelt(workspace, named(workspace, path, found)) | _misplaced(workspace, path, found)


def spelt(workspace: Workspace, names: Iterable[tuple[str, str]]) -> Names:
    """`names` in canonical spelling: one for all names that a call can mistake for each other."""
    by_owner = dict[str, set[str]]()
    for owner, name in names:
        by_owner.setdefault(owner, set()).add(name)
    return frozenset(
        (owner, spelling(name))
        for owner, found in by_owner.items()
        for spelling in (_spelling(workspace, owner),)
        for name in found
    )


def _concerned(
    workspace: Workspace, folder: Path, names: Names, besides: Container[Path]
) -> Iterator[Path | None]:
    """The files in `folder`, `besides` some, that have one of `names`, as `spelt` returns them.

    None comes after each step without one.
    """
    found = dict[Path, None]()
    for owner in own_placements(workspace, folder):
        system = owner.system.names
        defined = definitions.names(workspace.files, owner.dialect, folder, owner.scope)
        spelling = _spelling(workspace, system)
        for number, (name, paths) in enumerate(defined.items()):
            if (system, spelling(name)) in names:
                found |= dict.fromkeys(path for path in paths if path not in besides)
            if number % _AT_ONCE == 0:
                yield None
    for number, entry in enumerate(workspace.files.entries(folder)):
        path = folder / entry
        is_other = path not in besides
        if is_other and _misplaced(workspace, path) & names:
            found[path] = None
        if is_other or number % _AT_ONCE == 0:
            yield None
    yield from found


def _spelling(workspace: Workspace, owner: str) -> Callable[[str], str]:
    """What returns the first spelling of a name of the systems `owner`."""
    systems = workspace.systems
    by_names = _SYSTEMS.get(
        workspace.files,
        None,
        None,
        lambda: {one.names: one for one in reversed(systems)},
        basis=systems,
    )
    system = by_names.get(owner)
    spellings = system.dialect.names.spellings if system is not None else None
    if spellings is None:
        return str
    # Names that one spelling can mean have the same list of spellings.
    return lambda name: next(spellings(name), name)


def _misplaced(
    workspace: Workspace, path: Path, in_systems: tuple[Placement, ...] | None = None
) -> Names:
    found = set[tuple[str, str]]()
    for placement in placements(workspace, path, in_systems):
        dialect = placement.dialect if placement.misplaced is not None else None
        file = name_for(dialect, path, "md") if dialect is not None else None
        name = dialect.names.name_of(file) if dialect is not None and file is not None else None
        if name is not None:
            found.add((placement.system.names, name))
    return spelt(workspace, found)


# The largest share of the time that repeated scans take, however large the workspace is.
_SHARE = 0.05


def rescan(ls: Server, *, everything: bool = False, is_search: bool = True) -> None:
    """Searches the roots again, then checks the files that have changed, or `everything`.

    A scan in progress is not restarted, because on a busy disk none would ever end. `is_search` is
    false if all folders of templates are known.
    """
    session = ls.session
    # Without marks nothing tells whether a cached text is current, so forget all of them.
    session.files.refresh(() if everything else session.folders)
    if (
        session.scan is not None
        and is_scanning(session)
        and getgeneratorstate(session.scan) is not GEN_CREATED
    ):
        is_more = everything or session.next_scan is NextScan.EVERYTHING
        session.next_scan = NextScan.EVERYTHING if is_more else NextScan.CHANGED
        return
    if everything:
        session.marks.clear()
    if not is_scanning(session):
        job = _scan(ls, is_search=is_search or not _is_searched(session))
        session.scan = shown(ls, job, "Checking agent templates")
        later(ls, session.scan)


def leave(ls: Server, roots: set[Path]) -> None:
    """Removes what is below `roots` only, which are no longer workspace folders."""
    session = ls.session

    def is_left(folder: Path) -> bool:
        above = {folder, *folder.parents}
        return not roots.isdisjoint(above) and above.isdisjoint(session.workspace.roots)

    session.searched -= roots
    set_folders(session, [one for one in session.workspace.folders if not is_left(one)])
    # Their files are new if the folder comes back.
    for path in [path for path in session.marks if is_left(path)]:
        session.marks.pop(path)
    for path in [path for path in session.sent if is_left(path)]:
        publish(ls, path)


def is_scanning(session: Session) -> bool:
    """Whether a scan is in progress."""
    return session.scan is not None and session.scan in session.jobs


_Answer = TypeVar("_Answer")


def once_searched(ls: Server, uri: str | None, ask: Callable[[], _Answer]) -> _Answer | Stepwise:
    """The answer of `ask`, once all folders of templates in the workspace are known.

    An answer from a part of them would leave out names that the user wants to see or to change.
    It is about the text at `uri`, if it is about one.
    """
    session = ls.session
    if _is_searched(session):
        return ask()
    path = path_at(session, uri) if uri is not None else None

    def text() -> object:
        file = session.files.read(path) if path is not None else None
        return file and (file.version, file.text)

    before = text()

    def steps() -> Generator[None, None, _Answer]:
        yield from until_searched(ls)
        return ask()

    return Stepwise(steps(), lambda: text() == before)


def until_searched(ls: Server) -> Iterator[None]:
    """Searches the workspace in steps, until all folders of templates in it are known."""
    session = ls.session
    while session.scan is not None and not _is_searched(session) and is_scanning(session):
        next(session.scan, None)
        yield


def _is_searched(session: Session) -> bool:
    return session.searched.issuperset(session.workspace.roots)


def recheck(ls: Server, changed: Iterable[Path], before: Names = frozenset()) -> Iterator[None]:
    """Checks `changed`, and all files that define one of their names, now or `before`.

    Names that a call can mistake for each other count as one. In a shared folder one file can
    decide to which system the others belong. If other files see something else of a file than
    before, all files of its systems are checked later.
    """
    changes, again = _Changes(set(before)), dict.fromkeys(changed)
    for path in again:
        _take(ls, path, changes)
        yield
    yield from _affected_by(ls, again, changes)


@dataclass(slots=True)
class _Changes:
    """What changed files define: names, and those of misplaced files in canonical spelling.

    `folders` are the shared ones among the folders of these files.
    """

    defined: set[tuple[str, str]]
    misplaced: set[tuple[str, str]] = field(default_factory=set)
    folders: set[Path] = field(default_factory=set)


def _take(ls: Server, path: Path, changes: _Changes) -> None:
    """Adds what the file at `path` defines to `changes`, and stores what others see of it."""
    placed = Placed(ls.session.workspace, path)
    exported = export(ls, path, placed)
    changes.defined |= exported.named
    changes.misplaced |= _misplaced(placed.workspace, path, placed.in_systems)
    owner = placement_by_place(placed.workspace, path.parent)
    if owner is not None and owner.system.shared is not None:
        changes.folders.add(path.parent)


def _affected_by(ls: Server, changed: Collection[Path], changes: _Changes) -> Iterator[None]:
    """Checks `changed`, and the files that their `changes` affect."""
    session = ls.session
    wanted = spelt(session.workspace, changes.defined) | changes.misplaced
    yield
    # The list of agents may also show a file that has no name any more.
    agents_changed(ls)
    done = set[Path]()
    for each in _to_check(session, changed, wanted, changes.folders):
        if each is not None and each not in done:
            done.add(each)
            _check(ls, each)
        yield
    if wanted or changes.folders:
        redraw(ls)
        agents_changed(ls)


def export(ls: Server, path: Path, placed: Placed | None = None) -> Exports:
    """Stores what other files see of the one at `path`; if it is new, they are checked later.

    `placed` is known in an event about the file.
    """
    session = ls.session
    in_systems = (placed or Placed(session.workspace, path)).in_systems
    before, now = session.exported.get(path), exports(session.workspace, path, in_systems)
    session.exported[path] = now
    session.pending.discard(path)
    if before != now:
        # Without the file, its folder may be one of no system any more, or only of other ones.
        found = placements_of_folder(session.workspace, path.parent) if in_systems else ()
        recheck_systems(ls, {one.system.names for one in found} or {EVERY_SYSTEM})
    return now


def _to_check(
    session: Session, changed: Collection[Path], wanted: Names, folders: set[Path]
) -> Iterator[Path | None]:
    """The files that `changed` affects, the open ones first; None after a step without any."""
    for path in session.files.opened():
        is_near = path in changed or path.parent in folders
        is_affected = is_near or dependents(Placed(session.workspace, path)) & wanted
        yield path if is_affected else None
    yield from changed
    for folder in session.workspace.folders if wanted or folders else ():
        if folder in folders:
            yield from (folder / entry for entry in session.files.entries(folder))
        else:
            yield from _concerned(session.workspace, folder, wanted, changed)
        yield None


def recheck_systems(ls: Server, systems: Collection[str]) -> None:
    """Checks all files of `systems` in the background, those of `EVERY_SYSTEM` if it is one.

    Requests that come before it begins are met together. A file that is checked after the last of
    them, and before it begins, is not checked again.
    """
    session = ls.session
    session.affected.update(systems)
    session.demands += 1
    job = session.affected_job
    is_waiting = job is not None and getgeneratorstate(job) is GEN_CREATED
    if not is_waiting:
        session.affected_job = _affected(ls)
        later(ls, session.affected_job)


def _affected(ls: Server) -> Generator[None, None, None]:
    session = ls.session
    systems, session.affected = session.affected, set()

    def is_among(folder: Path) -> bool:
        found = placements_of_folder(session.workspace, folder)
        names = {one.system.names for one in found}
        return not names or EVERY_SYSTEM in systems or not names.isdisjoint(systems)

    for path in session.files.opened():
        if is_among(path.parent):
            _publish_if_outdated(ls, path)
        yield
    for folder in session.workspace.folders:
        for entry in session.files.entries(folder) if is_among(folder) else ():
            if not session.files.is_open(folder / entry):
                _publish_if_outdated(ls, folder / entry)
            yield
        yield
    redraw(ls)
    agents_changed(ls)


def _publish_if_outdated(ls: Server, path: Path) -> None:
    """Publishes the diagnostics of `path`, unless they are newer than the last demand for them."""
    if ls.session.checked.get(path) != ls.session.demands:
        publish(ls, path)


def _scan(ls: Server, *, is_search: bool) -> Generator[None, None, None]:
    session = ls.session
    begun = monotonic()
    if is_search:
        yield from _search(ls)
        for path in session.files.opened():
            publish(ls, path)
            yield
        redraw(ls)
    yield from _closed_files(ls)
    # The files that templates name are known now.
    if session.places:
        watch(ls)
    yield from tell_hidden(ls)
    if is_search:
        now = monotonic()
        session.scan_took = now - begun
        session.scanned_until = now + session.scan_took / _SHARE
    agents_changed(ls)
    following, session.next_scan, session.scan = session.next_scan, None, None
    if following is not None:
        rescan(ls, everything=following is NextScan.EVERYTHING)


def _search(ls: Server) -> Iterator[None]:
    """Finds all folders of templates in the workspace."""
    session = ls.session
    found: dict[Path, Path] = {}
    roots = session.workspace.roots
    for root in roots:
        for folder in template_folders(session.workspace, root):
            if root not in session.workspace.roots:
                break
            if folder is not None:
                found[folder] = root
            yield
    # A root may have been removed meanwhile; another scan will follow.
    folders = [folder for folder, root in found.items() if root in session.workspace.roots]
    set_folders(session, folders)
    set_folders(session, (*folders, *_only_held(session)))
    session.searched = frozenset(roots) & frozenset(session.workspace.roots)
    attach(ls)
    watch(ls)


def _check(ls: Server, path: Path) -> None:
    """Publishes the diagnostics of `path`, and stores its names for a search in all files.

    The text and its tree are still at hand, and after some hundred other files they are not.
    """
    placed = Placed(ls.session.workspace, path)
    publish(ls, path, placed)
    if placed.in_systems:
        for _, name in named(placed.workspace, path, placed.in_systems):
            dialect = placed.in_systems[0].dialect
            names(placed.workspace, Agent(dialect, name, path, is_kept=True))


def _only_held(session: Session) -> tuple[Path, ...]:
    """The template folders that will exist once an open file in them is saved."""
    folders = dict.fromkeys(path.parent for path in session.files.opened())
    return tuple(
        folder
        for folder in folders
        if not session.files.exists(folder) and is_unknown_folder(session, folder)
    )


def _closed_files(ls: Server) -> Iterator[None]:
    """Checks the files whose mark has changed, and those that their changes affect."""
    session = ls.session
    # In the first scan all files are known before any is checked, so none needs a recheck.
    is_first = not session.marks
    changed, seen, changes = [], set(), _Changes(set())
    # One object for each path: an equal one takes a comparison of its parts at every look-up.
    same = {path: path for path in session.marks}
    for each in _still_there(session, templates(session.workspace)):
        path = same.get(each, each)
        seen.add(path)
        now = mark(path)
        # A file that exists only in the editor has no mark, but is new as well.
        if path not in session.marks or session.marks[path] != now:
            session.marks[path] = now
            changed.append(path)
        yield
    # A file that an event reported was published, but may not have a mark.
    gone = {path: None for path in (*session.marks, *session.sent) if path not in seen}
    for path in gone:
        session.marks.pop(path, None)
        session.checked.pop(path, None)
        preview_changed(ls, path)
        changes.defined |= session.named.pop(path, frozenset())
        yield
    for path in tuple(session.sent):
        if path in gone or not is_reported(session, path):
            publish(ls, path)
        yield
    yield from _taken_in(ls, changed, changes, is_first=is_first)
    if is_first:
        yield from _published(ls, changed)
    else:
        for path in gone:
            _take(ls, path, changes)
            yield
        yield from _affected_by(ls, dict.fromkeys((*changed, *gone)), changes)
    if not is_first and not session.client.watches:
        # Nobody reports a change of the files that templates depend on.
        recheck_systems(ls, {EVERY_SYSTEM})


def _taken_in(
    ls: Server, changed: Iterable[Path], changes: _Changes, *, is_first: bool
) -> Iterator[None]:
    """Takes in all changed files before one is checked, and adds their old and new names.

    Each change of a text makes what is known about its whole folder outdated.
    """
    session = ls.session
    for path in _still_there(ls.session, changed):
        if is_first:
            found = Placed(session.workspace, path).in_systems
            session.exported[path] = exports(session.workspace, path, found)
        else:
            changes.defined |= session.named.get(path, frozenset())
            session.files.rewritten(path)
            preview_changed(ls, path)
            _take(ls, path, changes)
        session.named[path] = session.exported[path].named
        yield


def _still_there(session: Session, paths: Iterable[Path]) -> Iterator[Path]:
    """Those of `paths` whose folder was not removed from the workspace since the scan began."""
    return (path for path in paths if path.parent in session.folders)


def _published(ls: Server, paths: Iterable[Path]) -> Iterator[None]:
    for path in _still_there(ls.session, paths):
        _check(ls, path)
        yield
