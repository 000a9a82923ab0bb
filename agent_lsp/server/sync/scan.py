"""Searches the workspace for templates, and checks the closed ones.

Invariants: a closed file is checked again only if it has changed, or the set of files with its name
has. Open files come first. While a scan is in progress, at most one more waits.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import TypeVar

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
from agent_lsp.server.sync.jobs import is_waiting, later, shown
from agent_lsp.server.sync.publish import (
    agents_changed,
    preview_changed,
    publish,
    redraw,
    tell_hidden,
)
from agent_lsp.server.sync.recheck import Changes, affected_by, check, recheck_systems, take
from agent_lsp.server.sync.registration import attach
from agent_lsp.server.sync.watch import watch
from agent_lsp.workspace.exports import exports
from agent_lsp.workspace.search import template_folders, templates

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
    if is_scanning(session) and not is_waiting(session.scan):
        is_more = everything or session.next_scan is NextScan.EVERYTHING
        session.next_scan = NextScan.EVERYTHING if is_more else NextScan.CHANGED
        return
    if everything:
        session.marks.clear()
    session.is_to_search |= is_search or not _is_searched(session)
    if not is_scanning(session):
        session.scan = shown(ls, _scan(ls), "Checking agent templates")
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


def _scan(ls: Server) -> Generator[None, None, None]:
    session = ls.session
    is_search, session.is_to_search = session.is_to_search, False
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
    changed, seen, changes = [], set(), Changes(set())
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
            take(ls, path, changes)
            yield
        yield from affected_by(ls, dict.fromkeys((*changed, *gone)), changes)
    if not is_first and not session.client.watches:
        # Nobody reports a change of the files that templates depend on.
        recheck_systems(ls, {EVERY_SYSTEM})


def _taken_in(
    ls: Server, changed: Iterable[Path], changes: Changes, *, is_first: bool
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
            take(ls, path, changes)
        session.named[path] = session.exported[path].named
        yield


def _still_there(session: Session, paths: Iterable[Path]) -> Iterator[Path]:
    """Those of `paths` whose folder was not removed from the workspace since the scan began."""
    return (path for path in paths if path.parent in session.folders)


def _published(ls: Server, paths: Iterable[Path]) -> Iterator[None]:
    for path in _still_there(ls.session, paths):
        check(ls, path)
        yield
