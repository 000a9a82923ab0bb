"""Finds the templates that Git ignores.

Invariants: a folder that the user names is checked even if Git ignores it. Outside of a repository
nothing is ignored. The time for a name is bounded: a pattern with many wildcards in one part of a
path, which nobody needs and which takes exponential time, ignores nothing.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.workspace.files import Files

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"
# More wildcards than this in one part of a path are not matched.
_MOST_WILDCARDS = 3
_WILDCARDS = re.compile(r"\*+")


def gitignored(paths: Iterable[Path], searched: tuple[Path, ...], files: Files) -> frozenset[Path]:
    """The `paths` that Git ignores, of those found below the `searched` folders."""
    rules = _Rules(files)
    found: set[Path] = set()
    # Judge the folders first, since there are many more files than folders.
    together: dict[Path, list[Path]] = {}
    for path in paths:
        together.setdefault(path.parent, []).append(path)
    for folder, inside in together.items():
        tops = [root for root in searched if root in (folder, *folder.parents)]
        if tops:
            top = max(tops, key=lambda root: len(root.parts))
            found.update(rules.left_out(folder, inside, top))
    return frozenset(found)


class _Rules:
    """The patterns of the repositories in question; each `.gitignore` is read once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._spec_of = cache(self._read)
        self._is_excluded = cache(self._judge)
        self._is_within_excluded = cache(self._look_up)

    def left_out(self, folder: Path, inside: list[Path], top: Path) -> Iterable[Path]:
        """The files `inside` a `folder` that Git ignores, if the search began at `top`."""
        # If the patterns exclude the folder that the user named, they do not count for its files.
        floor = top if self._is_within_excluded(top) else None
        below = folder.relative_to(top).parts
        above = (top.joinpath(*below[:depth]) for depth in range(1, len(below) + 1))
        # Git cannot include a file again whose folder is excluded.
        if any(self._is_excluded(each, floor, "/") for each in above):
            return inside
        if not self._specs(folder, floor):
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

    def _specs(self, folder: Path, floor: Path | None) -> "list[tuple[Path, GitIgnoreSpec]]":
        found = []
        is_near = True
        for above in (folder, *folder.parents):
            spec = self._spec_of(above) if is_near else None
            if spec is not None:
                found.append((above, spec))
            if self._files.exists(above / ".git"):
                return found
            is_near = is_near and above != floor
        return []

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
