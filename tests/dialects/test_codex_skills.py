"""Skills that the file of a Codex agent switches off, as Codex CLI 0.171.0 does."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.dialects.codex_agents.dialect import DIALECT
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

AGENT = '//- .codex/agents/a.toml\nname = "a"\ndescription = "D."\ndeveloper_instructions = "B."\n'
SKILL = "//- {}/SKILL.md\n---\nname: {}\ndescription: Does {}.\n---\nText.\n"
# The folders and names of the skills that the program was run with.
PLACES = (
    *((".codex/skills/inner", "inner"), (".agents/skills/lint", "lint")),
    *((".agents/skills/deep/under", "under"), (".agents/skills/Odd", "other-name")),
    *(("~/.codex/skills/mine", "mine"), ("~/.agents/skills/home", "home")),
    *((".agents/skills/space", "With Space"), ("skills/plain", "plain")),
)
OTHERS = (
    "//- .agents/skills/nohead/SKILL.md\nText.\n"
    "//- .agents/skills/noname/SKILL.md\n---\ndescription: D.\n---\nText.\n"
    "//- .agents/skills/nodesc/SKILL.md\n---\nname: nodesc\n---\nText.\n"
)


def _made(folder: Path, *tables: str) -> Fixture:
    switches = "".join(f"[[skills.config]]\n{one}\nenabled = false\n" for one in tables)
    places = "".join(SKILL.format(place, name, name) for place, name in PLACES)
    return fixture(folder, f"{AGENT}{switches}{places}{OTHERS}")


def test_what_switches_a_skill_off_is_what_the_program_does(tmp_path: Path) -> None:
    off = (
        *('name = "lint"', 'name = "inner"', 'name = "under"', 'name = "other-name"'),
        *('name = "noname"', 'name = "mine"', 'name = "home"', 'name = " lint "'),
        *('name = "With Space"', 'name = "skill-creator"'),
        *('path = "../../.agents/skills/lint/SKILL.md"', 'path = "~/.agents/skills/home/SKILL.md"'),
        'path = "./../../.agents/skills/../skills/lint/SKILL.md"',
    )
    on = {
        'name = "Lint"': "warning[unknown-skill]",
        'name = "lnit"': "warning[unknown-skill]",
        'name = "Odd"': "information[unknown-skill]",
        'name = "nosuch"': "information[unknown-skill]",
        'name = "plain"': "information[unknown-skill]",
        'name = "nohead"': "warning[unknown-skill]",
        'name = "nodesc"': "warning[unknown-skill]",
        'path = "../../.agents/skills/lint"': "warning[missing-file]",
        'path = ".agents/skills/lint/SKILL.md"': "warning[missing-file]",
        'path = "../../.agents/skills/gone/SKILL.md"': "warning[missing-file]",
        'name = "inner"\npath = "../../.agents/skills/lint/SKILL.md"': "information[no-effect]",
    }
    made = _made(tmp_path, *off, *on)
    found = [
        (one.span.start, f"{one.severity.name.lower()}[{one.code}]")
        for one in diagnostics(made.workspace, made.path)
    ]
    assert [said for _, said in found] == list(on.values())
    assert min(start for start, _ in found) > made.text.index('"Lint"') - 1


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ('name = "li$0nt"', "Turns off, for this agent, the skill `lint`"),
        ('name = "no$0such"', "This session has **no** skill `nosuch`, so this turns nothing off"),
        (
            'path = "../../.agents/skills/li$0nt/SKILL.md"',
            "Turns off, for this agent, the skill",
        ),
        ('path = "../../.agents/skills/li$0nt"', "is a folder, so this turns nothing off"),
        ('path = "../../go$0ne.md"', "does not exist, so this turns nothing off"),
    ],
)
def test_a_hover_says_what_a_table_does(table: str, expected: str, tmp_path: Path) -> None:
    made = _made(tmp_path, table)
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert expected in said.markdown


def test_a_hover_says_that_the_parser_needs_a_key(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        "//- .codex/agents/a.toml\n[[skills.config]]\nna$0me = 'lint'\nenabled = false\n",
    )
    found = {}
    for key in ("name", "enabled"):
        shown = hover(made.workspace, made.path, made.text.index(key))
        assert shown is not None
        found[key] = "- required by the parser" in shown.markdown
    assert found == {"name": False, "enabled": True}


def test_a_skill_is_completed_linked_and_renamed(tmp_path: Path) -> None:
    path = "../../.agents/skills/lint/SKILL.md"
    made = _made(tmp_path, 'name = "li$0nt"', f'path = "{path}"')
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert {"lint", "other-name", "With Space", "mine", "imagegen"} <= set(labels)
    assert {"Odd", "nodesc", "plain"}.isdisjoint(labels)
    file = template_file(made.workspace, made.path)
    assert file is not None
    target = made.root / ".agents/skills/lint/SKILL.md"
    assert [link.target for link in document_links(file)] == [target, target]
    assert skills.home_at(file, made.offset) == target
    renaming = skills.rename(file, made.offset, "check")
    assert len(getattr(renaming, "edits", ())) == len(("the agent", "the skill"))
    assert getattr(renaming, "moved", None) == (target.parent, target.parent.with_name("check"))


def test_a_preview_leaves_out_the_skills_that_are_switched_off(tmp_path: Path) -> None:
    made = _made(
        tmp_path,
        *('name = "lint"', 'name = "nosuch"', 'name = "nodesc"', 'name = "skill-creator"'),
        *('path = "~/.agents/skills/home/SKILL.md"', 'path = "../../.agents/skills/deep"'),
        'path = "../../skills/plain/SKILL.md"',
    )
    found = catalog(made.workspace, DIALECT, made.root)
    answer = DIALECT.calls.spawn(found, Call({"agent_type": "a", "message": "Go."}))
    assert isinstance(answer, Spawn)
    said = " ".join(one.text for one in answer.prompt)
    assert "(skills except `lint`, `skill-creator` and `home`, the permissions" in said
