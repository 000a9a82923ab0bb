"""Reads the disk: files and folders, the targets of links, and the spelling of names.

Invariants: no other module of the core calls the file system, but `trace`, which asks again. The
methods of `Disk` raise `OSError` and `ValueError`, as the system does; the functions below raise
nothing. A file that is too large is reported, and its text is empty.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.patterns import regex
from agent_lsp.workspace.paths import folded, key_of

# In bytes. Prompts have kilobytes; reading a larger file would take too long.
MAX_BYTES = 1_000_000
# A file with tables is all header, but contains the prompts of many agents and other settings.
MAX_TABLES = 250_000
_TABLES = (".toml", ".json", ".jsonc")
# Headers have kilobytes, too. The search for the end of one stops here, because parsing more would
# take too long.
MAX_HEADER = 100_000
_FENCE = regex(r"^---", re.MULTILINE)
_OPENED = ("---", "\ufeff---")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as the runtime would read it after a save.

    `bom`: the file on disk begins with a byte-order mark, which `text` may lack since editors
    remove it. `problem`: the reason why there is no text; `text` is then empty. `too_large`: only
    this product has such a limit, not the runtime; `first_line` is that of such a file. `unsure`:
    some runtimes still read the file; `replaced` is their text, with U+FFFD for the bytes that do
    not decode. `as_utf_16`: what a person sees who opens a file in UTF-16, which no runtime reads.
    """

    path: Path
    text: str
    bom: bool = False
    problem: str | None = None
    too_large: bool = False
    first_line: str = field(default="", compare=False, repr=False)
    unsure: bool = False
    version: int | None = None
    replaced: str = field(default="", compare=False)
    as_utf_16: str = field(default="", compare=False)

    @property
    def is_passed_over(self) -> bool:
        """Whether the runtime cannot read the file either."""
        return self.problem is not None and not self.too_large


def with_replaced(file: SourceFile) -> SourceFile:
    """The file as read by a runtime that replaces bytes that do not decode."""
    return replace(file, text=file.replaced, problem=None, unsure=False)


def source_file(path: Path, text: str, bom: bool, version: int | None = None) -> SourceFile:
    """The file at `path` with `text`, or with an empty text and a problem if it is too large."""
    problem = _too_large(path, text)
    if problem is None:
        return SourceFile(path, text, bom, version=version)
    return replace(_without_text(path, problem, text), bom=bom, version=version)


def _without_text(path: Path, problem: str, text: str) -> SourceFile:
    """A file that is too large to parse, and whose text begins as `text`."""
    first_line = text.partition("\n")[0]
    return SourceFile(path, "", problem=problem, too_large=True, first_line=first_line)


def _too_large(path: Path, text: str) -> str | None:
    """The reason why `text` is too large to parse, or None."""
    if len(text) > MAX_BYTES:
        return f"larger than {MAX_BYTES // 1_000_000} MB"
    if path.suffix in _TABLES and len(text) > MAX_TABLES:
        return f"larger than {MAX_TABLES // 1000} kB"
    opened = text.startswith(_OPENED)
    if len(text) > MAX_HEADER and opened and not _FENCE.search(text[4:MAX_HEADER]):
        return f"no end of its header within {MAX_HEADER // 1000} kB"
    return None


_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BUILT = {"node_modules", "__pycache__", ".venv", "venv", "target", "dist"}
NEVER_ENTERED = frozenset({".git", ".hg", ".svn"} | _BUILT)
# The tag of a Windows junction, which is a link to a folder: "Reparse Point Tags" in the
# documentation of Windows, read 2026-11-28.
_JUNCTION = 0xA0000003
_HAS_JUNCTIONS = sys.platform == "win32"


class Entry(Protocol):
    """An entry of a folder; `os.DirEntry` is one."""

    @property
    def name(self) -> str:
        """The name in the spelling of the disk."""

    def is_symlink(self) -> bool:
        """Whether the entry is a link."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether the entry is a folder or a link to one."""

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """The status of the entry, or that of its target."""


# In bytes: larger than the index of Git in any repository.
_LARGEST = 512 * 1024 * 1024
# Where a shell names the pipe that it makes for `<(…)`.
_PASSED = (Path("/dev/fd"), Path("/proc/self/fd"))


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


_EXECUTABLE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


class Disk:
    """The disk of this machine."""

    # The key of a path: a text that is equal for equal paths. It is quicker to look up than the
    # path, which functions in Python hash and compare.
    key = staticmethod(key_of if os.name == "nt" else str)

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        """The status of the file at `path`; if it is a link, that of its target."""
        return path.stat(follow_symlinks=is_followed)

    def read(self, path: Path, most: int = -1) -> bytes:
        """The first bytes of the file at `path`, `most` of them at most.

        Raises `OSError` for a pipe or a device, for which to wait may have no end, and for a file
        that would fill the memory.
        """
        # A pipe that is opened to be read waits for somebody who writes into it.
        with open(path, "rb", opener=_without_waiting) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", str(path))
            if most < 0 and status.st_size > _LARGEST:
                raise OSError(errno.EFBIG, "too large", str(path))
            return stream.read(most)

    def read_named(self, path: Path) -> bytes:
        """The bytes of the file at `path`, which the user names in the call itself.

        Reads a pipe that a shell has made for the call, too. Raises `OSError`, as `read` does.
        """
        if path.parent not in _PASSED:
            return self.read(path)
        with path.open("rb") as stream:
            return stream.read(_LARGEST)

    def scan(self, folder: Path) -> Iterable[Entry]:
        """The entries of `folder`."""
        with os.scandir(folder) as entries:
            return list(entries)

    def real(self, path: Path) -> Path:
        """`path` with its links followed, as far as they lead."""
        return Path(os.path.realpath(path))

    def variable(self, name: str) -> str | None:
        """The environment variable `name`, or None if it is not set."""
        return os.environ.get(name)


