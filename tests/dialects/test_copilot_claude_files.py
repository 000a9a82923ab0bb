"""What VS Code and Copilot CLI make of a file of Claude Code, where a project uses them."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.analysis.preview.programs import lines, programs
from agent_lsp.options import Options
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

SCOUT = """\
//- .claude/agents/scout.md
---
name: scout
description: Finds{colon} things.
tools: {tools}
{more}---
Look.
"""
LEAD = """\
//- .github/agents/lead.agent.md
---
name: Lead
description: Leads.
---
Lead.
"""


def scout(tools: str = "Read, Grep", more: str = "", *, colon: str = "") -> str:
    return SCOUT.format(tools=tools, more=more, colon=colon)


def said(found: Fixture) -> list[str]:
    return [
        f"{one.severity.name.lower()}[{one.code}] {one.message}"
        for one in diagnostics(found.workspace, found.path)
    ]


def programs_of(found: Fixture) -> list[str]:
    file = template_file(found.workspace, found.path)
    assert file is not None
    return list(lines(programs(file)))


def test_without_a_file_of_copilot_a_file_of_claude_is_read_by_claude_alone(tmp_path: Path) -> None:
    found = fixture(tmp_path, scout("mcp__x__y", "disallowedTools: Write\n"))
    assert [one for one in said(found) if "VS Code" in one or "Copilot" in one] == []
    assert programs_of(found) == []


def test_where_a_project_uses_copilot_each_program_has_its_own_tools(tmp_path: Path) -> None:
    found = fixture(tmp_path, scout("Read, Bash(git:*), mcp__x__y, Task") + LEAD)
    claude, vs, cli = programs_of(found)
    assert claude.startswith("Claude Code: loads it as `scout`")
    assert vs.endswith("with `read/readFile`, `read/getNotebookSummary`")
    assert cli.startswith("Copilot CLI: loads it as `scout`, with `view`, `task`, ")
    shown = hover(found.workspace, found.path, 0)
    assert shown is not None
    assert "Copilot CLI" in shown.markdown


def test_a_program_that_uses_another_file_for_a_name_says_which(tmp_path: Path) -> None:
    other = scout().replace("agents/scout.md", "agents/a.md")
    _, of_copilot = programs_of(fixture(tmp_path, scout() + other + LEAD))
    assert of_copilot.endswith("uses `a.md` (folder of Claude Code) for `scout`, not this file")


@pytest.mark.parametrize(
    ("model", "value"), [("sonnet", "Claude Sonnet 4.5 (copilot)"), ("inherit", None)]
)
def test_vs_code_has_models_of_its_own_for_those_of_claude(
    model: str, value: str | None, tmp_path: Path
) -> None:
    found = fixture(tmp_path, scout(more=f"model: {model}\n") + LEAD)
    arguments = {"dialect": "copilot", "agentName": "scout"}
    answer: Any = preview_spawn(found.workspace, arguments)
    assert answer["result"]["model"]["value"] == value


LOST = "[no-effect] for VS Code: "
OF_BOTH = "[no-effect] for VS Code and Copilot CLI: "
ONLY = "only whole tools of Claude Code work, and none of a server"


@pytest.mark.parametrize(
    ("tools", "more", "message"),
    [
        (
            "Read, Agent, Bash(git:*)",
            "",
            f"{LOST}`Agent` and `Bash(git:*)` of `tools` allow nothing: {ONLY}",
        ),
        (
            "[read, mcp__a__b]",
            "",
            (
                f"{LOST}`read` and `mcp__a__b` of `tools` allow nothing, so the agent has no "
                f"tools: {ONLY}"
            ),
        ),
        (
            "Read",
            "disallowedTools: Write\n",
            (
                f"{OF_BOTH}`disallowedTools` has no effect: the agent has those of `tools`; list "
                "what it may use in `tools`"
            ),
        ),
        (
            "Skill, LSP",
            "",
            f"{LOST}`Skill` and `LSP` of `tools` allow nothing, so the agent has no tools: {ONLY}",
        ),
        (
            "Read",
            "permissionMode: plan\n",
            (
                f"{OF_BOTH}`permissionMode: plan` has no effect: the agent may change files; list "
                "its tools"
            ),
        ),
    ],
)
def test_what_vs_code_drops_of_a_file_of_claude_is_information(
    tools: str, more: str, message: str, tmp_path: Path
) -> None:
    found = said(fixture(tmp_path, scout(tools, more) + LEAD))
    assert f"information{message}" in found


CLI_LOST = "[no-effect] for Copilot CLI: "
WHOLE = "only whole tools work, and those of a server as `server/tool`"


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ("Read, Bash(git:*)", f"`Bash(git:*)` of `tools` allows nothing: {WHOLE}"),
        (
            "Agent(x), mcp__a__b, Read",
            f"`Agent(x)` and `mcp__a__b` of `tools` allow nothing: {WHOLE}",
        ),
        (
            "AskUserQuestion, LSP",
            (
                "`AskUserQuestion` and `LSP` of `tools` allow nothing, so the agent has no tools: "
                f"{WHOLE}"
            ),
        ),
    ],
)
def test_what_the_cli_drops_of_a_file_of_claude_is_information(
    tools: str, message: str, tmp_path: Path
) -> None:
    found = said(fixture(tmp_path, scout(tools) + LEAD))
    assert f"information{CLI_LOST}{message}" in found


def test_denied_tools_are_those_of_an_agent_where_the_cli_alone_counts(tmp_path: Path) -> None:
    source = scout(more="disallowedTools: Write\npermissionMode: plan\n")
    options = Options(programs=frozenset({"copilot-cli"}))
    assert said(fixture(tmp_path, source, options=options)) == [
        (
            "warning[no-effect] `disallowedTools` has no effect: the agent has those of `tools`; "
            "list what it may use in `tools`"
        ),
        (
            "warning[no-effect] `permissionMode: plan` has no effect: the agent may change files; "
            "list its tools"
        ),
    ]


def test_no_denial_is_lost_in_a_file_that_the_cli_refuses(tmp_path: Path) -> None:
    source = scout("mcp__a__b", "disallowedTools: Write\n", colon=": no")
    found = said(fixture(tmp_path, source + LEAD))
    assert [one for one in found if "for Copilot CLI" in one] == [
        one for one in found if one.startswith("information[unquoted-text] for Copilot CLI: ")
    ]
    assert any(one.startswith(f"information{LOST}`disallowedTools`") for one in found)


@pytest.mark.parametrize(
    ("place", "counts"),
    [
        ("prompts/ask.prompt.md", True),
        ("instructions/all.instructions.md", True),
        ("copilot-instructions.md", True),
        ("CODEOWNERS.md", False),
    ],
)
def test_any_configuration_of_copilot_makes_it_count(
    place: str, counts: bool, tmp_path: Path
) -> None:
    found = said(fixture(tmp_path, scout("Agent") + f"//- .github/{place}\nBe brief.\n"))
    assert any(LOST in one for one in found) == counts


def test_a_setting_gives_the_findings_of_copilot_their_full_weight(tmp_path: Path) -> None:
    source = scout(more="disallowedTools: Write\n", colon=": no")
    options = Options(programs=frozenset({"claude", "copilot-cli", "copilot-vscode"}))
    found = said(fixture(tmp_path, source, options=options))
    assert any(one.startswith("error[unquoted-text] for Copilot CLI: ") for one in found)
    assert any(one.startswith(f"warning{LOST}") for one in found)
    (tmp_path / "other").mkdir()
    options = Options(programs=frozenset({"claude"}))
    only = said(fixture(tmp_path / "other", source, options=options))
    assert not any("Copilot" in one or "VS Code" in one for one in only)


def test_keys_and_tools_of_claude_are_no_faults_of_copilot(tmp_path: Path) -> None:
    more = "color: red\npermissionMode: acceptEdits\nmemory: user\nmodel: sonnet\n"
    found = said(fixture(tmp_path, scout("Read, Skill, WebFetch, Task", more) + LEAD))
    assert [one for one in found if "VS Code" in one or "Copilot" in one] == []


def test_the_user_s_folder_of_claude_is_read_by_vs_code_and_not_by_the_cli(tmp_path: Path) -> None:
    found = fixture(tmp_path, scout().replace("//- .claude", "//- ~/.claude") + LEAD)
    assert [one.partition(":")[0] for one in programs_of(found)] == ["Claude Code", "VS Code"]
