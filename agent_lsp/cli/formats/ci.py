"""Findings in the formats that CI systems show: those of GitHub and GitLab, JUnit XML, and SARIF.

Invariants: no text of a template can end a command or an element, or begin one, and no character
is one that XML forbids. In SARIF, paths are relative to the repository, except for files outside of
it, and the document is valid by the schema of the standard, whatever a template or a file name
contains.

Sources: "Workflow commands for GitHub Actions", docs.github.com, and `@actions/core`, whose escapes
the runner undoes. "Code Quality", docs.gitlab.com: `description`, `check_name`, `fingerprint`,
`severity`, `location.path` and `location.lines.begin`. "Static Analysis Results Interchange Format
(SARIF) Version 2.1.0", OASIS. All read 2026-11-28.
"""

import os
from collections import Counter
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TextIO
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from agent_lsp import __version__
from agent_lsp.cli.arguments import NAME
from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.report import FileFinding, Report, hidden, summary
from agent_lsp.cli.commands.explain import claim, page
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import as_json, visible
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span

_GITHUB_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
# XML has no escape for these.
_NOT_IN_XML = dict.fromkeys((*range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\ufffd")
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
        rows, name = tuple(found), quoteattr(_xml(named_from(report.base, path)))
        many = len(rows)
        print(f'  <testsuite name={name} tests="{many}" failures="{many}">', file=stream)
        for one in rows:
            line, column = report.lines(path).position(one.diagnostic.span.start)
            code, said = one.diagnostic.code, _xml(one.diagnostic.message)
            kind = one.diagnostic.severity.name.lower()
            print(f'    <testcase classname={name} name="{code}" line="{line + 1}">', file=stream)
            print(f'      <failure type="{kind}" message={quoteattr(said)}>', end="", file=stream)
            place = f"line {line + 1}, column {column + 1}: {said}"
            print(f"{escape(place)}</failure>\n    </testcase>", file=stream)
        print("  </testsuite>", file=stream)
    print("</testsuites>", file=stream)


def _xml(text: str) -> str:
    return visible(text).translate(_NOT_IN_XML)


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
