"""The command line: `main` reads the arguments and runs one command.

Invariants: a command is a module with `add_arguments` and `run(arguments) -> int`, imported only
when it is asked for; what is wrong with the call is one `error: …` on stderr and exit code 2.
"""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from agent_lsp.cli.arguments import CommandError, module, parsed

# The exit code that a shell reports for a process ended by a closed pipe or Ctrl-C.
_CLOSED_PIPE = 141
_INTERRUPTED = 130
_GARBAGE = 50_000


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of the command that `argv` states, after it has run."""
    _reopen()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character gets a question mark, not an exception.
            stream.reconfigure(errors="replace")
    try:
        code = _run(argv)
        sys.stdout.flush()
    except OSError as error:
        if not is_reader_gone(error, sys.platform):
            raise
        # Python flushes stdout once more at exit, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def is_reader_gone(error: OSError, system: str) -> bool:
    """Whether `error` says that nobody reads on, which Windows calls a wrong argument.

    Source: bugs.python.org/issue35754, read 2026-11-28.
    """
    is_wrong = system == "win32" and error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError) or is_wrong


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = parsed(sys.argv[1:] if argv is None else argv)
        if arguments.command != "serve":
            # What is loaded and read is kept, so to look for garbage as often as Python does is a
            # tenth of the time. A server lives longer, and says itself how often it looks.
            gc.set_threshold(_GARBAGE)
        return int(module(arguments.command).run(arguments))
    except CommandError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return failure.code
    except SystemExit as stop:
        # argparse has said what there is to say: a help text, the version, or an error.
        return stop.code if isinstance(stop.code, int) else 2


def _reopen() -> None:
    """Puts nothing in the place of a stream that the caller has closed, for which Python has None.

    What is opened later could have its number otherwise, and be read or written as that stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, stream)
