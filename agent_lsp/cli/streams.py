"""The standard streams of a command, which can be written and read whatever the caller passes.

Invariants: all that Python and this program print on a terminal, tracebacks, warnings and logs too,
goes through `Terminal.write`, which makes control characters visible. A stream that the caller has
closed is there, and one that does not block is waited for.
"""

import os
import sys
from collections.abc import Iterable
from io import BufferedReader, BufferedWriter, RawIOBase, TextIOWrapper
from typing import TextIO


def prepare() -> None:
    """Makes the standard streams of this process as this module promises."""
    _reopen()
    _wait_for()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character gets a question mark, not an exception.
            stream.reconfigure(errors="replace")
            if stream.isatty():
                # Tracebacks of Python 3.13, and help texts of 3.14, have colours of their own.
                os.environ["PYTHON_COLORS"] = "0"
                setattr(sys, name, Terminal(stream))


class Terminal:
    """A standard stream to a terminal, which it cannot control, except with this program's colours.

    `control` is for the program's own codes.
    """

    def __init__(self, stream: TextIO) -> None:
        from agent_lsp.cli.terminal import harmless, has_colours  # noqa: PLC0415 - not for a pipe

        self.console = stream
        self._is_coloured = has_colours(stream)
        self._harmless = harmless

    def write(self, text: str) -> int:
        """Writes `text`, and returns its length."""
        self.console.write(self._harmless(text, is_coloured=self._is_coloured))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Writes `lines`, which have their own line ends."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.console, name)


def control(code: str, stream: TextIO) -> None:
    """Writes a code of this program, which the terminal at `stream` obeys."""
    (stream.console if isinstance(stream, Terminal) else stream).write(code)


def _reopen() -> None:
    """Opens the null device for each standard stream that the caller has closed.

    Python has None for such a stream. The next file that is opened would get its descriptor, and be
    read or written as that stream. Output that nobody gets is an error: to write it fails, because
    the device is open for reading only. A message without a reader is none.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


class _Patient(RawIOBase):
    """A descriptor that does not block, which is read and written like one that does.

    Another process may share it, so it stays as it is.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return os.isatty(self._number)

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        while True:
            try:
                data = os.read(self._number, len(buffer))
            except BlockingIOError:
                _await((self._number,))
            else:
                buffer[: len(data)] = data
                return len(data)

    def write(self, data: "bytes | memoryview") -> int:  # type: ignore[override]
        while True:
            try:
                return os.write(self._number, data)
            except BlockingIOError:
                _await((), (self._number,))


def _await(reading: tuple[int, ...], writing: tuple[int, ...] = ()) -> None:
    from select import select  # noqa: PLC0415 - rarely needed

    select(reading, writing, ())


def _wait_for() -> None:
    """Waits in each standard stream that does not block, instead of failing."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, TextIOWrapper) or _blocks(stream):
            continue
        raw = _Patient(stream.fileno())
        setattr(
            sys,
            name,
            TextIOWrapper(
                BufferedReader(raw) if name == "stdin" else BufferedWriter(raw),
                stream.encoding,
                stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            ),
        )


def _blocks(stream: TextIO) -> bool:
    if sys.platform == "win32":
        return True
    try:
        return os.get_blocking(stream.fileno())
    except (OSError, ValueError):
        # Such a stream has no descriptor.
        return True
