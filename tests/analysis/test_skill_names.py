"""Skills that agents name: their references, and what a rename changes."""

from pathlib import Path

import pytest

from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.navigation.rename import CannotRename, Renaming
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import Fixture, fixture

AGENTS = """\
//- .claude/agents/one.md
---
name: one
description: D.
skills: {}
---
B.
//- .claude/agents/two.md
---
name: two
description: D.
skills:
  - notes
  - "deploy"
---
B.
"""
SKILLS = """\
//- .claude/skills/deploy/SKILL.md
---
name: deploy
description: D.
---
S.
//- .claude/skills/notes/SKILL.md
---
name: "release-notes"
description: D.
---
S.
//- .claude/commands/tag.md
Tag it.
//- ~/.claude/skills/mine/SKILL.md
S.
"""


def _made(folder: Path, entries: str) -> tuple[Fixture, TemplateFile]:
    made = fixture(folder, AGENTS.format(entries) + SKILLS)
    file = template_file(made.workspace, made.path)
    assert file is not None
    return made, file


def _renamed(folder: Path, entries: str, name: str) -> tuple[dict[str, str], str | None] | str:
    """The changed texts and the moved path, or the reason against it."""
    made, file = _made(folder, entries)
    found = skills.rename(file, made.offset, name)
    if isinstance(found, CannotRename):
        return found.message
    assert isinstance(found, Renaming)
    texts = {}
    for path, edits in found.edits.items():
        source = made.workspace.files.read(path)
        assert source is not None
        texts[path.relative_to(made.root).as_posix()] = apply(source.text, edits)
    moved = found.moved[1].relative_to(made.root).as_posix() if found.moved else None
    return texts, moved


def test_the_references_of_a_skill_are_the_entries_of_all_agents(tmp_path: Path) -> None:
    made, file = _made(tmp_path, "tag, dep$0loy")
    found = [(path.name, span.start) for path, span in skills.uses_at(file, made.offset)]
    assert [name for name, _ in found] == ["one.md", "two.md"]
    home = skills.home_at(file, made.offset)
    assert home == made.root / ".claude/skills/deploy/SKILL.md"


def test_a_rename_moves_the_folder_and_changes_all_names(tmp_path: Path) -> None:
    found = _renamed(tmp_path, "tag, dep$0loy", "ship")
    assert not isinstance(found, str)
    texts, moved = found
    assert moved == ".claude/skills/ship"
    assert "skills: tag, ship\n" in texts[".claude/agents/one.md"]
    assert '  - "ship"\n' in texts[".claude/agents/two.md"]
    assert "name: ship\n" in texts[".claude/skills/deploy/SKILL.md"]


def test_the_name_in_the_header_of_a_skill_is_renamed_alone(tmp_path: Path) -> None:
    found = _renamed(tmp_path, "release-$0notes", "changes")
    assert not isinstance(found, str)
    texts, moved = found
    assert moved is None
    assert set(texts) == {".claude/agents/one.md", ".claude/skills/notes/SKILL.md"}
    assert 'name: "changes"\n' in texts[".claude/skills/notes/SKILL.md"]


def test_a_command_is_renamed_with_its_file(tmp_path: Path) -> None:
    found = _renamed(tmp_path, "ta$0g", "label")
    assert not isinstance(found, str)
    assert found[1] == ".claude/commands/label.md"


@pytest.mark.parametrize(
    ("entry", "name", "expected"),
    [
        ("dep$0loy", "notes", "`notes` is taken"),
        ("dep$0loy", "a, b", "`a, b` cannot be"),
        ("dep$0loy", "true", "`true` cannot be"),
        ("mi$0ne", "other", "is outside the workspace folders"),
        ("sim$0plify", "other", "is a skill of the runtime itself"),
    ],
)
def test_a_rename_is_refused_with_a_reason(
    entry: str, name: str, expected: str, tmp_path: Path
) -> None:
    found = _renamed(tmp_path, entry, name)
    assert isinstance(found, str)
    assert expected in found


def test_there_is_nothing_to_rename_elsewhere(tmp_path: Path) -> None:
    made, file = _made(tmp_path, "gone$0")
    assert skills.prepare(file, made.offset) is None
    assert skills.uses_at(file, made.offset) == ()
