"""Collects the findings of `check`, selects those to report, and shows its progress."""

import re
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.analysis.diagnostics import Diagnostic, Silenced
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.resolve import did_you_mean
from agent_lsp.cli.streams import control
from agent_lsp.cli.terminal import takes_codes, visible
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.environment import SYSTEMS
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
from agent_lsp.text import LineIndex

if TYPE_CHECKING:
    # Most calls of `check` find nothing to fix.
    from agent_lsp.analysis.fixes import Fix

# Each fix is tried, which takes some ms; of more findings nobody waits for the number.
_MOST_COUNTED = 200


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A diagnostic and the file that it is about."""

    path: Path
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Report:
    """The findings to show, sorted by path and place.

    `passed` counts the findings in the baseline, and `suppressed` those that comments hide;
    `silenced` describes those that the settings of repositories hide. `lines` gives the lines of
    any file, and `fix_of` the fix that `--fix` or `--unsafe-fixes` applies; `fixed` counts those
    of `found` that `--fix` would mend, and those that `--unsafe-fixes` would mend besides. Paths
    for people are relative to `here`; paths for programs are relative to `base`, the repository.
    """

    found: tuple[FileFinding, ...]
    checked: int
    passed: int
    suppressed: int
    silenced: tuple[Silenced, ...]
    lines: Callable[[Path], LineIndex]
    here: Path
    base: Path
    fix_of: Callable[[FileFinding], "Fix | None"] = lambda _: None
    fixed: Callable[[], tuple[int, int]] = lambda: (0, 0)
    # Whether to print the findings alone, without a summary.
    is_quiet: bool = False
    # The programs that read the checked templates, the most widely used first.
    programs: tuple[str, ...] = ()
    # What has the findings that `passed` counts.
    passed_in: str = "the baseline"
    # The files of which no line is shown.
    withheld: frozenset[Path] = field(default=frozenset())

    @property
    def counts(self) -> Counter[Severity]:
        """The number of findings of each severity."""
        return Counter(one.diagnostic.severity for one in self.found)


# What a message quotes: in backticks, or as a runtime does.
_QUOTED = regex(r"`` .*? ``|`[^`]*`|\"[^\"]*\"|'[^']*'|“[^”]*”|<[^>]*>")
_WORD = regex(r"\w+")
# Part of a longer word of the file that a message cuts.
_TELLING = 4


def without_text(report: Report, names: Mapping[Path, frozenset[str]]) -> Report:
    """The report without the text of some files: no line, and no word that a message quotes.

    `names` has each of the files, with the words that a message may quote all the same.
    """
    found = tuple(
        replace(one, diagnostic=_withheld(report, one.diagnostic, one.path, names[one.path]))
        if one.path in names
        else one
        for one in report.found
    )
    return replace(report, found=found, withheld=frozenset(names))


def _withheld(report: Report, one: Diagnostic, path: Path, names: frozenset[str]) -> Diagnostic:
    text = report.lines(path).text
    words = frozenset(_WORD.findall(text)) - names

    def hide(word: re.Match[str]) -> str:
        is_part = len(word[0]) >= _TELLING and word[0] not in names and word[0] in text
        return "…" if word[0] in words or is_part else word[0]

    def said(message: str) -> str:
        return _QUOTED.sub(lambda quote: _WORD.sub(hide, quote[0]), message)

    related = tuple(replace(more, message=said(more.message)) for more in one.related)
    return replace(one, message=said(one.message), related=related)


def hidden(silenced: Iterable[Silenced], name: Callable[[Path], str]) -> list[str]:
    """The notices about findings that repositories' settings hide; `name` gives a path's text."""
    return [f"{one.sentence(name)}; `--isolated` shows them" for one in silenced]


def summary(report: Report) -> str:
    """The result in one line, such as `checked 2 templates of Claude Code: 1 error`."""
    counts = report.counts
    found = [
        f"{counts[severity]} {severity.name.lower()}"
        # "Information" has no plural.
        + ("s" if counts[severity] != 1 and severity is not Severity.INFORMATION else "")
        for severity in Severity
        if counts[severity]
    ]
    checked = "1 template" if report.checked == 1 else f"{report.checked} templates"
    *first, last = report.programs or ("",)
    readers = f" of {', '.join(first)}{' and ' * bool(first)}{last}" if last else ""
    held = [f"{report.passed} more in {report.passed_in}"] if report.passed else []
    held += [f"{report.suppressed} suppressed"] if report.suppressed else []
    back = f" ({', '.join(held)})" if held else ""
    return f"checked {checked}{readers}: {', '.join(found) or 'nothing to report'}{back}"


def fixable(report: Report) -> str:
    """How many findings have a fix, in one line; empty if none has, or if there are many."""
    if len(report.found) > _MOST_COUNTED:
        return ""
    safe, more = report.fixed() if report.found else (0, 0)
    if safe and more:
        return f"fixable: {safe} with `--fix`, {more} more with `--fix --unsafe-fixes`"
    option = "`--fix`" if safe else "`--fix --unsafe-fixes`"
    return f"fixable: {safe + more} with {option}" if safe or more else ""


# In seconds: a shorter run needs no progress line, and nobody can read more than ten a second.
_PATIENCE, _PAUSE = 1.0, 0.1
_Item = TypeVar("_Item")
_CLEAR = "\r\x1b[K"


def progress(
    work: Iterable[_Item], total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic
) -> Generator[_Item, None, None]:
    """Yields the `total` items of `work`; a line on a terminal's `stream` counts them."""
    if not stream.isatty() or not takes_codes(stream):
        yield from work
        return
    due, is_shown = clock() + _PATIENCE, False
    try:
        for done, item in enumerate(work):
            if clock() >= due:
                control(_CLEAR, stream)
                stream.write(f"checked {done} of {total}")
                stream.flush()
                due, is_shown = clock() + _PAUSE, True
            yield item
    finally:
        if is_shown:
            control(_CLEAR, stream)
            stream.flush()


