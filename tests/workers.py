"""Runs the tests in several processes, which are forks of the one that has collected them.

To collect takes 20 seconds of a processor, so one process does it for all. Each worker takes the
tests of one file after the other, since they share a server or an editor. What a test reports, the
worker hands to the first process, which counts and shows it.

    python -m pytest -p tests.workers --workers auto
"""

import atexit
import marshal
import mmap
import os
import select
import signal
import sys
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

# The number of a file, in the pipe that the workers take them from.
_NUMBER = 4
# The length of a report.
_LENGTH = 4
# The exit code of a worker that has run all that it took: no test exits with it by chance.
_DONE = 93


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--workers`."""
    parser.addoption(
        "--workers",
        metavar="N",
        default="1",
        help="run the tests in N processes (auto: one for each processor), a file in one of them",
    )


def number(config: pytest.Config) -> int:
    """How many processes share the tests: one without this plugin, and where there is no fork."""
    given = str(config.getoption("workers", "1"))
    if not hasattr(os, "fork"):
        return 1
    if given != "auto":
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Runs the tests, unless pytest can do it: then there is nothing to share, or an error."""
    files = _files(session.items)
    count = min(number(session.config), len(files))
    if count < 2 or session.testsfailed or session.config.option.collectonly:
        return None
    _Shared(session, files).run(count)
    return True


def _files(items: Sequence[pytest.Item]) -> list[list[pytest.Item]]:
    """The tests of each file, those of the longest first, so that the workers end together."""
    files = defaultdict[Path, list[pytest.Item]](list)
    for item in items:
        files[item.path].append(item)
    return sorted(files.values(), key=len, reverse=True)


class _Shared:
    """The tests of a session, which workers run."""

    def __init__(self, session: pytest.Session, files: Sequence[Sequence[pytest.Item]]) -> None:
        self._session = session
        self._files = files
        self._left, writable = os.pipe()
        # A worker reads a number at once or not at all; it ends when there is none left.
        for at in range(len(files)):
            os.write(writable, at.to_bytes(_NUMBER, "big"))
        os.close(writable)
        # What all see: whether to stop before everything has run.
        self._stop = mmap.mmap(-1, 1)

    def run(self, count: int) -> None:
        """Starts `count` workers and takes what they report, until all have ended."""
        capture: Any = self._session.config.pluginmanager.getplugin("capturemanager")
        base = cast("Any", self._session.config)._tmp_path_factory.getbasetemp()  # noqa: SLF001
        workers: dict[int, int] = {}
        try:
            for at in range(count):
                readable, writable = os.pipe()
                sys.stdout.flush()
                if (worker := os.fork()) == 0:
                    self._work(writable, base / f"worker{at}", capture)
                os.close(writable)
                workers[readable] = worker
            self._take(dict.fromkeys(workers, b""))
        finally:
            self._stop[0] = 1
            codes = [self._ended(*worker) for worker in workers.items()]
            os.close(self._left)
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if set(codes) != {_DONE}:
            raise self._session.Interrupted("a worker ended before its tests did")

    @staticmethod
    def _ended(readable: int, worker: int) -> int:
        os.close(readable)
        with suppress(KeyboardInterrupt):
            return os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        os.kill(worker, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])

    def _take(self, begun: dict[int, bytes]) -> None:
        """Hands on what the workers report; `begun` has for each what is not yet complete."""
        hook, config = self._session.config.hook, self._session.config
        while begun:
            for readable in select.select(list(begun), [], [])[0]:
                data = os.read(readable, 2**16)
                if not data:
                    del begun[readable]
                    continue
                reports, begun[readable] = _split(begun[readable] + data)
                for report in reports:
                    made = hook.pytest_report_from_serializable(config=config, data=report)
                    hook.pytest_runtest_logreport(report=made)
            if self._session.shouldfail:
                self._stop[0] = 1

    def _work(self, writable: int, base: Path, capture: Any) -> None:
        """Runs tests in this process, which is a worker and ends with it."""
        code = 1
        try:
            # What the first process does at its end is not for this one.
            atexit._clear()  # noqa: SLF001 # as `multiprocessing` does
            # Output of the tests goes to files of this process, and so do their folders.
            capture.stop_global_capturing()
            capture.start_global_capturing()
            capture.suspend_global_capture()
            base.mkdir(mode=0o700)
            self._session.config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined] # noqa: SLF001
            plugins = self._session.config.pluginmanager
            plugins.unregister(name="terminalreporter")
            plugins.register(_Reports(self._session.config, writable))
            for item, following in self._tests():
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._stop[0] or self._session.shouldfail:
                    break
            self._session._setupstate.teardown_exact(None)  # noqa: SLF001
            code = _DONE
        except KeyboardInterrupt:
            pass
        except BaseException:  # noqa: BLE001 # this process must not go on as the first one
            sys.excepthook(*sys.exc_info())
        finally:
            atexit._run_exitfuncs()  # noqa: SLF001
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(code)

    def _tests(self) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
        """The tests of one file after the other, each with the one that follows."""
        ahead = deque[pytest.Item](self._file())
        while ahead:
            item = ahead.popleft()
            # Not earlier: another worker may have time for the next file.
            if not ahead:
                ahead.extend(self._file())
            yield item, ahead[0] if ahead else None

    def _file(self) -> Sequence[pytest.Item]:
        at = os.read(self._left, _NUMBER)
        return self._files[int.from_bytes(at, "big")] if at else ()


def _split(data: bytes) -> tuple[list[dict[str, Any]], bytes]:
    """The complete reports in `data`, and the rest of it."""
    reports = list[dict[str, Any]]()
    at = 0
    while at + _LENGTH <= len(data):
        end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH], "big")
        if end > len(data):
            break
        # A fork of this process has written it.
        reports.append(marshal.loads(data[at + _LENGTH : end]))  # noqa: S302
        at = end
    return reports, data[at:]


class _Reports:
    """The plugin of a worker that hands what is reported to the first process."""

    def __init__(self, config: pytest.Config, writable: int) -> None:
        self._config = config
        self._stream = os.fdopen(writable, "wb")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sends `report`."""
        hook = self._config.hook
        data = hook.pytest_report_to_serializable(config=self._config, report=report)
        said = marshal.dumps(data)
        self._stream.write(len(said).to_bytes(_LENGTH, "big") + said)
        self._stream.flush()
