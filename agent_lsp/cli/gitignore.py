"""Finds the templates that Git ignores.

Invariants: a folder that the user names is checked even if Git ignores it. Outside of a repository
nothing is ignored, and in one no file that Git tracks. The patterns decide about projects: in a
project that they do not exclude, they hide no file that a runtime reads there. The time for a name
is bounded: a pattern with many wildcards in one part of a path, which nobody needs and which takes
exponential time, ignores nothing.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.patterns import regex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import led

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    # The patterns of folders, the nearest first.
    _Specs = tuple[tuple[Path, GitIgnoreSpec], ...]

_NAME = ".gitignore"
# More wildcards than this in one part of a path are not matched.
_MOST_WILDCARDS = 3
_WILDCARDS = regex(r"\*+")
# The index of a repository: "gitformat-index" in Git's documentation, and Git 2.39; 2026-11-29.
_SIGNATURE, _DIVIDED = b"DIRC", b"link"
_VERSIONS = (2, 3, 4)
_COMPRESSED = 4
# In bytes: an entry before its name and without its hash, and the hashes of both kinds.
_HEAD, _STATUS, _FLAGS = 12, 40, 2
_HASHES = (20, 32)
_IS_EXTENDED, _LENGTH = 0x4000, 0x0FFF
_POINTER = "gitdir:"


def gitignored(
    paths: Iterable[Path],
    searched: tuple[Path, ...],
    files: Files,
    project_of: Callable[[Path], Path | None],
) -> frozenset[Path]:
    """The `paths` that Git ignores, of those found below the `searched` folders.

    `project_of` returns the project in which a runtime looks into a folder, or None.
    """
    rules, tracked = _Rules(files), _Tracked(files)
    found: set[Path] = set()
    # Judge the folders first, since there are many more files than folders.
    together: dict[Path, list[Path]] = {}
    for path in paths:
        together.setdefault(path.parent, []).append(path)
    for folder, inside in together.items():
        tops = [root for root in searched if folder.is_relative_to(root)]
        if tops:
            top = max(tops, key=lambda root: len(root.parts))
            left = rules.left_out(folder, inside, top, project_of(folder))
            found.update(path for path in left if not tracked.has(path))
    return frozenset(found)


def _until(folder: Path, found: Container[Path]) -> Iterator[Path]:
    """`folder` and those above it, up to the first one in `found`."""
    for each in chain((folder,), folder.parents):
        if each in found:
            return
        yield each


class _Rules:
    """The patterns of the repositories in question; each `.gitignore` is read once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._spec_of = cache(self._read)
        # The patterns for each folder, by the last folder whose own count; None outside of all
        # repositories.
        self._specs_at = defaultdict["Path | None", "dict[Path, _Specs | None]"](dict)
        self._is_excluded = cache(self._judge)
        self._is_within_excluded = cache(self._look_up)

    def left_out(
        self, folder: Path, inside: list[Path], top: Path, project: Path | None
    ) -> Iterable[Path]:
        """The files `inside` a `folder` that the patterns exclude, if the search began at `top`.

        The files of a `project` are left out with all of it, or not at all.
        """
        if project is not None and top not in (project, *project.parents):
            return ()
        # If the patterns exclude the folder that the user named, they do not count for its files.
        floor = top if self._is_within_excluded(top) else None
        below = (project or folder).relative_to(top).parts
        above = (top.joinpath(*below[:depth]) for depth in range(1, len(below) + 1))
        # Git cannot include a file again whose folder is excluded.
        if any(self._is_excluded(each, floor, "/") for each in above):
            return inside
        if project is not None or not self._specs(folder, floor):
            return ()
        return [path for path in inside if self._is_excluded(path, floor, "")]

    def _look_up(self, top: Path) -> bool:
        for folder in (top, *top.parents):
            if self._files.exists(folder / ".git"):
                return False
            if self._is_excluded(folder, None, "/"):
                return True
        return False

    def _judge(self, path: Path, floor: Path | None, end: str) -> bool:
        """Whether the patterns exclude `path`; those of the nearest folder that match decide."""
        for folder, spec in self._specs(path.parent, floor):
            name = f"{path.relative_to(folder).as_posix()}{end}"
            verdict = spec.check_file(self._folded(name)).include
            if verdict is not None:
                return verdict
        return False

    def _specs(self, folder: Path, floor: Path | None) -> "_Specs":
        """The patterns for the files in `folder`, the nearest first; none outside a repository."""
        found = self._specs_at[floor]
        # The folders above are known if the search came from there.
        unknown = list(_until(folder, found))
        for each in reversed(unknown):
            spec = self._spec_of(each)
            own = ((each, spec),) if spec is not None else ()
            above = found.get(each.parent)
            if self._files.exists(each / ".git"):
                found[each] = own
            elif above is None or each == each.parent:
                found[each] = None
            else:
                found[each] = own if each == floor else (*own, *above)
        return found[folder] or ()

    def _read(self, folder: Path) -> "GitIgnoreSpec | None":
        file = self._files.read(folder / _NAME)
        return _spec(self._folded(file.text)) if file is not None and file.text else None

    def _folded(self, text: str) -> str:
        """`text` as Git compares it: on a disk that ignores case, with ASCII letters in lower case.

        Source: `core.ignoreCase` in Git's documentation, and Git 2.39 itself; 2026-11-28.
        """
        if self._files.is_exact:
            return text
        return "".join(one.lower() if one.isascii() else one for one in text)