_used: list[Disk] = [Disk()]


def used() -> Disk:
    """The disk that this process uses where no other is given."""
    return _used[0]


def use(disk: Disk) -> None:
    """Makes `used` return `disk`."""
    _used[0] = disk


def is_executable(disk: Disk, path: Path) -> bool:
    """Whether somebody may run the file at `path`; True if that is not known."""
    try:
        mode = disk.status(path).st_mode
    except (OSError, ValueError):
        return True
    return os.name == "nt" or bool(mode & _EXECUTABLE)


def load(disk: Disk, path: Path) -> SourceFile | None:
    """The file at `path` with its text, or with a problem; None if there is no file."""
    try:
        status = disk.status(path)
        if stat.S_ISDIR(status.st_mode):
            return None
        if not stat.S_ISREG(status.st_mode):
            # Opening a pipe would wait for a writer.
            return SourceFile(path, "", problem="not a regular file", unsure=True)
        if status.st_size > MAX_BYTES:
            what = f"larger than {MAX_BYTES // 1_000_000} MB"
            return _without_text(path, what, disk.read(path, MAX_BYTES).decode("utf-8", "replace"))
        data = disk.read(path)
    except (FileNotFoundError, NotADirectoryError):
        link = is_link(disk, path)
        return (
            SourceFile(path, "", problem="a link to a file that does not exist") if link else None
        )
    except (OSError, ValueError) as error:
        return SourceFile(path, "", problem=getattr(error, "strerror", None) or str(error))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"not UTF-8: byte {error.start} does not decode"
        replaced = data.decode("utf-8", "replace")
        too_large = _too_large(path, replaced)
        if too_large is not None:
            return _without_text(path, too_large, replaced)
        # A file with NUL bytes has another encoding, or is not text, unless it begins as a header.
        is_text = "\0" not in replaced or replaced.startswith(_OPENED)
        kept = replaced if is_text else ""
        meant = data.decode("utf-16", "replace") if data.startswith(_UTF_16) else ""
        bom = data.startswith(_BOM)
        return SourceFile(path, "", bom, what, unsure=True, replaced=kept, as_utf_16=meant)
    return source_file(path, text, data.startswith(_BOM))


def starts_with_bom(disk: Disk, path: Path) -> bool:
    """Whether the file at `path` begins with a byte-order mark."""
    try:
        is_file = stat.S_ISREG(disk.status(path).st_mode)
        return is_file and disk.read(path, len(_BOM)) == _BOM
    except (OSError, ValueError):
        return False


def kind(disk: Disk, path: Path) -> str:
    """`folder` or `file`, or an empty text if nothing is at `path`."""
    try:
        return _kind(disk.status(path))
    except (OSError, ValueError):
        return ""


def _kind(status: os.stat_result) -> str:
    return "folder" if stat.S_ISDIR(status.st_mode) else "file"


def is_link(disk: Disk, path: Path) -> bool:
    """Whether the last part of `path` is a link."""
    try:
        return leads_elsewhere(disk.status(path, is_followed=False))
    except (OSError, ValueError):
        return False


def leads_elsewhere(status: os.stat_result) -> bool:
    """Whether `status` is that of a link or of a Windows junction."""
    is_junction = getattr(status, "st_reparse_tag", 0) == _JUNCTION
    return stat.S_ISLNK(status.st_mode) or is_junction


def target(disk: Disk, path: Path) -> Path:
    """The target of `path`, with all links followed."""
    try:
        return disk.real(path)
    except (OSError, ValueError):
        # A name that contains NUL, or is too long, does not exist.
        return path