# The lowest severity that makes a build fail; those below it are advice.
_FAILING = Severity.WARNING


@dataclass(frozen=True, slots=True)
class Filters:
    """The words that select or ignore codes, and the lowest severity to report, if one is set."""

    selected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    least: Severity | None = None

    def takes(self, diagnostic: Diagnostic) -> bool:
        """Whether to report `diagnostic`."""
        if self.least is not None and diagnostic.severity > self.least:
            return False
        selected = max(
            (len(word) for word in self.selected if _fits(word, diagnostic.code)), default=0
        )
        ignored = max(
            (len(word) for word in self.ignored if _fits(word, diagnostic.code)), default=0
        )
        return selected > ignored if self.selected else not ignored

    def fails(self, severity: Severity) -> bool:
        """Whether a reported finding of `severity` makes a build fail."""
        return severity <= (self.least or _FAILING)


def filters(arguments: Namespace) -> Filters:
    """The filters in `arguments`; raises `CommandError` if a word matches no code."""
    least = Severity[arguments.severity.upper()] if arguments.severity else None
    selected = tuple(_words("--select", arguments.select))
    return Filters(selected, tuple(_words("--ignore", arguments.ignore)), least)


def _words(option: str, written: Sequence[str]) -> Iterable[str]:
    codes = all_codes(SYSTEMS) if written else ()
    for word in (part.strip() for text in written for part in text.split(",")):
        # An empty word, such as a script's empty variable, does not mean all codes.
        if not word:
            raise CommandError(f"{option}: a rule is missing, as in `{option} unknown-tool`")
        if not any(_fits(word, code) for code in codes):
            raise CommandError(f"there is no rule `{visible(word)}`{did_you_mean(word, codes)}")
        yield word


def _fits(word: str, code: str) -> bool:
    return code == word or code.startswith(f"{word}-")
