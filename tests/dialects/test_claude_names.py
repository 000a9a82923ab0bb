"""A header without a name, and the fix that calls the agent as its file is called."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture

TITLE = "Name the agent `code-reviewer`, after its file (unsafe: loads the file)"


def offered(made: Fixture) -> dict[str, str]:
    """The fixes of `agent-name` by their titles, with what the file is after them."""
    found = fixes(made.workspace, made.path)
    return {
        one.title: apply(made.text, one.edits)
        for one in found
        if one.diagnostic.code == "agent-name"
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\ndescription: d\n---\nx\n", "---\nname: code-reviewer\ndescription: d\n---\nx\n"),
        ("---\nname:\ndescription: d\n---\n", "---\nname: code-reviewer\ndescription: d\n---\n"),
        (
            "---\nname: # who\ndescription: d\n---\n",
            "---\nname: code-reviewer # who\ndescription: d\n---\n",
        ),
        (
            "---\r\ndescription: d\r\n---\r\nx\r\n",
            "---\r\nname: code-reviewer\r\ndescription: d\r\n---\r\nx\r\n",
        ),
        # What is to be said of the tools of an agent is said once there is one.
        (
            "---\ndescription: d\ntools: Grpe\n---\n",
            "---\nname: code-reviewer\ndescription: d\ntools: Grpe\n---\n",
        ),
    ],
)
def test_a_header_without_a_name_can_have_that_of_its_file(
    tmp_path: Path, before: str, after: str
) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/code-reviewer.md\n{before}")

    assert offered(made) == {TITLE: after}
    # The file may be documentation all the same, so nobody does it unasked.
    assert repaired(made.workspace, made.path) == made.text


@pytest.mark.parametrize("stem", ["-reviewer", "a: b", "true", "12", "no"])
def test_a_file_whose_name_no_agent_can_have_gives_none(tmp_path: Path, stem: str) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/{stem}.md\n---\ndescription: d\n---\nx\n")

    assert [one.code for one in diagnostics(made.workspace, made.path)] == ["agent-name"]
    assert offered(made) == {}


def test_a_name_that_another_agent_has_is_not_given_twice(tmp_path: Path) -> None:
    other = "//- .claude/agents/x.md\n---\nname: code-reviewer\ndescription: d\n---\nx\n"
    made = fixture(
        tmp_path, f"//- .claude/agents/code-reviewer.md\n---\ndescription: d\n---\nx\n{other}"
    )

    assert offered(made) == {}


@pytest.mark.parametrize("line", ["name: 'a:b'", "name: [a]"])
def test_a_name_that_is_wrong_is_for_its_author_to_change(tmp_path: Path, line: str) -> None:
    source = f"//- .claude/agents/code-reviewer.md\n---\n{line}\ndescription: d\n---\nx\n"

    assert offered(fixture(tmp_path, source)) == {}
