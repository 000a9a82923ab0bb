"""`subagent_list`, `subagent_describe` and `subagent_run` are answered as the runtime does."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects.codex_subagents.dialect import DIALECT
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture

GOOD = "---\ndescription: d\n---\nbody\n"
ID = {"dialect": "codex-subagents"}
SHELL = ["shell", "local_shell", "exec_command", "write_stdin"]
NESTED = ["subagent_list", "subagent_describe", "subagent_run"]


def listed(folder: Path, source: str, **arguments: object) -> dict[str, object]:
    return list_agents(fixture(folder, source).workspace, {**ID, **arguments})


def spawned(folder: Path, source: str, **arguments: object) -> Any:
    answer = preview_spawn(fixture(folder, source).workspace, {**ID, **arguments})
    assert answer["error"] is None
    return answer["result"]


def test_the_list_has_the_names_that_load_in_order(tmp_path: Path) -> None:
    source = f"//- .codex/agents/b.md\n{GOOD}//- ~/.codex/agents/a.md\n{GOOD}"
    source += f"//- .codex/agents/B.md\n{GOOD}//- .codex/agents/c.MD\n{GOOD}"
    source += f"//- .codex/agents/deep/d.md\n{GOOD}//- sub/.codex/agents/e.md\n{GOOD}"

    assert listed(tmp_path, source) == {"result": {"agents": ["B", "a", "b"]}, "error": None}


def test_a_broken_file_of_the_project_leaves_the_users_in_force(tmp_path: Path) -> None:
    source = "//- .codex/agents/a.md\nno header\n//- ~/.codex/agents/a.md\n"
    source += "---\ndescription: mine\n---\nMine.\n//- .codex/agents/b.md\nno header\n"
    made = fixture(tmp_path, source)
    answer = list_agents(made.workspace, ID)

    assert answer["result"] == {"agents": ["a"]}
    assert answer["skipped"] == [
        {
            "file": str(made.root / f".codex/agents/{name}.md"),
            "message": f"Agent '{name}' missing YAML frontmatter (must start with '---')",
        }
        for name in ("a", "b")
    ]
    described = list_agents(made.workspace, {**ID, "name": "a"})["result"]
    assert described == {"name": "a", "description": "mine", "tools": None, "body": "Mine."}


def test_a_description_shows_the_tools_as_written_and_the_trimmed_body(tmp_path: Path) -> None:
    source = """
        //- .codex/agents/a.md
        ---
        description: " d "
        tools: [exec_command, nothing]
        ---

          Review.
        """
    assert listed(tmp_path, source, name="a")["result"] == {
        "name": "a",
        "description": " d ",
        "tools": ["exec_command", "nothing"],
        "body": "Review.",
    }


def test_the_projects_file_replaces_the_users_as_a_whole(tmp_path: Path) -> None:
    source = f"//- .codex/agents/a.md\n{GOOD}//- ~/.codex/agents/a.md\n"
    source += "---\ndescription: mine\ntools: []\n---\nMine.\n"

    answer = listed(tmp_path, source, name="a")["result"]
    assert answer == {"name": "a", "description": "d", "tools": None, "body": "body"}


def test_an_unknown_name_is_refused_and_case_counts(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .codex/agents/a.md\n{GOOD}").workspace

    assert list_agents(made, {**ID, "name": "A"})["error"] == (
        "Agent not found: Sub-agent 'A' not found"
    )
    assert preview_spawn(made, {**ID, "name": "A", "task": "t"})["error"] == (
        "Sub-agent execution failed: Sub-agent 'A' not found"
    )


def test_a_session_does_not_look_above_its_folder(tmp_path: Path) -> None:
    source = f"//- .codex/agents/top.md\n{GOOD}//- sub/.codex/agents/low.md\n{GOOD}"
    made = fixture(tmp_path, source)

    def names(start: Path) -> tuple[str, ...]:
        return catalog(made.workspace, DIALECT, start).names

    assert names(made.root) == ("top",)
    assert names(made.root / "sub") == ("low",)
    assert names(made.root / "sub/deeper") == ()


def test_a_run_composes_the_prompt_of_the_body_and_the_task(tmp_path: Path) -> None:
    source = "//- .codex/agents/a.md\n---\ndescription: d\n---\n\n Review. \n\n"
    parts = spawned(tmp_path, source, name="a", task="Look at x.")["prompt"]

    assert [(part["title"], part["verbatim"]) for part in parts] == [
        ("base instructions", False),
        ("body", True),
        ("task", True),
    ]
    assert "".join(part["text"] for part in parts if part["verbatim"]) == (
        "Review.\n\nTask: Look at x."
    )
    assert parts[1]["origin"]["line"] == 5


def test_a_run_without_a_task_is_shown_with_a_stand_in_for_it(tmp_path: Path) -> None:
    found = spawned(tmp_path, f"//- .codex/agents/a.md\n{GOOD}", name="a")

    assert found["prompt"][2]["verbatim"] is False
    assert any("missing field `task`" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("header", "kept", "open_patterns"),
    [
        ("", [*SHELL, "apply_patch", "update_plan", "view_image", "web_search"], ["*__*"]),
        ("tools: []", [], []),
        ("tools: [apply_patch]", ["apply_patch"], []),
        ("tools: [write_stdin]", SHELL, []),
        ("tools: [unified_exec, Shell, ' shell']", [], []),
        ("tools: [shell, subagent_run, git__log]", SHELL, ["git__log"]),
        ("tools: ['*', 'web_*']", [], []),
    ],
)
def test_tools_are_kept_by_exact_names_and_the_shell_family(
    header: str, kept: list[str], open_patterns: list[str], tmp_path: Path
) -> None:
    source = f"//- .codex/agents/a.md\n---\ndescription: d\n{header}\n---\nx\n"
    tools = spawned(tmp_path, source, name="a", task="t")["tools"]

    assert [verdict["tool"] for verdict in tools["kept"]] == kept
    assert tools["open_patterns"] == open_patterns
    reasons = {v["tool"]: v["reason"] for v in tools["removed"] if v["tool"] in NESTED}
    assert reasons == dict.fromkeys(
        NESTED, "sub-agent tools are never available inside a sub-agent"
    )


def test_a_model_has_no_effect_wherever_it_stands(tmp_path: Path) -> None:
    source = "//- .codex/agents/a.md\n---\ndescription: d\nmodel: gpt-5\n---\nx\n"
    found = spawned(tmp_path, source, name="a", task="t", model="o3", parent={"model": "gpt-4"})

    assert found["model"]["value"] == "gpt-4"
    assert "`model` of the call has no effect" in found["notes"]


def test_a_run_shows_events_result_switch_and_refusals(tmp_path: Path) -> None:
    found = spawned(tmp_path, f"//- .codex/agents/a.md\n{GOOD}", name="a", task="t")

    assert found["events"] == {
        "start": {
            "item": "SubAgentStart",
            "name": "a",
            "description": "d",
            "origin": "Origin::Main",
        },
        "end": {"item": "SubAgentEnd", "name": "a", "success": True, "origin": "Origin::Main"},
    }
    assert list(found["returns"]) == ["agent_name", "task", "success", "output", "error"]
    assert found["switch"]["enabled_by_default"] is False
    assert found["switch"]["command_line"] == "codex -c tools.subagent_tools=true"
    assert found["refusals"]["turned off"] == "Sub-agents are not enabled in this session"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            {"name": "a", "parent": {"depth": 1}},
            "Sub-agents are not enabled in this nested context",
        ),
        ({}, "failed to parse function arguments: missing field `name`"),
        (
            {"name": 5},
            "failed to parse function arguments: invalid type: integer `5`, expected a string",
        ),
        (
            {"agent_type": "a"},
            "unknown argument `agent_type`; `subagent_run` takes name, task, model",
        ),
    ],
)
def test_a_run_is_refused_in_the_runtimes_words(
    arguments: dict[str, object], error: str, tmp_path: Path
) -> None:
    workspace = fixture(tmp_path, f"//- .codex/agents/a.md\n{GOOD}").workspace
    answer = preview_spawn(workspace, {**ID, **arguments})
    assert answer == {"result": None, "error": error}


def test_the_place_of_a_file_decides_which_runtime_answers(tmp_path: Path) -> None:
    source = f"//- .codex/agents/a.md\n{GOOD}//- .codex/.agents/b.md\n{GOOD}"
    made = fixture(tmp_path, source)

    assert list_agents(made.workspace, {"name": "a"}, made.path)["error"] is None


def test_the_answers_are_readable_as_markdown(tmp_path: Path) -> None:
    source = f"//- .codex/agents/a.md\n{GOOD}//- .codex/agents/b.md\nx\n"
    made = fixture(tmp_path, source).workspace
    ask = {**ID, "format": "markdown"}
    every, one, run = (
        str(answer["markdown"])
        for answer in (
            list_agents(made, ask),
            list_agents(made, {**ask, "name": "a"}),
            preview_spawn(made, {**ask, "name": "a", "task": "t"}),
        )
    )

    assert every.startswith("**1 agent** in `subagent_list`")
    assert "### Skipped by the runtime\n\n- [.codex/agents/b.md]" in every
    assert one.startswith("**1 agent** in `subagent_describe`")
    assert "- `tools`: not set" in one
    assert "`body`:\n\n```text\nbody\n```" in one
    assert "### Events" in run
    assert '"command_line": "codex -c tools.subagent_tools=true"' in run


def test_a_file_that_is_not_looked_into_is_told_beside_the_list(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .codex/agents/a.md\n{GOOD}")
    made.path.write_bytes(f"---\ndescription: d\n---\n{'x' * 5_000_000}".encode())
    made.workspace.files.changed(made.path)
    unread = "a.md is not read here: it is larger than 1 MB"
    answer = list_agents(made.workspace, ID)
    shown = str(list_agents(made.workspace, {**ID, "format": "markdown"})["markdown"])

    assert answer == {"result": {"agents": ["a"]}, "error": None, "notes": [unread]}
    assert "The runtime reads them, and one that it refuses is skipped." in shown
    one = list_agents(made.workspace, {**ID, "name": "a", "format": "markdown"})
    assert str(one["markdown"]).startswith("**`subagent_describe` is not answered here**")
