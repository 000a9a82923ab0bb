"""Role templates of vuhlp are listed as the runtime lists them, and prompts are built in layers."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp import runtime
from agent_lsp.dialects.vuhlp.preamble import read, split
from agent_lsp.dialects.vuhlp.runtime import artifacts, list_agents, spawn
from agent_lsp.installed import installed
from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal, Scope, Spawn
from agent_lsp.model.template import Reading
from agent_lsp.syntax import document, toml

BUILTIN = installed("templates/vuhlp/builtin")
SYSTEM = Scope("system", "shipped with vuhlp", BUILTIN, builtin=True)
LAYERS = ["system", "role", "mode", "task"]


def catalog(folder: Path, **texts: str) -> Catalog:
    """What a session in `folder` finds, whose `docs/templates` holds `texts`."""
    own = folder / "docs/templates"
    own.mkdir(parents=True)
    for name, text in texts.items():
        (own / f"{name}.md").write_text(text, encoding="utf-8")
    scopes = (Scope("repo", "repository", own), SYSTEM)
    found = {
        name: [one for one in scopes if (one.folder / f"{name}.md").is_file()]
        for name in {*vuhlp.ROLES, *texts}
    }

    def candidates(name: str) -> tuple[Candidate, ...]:
        held = found.get(name, [])
        return tuple(Candidate(name, scope.folder / f"{name}.md", scope) for scope in held)

    def reading(candidate: Candidate) -> Reading:
        text = candidate.path.read_text(encoding="utf-8")
        return read(document.parse(text, split, read=toml.parse), candidate.name)

    return Catalog(folder, scopes, tuple(sorted(found)), candidates, reading)


def spawned(catalog: Catalog, **arguments: object) -> Spawn:
    answer = spawn(catalog, Call(arguments))
    assert isinstance(answer, Spawn)
    return answer


def artifact(answer: Spawn, name: str) -> Any:
    return next(one.value for one in answer.artifacts if one.name == name)


def test_the_list_has_shipped_roles_and_those_of_the_repository(tmp_path: Path) -> None:
    """In alphabetical order, whatever the case; a file of the repository hides a shipped one."""
    found = catalog(tmp_path, planner="# Plan\n", Poet="# Poem\n", a_b="x", b="y")
    listed: Any = list_agents(found, Call({}))
    entries = listed["templates"]
    assert [entry["name"] for entry in entries] == [
        "a_b",
        "b",
        "implementer",
        "investigator",
        "orchestrator",
        "planner",
        "Poet",
        "reviewer",
    ]
    own = tmp_path / "docs/templates/planner.md"
    assert next(entry for entry in entries if entry["name"] == "planner") == {
        "name": "planner",
        "source": "repo",
        "path": str(own),
        "overrides": str(BUILTIN / "planner.md"),
    }
    assert entries[2] == {
        "name": "implementer",
        "source": "system",
        "path": str(BUILTIN / "implementer.md"),
    }


def test_the_prompt_has_its_layers_in_order(tmp_path: Path) -> None:
    text = "[template]\nname = 'poet'\n\n# Poet\n"
    answer = spawned(catalog(tmp_path, poet=text), roleTemplate="poet", user_override="Rhyme.")
    assert [part.title for part in answer.prompt] == [*LAYERS, "override"]
    assert [part.verbatim for part in answer.prompt] == [False, True, False, False, True]
    layers = artifact(answer, "blocks")
    assert layers["role"]["text"] == text
    assert layers["override"]["text"] == "Rhyme."
    whole = artifact(answer, "effective")["text"]
    assert whole == "\n\n".join(layer["text"] for layer in layers.values())
    assert whole == "".join(part.text for part in answer.prompt)


def test_the_delta_prompt_is_mode_and_task(tmp_path: Path) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="planner", mode="IMPLEMENTATION")
    layers = artifact(answer, "blocks")
    delta = artifact(answer, "delta")["text"]
    assert delta == f"{layers['mode']['text']}\n\n{layers['task']['text']}"


def test_the_shipped_role_is_a_stand_in(tmp_path: Path) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="reviewer")
    assert not answer.prompt[1].verbatim
    assert any("stand-in" in note for note in answer.notes)


def test_a_missing_role_leaves_the_runtimes_words_in_the_prompt(tmp_path: Path) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="poet")
    assert artifact(answer, "blocks")["role"]["text"] == "Role template not found: poet"
    assert answer.template is None


def test_a_prompt_of_the_call_stands_for_the_file(tmp_path: Path) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="poet", customSystemPrompt="Rhyme.")
    assert artifact(answer, "blocks")["role"]["text"] == "Rhyme."
    blank = spawned(catalog(tmp_path / "b"), roleTemplate="poet", customSystemPrompt=" ")
    assert [part.title for part in blank.prompt] == ["system", "mode", "task"]


@pytest.mark.parametrize(
    ("role", "edges", "asks"),
    [("orchestrator", "all", "false"), (" Orchestrator", "all", "false"), ("poet", "none", "true")],
)
def test_only_the_name_of_the_role_grants_anything(
    tmp_path: Path, role: str, edges: str, asks: str
) -> None:
    text = '[template]\ncapabilities = ["edge_management_all"]\n'
    answer = spawned(catalog(tmp_path, poet=text), roleTemplate=role)
    settings = {setting.name: setting.value for setting in answer.settings}
    assert settings["edgeManagement"] == edges
    assert settings["agentManagementRequiresApproval"] == asks
    kept = {verdict.tool for verdict in answer.toolset.kept}
    assert ("spawn_node" in kept) is (edges == "all")


def test_the_call_sets_what_the_node_may_do(tmp_path: Path) -> None:
    given = {"edgeManagement": "self", "runCommands": False}
    answer = spawned(catalog(tmp_path), roleTemplate="planner", capabilities=given)
    reasons = {verdict.tool: verdict.reason for verdict in answer.toolset.removed}
    assert reasons == {
        "spawn_node": "edgeManagement=all required to spawn nodes",
        "command": "runCommands capability is disabled",
    }
    assert "edgeManagement=self, runCommands=false" in artifact(answer, "blocks")["task"]["text"]


@pytest.mark.parametrize(
    ("mode", "given", "kept", "reason"),
    [
        ("PLANNING", {}, True, "only below `docs/`: write restricted to docs/ in PLANNING mode"),
        ("PLANNING", {"writeDocs": False}, False, "writeDocs capability is disabled"),
        ("IMPLEMENTATION", {}, True, "the node's settings allow it"),
        (
            "IMPLEMENTATION",
            {"writeCode": False},
            True,
            "only below `docs/`: writeCode capability is disabled",
        ),
    ],
)
def test_the_mode_and_the_settings_say_where_a_node_may_write(
    mode: str, given: dict[str, object], kept: bool, reason: str, tmp_path: Path
) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="planner", mode=mode, capabilities=given)
    [verdict] = [one for one in answer.toolset.verdicts if one.tool == "write_file"]
    assert (verdict.kept, verdict.reason) == (kept, reason)


def test_the_payload_says_what_is_to_be_done(tmp_path: Path) -> None:
    answer = spawned(
        catalog(tmp_path),
        roleTemplate="planner",
        label="Docs",
        alias="docs",
        task="Plan it.",
        provider="codex",
        input={"definitionOfDone": "A plan exists.", "b": 1},
    )
    lines = artifact(answer, "blocks")["task"]["text"].split("\n")
    assert lines[:3] == ["Task Payload", "Run: …", "Node: Docs (…)"]
    assert "Provider: codex" in lines
    assert "Global mode: PLANNING" in lines
    assert "Objective: Plan it." in lines
    assert "Definition of done: A plan exists." in lines
    assert lines[-11:] == [
        "Known nodes:",
        "- Docs (…) alias=docs role=planner provider=codex status=… edgeManagement=none",
        "",
        "Known edges:",
        "- none",
        "",
        "Incoming messages:",
        "- none",
        "",
        "Incoming handoffs:",
        "- none",
    ]


def test_an_empty_prompt_of_the_call_counts_as_none(tmp_path: Path) -> None:
    found = catalog(tmp_path, poet="# Poem")
    answer = spawned(found, roleTemplate="poet", label="L", customSystemPrompt="")
    assert artifact(answer, "blocks")["role"]["text"] == "# Poem"
    assert not any("customSystemPrompt" in note for note in answer.notes)


def test_settings_that_nobody_knows_are_told(tmp_path: Path) -> None:
    """They are the call's mistake, and no reason to refuse it; the payload has none of them."""
    answer = spawned(
        catalog(tmp_path),
        roleTemplate="planner",
        label="L",
        capabilities={"edgeManagement": "everything", "writeTests": True},
        permissions={"cliPermissionsMode": None, "root": 1},
        provider="gpt",
    )
    notes = " ".join(answer.notes)
    assert all(f"`{word}`" in notes for word in ("edgeManagement", "writeTests", "root", "gpt"))
    task = artifact(answer, "blocks")["task"]["text"]
    assert "cliPermissionsMode=null, agentManagementRequiresApproval=true\n" in task
    fine = spawned(catalog(tmp_path / "b"), roleTemplate="planner", label="L", provider="custom")
    assert not any("among" in note for note in fine.notes)


