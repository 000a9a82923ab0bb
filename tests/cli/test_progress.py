"""A progress line is shown on a terminal, and nowhere else."""

import io
from itertools import count

from agent_lsp.cli.checking.report import progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def shown(seconds: float, stream: io.StringIO, items: int = 30) -> str:
    """The output during a run in which the clock advances by a step at each look."""
    ticks = count()
    work = range(items)
    assert list(progress(work, len(work), stream, lambda: next(ticks) * seconds)) == list(work)
    return stream.getvalue()


def test_a_short_run_shows_no_progress() -> None:
    assert shown(0.01, Terminal()) == ""


def test_the_progress_of_a_long_run_is_counted_and_then_cleared() -> None:
    said = shown(0.3, Terminal())
    assert "checked 3 of 30" in said
    assert said.count("checked") > 1
    assert said.endswith("\r\x1b[K")
    assert "\n" not in said


def test_no_progress_is_written_into_a_pipe() -> None:
    assert shown(10, io.StringIO()) == ""


def test_the_progress_is_cleared_when_the_run_ends_early() -> None:
    stream = Terminal()
    ticks = count()
    work = progress(range(9), 9, stream, lambda: next(ticks) * 2.0)
    next(work)
    work.close()
    assert stream.getvalue().endswith("\r\x1b[K")
