"""Examines many templates on all cores, where processes can be had for nothing.

Invariants: the answers are those of one process, in the same order; each path has one, whatever
becomes of a worker, and where the system has no process or pipe for one.
"""

import errno
import gc
import os
import pickle
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from agent_lsp.analysis.diagnostics import Examined, examined
from agent_lsp.model.runtime import DefinedName
from agent_lsp.syntax import document
from agent_lsp.workspace import definitions
from agent_lsp.workspace.placement import Workspace, placement_at

_MOST_WORKERS = 8
_CHUNK = 25
# What is read to know the names is kept for the rules where the files have no more bytes in all:
# as a tree, a header takes twenty times as much.
_MOST_KEPT = 16_000_000
# The answers of a lost worker.
_TORN = (EOFError, OSError, pickle.UnpicklingError)

# Of some of the paths, by their places in the list, the names that each defines.
_Names = dict[int, tuple[DefinedName, ...]]


def examine(workspace: Workspace, paths: Sequence[Path]) -> Iterator[tuple[Path, Examined]]:
    """The findings of each of `paths`, in their order."""
    many = min(_cores(), _MOST_WORKERS, len(paths) // _CHUNK)
    if many < 2:  # noqa: PLR2004 - one process is no better than this one
        yield from ((path, examined(workspace, path)) for path in paths)
        return
    starts = range(0, len(paths), _CHUNK)
    chunks = [range(start, min(start + _CHUNK, len(paths))) for start in starts]
    workers: list[_Worker] = []
    # All objects stay alive; a garbage collection would copy them into each worker.
    gc.freeze()
    try:
        _start_all(workspace, paths, [chunks[at::many] for at in range(many)], workers)
        _exchange(workers)
        for nth, chunk in enumerate(chunks):
            answers = workers[nth % many].receive() if workers else None
            if not isinstance(answers, list):
                answers = [examined(workspace, paths[at]) for at in chunk]
            yield from zip((paths[at] for at in chunk), answers, strict=True)
    finally:
        _end(workers)
        gc.unfreeze()


@dataclass(slots=True)
class _Worker:
    """A process, and both ends of what is said between it and this one."""

    process: int
    answers: BinaryIO
    questions: BinaryIO
    is_lost: bool = False

    def receive(self) -> object:
        """The next message of the worker; None after the last one."""
        if not self.is_lost:
            try:
                return pickle.load(self.answers)  # noqa: S301 - from a process of our own
            except _TORN:
                self.is_lost = True
        return None

    def send(self, said: bytes) -> None:
        """Tells it something, if it is there."""
        try:
            self.questions.write(said)
            self.questions.flush()
        except OSError:
            self.is_lost = True


def _cores() -> int:
    if sys.platform != "linux":
        # A worker that is forked has all of the program and the snapshot; one that is started
        # anew, as other systems do it, has to import it first, which takes as long as some
        # hundred templates.
        return 1
    return len(os.sched_getaffinity(0))


def _start_all(
    workspace: Workspace,
    paths: Sequence[Path],
    shares: Sequence[Sequence[range]],
    workers: list[_Worker],
) -> None:
    """Adds to `workers` a process for each of the `shares`; none where not all can be had."""
    if sys.platform == "win32":
        return
    # Who interrupts the program interrupts the parent, which ends the workers: all that there are,
    # so that none may be there of which it does not know yet.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for own in shares:
            workers.append(_start(workspace, paths, own, workers))
        # The parent has to open templates, too: where it could not, they would seem unreadable.
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
    """A new process that examines the chunks that are its own."""
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
            # Else it would not see the end of the parent while this process is there.
            os.close(other.questions.fileno())
            os.close(other.answers.fileno())
        with os.fdopen(from_parent, "rb") as questions, os.fdopen(to_parent, "wb") as answers:
            _work(workspace, paths, own, questions, answers)
        code = 0
    finally:
        # Nothing of what the parent has begun is ended twice; it finds out itself what was wrong.
        os._exit(code)


def _pipes() -> tuple[int, int, int, int]:
    """The ends of two pipes, or an error and none of them."""
    first = os.pipe()
    try:
        return *first, *os.pipe()
    except OSError:
        for held in first:
            os.close(held)
        raise


def _exchange(workers: Sequence[_Worker]) -> None:
    """Tells each worker the names that all of them have found."""
    found: _Names = {}
    for worker in workers:
        names = worker.receive()
        if isinstance(names, dict):
            found |= names
    said = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    for worker in workers:
        worker.send(said)


def _end(workers: Sequence[_Worker]) -> None:
    """Ends all of them, whatever they do, and waits until they are gone."""
    if sys.platform == "win32":
        return
    # Each before any is waited for, so that a second interrupt leaves none of them either.
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
    """The main loop of a worker: it sends the names of its files, gets all others, and checks.

    Who wins is told by the names of all files, which are in their headers.
    """
    many = sum(map(len, own))
    if _size(paths[at] for at in chain(*own)) <= _MOST_KEPT * many // len(paths):
        document.keep(many)
        workspace.files.keeps = max(many, workspace.files.keeps)
    _say(answers, dict(_names(workspace, paths, chain(*own))))
    others: _Names = pickle.load(questions)  # noqa: S301 - from the process that began this one
    for at, names in others.items():
        _note(workspace, paths[at], names)
    # All results are needed until the end.
    gc.freeze()
    for chunk in own:
        _say(answers, [examined(workspace, paths[at]) for at in chunk])


def _size(paths: Iterable[Path]) -> int:
    """The total number of bytes of the files at `paths`, as far as it is known."""
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
    """The names that the files `among` the paths have, for systems that name them in the text."""
    for at in among:
        placement = placement_at(workspace, paths[at])
        if placement is not None and placement.dialect.names.names_in is not None:
            dialect, scope = placement.dialect, placement.scope
            yield at, definitions.named(workspace.files, dialect, paths[at], scope)


def _note(workspace: Workspace, path: Path, names: tuple[DefinedName, ...]) -> None:
    placement = placement_at(workspace, path)
    if placement is not None:
        definitions.note(workspace.files, placement.dialect, path, placement.scope, names)
