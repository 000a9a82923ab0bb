"""Agents of Gemini CLI as files of other systems, and the other way round."""

from pathlib import Path

import pytest

from agent_lsp.analysis.conversion import Converted, convert
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture
from tests.systems import dialect_of


def held(folder: Path, path: str, text: str) -> TemplateFile:
    made = fixture(folder, f"//- {path}\n{text}")
    file = template_file(made.workspace, made.path)
    assert file is not None
    return file


def gemini(folder: Path, lines: str, body: str = "You help.\n") -> TemplateFile:
    header = f"name: helper\ndescription: Helps.\n{lines}"
    return held(folder, ".gemini/agents/helper.md", f"---\n{header}---\n{body}")


def claude(folder: Path, lines: str, body: str = "You help.\n") -> TemplateFile:
    header = f"name: helper\ndescription: Helps.\n{lines}"
    return held(folder, ".claude/agents/helper.md", f"---\n{header}---\n{body}")


def only(made: tuple[Converted, ...] | RuntimeRefusal) -> Converted:
    assert not isinstance(made, RuntimeRefusal), made.message
    [one] = made
    return one


def test_tools_of_claude_get_their_names_here(tmp_path: Path) -> None:
    file = claude(tmp_path, "tools: Read, Grep, Bash, mcp__github__get_issue\ncolor: red\n")
    made = only(convert(file, dialect_of("gemini")))
    for tool in ("read_file", "grep_search", "run_shell_command", "mcp_github_get_issue"):
        assert f"  - {tool}\n" in made.text
    assert "color" not in made.text
    assert any("color: red" in loss.message for loss in made.losses)


def test_tools_get_their_names_in_claude_and_limits_are_named_as_lost(tmp_path: Path) -> None:
    file = gemini(tmp_path, "tools: [read_file, complete_task]\nmax_turns: 5\n")
    made = only(convert(file, dialect_of("claude")))
    assert "tools: Read\n" in made.text
    assert any("max_turns: 5" in loss.message for loss in made.losses)
    assert not any("complete_task" in loss.message for loss in made.losses)


def test_a_temperature_that_did_nothing_is_only_a_note(tmp_path: Path) -> None:
    made = only(convert(gemini(tmp_path, "temperature: 0.2\n"), dialect_of("claude")))
    [loss] = [one for one in made.losses if "temperature" in one.message]
    assert "does nothing here" in loss.message


@pytest.mark.parametrize("body", ["See ${HOME}.\n", "```\necho ${A}\n```\n"])
def test_a_prompt_that_would_end_every_call_is_not_written(body: str, tmp_path: Path) -> None:
    made = convert(claude(tmp_path, "", body), dialect_of("gemini"))
    assert isinstance(made, RuntimeRefusal)
    assert "every call of the agent fails" in made.message


def test_a_remote_agent_is_not_converted(tmp_path: Path) -> None:
    text = "---\nkind: remote\nname: far\nagent_card_url: https://x.example/card\n---\n"
    made = convert(held(tmp_path, ".gemini/agents/far.md", text), dialect_of("claude"))
    assert isinstance(made, RuntimeRefusal)
    assert "runs elsewhere" in made.message
