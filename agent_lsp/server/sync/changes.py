"""Handles changes of texts in the editor and of files on disk.

Invariants: the diagnostics of the changed file are published at once, those of other files in the
background. A keystroke affects other files only if it changes the exports of the file: the names
that it defines, and who can use its agent.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from time import monotonic

from lsprotocol import types

from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.server.convert import to_path
from agent_lsp.server.server import Server
from agent_lsp.server.session import (
    EVERY_SYSTEM,
    Deciding,
    Effect,
    Placed,
    Session,
    is_unknown_folder,
    twins,
)
from agent_lsp.server.sync.configuration import load
from agent_lsp.server.sync.jobs import is_waiting, later
from agent_lsp.server.sync.publish import (
    follow,
    look,
    mistakes,
    preview_changed,
    publish,
    publish_typed,
    resume,
)
from agent_lsp.server.sync.recheck import export, recheck, recheck_systems
from agent_lsp.server.sync.scan import is_scanning, rescan
from agent_lsp.server.sync.watch import watch
from agent_lsp.workspace.exports import exports, named
from agent_lsp.workspace.mcp_servers import is_for_servers, may_configure, named_in
from agent_lsp.workspace.placement import may_be_template
from agent_lsp.workspace.programs import is_trace
from agent_lsp.workspace.skills import is_skill, skill_test

# In seconds: the least time between two refreshes of files that the client does not watch.
_EVERY = 2.0
# More changes at once than this are a change of branch, and a full scan is cheaper.
_MANY = 100
# Messages about changes on disk that come one after another; more are a checkout.
_FEW = 10


def hold(ls: Server, path: Path, uri: str, text: str, version: int) -> None:
    """Takes the text of a file that the editor has opened as `uri`."""
    session = ls.session
    before, programs = _effect(session, path), _programs(session, path)
    others = (other for other in session.aliases.get(path, ()) if other != uri)
    session.aliases[path], session.uris[path] = (*others, uri), uri
    session.held[uri] = path
    session.files.open(path, text, version)
    resume(session, path, text, version)
    _take_settings(ls, path)
    _publish_all(ls, path, is_asked=True)
    _settle(ls, path, before, programs)


def typed(ls: Server, path: Path, text: str, version: int) -> None:
    """Takes the changed text of an open file."""
    session = ls.session
    before, old = _effect(session, path), session.workspace.files.read(path)
    session.workspace.files.open(path, text, version)
    _take_settings(ls, path)
    placed = Placed(session.workspace, path)
    left = follow(session, placed, old.text if old is not None else "", text)
    publish_typed(ls, path, placed)
    preview_changed(ls, path, placed)
    for other in left:
        publish(ls, other)
    _recheck(ls, path, before, placed)


def cursor_is_at(
    ls: Server, document: types.TextDocumentIdentifier, position: types.Position
) -> None:
    """Takes in where the cursor is, as a request tells."""
    for path in look(ls.session, document, position):
        publish(ls, path)


def release(ls: Server, path: Path, uri: str) -> None:
    """Closes a file that the editor had opened as `uri`."""
    session = ls.session
    session.held.pop(uri, None)
    others = tuple(other for other in session.aliases.pop(path, ()) if other != uri)
    session.begun.discard(path)
    session.reported.pop(path, None)
    if others:
        session.aliases[path], session.uris[path] = others, others[-1]
        publish(ls, path)
        return
    before, programs = _effect(session, path), _programs(session, path)
    session.uris.pop(path, None)
    session.limited.pop(path, None)
    session.files.close(path)
    _take_settings(ls, path)
    _publish_all(ls, path)
    preview_changed(ls, path)
    _settle(ls, path, before, programs)


def saved(ls: Server, path: Path) -> None:
    """Takes in that the editor has written `path` to disk."""
    session = ls.session
    session.files.changed(path)
    if path in session.saves_itself:
        session.saves_itself.discard(path)
    else:
        session.begun.discard(path)
    if path.name == SETTINGS_FILE:
        load(ls)
    publish(ls, path)
    if may_configure(path, session.workspace.systems):
        rescan(ls)


def on_disk(ls: Server, uris: Iterable[str]) -> None:
    """Takes in that the files of `uris` were created, changed or deleted on disk.

    What the client goes on to report while the server works is taken in together: some clients send
    a message for each file of a checkout, and each takes a look at all files of the folder.
    """
    session = ls.session
    for uri in uris:
        is_again = uri in session.disk_changes or uri in session.in_hand
        session.disk_changes[uri] = is_again
    session.reports = session.reports + 1 if session.jobs else 0
    if session.reports < _FEW and len(session.disk_changes) <= _MANY:
        settle(ls)
    elif not is_waiting(session.disk_job):
        session.disk_job = _in_steps(ls)
        later(ls, session.disk_job)


def settle(ls: Server) -> None:
    """Takes in now the changes on disk that were reported, so that a request is answered with them.

    No request waits for many changes.
    """
    session = ls.session
    if session.disk_job is not None and 0 < len(session.in_hand) <= _MANY:
        # The job has begun.
        for _ in session.disk_job:
            pass
    if 0 < len(session.disk_changes) <= _MANY:
        for _ in _taken_in(ls, session.disk_changes):
            pass


def _in_steps(ls: Server) -> Generator[None, None, None]:
    """Takes in the changes on disk that wait."""
    session = ls.session
    session.in_hand = session.disk_changes
    try:
        yield from _taken_in(ls, session.in_hand)
    finally:
        session.in_hand = {}


def _taken_in(ls: Server, told: Mapping[str, bool]) -> Iterator[None]:
    session = ls.session
    session.disk_changes = {}
    given, by_links = dict[Path, None](), dict[Path, list[Path]]()
    for folder in session.workspace.folders:
        by_links.setdefault(session.files.real(folder), []).append(folder)
        yield
    for uri, is_again in told.items():
        path = to_path(uri)
        if path is None:
            continue
        if is_again:
            # Others may have seen the file between two changes.
            session.pending.add(path)
        # The disk reports the real name of a file to whose folder links lead.
        parent = path.parent
        folders = by_links.get(session.files.real(parent), ())
        given[path] = None
        given.update((folder / path.name, None) for folder in folders if folder != parent)
        yield
    systems = session.workspace.systems
    # Any template may name a skill, so that a changed one needs a full scan.
    changed, is_skill_here, has_settings = list[Path](), skill_test(systems), False
    for path in given:
        name = path.name
        has_settings = has_settings or name == SETTINGS_FILE
        if may_be_template(systems, name) and not is_skill_here(path):
            changed.append(path)
        yield
    naming = _naming(session, given)
    yield
    if len(changed) > _MANY:
        yield from _branch_changed(ls, given, changed)
    else:
        _few_changed(ls, given, changed, {path for paths in naming.values() for path in paths})
    for path in naming:
        publish(ls, path)
        yield
    if has_settings:
        load(ls)


def _branch_changed(ls: Server, given: Iterable[Path], changed: list[Path]) -> Iterator[None]:
    """Takes in many changes: a scan does all that follows, in slices."""
    session, templates, folders = ls.session, frozenset(changed), set[Path]()
    is_about_templates = True
    for path in given:
        if path not in templates:
            session.files.changed(path)
            is_about_templates = False
        else:
            folders.add(path.parent)
            if path in session.sent:
                session.outdated.add(path)
            if path in session.marks:
                # No file has this mark, so that the scan looks at it again.
                session.marks[path] = None
        yield
    is_unknown = False
    for folder in folders:
        is_unknown = is_unknown or is_unknown_folder(session, folder)
        yield
    rescan(ls, is_search=not is_about_templates or is_unknown)
    if not is_about_templates:
        recheck_systems(ls, {EVERY_SYSTEM})


def _few_changed(
    ls: Server, given: Iterable[Path], changed: list[Path], named_places: Iterable[Path]
) -> None:
    """Takes in changes; only templates name `named_places`, and they are published afterwards."""
    session = ls.session
    systems = session.workspace.systems
    # Some of these files are written all day long, and seldom have other servers then.
    may_have_servers = [path for path in given if may_configure(path, systems)]
    configured = [named_in(path, systems, session.files) for path in may_have_servers]
    before = frozenset().union(*(named(session.workspace, path) for path in changed))
    # The memos of these files and folders are outdated.
    for path in given:
        session.files.changed(path)
    gone = _gone_beside(session, changed)
    changed = [*changed, *gone]
    seen = (session.exported[path].named for path in gone if path in session.exported)
    before = before.union(*seen)
    # Forget the other spellings as well: the file may have been renamed to one of them.
    others = [path for path in changed if not session.files.is_spelt(path)]
    spelt = list(map(session.files.spelt, others))
    for path in spelt:
        session.files.changed(path)
    for path in session.pending.intersection(changed):
        # Others may have seen the file as it was in between, though it is as before by now.
        session.exported.pop(path, None)
    session.pending.update(changed)
    session.outdated.update(path for path in (*changed, *spelt) if path in session.sent)
    is_unknown = any(is_unknown_folder(session, path.parent) for path in changed)
    is_other = configured != [named_in(path, systems, session.files) for path in may_have_servers]
    known = {*changed, *named_places, *(path for path in given if _is_configuration(session, path))}
    if is_other or not known.issuperset(given):
        # A program that counts now, or counts no more, speaks for files that have not changed.
        is_about_all = any(is_trace(path, systems) for path in given)
        rescan(ls, everything=is_about_all)
        if not is_about_all:
            recheck_systems(ls, {EVERY_SYSTEM})
        return
    if is_unknown:
        rescan(ls)
        return
    recheck(ls, (*changed, *spelt), before)
    for path in (*changed, *spelt):
        preview_changed(ls, path)


def _gone_beside(session: Session, paths: Iterable[Path]) -> list[Path]:
    """The files that went from the folders of `paths`, of which the client may not have told.

    A client that is told of a folder that went and came back may tell only of what is in it now.
    """
    files, folders, checked = session.files, {path.parent for path in paths}, session.marks
    beside = [path for path in {**checked, **session.sent} if path.parent in folders]
    gone = [path for path in beside if path.name not in files.entries(path.parent)]
    for path in gone:
        checked.pop(path, None)
        files.rewritten(path)
    return gone


def _is_configuration(session: Session, path: Path) -> bool:
    """Whether the file at `path` is one of settings or of MCP servers."""
    return path.name == SETTINGS_FILE or is_for_servers(path, session.workspace.systems)


def _naming(session: Session, paths: Iterable[Path]) -> dict[Path, frozenset[Path]]:
    """The templates whose text names one of `paths`, or something in or beside it.

    Each has those of the paths that it names or that hold what it names. What is beside may be the
    file that a misspelt path means.
    """
    if not session.places:
        return {}
    given, found = frozenset(paths), dict[Path, frozenset[Path]]()
    folders = {path.parent for path in given}
    for path, places in session.places.items():
        around = places.union(place.parent for place in places)
        if around & given or around & folders:
            found[path] = around & given
    return found


def refresh_if_due(ls: Server) -> None:
    """Refreshes the state of files that the client does not watch, if it is too old."""
    session = ls.session
    now = monotonic()
    if now < session.fresh_until:
        return
    session.fresh_until = now + _EVERY
    if session.client.watches and session.client.watches_outside:
        watched = session.watchers
        watch(ls)
        if session.watchers != watched:
            session.files.refresh(session.folders)
        return
    session.files.refresh(session.folders)
    if session.client.watches:
        return
    load(ls)
    if not is_scanning(session) and now >= session.scanned_until:
        rescan(ls)


def _take_settings(ls: Server, path: Path) -> None:
    """Takes the settings in `path`, if it is a settings file; half-typed ones do not count yet."""
    if path.name == SETTINGS_FILE and not mistakes(ls.session, path):
        load(ls)


def _publish_all(ls: Server, path: Path, *, is_asked: bool = False) -> None:
    """Publishes the diagnostics of `path`, and updates those of its other names."""
    publish(ls, path, is_asked=is_asked)
    known = (*ls.session.sent, *ls.session.marks)
    for other in dict.fromkeys(twins(ls.session, path, known)):
        publish(ls, other)


def _effect(session: Session, path: Path, placed: Placed | None = None) -> Effect:
    """What the file at `path` tells about others, known from the last event if nothing changed."""
    state = (path, session.workspace, session.workspace.files.answers.changes)
    if session.told is None or session.told[0] != state:
        session.told = state, _told(session, path, placed or Placed(session.workspace, path))
    return session.told[1]


def _told(session: Session, path: Path, placed: Placed) -> Effect:
    files = session.workspace.files
    if path not in session.deciding:
        session.deciding[path] = _deciding(session, path)
    kind = session.deciding[path]
    decides: object = None
    if kind is Deciding.TEXT:
        file = files.read(path)
        decides = hash(file.text) if file is not None else None
    elif kind is Deciding.SERVERS:
        decides = named_in(path, session.workspace.systems, files)
    return Effect(exports(session.workspace, path, placed.in_systems), decides)


def _deciding(session: Session, path: Path) -> Deciding:
    systems = session.workspace.systems
    markers = (marker for one in systems for rule in one.scopes for marker in rule.markers)
    is_marker = path.name in {PurePosixPath(marker).name for marker in markers}
    if is_marker or is_skill(path, systems):
        return Deciding.TEXT
    return Deciding.SERVERS if may_configure(path, systems) else Deciding.NOTHING


def _programs(session: Session, path: Path) -> tuple[bool, ...]:
    """Whether each folder above `path` exists that shows that a program is used.

    It may exist only because a file in it is open, and goes when that file is closed.
    """
    systems = session.workspace.systems
    return tuple(session.files.is_folder(one) for one in path.parents if is_trace(one, systems))


def _settle(ls: Server, path: Path, before: Effect, programs: tuple[bool, ...]) -> None:
    """Rechecks other files if what `path` tells about them has changed since `before`."""
    if _programs(ls.session, path) != programs:
        rescan(ls, everything=True)
    elif is_unknown_folder(ls.session, path.parent):
        rescan(ls)
    else:
        _recheck(ls, path, before)


def _recheck(ls: Server, path: Path, before: Effect, placed: Placed | None = None) -> None:
    now = _effect(ls.session, path, placed)
    if now.exports != before.exports:
        recheck(ls, [path], before.exports.names)
        # Before the job runs, the text may be as it was, but other files have seen this one.
        export(ls, path)
    if now.decides != before.decides:
        if ls.session.deciding[path] is Deciding.TEXT:
            # A manifest that exists only in the editor makes folders those of templates.
            rescan(ls)
        recheck_systems(ls, {EVERY_SYSTEM})
