"""Where Claude Code finds agents, which of one name counts, and what the list says of them."""

import json
from pathlib import Path

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.claude import MANAGED
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.workspace.scopes import fixed_folder
from agent_lsp.workspace.snapshot import catalog
from tests.dialects.test_claude import AGENT, NAMES, header, said
from tests.fixture import Fixture, fixture


def own_names(made: Fixture, root: Path) -> tuple[str, ...]:
    """The names that a session in `root` finds, besides those of the built-in agents."""
    found = catalog(made.workspace, DIALECT, root)
    return tuple(
        name for name in found.names if not all(one.scope.builtin for one in found.candidates(name))
    )


def test_folders_below_count_and_the_name_is_in_the_text(tmp_path: Path) -> None:
    text = "---\nname: deep\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, f"//- .claude/agents/team/other.md\n{text}")

    assert own_names(made, made.root) == ("deep",)


def test_two_files_of_one_name_in_one_tree_are_undecided(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, f"{AGENT}{text}//- .claude/agents/b/c.md\n{text}")

    assert said(made) == ["warning[shadowed]"]


def test_the_nearest_project_folder_wins_and_the_user_s_comes_last(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    source = f"{AGENT}{text}//- sub/.claude/agents/a.md\n{text}//- ~/.claude/agents/z.md\n{text}"
    made = fixture(tmp_path, source)
    chain = catalog(made.workspace, DIALECT, made.root / "sub").candidates("a")

    assert [one.path.relative_to(tmp_path).as_posix() for one in chain] == [
        "workspace/sub/.claude/agents/a.md",
        "workspace/.claude/agents/a.md",
        "home/.claude/agents/z.md",
    ]


def test_agents_of_a_plugin_are_called_by_it_and_their_folders(tmp_path: Path) -> None:
    source = (
        "//- kit/agents/review/security.md\n---\ndescription: d\n---\nx\n"
        '//- kit/.claude-plugin/plugin.json\n{"name": "tools"}\n'
    )
    made = fixture(tmp_path, source)

    found = own_names(made, made.root / "kit")
    assert found == ("tools:review:security",)
    assert said(made) == []


def test_a_plugin_s_agent_loads_whatever_its_header_is_like(tmp_path: Path) -> None:
    source = "//- kit/agents/a.md\n---\nname: b\ndescription: x\n<e>\n---\nx\n"
    made = fixture(tmp_path, f'{source}//- kit/.claude-plugin/plugin.json\n{{"name": "kit"}}\n')

    assert own_names(made, made.root / "kit") == ("kit:a",)
    assert said(made) == ["error[unquoted-text]"]


def test_the_list_has_a_row_for_each_file(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\ntools: Read\nmodel: opus\n---\nx\n"
    made = fixture(tmp_path, f"{AGENT}{text}//- ~/.claude/agents/b.md\n{text}")
    found = catalog(made.workspace, DIALECT, made.root)
    answer = json.loads(json.dumps(DIALECT.list_agents(found, Call({}))))["agents"]
    rows = [row for row in answer if row["source"] != "built into the runtime"]

    assert [(row["name"], row["source"], row["shadowed"]) for row in rows] == [
        ("a", "project", False),
        ("a", "user", True),
    ]
    assert (rows[0]["tools"], rows[0]["model"]) == (["Read"], "opus")


def test_managed_agents_go_before_those_of_the_project(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    source = f"{AGENT}{text}//- ~/policy/.claude/agents/deep/any.md\n{text}"
    made = fixture(tmp_path, source, variables={MANAGED: str(tmp_path / "home/policy")})
    chain = catalog(made.workspace, DIALECT, made.root).candidates("a")

    assert [found.scope.label for found in chain] == ["managed settings", "project"]
    assert said(made) == ["information[shadowed]"]
    own = fixed_folder(DIALECT.system, made.workspace.host_paths, builtin=False)
    assert own == tmp_path / "home/.claude/agents"


def test_built_in_agents_are_stand_ins_and_give_way(tmp_path: Path) -> None:
    made = fixture(tmp_path, header("", name="Explore"))
    found = catalog(made.workspace, DIALECT, made.root)
    labels = [found.scope.label for found in found.candidates("Explore")]
    assert labels == ["project", "built into the runtime"]
    assert said(made) == []

    plan = DIALECT.spawn(found, Call({"subagent_type": "Plan", "prompt": "x"}, tools=NAMES))
    assert isinstance(plan, Spawn)
    assert [(part.title, part.verbatim) for part in plan.prompt] == [
        ("system prompt", False),
        ("environment", False),
        ("prompt", True),
    ]
    assert any("stand-in" in note for note in plan.notes)
    kept_ = {verdict.tool for verdict in plan.toolset.kept}
    assert "Read" in kept_
    assert kept_.isdisjoint({"Write", "Edit"})


def test_no_stand_in_has_a_finding(tmp_path: Path) -> None:
    made = fixture(tmp_path, header(""))
    folder = made.workspace.host_paths.templates / "claude/builtin"
    shipped = sorted(folder.glob("*.md"))
    assert len(shipped) == 6
    for path in shipped:
        assert diagnostics(made.workspace, path) == ()
