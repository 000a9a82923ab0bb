"""Checks the files that a change of another file affects, in the background.

Invariants: at most one check of each kind waits; a change that comes before it begins joins it, and
the last state counts. So the work is bounded, however fast changes come. Open files come first.
Names that a call can mistake for each other count as one. A misplaced file has the name that it
would have in the right folder.
"""

from collections.abc import Callable, Collection, Container, Generator, Iterable, Iterator
from pathlib import Path

from agent_lsp.analysis.checks.files import name_for
from agent_lsp.analysis.navigation.name_index import Agent, names
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.system import System
from agent_lsp.server.server import Server
from agent_lsp.server.session import EVERY_SYSTEM, Placed, Session
from agent_lsp.server.sync.jobs import is_waiting, later
from agent_lsp.server.sync.publish import agents_changed, publish, redraw
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

# The first system of each kind of names, which is looked up for each name of a workspace.
_SYSTEMS = Memo[dict[str, System]](Lifetime.TREE)
# The names in a step of a search. A look at one takes less time than a step of its own.
_AT_ONCE = 16


def recheck(ls: Server, changed: Iterable[Path], before: Names = frozenset()) -> None:
    """Checks `changed` in the background, and all files with one of their names, now or `before`.

    In a shared folder one file can decide to which system the others belong. If other files see
    something else of a file than before, all files of its systems are checked later.
    """
    session = ls.session
    session.changed.update(dict.fromkeys(changed))
    session.had.update(before)
    if not is_waiting(session.recheck_job):
        session.recheck_job = _recheck(ls)
        later(ls, session.recheck_job)


def _recheck(ls: Server) -> Generator[None, None, None]:
    session = ls.session
    again, session.changed = session.changed, {}
    changes, session.had = Changes(session.had), set()
    for path in again:
        take(ls, path, changes)
        yield
    yield from affected_by(ls, again, changes)


@dataclass(slots=True)
class Changes:
    """What changed files define: names, and those of misplaced files in canonical spelling.

    `folders` are the shared ones among the folders of these files.
    """

    defined: set[tuple[str, str]]
    misplaced: set[tuple[str, str]] = field(default_factory=set)
    folders: set[Path] = field(default_factory=set)


def take(ls: Server, path: Path, changes: Changes) -> None:
    """Adds what the file at `path` defines to `changes`, and stores what others see of it."""
    placed = Placed(ls.session.workspace, path)
    exported = export(ls, path, placed)
    changes.defined |= exported.named
    changes.misplaced |= _misplaced(placed.workspace, path, placed.in_systems)
    owner = placement_by_place(placed.workspace, path.parent)
    if owner is not None and owner.system.shared is not None:
        changes.folders.add(path.parent)


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


def affected_by(ls: Server, changed: Collection[Path], changes: Changes) -> Iterator[None]:
    """Checks `changed`, and the files that their `changes` affect."""
    session = ls.session
    wanted = spelt(session.workspace, changes.defined) | changes.misplaced
    places = dict(session.places)
    yield
    # The list of agents may also show a file that has no name any more.
    agents_changed(ls)
    done = set[Path]()
    for each in _to_check(session, changed, wanted, changes.folders):
        if each is not None and each not in done:
            done.add(each)
            check(ls, each)
        yield
    if session.places != places:
        # The changed files name others.
        watch(ls)
    if wanted or changes.folders:
        redraw(ls)
        agents_changed(ls)


def check(ls: Server, path: Path) -> None:
    """Publishes the diagnostics of `path`, and stores its names for a search in all files.

    The text and its tree are still at hand, and after some hundred other files they are not.
    """
    placed = Placed(ls.session.workspace, path)
    publish(ls, path, placed)
    if placed.in_systems:
        for _, name in named(placed.workspace, path, placed.in_systems):
            dialect = placed.in_systems[0].dialect
            names(placed.workspace, Agent(dialect, name, path, is_kept=True))


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


def recheck_systems(ls: Server, systems: Collection[str]) -> None:
    """Checks all files of `systems` in the background, those of `EVERY_SYSTEM` if it is one.

    A file that is checked after the last demand, and before this check begins, is not checked
    again.
    """
    session = ls.session
    session.affected.update(systems)
    session.demands += 1
    if not is_waiting(session.affected_job):
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
