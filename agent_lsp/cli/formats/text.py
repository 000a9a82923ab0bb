"""For people: each finding with the line that it is about, and a summary."""

from functools import partial
from typing import TextIO

from agent_lsp.cli import frame
from agent_lsp.cli.named import shown
from agent_lsp.cli.report import Report, summary
from agent_lsp.cli.terminal import look


def write(report: Report, stream: TextIO) -> None:
    """Writes a block for each finding."""
    style = look(stream)
    name = partial(shown, here=report.here)
    for one in report.found:
        text = frame.block(one.diagnostic, one.path, report.lines, name, style)
        print(text, end="\n\n", file=stream)
    print(summary(report), file=stream)
