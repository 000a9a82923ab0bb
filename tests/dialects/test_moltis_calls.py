"""What Moltis lists and spawns, in both generations."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from tests.fixture import fixture

SEED = """\
[agents]
default = "scout"

[agents.presets.scout]
identity = { name = "scout", emoji = "🔍", creature = "helpful owl", vibe = "focused" }
model = "anthropic/claude-haiku-3-5-20241022"
tools.allow = ["web_search", "exec", "spawn_agent"]
tools.deny = ["exec"]
max_iterations = 12
system_prompt_suffix = "Look around. "

[agents.presets.coder]
tools.deny = ["cron"]
"""
TODAY = """\
[agents.presets.lead]
identity = { name = "Lead", emoji = "🎯", theme = "calm" }
delegate_only = true
tools.deny = ["spawn_list", "spawn_agent"]
reasoning_effort = "high"
system_prompt_suffix = "  Delegate.  "
"""


def spawned(folder: Path, text: str, **arguments: object) -> dict[str, Any]:
    """The preview of a call for a project with `text` as its configuration."""
    written = fixture(folder, f"//- moltis.toml\n{text}")
    answer = preview_spawn(written.workspace, {"dialect": "moltis", **arguments}, written.path)
    return answer["result"] if answer["result"] is not None else answer  # type: ignore[return-value] # the answer of a command is JSON


def prompt(answer: dict[str, Any]) -> str:
    """The whole prompt of a preview."""
    return "".join(part["text"] for part in answer["prompt"])


def test_the_prompt_of_the_document_is_put_together_part_by_part(tmp_path: Path) -> None:
    answer = spawned(tmp_path, SEED, preset="scout", task="Find it", context="In src")

    assert prompt(answer) == (
        "You are scout, a helpful owl. Your style is focused. "
        "Complete the task thoroughly and return a clear result.\n\n"
        "Task: Find it\n\nContext: In src\n\nLook around. "
    )
    assert all(part["verbatim"] for part in answer["prompt"])


def test_a_preset_without_identity_begins_as_a_sub_agent(tmp_path: Path) -> None:
    answer = spawned(tmp_path, SEED, preset="coder", task="Do it")

    assert prompt(answer).startswith("You are a sub-agent spawned to handle a specific task. ")


def test_the_prompt_of_today_has_the_emoji_and_trims_the_suffix(tmp_path: Path) -> None:
    answer = spawned(tmp_path, TODAY, preset="lead", task="Go")

    assert prompt(answer).startswith("You are Lead (🎯). Your style is calm. Complete")
    assert prompt(answer).endswith("\n\nTask: Go\n\nDelegate.")


def test_call_preset_and_parent_decide_about_the_model_in_this_order(tmp_path: Path) -> None:
    parent = {"model": "o3"}
    named = spawned(tmp_path / "a", SEED, preset="scout", model="gpt-4o", parent=parent)
    preset = spawned(tmp_path / "b", SEED, preset="scout", parent=parent)
    neither = spawned(tmp_path / "c", SEED, preset="coder", parent=parent)

    values = [answer["model"]["value"] for answer in (named, preset, neither)]
    assert values == ["gpt-4o", "anthropic/claude-haiku-3-5-20241022", "o3"]


def test_allow_then_deny_by_exact_names_and_never_spawn_agent(tmp_path: Path) -> None:
    answer = spawned(tmp_path, SEED, preset="scout")

    assert [kept["tool"] for kept in answer["tools"]["kept"]] == ["web_search"]
    removed = {tool["tool"]: tool["reason"] for tool in answer["tools"]["removed"]}
    assert removed["spawn_agent"].startswith("always removed")
    assert removed["exec"] == "denied by `tools.deny`"


def test_delegate_only_leaves_a_fixed_set_and_gives_spawn_agent_back(tmp_path: Path) -> None:
    answer = spawned(tmp_path, TODAY, preset="lead")
    kept = {tool["tool"] for tool in answer["tools"]["kept"]}

    assert {"spawn_agent", "spawn_status", "sessions_list", "task_list"} <= kept
    assert not kept & {"spawn_list", "exec", "Read"}


def test_limits_are_the_presets_else_the_runtimes(tmp_path: Path) -> None:
    seed = spawned(tmp_path / "a", SEED, preset="scout")
    today = spawned(tmp_path / "b", TODAY, preset="lead")

    assert (seed["max_iterations"]["value"], seed["timeout_secs"]["value"]) == ("12", "600")
    assert (today["max_iterations"]["value"], today["timeout_secs"]["value"]) == ("25", "none")
    assert today["reasoning_effort"]["value"] == "high"


@pytest.mark.parametrize(
    ("written", "rounds"),
    [
        ("agent_max_iterations = 40", "40"),
        ("agent_max_iterations = 0", "25"),
        ("agent_max_iterations = 'many'", "25"),
        ("policy.deny = []", "25"),
    ],
)
def test_rounds_are_those_of_all_agents_where_a_preset_says_nothing(
    written: str, rounds: str, tmp_path: Path
) -> None:
    """The current runtime asks `[tools]`; the document's has a fixed limit."""
    today = spawned(tmp_path / "a", f"{TODAY}\n[tools]\n{written}\n", preset="lead")
    seed = spawned(tmp_path / "b", f"{SEED}\n[tools]\n{written}\n[agents.presets.bare]\n")
    bare = spawned(
        tmp_path / "c", f"{SEED}\n[tools]\n{written}\n[agents.presets.bare]\n", preset="bare"
    )
    built_in = spawned(tmp_path / "d", f"{TODAY}\n[tools]\n{written}\n", preset="research")

    assert today["max_iterations"]["value"] == rounds
    assert seed["max_iterations"]["value"] == "12"
    assert bare["max_iterations"]["value"] == "25"
    assert built_in["max_iterations"]["value"] == "16"
    assert ("for all agents" in today["max_iterations"]["origin"]["label"]) is (rounds == "40")


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_variable_is_shown_as_it_is_written(quote: str, tmp_path: Path) -> None:
    """Nobody can tell what it comes to, so no limit, model or prompt takes its place."""
    lines = (f"{key} = {quote}${{X}}{quote}" for key in ("model", "system_prompt_suffix"))
    text = "\n".join(("[agents.presets.a]", *lines, "max_iterations = ${N}", ""))
    made = spawned(tmp_path, text, preset="a", task="t")

    assert made["model"]["value"] == "${X}"
    assert made["max_iterations"]["value"] == "${N}"
    assert made["prompt"][-1]["text"].endswith("${X}")


