"""How often each code was found, the most frequent one first."""

from collections import Counter
from typing import TextIO

from agent_lsp.cli.checking.report import Report, summary


def write(report: Report, stream: TextIO) -> None:
    """Writes a line for each severity and code, and the summary."""
    found = Counter((one.diagnostic.severity, one.diagnostic.code) for one in report.found)
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    for (severity, code), many in rows:
        print(f"{many:5}  {severity.name.lower()}[{code}]", file=stream)
    if not report.is_quiet:
        print(summary(report), file=stream)
