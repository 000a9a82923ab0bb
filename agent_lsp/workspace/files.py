"""What the editor holds over what the disk holds; the core's only IO.

Invariants: nothing here raises on what a disk may hold; disk state is remembered until
`changed` or `refresh` says otherwise; text keeps its line ends.
"""

import os
import stat
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path

from agent_lsp.workspace.file import MAX_BYTES, MAX_HEADER, File, file_of

__all__ = ["MAX_BYTES", "MAX_HEADER", "OF_ALL_TEXTS", "OF_TEXTS", "File", "Files"]

# Forgotten when the text of a closed file in the folder changes, and when that of any does.
OF_TEXTS, OF_ALL_TEXTS = "texts", "all texts"
_BOM = b"\xef\xbb\xbf"
# Closed texts are read again when needed; these few save re-reading what is looked at now.
_KEPT_TEXTS = 256
_BUILT = {"node_modules", "__pycache__", ".venv", "venv", "target", "dist"}
_NEVER_ENTERED = frozenset({".git", ".hg", ".svn"} | _BUILT)


class Files:
    """The texts that an editor has open, over a disk that is read lazily."""

    def __init__(self) -> None:
        self._open: dict[Path, File] = {}
        self._marked: dict[Path, bool] = {}
        self.keeps = _KEPT_TEXTS
        self._texts: OrderedDict[Path, File | None] = OrderedDict()
        self._entries: dict[Path, tuple[str, ...]] = {}
        self._kinds: dict[Path, str] = {}
        self._real: dict[Path, Path] = {}
        self._locked: dict[Path, str] = {}
        self._derived: dict[Path | None, dict[Hashable, object]] = {}
        # What is known of a file's text, until the file is said to be another; `refresh` says it
        # of open ones only, since the others are then looked at one by one.
        self.notes: dict[Path, dict[Hashable, object]] = {}

    # What the editor says.

    def open(self, path: Path, text: str, version: int | None = None) -> None:
        """The editor holds `text` for `path` from now on."""
        if path not in self._open:
            self._forget_listing(path.parent)
            if not self.exists(path):
                # Its folder is counted as one from now on, and the file as there.
                self._derived.pop(None, None)
            self._marked[path] = _starts_with_bom(path)
        self._hold(path, text, version)

    def close(self, path: Path) -> None:
        """The editor gives `path` up; the disk counts again."""
        self._open.pop(path, None)
        self._marked.pop(path, None)
        self.changed(path)

    def is_open(self, path: Path) -> bool:
        """Whether the editor holds `path`."""
        return path in self._open

    def opened(self) -> tuple[Path, ...]:
        """The paths that the editor holds."""
        return tuple(self._open)

    def supposing(self, path: Path, text: str) -> "Files":
        """These files if the one at `path`, which there is, held `text`.

        What is known of the disk is shared, so that this costs little and is soon out of date.
        """
        before = self.read(path)
        other = copy(self)
        is_marked = self._marked.get(path, False) or text.startswith("\ufeff")
        held = File(path, text, is_marked, version=before.version if before else None)
        other._open = self._open | {path: held}  # noqa: SLF001 - of the same class
        # What is known of its text, and of those of its folder, is not what is supposed.
        other.notes = {noted: known for noted, known in self.notes.items() if noted != path}
        known = self._derived.get(path.parent, {}).items()
        beside = {key: value for key, value in known if key not in (OF_TEXTS, OF_ALL_TEXTS)}
        other._derived = self._derived | {path.parent: beside}  # noqa: SLF001 - of the same class
        return other

    # What happened to the disk.

    def changed(self, path: Path) -> None:
        """`path` was created, changed or deleted on disk."""
        self._forget_folders()
        self._forget_listing(path.parent)
        self._forget_listing(path)
        self.rewritten(path)

    def rewritten(self, path: Path) -> None:
        """The file at `path` has another content on disk, and nothing else has changed."""
        self._texts.pop(path, None)
        self.notes.pop(path, None)
        if path in self._open:
            self._marked[path] = _starts_with_bom(path)
            bom = self._marked[path] or self._open[path].text.startswith("\ufeff")
            self._open[path] = replace(self._open[path], bom=bom)
        for of_texts in (OF_TEXTS, OF_ALL_TEXTS):
            self._derived.get(path.parent, {}).pop(of_texts, None)

    def refresh(self) -> None:
        """Forgets everything about the disk."""
        self._texts.clear()
        self._entries.clear()
        self._derived.clear()
        self._forget_folders()
        for path in self._open:
            self.changed(path)

    # What is there.

    def read(self, path: Path) -> File | None:
        """The file at `path`, or None where there is none."""
        if path in self._open:
            return self._open[path]
        if path in self._texts:
            self._texts.move_to_end(path)
            return self._texts[path]
        file = _load(path)
        self._texts[path] = file
        if len(self._texts) > self.keeps:
            self._texts.popitem(last=False)
        return file

    def entries(self, folder: Path) -> tuple[str, ...]:
        """The names of what is no folder in `folder` (links followed), sorted by code point.

        What cannot be read as a file is among them, since it may have been meant as one.
        """
        if folder not in self._entries:
            names = {entry.name for entry in self._scan(folder) if not _is_folder(entry)}
            names |= {path.name for path in self._open if path.parent == folder}
            self._entries[folder] = tuple(sorted(names))
        return self._entries[folder]

    def is_folder(self, path: Path) -> bool:
        """Whether `path` is a folder, or will be once an open file below it is saved."""
        return self._kind(path) == "folder" or any(path in held.parents for held in self._open)

    def exists(self, path: Path) -> bool:
        """Whether there is anything at `path` on disk."""
        return self._kind(path) != ""

    def real(self, path: Path) -> Path:
        """The absolute `path` with all its links followed: one for all the names of a place."""
        # Thousands of folders share those above them, which are looked at once.
        waiting = []
        while path not in self._real:
            waiting.append(path)
            if path.parent == path:
                self._real[path] = path
            path = path.parent
        for unknown in reversed(waiting):
            self._real[unknown] = self._followed(unknown)
            path = unknown
        return self._real[path]

    def locked(self) -> Mapping[Path, str]:
        """The folders that the system did not let us look into so far, and its reasons."""
        return self._locked

    def derived(self, folder: Path | None, key: Hashable) -> object | None:
        """What `remember` kept about the listing of `folder`; None after the listing changed."""
        return self._derived.get(folder, {}).get(key)

    def remember(self, folder: Path | None, key: Hashable, value: object) -> None:
        """Keeps `value` while the listing of `folder`, with None those of all, stays the same."""
        self._derived.setdefault(folder, {})[key] = value

    def walk(self, root: Path) -> Iterator[Path]:
        """The folders below `root`, itself first; build folders are not entered.

        Of links only those with a dotted name are followed (a shared `.codex`), each target
        once, so that a loop ends. A generator, so that a caller can stop and go on later.
        """
        waiting = [root]
        followed = {_target(root)}
        while waiting:
            folder = waiting.pop()
            yield folder
            inner = [entry.path for entry in self._scan(folder) if _is_entered(entry, followed)]
            waiting += (Path(path) for path in sorted(inner, reverse=True))

    def _hold(self, path: Path, text: str, version: int | None) -> None:
        self.notes.pop(path, None)
        self._derived.get(path.parent, {}).pop(OF_ALL_TEXTS, None)
        bom = self._marked[path] or text.startswith("\ufeff")
        self._open[path] = file_of(path, text, bom, version)

    def _kind(self, path: Path) -> str:
        if path not in self._kinds:
            try:
                mode = os.stat(path).st_mode
            except (OSError, ValueError):
                self._kinds[path] = ""
            else:
                self._kinds[path] = "folder" if stat.S_ISDIR(mode) else "file"
        return self._kinds[path]

    def _followed(self, path: Path) -> Path:
        """The real place of `path`, when that of the folder above is known."""
        try:
            if path.name == ".." or path.is_symlink():
                return Path(os.path.realpath(path))
        except (OSError, ValueError):
            return path
        parent = self._real[path.parent]
        return path if parent == path.parent else parent / path.name

    def _scan(self, folder: Path) -> Iterable[os.DirEntry[str]]:
        self._locked.pop(folder, None)
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except PermissionError as error:
            self._locked[folder] = str(error.strerror)
        except (OSError, ValueError):
            pass
        return ()

    def _forget_folders(self) -> None:
        self._kinds.clear()
        self._real.clear()
        self._derived.pop(None, None)

    def _forget_listing(self, folder: Path) -> None:
        self._entries.pop(folder, None)
        self._derived.pop(folder, None)


