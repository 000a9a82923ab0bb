"""The command line: `program` is the installed command, and `main` runs one in this process.

Invariants: a command is a module with `add_arguments` and `run(arguments) -> int`, imported only
when it is called. An invalid call prints one `error: …` to stderr and exits with code 2.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from agent_lsp.cli.arguments import CommandError, module, parsed
from agent_lsp.cli.streams import prepare

# The exit code that a shell reports for a process ended by a closed pipe or Ctrl-C.
_CLOSED_PIPE = 141
# EX_IOERR of sysexits.h: the output could not be written.
_NO_OUTPUT = 74
_INTERRUPTED = 130
_GARBAGE = 50_000
# A full disk, a stream that the caller has closed, and a terminal that is gone.
_UNWRITABLE = {errno.ENOSPC, errno.EFBIG, errno.EBADF, errno.EIO, getattr(errno, "EDQUOT", None)}


def main(argv: Sequence[str] | None = None, begin: Callable[[], object] = bool) -> int:
    """Runs the command in `argv`, by default that of the process, and returns its exit code.

    Calls `begin` when the modules of the command are loaded.
    """
    prepare()
    try:
        code = _run(argv, begin)
        sys.stdout.flush()
    except OSError as error:
        is_gone = is_reader_gone(error, sys.platform)
        if not is_gone and error.errno not in _UNWRITABLE:
            raise
        # Python flushes stdout again at exit, and would report the error there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_gone:
            return _CLOSED_PIPE
        with suppress(OSError):
            reason = "it is closed" if error.errno == errno.EBADF else error.strerror
            print(f"error: cannot write the output: {reason}", file=sys.stderr)
        return _NO_OUTPUT
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def is_reader_gone(error: OSError, system: str) -> bool:
    """Whether `error` is that of a closed pipe, for which Windows has another number.

    Source: bugs.python.org/issue35754, read 2026-11-28.
    """
    is_wrong = system == "win32" and error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError) or is_wrong


def _run(argv: Sequence[str] | None, begin: Callable[[], object]) -> int:
    try:
        # A command keeps nearly everything that it loads and reads. Collecting garbage at Python's
        # default rate would take a tenth of its time. A server runs longer and sets its own rate.
        gc.set_threshold(_GARBAGE)
        arguments = parsed(sys.argv[1:] if argv is None else argv)
        run = module(arguments.command).run
        begin()
        return int(run(arguments))
    except CommandError as failure:
        from agent_lsp.cli.terminal import visible_lines  # noqa: PLC0415 - only for an error

        # It may quote an argument, which a shell makes of the names of files.
        print(visible_lines(f"error: {failure}"), file=sys.stderr)
        return failure.code
    except SystemExit as stop:
        # argparse has already printed the help text, the version or an error.
        return stop.code if isinstance(stop.code, int) else 2
