"""A comment in a header keeps a finding quiet; it breaks nothing, and does not outlive its use."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics, examined
from agent_lsp.analysis.fixes import fixes, repaired, suppressions_at
from agent_lsp.model.schema import Severity
from agent_lsp.options import Options
from agent_lsp.text import Span, apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixes.test_every_fix import IN_EACH_KIND, Written, text_of, written
from tests.fixture import Fixture, fixture

BODY = "---\nReview.\n"
IGNORE, FILE = "# agent-template-lsp: ignore", "# agent-template-lsp: ignore-file"


def header(folder: Path, lines: str, options: Options | None = None) -> Fixture:
    return fixture(folder, f"---\ndescription: A.\n{lines}\n{BODY}", options=options)


def codes(made: Fixture) -> tuple[list[str], list[str]]:
    found = examined(made.workspace, made.path)
    return [one.code for one in found.shown], [one.code for one in found.suppressed]


@pytest.mark.parametrize(
    "lines",
    [
        f"{IGNORE}[unknown-key]\ncolor: red",
        f"{IGNORE}[unknown-key] the website shows it\ncolor: red",
        f"{IGNORE}[unknown-model, unknown-key]\n# and more\n\ncolor: red",
        "#agent-template-lsp:ignore[unknown-key]\ncolor: red",
        f"  {IGNORE}[unknown-key]\ncolor: red",
        f"color: red\n{FILE}[unknown-key]",
    ],
)
def test_a_comment_above_or_for_the_file_suppresses(lines: str, tmp_path: Path) -> None:
    shown, suppressed = codes(header(tmp_path, lines))

    assert suppressed == ["unknown-key"]
    assert [code for code in shown if code != "unused-suppression"] == []


@pytest.mark.parametrize(
    "lines",
    [
        f"{IGNORE}[unknown-tool]\ncolor: red",
        f"{IGNORE}[unknown-key]\nmodel: gpt-5\ncolor: red",
        f"color: red {IGNORE}[unknown-key]",
        f"color: red\n{IGNORE}[unknown-key]",
        f"{IGNORE}\ncolor: red",
        f"{IGNORE}[]\ncolor: red",
    ],
)
def test_a_comment_about_something_else_suppresses_nothing(lines: str, tmp_path: Path) -> None:
    shown, suppressed = codes(header(tmp_path, lines))

    assert suppressed == []
    assert "unknown-key" in shown


def test_what_reads_like_a_comment_in_a_text_is_text(tmp_path: Path) -> None:
    made = fixture(
        tmp_path, f"---\ndescription: |\n  A.\n  {FILE}[unknown-key]\ncolor: red\n{BODY}"
    )

    assert codes(made) == (["unknown-key"], [])


def test_a_comment_in_the_prompt_is_text(tmp_path: Path) -> None:
    made = header(tmp_path, f"color: red\n---\n{FILE}[unknown-key]")

    assert codes(made)[1] == []


def test_an_error_can_be_suppressed_and_is_still_counted(tmp_path: Path) -> None:
    made = header(tmp_path, f"{IGNORE}[wrong-type]\nread_only: perhaps")
    [one] = examined(made.workspace, made.path).suppressed

    assert one.severity is Severity.ERROR
    assert diagnostics(made.workspace, made.path) == ()


def test_a_comment_of_no_use_is_taken_away(tmp_path: Path) -> None:
    made = header(
        tmp_path,
        f"{IGNORE}[unknown-tool]\n{IGNORE}[unknown-model, unknown-key, wrong-type]\ncolor: red",
    )

    assert codes(made) == (["unused-suppression"] * 3, ["unknown-key"])
    assert repaired(made.workspace, made.path) == (
        f"---\ndescription: A.\n{IGNORE}[unknown-key]\ncolor: red\n{BODY}"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"color: red  {IGNORE}[unknown-key] ours",
            f"{IGNORE}[unknown-key] ours\ncolor: red",
        ),
        (
            f"deny_list:\n  - send_email {IGNORE}[unknown-tool]",
            f"deny_list:\n  {IGNORE}[unknown-tool]\n  - send_email",
        ),
    ],
)
def test_a_comment_behind_something_is_told_that_it_counts_for_nothing(
    before: str, after: str, tmp_path: Path
) -> None:
    made = header(tmp_path, before)

    shown, suppressed = codes(made)
    assert (len(shown), suppressed) == (2, [])
    assert "unused-suppression" in shown
    assert repaired(made.workspace, made.path) == f"---\ndescription: A.\n{after}\n{BODY}"


def test_what_looks_like_a_comment_in_quotes_is_text(tmp_path: Path) -> None:
    made = header(tmp_path, f"model: 'gpt-5 {IGNORE}[unknown-model]'")

    assert "unused-suppression" not in codes(made)[0]


def test_a_comment_for_the_file_is_offered_where_the_opening_line_goes_on(tmp_path: Path) -> None:
    """The header of such a runtime begins right behind the three hyphens."""
    source = "//- .moltis/agents/x.md\n---\nname: x\ntools: exec, send_email\n---\nGo.\n"
    made = fixture(tmp_path, source)
    at = made.text.index("send_email")
    offered = {fix.title: fix for fix in suppressions_at(made.workspace, made.path, Span(at, at))}
    everywhere = offered["Ignore `unknown-tool` in this file"]
    assert apply(made.text, everywhere.edits).startswith(f"---\n{FILE}[unknown-tool]\nname: x\n")


def test_a_misspelt_code_is_put_right(tmp_path: Path) -> None:
    made = header(tmp_path, f"{IGNORE}[unknown-keys]\ncolor: red")
    [fix] = [fix for fix in fixes(made.workspace, made.path) if fix.safe]

    assert apply(made.text, fix.edits) == made.text.replace("unknown-keys", "unknown-key")


def test_nothing_is_said_about_a_comment_for_a_rule_that_is_off(tmp_path: Path) -> None:
    options = Options(severity={"unknown-key": None})
    made = header(tmp_path, f"{IGNORE}[unknown-key]\ncolor: red", options)

    assert codes(made) == ([], [])


def test_a_second_finding_of_a_line_joins_the_comment_of_the_first(tmp_path: Path) -> None:
    made = header(
        tmp_path, f"{IGNORE}[unknown-tool]\nallow_list: [emial, exec_command, wait, wait]"
    )
    at = made.text.rindex("wait")
    titles = {
        fix.title: apply(made.text, fix.edits)
        for fix in suppressions_at(made.workspace, made.path, Span(at, at))
    }

    assert set(titles) == {"Ignore `redundant-entry` here", "Ignore `redundant-entry` in this file"}
    assert f"{IGNORE}[unknown-tool, redundant-entry]\n" in titles["Ignore `redundant-entry` here"]
    file = titles["Ignore `redundant-entry` in this file"]
    assert file.startswith(f"---\n{FILE}[redundant-entry]\ndescription")


@IN_EACH_KIND
def test_what_is_offered_works_and_the_runtime_reads_the_same(
    case: Written, tmp_path: Path
) -> None:
    workspace, paths = written(tmp_path, *case)
    for path in paths:
        text = text_of(workspace, path)
        before = template_file(workspace, path)
        for fix in suppressions_at(workspace, path, Span(0, len(text))):
            path.write_bytes(apply(text, fix.edits).encode())
            workspace.files.changed(path)
            after = template_file(workspace, path)
            assert before is not None
            assert after is not None
            # A header that is refused is part of the prompt, and so is what is written into it.
            assert read(after.reading.declared) == read(before.reading.declared)
            assert len(after.reading.errors) == len(before.reading.errors)
            suppressed = examined(workspace, path).suppressed
            assert (fix.diagnostic.code, fix.diagnostic.message) in {
                (one.code, one.message) for one in suppressed
            }
            path.write_bytes(text.encode())
            workspace.files.changed(path)


def read(held: object) -> object:
    """What the runtime holds, without the places."""
    match held:
        case str() | bool() | None:
            return held
        case tuple():
            return [read(one) for one in held]
        case dict():
            return {name: read(one) for name, one in held.items()}
        case Span():
            return None
        case _:
            fields = getattr(held, "__slots__", ())
            return [read(getattr(held, name)) for name in fields]


@pytest.mark.parametrize("sign", ["# ", "#"])
def test_a_comment_ends_no_block_that_a_heading_would_end(sign: str, tmp_path: Path) -> None:
    """It is not offered: such a runtime sends the comment with the prompt."""
    comment = f"{sign}agent-template-lsp: ignore-file[name-mismatch, missing-part]"
    block = f"[template]\n{comment}\nname = 'mian'\n"
    made = fixture(tmp_path, f"//- docs/templates/main.md\n{block}\nYou lead.\n")

    assert codes(made) == ([], ["missing-part", "name-mismatch"])
