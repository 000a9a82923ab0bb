"""Compares paths by their text alone, for every system.

Invariants: nothing here asks a disk; Windows takes names for one another that differ in case only,
drives and shares among them, and so it is done here for its paths; all others are taken exactly.
"""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import TypeVar

# Names that a file of Windows cannot have: "Naming Files, Paths, and Namespaces" in its
# documents, read 2026-11-28.
_NEVER = frozenset('<>:"\\|?*')
_NUMBERED = (f"{kind}{number}" for kind in ("COM", "LPT") for number in range(10))
_DEVICES = frozenset({"CON", "PRN", "AUX", "NUL", *_NUMBERED})
_Flavour = TypeVar("_Flavour", bound=PurePath)


def holds(folder: PurePath, path: PurePath) -> bool:
    """Whether `path` is `folder` or lies below it."""
    outer, inner = folder.parts, path.parts
    return _are_same(inner[: len(outer)], outer, path)


def below(folder: PurePath) -> Callable[[PurePath], bool]:
    """A function that tells whether a path is below `folder`, for thousands of paths."""
    separator = "\\" if isinstance(folder, PureWindowsPath) else "/"
    # Only the root of a disk ends with one.
    start = f"{_text(folder).rstrip(separator)}{separator}"
    if isinstance(folder, PureWindowsPath):
        return lambda path: str(path).lower().startswith(start)
    return lambda path: str(path).startswith(start)


def ends_with(folder: PurePath, relative: str) -> bool:
    """Whether the last parts of `folder` are those of `relative`, which is written with `/`."""
    parts = PurePosixPath(relative).parts
    return _are_same(folder.parts[-len(parts) :], parts, folder)


def may_end_with(folder: PurePath, relative: str) -> bool:
    """Like `ends_with`, on a disk that treats more names as equal than its system does."""
    parts = PurePosixPath(relative).parts
    ending = folder.parts[-len(parts) :]
    return len(ending) == len(parts) and all(map(are_alike, ending, parts))


def before(folder: _Flavour, relative: str) -> _Flavour:
    """The folder from which `folder` is `relative`, with which it ends."""
    return folder.parents[len(PurePosixPath(relative).parts) - 1]


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
    """The texts by which `path` may be a key in a file that a runtime keeps.

    On Windows that is with `/`, and with its drive in the case that the session was started with:
    github.com/anthropics/claude-code/issues/18122 and 45195, read 2026-11-28.
    """
    text = path.as_posix()
    if not isinstance(path, PureWindowsPath):
        return (text,)
    drives = (text[:1].upper(), text[:1].lower())
    return tuple(dict.fromkeys((*(f"{drive}{text[1:]}" for drive in drives), str(path))))


def may_be_called(name: str, folder: PurePath) -> bool:
    """Whether the system of `folder` has names such as `name` for the files in it."""
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        return False
    if not isinstance(folder, PureWindowsPath):
        return True
    stem = name.partition(".")[0].rstrip().upper()
    is_kept = stem in _DEVICES or name.endswith((" ", "."))
    return not is_kept and _NEVER.isdisjoint(name) and min(name) >= " "


# Asked about each part of the path of each folder; most folders share most parts.
@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """One spelling for all spellings of a name that some disk treats as equal."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def are_alike(one: str, other: str) -> bool:
    """Whether some disk treats the two names as equal."""
    return one == other or folded(one) == folded(other)


def _are_same(some: tuple[str, ...], others: tuple[str, ...], path: PurePath) -> bool:
    if some == others or not isinstance(path, PureWindowsPath):
        return some == others
    return [part.lower() for part in some] == [part.lower() for part in others]


def _text(path: PurePath) -> str:
    return str(path).lower() if isinstance(path, PureWindowsPath) else str(path)
