"""Shows how far a long work is to who waits at a terminal.

Invariant: nothing of it is left on the screen, and nothing goes into a file or a pipe.
"""

import time
from collections.abc import Callable, Generator, Iterable
from typing import TextIO, TypeVar

from agent_lsp.cli.terminal import takes_codes

# Nobody wonders earlier; and more often than ten times in a second nobody can read it.
_PATIENCE, _PAUSE = 1.0, 0.1
_Item = TypeVar("_Item")
_CLEAR = "\r\x1b[K"


def progress(
    work: Iterable[_Item], total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic
) -> Generator[_Item, None, None]:
    """The `total` items of `work`, one by one, while a line on `stream` counts them."""
    if not stream.isatty() or not takes_codes(stream):
        yield from work
        return
    due, is_shown = clock() + _PATIENCE, False
    try:
        for done, item in enumerate(work):
            if clock() >= due:
                stream.write(f"{_CLEAR}checked {done} of {total}")
                stream.flush()
                due, is_shown = clock() + _PAUSE, True
            yield item
    finally:
        if is_shown:
            stream.write(_CLEAR)
            stream.flush()
