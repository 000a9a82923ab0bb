"""Settings, trust and confirmation decide whether a session of Gemini CLI has an agent.

Each scene was run with Gemini CLI 0.61.0, 2026-11-29: the list that the model of a session got has
the agents that are expected here.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, cast

import pytest

from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.analysis.preview.programs import confirmation
from agent_lsp.dialects.gemini.dialect import DIALECT
from agent_lsp.workspace.catalogs import catalog
from tests.cli.shell import shell_in
from tests.fixture import Fixture, fixture

TRUST = {"security": {"folderTrust": {"enabled": True}}}
NO_TRUST = {"security": {"folderTrust": {"enabled": False}}}
OWN = {"pp", "uu", "ee"}


def agent(name: str, description: str = "d") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\nYou help.\n"


def override(*names: str, enabled: bool = False) -> dict[str, object]:
    return {"agents": {"overrides": {name: {"enabled": enabled} for name in names}}}


def scene(
    folder: Path,
    *,
    project: object = None,
    user: object = NO_TRUST,
    trusted: dict[str, str] | None = None,
    rules: tuple[str, ...] = (),
    is_confirmed: bool = True,
) -> Fixture:
    root = str(folder / "workspace")
    files: dict[str, object] = {
        ".gemini/agents/pp.md": agent("pp"),
        "~/.gemini/agents/uu.md": agent("uu"),
        "~/.gemini/agents/pp.md": agent("pp", "of the user"),
        "~/.gemini/extensions/folder/gemini-extension.json": {"name": "kit", "version": "1.0.0"},
        "~/.gemini/extensions/folder/agents/ee.md": agent("ee"),
        "~/.gemini/settings.json": user,
        "~/.gemini/acknowledgments/agents.json": {
            root: {"pp": hashlib.sha256(agent("pp").encode()).hexdigest()} if is_confirmed else {}
        },
        "~/.gemini/trustedFolders.json": {
            path.replace("ROOT", root): level for path, level in (trusted or {}).items()
        },
        "~/.gemini/extensions/extension-enablement.json": {
            "kit": {"overrides": [rule.replace("ROOT", root) for rule in rules]}
        },
    }
    if project is not None:
        files[".gemini/settings.json"] = project
    texts = (
        (name, text if isinstance(text, str) else json.dumps(text)) for name, text in files.items()
    )
    return fixture(folder, "".join(f"//- {name}\n{text.rstrip()}\n" for name, text in texts))


def had(made: Fixture) -> set[str]:
    """The agents that no setting, nobody's word and no rule keeps from the session."""
    found = catalog(made.workspace, DIALECT, made.root)
    kept = set()
    for name in OWN:
        winner = found.winner(name)
        assert winner is not None
        said = confirmation(made.workspace, DIALECT, made.root, winner)
        kept |= {name} if said is None or said.is_open else set()
    return kept


SCENES = {
    "nothing switched off": ({}, OWN),
    "the project switches all off": ({"project": {"experimental": {"enableAgents": False}}}, set()),
    "the project switches all on again": (
        {
            "project": {"experimental": {"enableAgents": True}},
            "user": NO_TRUST | {"experimental": {"enableAgents": False}},
        },
        OWN,
    ),
    "one agent": ({"project": override("uu")}, {"pp", "ee"}),
    "in a file with comments": (
        {"project": '// mine, "really"\n{"agents": {"overrides": {"uu": {"enabled": false}}}}'},
        {"pp", "ee"},
    ),
    "in both settings": ({"project": override("pp"), "user": NO_TRUST | override("ee")}, {"uu"}),
    "the project has precedence": (
        {"project": override("uu", enabled=True), "user": NO_TRUST | override("uu")},
        OWN,
    ),
    "a folder that is not trusted": (
        {"project": override("uu"), "user": TRUST, "trusted": {"ROOT": "DO_NOT_TRUST"}},
        {"uu", "ee"},
    ),
    "a trusted folder": ({"user": TRUST, "trusted": {"ROOT": "TRUST_FOLDER"}}, OWN),
    "a folder with a trusted parent": (
        {"user": TRUST, "trusted": {"/": "DO_NOT_TRUST", "ROOT/.gemini": "TRUST_PARENT"}},
        OWN,
    ),
    "trust that is switched off": ({"trusted": {"ROOT": "DO_NOT_TRUST"}}, OWN),
    "a disabled extension": ({"rules": ("!ROOT/*",)}, {"pp", "uu"}),
    "an extension that is enabled here": ({"rules": ("!/*", "ROOT/*")}, OWN),
    "an extension that is disabled elsewhere": ({"rules": ("!/elsewhere/*", "!ROOT/sub/")}, OWN),
}


