"""Compares paths by their text alone, and makes those that rules name, on every operating system.

Invariants: nothing here reads a disk. Windows paths, with their drives and shares, are compared
without case, as Windows does. All other paths are compared exactly.
"""

import sys
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TypeVar

from agent_lsp.data_classes import dataclass, field

# Names that a file on Windows cannot have: "Naming Files, Paths, and Namespaces" in the
# documentation of Windows, read 2026-11-28.
_NEVER = frozenset('<>:"\\|?*')
_NUMBERED = (f"{kind}{number}" for kind in ("COM", "LPT") for number in "0123456789\xb9\xb2\xb3")
_DEVICES = frozenset({"CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL", *_NUMBERED})
_Flavour = TypeVar("_Flavour", bound=PurePath)


@dataclass(frozen=True, slots=True)
class HostPaths:
    """The folders of this machine that scopes refer to.

    `home` is None if there is none. `variables` are environment variables such as `CODEX_HOME`.
    `templates` is the folder of the templates that the product ships. `searched` are the folders
    in which this machine looks for programs.
    """

    home: Path | None
    templates: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    searched: tuple[Path, ...] = ()


def key_of(path: PurePath) -> str:
    """A text that is equal for equal paths, and quicker to look up than a path."""
    return str(path).lower() if isinstance(path, PureWindowsPath) else str(path)


def holds(folder: PurePath, path: PurePath) -> bool:
    """Whether `path` is `folder` or lies below it."""
    outer, inner = folder.parts, path.parts
    return _are_same(inner[: len(outer)], outer, path)


def is_on_other_share(path: PurePath, home: PurePath) -> bool:
    """Whether `path` is on a network share of Windows that `home` is not on.

    Only to look whether such a path exists sends the user's name to the server.
    """
    is_share = isinstance(path, PureWindowsPath) and path.drive.startswith("\\\\")
    return is_share and path.drive.lower() != home.drive.lower()


def led(folder: _Flavour, written: str) -> _Flavour | None:
    """The path that a file means by `written`, from `folder`; None on another network share.

    Whatever stands before `written`, two separators at its beginning name a share of Windows.
    """
    place = folder / written
    return place if not is_on_other_share(place, folder) else None


def below(folder: PurePath) -> Callable[[PurePath], bool]:
    """A function that tells whether a path is below `folder`; fast for thousands of paths."""
    separator = "\\" if isinstance(folder, PureWindowsPath) else "/"
    # Only the root of a disk ends with a separator.
    start = f"{key_of(folder).rstrip(separator)}{separator}"
    if isinstance(folder, PureWindowsPath):
        return lambda path: str(path).lower().startswith(start)
    return lambda path: str(path).startswith(start)


def ends_with(folder: PurePath, relative: str) -> bool:
    """Whether the last parts of `folder` are those of `relative`, which is written with `/`."""
    parts = _parts(relative)
    return _are_same(folder.parts[-len(parts) :], parts, folder)


def may_end_with(folder: PurePath, relative: str) -> bool:
    """Like `ends_with`, but equates all names that some disk treats as equal."""
    parts = _parts(relative)
    ending = folder.parts[-len(parts) :]
    return len(ending) == len(parts) and all(map(are_alike, ending, parts))


def before(folder: _Flavour, relative: str) -> _Flavour:
    """The folder to which `relative`, with which `folder` ends, is relative."""
    return folder.parents[len(_parts(relative)) - 1]


def from_folder(path: PurePath, base: PurePath) -> str:
    """The absolute `path` relative to `base`, or in full if they are on different disks."""
    mine, theirs = path.parts, base.parts
    shared = 0
    while shared < min(len(mine), len(theirs)):
        if not _are_same(mine[shared : shared + 1], theirs[shared : shared + 1], path):
            break
        shared += 1
    if not shared:
        return str(path)
    return str(type(path)(*[".."] * (len(theirs) - shared), *mine[shared:]))


