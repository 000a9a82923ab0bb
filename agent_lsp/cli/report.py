"""The findings of a run of `check`, before they are written in one format or another."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.silenced import Silenced, words
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
        """How many findings there are of each severity."""
        return Counter(one.diagnostic.severity for one in self.found)


def hidden(silenced: Iterable[Silenced], name: Callable[[Path], str]) -> list[str]:
    """What settings of repositories hide, in words, with what to do; `name` names paths."""
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