@pytest.mark.parametrize(("given", "expected"), SCENES.values(), ids=SCENES)
def test_a_session_has_the_agents_that_nothing_switches_off(
    given: dict[str, object], expected: set[str], tmp_path: Path
) -> None:
    assert had(scene(tmp_path, **given)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["{", "[]", '{"agents": []}', '{"agents": {"overrides": 5}}', ""])
def test_settings_that_say_nothing_switch_nothing_off(text: str, tmp_path: Path) -> None:
    assert had(scene(tmp_path, project=text, trusted={})) == OWN


def test_settings_of_one_agent_precede_its_header(tmp_path: Path) -> None:
    own = {
        "pp": {"modelConfig": {"model": "gemini-2.5-pro"}},
        "uu": {"modelConfig": {"model": "pro"}, "runConfig": {"maxTurns": 1}},
    }
    shared = {"pp": {"modelConfig": {"model": "gemini-2.5-flash"}}}
    made = scene(
        tmp_path,
        project={"agents": {"overrides": shared}},
        user=NO_TRUST | {"agents": {"overrides": own}},
    )

    def previewed(name: str) -> dict[str, Any]:
        call = {"dialect": "gemini", "agent_name": name}
        return cast("dict[str, Any]", preview_spawn(made.workspace, call, made.root)["result"])

    model = previewed("pp")["model"]
    assert model["value"] == "gemini-2.5-flash"
    assert model["origin"]["file"] == str(made.root / ".gemini/settings.json")
    found = previewed("uu")
    assert found["model"]["value"] == "gemini-3.1-pro-preview-customtools"
    assert found["max_turns"]["value"] == "1"
    assert found["max_turns"]["origin"]["label"] == (
        "`agents.overrides.uu` in settings.json of the user"
    )
    assert found["timeout_mins"]["origin"]["label"] == "the runtime"
    assert previewed("ee")["model"]["origin"]["label"] == "the session"


def test_no_agent_has_a_tool_that_settings_exclude(tmp_path: Path) -> None:
    made = scene(
        tmp_path,
        project={"tools": {"exclude": ["web_fetch"]}},
        user=NO_TRUST | {"tools": {"exclude": ["glob", "replace(x)"]}},
    )
    call = {"dialect": "gemini", "agent_name": "pp"}
    answer = cast("Any", preview_spawn(made.workspace, call, made.root)["result"])
    kept = {one["tool"] for one in answer["tools"]["kept"]}
    assert not kept & {"web_fetch", "glob"}
    assert {"read_file", "replace"} <= kept
    [reason] = [one["reason"] for one in answer["tools"]["removed"] if one["tool"] == "web_fetch"]
    assert reason == f"`tools.exclude` in {made.root / '.gemini/settings.json'}"


