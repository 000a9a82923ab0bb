"""Where agents of Qwen Code are found, how they are listed, and what a call of one resolves to."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects.qwen.dialect import DIALECT
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture

ID = {"dialect": "qwen"}
BUILTIN = [
    *("Explore", "claude-code", "codex", "general-purpose", "review-agent", "statusline-setup"),
]


def agent(path: str, name: str, lines: str = "", description: str = "Works.") -> str:
    header = f"name: {name}\ndescription: {description}\n{lines}"
    return f"//- {path}\n---\n{header}---\nWork, and report it.\n"


def rows(folder: Path, source: str, variables: dict[str, str] | None = None) -> list[Any]:
    made = fixture(folder, source, variables=variables)
    answer: Any = list_agents(made.workspace, ID)
    assert answer["error"] is None
    listed: list[Any] = answer["result"]["agents"]
    return listed


def own(folder: Path, source: str) -> list[str]:
    return [row["name"] for row in rows(folder, source) if row["path"] is not None]


def called(folder: Path, source: str, **arguments: object) -> Any:
    return preview_spawn(fixture(folder, source).workspace, {**ID, **arguments})


def test_only_files_of_the_start_folder_count(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa") + agent(".qwen/agents/x y.md", "bb")
    source += agent(".qwen/agents/_c.md", "cc") + agent(".qwen/agents/d.MD", "dd")
    source += agent(".qwen/agents/deep/e.md", "ee") + agent("sub/.qwen/agents/f.md", "ff")
    source += agent(".claude/agents/g.md", "gg") + agent(".qwen/agents/h.markdown", "hh")

    assert own(tmp_path, source) == ["cc", "aa", "bb"]


def test_a_session_below_does_not_look_above(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(".qwen/agents/a.md", "aa") + "//- sub/x.txt\n")

    assert catalog(made.workspace, DIALECT, made.root / "sub").names == tuple(BUILTIN)


def test_the_user_has_agents_of_their_own(tmp_path: Path) -> None:
    assert own(tmp_path, agent("~/.qwen/agents/a.md", "aa")) == ["aa"]
    (tmp_path / "other").mkdir()
    found = rows(
        tmp_path / "other",
        agent("~/.qwen/agents/a.md", "aa") + agent("~/mine/agents/b.md", "bb"),
        {"QWEN_HOME": str(tmp_path / "other/home/mine")},
    )
    assert [row["name"] for row in found if row["path"] is not None] == ["bb"]


def test_the_list_has_built_in_agents_before_those_of_an_extension(tmp_path: Path) -> None:
    source = "//- qwen-extension.json\n{}\n" + agent("agents/a.md", "aa")
    source += agent("agents/b.md", "Explore") + agent("~/.qwen/agents/c.md", "cc")
    found = rows(tmp_path, source)

    order = [row["name"] for row in found]
    assert order[0] == "cc"
    assert order.index("aa") > order.index("general-purpose")
    listed = {row["source"]: row["listed"] for row in found if row["name"] == "Explore"}
    assert listed == {"extension": False, "built into the runtime": True}
    (tmp_path / "call").mkdir()
    answer = called(tmp_path / "call", source, subagent_type="Explore", prompt="Go.")
    assert answer["result"]["template"]["label"] == "extension"


def test_agents_without_a_manifest_beside_them_are_nobodys(tmp_path: Path) -> None:
    assert own(tmp_path, agent("agents/a.md", "aa")) == []


def test_the_list_says_what_the_model_is_told(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", description='"One\\ntwo."')
    [row] = [row for row in rows(tmp_path, source) if row["path"] is not None]

    assert (row["description"], row["listed"]) == ("One\ntwo.", True)


def test_a_file_that_does_not_load_leaves_the_users_in_force(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", "approvalMode: x\n")
    source += agent("~/.qwen/agents/b.md", "aa")
    made = fixture(tmp_path, source)
    answer: Any = list_agents(made.workspace, ID)

    [row] = [row for row in answer["result"]["agents"] if row["path"] is not None]
    assert row["source"] == "user"
    [skipped] = answer["skipped"]
    assert skipped["message"].startswith('Failed to parse subagent file: Invalid "approvalMode"')


def test_a_refused_executor_stops_the_search_of_a_call(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", "executor: {kind: x, command: y}\n")
    source += agent("~/.qwen/agents/b.md", "aa")
    answer = called(tmp_path, source, subagent_type="aa", prompt="Go.")

    assert "invalid executor block" in answer["error"]


def test_a_call_ignores_case_and_prefers_the_project(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "xx") + agent("~/.qwen/agents/b.md", "XX")
    source += agent(".qwen/agents/c.md", "explore")
    for name, path in (("xx", "a.md"), ("XX", "a.md"), ("Explore", "c.md")):
        folder = tmp_path / name
        folder.mkdir()
        answer = called(folder, source, subagent_type=name, prompt="Go.")
        assert Path(answer["result"]["template"]["file"]).name == path
    (tmp_path / "list").mkdir()
    assert own(tmp_path / "list", source) == ["xx", "explore", "XX"]


def test_a_call_without_a_name_is_for_the_general_agent(tmp_path: Path) -> None:
    answer = called(tmp_path, agent(".qwen/agents/a.md", "general-purpose"), prompt="Go.")

    assert Path(answer["result"]["template"]["file"]).name == "a.md"


@pytest.mark.parametrize(
    ("name", "depth", "message"),
    [
        (
            "zz",
            0,
            (
                'Subagent "zz" not found. Available subagents: aa, general-purpose, Explore, '
                "statusline-setup, review-agent, claude-code, codex"
            ),
        ),
        ("fork", 0, "a call of `fork` is a fork of the session, and never a file"),
        (
            "fork",
            1,
            (
                'Error: subagent_type "fork" is not supported from within a sub-agent. Complete '
                "this task directly with your own tools instead of requesting a nested fork."
            ),
        ),
        (
            "aa",
            5,
            (
                "Error: sub-agent nesting depth limit reached (max 5 levels). Complete this task "
                "directly with your own tools instead of spawning another sub-agent."
            ),
        ),
    ],
)
def test_a_call_is_refused_in_the_words_of_the_program(
    name: str, depth: int, message: str, tmp_path: Path
) -> None:
    source = agent(".qwen/agents/a.md", "aa") + agent(".qwen/agents/fork.md", "fork")
    source = source if name == "fork" else agent(".qwen/agents/a.md", "aa")
    answer = called(tmp_path, source, subagent_type=name, prompt="Go.", parent={"depth": depth})

    assert answer["error"] == message


def test_the_task_replaces_its_placeholder(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa").replace("Work, and", "Do: ${task_prompt}, and")
    answer = called(tmp_path, source, subagent_type="aa", prompt="Go home.")

    parts = {part["title"]: part for part in answer["result"]["prompt"]}
    assert parts["system prompt"]["text"] == "Do: Go home., and report it."
    assert parts["prompt"]["text"] == "Go home."


@pytest.mark.parametrize(
    ("lines", "model", "origin"),
    [
        ("", "session-model", "the session"),
        ("model: inherit\n", "session-model", "the session"),
        ("model: fast\n", "session-model", "the session"),
        ("model: sonnet\n", "sonnet", "the header"),
        ("model: anthropic:claude-x\n", "claude-x", "the header"),
        ("model: nonsense:model\n", "nonsense:model", "the header"),
        ("modelConfig: {model: old}\n", "old", "the header"),
    ],
)
def test_the_model_is_that_of_the_header_or_of_the_session(
    lines: str, model: str, origin: str, tmp_path: Path
) -> None:
    source = agent(".qwen/agents/a.md", "aa", lines)
    arguments = {"subagent_type": "aa", "prompt": "Go.", "parent": {"model": "session-model"}}
    found = called(tmp_path, source, **arguments)["result"]["model"]

    assert (found["value"], found["origin"]["label"]) == (model, origin)


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        ("", None),
        ("approvalMode: plan\n", "plan"),
        ("permissionMode: acceptEdits\n", "auto-edit"),
        ("permissionMode: dontAsk\napprovalMode: yolo\n", "yolo"),
        ("permissionMode: manual\n", None),
    ],
)
def test_the_mode_of_claude_code_is_one_of_the_program(
    lines: str, mode: str | None, tmp_path: Path
) -> None:
    source = agent(".qwen/agents/a.md", "aa", lines)
    found = called(tmp_path, source, subagent_type="aa", prompt="Go.")["result"]

    assert found["approvalMode"]["value"] == mode
    assert any("edits files without asking" in note for note in found["notes"]) is (mode is None)


def test_another_program_has_no_tools_of_the_session(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", "executor: {kind: acp, command: helper}\n")
    found = called(tmp_path, source, subagent_type="aa", prompt="Go.")["result"]

    assert found["tools"]["kept"] == []
    assert any("the runtime starts `helper`" in note for note in found["notes"])


def test_an_agent_calls_others_up_to_the_fifth_level(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", "tools: [agent]\n")
    for depth, kept in ((0, True), (3, True), (4, False)):
        folder = tmp_path / str(depth)
        folder.mkdir()
        parent = {"depth": depth}
        answer = called(folder, source, subagent_type="aa", prompt="Go.", parent=parent)
        tools = {one["tool"] for one in answer["result"]["tools"]["kept"]}
        assert ("agent" in tools) is kept


def test_a_header_that_is_misread_is_told_before_everything_else(tmp_path: Path) -> None:
    source = agent(".qwen/agents/a.md", "aa", "tools:\n- read_file\nmaxTurns: 0\n", "One: two")
    found = called(tmp_path, source, subagent_type="aa", prompt="Go.")["result"]

    assert found["lost"] == ["the runtime reads the header line by line: the agent gets every tool"]
    (tmp_path / "sound").mkdir()
    source = agent(".qwen/agents/a.md", "aa", "maxTurns: 0\n")
    found = called(tmp_path / "sound", source, subagent_type="aa", prompt="Go.")["result"]
    assert found["lost"] == []
    assert "maxTurns: the runtime ignores it" in found["notes"]
