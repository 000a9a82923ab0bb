"""`docs/code-actions.md` shows what is really offered, and names every rule that has a fix."""

import re
from pathlib import Path

import pytest

from agent_lsp.analysis.fixes import fixes, repaired, suppressions_at
from agent_lsp.analysis.fixes.registry import FIXERS
from agent_lsp.analysis.refactorings import RefactoringKind, refactorings
from agent_lsp.server.requests.code_actions import ALL_SAFE
from agent_lsp.text import Span, apply
from tests.checks.pages import examples
from tests.fixture import fixture
from tests.systems import CODES, DIALECTS

PAGE = (Path(__file__).parents[2] / "docs/code-actions.md").read_text(encoding="utf-8")
# The rules with a fixer, for all systems or for one.
FIXED = {*FIXERS, *(code for dialect in DIALECTS for code in dialect.findings.fixers())}
EXAMPLES = re.findall(r"(?ms)^```md\n(.*?)^```\n\n\*\*(.+?)\*\*\n\n```md\n(.*?)^```$", PAGE)


@pytest.mark.parametrize(("before", "title", "after"), EXAMPLES)
def test_an_action_does_what_the_page_shows(
    before: str, title: str, after: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, before)
    if title == ALL_SAFE:
        assert repaired(made.workspace, made.path) == after
        return
    everywhere = Span(0, len(before))
    ways = (
        *fixes(made.workspace, made.path),
        *suppressions_at(made.workspace, made.path, everywhere),
    )
    changes = refactorings(made.workspace, made.path, everywhere)
    offered = [(way.title, way.edits) for way in ways]
    offered += [(change.title, change.edits) for change in changes]
    [edits] = [edits for name, edits in offered if name == title]

    assert apply(before, edits) == after


def test_the_page_has_examples_of_all_sections() -> None:
    assert len(EXAMPLES) >= len(PAGE.split("\n## ")) - 1


def test_the_table_names_every_rule_that_has_a_fix() -> None:
    rules = _rules("## Quick fixes")

    assert rules == sorted(FIXED)
    assert set(rules) <= set(CODES)


def test_each_rule_without_a_fix_says_why() -> None:
    rules = _rules("Rules without a fix")

    assert rules == sorted(rules)
    assert set(rules) <= set(CODES) - FIXED


@pytest.mark.parametrize("code", [code for code in CODES if code not in FIXED])
def test_any_other_rule_names_the_word_that_was_meant(code: str, tmp_path: Path) -> None:
    """In one of the examples of its page, where a fix writes the word then."""
    if code in _rules("Rules without a fix"):
        return
    offered = set()
    for number, example in enumerate(examples(code)):
        source = "".join(f"//- {name}\n{text}" for name, text in example.files.items())
        made = fixture(tmp_path / str(number), source)
        paths = (made.root / name for name in example.files)
        offered |= {way.diagnostic.code for path in paths for way in fixes(made.workspace, path)}

    assert code in offered


def _rules(heading: str) -> list[str]:
    """The rules of the first table below `heading`."""
    table = PAGE.partition(heading)[2].partition("\n| ")[2].partition("\n\n")[0]
    return re.findall(r"(?m)^\| `([\w-]+)` \|", table)


def test_the_table_names_every_kind_of_change() -> None:
    assert re.findall(r"(?m)^\| `(refactor\.\w+)` \|", PAGE) == [
        kind.value for kind in RefactoringKind
    ]
