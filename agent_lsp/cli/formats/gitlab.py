"""Findings as a code quality report, which GitLab shows in a merge request.

Source: "Code Quality", docs.gitlab.com: `description`, `check_name`, `fingerprint`, `severity`,
`location.path` and `location.lines.begin`.
"""

from collections import Counter
from hashlib import sha256
from typing import TextIO

from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.report import Report
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import as_json
from agent_lsp.model.schema import Severity

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write(report: Report, stream: TextIO) -> None:
    """Writes a list of all findings, each with a fingerprint that no other one has."""
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
                "severity": _SEVERITIES[found.severity],
                "location": {
                    "path": named_from(report.base, one.path),
                    "lines": {"begin": lines.line_of(found.span.start) + 1},
                },
            }
        )
    print(as_json(rows, stream), file=stream)