def _load(path: Path) -> File | None:
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            return None
        if not stat.S_ISREG(status.st_mode):
            # To open a pipe would be to wait for somebody who writes into it.
            return File(path, "", problem="not a regular file", unsure=True)
        if status.st_size > MAX_BYTES:
            what = f"larger than {MAX_BYTES // 1_000_000} MB"
            return File(path, "", problem=what, too_large=True)
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        is_link = os.path.islink(path)
        return File(path, "", problem="a link to a file that does not exist") if is_link else None
    except (OSError, ValueError) as error:
        return File(path, "", problem=getattr(error, "strerror", None) or str(error))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"not UTF-8: byte {error.start} does not decode"
        return File(path, "", problem=what, unsure=True)
    return file_of(path, text, data.startswith(_BOM))


def _starts_with_bom(path: Path) -> bool:
    with suppress(OSError, ValueError):
        if stat.S_ISREG(os.stat(path).st_mode):
            with path.open("rb") as stream:
                return stream.read(len(_BOM)) == _BOM
    return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_dir()
    return False


def _target(path: str | os.PathLike[str]) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        # A name with a NUL leads nowhere, nor does one beyond what the system takes.
        return os.fspath(path)


def _is_entered(entry: os.DirEntry[str], followed: set[str]) -> bool:
    try:
        if entry.name in _NEVER_ENTERED:
            return False
        if not entry.is_symlink():
            return entry.is_dir(follow_symlinks=False)
        target = _target(entry.path)
        is_loop = target in followed or entry.path.startswith(os.path.join(target, ""))
        if not entry.name.startswith(".") or is_loop or not entry.is_dir():
            return False
        followed.add(target)
    except OSError:
        return False
    return True
