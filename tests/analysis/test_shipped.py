"""What the runtime ships: its built-in roles, its tools, and the models with their efforts."""

from pathlib import Path

import pytest

from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from tests.fixture import fixture

SHELLS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")


def listed(folder: Path, role: str) -> dict[str, object]:
    made = fixture(folder, "x\n")
    result = list_agents(made.workspace, {"agent_type": role, "expanded": True})["result"]
    assert isinstance(result, dict)
    [agent] = result["agents"]
    assert isinstance(agent, dict)
    return agent


@pytest.mark.parametrize(
    ("role", "model", "effort"),
    [
        ("architect", "gpt-5.3-codex", "medium"),
        ("explorer", "gpt-5.3-codex", "medium"),
        ("orchestrator", None, None),
        ("worker", "gpt-5.2-codex", "medium"),
    ],
)
def test_a_built_in_role_has_its_model_and_effort(
    role: str, model: str | None, effort: str | None, tmp_path: Path
) -> None:
    agent = listed(tmp_path, role)
    assert (agent.get("model"), agent.get("reasoning_effort")) == (model, effort)


def test_the_orchestrator_has_every_tool(tmp_path: Path) -> None:
    agent = listed(tmp_path, "orchestrator")
    assert (agent["allow_list"], agent["deny_list"]) == (None, None)


@pytest.mark.parametrize("role", ["worker", "explorer"])
def test_workers_and_explorers_plan_and_look_around_but_start_no_agents(
    role: str, tmp_path: Path
) -> None:
    allowed = listed(tmp_path, role)["allow_list"]
    assert isinstance(allowed, list)
    assert {"update_plan", "list_agents", "list_active_agents"} <= set(allowed)
    assert not any(DIALECT.tools.matches(entry, "spawn_agent") for entry in allowed)


def test_the_explorer_is_read_only(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x\n")
    result = preview_spawn(made.workspace, {"agent_type": "explorer"})["result"]
    assert isinstance(result, dict)
    assert result["sandbox"]["value"] == "read-only"


@pytest.mark.parametrize("denied", SHELLS)
def test_each_way_to_a_shell_is_a_tool_of_its_own(denied: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"---\ndescription: d\ndeny_list: [{denied}]\n---\nb\n")
    result = preview_spawn(made.workspace, {"agent_type": "reviewer"})["result"]
    assert isinstance(result, dict)
    removed = [verdict["tool"] for verdict in result["tools"]["removed"]]
    assert removed == [denied]
    assert set(SHELLS) - {denied} <= {verdict["tool"] for verdict in result["tools"]["kept"]}
