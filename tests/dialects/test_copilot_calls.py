"""Where agents of Copilot are found, how they are listed, and what a call of one resolves to."""

import json
from pathlib import Path
from typing import Any

from agent_lsp.analysis import status_report
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview import panel as panels
from agent_lsp.analysis.preview import programs
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects.copilot import VSCODE_USER
from agent_lsp.environment import new_files, workspace_for
from agent_lsp.installed import installed
from agent_lsp.model.runtime import Spawn
from agent_lsp.model.schema import Severity
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.snapshot import Workspace, template_file
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


def test_the_program_that_has_an_agent_answers_for_it(tmp_path: Path) -> None:
    source = agent(".github/agents/deep/b.agent.md", "name: b\n") + agent(".github/agents/a.md")
    made = fixture(tmp_path, source).workspace

    def answer(**more: object) -> Any:
        return preview_spawn(made, {**ID, "agentName": "b", **more})

    tools = answer(reader="cli")["result"]["tools"]
    assert answer()["result"]["tools"] == tools
    assert "VS Code does not have this agent" in answer(format="markdown")["markdown"]
    for more in ({"reader": "vscode"}, {"caller": "a"}):
        assert "Requested agent 'b' not found" in answer(**more)["error"]


def test_an_agent_that_is_built_into_vs_code_is_none_of_the_cli(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md")
    shown = called(tmp_path, source, agentName="Explore", format="markdown")["markdown"]
    assert "VS Code: loads it as `Explore`" in shown
    assert "Copilot CLI" not in shown


def test_a_text_beside_agents_is_in_no_list(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md")
    source += "//- .github/agents/README.md\n# Agents\n//- .github/agents/docs/b.md\nHow to.\n"
    assert [row["id"] for row in rows(tmp_path, source)] == ["a"]


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


def test_the_cli_reads_a_hundred_files_of_each_folder(tmp_path: Path) -> None:
    source = "".join(agent(f".github/agents/a{at:03}.agent.md") for at in range(99))
    source += agent("~/.copilot/agents/b.agent.md") + agent(".github/agents/sub/c.agent.md")
    few = fixture(tmp_path, source)
    assert diagnostics(few.workspace, few.path) == ()
    (tmp_path / "other").mkdir()
    many = fixture(tmp_path / "other", source + agent(".github/agents/sub/d.agent.md"))
    every = sorted((many.root / ".github/agents").rglob("*.md"))
    found, *others = [one for path in every for one in diagnostics(many.workspace, path)]
    assert all(one.message.startswith("VS Code reads") for one in others)
    assert found in diagnostics(many.workspace, every[0])
    assert (found.code, found.severity) == ("out-of-reach", Severity.INFORMATION)
    assert "Copilot CLI reads 100 of the 101 files in the folder" in found.message
    text = "\n".join(status_report.text(status_report.report(many.workspace, BESIDE)))
    assert f"reads 100 of the 101 files in the folder, and the disk decides which: {many.root}" in (
        text
    )


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


def test_the_prompt_has_the_names_of_tools_that_a_model_knows_and_links_as_written(
    tmp_path: Path,
) -> None:
    def prompt(body: str, **more: str) -> Any:
        source = agent(".github/agents/a.agent.md", body=body)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return called(folder, source, agentName="a", **more)["result"]

    kept = "See [a](b.md), #file:c.md, `#tool:web/fetch`, #tool:edit, #tool:codebase. ${input:x}"
    part = prompt(f"Use #tool:search/codebase, then #TOOL:todo: {kept}\n")["prompt"][2]
    assert part["text"].endswith(
        f"\n\nUse 'semantic_search', then 'manage_todo_list': {kept}\n</modeInstructions>"
    )
    assert part["verbatim"] is True

    # A full stop belongs to the name; what a server has, the session decides.
    answer = prompt("Use #tool:read/readFile. Or #tool:github/search_code now.\n")
    part = answer["prompt"][2]
    assert "\n\nUse #tool:read/readFile. Or #tool:github/search_code now.\n" in part["text"]
    assert part["verbatim"] is False
    assert any("`#tool:github/search_code` may have" in note for note in answer["notes"])

    # To the CLI all of it is text, without blank lines around it.
    part = prompt("Use #tool:todo, see [a](b.md).\n\n", reader="cli")["prompt"][0]
    assert (part["text"], part["verbatim"]) == ("Use #tool:todo, see [a](b.md).", True)


def test_a_caller_calls_only_the_agents_that_its_file_names(tmp_path: Path) -> None:
    refused = "Error invoking subagent: Requested agent 'b' is not allowed by the current agent."
    unknown = "no agent of VS Code is called `x`, so what it may call is not known"
    cases: tuple[tuple[str, dict[str, str], str | None], ...] = (
        ("agents: [c]\n", {"agentName": "b"}, refused),
        ("agents: []\n", {"agentName": "b"}, refused),
        ("agents: [c, b]\n", {"agentName": "b"}, None),
        ("agents: [c, '*']\n", {"agentName": "b"}, None),
        ("", {"agentName": "b"}, None),
        # Without a name it is a copy of the caller, whatever that may call.
        ("agents: []\n", {}, None),
        ("", {"agentName": "b", "caller": "x"}, unknown),
        ("", {"agentName": "b", "reader": "cli"}, "Copilot CLI reads no `agents`, so that every"),
    )
    for at, (lines, call, said) in enumerate(cases):
        folder = tmp_path / str(at)
        folder.mkdir()
        source = agent(".github/agents/a.agent.md", lines) + agent(".github/agents/b.agent.md")
        answer = called(folder, source, **{"caller": "a", **call})
        if said is None:
            assert (answer["error"], answer["result"]["name"]) == (None, call.get("agentName", "a"))
        else:
            assert answer["error"].startswith(said)


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


def test_a_row_says_what_the_second_program_makes_otherwise(tmp_path: Path) -> None:
    lines = "infer: true\ndisable-model-invocation: true\n"
    source = agent(".github/agents/a.agent.md", lines)
    source += agent(".github/agents/b.agent.md", "tools: [read]\n")
    source += agent(".github/agents/c.agent.md", f"user-invocable: False\n{lines}")
    first, second, third = rows(tmp_path, source)
    assert first["otherwise"] == [{"reader": "cli", "modelInvocable": False}]
    assert "otherwise" not in second
    assert third["userInvocable"] is True
    others = {"userInvocable": False, "modelInvocable": False}
    assert third["otherwise"] == [{"reader": "cli", **others}]


def alone(reader: str) -> tuple[Options, Options]:
    """Each way in which settings leave one program."""
    named = Options(programs=frozenset({f"copilot-{reader}"}))
    return named, Options(extras={"copilot": Extras(readers=(reader,))})


SEVERAL = (
    agent(".github/agents/a.agent.md", "tools: [read, Grep]\n")
    + agent(".github/agents/star.agent.md", "tools: ['*']\n")
    + agent(".github/agents/both.agent.md", "infer: true\ndisable-model-invocation: true\n")
    + agent(".github/agents/bad.agent.md", description="a: b")
    + agent(".github/agents/deep/b.agent.md")
    + agent(".github/agents/README.md", "name: Read Me\n")
    + agent(".github/agents/old.chatmode.md")
)


def listed(workspace: Workspace, **given: str) -> dict[str, Any]:
    answer: Any = list_agents(workspace, {**ID, **given})
    assert answer["error"] is None
    return {row["name"]: row for row in answer["result"]["agents"] if row["source"] != "built in"}


def kept(workspace: Workspace, name: str, **given: str) -> list[str] | str:
    """The tools of a sub-agent, or the message of a refusal."""
    answer: Any = preview_spawn(workspace, {**ID, "agentName": name, **given})
    if answer["error"] is not None:
        return str(answer["error"])
    return [one["tool"] for one in answer["result"]["tools"]["kept"]]


def test_the_only_program_that_counts_answers(tmp_path: Path) -> None:
    for at, options in enumerate(alone("cli")):
        folder = tmp_path / f"cli{at}"
        folder.mkdir()
        workspace = fixture(folder, SEVERAL, options=options).workspace
        assert_is_of_cli(workspace)
    for at, options in enumerate(alone("vscode")):
        folder = tmp_path / f"vscode{at}"
        folder.mkdir()
        workspace = fixture(folder, SEVERAL, options=options).workspace
        assert_is_of_vs(workspace)


def assert_is_of_cli(workspace: Workspace, **given: str) -> None:
    found = listed(workspace, **given)
    assert sorted(found) == ["Read Me", "a", "both", "deep--b", "old.chatmode", "star"]
    assert all(row["readers"] == ["cli"] and "otherwise" not in row for row in found.values())
    assert found["both"]["modelInvocable"] is False
    assert kept(workspace, "a", **given) == ["view", "grep"]
    assert "bash" in kept(workspace, "star", **given)
    assert "bash" in kept(workspace, "deep--b", **given)
    for name in ("bad", "both"):
        assert str(kept(workspace, name, **given)).startswith(f"Unknown agent_type: {name}.")
    answer: Any = list_agents(workspace, {**ID, **given})
    every: Any = answer["result"]["agents"]
    assert not any(row["source"] == "built in" for row in every)
    [lost] = answer["skipped"]
    assert lost["file"].endswith("bad.agent.md")
    assert "mapping values are not allowed" in lost["message"]


def assert_is_of_vs(workspace: Workspace, **given: str) -> None:
    found = listed(workspace, **given)
    assert sorted(found) == ["a", "bad", "both", "old", "star"]
    assert all(row["readers"] == ["vscode"] and "otherwise" not in row for row in found.values())
    assert found["both"]["modelInvocable"] is True
    assert "read/readFile" in kept(workspace, "a", **given)
    assert kept(workspace, "star", **given) == []
    assert "execute/runInTerminal" in kept(workspace, "bad", **given)
    assert "not found" in str(kept(workspace, "deep--b", **given))


def test_a_call_may_name_the_program_whatever_counts(tmp_path: Path) -> None:
    for at, options in enumerate((None, *alone("cli"), *alone("vscode"))):
        folder = tmp_path / str(at)
        folder.mkdir()
        workspace = fixture(folder, SEVERAL, options=options).workspace
        assert_is_of_cli(workspace, reader="cli")
        assert_is_of_vs(workspace, reader="vscode")


def test_a_program_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    workspace = fixture(tmp_path, SEVERAL).workspace
    said = "`reader` is `vscode` or `cli`, not `foo`"
    assert kept(workspace, "a", reader="foo") == said
    assert list_agents(workspace, {**ID, "reader": "foo"})["error"] == said


def test_hover_and_the_panel_are_about_the_only_program_that_counts(tmp_path: Path) -> None:
    source = agent(".github/agents/a.agent.md", "tools: [read, Grep]\n")
    made = fixture(tmp_path, source, options=alone("cli")[0])
    for word, said in (
        ("---", "`task`: 2 of the 22 tools known here"),
        ("tools", "Keeps 4 of the 22 tools known here: `view`, `grep`, `skill`, `sql`"),
        ("read,", "`read` is another name of `view`"),
        ("Grep", "`Grep` is another name of `grep`"),
    ):
        shown = hover(made.workspace, made.path, made.text.index(word) + 1)
        assert shown is not None
        assert said in shown.markdown
    found = panels.panel(made.workspace, made.path, {})
    assert found is not None
    assert isinstance(found.answer, Spawn)
    assert [one.tool for one in found.answer.toolset.kept] == ["view", "grep"]


def test_the_status_has_the_tools_of_each_program(tmp_path: Path) -> None:
    lines = "tools: [read/readFile, search/textSearch]\ndisable-model-invocation: true\n"
    made = fixture(tmp_path, agent(".github/agents/a.agent.md", lines))
    of_vs, of_cli = programs.of_path(made.workspace, made.path)
    assert of_vs.does == "with `read/readFile`, `search/textSearch`"
    assert of_cli.does == "with `view`, `grep`"


def made(tmp_path: Path, user: str, workspace: str, *names: str) -> Workspace:
    """A workspace with agents and the settings of VS Code of the user and of the workspace."""
    root, profile = tmp_path / "work", tmp_path / "User"
    for name in names:
        file = root / name if not name.startswith("~/") else tmp_path / name[2:]
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = f"name: {file.name.partition('.')[0]}\ndescription: d\ntools: [shell]\n"
        file.write_text(f"---\n{lines}---\nWork.\n")
    for folder in (root / ".git", root / ".vscode", profile):
        folder.mkdir(parents=True, exist_ok=True)
    (root / ".vscode/settings.json").write_text(workspace)
    (profile / "settings.json").write_text(user)
    host_paths = HostPaths(tmp_path, installed("templates"), {VSCODE_USER: str(profile)})
    return workspace_for((root,), new_files(), host_paths)[0]


def readers(workspace: Workspace) -> dict[str, list[str]]:
    answer: Any = list_agents(workspace, ID)
    return {row["name"]: row["readers"] for row in answer["result"]["agents"] if row["path"]}


LOCATIONS = """\
{  // more folders
  "chat.agentFilesLocations": {
    "team": true, "off": false, ".github/agents/sub": true, "a/*": true,
  },
}
"""


def test_a_setting_of_vs_code_names_more_folders_for_it_alone(tmp_path: Path) -> None:
    names = ("team/crew.agent.md", "off/idle.agent.md", ".github/agents/sub/deep.agent.md")
    # Only the usual folders have agents without the longer extension.
    workspace = made(tmp_path, "", LOCATIONS, *names, "team/notes.md")
    assert readers(workspace) == {"deep": ["vscode", "cli"], "crew": ["vscode"]}
    root = tmp_path / "work"
    # `shell` is an older name in VS Code, which reads the file because of the setting.
    assert [one.code for one in diagnostics(workspace, root / names[2])] == ["renamed-tool"]
    deep = template_file(workspace, root / names[2])
    assert deep is not None
    assert [one.name for one in programs.programs(deep)] == ["VS Code", "Copilot CLI"]
    assert template_file(workspace, root / "team/notes.md") is None


def test_settings_of_vs_code_turn_folders_off_and_those_of_the_workspace_count(
    tmp_path: Path,
) -> None:
    user = '{"chat.agentFilesLocations": {".github/agents": false, "team": true, "b": true}}'
    own = '{"chat.agentFilesLocations": {"team": false, "~/.copilot/agents": "false"}}'
    names = (".github/agents/a.md", "team/t.agent.md", "b/b.agent.md", "~/.copilot/agents/u.md")
    workspace = made(tmp_path, user, own, *names)
    assert readers(workspace) == {"u": ["cli"], "a": ["cli"], "b": ["vscode"]}
    file = template_file(workspace, tmp_path / "work" / names[0])
    assert file is not None
    [line] = programs.lines(programs.programs(file))
    assert (
        line == "Copilot CLI: loads it as `a`, with `bash`, `read_bash`, `stop_bash`, `list_bash`"
    )


def test_the_folder_of_a_profile_of_vs_code_has_agents(tmp_path: Path) -> None:
    names = ("~/User/prompts/mine.agent.md", "~/User/prompts/old.chatmode.md")
    workspace = made(tmp_path, "{}", "{}", *names, "~/User/prompts/task.prompt.md")
    assert readers(workspace) == {"mine": ["vscode"], "old": ["vscode"]}


def test_a_profile_of_vs_code_has_its_own_agents_and_settings(tmp_path: Path) -> None:
    names = (
        "~/User/prompts/usual.agent.md",
        "~/User/profiles/-5f3a/prompts/own.agent.md",
        "more/m.agent.md",
    )
    shared: list[str] = []
    for at, flags in enumerate(({}, {"prompts": True}, {"settings": True})):
        folder = tmp_path / str(at)
        made(folder, "{}", "{}", *names)
        root, user = folder / "work", folder / "User"
        (user / "profiles/-5f3a/settings.json").write_text(
            '{"chat.agentFilesLocations": {"more": true}}'
        )
        stored = {
            "userDataProfiles": [{"name": "Web", "location": "-5f3a", "useDefaultFlags": flags}],
            "profileAssociations": {"workspaces": {root.as_uri(): "-5f3a"}},
        }
        (user / "globalStorage").mkdir()
        (user / "globalStorage/storage.json").write_text(json.dumps(stored))
        host_paths = HostPaths(folder, installed("templates"), {VSCODE_USER: str(user)})
        found = readers(workspace_for((root,), new_files(), host_paths)[0])
        shared.append(" ".join(sorted(found)))
        other = workspace_for((folder,), new_files(), host_paths)[0]
        assert list(readers(other)) == ["usual"]
    assert shared == ["m own", "m usual", "own"]


def test_each_file_is_attributed_to_the_program_that_takes_it(tmp_path: Path) -> None:
    source = agent("~/mine/agents/a.agent.md", "tools: [shell]\n") + agent(".github/agents/s/b.md")
    source += agent(".github/agents/c.prompt.md") + agent("~/.copilot/agents/d.agent.md")
    made = fixture(tmp_path, source, variables={"COPILOT_HOME": str(tmp_path / "home/mine")})
    home, root = tmp_path / "home", made.root / ".github/agents"
    found = {}
    for path in (
        *(home / "mine/agents/a.agent.md", root / "s/b.md"),
        *(root / "c.prompt.md", home / ".copilot/agents/d.agent.md"),
    ):
        file = template_file(made.workspace, path)
        assert file is not None
        found[file.name] = [one.name for one in programs.programs(file)]
    cli, vs_code = ["Copilot CLI"], ["VS Code"]
    assert found == {"a": cli, "s--b": cli, "c.prompt": cli, "d": vs_code}
    text = "".join(status_report.text(status_report.report(made.workspace, BESIDE)))
    assert f"user for Copilot CLI alone: 1 file in {home / 'mine/agents'}" in text
    assert f"user for VS Code alone: 1 file in {home / '.copilot/agents'}" in text


BESIDE: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}
