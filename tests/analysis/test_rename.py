"""What gets another name together, and which names are refused."""

from pathlib import Path

import pytest

from agent_lsp.analysis.navigation.rename import CannotRename, Renaming, moving, prepare, rename
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

SOURCE = """\
//- .codex/.agents/reviewer.md
---
description: Reviews.
agent_names:
  - name: strict
    description: Lets nothing pass.
  - name: mild
    description: Lets things pass.
---
<!-- agent_name: Strict -->
Be strict.
<!-- agent_name: mild -->
Be mild.
//- .codex/.agents/lead.md
---
description: Leads.
---
Ask `reviewer`. Then {"agent_type": "reviewer", "agent_name": "strict"}.
//- .codex/.agents/worker.md
---
description: Works.
---
Work.
//- web/.codex/.agents/critic.md
---
description: Another one, of the web only.
---
Judge.
//- ~/.codex/.agents/mine.md
---
description: Mine.
---
Ask `reviewer`.
"""
SUB_AGENT = """\
//- .codex/agents/checker.md
---
name: checker
description: Checks.
---
Check.
//- .codex/agents/lead.md
---
description: Leads.
---
subagent_run("checker")
"""

IN_THE_TEXT = """\
//- .claude/agents/some-file.md
---
name: che$0cker
description: Checks.
---
Check.
//- .claude/agents/lead.md
---
name: lead
description: Leads the checker team.
tools: Read, Agent(checker, other), Task( checker ), Bash(checker:*)
---
Ask `checker`, or call Agent(subagent_type="checker").
//- .claude/agents/other.md
---
name: other
description: Works.
---
Work.
"""


def _renamed(at: Fixture, name: str) -> Renaming | CannotRename:
    file = template_file(at.workspace, at.path)
    assert file is not None
    return rename(file, at.offset, name)


def _after(at: Fixture, found: Renaming | CannotRename) -> dict[str, str]:
    """The texts that change, by the names of their files."""
    assert isinstance(found, Renaming)
    texts = {}
    for path, edits in found.edits.items():
        file = at.workspace.files.read(path)
        assert file is not None
        texts[path.relative_to(at.root).as_posix()] = apply(file.text, edits)
    return texts


def test_a_persona_is_renamed_where_it_is_declared_marked_and_called(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("name: strict", "name: st$0rict", 1))
    found = _renamed(at, "Careful")
    texts = _after(at, found)
    assert isinstance(found, Renaming)
    assert found.moved is None
    assert sorted(texts) == [".codex/.agents/lead.md", ".codex/.agents/reviewer.md"]
    assert "name: Careful\n" in texts[".codex/.agents/reviewer.md"]
    assert "<!-- agent_name: Careful -->" in texts[".codex/.agents/reviewer.md"]
    assert '"agent_name": "Careful"' in texts[".codex/.agents/lead.md"]
    assert "strict" not in texts[".codex/.agents/lead.md"]


def test_a_persona_is_quoted_where_yaml_would_take_it_for_something_else(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("Strict", "St$0rict"))
    text = _after(at, _renamed(at, "no: way"))[".codex/.agents/reviewer.md"]
    assert "name: 'no: way'\n" in text or 'name: "no: way"\n' in text
    assert "<!-- agent_name: no: way -->" in text


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mild", "`reviewer` has a persona `mild` already"),
        ("MILD", "`reviewer` has a persona `MILD` already"),
        ("", "`` cannot be the name of a persona: the runtime would not read it as one"),
        ("a\nb", "`a\nb` cannot be the name of a persona: the runtime would not read it as one"),
    ],
)
def test_a_persona_keeps_its_name_for_a_reason(tmp_path: Path, name: str, reason: str) -> None:
    at = fixture(tmp_path, SOURCE.replace("name: strict", "name: st$0rict", 1))
    assert _renamed(at, name) == CannotRename(reason)


def test_an_agent_is_renamed_with_its_file_and_what_mentions_it(tmp_path: Path) -> None:
    """The user's file mentions it, too, and lies outside the workspace."""
    at = fixture(tmp_path, SOURCE.replace("`reviewer`", "`rev$0iewer`", 1))
    found = _renamed(at, "judge")
    texts = _after(at, found)
    assert isinstance(found, Renaming)
    assert found.moved is not None
    assert [path.name for path in found.moved] == ["reviewer.md", "judge.md"]
    assert list(texts) == [".codex/.agents/lead.md"]
    assert 'Ask `judge`. Then {"agent_type": "judge", "agent_name": "strict"}.' in "".join(
        texts.values()
    )


