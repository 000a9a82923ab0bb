"""Selects the findings to report, and those that make a build fail.

Invariant: if `--select` and `--ignore` both match a code, the longer word decides; of equal words,
`--ignore` does.
"""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.resolve import did_you_mean
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import SYSTEMS
from agent_lsp.model.schema import Severity

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
            raise CommandError(f"{option}: a diagnostic is missing, as in `{option} unknown-tool`")
        if not any(_fits(word, code) for code in codes):
            raise CommandError(
                f"there is no diagnostic `{visible(word)}`{did_you_mean(word, codes)}"
            )
        yield word


def _fits(word: str, code: str) -> bool:
    return code == word or code.startswith(f"{word}-")
