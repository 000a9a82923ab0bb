"""Looks at the closed files of the workspace: at all, or at those that a change concerns.

Invariants: a closed file is looked at again only if it, or the set of files of its name, has
changed; open files go first.
"""

from collections.abc import Generator, Iterable, Iterator
from inspect import GEN_CREATED, getgeneratorstate
from pathlib import Path
from time import monotonic

from agent_lsp.analysis.navigation.names import Agent, names
from agent_lsp.analysis.rules.naming import name_for
from agent_lsp.dialects.model import Dialect
from agent_lsp.server.jobs import later
from agent_lsp.server.live import preview_changed
from agent_lsp.server.progress import shown
from agent_lsp.server.publish import publish
from agent_lsp.server.redraw import redraw
from agent_lsp.server.server import Server
from agent_lsp.server.session import (
    NextScan,
    Session,
    is_reported,
    is_unknown_folder,
    mark,
    set_folders,
)
from agent_lsp.workspace.index import dialect_at, strays_at
from agent_lsp.workspace.search import template_folders, templates

# A dialect, and the name of an agent in the first of its spellings.
_Name = tuple[str, str]

# Searching again takes at most this part of the time, however large the workspace is.
_SHARE = 0.05


def rescan(ls: Server, *, everything: bool = False) -> None:
    """Searches the roots, then looks at the files that changed, or at `everything`.

    A scan that is under way goes on, or a disk that never rests would let none come to its end.
    """
    session = ls.session
    session.files.refresh()
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
        session.scan = shown(ls, _scan(ls), "Looking at agent templates")
        later(ls, session.scan)


def is_scanning(session: Session) -> bool:
    """Whether a scan is under way."""
    return session.scan is not None and session.scan in session.jobs


def recheck(ls: Server, changed: Iterable[Path]) -> Iterator[None]:
    """Looks at `changed`, and at all files that define one of their names, or an alike one.

    In a folder that systems share, one file can decide for whose the others are taken.
    """
    session = ls.session
    names, folders = set[_Name](), set[Path]()
    for path in changed:
        names |= _names(session, path)
        known = dialect_at(session.workspace, path)
        folders |= {path.parent} if known is not None and known.shared is not None else set()
        publish(ls, path)
        yield
    if not names:
        return
    for path in session.files.opened():
        if _names(session, path) & names or path.parent in folders:
            publish(ls, path)
    for folder in session.workspace.folders:
        for entry in session.files.entries(folder):
            if folder in folders or _names(session, folder / entry) & names:
                publish(ls, folder / entry)
        yield
    redraw(ls)


def _names(session: Session, path: Path) -> set[_Name]:
    """The names that a runtime knows `path` under, or would if it lay in its right place."""
    known = dialect_at(session.workspace, path)
    found = {_alike(known, path)} if known is not None else set()
    found |= {_alike(at.dialect, path) for at in strays_at(session.workspace, path)}
    return {name for name in found if name is not None}


def _alike(known: Dialect, path: Path) -> _Name | None:
    """One name for all that a call of `known` can mistake for the one of the file at `path`."""
    name = name_for(known, path, "md")
    if name is None:
        return None
    agent = known.name_of(name) or ""
    spelt = known.spellings(agent) if known.spellings is not None else iter((agent,))
    # Names that can be meant by one spelling have the same spellings, in the same order.
    return known.id, next(spelt, agent)


def _scan(ls: Server) -> Generator[None, None, None]:
    session = ls.session
    begun = monotonic()
    found: dict[Path, None] = {}
    for root in session.workspace.roots:
        for folder in template_folders(session.workspace, root):
            if folder is not None:
                found[folder] = None
            yield
    set_folders(session, found)
    set_folders(session, (*found, *_only_held(session)))
    for path in session.files.opened():
        publish(ls, path)
        yield
    redraw(ls)
    yield from _closed_files(ls)
    now = monotonic()
    session.scanned_until = now + (now - begun) / _SHARE
    following, session.next_scan, session.scan = session.next_scan, None, None
    if following is not None:
        rescan(ls, everything=following is NextScan.EVERYTHING)


def _note(session: Session, path: Path) -> None:
    """Keeps the names in a file just read: who searches must not wait for all to be read."""
    known = dialect_at(session.workspace, path)
    name = known.name_of(path.name) if known is not None else None
    if known is not None and name is not None:
        names(session.workspace, Agent(known, name, path, is_kept=True))


def _only_held(session: Session) -> tuple[Path, ...]:
    """The template folders that will exist once an open file in them is saved."""
    folders = dict.fromkeys(path.parent for path in session.files.opened())
    return tuple(
        folder
        for folder in folders
        if not session.files.exists(folder) and is_unknown_folder(session, folder)
    )


def _closed_files(ls: Server) -> Iterator[None]:
    """Looks at the files whose mark has changed, and at those that their changes concern."""
    session = ls.session
    # The first time each file is looked at when all the others are known already.
    is_first = not session.marks
    changed, seen = [], set()
    for path in templates(session.workspace):
        seen.add(path)
        now = mark(path)
        # A file that only the editor holds has no mark, and is new all the same.
        if path not in session.marks or session.marks[path] != now:
            session.marks[path] = now
            changed.append(path)
            if not is_first:
                session.files.rewritten(path)
                preview_changed(ls, path)
            publish(ls, path)
            _note(session, path)
        yield
    # A file that came up by an event has been published, and may never have had a mark.
    gone = {path: None for path in (*session.marks, *session.sent) if path not in seen}
    for path in gone:
        session.marks.pop(path, None)
        preview_changed(ls, path)
    for path in [path for path in session.sent if path in gone or not is_reported(session, path)]:
        publish(ls, path)
    if not is_first:
        yield from recheck(ls, (*changed, *gone))
