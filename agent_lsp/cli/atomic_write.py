"""Writes a file so that a reader sees either the old content or the new one.

Invariants: after any failure the file has its old content or the new one, never a part of it. Only
a file with several hard links is written in place, because its other names would otherwise keep the
old content.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the content of the file at `path`, follows links, and keeps the permissions.

    Raises `OSError` if the operating system refuses.
    """
    real = Path(os.path.realpath(path))
    if real.exists() and real.stat().st_nlink > 1:
        _write_in_place(real, data)
        return
    mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~_umask()
    number, name = mkstemp(prefix=f".{real.name[:40]}.", dir=real.parent)
    written = Path(name)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        written.chmod(mode)
        written.replace(real)
    except BaseException:
        with suppress(OSError):
            written.unlink()
        raise


def _write_in_place(path: Path, data: bytes) -> None:
    with path.open("r+b") as stream:
        stream.write(data)
        stream.truncate()
        stream.flush()
        os.fsync(stream.fileno())


def _umask() -> int:
    # The umask can only be read by setting it.
    current = os.umask(0)
    os.umask(current)
    return current
