"""The state of the server between two messages.

Invariants: files are identified by absolute paths. Everything that follows from texts is computed
on request. Besides its inputs, the session stores only what the client was sent.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from pathlib import Path

from lsprotocol import types

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.server.convert import Client, to_path
from agent_lsp.workspace.exports import Exports, Names
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.placement import Placement, folder_placement, system_placements
from agent_lsp.workspace.search import is_searched
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, options_at, template_file

Mark = tuple[int, int, int]


# No system has this id.
EVERY_SYSTEM = "*"


class NextScan(Enum):
    """Which files a scan checks that waits for the current one to end."""

    CHANGED = "the files that have changed"
    EVERYTHING = "all files"


class Deciding(Enum):
    """By what a file decides about findings on others, besides its exports; its place tells it."""

    NOTHING = "nothing"
    TEXT = "its text"
    SERVERS = "the MCP servers that it configures"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a file tells about others: its exports, and `decides`, on which any file may depend."""

    exports: Exports
    decides: object


@dataclass(frozen=True, slots=True)
class Sent:
    """The diagnostics that the client has for one file, with the URI that they were sent for.

    Those that are not pushed are for the client to request.
    """

    uri: str
    version: int | None
    diagnostics: tuple[types.Diagnostic, ...]
    is_pushed: bool = True


class Placed:
    """A file in one event: where it is placed, and how it reads. Each is found out once."""

    def __init__(self, workspace: Workspace, path: Path) -> None:
        self.workspace, self.path = workspace, path

    @cached_property
    def in_systems(self) -> tuple[Placement, ...]:
        """The placement of the file in each system that reads it."""
        return system_placements(self.workspace, self.path)

    @cached_property
    def file(self) -> TemplateFile | None:
        """The file as its first program reads it, or None if it is no template."""
        return template_file(self.workspace, self.path, self.in_systems)


@dataclass(slots=True)
class Session:
    """The state of one connection.

    `workspace` is what the features read, and `folders` its template folders as a set. `editor` has
    the editor's settings for each folder. `complaints` are the problems of all settings, and
    `hidden` the messages about findings that a repository's settings hide; both were shown to the
    user.

    `watchers` are the registered file watchers. `attached` are the folders that the client was
    asked to attach to, each with whether subfolders belong to it.

    `uris` has the client's own URI of each open file, `aliases` all its URIs of one file, the last
    used at the end, and `held` the file of each URI.

    `begun` are the open files with a header that a person is typing, and `reported` the hash of
    the last text with a header whose findings were reported. `saves_itself` are those that the
    editor saves without being asked.

    `sent` has the diagnostics that the client has, and `outdated` are the files among them whose
    texts have changed on disk since. `marks` tells whether a closed file has changed on disk since
    it was checked, and `named` has the names that it had then. `places` has the files that the text
    of each template names. `exported` is what other files could see of a file when they were last
    checked, and `deciding` says what else others depend on. `pending` are files that have changed
    on disk since. `told` has what the file of the last event tells about others, with the file, the
    workspace and the number of changes that it is true of.

    `searched` are the workspace folders in which all folders of templates are known.

    `jobs` are background jobs. `typed` are those that check a long text that was typed. `scan` is
    the one that searches the workspace, and `next_scan` the one after it. `is_to_search`: the scan
    that waits begins with a search. `fresh_until` and `scanned_until` are times of
    `time.monotonic`; `scan_took` is the duration of the last scan in seconds. `disk_changes` are
    the URIs that `disk_job` will take in, each with whether it was reported again, and `in_hand`
    are those that it has begun with. `changed` are the files that `recheck_job` will check with
    those that they affect, and `had` are names that they had. `affected` are the systems, or
    families, whose files `affected_job` will check, and all files if `EVERY_SYSTEM` is among them.
    `demands` counts how often systems were added, and `checked` has that count at the last check of
    each file.

    `limited` has the version of each text for which the user was told that not all fixes were
    tried, and whether only the log says so.

    `answered` has the diagnostics of the last answers to requests for them, each with its id.
    `pulls_workspace`: the client has requested those of closed files, too. `is_asking` is true
    while a job waits that tells the client to request diagnostics again.

    `previews` has the text of each preview that the client has opened, and `is_refreshing` is true
    while a job waits that compares them.
    """

    workspace: Workspace
    client: Client
    folders: frozenset[Path] = frozenset()
    searched: frozenset[Path] = frozenset()
    editor: Mapping[Path, object] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    watchers: tuple[types.FileSystemWatcher, ...] = ()
    attached: tuple[tuple[Path, bool, str], ...] = ()
    uris: dict[Path, str] = field(default_factory=dict)
    aliases: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    held: dict[str, Path] = field(default_factory=dict)
    begun: set[Path] = field(default_factory=set)
    reported: dict[Path, int] = field(default_factory=dict)
    saves_itself: set[Path] = field(default_factory=set)
    sent: dict[Path, Sent] = field(default_factory=dict)
    outdated: set[Path] = field(default_factory=set)
    marks: dict[Path, Mark | None] = field(default_factory=dict)
    named: dict[Path, Names] = field(default_factory=dict)
    places: dict[Path, frozenset[Path]] = field(default_factory=dict)
    exported: dict[Path, Exports] = field(default_factory=dict)
    pending: set[Path] = field(default_factory=set)
    deciding: dict[Path, Deciding] = field(default_factory=dict)
    told: tuple[tuple[Path, Workspace, int], Effect] | None = None
    jobs: deque[Iterator[None]] = field(default_factory=deque)
    scan: Generator[None, None, None] | None = None
    next_scan: NextScan | None = None
    is_to_search: bool = False
    fresh_until: float = 0.0
    scanned_until: float = 0.0
    scan_took: float | None = None
    typed: dict[Path, Generator[None, None, None]] = field(default_factory=dict)
    reports: int = 0
    disk_changes: dict[str, bool] = field(default_factory=dict)
    in_hand: dict[str, bool] = field(default_factory=dict)
    disk_job: Generator[None, None, None] | None = None
    changed: dict[Path, None] = field(default_factory=dict)
    had: set[tuple[str, str]] = field(default_factory=set)
    recheck_job: Generator[None, None, None] | None = None
    affected: set[str] = field(default_factory=set)
    affected_job: Generator[None, None, None] | None = None
    demands: int = 0
    checked: dict[Path, int] = field(default_factory=dict)
    limited: dict[Path, tuple[int | None, bool]] = field(default_factory=dict)
    answered: dict[Path, tuple[str, tuple[types.Diagnostic, ...]]] = field(default_factory=dict)
    pulls_workspace: bool = False
    is_asking: bool = False
    previews: dict[str, str] = field(default_factory=dict)
    is_refreshing: bool = False

    @property
    def files(self) -> Files:
        """The files of the workspace."""
        return self.workspace.files