def spellings(path: PurePath) -> tuple[str, ...]:
    """The spellings of `path` that may be a key in a file of a runtime.

    On Windows, that is with `/`, and with the drive in the case in which the session was started:
    github.com/anthropics/claude-code/issues/18122 and 45195, read 2026-11-28.
    """
    text = path.as_posix()
    if not isinstance(path, PureWindowsPath):
        return (text,)
    drives = (text[:1].upper(), text[:1].lower())
    return tuple(dict.fromkeys((*(f"{drive}{text[1:]}" for drive in drives), str(path))))


def may_be_called(name: str, folder: PurePath) -> bool:
    """Whether a file in `folder` can have this name, on the system of the path."""
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        return False
    try:
        # In a locale without Unicode, Python could not even ask for such a file.
        name.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
    except UnicodeEncodeError:
        return False
    if not isinstance(folder, PureWindowsPath):
        return True
    stem = name.partition(".")[0].rstrip().upper()
    is_kept = stem in _DEVICES or name.endswith((" ", "."))
    return not is_kept and _NEVER.isdisjoint(name) and min(name) >= " "


# Called for each part of each folder's path; most folders share most parts.
@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """The canonical spelling of a name: the same for all that some disk treats as equal."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def is_of_git(name: str) -> bool:
    """Whether some disk finds the folder of Git by this name: `.GIT`, `.git.`, `git~1`.

    Disks of macOS also ignore characters that nobody sees. Source: `is_ntfs_dotgit` and
    `is_hfs_dotgit` in Git 2.39, which refuses a file of such a name.
    """
    seen = folded(name)
    if not seen.isascii():
        seen = "".join(one for one in seen if unicodedata.category(one) != "Cf")
    return seen.partition(":")[0].rstrip(" .") in (".git", "git~1")


# Called for each folder by several systems.
@lru_cache(maxsize=16)
def names_in(parts: tuple[str, ...]) -> frozenset[str]:
    """Each of the names `parts`, and each two that follow one another, in canonical spelling."""
    names = list(map(folded, parts))
    return frozenset((*names, *map("/".join, pairwise(names))))


def are_alike(one: str, other: str) -> bool:
    """Whether some disk treats the two names as equal."""
    return one == other or folded(one) == folded(other)


# Called for each folder of a workspace with each of the few places where a system looks.
@lru_cache(maxsize=4096)
def _parts(relative: str) -> tuple[str, ...]:
    return PurePosixPath(relative).parts


def _are_same(some: tuple[str, ...], others: tuple[str, ...], path: PurePath) -> bool:
    if some == others or not isinstance(path, PureWindowsPath):
        return some == others
    return [part.lower() for part in some] == [part.lower() for part in others]


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the folders that a rule names: `head` is `~` or a variable, `rest` is below it.

    `first` is the first name of `rest`, and `last` the last one, alone; all may be empty.
    """

    head: str
    rest: str
    first: str
    last: frozenset[str]


# Each rule is asked for in each workspace, and at every start for all systems.
@lru_cache(maxsize=4096)
def _alternative(folder: str) -> Alternative:
    head, _, rest = folder.partition("/")
    last = frozenset({rest.rpartition("/")[2]})
    return Alternative(head.removeprefix("$"), rest, rest.partition("/")[0], last)


def meant(folders: tuple[str, ...], host_paths: HostPaths) -> Alternative | None:
    """The first of `folders` whose home or variable is known on this machine, or None."""
    for folder in folders:
        found = _alternative(folder)
        if found.head == "~":
            return found if host_paths.home is not None else None
        if host_paths.variables.get(found.head):
            return found
    return None


def base_of(found: Alternative, host_paths: HostPaths) -> Path:
    """The folder of this machine that the head of `found` means."""
    if found.head == "~" and host_paths.home is not None:
        return host_paths.home
    return type(host_paths.templates)(host_paths.variables[found.head])


def on_machine(folders: tuple[str, ...], host_paths: HostPaths) -> tuple[Path, ...]:
    """The first of `folders` whose home or variable is known on this machine; at most one."""
    found = meant(folders, host_paths)
    return (base_of(found, host_paths) / found.rest,) if found is not None else ()
