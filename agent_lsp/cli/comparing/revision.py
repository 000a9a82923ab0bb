"""A disk on which a repository has the files of another revision, and the workspaces of two."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from agent_lsp.analysis.agents_diff import agents_diff
from agent_lsp.analysis.diagnostics import examined
from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.targets import Targets
from agent_lsp.cli.comparing import git
from agent_lsp.cli.comparing.git import Blob
from agent_lsp.cli.comparing.report import summary
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import SYSTEMS, host_paths_from_environment, new_files, workspace_for
from agent_lsp.workspace.disk import Disk, Entry
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import led
from agent_lsp.workspace.snapshot import Workspace

_LINK, _SUBMODULE = "120000", "160000"
_MODES = {"100755": stat.S_IFREG | 0o755, _LINK: stat.S_IFLNK | 0o777}
_FILE, _FOLDER = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755
# As many as Linux follows before it reports a loop.
_MOST_LINKS = 40
# No device has this number, so that no file of the disk is taken for one of the revision.
_DEVICE = -1


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a path leads: into the revision, with the path from its top, or to the disk."""

    path: Path
    within: str | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a folder; an error of the disk is raised when it is asked."""

    disk: Disk
    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self.stat(follow_symlinks=False).st_mode)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        try:
            return stat.S_ISDIR(self.stat(follow_symlinks=follow_symlinks).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return False

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return self.disk.status(self.path, is_followed=follow_symlinks)


class RevisionDisk(Disk):
    """The disk of this machine with the `blobs` of a revision below `top`, a real path.

    `kept` are the paths below `top` that are as they are now. `read` gives the bytes of a blob.
    """

    def __init__(
        self,
        top: Path,
        blobs: Mapping[str, Blob],
        kept: Iterable[str],
        read: Callable[[str], bytes],
    ) -> None:
        super().__init__()
        modules = (name for name, blob in blobs.items() if blob.mode == _SUBMODULE)
        self._top, self._blobs, self._content = top, blobs, read
        self._kept = frozenset((*kept, *modules, ".git"))
        self._folders: dict[str, set[str]] = {"": set()}
        for name in (*blobs, *self._kept):
            self._add(name)
        self._numbers = {name: at for at, name in enumerate((*self._folders, *blobs), 1)}

    def _add(self, name: str) -> None:
        """Adds an entry to its folder, and each folder above it to its own."""
        while name:
            folder, _, last = name.rpartition("/")
            above = self._folders.setdefault(folder, set())
            if last in above:
                return
            above.add(last)
            name = folder

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        """The status of the file at `path`; if it is a link, that of its target."""
        place = self._find(path, is_followed=is_followed)
        if place.within is None:
            return super().status(place.path, is_followed=is_followed)
        if place.within in self._folders:
            mode = _FOLDER
        else:
            mode = _MODES.get(self._blobs[place.within].mode, _FILE)
        # The size would need the content, and is not asked before reading.
        number = self._numbers[place.within]
        return os.stat_result((mode, number, _DEVICE, 1, 0, 0, 0, 0, 0, 0))

    def read(self, path: Path, most: int = -1) -> bytes:
        """The first bytes of the file at `path`, `most` of them at most."""
        place = self._find(path)
        if place.within is None:
            return super().read(place.path, most)
        if place.within in self._folders:
            raise IsADirectoryError(str(path))
        data = self._content(self._blobs[place.within].content)
        return data if most < 0 else data[:most]

    def scan(self, folder: Path) -> Iterable[Entry]:
        """The entries of `folder`."""
        place = self._find(folder)
        if place.within is None:
            return super().scan(place.path)
        if place.within not in self._folders:
            raise NotADirectoryError(str(folder))
        found = [_Entry(self, folder / name) for name in self._folders[place.within]]
        inside = f"{place.within}/" if place.within else ""
        return [one for one in found if self._is_there(f"{inside}{one.name}", one.path)]

    def _is_there(self, within: str, path: Path) -> bool:
        """Whether an entry exists: what is kept may have vanished since Git listed it."""
        return within not in self._kept or os.path.lexists(self._find(path, is_followed=False).path)

    def real(self, path: Path) -> Path:
        """`path` with its links followed, as far as they lead."""
        try:
            return self._find(path, is_strict=False).path
        except OSError:
            # A loop of links leads nowhere.
            return path

    def _find(
        self, path: Path, *, is_followed: bool = True, is_strict: bool = True, links: int = 0
    ) -> _Place:
        """Where `path` leads; raises `OSError` if nothing is there, unless that is all right."""
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        parts = self._below_top(path, is_followed=is_followed)
        if parts is None:
            return _Place(Path(os.path.realpath(path)) if is_followed else path)
        at = ""
        for number, part in enumerate(parts):
            at = f"{at}/{part}" if at else part
            rest = parts[number + 1 :]
            if at in self._kept:
                kept = self._top.joinpath(at, *rest)
                return _Place(Path(os.path.realpath(kept)) if is_followed else kept)
            if at in self._folders:
                continue
            if at not in self._blobs and not is_strict:
                return _Place(self._top.joinpath(*parts))
            if at not in self._blobs:
                raise FileNotFoundError(str(path))
            if self._blobs[at].mode == _LINK and (rest or is_followed):
                whole = self._target(at).joinpath(*rest)
                return self._find(
                    Path(os.path.normpath(whole)),
                    is_followed=is_followed,
                    is_strict=is_strict,
                    links=links + 1,
                )
            if rest:
                raise NotADirectoryError(str(path))
        return _Place(self._top.joinpath(*parts), at)

    def _target(self, link: str) -> Path:
        """Where a link of the revision leads; raises `OSError` for another network share."""
        target = os.fsdecode(self._content(self._blobs[link].content))
        found = led(self._top.joinpath(link).parent, target)
        if found is None:
            raise FileNotFoundError(link)
        return found

    def _below_top(self, path: Path, *, is_followed: bool) -> tuple[str, ...] | None:
        """The parts of `path` below the top of the repository, or None if it is elsewhere."""
        if path.is_relative_to(self._top):
            return path.relative_to(self._top).parts
        # A link outside the repository may lead into it.
        above = Path(os.path.realpath(path.parent), path.name)
        real = Path(os.path.realpath(path)) if is_followed else above
        if not real.is_relative_to(self._top):
            # The disk now may lack what the revision has, or lead elsewhere.
            real = above
        return real.relative_to(self._top).parts if real.is_relative_to(self._top) else None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two snapshots, with the commits that they show; None stands for the files as they are now."""

    before: Workspace
    after: Workspace
    start: str
    end: str | None
    messages: tuple[str, ...]


