"""Shows in the editor that a long job is under way.

Invariants: a job that ends within a moment shows nothing; what has been begun is ended, also if
the job is given up.
"""

from collections.abc import Generator, Iterator
from concurrent.futures import Future
from itertools import count
from time import monotonic
from typing import Any

from lsprotocol import types

from agent_lsp.server.server import Server, logged

_MOMENT = 0.5
_TOKENS = count(1)


class _Shown:
    """One progress in the editor, which it may not have agreed to yet."""

    def __init__(self, ls: Server, title: str) -> None:
        self._ls, self._title = ls, title
        self._token = f"agent-templates-{next(_TOKENS)}"
        self._begun = self._over = False
        wanted = types.WorkDoneProgressCreateParams(self._token)
        ls.window_work_done_progress_create(wanted).add_done_callback(self._agreed)

    def end(self) -> None:
        """Takes it away."""
        self._over = True
        if self._begun:
            self._send(types.WorkDoneProgressEnd())

    def _agreed(self, future: Future[Any]) -> None:
        logged(future)
        if not self._over and not future.cancelled() and future.exception() is None:
            self._begun = True
            self._send(types.WorkDoneProgressBegin(self._title, cancellable=False))

    def _send(self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressEnd) -> None:
        self._ls.progress(types.ProgressParams(self._token, value))


def shown(ls: Server, job: Iterator[None], title: str) -> Generator[None, None, None]:
    """`job`, with a progress called `title` for as long as it takes longer than a moment."""
    begun, progress = monotonic(), None
    try:
        for _ in job:
            if progress is None and monotonic() - begun > _MOMENT and ls.session.client.progress:
                progress = _Shown(ls, title)
            yield
    finally:
        if progress is not None:
            progress.end()
