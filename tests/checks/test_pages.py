"""The pages of the rules are true and complete: one for each code, and all in the overview."""

import importlib
import pkgutil
from pathlib import Path

import pytest

from agent_lsp.analysis import checks
from agent_lsp.analysis.checks import RULES
from agent_lsp.analysis.checks.model import Rule
from agent_lsp.cli.pages import claim, page
from tests.checks.pages import FOLDER, OVERVIEW, Example, examples, overview, reported
from tests.systems import DIALECTS

EXAMPLES = [example for rule in RULES for example in examples(rule)]


def test_every_code_has_one_page_and_every_page_a_code() -> None:
    pages = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md")]
    assert sorted(pages) == sorted(["README.md", *(f"{rule.code}.md" for rule in RULES)])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.code}-{example.line}")
def test_a_page_shows_what_is_really_said(example: Example, tmp_path: Path) -> None:
    assert reported(tmp_path, example.files) == example.expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_shows_its_own_rule(rule: Rule) -> None:
    said = [line for example in examples(rule) for line in example.expected]
    assert any(f"[{rule.code}]" in line for line in said)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_begins_with_its_code_and_a_claim(rule: Rule) -> None:
    text = page(rule.code)
    assert text.startswith(f"# {rule.code}: {claim(text)}.\n\n")
    assert claim(text)


def test_the_overview_has_every_rule_in_their_order() -> None:
    rewrite = "run `python -m tests.write_overviews`"
    assert OVERVIEW.read_text(encoding="utf-8") == overview(), rewrite


def test_every_module_with_a_rule_is_in_the_list_once() -> None:
    modules = [
        importlib.import_module(f"{checks.__name__}.{module.name}")
        for module in pkgutil.iter_modules(checks.__path__)
    ]
    defined = [module.RULE for module in modules if hasattr(module, "RULE")]
    assert sorted(rule.code for rule in RULES) == sorted(rule.code for rule in defined)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_docstring_of_a_module_is_the_claim_of_its_page(rule: Rule) -> None:
    module = importlib.import_module(f"{checks.__name__}.{rule.code.replace('-', '_')}")
    said = claim(page(rule.code))
    assert module.__doc__ == f"{said[0].upper()}{said[1:]}."


def test_a_module_is_called_after_its_code() -> None:
    for name in (module.name for module in pkgutil.iter_modules(checks.__path__)):
        rule = getattr(importlib.import_module(f"{checks.__name__}.{name}"), "RULE", None)
        assert rule is None or rule.code == name.replace("_", "-")


def test_every_rule_has_a_severity_and_every_severity_a_rule() -> None:
    codes = {code for dialect in DIALECTS for code in dialect.severities}
    assert codes == {rule.code for rule in RULES if rule.severity is None}