def test_a_call_without_a_preset_uses_the_default(tmp_path: Path) -> None:
    assert spawned(tmp_path / "a", SEED)["name"] == "scout"
    built_in = spawned(tmp_path / "b", TODAY)
    assert (built_in["name"], built_in["max_iterations"]["value"]) == ("research", "16")


def test_an_unknown_preset_is_passed_over_then_and_refused_today(tmp_path: Path) -> None:
    seed = spawned(tmp_path / "a", SEED, preset="nobody")
    today = spawned(tmp_path / "b", TODAY, preset="nobody")

    assert seed["template"] is None
    assert any("continues without a preset" in note for note in seed["notes"])
    assert today["error"] == "spawn preset 'nobody' not found in config.agents.presets"


def test_nesting_ends_at_depth_three(tmp_path: Path) -> None:
    last = spawned(tmp_path / "a", SEED, preset="scout", parent={"depth": 2})
    over = spawned(tmp_path / "b", SEED, preset="scout", parent={"depth": 3})

    assert last["depth"] == 3
    assert over["error"] == "maximum sub-agent nesting depth (3) exceeded"


def test_a_dropped_configuration_leaves_no_preset(tmp_path: Path) -> None:
    answer = spawned(tmp_path, f"{SEED}max_iterations = 'many'\n", preset="scout")

    assert answer["template"] is None
    assert any("drops all of it" in note for note in answer["notes"])


def test_the_shape_of_result_and_events_is_shown(tmp_path: Path) -> None:
    answer = spawned(tmp_path, SEED, preset="scout", task="Find it")

    assert set(answer["returns"]) == {"text", "iterations", "tool_calls_made", "model", "preset"}
    assert answer["events"]["start"]["payload"]["state"] == "sub_agent_start"
    assert answer["events"]["end"]["payload"]["toolCallsMade"] == 0


def listed(folder: Path, source: str, **arguments: object) -> dict[str, Any]:
    """The listing of a workspace."""
    written = fixture(folder, source)
    return list_agents(written.workspace, {"dialect": "moltis", **arguments}, written.root)


def test_the_listing_has_each_preset_with_its_policy(tmp_path: Path) -> None:
    result = listed(tmp_path, f"//- moltis.toml\n{SEED}")["result"]

    coder, scout = result["agents"]
    assert (coder["name"], coder["default"], coder["deny"]) == ("coder", False, ["cron"])
    assert (scout["default"], scout["tools"]) == (True, ["web_search"])
    assert scout["identity"] == "You are scout, a helpful owl. Your style is focused."


def test_the_listing_of_today_has_the_built_in_presets(tmp_path: Path) -> None:
    result = listed(tmp_path, f"//- moltis.toml\n{TODAY}")["result"]

    names = [agent["name"] for agent in result["agents"]]
    assert names[0] == "lead"
    assert {"research", "coordinator"} <= set(names)


def test_the_first_file_is_the_whole_configuration(tmp_path: Path) -> None:
    user = f"//- ~/.config/moltis/moltis.toml\n{TODAY}"
    both = listed(tmp_path / "a", f"//- moltis.toml\n{SEED}{user}")["result"]
    alone = listed(tmp_path / "b", f"//- readme.md\nHello.\n{user}")["result"]

    assert [agent["name"] for agent in both["agents"]] == ["coder", "scout"]
    assert alone["agents"][0]["name"] == "lead"


def test_the_listing_says_why_a_configuration_is_dropped(tmp_path: Path) -> None:
    answer = listed(tmp_path, "//- moltis.toml\n[agents.presets.a]\nmodel = 5\n")

    assert answer["result"] is None
    assert "invalid type: integer `5`, expected a string" in answer["error"]


@pytest.mark.parametrize(
    ("uri", "agent"), [(".", "reviewer"), ("README.md", "reviewer"), ("moltis.toml", "scout")]
)
def test_a_folder_of_agents_says_more_of_a_project_than_the_file_beside_it(
    uri: str, agent: str, tmp_path: Path
) -> None:
    reviewer = "//- .codex/agents/reviewer.md\n---\nname: reviewer\ndescription: d\n---\nReview.\n"
    written = fixture(tmp_path, f"//- moltis.toml\n{SEED}\n{reviewer}//- README.md\n")

    answer = list_agents(written.workspace, {}, written.root / uri)

    assert answer["error"] is None
    assert agent in str(answer["result"])


def test_a_project_with_nothing_but_the_file_is_about_it_whatever_the_user_has(
    tmp_path: Path,
) -> None:
    own = "//- ~/.claude/agents/reviewer.md\n---\nname: reviewer\ndescription: d\n---\nReview.\n"
    written = fixture(tmp_path, f"//- moltis.toml\n{SEED}\n{own}")

    answer = list_agents(written.workspace, {}, written.root)

    assert "scout" in str(answer["result"])
