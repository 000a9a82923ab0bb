"""Findings as JSON, for scripts.

Invariants: lines and columns count from 1; columns and offsets count code points. A name keeps its
meaning and stays in the output as long as `version` is the same.
"""

from pathlib import Path
from typing import TextIO

from agent_lsp.analysis.diagnostics import Silenced
from agent_lsp.cli.checking.report import FileFinding, Report
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import as_json
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span

_VERSION = 1


def write_json(report: Report, stream: TextIO) -> None:
    """Writes the report as one JSON document."""
    print(as_json(document(report), stream), file=stream)


def document(report: Report) -> dict[str, object]:
    """The report as JSON."""
    return {
        "version": _VERSION,
        "checked": report.checked,
        "counts": {one.name.lower(): report.counts[one] for one in Severity},
        "in_baseline": report.passed,
        "suppressed": report.suppressed,
        "hidden_by_settings": [_hidden(report, one) for one in report.silenced],
        "findings": [_finding(report, one) for one in report.found],
    }


def _hidden(report: Report, silenced: Silenced) -> dict[str, object]:
    def name(path: Path) -> str:
        return named_from(report.here, path, report.base)

    return {
        "file": name(silenced.file),
        "count": silenced.count,
        "codes": {code: silenced.codes[code] for code in sorted(silenced.codes)},
        "folders": {
            name(folder): many for folder, many in sorted(silenced.folders.items()) if many
        },
    }


def _finding(report: Report, finding: FileFinding) -> dict[str, object]:
    found = finding.diagnostic
    return {
        **_place(report, finding.path, found.span),
        "severity": found.severity.name.lower(),
        "code": found.code,
        "message": found.message,
        "tags": [tag.name.lower() for tag in found.tags],
        "related": [
            {**_place(report, there.path, there.span), "message": there.message}
            for there in found.related
        ],
        "fix": _fix(report, finding),
    }


def _fix(report: Report, finding: FileFinding) -> dict[str, object] | None:
    """The fix that `--fix` applies, or `--unsafe-fixes` if it is not safe; None without one."""
    fix = report.fix_of(finding)
    if fix is None:
        return None
    edits = [
        {
            "start": _position(report, finding.path, edit.span.start),
            "end": _position(report, finding.path, edit.span.end),
            "text": edit.text,
        }
        for edit in fix.edits
    ]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _place(report: Report, path: Path, span: Span) -> dict[str, object]:
    return {
        "path": named_from(report.here, path, report.base),
        "start": _position(report, path, span.start),
        "end": _position(report, path, span.end),
    }


def _position(report: Report, path: Path, offset: int) -> dict[str, int]:
    line, column = report.lines(path).position(offset)
    return {"line": line + 1, "column": column + 1, "offset": offset}
