"""Findings as JUnit XML, which most CI systems show as a report of tests.

Invariant: the text of a template cannot end an element, and no character is one that XML forbids.
"""

from itertools import groupby
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from agent_lsp.cli.checking.report import Report
from agent_lsp.cli.resolve import named_from
from agent_lsp.cli.terminal import visible


def write(report: Report, stream: TextIO) -> None:
    """Writes a suite for each file with findings, and in it a failed test for each finding."""
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
