"""Agents and personas of all places, found by a few letters of a name."""

from pathlib import Path

from agent_lsp.analysis.navigation.name_index import Agent, names
from agent_lsp.analysis.navigation.workspace_symbols import MOST, workspace_symbols
from tests.effort import journey
from tests.fixture import fixture
from tests.systems import dialect_by_id

SOURCE = """
//- .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Lets nothing pass.
---
<!-- agent_name: strict -->
Be strict.
//- web/.codex/.agents/reviewer.md
---
description: Reviews a page.
---
Review.
//- .codex/agents/checker.md
---
description: Checks.
---
Check.
//- .codex/agents/no-prompt.md
---
description: Checks.
---
//- ~/.codex/.agents/reviewer.md
---
description: Reviews as I like it.
---
Review.
"""


def test_each_agent_says_its_scope_and_whether_it_counts(tmp_path: Path) -> None:
    found = workspace_symbols(fixture(tmp_path, SOURCE).workspace, "review")
    assert [(one.name, one.where) for one in found] == [
        ("reviewer", "project (codex-templates)"),
        ("reviewer", "project (codex-templates)"),
        ("reviewer", "user, shadowed by .codex/.agents/reviewer.md (codex-templates)"),
    ]


def test_letters_in_order_are_enough_and_the_nearest_names_come_first(tmp_path: Path) -> None:
    workspace = fixture(tmp_path, SOURCE).workspace
    assert {one.name for one in workspace_symbols(workspace, "RVW")} == {"reviewer"}
    own = [
        one.name
        for one in workspace_symbols(workspace, "er")
        if workspace.roots[0] in one.path.parents
    ]
    assert own == ["checker", "reviewer", "reviewer"]
    assert [one.name for one in workspace_symbols(workspace, "checker")] == ["checker"]
    assert workspace_symbols(workspace, "no such agent") == ()


def test_the_nearest_of_the_matches_comes_first(tmp_path: Path) -> None:
    """The whole name, its beginning, a part of it, and at last letters here and there."""
    names = ("b-a-t", "acrobat", "bats-and-more", "bat")
    files = "".join(
        f"//- .codex/.agents/{one}.md\n---\ndescription: D.\n---\nD.\n" for one in names
    )
    found = workspace_symbols(fixture(tmp_path, files).workspace, "bat")
    assert [one.name for one in found] == ["bat", "bats-and-more", "acrobat", "b-a-t"]


def test_a_persona_is_found_with_its_agent_at_its_name(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    [found] = workspace_symbols(at.workspace, "strict")
    assert (found.agent, found.persona, found.path) == ("reviewer", "strict", at.path)
    assert found.span.of(at.text) == "strict"


def test_a_file_that_the_runtime_skips_is_said_not_to_be_loaded(tmp_path: Path) -> None:
    [found] = workspace_symbols(fixture(tmp_path, SOURCE).workspace, "no-prompt")
    assert found.where == "project, not loaded (codex-subagents)"


def test_personas_follow_the_text_that_the_editor_holds(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    assert workspace_symbols(at.workspace, "strict")
    at.workspace.files.open(at.path, at.text.replace("strict", "mild"), 1)
    assert not workspace_symbols(at.workspace, "strict")
    assert workspace_symbols(at.workspace, "mild")
    at.workspace.files.close(at.path)
    assert workspace_symbols(at.workspace, "strict")


def test_personas_follow_the_disk_when_it_is_said_to_have_changed(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    dialect = dialect_by_id("codex-templates")
    assert dialect is not None
    for is_kept, after in ((True, "strict"), (False, "mild")):
        of = Agent(dialect, "reviewer", at.path, is_kept=is_kept)
        at.path.write_text(at.text, encoding="utf-8")
        at.workspace.files.rewritten(at.path)
        names(at.workspace, of)
        at.path.write_text(at.text.replace("strict", "mild"), encoding="utf-8")
        at.workspace.files.refresh({at.path.parent})
        [(name, _)] = names(at.workspace, of).personas
        assert name == after
    at.workspace.files.rewritten(at.path)
    [(name, _)] = names(at.workspace, of).personas
    assert name == "mild"


def test_what_nobody_would_read_to_the_end_is_left_out(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    for number in range(MOST + 20):
        (at.path.parent / f"role-{number}.md").write_text("Work.\n", encoding="utf-8")
    at.workspace.files.refresh()
    assert len(workspace_symbols(at.workspace, "")) == MOST
    assert next(one.name for one in workspace_symbols(at.workspace, "role-7")) == "role-7"


def test_a_file_that_stops_counting_says_so_though_no_name_changes(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    checker = at.root / ".codex/agents/checker.md"
    text = checker.read_text(encoding="utf-8")

    def where() -> str:
        [found] = workspace_symbols(at.workspace, "checker")
        return found.where

    assert where() == "project (codex-subagents)"
    at.workspace.files.open(checker, text.replace("description", "nothing"), 1)
    assert where() == "project, not loaded (codex-subagents)"
    at.workspace.files.close(checker)
    assert where() == "project (codex-subagents)"
    checker.write_text(text.replace("description", "nothing"), encoding="utf-8")
    at.workspace.files.rewritten(checker)
    assert where() == "project, not loaded (codex-subagents)"


def test_a_file_that_comes_or_goes_is_found_or_not(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE)
    other = at.path.parent / "other.md"
    assert not workspace_symbols(at.workspace, "other")
    other.write_text("Work.\n", encoding="utf-8")
    at.workspace.files.changed(other)
    assert workspace_symbols(at.workspace, "other")
    other.unlink()
    at.workspace.files.changed(other)
    assert not workspace_symbols(at.workspace, "other")


def test_letters_match_in_their_order_only_and_within_one_name(tmp_path: Path) -> None:
    workspace = fixture(tmp_path, SOURCE).workspace
    assert workspace_symbols(workspace, "chkr")
    assert not workspace_symbols(workspace, "rkhc")
    # No name has these, though the next line begins with the last one.
    assert not workspace_symbols(workspace, "rs.")
    assert not workspace_symbols(workspace, "[^")


def test_where_nobody_has_an_agent_nothing_is_found(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- readme.md\nHello.\n")
    assert [workspace_symbols(made.workspace, query) for query in ("", "r", "reviewer")] == [
        (),
        (),
        (),
    ]


def test_a_file_with_many_agents_is_searched_for_mentions_once(tmp_path: Path) -> None:
    presets = "".join(f'[agents.presets.a{one}]\nmodel = "m"\n' for one in range(20))
    made = fixture(tmp_path, f"//- moltis.toml\n{presets}")
    moltis = dialect_by_id("moltis")
    assert moltis is not None

    def name_all() -> None:
        for one in range(20):
            names(made.workspace, Agent(moltis, f"a{one}", made.path, is_kept=True))

    assert journey(name_all).calls["in_prompts"] == 1
