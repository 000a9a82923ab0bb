"""Collects the findings of a `check`, and shows its progress.

Invariant: nothing of the progress is left on the screen, and nothing goes into a file or a pipe.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypeVar

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.silenced import Silenced, words
from agent_lsp.cli.terminal import takes_codes
from agent_lsp.model.schema import Severity
from agent_lsp.text import LineIndex


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A diagnostic and the file that it is about."""

    path: Path
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Report:
    """The findings to show, sorted by path and place.

    `passed` is how many a baseline holds back, `suppressed` how many comments do, and `silenced`
    what settings of repositories hide. `lines` are those of any file; people see files named from
    `here`, and machines from `base`, the repository.
    """

    found: tuple[FileFinding, ...]
    checked: int
    passed: int
    suppressed: int
    silenced: tuple[Silenced, ...]
    lines: Callable[[Path], LineIndex]
    here: Path
    base: Path

    @property
    def counts(self) -> Counter[Severity]:
        """The number of findings of each severity."""
        return Counter(one.diagnostic.severity for one in self.found)


def hidden(silenced: Iterable[Silenced], name: Callable[[Path], str]) -> list[str]:
    """Describes what settings of repositories hide, and what to do; `name` names paths."""
    return [f"{words(one, name)}; `--isolated` shows them" for one in silenced]


def summary(report: Report) -> str:
    """The result in one line."""
    counts = report.counts
    found = [
        f"{counts[severity]} {severity.name.lower()}"
        # "Information" has no plural.
        + ("s" if counts[severity] != 1 and severity is not Severity.INFORMATION else "")
        for severity in Severity
        if counts[severity]
    ]
    checked = "1 template" if report.checked == 1 else f"{report.checked} templates"
    held = [f"{report.passed} more in the baseline"] if report.passed else []
    held += [f"{report.suppressed} suppressed"] if report.suppressed else []
    back = f" ({', '.join(held)})" if held else ""
    return f"checked {checked}: {', '.join(found) or 'nothing to report'}{back}"


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