def test_an_agent_is_renamed_at_the_top_of_its_file(tmp_path: Path) -> None:
    at = fixture(tmp_path, SUB_AGENT.replace("---", "-$0--", 1))
    file = template_file(at.workspace, at.path)
    assert file is not None
    prepared = prepare(file, at.offset)
    assert not isinstance(prepared, CannotRename)
    assert prepared[1] == "checker"
    assert prepared[0].covers(at.offset)
    texts = _after(at, _renamed(at, "critic"))
    assert "name: critic\n" in texts[".codex/agents/checker.md"]
    assert 'subagent_run("critic")' in texts[".codex/agents/lead.md"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("worker", "`.codex/.agents/worker.md` already exists"),
        ("mine", "`mine` is taken: `~/.codex/.agents/mine.md` defines it"),
        ("no way", "`no way` cannot be the name of an agent: the runtime would skip its file"),
        ("a/b", "`a/b` cannot be the name of an agent: the runtime would skip its file"),
        ("", "`` cannot be the name of an agent: the runtime would skip its file"),
        ("default", "a call for `default` uses no template, so no agent can have this name"),
    ],
)
def test_an_agent_keeps_its_name_for_a_reason(tmp_path: Path, name: str, reason: str) -> None:
    at = fixture(tmp_path, SOURCE.replace("`reviewer`", "`rev$0iewer`", 1))
    assert _renamed(at, name) == CannotRename(reason)


def test_a_name_that_is_taken_for_one_of_the_prompts_is_refused(tmp_path: Path) -> None:
    inner = "//- web/.codex/.agents/web.md\n---\ndescription: Web.\n---\nAsk `reviewer`.\n"
    at = fixture(tmp_path, SOURCE.replace("`reviewer`", "`rev$0iewer`", 1) + inner)
    assert _renamed(at, "critic") == CannotRename(
        "`critic` is taken for `web/.codex/.agents/web.md`: "
        "`web/.codex/.agents/critic.md` defines it"
    )


def test_what_lies_outside_of_the_workspace_folders_keeps_its_name(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("Ask `reviewer`. Then", "Ask `mi$0ne`. Then", 1))
    file = template_file(at.workspace, at.path)
    assert file is not None
    refused = CannotRename(
        "`~/.codex/.agents/mine.md` is outside the workspace folders, and only files in them "
        "are edited"
    )
    assert prepare(file, at.offset) == refused
    assert rename(file, at.offset, "yours") == refused


def test_other_words_have_no_name_to_change(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("Be strict", "Be st$0rict"))
    file = template_file(at.workspace, at.path)
    assert file is not None
    assert prepare(file, at.offset) == CannotRename("no agent and no persona has its name here")


def test_a_file_that_gets_another_name_takes_its_mentions_along(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    found = moving(at.workspace, at.path, at.path.with_name("judge.md"))
    assert list(_after(at, found)) == [".codex/.agents/lead.md"]
    for to in (at.path.with_name("REVIEWER.md"), at.path.with_name("no name.md"), at.root / "x.md"):
        assert moving(at.workspace, at.path, to) == Renaming()


def test_a_name_in_the_text_is_renamed_there_and_the_file_stays(tmp_path: Path) -> None:
    at = fixture(tmp_path, IN_THE_TEXT)
    found = _renamed(at, "judge")
    texts = _after(at, found)
    assert isinstance(found, Renaming)
    assert found.moved is None
    assert sorted(texts) == [".claude/agents/lead.md", ".claude/agents/some-file.md"]
    assert texts[".claude/agents/some-file.md"].startswith("---\nname: judge\n")
    lead = texts[".claude/agents/lead.md"]
    assert "tools: Read, Agent(judge, other), Task( judge ), Bash(checker:*)\n" in lead
    assert 'Ask `judge`, or call Agent(subagent_type="judge").' in lead


def test_a_name_in_a_list_of_tools_is_renamed_as_well(tmp_path: Path) -> None:
    at = fixture(tmp_path, IN_THE_TEXT.replace("che$0cker", "checker").replace("t(ch", "t(c$0h"))
    assert sorted(_after(at, _renamed(at, "judge"))) == [
        ".claude/agents/lead.md",
        ".claude/agents/some-file.md",
    ]


@pytest.mark.parametrize("name", ["", "other", "team:judge", "-judge"])
def test_a_name_in_the_text_stays_for_a_reason(tmp_path: Path, name: str) -> None:
    assert isinstance(_renamed(fixture(tmp_path, IN_THE_TEXT), name), CannotRename)
