"""Runs background jobs in slices between messages, and shows the progress of long ones.

Invariants: a slice is short, and after each one the event loop has time to read messages. A message
that has arrived is handled before the next step. A job is a generator that yields after every file
or folder. A job that fails does not stop the others. Short
jobs show no progress; a progress that has begun is ended, also if the job is cancelled.
"""

import asyncio
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from inspect import GEN_CREATED, getgeneratorstate
from itertools import count
from time import monotonic, perf_counter
from typing import Any

from lsprotocol import types

from agent_lsp.server.server import Server, logged

_SLICE = 0.005
# In seconds. The loop needs several turns to read a message, so a pause of one turn is too short.
_REST = 0.001


def later(ls: Server, job: Iterator[None]) -> None:
    """Appends `job` to the queue."""
    ls.session.jobs.append(job)
    _begin(ls)


def sooner(ls: Server, job: Iterator[None]) -> None:
    """Puts `job` in front of the queue, before one that has begun."""
    ls.session.jobs.appendleft(job)
    _begin(ls)


def _begin(ls: Server) -> None:
    if ls.worker is None or ls.worker.done():
        ls.worker = asyncio.get_running_loop().create_task(_work(ls))


def is_waiting(job: Generator[None, None, None] | None) -> bool:
    """Whether `job` is in the queue and has not begun, so that more reasons for it can join it."""
    return job is not None and getgeneratorstate(job) is GEN_CREATED


async def _work(ls: Server) -> None:
    jobs = ls.session.jobs
    while jobs:
        if not ls.has_message and _ended(ls, jobs[0]):
            jobs.popleft()
        await asyncio.sleep(_REST)


def _ended(ls: Server, job: Iterator[None]) -> bool:
    """Runs a slice of `job`, which a message ends at the next step; True if the job has ended."""
    until = perf_counter() + _SLICE
    try:
        for _ in job:
            if ls.has_message or perf_counter() > until:
                return False
    except Exception:  # noqa: BLE001 - reported; later jobs still run
        ls.report("a job failed")
    return True


# In seconds: a job that takes longer shows its progress.
MOMENT = 0.5
_TOKENS = count(1)


class _Shown:
    """A progress in the editor, which the editor may not have accepted yet."""

    def __init__(self, ls: Server, title: str) -> None:
        self._ls, self._title = ls, title
        self._token = f"agent-templates-{next(_TOKENS)}"
        self._begun = self._over = False
        wanted = types.WorkDoneProgressCreateParams(self._token)
        ls.window_work_done_progress_create(wanted).add_done_callback(self._agreed)

    def end(self) -> None:
        """Ends the progress."""
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
    """Runs `job`, and shows a progress with `title` if it takes longer than a moment."""
    begun, progress = monotonic(), None
    try:
        for _ in job:
            if progress is None and monotonic() - begun > MOMENT and ls.session.client.progress:
                progress = _Shown(ls, title)
            yield
    finally:
        if progress is not None:
            progress.end()
