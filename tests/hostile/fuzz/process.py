"""A server in a process of its own: what it says and when, and the processor time that it takes.

Times are in seconds, of the clock that only goes forward.
"""

import json
import os
import queue
import re
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

# How many lines of stderr are kept.
_LINES = 400
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class GoneError(Exception):
    """The server has ended, or what it says is no frame of a message."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message, when it came, and how much processor time the server had taken until then."""

    at: float
    cpu: float
    message: object


class Server:
    """A process that was started by `command`, and talks over its standard streams."""

    def __init__(self, command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(variables),
        )
        self._pids: tuple[int, ...] = ()
        self._messages: queue.Queue[Said | Exception] = queue.Queue()
        self._log: deque[str] = deque(maxlen=_LINES)
        self.measure()
        for listen in (self._listen, self._overhear):
            Thread(target=listen, daemon=True).start()

    @property
    def is_measured(self) -> bool:
        """Whether somebody tells what the server takes."""
        return bool(self._pids)

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of stderr since `clear_log`."""
        return tuple(self._log)

    def clear_log(self) -> None:
        """Forgets the lines of stderr so far."""
        self._log.clear()

    def write(self, data: bytes) -> None:
        """Sends bytes; raises `GoneError` if nobody takes them."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(data)
            stdin.flush()
        except (OSError, ValueError) as error:
            raise GoneError("nobody reads its input any more") from error

    def next(self, seconds: float) -> Said | None:
        """What the server says within that time; raises `GoneError` if it says nothing again."""
        try:
            said = self._messages.get(seconds > 0, max(seconds, 0) or None)
        except queue.Empty:
            return None
        if isinstance(said, Exception):
            raise GoneError(str(said)) from said
        return said

    def code(self, seconds: float) -> int | None:
        """The exit code; None if the process has not ended after that time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """Ends the process, whatever state it is in."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError, ValueError):
                _ = stream.close() if stream is not None else None

    # What it costs.

    def measure(self) -> None:
        """Finds out who is to be measured: the process, or one that it has started for this."""
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError):
            pipe = f"pipe:[{os.fstat(stdin.fileno()).st_ino}]"
            every = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
            self._pids = tuple(one for one in every if _stdin(one) == pipe)

    def cpu(self) -> float:
        """The processor time of the server so far; 0 where nobody tells it."""
        total = 0
        for pid in self._pids:
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
        return total / _TICKS

    def memory(self) -> int:
        """How much memory the server has now, in MB; 0 where nobody tells it."""
        total = 0
        for pid in self._pids:
            with suppress(OSError):
                said = re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
                total += int(said[1]) if said is not None else 0
        return total // 1024

    def _listen(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                body = _frame(stdout)
                self._messages.put(Said(time.monotonic(), self.cpu(), json.loads(body)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the other thread has to know
            self._messages.put(error)

    def _overhear(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with suppress(ValueError, OSError):
            for line in stderr:
                self._log.append(line.decode("utf-8", "replace").rstrip("\n"))


def _frame(stdout: IO[bytes]) -> bytes:
    size = None
    while (line := stdout.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        size = int(value) if name.lower() == b"content-length" else size
    if not line:
        raise EOFError("its output has ended")
    if size is None:
        raise ValueError("it has said something without a length")
    return stdout.read(size)


def _stdin(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/fd/0").readlink())
    except OSError:
        return ""
