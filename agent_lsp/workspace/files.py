"""Reads files; the text in the editor has precedence over the disk.

Invariants: nothing on a disk raises an exception here. The state of the disk, and answers that
depend on it, are stored until `changed` or `refresh` is called. Texts keep their line ends.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.text import LineIndex
from agent_lsp.workspace import disk
from agent_lsp.workspace.disk import (
    MAX_BYTES,
    MAX_HEADER,
    Disk,
    Entry,
    SourceFile,
    Spelling,
    Statuses,
    source_file,
)
from agent_lsp.workspace.memo import Answers

__all__ = ["MAX_BYTES", "MAX_HEADER", "Files", "SourceFile"]

# Closed texts are read again when needed; this cache keeps the few that are in use.
_KEPT_TEXTS = 256


class Files:
    """The texts that are open in the editor, over a disk that is read lazily.

    `template_names` are the names of templates that are not Markdown, or their ends. Their texts do
    not affect other places.
    """

    def __init__(
        self, under: Disk | None = None, template_names: frozenset[str] = frozenset()
    ) -> None:
        self._disk = under or disk.used()
        self._key = self._disk.key
        self._template_names = template_names
        self._spelling = Spelling(self._disk)
        self._statuses = Statuses(self._disk)
        # By the keys of paths.
        self._spelt: dict[str, Path] = {}
        self._open: dict[Path, SourceFile] = {}
        self._marked: dict[Path, bool] = {}
        self.keeps = _KEPT_TEXTS
        self._texts: OrderedDict[Path, SourceFile | None] = OrderedDict()
        self._entries: dict[Path, tuple[str, ...]] = {}
        self._links: dict[Path, tuple[str, ...]] = {}
        self._kinds: dict[str, str] = {}
        self._executable: dict[Path, bool] = {}
        self._divided = LineIndex("")
        self._real: dict[str, Path] = {}
        self._locked: dict[Path, str] = {}
        # Answers of other modules about these files, until the files change.
        self.answers = Answers()

    # Changes from the editor.

    def open(self, path: Path, text: str, version: int | None = None) -> None:
        """Uses `text` from the editor for `path`."""
        if path not in self._open:
            self._forget_listing(path.parent)
            if not self.exists(path):
                # The file and its folder now count as existing.
                self.answers.forget_tree()
            self._marked[path] = disk.starts_with_bom(self._disk, path)
        self._hold(path, text, version)

    def close(self, path: Path) -> None:
        """Uses the text on disk for `path` again."""
        self._open.pop(path, None)
        self._marked.pop(path, None)
        self.changed(path)

    def is_open(self, path: Path) -> bool:
        """Whether `path` is open in the editor."""
        # Nothing is where most questions come from, and then a path need not be hashed.
        return bool(self._open) and path in self._open

    def opened(self) -> tuple[Path, ...]:
        """The paths that are open in the editor."""
        return tuple(self._open)

    def supposing(self, path: Path, text: str) -> "Files":
        """The same files, but with `text` in the existing file at `path`.

        Both share the state of the disk, so this is cheap, and outdated at the next change.
        """
        before = self.read(path)
        other = copy(self)
        is_marked = self._marked.get(path, False) or text.startswith("\ufeff")
        held = SourceFile(path, text, is_marked, version=before.version if before else None)
        other._open = self._open | {path: held}  # noqa: SLF001 - of the same class
        other.answers = self.answers.supposing(path)
        return other

    # Changes on the disk.

    def changed(self, path: Path) -> None:
        """Notes that `path` was created, changed or deleted on disk."""
        self._forget_folders()
        self._forget_listing(path.parent)
        self._forget_listing(path)
        self.rewritten(path)

    def rewritten(self, path: Path) -> None:
        """Notes that only the content of the file at `path` has changed on disk."""
        self._texts.pop(path, None)
        self.answers.forget_text(path, is_open=False)
        if path in self._open:
            self._marked[path] = disk.starts_with_bom(self._disk, path)
            bom = self._marked[path] or self._open[path].text.startswith("\ufeff")
            self._open[path] = replace(self._open[path], bom=bom)

    def refresh(self, looked_at: Iterable[Path] = ()) -> None:
        """Forgets the state of the disk.

        For files in the folders `looked_at`, the answers about their texts are kept; the caller
        reports their changes one by one.
        """
        self.answers.forget_disk(looked_at)
        self._texts.clear()
        self._entries.clear()
        self._forget_folders()
        for path in self._open:
            self.changed(path)

    # The files and folders.

    def read(self, path: Path) -> SourceFile | None:
        """The file at `path`, or None if there is none."""
        if self.is_open(path):
            return self._open[path]
        if path in self._texts:
            self._texts.move_to_end(path)
            return self._texts[path]
        file = disk.load(self._disk, path)
        self._texts[path] = file
        if len(self._texts) > self.keeps:
            self._texts.popitem(last=False)
        return file

    def data(self, path: Path) -> bytes | None:
        """The bytes of the file at `path` on disk, of any size; None if it cannot be read."""
        try:
            return self._disk.read(path)
        except (OSError, ValueError):
            return None

    def lines(self, path: Path) -> LineIndex:
        """The line index of the text at `path`; that of an empty text if there is no file.

        In a file that is not UTF-8, the text is that with replaced bytes. The byte-order mark of a
        closed file has no column, since no editor will show it.
        """
        file = self.read(path)
        text = file.text or file.replaced if file is not None else ""
        unseen = int(path not in self._open and text.startswith("\ufeff"))
        # An answer may name thousands of places of one file, one after another.
        if self._divided.text is not text or self._divided.unseen != unseen:
            self._divided = LineIndex(text, unseen)
        return self._divided

    def entries(self, folder: Path) -> tuple[str, ...]:
        """The names in `folder` except those of folders, sorted by code point; links are followed.

        Entries that cannot be read as files are included, because they may be meant as files.
        """
        if folder not in self._entries:
            found = [entry for entry in self._scan(folder) if not disk.is_folder(entry)]
            links = (entry.name for entry in found if disk.is_link_entry(entry))
            self._links[folder] = tuple(sorted(links))
            names = {entry.name for entry in found}
            names |= {path.name for path in self._open if path.parent == folder}
            self._entries[folder] = tuple(sorted(names))
        return self._entries[folder]

    def folders(self, folder: Path) -> tuple[str, ...]:
        """The names of the folders in `folder` (links followed), sorted by code point."""
        return tuple(sorted(one.name for one in self._scan(folder) if disk.is_folder(one)))

    def links(self, folder: Path) -> tuple[str, ...]:
        """The names of the links in `folder` that do not lead to a folder, sorted by code point."""
        self.entries(folder)
        return self._links[folder]

    def shared_inode(self, path: Path) -> tuple[int, int] | None:
        """The device and the number of the file at `path` if it has several hard links."""
        return disk.shared_inode(self._disk, path)

    def is_folder(self, path: Path) -> bool:
        """Whether `path` is a folder, or will be once an open file below it is saved."""
        return self._kind(path) == "folder" or any(path in held.parents for held in self._open)

    def exists(self, path: Path) -> bool:
        """Whether there is a file or folder at `path` on disk."""
        return self._kind(path) != ""

    def is_missing(self, path: Path) -> bool:
        """Whether it is certain that nothing is at `path` on disk, nor can be below it."""
        return self._statuses.is_missing(path)

    def is_executable(self, path: Path) -> bool:
        """Whether the file at `path` can be run; every file can on Windows."""
        if path not in self._executable:
            self._executable[path] = disk.is_executable(self._disk, path)
        return self._executable[path]

    def real(self, path: Path) -> Path:
        """The absolute `path` with all links followed: the same for all names of a place."""
        return self._of_each(self._real, path, self._followed)

    def spelt(self, path: Path) -> Path:
        """The absolute `path` with links kept, and each name as the disk spells it."""
        return self._of_each(self._spelt, path, self._as_spelt)

    def is_spelt(self, path: Path) -> bool:
        """Whether `path` has the spelling of the disk."""
        # Called for each file of a workspace; on most disks, each name has one spelling.
        return self.is_exact or str(self.spelt(path)) == str(path)

    @property
    def is_exact(self) -> bool:
        """Whether all disks that were used so far distinguish case."""
        return self._spelling.is_exact

    def locked(self) -> Mapping[Path, str]:
        """The folders that could not be read so far, with the reasons."""
        return self._locked

    def walk(
        self,
        root: Path,
        beyond: Callable[[Path], Iterable[Path]] = lambda _: (),
        *,
        is_whole: bool = False,
    ) -> Iterator[Path]:
        """The folders below `root`, itself first; build folders are not entered.

        A walk of the whole of `root` enters them as well, and follows each link. Otherwise, links
        are followed only if their name begins with a dot, such as a shared `.codex`. Each target is
        entered once, so that a loop ends. For other links to folders, the result of `beyond` is
        included. This is a generator, so that a caller can pause.
        """
        waiting = [root]
        followed = set[Path]()
        while waiting:
            folder = waiting.pop()
            yield folder
            # A folder of thousands of files has few folders.
            inner = list(filter(disk.is_folder, self._scan(folder)))
            if not followed and any(map(disk.is_linked, inner)):
                followed.add(disk.target(self._disk, root))
            names = {
                e.name
                for e in inner
                if disk.is_entered(self._disk, folder, e, followed, is_whole=is_whole)
            }
            waiting += (folder / name for name in sorted(names, reverse=True))
            links = (e.name for e in inner if e.name not in names and disk.is_linked(e))
            for name in sorted(links):
                yield from beyond(folder / name)

    def _hold(self, path: Path, text: str, version: int | None) -> None:
        self.answers.forget_text(path, is_open=True)
        names = (path.name, path.suffix)
        if path.suffix.lower() != ".md" and self._template_names.isdisjoint(names):
            # The file may be a marker, whose text can contain the names of the agents in its
            # folder.
            self.answers.forget_tree()
        bom = self._marked[path] or text.startswith("\ufeff")
        self._open[path] = source_file(path, text, bom, version)

    def _kind(self, path: Path) -> str:
        key = self._key(path)
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = self._statuses.kind(path, key)
        return kind

    def _of_each(
        self, results: dict[str, Path], path: Path, step: Callable[[Path, Path, Path], Path]
    ) -> Path:
        """The result of `step` for `path`, after the same for each folder above it.

        `step` takes a path, the folder above, and the result for that folder.
        """
        # Thousands of folders have the same parents, which need this only once. Each parent is made
        # once, because making paths takes more time than everything else here.
        waiting = []
        while (found := results.get(key := self._key(path))) is None:
            above = path.parent
            waiting.append((key, path, above))
            if above is path:
                found = path
                break
            path = above
        for key, unknown, above in reversed(waiting):
            results[key] = found = step(unknown, above, found)
        return found

    def _followed(self, path: Path, above: Path, parent: Path) -> Path:
        """The real path of `path`, whose folder `above` has the real path `parent`."""
        name, status = path.name, self._statuses.of(path, above)
        # A missing file keeps its name.
        if status is not None:
            with suppress(OSError, ValueError):
                if name == ".." or disk.leads_elsewhere(status):
                    return self.spelt(self._disk.real(path))
                name = self._spelling.of(parent, name, status)
        return _joined(path, above, parent, name)

    def _as_spelt(self, path: Path, above: Path, parent: Path) -> Path:
        """`path` as the disk spells it, whose folder `above` has the spelling `parent`."""
        name, status = path.name, self._statuses.of(path, above)
        if status is not None:
            with suppress(OSError, ValueError):
                name = self._spelling.of(parent, name, status)
        return _joined(path, above, parent, name)

    def _scan(self, folder: Path) -> Iterable[Entry]:
        self._locked.pop(folder, None)
        try:
            return self._disk.scan(folder)
        except PermissionError as error:
            self._locked[folder] = str(error.strerror)
        except (OSError, ValueError):
            pass
        return ()

    def _forget_folders(self) -> None:
        self._kinds.clear()
        self._executable.clear()
        self._real.clear()
        self._spelt.clear()
        self._spelling.forget()
        self._statuses.forget()
        self.answers.forget_tree()

    def _forget_listing(self, folder: Path) -> None:
        self._entries.pop(folder, None)
        self.answers.forget_listing(folder)


def _joined(path: Path, above: Path, parent: Path, name: str) -> Path:
    """`name` in `parent`; `path` itself, which is in `above`, if the spelling is the same."""
    is_same = name == path.name and (parent is above or str(parent) == str(above))
    return path if is_same else parent / name
