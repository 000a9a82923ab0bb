"""The process of the command line: `agent-template-lsp`, and `python -m agent_lsp`.

Invariant: from the first line of this module on, Ctrl-C ends the process with code 130 and without
words, though Python is still importing. Importing this module anywhere else would change that of
another program.
"""

import os
import sys

# The part of `signal` that is built in. The rest would have to import others first.
from _signal import SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]

_INTERRUPTED = 130


def _end(*_: object) -> None:
    """Ends the process, wherever it is: an import may swallow an exception, or report it."""
    os._exit(_INTERRUPTED)


# A shell starts a job in the background with Ctrl-C ignored, and it stays so.
_IS_HEARD = getsignal(SIGINT) is default_int_handler
if _IS_HEARD:
    signal(SIGINT, _end)

from typing import NoReturn  # noqa: E402 - it takes long


def program() -> NoReturn:
    """Runs the command in the arguments of the process, and ends the process with its exit code.

    Python would first take apart every object, which takes a twentieth of a short call.
    """
    from contextlib import suppress  # noqa: PLC0415 - from here on, as the next

    from agent_lsp.cli import main  # noqa: PLC0415 - Ctrl-C ends the process while it is loaded

    try:
        code = main(begin=_interrupt)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except Exception:  # noqa: BLE001 - a fault of ours, as Python would print it
        import traceback  # noqa: PLC0415 - only for a fault

        traceback.print_exc()
        code = 1
    if _IS_HEARD:
        signal(SIGINT, _end)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


def _interrupt() -> None:
    """Lets Ctrl-C interrupt the command, which then cleans up."""
    if _IS_HEARD:
        sys.unraisablehook = _end_if_interrupted
        signal(SIGINT, default_int_handler)


def _end_if_interrupted(raised: "sys.UnraisableHookArgs") -> None:
    """Ends the process if Python has to swallow the interruption, and would only report it."""
    if issubclass(raised.exc_type, KeyboardInterrupt):
        _end()
    sys.__unraisablehook__(raised)


if __name__ == "__main__":
    program()