def is_folder(entry: Entry) -> bool:
    """Whether an entry is a folder or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def is_linked(entry: Entry) -> bool:
    """Whether an entry is a link to a folder."""
    try:
        return _is_link(entry) and entry.is_dir()
    except OSError:
        return False


def is_link_entry(entry: Entry) -> bool:
    """Whether an entry is a link to a file or a folder."""
    return entry.is_symlink()


def shared_inode(disk: Disk, path: Path) -> tuple[int, int] | None:
    """The device and the number of the file at `path`, or None unless it has several hard links."""
    try:
        status = disk.status(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if status.st_nlink > 1 else None


def is_entered(
    disk: Disk, folder: Path, entry: Entry, followed: set[Path], *, is_whole: bool = False
) -> bool:
    """Whether a walk enters an entry of `folder`; `followed` are the targets of links so far.

    A walk of a whole folder also enters build folders, and links of any name.
    """
    try:
        if entry.name in NEVER_ENTERED and not is_whole:
            return False
        if not _is_link(entry):
            return entry.is_dir(follow_symlinks=False)
        path = folder / entry.name
        leads_to = target(disk, path)
        is_loop = leads_to in followed or leads_to in path.parents
        is_asked_for = is_whole or entry.name.startswith(".")
        if not is_asked_for or is_loop or not entry.is_dir():
            return False
        followed.add(leads_to)
    except OSError:
        return False
    return True


def _is_link(entry: Entry) -> bool:
    if entry.is_symlink():
        return True
    # On other systems this would be a needless system call for each folder.
    return _HAS_JUNCTIONS and leads_elsewhere(entry.stat(follow_symlinks=False))


class Statuses:
    """The status of each path itself, not of its target; each is stored until `forget` is called.

    A path is asked for its target, its spelling and its kind. Most places where runtimes look are
    missing, together with the folders above them, and nothing is asked below those.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk, self._key = disk, disk.key
        # By the keys of paths.
        self._found: dict[str, os.stat_result | None] = {}
        self._missing: set[str] = set()
        # Those that are missing, and links that lead to nothing.
        self._empty: set[str] = set()

    def forget(self) -> None:
        """Forgets everything, because files may have changed."""
        self._found.clear()
        self._missing.clear()
        self._empty.clear()

    def of(self, path: Path, above: Path) -> os.stat_result | None:
        """The status of `path`, which is in the folder `above`, or None if there is none."""
        key = self._key(path)
        if key in self._found:
            return self._found[key]
        status = None
        try:
            if self._key(above) in self._empty:
                self._note_missing(key)
            else:
                status = self._disk.status(path, is_followed=False)
        except FileNotFoundError:
            self._note_missing(key)
        except (OSError, ValueError):
            # Something may be there all the same.
            pass
        self._found[key] = status
        return status

    def is_missing(self, path: Path) -> bool:
        """Whether nothing is at `path`, not even a link, so that nothing can be below it."""
        key = self._key(path)
        if key not in self._found:
            self.of(path, path.parent)
        return key in self._missing

    def kind(self, path: Path, key: str) -> str:
        """As the function `kind`, for the path with this key; the disk tells what is not stored."""
        status = self._found.get(key)
        if status is not None and not leads_elsewhere(status):
            return _kind(status)
        above, _, name = key.rpartition(os.sep)
        # Windows would find `..` of a folder that is missing.
        if key in self._empty or (above in self._empty and name != ".."):
            self._empty.add(key)
            return ""
        try:
            return _kind(self._disk.status(path))
        except FileNotFoundError:
            self._empty.add(key)
        except (OSError, ValueError):
            pass
        return ""

    def _note_missing(self, key: str) -> None:
        self._missing.add(key)
        self._empty.add(key)


class Spelling:
    """Finds how the disk spells a name, if it treats several spellings as equal.

    Disks of Windows and macOS ignore case, and so do some of Linux. Those of macOS also ignore how
    an accent is encoded. Windows has short names for long ones.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._ignores_case: dict[int, bool] = {}
        self._names: dict[Path, frozenset[str]] = {}

    @property
    def is_exact(self) -> bool:
        """Whether no disk so far ignores case."""
        return True not in self._ignores_case.values()

    def forget(self) -> None:
        """Forgets the listings, because folders may have changed."""
        self._names.clear()

    def of(self, folder: Path, name: str, status: os.stat_result) -> str:
        """The spelling of `name` in the listing of `folder`; `status` is that of the name."""
        if name in ("", "..") or not self._may_differ(folder, name, status):
            return name
        if folder not in self._names:
            self._names[folder] = self._listed(folder)
        names = self._names[folder]
        if name in names:
            return name
        alike = (other for other in names if folded(other) == folded(name))
        found = next((other for other in alike if self._is_same(folder / other, status)), None)
        if found is None and not leads_elsewhere(status):
            return target(self._disk, folder / name).name
        return found or name

    def _may_differ(self, folder: Path, name: str, status: os.stat_result) -> bool:
        if not name.isascii() or "~" in name:
            return True
        if status.st_dev not in self._ignores_case:
            other = name.swapcase()
            # The name of a mount point is on another disk.
            if other == name or self._device(folder) != status.st_dev:
                return False
            self._ignores_case[status.st_dev] = self._is_same(folder / other, status)
        return self._ignores_case[status.st_dev]

    def _device(self, folder: Path) -> int | None:
        try:
            return self._disk.status(folder).st_dev
        except (OSError, ValueError):
            return None

    def _is_same(self, path: Path, status: os.stat_result) -> bool:
        try:
            return os.path.samestat(self._disk.status(path, is_followed=False), status)
        except (OSError, ValueError):
            return False

    def _listed(self, folder: Path) -> frozenset[str]:
        try:
            return frozenset(entry.name for entry in self._disk.scan(folder))
        except (OSError, ValueError):
            return frozenset()
