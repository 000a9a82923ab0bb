"""Takes in what changes: texts in the editor, files on the disk.

Invariants: the file that a change is about is answered at once, others when it is quiet; a
keystroke concerns no other file unless it changes what others can see of this one: the names that
it defines for the runtime, and for whom its agent is there.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic

from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.server.server import Server
from agent_lsp.server.session import Session, is_unknown_folder, twins
from agent_lsp.server.sync.configuration import load
from agent_lsp.server.sync.jobs import later
from agent_lsp.server.sync.publish import preview_changed, publish
from agent_lsp.server.sync.scan import is_scanning, recheck, rescan
from agent_lsp.server.sync.watch import watch
from agent_lsp.workspace.exports import Exports, exports, named
from agent_lsp.workspace.mcp_servers import is_for_servers
from agent_lsp.workspace.placement import may_be_template

# The disk is asked at most this often about what the client does not watch, in seconds.
_EVERY = 2.0
# So many files at once are a change of branch; going through all of them is cheaper then.
_MANY = 100


def hold(ls: Server, path: Path, uri: str, text: str, version: int) -> None:
    """The editor holds `text` for `path`, under its own name for it."""
    session = ls.session
    before = exports(session.workspace, path)
    others = (other for other in session.aliases.get(path, ()) if other != uri)
    session.aliases[path], session.uris[path] = (*others, uri), uri
    session.held[uri] = path
    session.files.open(path, text, version)
    _publish_all(ls, path)
    _settle(ls, path, before)


def typed(ls: Server, path: Path, text: str, version: int) -> None:
    """The text of an open file has changed."""
    session = ls.session
    before = exports(session.workspace, path)
    session.files.open(path, text, version)
    publish(ls, path)
    preview_changed(ls, path)
    if exports(session.workspace, path) != before:
        later(ls, recheck(ls, [path], before.names))


def release(ls: Server, path: Path, uri: str) -> None:
    """The editor gives `path` up, under this name for it."""
    session = ls.session
    session.held.pop(uri, None)
    others = tuple(other for other in session.aliases.pop(path, ()) if other != uri)
    if others:
        session.aliases[path], session.uris[path] = others, others[-1]
        publish(ls, path)
        return
    before = exports(session.workspace, path)
    session.uris.pop(path, None)
    session.files.close(path)
    _publish_all(ls, path)
    preview_changed(ls, path)
    _settle(ls, path, before)


def saved(ls: Server, path: Path) -> None:
    """The editor has written `path`."""
    ls.session.files.changed(path)
    if path.name == SETTINGS_FILE:
        load(ls)
    publish(ls, path)


def on_disk(ls: Server, paths: Iterable[Path]) -> None:
    """Something has happened to `paths` on disk."""
    session = ls.session
    given = dict.fromkeys(name for path in paths for name in (path, *_by_links(session, path)))
    changed = [path for path in given if may_be_template(session.workspace.systems, path.name)]
    settings = [path for path in given if path.name == SETTINGS_FILE]
    # No finding depends on servers, and some of these files are written all day long.
    servers = [
        path
        for path in given
        if is_for_servers(path, session.workspace.systems, session.workspace.host_paths)
    ]
    before = frozenset().union(*(named(session.workspace, path) for path in changed))
    # The memos of these files and folders are outdated.
    for path in given:
        session.files.changed(path)
    # Nor must a name that the disk takes for another one: it may be called so since.
    others = [path for path in changed if not session.files.is_spelt(path)]
    spelt = list(map(session.files.spelt, others))
    for path in spelt:
        session.files.changed(path)
    unknown = any(is_unknown_folder(session, path.parent) for path in changed)
    if unknown or len(given) > sum(map(len, (changed, settings, servers))) or len(changed) > _MANY:
        rescan(ls)
    else:
        later(ls, recheck(ls, (*changed, *spelt), before))
        for path in (*changed, *spelt):
            preview_changed(ls, path)
    if settings:
        load(ls)


def refresh_if_due(ls: Server) -> None:
    """Asks the disk again about what the client does not watch."""
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


def _by_links(session: Session, path: Path) -> Iterator[Path]:
    """The names that links to its folder give to a file of which the disk tells the real one."""
    real = session.files.real(path.parent)
    for folder in session.workspace.folders:
        if folder != path.parent and session.files.real(folder) == real:
            yield folder / path.name


def _publish_all(ls: Server, path: Path) -> None:
    """Says what is found in `path`, once for all the names that it has."""
    publish(ls, path)
    known = (*ls.session.sent, *ls.session.marks)
    for other in dict.fromkeys(twins(ls.session, path, known)):
        publish(ls, other)


def _settle(ls: Server, path: Path, before: Exports) -> None:
    """Looks at the other files if `path` defines others than `before`, or none any more."""
    if is_unknown_folder(ls.session, path.parent):
        rescan(ls)
    elif exports(ls.session.workspace, path) != before:
        later(ls, recheck(ls, [path], before.names))
