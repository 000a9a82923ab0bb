"""Skills of agents in Copilot CLI: which are found, and what is said of the others."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

SKILL = "//- {}/SKILL.md\n---\nname: {}\ndescription: Does {}.\n---\nText.\n"
# The folders and names of skills that the program was run with.
PLACES = (
    *(
        (".github/skills/a", "ghs"),
        (".agents/skills/ags", "ags"),
        (".claude/skills/x/y/cls", "cls"),
    ),
    *(("~/.copilot/skills/hco", "hco"), ("~/.agents/skills/hag", "hag")),
    *((".copilot/skills/cos", "cos"), ("~/.claude/skills/hcl", "hcl")),
    (".github/skills/blank", "My Skill"),
)
OTHERS = (
    "//- .github/skills/noname/SKILL.md\n---\ndescription: D.\n---\nText.\n"
    "//- .github/skills/nohead/SKILL.md\nText.\n"
    "//- .github/skills/bad/SKILL.md\n---\nname: bad\ndescription: a: b\n---\nText.\n"
    "//- .github/skills/off/SKILL.md\n---\nname: off\ndescription: D.\n"
    "disable-model-invocation: true\n---\nText.\n"
    "//- .claude/commands/cmd.md\nText.\n//- .claude/commands/sub/deep.md\nText.\n"
)


def _made(folder: Path, entries: str) -> Fixture:
    agent = f"//- .github/agents/a.agent.md\n---\nname: A\ndescription: D.\nskills: [{entries}]\n"
    places = "".join(SKILL.format(place, name, name) for place, name in PLACES)
    return fixture(folder, f"{agent}---\nB.\n{places}{OTHERS}")


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ("ghs, ags, cls, hco, hag, noname, off, cmd, GHS, Cmd, my-skill", []),
        ("customize-cloud-agent", []),
        ("a", [("a", "information")]),
        ("cos, hcl, zork", [("cos", "warning"), ("hcl", "warning"), ("zork", "information")]),
        ("nohead, bad", [("nohead", "warning"), ("bad", "warning")]),
        ("'sub:deep', deep", [("'sub:deep'", "information"), ("deep", "information")]),
    ],
)
def test_the_agent_starts_without_the_skills_that_are_not_found(
    entries: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    made = _made(tmp_path, entries)
    said = [
        (one.span.of(made.text), one.severity.name.lower())
        for one in diagnostics(made.workspace, made.path)
        if one.code == "unknown-skill" and one.programs == ("Copilot CLI",)
    ]
    assert said == expected


def test_a_skill_is_completed_explained_and_renamed(tmp_path: Path) -> None:
    made = _made(tmp_path, "gh$0s")
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert {"ghs", "hco", "cmd", "noname"} <= set(labels)
    assert {"a", "bad", "hcl"}.isdisjoint(labels)
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert "Does ghs." in said.markdown
    file = template_file(made.workspace, made.path)
    assert file is not None
    renaming = skills.rename(file, made.offset, "guide")
    assert getattr(renaming, "moved", "") is None
    assert len(getattr(renaming, "edits", ())) == len(("the agent", "the skill"))


def test_the_preview_has_the_skills_above_the_task(tmp_path: Path) -> None:
    made = _made(tmp_path, "GHS, zork, bad, customize-cloud-agent")
    call = {"dialect": "copilot", "agentName": "A", "prompt": "Go.", "reader": "cli"}
    answer: Any = preview_spawn(made.workspace, call)
    parts = {one["title"]: one["text"] for one in answer["result"]["prompt"]}
    assert list(parts)[-3:] == ["skill `ghs`", "skill `customize-cloud-agent`", "prompt"]
    folder = made.root / ".github/skills/a"
    assert f'name="ghs">\nBase directory for this skill: {folder}\n' in parts["skill `ghs`"]
    assert parts["skill `ghs`"].endswith("\n\nText.\n\n</skill-context>")
    left = [one for one in answer["result"]["notes"] if "starts without" in one]
    assert [one.split("`")[1] for one in left] == ["zork", "bad"]
