"""Examines many templates on all cores, where processes can be had for nothing.

Invariants: the answers are those of one process, in the same order; each path has one, whatever
becomes of a worker.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from agent_lsp.analysis.diagnostics import Examined, examined
from agent_lsp.workspace.index import Workspace

# A worker that is forked has all of the program and the snapshot; one that is started anew, as
# other systems do it, has to import it first, which takes as long as some hundred templates.
CAN_FORK = sys.platform == "linux"
_MOST_WORKERS = 8
_CHUNK = 25


def examine(workspace: Workspace, paths: Sequence[Path]) -> Iterator[tuple[Path, Examined]]:
    """What is said about each of `paths`, in their order."""
    workers = min(_cores(), _MOST_WORKERS, len(paths) // _CHUNK)
    done = 0
    if workers > 1:
        # What this one leads to, such as the names in all files beside it, no worker looks up.
        yield paths[0], examined(workspace, paths[0])
        done = 1
        for answer in _shared(workspace, paths[1:], workers):
            yield paths[done], answer
            done += 1
    for path in paths[done:]:
        yield path, examined(workspace, path)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if CAN_FORK else 1


def _shared(workspace: Workspace, paths: Sequence[Path], workers: int) -> Iterator[Examined]:
    """The answers of the workers, up to where one of them is lost."""
    # What is alive now stays so; a search for garbage would copy it into each worker.
    gc.freeze()
    pool = ProcessPoolExecutor(workers, get_context("fork"), _begin, (workspace,))
    try:
        yield from pool.map(_examined, paths, chunksize=_CHUNK)
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)
        gc.unfreeze()


def _begin(workspace: Workspace) -> None:
    # The one who interrupts the program interrupts the parent, which ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _snapshot.append(workspace)


# A worker examines one snapshot, and gets it by being forked instead of with each question.
_snapshot: list[Workspace] = []


def _examined(path: Path) -> Examined:
    return examined(_snapshot[-1], path)
