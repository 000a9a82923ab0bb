"""Writes a file so that a reader sees either the old content or the new one.

Invariant: after any failure the file has its old content or the new one, never a part of it.
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


def _umask() -> int:
    # The umask can only be read by setting it.
    current = os.umask(0)
    os.umask(current)
    return current
