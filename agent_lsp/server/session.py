"""The state of the server between two messages.

Invariants: files are known by absolute path; everything that can be computed from texts is
computed when it is asked for; besides the inputs only what the client was told is kept.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from lsprotocol import types

from agent_lsp.server.client import Client
from agent_lsp.server.convert import to_path
from agent_lsp.workspace.exports import Names
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.search import is_searched
from agent_lsp.workspace.snapshot import Workspace, is_template, options_at

Mark = tuple[int, int, int]


class NextScan(Enum):
    """The files for a scan that waits for the current one."""

    CHANGED = "the files that have changed"
    EVERYTHING = "all files"


@dataclass(frozen=True, slots=True)
class Sent:
    """The diagnostics that the client has for one file, and under which name."""

    uri: str
    version: int | None
    diagnostics: tuple[types.Diagnostic, ...]


@dataclass(slots=True)
class Session:
    """The state of one connection.

    `workspace` is what features look at; `folders` its template folders as a set; `editor` is
    what the editor's settings say about a folder, `complaints` what is wrong with any settings
    and `hidden` what was said of findings that a repository's settings hide;
    `attached` are the folders to which the client was asked to attach, with whether deep;
    `uris` are the client's own names of the open files, `aliases` all that it has for one, the one
    in use last, and `held` are the files by these names; `marks` tell whether a closed file has
    changed on disk since it was looked at, and `named` what it was called by then; `jobs` is work
    that waits for a quiet moment, `scan` the one that goes through the workspace, and `next_scan`
    what follows it. The two times are those of `time.monotonic`; `scan_took` are the seconds of the
    last scan. `previews` are the texts of what the client reads as documents, `is_refreshing` says
    that a look at them waits for its turn.
    """

    workspace: Workspace
    client: Client
    folders: frozenset[Path] = frozenset()
    editor: Mapping[Path, object] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    watchers: tuple[types.FileSystemWatcher, ...] = ()
    attached: tuple[tuple[Path, bool], ...] = ()
    uris: dict[Path, str] = field(default_factory=dict)
    aliases: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    held: dict[str, Path] = field(default_factory=dict)
    sent: dict[Path, Sent] = field(default_factory=dict)
    marks: dict[Path, Mark | None] = field(default_factory=dict)
    named: dict[Path, Names] = field(default_factory=dict)
    jobs: deque[Iterator[None]] = field(default_factory=deque)
    scan: Generator[None, None, None] | None = None
    next_scan: NextScan | None = None
    fresh_until: float = 0.0
    scanned_until: float = 0.0
    scan_took: float | None = None
    previews: dict[str, str] = field(default_factory=dict)
    is_refreshing: bool = False

    @property
    def files(self) -> Files:
        """The texts of the workspace."""
        return self.workspace.files


def path_at(session: Session, uri: object) -> Path | None:
    """The file that `uri` names, as the disk spells it, or None where it names no file.

    An open file keeps the name that it was opened by, also if it is spelled otherwise meanwhile.
    """
    if not isinstance(uri, str):
        return None
    held = session.held.get(uri)
    path = to_path(uri) if held is None else held
    return session.files.spelt(path) if path is not None and held is None else held


def uri_of(session: Session, path: Path) -> str:
    """The client's own name of the file at `path`."""
    return session.uris.get(path) or path.as_uri()


def set_folders(session: Session, folders: Iterable[Path]) -> None:
    """Lets `folders` be the template folders of the workspace."""
    session.workspace = replace(session.workspace, folders=tuple(sorted(folders)))
    session.folders = frozenset(session.workspace.folders)


def is_reported(session: Session, path: Path) -> bool:
    """Whether the client wants to hear about `path`.

    Closed files count in the workspace only, only where they are wanted at all, and not while
    they are open under another name that links give them.
    """
    if not is_template(session.workspace, path):
        return False
    if path.parent in session.folders and not session.files.is_open(path):
        if not session.files.is_spelt(path):
            # The file is reported by the name that it has.
            return False
        wanted = options_at(session.workspace, path).closed_files
        return wanted and not any(twins(session, path, session.files.opened()))
    if path.parent in session.folders:
        return True
    return session.files.is_open(path) and not _is_shipped(session, path.parent)


def twins(session: Session, path: Path, among: Iterable[Path]) -> Iterator[Path]:
    """The other names of the file at `path` that links to folders give it."""
    files = session.files
    for other in among:
        is_alike = other.name == path.name and other != path
        if is_alike and files.real(other) == files.real(path):
            yield other


def is_unknown_folder(session: Session, folder: Path) -> bool:
    """Whether `folder` is one to search in the workspace, and no scan has come across it yet."""
    inside = any(root == folder or root in folder.parents for root in session.workspace.roots)
    return inside and folder not in session.folders and is_searched(session.workspace, folder)


def mark(path: Path) -> Mark | None:
    """A value that changes when the file at `path` does; None where there is none."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_mode


def _is_shipped(session: Session, folder: Path) -> bool:
    """Whether `folder` came with the product: nobody can act on what is said about its files."""
    owner = folder_placement(session.workspace, folder)
    return owner is not None and owner.scope.builtin and folder not in owner.options.folders