def path_at(session: Session, uri: object) -> Path | None:
    """The file that `uri` names, as the disk spells it, or None if it does not name a file.

    An open file keeps the path that it was opened with, even if its name on disk changes.
    """
    if not isinstance(uri, str):
        return None
    held = session.held.get(uri)
    path = to_path(uri) if held is None else held
    return session.files.spelt(path) if path is not None and held is None else held


def uri_of(session: Session, path: Path) -> str:
    """The client's own URI of the file at `path`."""
    return session.uris.get(path) or path.as_uri()


def is_pulled(session: Session, path: Path) -> bool:
    """Whether the client requests the diagnostics of `path`, so that they are not pushed."""
    is_there = session.pulls_workspace or session.files.is_open(path)
    return session.client.pulls and is_there


def set_folders(session: Session, folders: Iterable[Path]) -> None:
    """Makes `folders` the template folders of the workspace."""
    session.workspace = replace(session.workspace, folders=tuple(sorted(folders)))
    session.folders = frozenset(session.workspace.folders)


def is_reported(session: Session, path: Path, placed: Placed | None = None) -> bool:
    """Whether to publish diagnostics for `path`; `placed` is known in an event about the file.

    A closed file is reported only in the workspace, only if the settings ask for closed files, and
    not while it is open by another name to which a link leads.
    """
    placed = placed or Placed(session.workspace, path)
    if not placed.in_systems and placed.file is None:
        return False
    if path.parent in session.folders and not session.files.is_open(path):
        if not session.files.is_spelt(path):
            # The file is reported under its name as the disk spells it.
            return False
        wanted = options_at(session.workspace, path).closed_files
        return wanted and not any(twins(session, path, session.files.opened()))
    if path.parent in session.folders:
        return True
    return session.files.is_open(path) and not _is_shipped(session, path.parent)


def twins(session: Session, path: Path, among: Iterable[Path]) -> Iterator[Path]:
    """The paths in `among` that name the file at `path`, too, through links to folders."""
    files = session.files
    for other in among:
        is_alike = other.name == path.name and other != path
        if is_alike and files.real(other) == files.real(path):
            yield other


def is_unknown_folder(session: Session, folder: Path) -> bool:
    """Whether a scan would search `folder`, and none has found it yet."""
    inside = any(root == folder or root in folder.parents for root in session.workspace.roots)
    return inside and folder not in session.folders and is_searched(session.workspace, folder)


def mark(path: Path) -> Mark | None:
    """A value that changes when the file at `path` does; None if there is no file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_mode


def _is_shipped(session: Session, folder: Path) -> bool:
    """Whether `folder` is part of the product: users cannot fix findings in its files."""
    owner = folder_placement(session.workspace, folder)
    return owner is not None and owner.scope.builtin and folder not in owner.options.folders
