"""Findings for people and `grep`, one line each."""

from functools import partial
from typing import TextIO

from agent_lsp.cli.checking.report import Report, fixable, summary
from agent_lsp.cli.formats.text import place
from agent_lsp.cli.resolve import shown
from agent_lsp.cli.terminal import look, visible


def write(report: Report, stream: TextIO) -> None:
    """Writes the first line of what the text format says about each finding, and the summary."""
    style, name = look(stream), partial(shown, here=report.here)
    for one in report.found:
        found = one.diagnostic
        severity = found.severity.name.lower()
        label = style.paint(f"{severity}[{found.code}]", severity)
        where = style.paint(place(report.lines(one.path), one.path, found.span, name), "bold")
        print(f"{where}: {label}: {visible(found.message)}", file=stream)
    if not report.is_quiet:
        print(*filter(None, (summary(report), fixable(report))), sep="\n", file=stream)