def _spec(text: str) -> "GitIgnoreSpec":
    # Most commands meet no `.gitignore`, and need not wait for this import.
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only with a `.gitignore`

    written = (line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))
    lines = [line for line in written if not _explodes(line)]
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _explodes(line: str) -> bool:
    """Whether to match `line` could take very long."""
    parts = line.split("/") if line.count("*") > _MOST_WILDCARDS else ()
    return any(len(_WILDCARDS.findall(part)) > _MOST_WILDCARDS for part in parts)


def _is_pattern(line: str) -> bool:
    """Whether `line` is a valid pattern; Git skips other lines."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only with a `.gitignore`

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


class _Tracked:
    """The files that Git tracks in the repositories in question; each index is read once.

    A file is tracked if that cannot be told: the index is damaged, of an unknown version, or
    divided into two files.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names = cache(self._read)
        self._top_of = cache(self._find)

    def has(self, path: Path) -> bool:
        """Whether Git tracks the file at `path`."""
        real = self._files.real(path)
        top = self._top_of(real.parent)
        if top is None:
            return False
        names = self._names(top)
        return names is None or os.fsencode(real.relative_to(top).as_posix()) in names

    def _find(self, folder: Path) -> Path | None:
        is_top = self._files.exists(folder / ".git")
        return (
            folder if is_top else self._top_of(folder.parent) if folder.parent != folder else None
        )

    def _read(self, top: Path) -> frozenset[bytes] | None:
        folder = self._folder(top)
        if folder is None:
            return None
        path = folder / "index"
        data = self._files.data(path)
        if data is None:
            return None if self._files.exists(path) else frozenset()
        return _tracked(data)

    def _folder(self, top: Path) -> Path | None:
        """The folder of Git for the checkout at `top`, to which a file may point.

        None if it is on another network share.
        """
        found = self._files.read(top / ".git")
        if found is None or not found.text.startswith(_POINTER):
            return top / ".git"
        return led(top, found.text.removeprefix(_POINTER).strip())


def _tracked(index: bytes) -> frozenset[bytes] | None:
    """The paths in an `index`, relative to the top of the checkout; None if they cannot be told."""
    version = int.from_bytes(index[4:8], "big")
    if not index.startswith(_SIGNATURE) or version not in _VERSIONS:
        return None
    for hash_size in _HASHES:
        try:
            found, end = _entries(index, version, hash_size)
        except (IndexError, ValueError):
            continue
        return None if index[end : end + len(_DIVIDED)] == _DIVIDED else frozenset(found)
    return None


def _entries(index: bytes, version: int, hash_size: int) -> tuple[list[bytes], int]:
    """The paths of all entries, and where the last entry ends; raises an error of an odd entry."""
    found: list[bytes] = []
    at, name = _HEAD, b""
    for _ in range(int.from_bytes(index[8:_HEAD], "big")):
        start, at = at, at + _STATUS + hash_size
        flags = int.from_bytes(index[at : at + _FLAGS], "big")
        at += _FLAGS * (2 if flags & _IS_EXTENDED else 1)
        kept = b""
        if version == _COMPRESSED:
            dropped, at = _number(index, at)
            kept = name[: len(name) - dropped]
        end = index.index(0, at)
        name = kept + index[at:end]
        if not name or flags & _LENGTH != min(len(name), _LENGTH):
            raise ValueError(name)
        found.append(name)
        # Without compression, an entry ends at a multiple of eight bytes, behind at least one NUL.
        at = end + 1 if version == _COMPRESSED else start + (end - start + 8) // 8 * 8
    return found, at


def _number(index: bytes, at: int) -> tuple[int, int]:
    """The number at `at`, whose bytes have seven bits each, and where it ends."""
    value = index[at] & 0x7F
    while index[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (index[at] & 0x7F)
    return value, at + 1