@contextmanager
def files_at(repository: git.Repository, commit: str) -> Iterator[Files]:
    """The files of this machine, with those of `commit` in the repository."""
    with git.contents(repository) as contents:
        blobs, kept = git.files(repository, commit), git.ignored(repository)
        names = frozenset(name for one in SYSTEMS for name in (*one.files, one.extension))
        yield Files(RevisionDisk(repository.top, blobs, kept, contents.read), names)


@contextmanager
def compared(
    here: Path, root: Path, revisions: tuple[str, str | None], programs: frozenset[str]
) -> Iterator[Compared]:
    """The workspaces of `root` in two revisions of the repository that contains `here`."""
    repository = git.repository(here)
    start, end = git.sides(repository, *revisions)
    with ExitStack() as stack:
        old = stack.enter_context(files_at(repository, start))
        new = new_files() if end is None else stack.enter_context(files_at(repository, end))
        host = host_paths_from_environment()
        before, _ = workspace_for((root,), old, host, programs=programs)
        after, messages = workspace_for((root,), new, host, programs=programs)
        yield Compared(before, after, start, end, messages)


@dataclass(frozen=True, slots=True)
class Since:
    """The findings of a revision, each with its count, and what has happened to the agents."""

    findings: Counter[Fingerprint]
    agents: str


def since(
    revision: str,
    found: Targets,
    here: Path,
    base: Path,
    at: Callable[[Files], Targets],
    programs: frozenset[str],
) -> Since:
    """The state of `revision` for the templates in `found`; `at` finds them among other files.

    The agents are those that `diff` compares: of the folder `here`, for the `programs` that count.

    Raises `CommandError` if Git cannot tell what the files were.
    """
    repository = git.repository(here)
    start, _ = git.sides(repository, revision, None)
    with files_at(repository, start) as files:
        old = at(files)
        wanted = set(found.paths)
        findings = Counter(
            fingerprint(path, one, base, files.lines(path))
            for path in old.paths
            if path in wanted
            for one in examined(old.workspace, path).shown
        )
        host = host_paths_from_environment()
        before, after = (
            workspace_for((here,), one, host, programs=programs)[0]
            for one in (files, found.workspace.files)
        )
        return Since(findings, summary(agents_diff(before, after)))
