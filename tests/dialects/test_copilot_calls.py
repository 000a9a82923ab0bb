"""Where agents of Copilot are found, how they are listed, and what a call of one resolves to."""

from pathlib import Path
from typing import Any

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.preview import programs
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.environment import new_files, workspace_for
from agent_lsp.installed import installed
from agent_lsp.workspace.scopes import HostPaths
from tests.fixture import fixture

ID = {"dialect": "copilot"}


def agent(path: str, lines: str = "", description: str = "Works.", body: str = "Work.\n") -> str:
    return f"//- {path}\n---\ndescription: {description}\n{lines}---\n{body}"


def rows(folder: Path, source: str, variables: dict[str, str] | None = None) -> list[Any]:
    made = fixture(folder, source, variables=variables)
    answer: Any = list_agents(made.workspace, ID)
    assert answer["error"] is None
    listed: list[Any] = answer["result"]["agents"]
    return [row for row in listed if row["path"] is not None]


def called(folder: Path, source: str, **arguments: object) -> Any:
    return preview_spawn(fixture(folder, source).workspace, {**ID, **arguments})


def test_names_come_from_the_header_or_the_file(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md", "name: First One\n")
    source += agent(".github/agents/b.agent.md") + agent(".github/agents/c.md")
    source += agent(".github/agents/d.chatmode.md") + agent(".github/agents/e.AGENT.MD")

    found = [(row["name"], row["id"]) for row in rows(tmp_path, source)]
    assert found == [("First One", "a"), ("b", "b"), ("c", "c"), ("d", "d.chatmode")]


def test_each_program_looks_into_other_places(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md") + agent(".github/agents/deep/b.agent.md")
    source += agent(".github/agents/README.md") + agent("~/.copilot/agents/c.agent.md")

    found = {row["id"]: row["readers"] for row in rows(tmp_path, source)}
    assert found == {
        "a": ["vscode", "cli"],
        "deep--b": ["cli"],
        "README": ["cli"],
        "c": ["vscode", "cli"],
    }


def test_the_folder_of_the_user_has_another_name_if_a_variable_says_so(tmp_path: Path) -> None:
    source = agent("~/mine/agents/a.agent.md") + agent("~/.copilot/agents/b.agent.md")
    variables = {"COPILOT_HOME": str(tmp_path / "home/mine")}
    found = [(row["name"], row["readers"]) for row in rows(tmp_path, source, variables)]
    assert found == [("a", ["cli"]), ("b", ["vscode"])]


def test_an_agent_of_the_user_precedes_one_of_the_project(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md", description="mine")
    source += agent("~/.copilot/agents/a.agent.md", description="the user's")

    found = [(row["source"], row["readers"]) for row in rows(tmp_path, source)]
    assert found == [("user", ["vscode", "cli"]), ("project", ["vscode"])]


def test_of_two_files_with_one_id_the_longer_extension_counts(tmp_path: Path) -> None:
    source = agent(".github/agents/a.md") + agent(".github/agents/a.agent.md")
    found = {Path(row["path"]).name: row["readers"] for row in rows(tmp_path, source)}
    assert found == {"a.agent.md": ["vscode", "cli"], "a.md": ["vscode"]}


def test_the_cli_has_no_more_than_a_hundred_agents(tmp_path: Path) -> None:
    source = "".join(agent(f".github/agents/a{at:03}.agent.md") for at in range(102))
    found = rows(tmp_path, source)
    assert sum("cli" in row["readers"] for row in found) == 100
    assert all("vscode" in row["readers"] for row in found)


def test_the_list_has_what_a_model_is_told(tmp_path: Path) -> None:
    lines = "tools: [read]\nmodel: [A, B]\nuser-invocable: false\ninfer: false\n"
    [row] = rows(tmp_path, agent(".github/agents/a.agent.md", lines))
    assert row["tools"] == ["read"]
    assert row["model"] == ["A", "B"]
    assert row["userInvocable"] is False
    assert row["modelInvocable"] is False


def test_vs_code_calls_an_agent_by_its_name(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md", "name: One\ntools: [read, agent]\nmodel: M\n")
    answer = called(tmp_path, source, agentName="One", prompt="Do it.")
    spawned = answer["result"]
    assert answer["error"] is None
    kept = [one["tool"] for one in spawned["tools"]["kept"]]
    assert "read/readFile" in kept
    assert "agent/runSubagent" not in kept
    text = "".join(part["text"] for part in spawned["prompt"])
    assert '<modeInstructions>\nYou are currently running in "One" mode.' in text
    assert "Work.\n</modeInstructions>" in text


def test_a_name_that_no_agent_has_is_refused_in_the_words_of_vs_code(tmp_path: Path) -> None:
    answer = called(tmp_path, agent(".github/agents/a.agent.md"), agentName="x")
    assert answer["error"] == (
        "Error invoking subagent: Requested agent 'x' not found. Try again with the correct agent "
        "name, or omit agentName to use the current agent."
    )


def test_the_cli_calls_an_agent_with_its_own_tools(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md", "tools: [read, shell]\n")
    answer = called(tmp_path, source, agentName="a", reader="cli", prompt="Do it.")
    kept = [one["tool"] for one in answer["result"]["tools"]["kept"]]
    assert kept == ["bash", "read_bash", "stop_bash", "list_bash", "view"]


def test_the_cli_does_not_know_an_agent_that_it_refuses(tmp_path: Path) -> None:
    source = "//- .github/agents/a.agent.md\n---\nname: a\n---\nWork.\n"
    answer = called(tmp_path, source, agentName="a", reader="cli")
    assert answer["error"].startswith("Unknown agent_type: a. Valid types are: explore")


def test_the_programs_disagree_about_infer_beside_the_switch(tmp_path: Path) -> None:
    lines = "infer: true\ndisable-model-invocation: true\n"
    source = agent(".github/agents/a.agent.md", lines)
    [row] = rows(tmp_path, source)
    assert row["modelInvocable"] is True
    (tmp_path / "other").mkdir()
    answer = called(tmp_path / "other", source, agentName="a", reader="cli")
    assert answer["error"].startswith("Unknown agent_type: a.")


def test_the_status_has_the_tools_of_each_program(tmp_path: Path) -> None:
    lines = "tools: [read/readFile, search/textSearch]\ndisable-model-invocation: true\n"
    made = fixture(tmp_path, agent(".github/agents/a.agent.md", lines))
    of_vs, of_cli = programs.of_path(made.workspace, made.path)
    assert of_vs.does == "with `read/readFile`, `search/textSearch`"
    assert of_cli.does == "with `view`, `grep`"


LOCATIONS = """\
{  // more folders
  "chat.agentFilesLocations": {"team": true, "off": false, ".github/agents/sub": true, "a/*": true}
}
"""


def test_a_setting_of_vs_code_names_more_folders_for_it_alone(tmp_path: Path) -> None:
    root = tmp_path / "work"
    names = ("team/crew", "off/idle", ".github/agents/sub/deep")
    for name in names:
        file = root / f"{name}.agent.md"
        file.parent.mkdir(parents=True)
        file.write_text(f"---\nname: {name.rpartition('/')[2]}\ndescription: d\n---\nWork.\n")
    (root / ".git").mkdir()
    (root / ".vscode").mkdir()
    (root / ".vscode" / "settings.json").write_text(LOCATIONS)
    host_paths = HostPaths(tmp_path / "home", installed("templates"))
    workspace, _ = workspace_for((root,), new_files(), host_paths)
    answer: Any = list_agents(workspace, ID)
    listed = [row for row in answer["result"]["agents"] if row["path"] is not None]
    assert [(row["name"], row["readers"]) for row in listed] == [
        ("deep", ["vscode", "cli"]),
        ("crew", ["vscode"]),
    ]
    file = root / ".github/agents/sub/deep.agent.md"
    assert diagnostics(workspace, file) == ()