# As Gemini CLI 0.61.0 offered them to agents, 2026-11-30: with no `tools`, and with own servers.
@pytest.mark.parametrize(
    ("user", "project", "gone", "left"),
    [
        ({"exclude": ["search_file_content"]}, {}, "grep_search", "glob complete_task"),
        ({"exclude": ["GlobTool", "ReadFile"]}, {}, "glob", "read_file"),
        ({"exclude": ["run_shell_command(ls)", "list_*", " glob"]}, {}, "", "list_directory glob"),
        ({"exclude": "glob"}, {}, "", "glob"),
        ({"exclude": ["CompleteTaskTool"]}, {"exclude": []}, "complete_task", "glob"),
        ({"exclude": ["*"]}, {}, "glob complete_task mcp_*", ""),
        ({"exclude": ["mcp_*"]}, {}, "mcp_*", "glob"),
        ({"exclude": ["DiscoveredMCPTool"]}, {}, "mcp_*", "glob"),
        ({"exclude": ["mcp_o*", "mcp_*_pong"]}, {}, "", "mcp_*"),
        ({"core": ["glob(x)"]}, {}, "complete_task read_file mcp_*", "glob"),
        ({"core": []}, {}, "glob complete_task mcp_*", ""),
        ({"core": ["read_file"]}, {"core": ["glob"]}, "read_file", "glob"),
        ({"core": ["search_file_content", "GlobTool"]}, {}, "grep_search glob", ""),
        ({"core": ["*"]}, {}, "glob", "activate_skill complete_task mcp_*"),
        ({"core": ["mcp_one_*"]}, {}, "mcp_* complete_task", "mcp_one_*"),
        ({"core": ["mcp_one_ping", "mcp_*"]}, {}, "", "mcp_*"),
        ({"core": ["glob", "web_fetch"], "exclude": ["glob"]}, {}, "glob", "web_fetch"),
    ],
)
def test_an_agent_has_no_tool_that_its_session_lacks(
    user: dict[str, object], project: dict[str, object], gone: str, left: str, tmp_path: Path
) -> None:
    made = scene(tmp_path, project={"tools": project}, user=NO_TRUST | {"tools": user})
    call = {"dialect": "gemini", "agent_name": "pp"}
    answer = cast("Any", preview_spawn(made.workspace, call, made.root)["result"])
    tools = answer["tools"]
    there = {one["tool"] for one in tools["kept"]} | {*tools["open_patterns"]}
    assert not there & {*gone.split()}
    assert {*left.split()} <= there


def test_settings_of_a_chosen_home_count_for_a_call(tmp_path: Path) -> None:
    other = {"agents": {"overrides": {"uu": {"runConfig": {"maxTurns": 7}}}}}
    source = (
        f"//- ~/other/.gemini/agents/uu.md\n{agent('uu')}"
        f"//- ~/other/.gemini/settings.json\n{json.dumps(other)}\n"
        f"//- ~/.gemini/settings.json\n{json.dumps({'tools': {'exclude': ['glob']}})}\n"
    )
    variables = {"GEMINI_CLI_HOME": str(tmp_path / "home/other")}
    made = fixture(tmp_path, source, variables=variables)
    call = {"dialect": "gemini", "agent_name": "uu"}
    answer = cast("Any", preview_spawn(made.workspace, call, made.root)["result"])
    assert answer["max_turns"]["value"] == "7"
    assert "glob" in {one["tool"] for one in answer["tools"]["kept"]}


def test_hover_names_the_setting_and_its_file(tmp_path: Path) -> None:
    made = scene(tmp_path, user=NO_TRUST | override("pp"))
    found = hover(made.workspace, made.path, 0)
    assert found is not None
    assert (
        "- available: no, `agents.overrides.pp.enabled` is `false` in `~/.gemini/settings.json`"
        in found.markdown
    )


def test_the_list_says_what_the_session_has_until_a_person_confirms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shell_in(tmp_path, monkeypatch, capsys)
    shell.write(".gemini/agents/pp.md", agent("pp"))
    shell.write("~/.gemini/agents/pp.md", agent("pp", "of the user"))
    lines = shell.run("list", "--dialect", "gemini").out.splitlines()
    assert lines[0] == (
        "4 agents of Gemini CLI (gemini) for a session in this folder"
        ", 1 of which it does not have now"
    )
    at = lines.index("pp  .gemini/agents/pp.md (project)")
    assert lines[at + 1].startswith("  not confirmed: nobody has confirmed it")
    assert lines[at + 3].startswith("  until then the session has ")
    assert lines[at + 3].endswith(".gemini/agents/pp.md (user)")
