"""The pages of the rules are true and complete: one for each code, and all in the overview."""

from pathlib import Path

from agent_lsp.analysis.checks import ALWAYS, OF_HEADERS
from agent_lsp.cli.commands.explain import claim, page
from tests.checks.pages import (
    FOLDER,
    OVERVIEW,
    PARTS,
    Example,
    examples,
    measured,
    overview,
    parts,
    reported,
    with_evidence,
)
from tests.recorded import each
from tests.systems import CODES, DIALECTS

EXAMPLES = [example for code in CODES for example in examples(code)]


def test_every_code_has_one_page_and_every_page_a_code() -> None:
    pages = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md")]
    assert sorted(pages) == sorted(["README.md", *(f"{code}.md" for code in CODES)])


@each(EXAMPLES, called=lambda example: f"{example.code}-{example.line}")
def test_a_page_shows_what_is_really_said(example: Example, tmp_path: Path) -> None:
    assert reported(tmp_path, example.files) == example.expected


@each(CODES, called=str)
def test_a_page_shows_its_own_rule(code: str) -> None:
    said = [line for example in examples(code) for line in example.expected]
    assert any(f"[{code}]" in line for line in said)


@each(CODES, called=str)
def test_a_page_begins_with_its_code_and_a_claim(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}: {claim(text)}.\n\n")
    assert claim(text)


@each(CODES, called=str)
def test_a_page_has_the_same_four_parts_as_every_other(code: str) -> None:
    found = parts(page(code))
    assert tuple(found) == PARTS
    assert all(found.values())
    assert "```text" in found["Example"]


@each(CODES, called=str)
def test_a_page_names_the_evidence_for_every_system_that_has_its_rule(code: str) -> None:
    rewrite = "run `python -m tests.write_overviews`"
    assert parts(page(code))["Where this was measured"] == measured(code), rewrite


def test_there_is_evidence_for_every_system() -> None:
    assert with_evidence() == {dialect.id for dialect in DIALECTS}


def test_the_overview_has_every_rule_in_their_order() -> None:
    rewrite = "run `python -m tests.write_overviews`"
    assert OVERVIEW.read_text(encoding="utf-8") == overview(), rewrite


def test_every_check_yields_its_own_codes_and_has_a_severity() -> None:
    """A code that no system gives a severity is one of the checks that have their own."""
    codes = {code for dialect in DIALECTS for code in dialect.findings.severities}
    own = {code for check in ALWAYS for code in check.codes}
    assert codes | own == set(CODES)
    for dialect in DIALECTS:
        readers = (dialect, *(reader.load() for reader in dialect.variants.readers))
        checked = {code for one in readers for check in one.findings.checks for code in check.codes}
        assert set(dialect.findings.severities) <= checked, dialect.id


def test_a_shared_check_is_taken_by_several_systems_or_about_places() -> None:
    """What concerns one system alone stands in its folder."""
    about_places = {"misplaced", "other-system"}
    for check in OF_HEADERS:
        takers = [
            one.id for one in DIALECTS if not one.findings.severities.keys().isdisjoint(check.codes)
        ]
        assert len(takers) > 1 or set(check.codes) <= about_places, check.codes


@each(CODES, called=str)
def test_the_name_of_a_check_that_has_one_code_begins_with_it(code: str) -> None:
    every = {check for dialect in DIALECTS for check in dialect.findings.checks} | set(ALWAYS)
    names = [check.run.__name__ for check in every if check.codes == (code,)]
    assert all(name.startswith((code.replace("-", "_"), "misplaced_file")) for name in names)
