"""Findings in the formats that CI systems show: those of GitHub and GitLab, and JUnit XML.

Invariants: no text of a template can end a command or an element, or begin one, and no character
is one that XML forbids.

Sources: "Workflow commands for GitHub Actions", docs.github.com, and `@actions/core`, whose escapes
the runner undoes; read 2026-11-28. "Code Quality", docs.gitlab.com: `description`, `check_name`,
`fingerprint`, `severity`, `location.path` and `location.lines.begin`.
"""

from collections import Counter
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.report import FileFinding, Report, hidden, summary
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import as_json, visible
from agent_lsp.model.schema import Severity

_GITHUB_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = _IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})
_GITLAB_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write_github(report: Report, stream: TextIO) -> None:
    """Writes a workflow command for each finding, and the summary for the log.

    GitHub turns the commands into annotations of the changed lines.
    """
    for one in report.found:
        print(_github_command(report, one), file=stream)
    for said in hidden(report.silenced, partial(named_from, report.base)):
        print(f"::notice title=settings::{visible(said).translate(_IN_MESSAGES)}", file=stream)
    if not report.is_quiet:
        print(summary(report), file=stream)


def _github_command(report: Report, finding: FileFinding) -> str:
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
    written = (f"{key}={_github_property(str(value))}" for key, value in properties.items())
    message = visible(found.message).translate(_IN_MESSAGES)
    return f"::{_GITHUB_COMMANDS[found.severity]} {','.join(written)}::{message}"


def _github_property(text: str) -> str:
    """`text` as the value of a property; a log would obey the control characters of a file name."""
    plain = "".join(one if one in "\r\n" else visible(one) for one in text)
    return plain.translate(_IN_PROPERTIES)


def write_gitlab(report: Report, stream: TextIO) -> None:
    """Writes a code quality report, which GitLab shows in a merge request.

    It lists all findings, each with a fingerprint that no other one has.
    """
    seen, rows = Counter[Fingerprint](), []
    for one in report.found:
        found, lines = one.diagnostic, report.lines(one.path)
        same = fingerprint(one.path, found, report.base, lines)
        seen[same] += 1
        rows.append(
            {
                "description": found.message,
                "check_name": found.code,
                "fingerprint": sha256(f"{same} {seen[same]}".encode()).hexdigest(),
                "severity": _GITLAB_SEVERITIES[found.severity],
                "location": {
                    "path": named_from(report.base, one.path),
                    "lines": {"begin": lines.line_of(found.span.start) + 1},
                },
            }
        )
    print(as_json(rows, stream), file=stream)


def write_junit(report: Report, stream: TextIO) -> None:
    """Writes JUnit XML, which most CI systems show as a report of tests.

    It has a suite for each file with findings, and in it a failed test for each finding.
    """
    many = len(report.found)
    print('<?xml version="1.0" encoding="utf-8"?>', file=stream)
    print(f'<testsuites name="agent-template-lsp" tests="{many}" failures="{many}">', file=stream)
    for path, found in groupby(report.found, key=lambda one: one.path):
        rows, name = tuple(found), quoteattr(visible(named_from(report.base, path)))
        many = len(rows)
        print(f'  <testsuite name={name} tests="{many}" failures="{many}">', file=stream)
        for one in rows:
            line, column = report.lines(path).position(one.diagnostic.span.start)
            code, said = one.diagnostic.code, visible(one.diagnostic.message)
            kind = one.diagnostic.severity.name.lower()
            print(f'    <testcase classname={name} name="{code}" line="{line + 1}">', file=stream)
            print(f'      <failure type="{kind}" message={quoteattr(said)}>', end="", file=stream)
            place = f"line {line + 1}, column {column + 1}: {said}"
            print(f"{escape(place)}</failure>\n    </testcase>", file=stream)
        print("  </testsuite>", file=stream)
    print("</testsuites>", file=stream)
