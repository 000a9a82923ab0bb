"""Findings as workflow commands, which GitHub turns into annotations of the changed lines.

Invariant: no text of a template can end a command or begin one.

Source: "Workflow commands for GitHub Actions", docs.github.com, and `@actions/core`, whose escapes
the runner undoes; read 2026-11-28.
"""

from functools import partial
from typing import TextIO

from agent_lsp.cli.checking.report import FileFinding, Report, hidden, summary
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import visible
from agent_lsp.model.schema import Severity

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = _IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})


def write(report: Report, stream: TextIO) -> None:
    """Writes a command for each finding, and the summary for the log."""
    for one in report.found:
        print(_command(report, one), file=stream)
    for said in hidden(report.silenced, partial(named_from, report.base)):
        print(f"::notice title=settings::{visible(said).translate(_IN_MESSAGES)}", file=stream)
    if not report.is_quiet:
        print(summary(report), file=stream)


def _command(report: Report, finding: FileFinding) -> str:
    found, lines = finding.diagnostic, report.lines(finding.path)
    line, column = lines.position(found.span.start)
    last, end = lines.position(found.span.end)
    properties: dict[str, object] = {
        "file": named_from(report.base, finding.path),
        "line": line + 1,
        "endLine": last + 1,
    }
    if line == last:
        # GitHub uses columns only for annotations of one line.
        properties |= {"col": column + 1, "endColumn": end + 1}
    properties["title"] = found.code
    written = (f"{key}={_property(str(value))}" for key, value in properties.items())
    message = visible(found.message).translate(_IN_MESSAGES)
    return f"::{_COMMANDS[found.severity]} {','.join(written)}::{message}"


def _property(text: str) -> str:
    """`text` as the value of a property; a log would obey the control characters of a file name."""
    plain = "".join(one if one in "\r\n" else visible(one) for one in text)
    return plain.translate(_IN_PROPERTIES)
