"""Several processes check many templates, with the same findings as one process."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import Examined, examined
from agent_lsp.cli.checking import run as checking
from agent_lsp.cli.checking import workers
from agent_lsp.syntax import document
from agent_lsp.workspace.snapshot import Workspace
from tests.cli.shell import BROKEN, REDUNDANT, SLIP, SOUND, Shell
from tests.effort import fifth
from tests.fixture import fixture

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="workers are only used where a process can be forked"
)
_TEXTS = (SOUND, REDUNDANT, SLIP, BROKEN)
# Enough for three workers.
_COUNT, _NAMES = 80, 40


@pytest.fixture
def many(tmp_path: Path) -> tuple[Workspace, tuple[Path, ...]]:
    names = (f".codex/.agents/a{at:03}.md" for at in range(_COUNT))
    parts = (f"//- {name}\n{_TEXTS[at % 4]}" for at, name in enumerate(names))
    here = fixture(tmp_path, "".join(parts))
    folder = here.path.parent
    return here.workspace, tuple(sorted(folder.iterdir()))


def test_workers_report_the_same_as_one_process_in_the_same_order(
    many: tuple[Workspace, tuple[Path, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2})
    workspace, paths = many
    alone = [(path, examined(workspace, path)) for path in paths]
    assert sum(len(answer.shown) for _, answer in alone) >= _COUNT // 2
    assert list(workers.examine(workspace, paths)) == alone


def test_workers_know_the_names_in_the_files_of_other_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name occurs twice, far apart, so that another worker has read the file that wins."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2})
    parts = (
        f"//- .claude/agents/a{at:03}.md\n"
        f"---\nname: agent-{at % _NAMES}\ndescription: d\n---\nYou help.\n"
        for at in range(_COUNT)
    )
    here = fixture(tmp_path, "".join(parts))
    paths = tuple(sorted(here.path.parent.iterdir()))
    alone = [(path, examined(here.workspace, path)) for path in paths]
    lost = sum("shadowed" in {one.code for one in said.shown} for _, said in alone)
    assert lost == _COUNT - _NAMES
    here.workspace.files.refresh()
    assert list(workers.examine(here.workspace, paths)) == alone


@pytest.mark.parametrize("step", ["_names", "_say"])
def test_no_findings_are_lost_if_a_worker_fails_at_any_step(
    many: tuple[Workspace, tuple[Path, ...]], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    parent, right, told = os.getpid(), getattr(workers, step), list[int]()
    workspace, paths = many
    alone = [(path, examined(workspace, path)) for path in paths]

    def failing(*given: object) -> object:
        assert os.getpid() != parent, "only workers take this step"
        told.append(1)
        if len(told) > 1 or step == "_names":
            raise MemoryError
        return right(*given)

    monkeypatch.setattr(workers, step, failing)
    assert list(workers.examine(workspace, paths)) == alone


def test_no_findings_are_lost_if_a_worker_is_killed(
    many: tuple[Workspace, tuple[Path, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    parent = os.getpid()
    workspace, paths = many
    alone = [(path, examined(workspace, path)) for path in paths]

    def dying(workspace: Workspace, path: Path) -> Examined:
        if os.getpid() != parent and path == paths[_COUNT // 2]:
            os.kill(os.getpid(), signal.SIGKILL)
        return examined(workspace, path)

    monkeypatch.setattr(workers, "examined", dying)
    assert list(workers.examine(workspace, paths)) == alone


@pytest.mark.parametrize(("size", "is_kept"), [(None, True), (2_000_000, False)])
def test_the_memory_of_workers_is_bounded(
    many: tuple[Workspace, tuple[Path, ...]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    size: int | None,
    is_kept: bool,
) -> None:
    """The bound does not depend on the number of files or workers."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    keep, told = document.keep, tmp_path / "told"

    def keeping(many: int) -> None:
        told.touch()
        keep(many)

    monkeypatch.setattr(document, "keep", keeping)
    workspace, paths = many
    for path in paths[::5] if size is not None else ():
        os.truncate(path, size or 0)
    assert len(list(workers.examine(workspace, paths))) == _COUNT
    assert told.exists() is is_kept


def test_check_reports_the_same_with_workers_and_without(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(60):
        shell.write(f".codex/.agents/a{at:03}.md", _TEXTS[at % 4])
    alone = shell.run("check")
    monkeypatch.setattr(checking, "MANY", 10)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    shared = shell.run("check")
    assert (shared.code, shared.out, shared.err) == (alone.code, alone.out, alone.err)
    assert "15 errors" in shared.summary


@contextmanager
def _files(more: int) -> Iterator[None]:
    """Limits this process to `more` descriptors than are open now."""
    import resource  # noqa: PLC0415 - not there on Windows

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    first = os.dup(0)
    os.close(first)
    resource.setrlimit(resource.RLIMIT_NOFILE, (first + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("more", fifth(range(1, 16)))
def test_no_findings_are_lost_if_few_descriptors_are_left(
    many: tuple[Workspace, tuple[Path, ...]], monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """With pipes for only some workers, and with no descriptors left for templates."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2})
    workspace, paths = many
    alone = [(path, examined(workspace, path)) for path in paths]
    workspace.files.refresh()
    open_before = _open_files()
    with _files(more):
        assert list(workers.examine(workspace, paths)) == alone
    assert _open_files() == open_before


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that are forked from now on; none is left behind."""
    fork, found = os.fork, list[int]()

    def forking() -> int:
        process = fork()
        if process:
            found.append(process)
        return process

    monkeypatch.setattr(os, "fork", forking)
    yield found
    for process in filter(_is_there, found):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _is_there(process: int) -> bool:
    """Whether a process of ours is still running."""
    try:
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_no_findings_are_lost_if_no_process_is_left(
    many: tuple[Workspace, tuple[Path, ...]],
    monkeypatch: pytest.MonkeyPatch,
    begun: list[int],
    nth: int,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2})
    workspace, paths = many
    alone = [(path, examined(workspace, path)) for path in paths]
    fork = os.fork

    def refusing() -> int:
        if len(begun) + 1 == nth:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", refusing)
    open_before = _open_files()
    assert list(workers.examine(workspace, paths)) == alone
    assert _open_files() == open_before
    assert len(begun) == nth - 1
    _are_gone(begun)


def test_an_interrupt_while_workers_start_leaves_none_running(
    many: tuple[Workspace, tuple[Path, ...]], monkeypatch: pytest.MonkeyPatch, begun: list[int]
) -> None:
    """A terminal sends the signal to both processes, and the parent may not know the child yet."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    fork = os.fork

    def interrupted() -> int:
        process = fork()
        signal.raise_signal(signal.SIGINT)
        return process

    monkeypatch.setattr(os, "fork", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(workers.examine(*many))
    assert begun
    _are_gone(begun)


def _are_gone(processes: list[int]) -> None:
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
