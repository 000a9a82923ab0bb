"""A disk in memory, with the path syntax of one operating system and its rules for equal names.

It replaces the disk of a machine that the tests do not have. Python's `PureWindowsPath` and
`PurePosixPath` decide the meaning of paths.
"""

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import cast

from agent_lsp.workspace.disk import Disk, Entry
from agent_lsp.workspace.paths import folded, key_of

_TOP = PurePosixPath("/")
_FOLDER, _FILE = stat.S_IFDIR | 0o755, stat.S_IFREG | 0o644


def windows(written: str) -> Path:
    """A Windows path as the product gets it there; `Memory` answers questions about the disk."""
    return cast("Path", PureWindowsPath(written))


def posix(written: str) -> Path:
    """A path on macOS or Linux, in the same way."""
    return cast("Path", PurePosixPath(written))


@dataclass(frozen=True, slots=True)
class _Node:
    """A file with its bytes, or a folder; `path` has the spelling of the disk."""

    path: PurePath
    number: int
    data: bytes | None = None
    device: int = 1

    @property
    def status(self) -> os.stat_result:
        mode = _FOLDER if self.data is None else _FILE
        return os.stat_result(
            (mode, self.number, self.device, 1, 0, 0, len(self.data or b""), 0, 0, 0)
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    """A node in a listing."""

    node: _Node

    @property
    def name(self) -> str:
        return self.node.path.name

    def is_symlink(self) -> bool:
        return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        assert isinstance(follow_symlinks, bool)
        return self.node.data is None

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        assert isinstance(follow_symlinks, bool)
        return self.node.status


@dataclass(slots=True)
class Memory(Disk):
    """Files by path, with their folders; `ignores_case` is true for a disk like that of macOS.

    A second disk begins at the folder `top`, whose own name is on the first one.
    """

    key = staticmethod(key_of)

    ignores_case: bool
    top: PurePath = _TOP
    _nodes: dict[tuple[str, ...], _Node] = field(default_factory=dict)

    def put(self, files: Mapping[Path, str]) -> None:
        """Creates the files, in folders that may already exist in another spelling."""
        for path, text in files.items():
            for above in reversed(path.parents):
                self._nodes.setdefault(self._key(above), self._new(above, None))
            spelt = self._nodes[self._key(path.parent)].path / path.name
            self._nodes[self._key(path)] = self._new(spelt, text.encode())

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        assert isinstance(is_followed, bool)
        return self._node(path).status

    def read(self, path: Path, most: int = -1) -> bytes:
        data = self._node(path).data or b""
        return data if most < 0 else data[:most]

    def scan(self, folder: Path) -> Iterable[Entry]:
        key = self._key(self._node(folder).path)
        inside = (node for other, node in self._nodes.items() if other[:-1] == key)
        return [_Entry(node) for node in inside if node.path.name]

    def real(self, path: Path) -> Path:
        return path

    def _new(self, path: PurePath, data: bytes | None) -> _Node:
        device = 2 if self.top in (path, *path.parents) else 1
        return _Node(path, len(self._nodes) + 1, data, device)

    def _node(self, path: PurePath) -> _Node:
        found = self._nodes.get(self._key(path))
        if found is None:
            raise FileNotFoundError(errno.ENOENT, "there is nothing", str(path))
        return found

    def _key(self, path: PurePath) -> tuple[str, ...]:
        if isinstance(path, PureWindowsPath):
            return tuple(map(folded, path.parts))
        exact = len(self.top.parts) if self.ignores_case else len(path.parts)
        return (*path.parts[:exact], *map(folded, path.parts[exact:]))
