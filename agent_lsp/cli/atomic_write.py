"""Writes a file so that nobody ever finds half of it.

Invariant: whatever goes wrong, the file is as it was or as it was meant to be.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


def write_atomically(path: Path, data: bytes) -> None:
    """Makes `data` the content of `path`, through links, with the permissions that it had.

    Raises `OSError` if the system does not let us.
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
    # There is no way to ask for it but to set it.
    current = os.umask(0)
    os.umask(current)
    return current