def test_a_name_that_is_a_path_may_lead_to_a_file(tmp_path: Path) -> None:
    """The runtime makes a path of the name, so that its words for a missing role are a guess."""
    answer = spawned(catalog(tmp_path), roleTemplate="../roles/poet")
    role = artifact(answer, "blocks")["role"]
    assert (role["text"], role["verbatim"]) == ("Role template not found: ../roles/poet", False)
    assert any("makes a path of the name" in note for note in answer.notes)


def test_hashes_tell_equal_prompts_from_others(tmp_path: Path) -> None:
    """The same call has the same hashes; another task changes its own block and the whole."""
    found = catalog(tmp_path)
    first = artifact(spawned(found, roleTemplate="planner", task="a"), "blocks")
    again = artifact(spawned(found, roleTemplate="planner", task="a"), "blocks")
    other = artifact(spawned(found, roleTemplate="planner", task="b"), "blocks")
    assert first == again
    changed = [name for name in LAYERS if first[name]["sha256"] != other[name]["sha256"]]
    assert changed == ["task"]
    assert runtime.digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_prompt_is_logged_with_its_blocks_and_hashes(tmp_path: Path) -> None:
    answer = spawned(catalog(tmp_path), roleTemplate="planner", user_override="Now.")
    files = artifacts({one.name: one.value for one in answer.artifacts})
    assert list(files) == [
        "prompt.md",
        "delta.md",
        *(f"blocks/{at}-{layer}.md" for at, layer in enumerate([*LAYERS, "override"], 1)),
        "hashes.json",
    ]
    hashes = json.loads(files["hashes.json"])
    assert hashes["override"] == runtime.digest("Now.")
    assert hashes["prompt"] == runtime.digest(files["prompt.md"])
    assert files["blocks/2-role.md"] in files["prompt.md"]

    without = spawned(catalog(tmp_path / "b"), roleTemplate="planner")
    again = artifacts({one.name: one.value for one in without.artifacts})
    assert again.keys() == files.keys(), "what a turn before has left is written over"
    assert again["blocks/5-override.md"] == ""
    assert json.loads(again["hashes.json"])["override"] is None


def test_what_is_no_call_is_not_answered(tmp_path: Path) -> None:
    found = catalog(tmp_path)
    assert isinstance(spawn(found, Call({})), RuntimeRefusal)
    assert isinstance(spawn(found, Call({"roleTemplate": "a", "mode": "PLAN"})), RuntimeRefusal)
