"""Findings as SARIF 2.1.0, the format that GitHub and many other tools read for code scanning.

Invariants: paths are relative to the repository, except for files outside of it. The document is
valid by the schema of the standard, whatever a template or a file name contains.

Source: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", OASIS; read 2026-11-28.
"""

import os
from functools import partial
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from agent_lsp import __version__
from agent_lsp.cli.arguments import NAME
from agent_lsp.cli.checking.baseline import fingerprint
from agent_lsp.cli.checking.report import FileFinding, Report, hidden
from agent_lsp.cli.commands.explain import claim, page
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import as_json
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# Code scanning replaces this name by the path of the repository.
_ROOT = "%SRCROOT%"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def write_sarif(report: Report, stream: TextIO) -> None:
    """Writes the report as one document with one run."""
    codes = sorted({one.diagnostic.code for one in report.found})
    driver = {
        "name": NAME,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the repository"}}},
        "columnKind": "unicodeCodePoints",
        # A lone CR ends a line here and in editors. SARIF readers count it only if it is in this
        # list.
        "newlineSequences": ["\r\n", "\n", "\r"],
        **({"invocations": [_invocation(report)]} if report.silenced else {}),
        "results": [_result(report, one, codes.index(one.diagnostic.code)) for one in report.found],
    }
    print(as_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, stream), file=stream)


def _invocation(report: Report) -> dict[str, object]:
    """The findings that settings hide, as notifications about the tool's configuration."""
    said = hidden(report.silenced, partial(named_from, report.base))
    notes = [{"level": "note", "message": _text(one)} for one in said]
    return {"executionSuccessful": True, "toolConfigurationNotifications": notes}


def _rule(code: str) -> dict[str, object]:
    text = page(code)
    rest = text.partition("\n")[2].strip()
    return {
        "id": code,
        "shortDescription": {"text": f"{claim(text)}."},
        "help": {"text": rest, "markdown": rest},
    }


def _result(report: Report, finding: FileFinding, rule: int) -> dict[str, object]:
    found = finding.diagnostic
    key = fingerprint(finding.path, found, report.base, report.lines(finding.path))
    related = [
        {"id": number, **_location(report, there.path, there.span), "message": _text(there.message)}
        for number, there in enumerate(found.related)
    ]
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": _text(found.message),
        "locations": [_location(report, finding.path, found.span)],
        "partialFingerprints": {"lineText/v1": key.line},
        **({"relatedLocations": related} if related else {}),
        **_fixes(report, finding),
    }


def _fixes(report: Report, finding: FileFinding) -> dict[str, object]:
    fix = report.fix_of(finding)
    if fix is None:
        return {}
    replacements = [
        {
            "deletedRegion": _region(report, finding.path, edit.span),
            "insertedContent": _text(edit.text),
        }
        for edit in fix.edits
    ]
    change = {
        "artifactLocation": _artifact(finding.path, report.base),
        "replacements": replacements,
    }
    return {"fixes": [{"description": _text(fix.title), "artifactChanges": [change]}]}


def _text(text: str) -> dict[str, str]:
    # A lone surrogate is not valid in UTF-8, so that readers would reject it.
    return {"text": text.encode("utf-8", "replace").decode("utf-8")}


def _location(report: Report, path: Path, span: Span) -> dict[str, object]:
    region = _region(report, path, span)
    return {
        "physicalLocation": {"artifactLocation": _artifact(path, report.base), "region": region}
    }


def _region(report: Report, path: Path, span: Span) -> dict[str, int]:
    lines = report.lines(path)
    (line, column), (last, end) = lines.position(span.start), lines.position(span.end)
    start = {"startLine": line + 1, "startColumn": column + 1}
    return {**start, "endLine": last + 1, "endColumn": end + 1}


def _artifact(path: Path, base: Path) -> dict[str, str]:
    if base in path.parents:
        relative = quote(os.fsencode(path.relative_to(base).as_posix()))
        return {"uri": relative, "uriBaseId": _ROOT}
    return {"uri": path.as_uri()}
