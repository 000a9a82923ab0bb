"""Where the header of a Claude agent ends, and what `---` does inside of it."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture


def made(folder: Path, text: str) -> Fixture:
    return fixture(folder, f"//- .claude/agents/a.md\n{text}")


def told(fixture: Fixture) -> list[str]:
    found = diagnostics(fixture.workspace, fixture.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(fixture.text)}" for one in found]


@pytest.mark.parametrize(
    ("header", "severity", "lost"),
    [
        (
            "name: a\ndescription: d --- e\ntools: Read\nmodel: opus",
            "warning",
            "the rest of `description`, `tools` and `model` are part of the prompt",
        ),
        (
            "name: a\ndescription: d\n# --- x\ntools: Read",
            "warning",
            "a line: `tools` is part of the prompt",
        ),
        (
            "name: a\ndescription: |\n  d\n  ---\n  e\ntools: Read",
            "warning",
            "the rest of it and `tools` are part of the prompt",
        ),
        ("name: a\ntools: Read\ndescription: d---e", "warning", "the rest of `description` is"),
        (
            "name: a\ndescription: d --- e\nx: 1",
            "warning",
            "the rest of `description` is part of the prompt",
        ),
    ],
)
def test_three_hyphens_inside_of_a_line_end_the_header(
    tmp_path: Path, header: str, severity: str, lost: str
) -> None:
    file = made(tmp_path, f"---\n{header}\n---\nYou help.\n")

    assert told(file) == [f"{severity}[header-cut-short] ---"]
    [said] = diagnostics(file.workspace, file.path)
    assert "even inside" in said.message
    assert lost in said.message


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\ndescription: d -- e – f — g\n---\nx\n",
        "---\nname: a\ndescription: d\n# ----\n---\nx\n",
        "---\nname: a\ndescription: d\n---  \nx\n",
        "---\nname: a\ndescription: d\n---\nx --- y\n\n-----\n\n| a |\n|---|\n",
        "---\nname: a\ndescription: d\n  ---\nx\n",
    ],
)
def test_nothing_is_said_of_a_header_that_ends_where_it_seems_to(tmp_path: Path, text: str) -> None:
    assert told(made(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("line", "rest", "after"),
    [
        ("-----", "--", "---"),
        ("--- # end", "# end", "---\n# end"),
        ("---You", "You", "---\nYou"),
    ],
)
def test_a_line_that_begins_like_the_end_of_a_header_ends_it(
    tmp_path: Path, line: str, rest: str, after: str
) -> None:
    file = made(tmp_path, f"---\nname: a\ndescription: d\n{line}\nYou help.\n\n---\n\nMore.\n")

    assert told(file) == [f"information[header-unclosed] {line}"]
    [said] = diagnostics(file.workspace, file.path)
    assert f"ends the header, and `{rest}` begins the prompt" in said.message
    [fix] = fixes(file.workspace, file.path)
    assert apply(file.text, fix.edits) == file.text.replace(line, after, 1)


def test_two_hyphens_end_no_header(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n--\nYou help.\n"

    assert told(made(tmp_path, text)) == ["error[header-unclosed] ---"]
