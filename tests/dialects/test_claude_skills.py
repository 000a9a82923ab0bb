"""The skills that an agent of Claude Code starts with, and what is said of the others.

`tests/conformance/claude-skills.jsonl` has the files of a project and a home, and below them what
Claude Code 2.1.332 gave to an agent with each value of `skills`, on 2026-11-29: the texts of the
skills that its first message had.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import document_links, skill_at
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance" / "claude-skills.jsonl"
TEXTS = re.compile(r"text of [\w-]+")


@cache
def recorded() -> tuple[dict[str, str], list[dict[str, Any]]]:
    first, *rest = map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
    return first["files"], rest


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    made = fixture(tmp_path_factory.mktemp("skills"), "//- .claude/agents/a.md\n")
    tops = {"project": made.root, "home": made.root.parent / "home"}
    for name, text in recorded()[0].items():
        top, _, below = name.partition("/")
        path = tops[top] / below
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    made.workspace.files.refresh()
    return made


def spawned(made: Fixture, root: Path) -> Spawn:
    found = catalog(made.workspace, DIALECT, root)
    answer = DIALECT.calls.spawn(found, Call({"subagent_type": "a", "prompt": "Go."}))
    assert isinstance(answer, Spawn)
    return answer


@each(recorded()[1])
def test_an_agent_starts_with_the_skills_that_the_program_gives_it(
    case: dict[str, Any], scene: Fixture
) -> None:
    text = f"---\nname: a\ndescription: d\nskills: {case['skills']}\n---\nGo.\n"
    scene.workspace.files.open(scene.path, text)

    answer = spawned(scene, scene.root / case["root"])

    texts = [part.text for part in answer.prompt if part.title.startswith("skill ")]
    assert sorted({found for one in texts for found in TEXTS.findall(one)}) == case["found"]


HEADER = "---\nname: a\ndescription: d\n"
SKILL = "---\nname: deploy\ndescription: How to deploy.\n---\nSteps.\n"
OFF = "---\nname: notes\ndescription: Notes.\ndisable-model-invocation: true\n---\nNotes.\n"
SCENE = f"""
//- .claude/agents/a.md
{HEADER}SKILLS---
Go.
//- .claude/skills/deploy/SKILL.md
{SKILL}
//- .claude/skills/notes/SKILL.md
{OFF}
"""


def made_with(folder: Path, skills: str, more: str = "") -> Fixture:
    return fixture(folder, SCENE.replace("SKILLS", f"skills: {skills}\n") + more)


def said(made: Fixture) -> list[tuple[str, str]]:
    found = diagnostics(made.workspace, made.path)
    return [(one.severity.name, one.message) for one in found if one.code == "unknown-skill"]


@pytest.mark.parametrize(
    ("skills", "severity", "words"),
    [
        ("deploi", "WARNING", "did you mean `deploy`?"),
        ("Deploy", "WARNING", "did you mean `deploy`?"),
        ("weather", "WARNING", "write the skill, or remove the name"),
        ("notes", "WARNING", "it has `disable-model-invocation: true`"),
        ("other:weather", "INFORMATION", "unless a plugin that is not on this machine has it"),
        ("debug", "WARNING", "agents cannot use this built-in skill"),
    ],
)
def test_a_skill_without_which_the_agent_starts_is_told(
    tmp_path: Path, skills: str, severity: str, words: str
) -> None:
    [(level, message)] = said(made_with(tmp_path, skills))

    assert level == severity
    assert words in message


@pytest.mark.parametrize("skills", ["deploy", "simplify", "[deploy]", "deploy, simplify", ""])
def test_nothing_is_said_of_a_skill_that_is_there(tmp_path: Path, skills: str) -> None:
    assert said(made_with(tmp_path, skills)) == []


def test_a_person_s_own_agent_may_name_a_skill_of_any_project(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- ~/.claude/agents/a.md\n{HEADER}skills: weather\n---\nGo.\n")

    assert said(made) == [
        (
            "INFORMATION",
            (
                "no skill is called `weather`, so the agent starts without it, except in a project "
                "that has such a skill"
            ),
        )
    ]


def test_a_plugin_that_is_not_on_this_machine_may_have_a_skill(tmp_path: Path) -> None:
    settings = '//- .claude/settings.json\n{"enabledPlugins": {"more@market": true}}\n'

    [(severity, message)] = said(made_with(tmp_path, "weather", settings))

    assert severity == "INFORMATION"
    assert "plugin" in message


def test_skills_of_a_plugin_are_found_with_and_without_its_name(tmp_path: Path) -> None:
    copy = tmp_path / "home" / "plugin"
    installed = {"plugins": {"more@market": [{"installPath": str(copy)}]}}
    more = (
        f"//- ~/.claude/plugins/installed_plugins.json\n{json.dumps(installed)}\n"
        '//- .claude/settings.json\n{"enabledPlugins": {"more@market": true}}\n'
        '//- ~/plugin/.claude-plugin/plugin.json\n{"name": "more"}\n'
        "//- ~/plugin/skills/weather/SKILL.md\n---\nname: sky\ndescription: d\n---\nSun.\n"
        "//- ~/plugin/commands/wind.md\n---\ndescription: d\n---\nWind.\n"
    )
    made = made_with(tmp_path, "weather, more:weather, sky, more:sky, wind, more:wind", more)

    assert said(made) == []
    loaded = spawned(made, made.root).artifacts[0].value
    assert loaded == {"skills": ["more:weather"] * 4 + ["more:wind"] * 2}


PLUGIN = (
    "//- .claude-plugin/plugin.json\n{}\n"
    "//- agents/a.md\n---\nname: a\ndescription: d\nskills: {}\n---\nGo.\n"
    "//- skills/sun/SKILL.md\n---\ndescription: d\n---\nSun.\n"
    "//- skills/bare/SKILL.md\nNo header.\n"
    "//- skills/when/SKILL.md\n---\nwhen_to_use: x\n---\nWhen.\n"
    "//- more/rain/SKILL.md\n---\ndescription: d\n---\nRain.\n"
    "//- one/SKILL.md\n---\nname: snow\ndescription: d\n---\nSnow.\n"
    "//- commands/wind.md\n---\ndescription: d\n---\nWind.\n"
    "//- commands/calm.md\nNo header.\n"
    "//- other/fog.md\n---\ndescription: d\n---\nFog.\n"
)


@pytest.mark.parametrize(
    ("manifest", "loaded"),
    [
        ({}, ["p:sun", "p:when", "p:wind"]),
        ({"skills": "./more"}, ["p:sun", "p:when", "p:wind", "p:rain"]),
        ({"skills": ["./more", "./one"]}, ["p:sun", "p:when", "p:wind", "p:rain", "p:snow"]),
        ({"commands": "./other"}, ["p:sun", "p:when", "p:fog"]),
        ({"commands": ["./other/fog.md"]}, ["p:sun", "p:when", "p:fog"]),
    ],
)
def test_the_manifest_of_a_plugin_names_more_skills(
    tmp_path: Path, manifest: dict[str, object], loaded: list[str]
) -> None:
    """Measured with Claude Code 2.1.332, 2026-11-29, with `--plugin-dir`."""
    named = "sun, bare, when, wind, calm, rain, snow, one, fog"
    text = json.dumps({"name": "p", **manifest})
    made = fixture(tmp_path, PLUGIN.replace("{}", text, 1).replace("{}", named, 1))

    found = catalog(made.workspace, DIALECT, made.root)
    answer = DIALECT.calls.spawn(found, Call({"subagent_type": "p:a", "prompt": "Go."}))

    assert isinstance(answer, Spawn)
    assert answer.artifacts[0].value == {"skills": loaded}


def test_a_path_of_skills_without_its_start_keeps_a_plugin_from_loading(tmp_path: Path) -> None:
    text = json.dumps({"name": "p", "skills": "more"})
    made = fixture(tmp_path, PLUGIN.replace("{}", text, 1).replace("{}", "sun", 1))
    agent = made.root / "agents" / "a.md"

    [found] = [one for one in diagnostics(made.workspace, agent) if one.code == "plugin-agent"]

    assert found.severity.name == "ERROR"
    assert "`more` in `skills` does not begin with `./`" in found.message


def test_a_preview_says_which_skills_are_left_out(tmp_path: Path) -> None:
    answer = spawned(made_with(tmp_path, "deploy, notes, weather"), tmp_path / "workspace")

    assert answer.artifacts[0].value == {"skills": ["deploy"]}
    notes = [note for note in answer.notes if "without the skill" in note]
    assert [note.partition("`")[2].partition("`")[0] for note in notes] == ["notes", "weather"]
    [part] = [part for part in answer.prompt if part.title == "skill `deploy`"]
    assert part.verbatim
    assert part.text.endswith("/.claude/skills/deploy\n\nSteps.\n")


@pytest.mark.parametrize(
    ("skills", "words"),
    [
        ("dep$0loy", "starts with the skill `deploy`"),
        ("\n  - dep$0loy", "How to deploy"),
        ("no$0tes", "**without** the skill `notes`"),
        ("wea$0ther", "**without** `weather`"),
        ("simp$0lify", "built into the runtime"),
    ],
)
def test_a_hover_explains_a_skill(tmp_path: Path, skills: str, words: str) -> None:
    made = made_with(tmp_path, skills)

    found = hover(made.workspace, made.path, made.offset)

    assert found is not None
    assert words in found.markdown


@pytest.mark.parametrize("skills", ["$0", "[$0]", "\n  - $0", "simplify, $0"])
def test_completion_offers_the_skills_that_an_agent_can_start_with(
    tmp_path: Path, skills: str
) -> None:
    made = made_with(tmp_path, skills)

    offered = {one.label: one for one in complete(made.workspace, made.path, made.offset)}

    assert "deploy" in offered
    assert "How to deploy" in offered["deploy"].detail
    assert "notes" not in offered


def test_a_skill_leads_to_its_file(tmp_path: Path) -> None:
    made = made_with(tmp_path, "simplify, dep$0loy, notes, weather")
    file = template_file(made.workspace, made.path)
    assert file is not None

    targets = [link.target.parent.name for link in document_links(file)]
    found = skill_at(file, made.offset)

    assert targets == ["deploy", "notes"]
    assert found is not None
    assert found.target == made.root / ".claude" / "skills" / "deploy" / "SKILL.md"


def test_a_changed_skill_changes_what_is_said(tmp_path: Path) -> None:
    made = made_with(tmp_path, "deploy")
    skill = made.root / ".claude" / "skills" / "deploy" / "SKILL.md"
    assert said(made) == []

    made.workspace.files.open(skill, OFF)
    assert len(said(made)) == 1

    made.workspace.files.close(skill)
    skill.unlink()
    made.workspace.files.changed(skill)
    assert len(said(made)) == 1
