"""Checks many templates on all cores, on systems that can fork a process.

Invariants: the result is that of one process, in the same order. Each path has its findings even if
a worker dies, or if the system provides no process or pipe.
"""

import errno
import gc
import os
import pickle
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from agent_lsp.analysis.checks import checks_of
from agent_lsp.analysis.diagnostics import Examined, examined
from agent_lsp.data_classes import dataclass
from agent_lsp.model.runtime import DefinedName
from agent_lsp.syntax import document
from agent_lsp.workspace import definitions
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.placement import Workspace, placement_at
from agent_lsp.workspace.trace import TracedDisk

_MOST_WORKERS = 8
_CHUNK = 25
# In bytes: if all files together are no larger, their headers stay in memory between reading the
# names and checking. A header takes twenty times its size as a tree.
_MOST_KEPT = 16_000_000
# The errors of reading from a worker that died.
_TORN = (EOFError, OSError, pickle.UnpicklingError)

# The names that some of the paths define, by the path's index in the list.
_Names = dict[int, tuple[DefinedName, ...]]


def examine(workspace: Workspace, paths: Sequence[Path]) -> Iterator[tuple[Path, Examined]]:
    """The findings of each of `paths`, in their order."""
    many = min(_cores(), _MOST_WORKERS, len(paths) // _CHUNK)
    if many < 2:  # noqa: PLR2004 - one worker is not faster
        _make_room(workspace, paths, len(paths))
        yield from ((path, examined(workspace, path)) for path in paths)
        return
    starts = range(0, len(paths), _CHUNK)
    chunks = [range(start, min(start + _CHUNK, len(paths))) for start in starts]
    workers: list[_Worker] = []
    _load(workspace, paths)
    # All objects stay alive. A garbage collection would copy their pages into each worker.
    gc.freeze()
    try:
        _start_all(workspace, paths, [chunks[at::many] for at in range(many)], workers)
        _exchange(workers)
        for nth, chunk in enumerate(chunks):
            answers = workers[nth % many].receive() if workers else None
            if not isinstance(answers, list):
                answers = [examined(workspace, paths[at]) for at in chunk]
            yield from zip((paths[at] for at in chunk), answers, strict=True)
        _merge_traces(workers)
    finally:
        _end(workers)
        gc.unfreeze()


def _load(workspace: Workspace, paths: Sequence[Path]) -> None:
    """Loads what a file of each folder needs, once for all workers."""
    for path in {path.parent: path for path in paths}.values():
        placement = placement_at(workspace, path)
        if placement is not None:
            checks_of(placement.dialect)


@dataclass(slots=True)
class _Worker:
    """A forked process, and the parent's ends of its two pipes."""

    process: int
    answers: BinaryIO
    questions: BinaryIO
    is_lost: bool = False

    def receive(self) -> object:
        """The next message of the worker; None after the last one, or if the worker has died."""
        if not self.is_lost:
            try:
                return pickle.load(self.answers)  # noqa: S301 - from a process of our own
            except _TORN:
                self.is_lost = True
        return None

    def send(self, said: bytes) -> None:
        """Sends `said` to the worker, unless it has died."""
        try:
            self.questions.write(said)
            self.questions.flush()
        except OSError:
            self.is_lost = True


def _cores() -> int:
    if sys.platform != "linux":
        # A forked worker shares the program and the snapshot. Elsewhere a worker is started anew
        # and has to import the program, which takes as long as checking several hundred templates.
        return 1
    return len(os.sched_getaffinity(0))


def _start_all(
    workspace: Workspace,
    paths: Sequence[Path],
    shares: Sequence[Sequence[range]],
    workers: list[_Worker],
) -> None:
    """Starts a worker for each of the `shares`; if one fails to start, none is left."""
    if sys.platform == "win32":
        return
    # Ctrl-C interrupts the parent, which kills the workers in its list. Block the signal so that
    # none is running that is not in the list yet.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for own in shares:
            workers.append(_start(workspace, paths, own, workers))
        # The parent needs free descriptors as well; without them templates would seem unreadable.
        for spare in _pipes():
            os.close(spare)
    except OSError:
        _end(workers)
        workers.clear()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(
    workspace: Workspace, paths: Sequence[Path], own: Sequence[range], others: Sequence[_Worker]
) -> _Worker:
    """Forks a worker that checks the chunks in `own`."""
    if sys.platform == "win32":
        raise OSError(errno.ENOTSUP, "a process cannot be forked")
    pipes = _pipes()
    try:
        process = os.fork()
    except OSError:
        for held in pipes:
            os.close(held)
        raise
    from_worker, to_parent, from_parent, to_worker = pipes
    if process:
        os.close(to_parent)
        os.close(from_parent)
        return _Worker(process, os.fdopen(from_worker, "rb"), os.fdopen(to_worker, "wb"))
    code = 1
    try:
        for held in (from_worker, to_worker):
            os.close(held)
        for other in others:
            # While this process holds those ends, the other worker would not notice that the parent
            # is gone.
            os.close(other.questions.fileno())
            os.close(other.answers.fileno())
        with os.fdopen(from_parent, "rb") as questions, os.fdopen(to_parent, "wb") as answers:
            _work(workspace, paths, own, questions, answers)
        code = 0
    finally:
        # Skip the cleanup that is the parent's. It notices from the pipe that this worker has
        # failed.
        os._exit(code)


def _pipes() -> tuple[int, int, int, int]:
    """The ends of two pipes: read and write of the first, then of the second.

    Raises `OSError` if one cannot be opened, and leaves none open.
    """
    first = os.pipe()
    try:
        return *first, *os.pipe()
    except OSError:
        for held in first:
            os.close(held)
        raise


def _exchange(workers: Sequence[_Worker]) -> None:
    """Sends the names that all workers have found to each of them."""
    found: _Names = {}
    for worker in workers:
        names = worker.receive()
        if isinstance(names, dict):
            found |= names
    said = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    for worker in workers:
        worker.send(said)


def _merge_traces(workers: Sequence[_Worker]) -> None:
    """Adds to the trace of this process what the workers have asked the disk."""
    disk = used()
    if isinstance(disk, TracedDisk):
        for worker in workers:
            asked = worker.receive()
            if isinstance(asked, dict):
                disk.merge(asked)
            else:
                disk.is_torn = True


def _end(workers: Sequence[_Worker]) -> None:
    """Kills all workers, and waits until they have exited."""
    if sys.platform == "win32":
        return
    # Kill all of them before waiting for any, so that a second interrupt leaves none running.
    for worker in workers:
        with suppress(OSError):
            os.kill(worker.process, signal.SIGKILL)
    for worker in workers:
        for stream in (worker.answers, worker.questions):
            with suppress(OSError):
                stream.close()
        with suppress(OSError):
            os.waitpid(worker.process, 0)


def _work(
    workspace: Workspace,
    paths: Sequence[Path],
    own: Sequence[range],
    questions: BinaryIO,
    answers: BinaryIO,
) -> None:
    """The main loop of a worker: sends the names of its files, gets all others, and checks.

    Which file wins depends on the names in the headers of all files.
    """
    disk = used()
    asked = len(disk.answers) if isinstance(disk, TracedDisk) else 0
    _make_room(workspace, [paths[at] for at in chain(*own)], len(paths))
    found = dict(_names(workspace, paths, chain(*own)))
    _say(answers, found)
    everything: _Names = pickle.load(questions)  # noqa: S301 - from the parent process
    for at in everything.keys() - found.keys():
        _note(workspace, paths[at], everything[at])
    # All results stay alive until the end.
    gc.freeze()
    for chunk in own:
        _say(answers, [examined(workspace, paths[at]) for at in chunk])
    if isinstance(disk, TracedDisk):
        _say(answers, disk.since(asked))


def _make_room(workspace: Workspace, own: Sequence[Path], many: int) -> None:
    """Keeps all texts and headers of its `own` files, if they are small, of `many` in all."""
    if _size(own) <= _MOST_KEPT * len(own) // many:
        document.keep(len(own))
        workspace.files.keeps += len(own)


def _size(paths: Iterable[Path]) -> int:
    """The total size of the files at `paths` in bytes, without those that cannot be read."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += path.stat().st_size
    return size


def _say(answers: BinaryIO, what: object) -> None:
    pickle.dump(what, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


def _names(
    workspace: Workspace, paths: Sequence[Path], among: Iterable[int]
) -> Iterator[tuple[int, tuple[DefinedName, ...]]]:
    """The names that the files `among` the paths define, in systems whose texts name the agent."""
    for at in among:
        placement = placement_at(workspace, paths[at])
        if placement is not None and placement.dialect.names.names_in is not None:
            dialect, scope = placement.dialect, placement.scope
            yield at, definitions.named(workspace.files, dialect, paths[at], scope)


def _note(workspace: Workspace, path: Path, names: tuple[DefinedName, ...]) -> None:
    placement = placement_at(workspace, path)
    if placement is not None:
        definitions.note(workspace.files, placement.dialect, path, placement.scope, names)
