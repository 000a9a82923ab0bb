"""Work that may wait, done in slices between messages.

Invariants: a slice is short, and after each the loop has time for the messages that came in;
a job is a generator that yields after every file or folder; a job that fails ends alone.
"""

import asyncio
from collections.abc import Iterator
from time import perf_counter

from agent_lsp.server.server import Server

_SLICE = 0.005
# One message takes several turns of the loop to read, so one turn would not let it in.
_REST = 0.001


def later(ls: Server, job: Iterator[None]) -> None:
    """Does `job` after those that wait already."""
    ls.session.jobs.append(job)
    if ls.worker is None or ls.worker.done():
        ls.worker = asyncio.get_running_loop().create_task(_work(ls))


async def _work(ls: Server) -> None:
    jobs = ls.session.jobs
    while jobs:
        if _ended(ls, jobs[0]):
            jobs.popleft()
        await asyncio.sleep(_REST)


def _ended(ls: Server, job: Iterator[None]) -> bool:
    """Works on `job` for a slice; True if nothing of it is left."""
    until = perf_counter() + _SLICE
    try:
        for _ in job:
            if perf_counter() > until:
                return False
    except Exception:  # noqa: BLE001 - reported; the jobs behind this one go on
        ls.report("a job failed")
    return True
