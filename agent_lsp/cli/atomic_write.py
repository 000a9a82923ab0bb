"""Writes a file so that a reader sees either the old content or the new one, and in its own place.

Invariants: no link leads a write out of the folders that its caller names, or into their `.git`:
whoever made the repository could otherwise choose what is overwritten. After any failure the file
has its old content or the new one, never a part of it, and a new file has all of its content or is
not there. The file keeps its mode, its owner, its other names, and on Linux its access list and
other extended attributes. One that is read-only is refused. A file of which a replacement would
lose any of these is written in place: only then may a reader see a part of it while it is written.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from time import time

from agent_lsp.cli.terminal import visible
from agent_lsp.workspace.paths import is_of_git

# The end of the name of a temporary file, and the age in seconds after which nobody writes it.
_SUFFIX = ".agent-template-lsp"
_OLD = 600


def write_atomically(
    path: Path, data: bytes, *, within: Iterable[Path], makes_folder: bool = False
) -> None:
    """Replaces the content of the file at `path`, follows links, and keeps mode and owner.

    A device or a pipe gets the data. `makes_folder`: its folder need not exist. Raises `OSError` if
    the operating system refuses, if the file is read-only, or as `refuse_outside`.
    """
    refuse_outside(path, within)
    if makes_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    real = Path(os.path.realpath(path))
    before = path.stat() if path.exists() else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        _write_through(path, data)
        return
    if before is not None:
        _refuse_read_only(real, before)
    _remove_left(real)
    if before is not None and before.st_nlink > 1:
        _write_in_place(real, data)
        return
    with _beside(real, data) as written:
        if before is not None and not (
            _has_owner_of(written, before) and _has_attributes_of(written, real)
        ):
            written.unlink()
            _write_in_place(real, data)
            return
        # After the owner, because a change of the owner takes some of the bits away.
        written.chmod(stat.S_IMODE(before.st_mode) if before is not None else 0o666 & ~_umask())
        written.replace(real)


def create_atomically(path: Path, data: bytes, *, within: Iterable[Path]) -> None:
    """Creates the file at `path`, and its folder; the file appears with all of `data`.

    Raises `OSError` if the operating system refuses, or as `refuse_outside`, or `FileExistsError`
    if there is a file or a link, even one that has just come.
    """
    refuse_outside(path, within)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_left(path)
    with _beside(path, data) as written:
        written.chmod(0o666 & ~_umask())
        if sys.platform == "win32":
            # There, to rename never replaces a file.
            written.rename(path)
            return
        try:
            path.hardlink_to(written)
        except OSError:
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, "it exists", str(path)) from None
            # The file system has no hard links.
            written.rename(path)


def remove(path: Path, *, within: Iterable[Path]) -> None:
    """Removes the file or the link at `path`, if it is there.

    Raises `OSError` if the operating system refuses, or as `refuse_outside`.
    """
    refuse_outside(path, within)
    path.unlink(missing_ok=True)


def refuse_outside(path: Path, within: Iterable[Path]) -> None:
    """Raises `OSError` if a link below one of the folders `within` leads `path` out of it.

    A link into `.git` does so, too: Git runs files there. A path that is written as one outside, or
    as one in `.git`, is meant.
    """
    real = Path(os.path.realpath(path))
    for folder in within:
        if folder not in path.parents:
            continue
        top = Path(os.path.realpath(folder))
        if top not in real.parents:
            place = "outside the repository"
        elif any(map(is_of_git, real.relative_to(top).parts)) and ".git" not in path.parts:
            place = "into `.git`"
        else:
            continue
        # Whoever means it can write the path that the message shows.
        raise PermissionError(errno.EPERM, f"a link points {place}, to {visible(str(real))}")


@contextmanager
def _beside(real: Path, data: bytes) -> Iterator[Path]:
    """A temporary file with `data` in the folder of `real`; at the end, it is gone or renamed."""
    from tempfile import mkstemp  # noqa: PLC0415 - most calls write nothing

    number, name = mkstemp(prefix=_prefix(real), suffix=_SUFFIX, dir=real.parent)
    written = Path(name)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        yield written
    finally:
        with suppress(OSError):
            written.unlink()


def _prefix(real: Path) -> str:
    return f".{real.name[:40]}."


def _refuse_read_only(real: Path, status: os.stat_result) -> None:
    # The superuser may write everything, but the owner did not want this file to be written.
    is_writable = status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if not is_writable or not os.access(real, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only", str(real))


def _has_owner_of(written: Path, before: os.stat_result) -> bool:
    """Whether the file at `written` has the owner and the group of `before`, or could get them."""
    new = written.stat()
    if sys.platform == "win32" or (new.st_uid, new.st_gid) == (before.st_uid, before.st_gid):
        return True
    try:
        os.chown(written, before.st_uid, before.st_gid)
    except OSError:
        return False
    return True


def _has_attributes_of(written: Path, real: Path) -> bool:
    """Whether the file at `written` has the extended attributes of `real` alone, or could get them.

    Linux keeps access lists in them, and gives a new file that of its folder.
    """
    if sys.platform != "linux":
        return True
    try:
        names = os.listxattr(real)
    except OSError:
        # The file system has none.
        return True
    try:
        ours = os.listxattr(written)
        for name in names:
            value = os.getxattr(real, name)
            if name not in ours or os.getxattr(written, name) != value:
                os.setxattr(written, name, value)
        for name in set(ours).difference(names):
            os.removexattr(written, name)
    except OSError:
        return False
    return True


def _write_through(path: Path, data: bytes) -> None:
    """Writes `data` to the device or the pipe at `path`; fails if nobody reads from the pipe."""
    number = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(number, "wb") as stream:
        if sys.platform != "win32":
            os.set_blocking(number, True)
        stream.write(data)


def _write_in_place(real: Path, data: bytes) -> None:
    """Writes `data` into the file at `real`; if that fails, writes the old content again."""
    old = real.read_bytes()
    with real.open("r+b", buffering=0) as stream:
        try:
            _put(stream.fileno(), data)
        except BaseException:
            _put(stream.fileno(), old)
            raise


def _put(number: int, data: bytes) -> None:
    os.lseek(number, 0, os.SEEK_SET)
    left = memoryview(data)
    while left:
        left = left[os.write(number, left) :]
    os.ftruncate(number, len(data))
    os.fsync(number)


def _remove_left(real: Path) -> None:
    """Removes what a write of the same file left behind that was killed some time ago."""
    with suppress(OSError):
        for left in real.parent.glob(f"{escape(_prefix(real))}*{_SUFFIX}"):
            with suppress(OSError):
                if time() - left.stat().st_mtime > _OLD:
                    left.unlink()


def _umask() -> int:
    # The umask can only be read by setting it.
    current = os.umask(0)
    os.umask(current)
    return current
