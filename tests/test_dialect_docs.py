"""The tables of rules on the pages of the dialects are true: tests and diagnostics exist."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from agent_lsp.model.dialect import Dialect
from tests.dialect_pages import PAGE, comparison
from tests.systems import CODES, DIALECTS

ROOT = Path(__file__).parents[1]
HEAD = ("rule", "source", "covered by", "shown by")
# What else than a diagnostic can tell a person about a rule.
FEATURES = {
    "check",
    "completion",
    "convert",
    "graph",
    "hover",
    "list",
    "preview",
    "rename",
    "seed",
    "status",
}
CODE = re.compile(r"\[([a-z-]+)\]\(\.\./rules/([a-z-]+)\.md\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of a system, with what covers it and the tests that show it."""

    rule: str
    source: str
    codes: tuple[tuple[str, str], ...]
    others: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]


def rows(page: str) -> Iterator[Row]:
    """The rows of all tables on a page that have the columns of `HEAD`."""
    inside = False
    for line in page.splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split(" | "))
        if not line.startswith("|"):
            inside = False
        elif cells == HEAD:
            inside = True
        elif inside and not line.startswith("|--"):
            assert len(cells) == len(HEAD), line
            rule, source, covered, shown = cells
            others = filter(None, re.split(r"[,;\s]+", CODE.sub("", covered)))
            tests = tuple(TEST.findall(shown))
            assert "<br>".join(f"`{path}::{name}`" for path, name in tests) == shown, line
            yield Row(rule, source, tuple(CODE.findall(covered)), tuple(others), tests)


def faults(page: str, severities: set[str]) -> list[str]:
    """What is not true on a page, for a dialect that has `severities`."""
    found = []
    table = list(rows(page))
    for row in table:
        if not (row.rule and row.source and row.tests and (row.codes or row.others)):
            found.append(f"incomplete: {row.rule}")
        absent = (test for test in row.tests if not has(*test))
        found += [f"no such test: {path}::{name}" for path, name in absent]
        found += [f"no such feature: {word}" for word in row.others if word not in FEATURES]
        for shown, linked in row.codes:
            if shown != linked or shown not in severities:
                found.append(f"no such diagnostic: {shown}")
    named = {code for row in table for code, _ in row.codes}
    found += [f"in no row: {code}" for code in sorted(severities - named)]
    return found


@cache
def functions_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def has(path: str, name: str) -> bool:
    return (ROOT / path).is_file() and name in functions_in(path)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_the_table_of_a_dialect_is_true_and_names_every_diagnostic(dialect: Dialect) -> None:
    page = (ROOT / f"docs/dialects/{dialect.id}.md").read_text(encoding="utf-8")
    assert faults(page, set(dialect.findings.severities)) == []


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_every_diagnostic_of_a_dialect_is_a_rule(dialect: Dialect) -> None:
    assert set(dialect.findings.severities) <= set(CODES)


def test_the_comparison_of_all_dialects_is_current() -> None:
    """It is made from the tables in the code, so it cannot say anything else than they do."""
    rewrite = "run `python -m tests.write_overviews`"
    assert PAGE.read_text(encoding="utf-8") == comparison(), rewrite


SOUND = """\
| rule | source | covered by | shown by |
|---|---|---|---|
| A | D | [a-b](../rules/a-b.md); hover | `tests/test_dialect_docs.py::has` |
""".replace("::has", "::test_what_is_wrong_on_a_page_is_found")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("is_found", "is_lost", ["no such test: tests/test_dialect_docs.py::"]),
        ("test_dialect_docs", "test_nothing", ["no such test: tests/test_nothing.py::"]),
        ("hover", "magic", ["no such feature: magic"]),
        ("a-b", "c", ["no such diagnostic: c", "in no row: a-b"]),
        ("../rules/a-b", "../rules/c", ["no such diagnostic: a-b"]),
        ("| D |", "|  |", ["incomplete: A"]),
    ],
)
def test_what_is_wrong_on_a_page_is_found(old: str, new: str, expected: list[str]) -> None:
    found = faults(SOUND.replace(old, new) if old else SOUND, {"a-b"})
    assert len(found) == len(expected)
    assert all(one.startswith(start) for one, start in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", ["README.md", "vscode-client/README.md"])
def test_the_table_of_systems_on_a_front_page_has_a_row_for_each(name: str) -> None:
    rows = re.findall(r"(?m)^\| `([\w-]+)` \|", (ROOT / name).read_text("utf-8"))
    assert {dialect.id for dialect in DIALECTS} <= set(rows)


def test_the_page_about_what_we_know_counts_the_records() -> None:
    records = {path.stem: path for path in (ROOT / "tests/conformance").glob("*.jsonl")}
    said = re.findall(r"`([\w-]+)` (\d+)", (ROOT / "docs/how-we-know.md").read_text("utf-8"))
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in records.items()}
    assert {name: int(count) for name, count in said} == lines
