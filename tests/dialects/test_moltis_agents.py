"""Markdown definitions beside the presets of a configuration: one set of names, two forms."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import definition, references_at
from agent_lsp.analysis.navigation.rename import Renaming, rename
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.snapshot import template_file
from tests.checks.pages import reported
from tests.fixture import Fixture, fixture

DEFINED = "---\nname: scout\ntools: Read\n---\nLook around.\n"
PLACE = ".moltis/agents/scout.md"
TODAY = '[agents]\ndefault_preset = "scout"\n'


def said(folder: Path, text: str, **beside: str) -> list[str]:
    """The code and place of what is said about `text` as a definition, with other files."""
    lines = reported(folder, {PLACE: text, **beside})
    own = [line.removeprefix(f"{PLACE}:") for line in lines if line.startswith(PLACE)]
    return [line.partition("]")[0].replace(" ", "-", 1) + "]" for line in own]


def listed(found: Fixture) -> dict[str, Mapping[str, object]]:
    """The rows of the listing by name."""
    answer = list_agents(found.workspace, {"dialect": "moltis"}, found.root)["result"]
    assert isinstance(answer, dict)
    return {row["name"]: row for row in answer["agents"]}


def spawned(found: Fixture, **call: str) -> Mapping[str, object]:
    """The preview of a call in the project."""
    answer = preview_spawn(found.workspace, {"dialect": "moltis", "task": "t", **call}, found.root)
    assert isinstance(answer["result"], dict), answer["error"]
    return answer["result"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DEFINED, []),
        ("Look around.\n", ["1:1-error[header-missing]"]),
        ("---\nname: scout\n", ["1:1-error[header-unclosed]"]),
        ("\ufeff" + DEFINED, ["1:2-error[header-bom]"]),
        ("---\nname: scout\ntheme: [a\n---\n", ["3:8-error[header-invalid]"]),
        ("---\nname: scout\ntheme: a: b\n---\n", ["3:8-error[unquoted-text]"]),
        ("---\nname: scout\ntools: [Read]\n---\n", ["3:8-error[wrong-type]"]),
        ("---\nname: scout\nmax_iterations: many\n---\n", ["3:17-error[wrong-type]"]),
        ("---\nname: scout\nreasoning_effort: huge\n---\n", ["3:19-error[invalid-value]"]),
        ("---\nname: scout\nname: lens\n---\n", ["3:1-error[duplicate-key]"]),
        ("---\ntheme: calm\n---\n", ["1:1-error[missing-key]"]),
        ("---\nname: scout\nthem: calm\n---\n", ["3:1-warning[unknown-key]"]),
        ("---\nname: scout\ntools: Raed, Grep\n---\n", ["3:8-warning[unknown-tool]"]),
        ("---\nname: scout\ntools: read_file, Grep\n---\n", ["3:8-hint[unknown-tool]"]),
        ("---\nname: scout\ntools: Read\ndeny_tools: Read\n---\n", ["3:1-warning[no-tools]"]),
        ("---\nname: scout\ntools: Read\ndeny_tools: exec\n---\n", ["4:13-hint[redundant-entry]"]),
        ("---\nname: scout\ntools: Read, spawn_agent\n---\n", ["3:14-warning[no-effect]"]),
        (
            "---\nname: scout\ntools: sessions_send\n---\n",
            ["3:8-information[sessions-without-list]"],
        ),
        ("---\nname: coder\n---\n", ["2:7-information[hides-builtin]"]),
        ("---\nname: scout\nmax_iterations: 0\n---\n", ["3:17-warning[preset-conflict]"]),
        (
            "---\nname: scout\nmcp_allow_servers: a\nmcp_deny_servers: b\n---\n",
            ["4:1-error[preset-conflict]"],
        ),
    ],
)
def test_each_mistake_is_said_once(text: str, expected: list[str], tmp_path: Path) -> None:
    assert said(tmp_path, text) == expected


def test_a_missing_header_names_the_key_that_it_needs_once(tmp_path: Path) -> None:
    [line] = reported(tmp_path, {PLACE: "Look around.\n"})
    assert "start the file with `---`, `name: …` and `---`, or" in line


def test_a_list_of_yaml_becomes_a_text(tmp_path: Path) -> None:
    found = fixture(tmp_path, f"//- {PLACE}\n---\nname: scout\ntools: [Read, Grep]\n---\n")

    assert repaired(found.workspace, found.path) == "---\nname: scout\ntools: Read, Grep\n---\n"


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    found = fixture(tmp_path, f"//- {PLACE}\n---\n")
    found.path.write_bytes(b"---\nname: \xff\n---\n")

    codes = [one.code for one in diagnostics(found.workspace, found.path)]
    assert codes == ["unreadable"]


def test_a_preset_goes_over_a_definition_of_its_name(tmp_path: Path) -> None:
    toml = "[agents.presets.scout]\ndelegate_only = false\n"

    assert said(tmp_path / "a", DEFINED, **{"moltis.toml": toml}) == ["2:7-information[shadowed]"]
    found = fixture(tmp_path / "b", f"//- moltis.toml\n{toml}//- {PLACE}\n{DEFINED}")
    assert listed(found)["scout"]["path"] == str(found.root / "moltis.toml")


def test_the_project_s_definition_goes_over_the_user_s(tmp_path: Path) -> None:
    mine = DEFINED.replace("Read", "exec")
    found = fixture(tmp_path, f"//- {PLACE}\n{DEFINED}//- ~/.moltis/agents/mine.md\n{mine}")

    assert (listed(found)["scout"]["tools"], listed(found)["scout"]["source"]) == (
        ["Read"],
        "project",
    )


def test_who_has_definitions_has_today_s_runtime_unless_the_configuration_is_older(
    tmp_path: Path,
) -> None:
    beside = f"//- {PLACE}\n{DEFINED}"
    alone = fixture(tmp_path / "a", beside)
    assert set(listed(alone)) > {"scout", "research", "coordinator"}
    assert listed(alone)["research"]["default"] is True

    older = fixture(tmp_path / "b", f'//- moltis.toml\n[agents]\ndefault = "scout"\n{beside}')
    assert listed(older) == {}


def test_built_in_presets_are_there_where_a_setting_says_so(tmp_path: Path) -> None:
    options = Options(extras={"moltis": Extras(generation="today")})
    found = fixture(tmp_path, "//- moltis.toml\n[agents]\n", options=options)

    assert len(listed(found)) == 7


def test_a_dropped_configuration_leaves_the_definitions(tmp_path: Path) -> None:
    found = fixture(
        tmp_path, f"//- moltis.toml\n[agents.presets.scout]\nmodel = 1\n//- {PLACE}\n{DEFINED}"
    )

    template = spawned(found, preset="scout")["template"]
    assert isinstance(template, dict)
    assert template["file"] == str(found.root / PLACE)


def test_a_definition_is_spawned_as_a_preset_is(tmp_path: Path) -> None:
    text = DEFINED.replace("tools", "emoji: 🔍\ntheme: calm\ntools")
    found = fixture(tmp_path, f"//- moltis.toml\n{TODAY}//- {PLACE}\n{text}")
    prompt = [part["text"] for part in spawned(found)["prompt"]]  # type: ignore[attr-defined]

    assert prompt[0] == "You are scout (🔍). Your style is calm. "
    assert prompt[-1] == "\n\nLook around."


def test_the_default_preset_may_be_a_definition(tmp_path: Path) -> None:
    assert reported(tmp_path / "a", {"moltis.toml": TODAY, PLACE: DEFINED}) == []
    [line] = reported(tmp_path / "b", {"moltis.toml": TODAY})
    assert "unknown-default" in line


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("---\nname: scout\n$0\n---\n", {"tools", "deny_tools", "display_name"}),
        ("---\nname: scout\ntools: Read, $0\n---\n", {"Grep", "exec"}),
        ("---\nname: scout\nreasoning_effort: $0\n---\n", {"low", "xhigh"}),
        ("---\nname: scout\nsandbox_mode: $0\n---\n", {"off", "non-main"}),
        ("---\nname: scout\nmodel: $0\n---\n", {"anthropic::claude-sonnet-4-20250514"}),
    ],
)
def test_what_may_be_written_is_offered(text: str, some: set[str], tmp_path: Path) -> None:
    found = fixture(tmp_path, f"//- {PLACE}\n{text}")

    offered = {one.label for one in complete(found.workspace, found.path, found.offset)}
    assert offered >= some
    assert "read_file" not in offered


def test_the_default_is_completed_with_definitions(tmp_path: Path) -> None:
    text = f'//- moltis.toml\n[agents]\ndefault_preset = "$0"\n//- {PLACE}\n{DEFINED}'
    found = fixture(tmp_path, text)

    assert "scout" in {one.label for one in complete(found.workspace, found.path, found.offset)}


def test_hover_tells_tools_and_prompt_in_the_words_of_a_definition(tmp_path: Path) -> None:
    found = fixture(tmp_path, f"//- {PLACE}\n{DEFINED.replace('Read', 'Re$0ad')}")
    shown = hover(found.workspace, found.path, found.offset)

    assert shown is not None
    assert shown.markdown.startswith("**`Read`: this agent has it**, in `tools`")


def test_names_lead_from_the_configuration_to_the_definition_and_back(tmp_path: Path) -> None:
    toml = TODAY.replace("scout", "$0scout") + "[agents.presets.other]\n"
    found = fixture(tmp_path, f"//- moltis.toml\n{toml}//- {PLACE}\n{DEFINED}")
    file = template_file(found.workspace, found.path)
    there = template_file(found.workspace, found.root / PLACE)
    assert file is not None
    assert there is not None

    [place] = definition(file, found.offset)
    assert (place.path, place.span.of(DEFINED)) == (there.path, "scout")
    meant = references_at(there, place.span.start, declaration=True)
    assert {one.path for one in meant} == {found.path, there.path}
    renamed = rename(there, place.span.start, "lens")
    assert isinstance(renamed, Renaming)
    assert set(renamed.edits) == {found.path, there.path}


MINE = '//- ~/.config/moltis/moltis.toml\n[agents.presets.mine]\nmodel = "gpt-4o"\n'


@pytest.mark.parametrize("name", ["moltis.yaml", "moltis.yml", "moltis.json"])
def test_a_configuration_of_another_form_hides_the_user_s_and_is_not_looked_into(
    name: str, tmp_path: Path
) -> None:
    found = fixture(tmp_path, f"//- {name}\nagents: {{}}\n{MINE}//- {PLACE}\n{DEFINED}")

    answer = list_agents(found.workspace, {"dialect": "moltis"}, found.root)
    assert "mine" not in listed(found)
    assert answer["notes"] == [f"{name} is not read here"]
    asked = {"dialect": "moltis", "task": "t", "preset": "mine"}
    error = preview_spawn(found.workspace, asked, found.root)["error"]
    assert error == f"{name} is the configuration, and is not read here"
    assert name in str(spawned(found, preset="scout")["notes"])


def test_a_toml_file_goes_first_of_all_forms_in_a_folder(tmp_path: Path) -> None:
    toml = "//- moltis.toml\n[agents.presets.here]\n"
    found = fixture(tmp_path, f"{toml}//- moltis.yaml\nagents: {{}}\n{MINE}")

    assert set(listed(found)) == {"here"}


def test_the_user_s_configuration_says_that_another_form_is_read(tmp_path: Path) -> None:
    mine = "~/.config/moltis/moltis.toml"
    [line] = reported(tmp_path, {mine: "[agents.presets.mine]\n", "moltis.yaml": "agents: {}\n"})

    assert line.startswith(f"{mine}:1:1 information[config-hidden]")
    assert "read `moltis.yaml` and nothing of this file" in line


def test_a_comment_in_a_text_for_people_is_lost(tmp_path: Path) -> None:
    text = "---\nname: scout\ntheme: calm #1\n---\nFind facts.\n"
    [found] = reported(tmp_path, {".moltis/agents/scout.md": text})
    assert "warning[lost-text] unquoted, `#1` is a comment: the runtime reads `calm`" in found
