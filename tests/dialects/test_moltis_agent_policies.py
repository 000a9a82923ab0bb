"""A tool policy of a Markdown definition that leaves nothing is said once, and only then."""

from pathlib import Path

import pytest

from tests.checks.pages import reported

PLACE = ".moltis/agents/scout.md"


def codes(folder: Path, header: str) -> list[str]:
    """The codes of what is said about a definition with the lines of `header`."""
    files = {PLACE: f"---\nname: scout\n{header}\n---\nLook.\n"}
    return [line.partition("[")[2].partition("]")[0] for line in reported(folder, files)]


@pytest.mark.parametrize(
    "header",
    [
        "tools: spawn_agent",
        "tools: Read\ndeny_tools: Read",
        "tools: Read, spawn_agent\ndeny_tools: Read",
    ],
)
def test_a_policy_that_leaves_nothing_is_said_once(header: str, tmp_path: Path) -> None:
    assert codes(tmp_path, header) == ["no-tools"]


def test_what_delegating_leaves_is_not_nothing(tmp_path: Path) -> None:
    header = "delegate_only: true\ntools: Read\ndeny_tools: Read"

    assert codes(tmp_path, header) == ["no-effect"]


def test_delegating_speaks_of_the_key_that_a_definition_has(tmp_path: Path) -> None:
    files = {PLACE: "---\nname: scout\ndelegate_only: true\ntools: Read\n---\nLook.\n"}

    [only] = reported(tmp_path, files)
    assert only.endswith("the tools are fixed, and only `deny_tools` applies")
