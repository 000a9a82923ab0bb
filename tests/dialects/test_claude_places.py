"""Where Claude Code finds agents, which of one name counts, and what the list says of them."""

import json
import sys
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.claude import MANAGED
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.scopes import fixed_folder
from agent_lsp.workspace.search import template_folders
from tests.dialects.test_claude import AGENT, NAMES, header, said
from tests.fixture import Fixture, fixture

CASE_COUNTS = pytest.mark.skipif(sys.platform != "linux", reason="the disk may ignore case")


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


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("a.md", "b.md"),
        ("Z.md", "a.md"),
        ("a/x.md", "x.md"),
        ("a.md", "b/a.md"),
        ("a-b/x.md", "a/x.md"),
        ("z/a.md", "\u00e9.md"),
        ("\U0001f600.md", "\uff01.md"),
    ],
)
def test_of_two_files_of_one_name_the_last_path_in_order_counts(
    first: str, last: str, tmp_path: Path
) -> None:
    texts = [
        f"//- .claude/agents/{path}\n---\nname: twin\ndescription: {path}\n---\nx\n"
        for path in (first, last)
    ]
    made = fixture(tmp_path, "".join(texts))

    found = catalog(made.workspace, DIALECT, made.root).winner("twin")
    assert found is not None
    assert found.path == made.root / ".claude/agents" / last
    [told] = diagnostics(made.workspace, made.root / ".claude/agents" / first)
    assert (told.code, told.severity.name) == ("shadowed", "WARNING")
    assert told.message.startswith("never used: ")
    assert told.message.endswith("comes last, which is the one used")
    assert diagnostics(made.workspace, found.path) == ()


def test_two_files_of_one_name_in_a_plugin_are_undecided(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    manifest = '//- .claude-plugin/plugin.json\n{"name": "p"}\n'
    made = fixture(tmp_path, f"//- agents/a.md\n{text}//- agents/b.md\n{text}{manifest}")

    assert said(made) == ["warning[shadowed]"]


@pytest.mark.parametrize("inner", ["node_modules/x", ".git", "dist", ".hidden", "a/b/c/venv"])
def test_the_runtime_searches_every_folder_below_and_so_does_check(
    inner: str, tmp_path: Path
) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, f"//- .claude/agents/{inner}/a.md\n{text}")

    assert own_names(made, made.root) == ("a",)
    found = [one for one in template_folders(made.workspace, made.root) if one is not None]
    assert made.root / ".claude/agents" / inner in found


def test_a_link_below_is_followed_and_a_loop_ends(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, f"//- .claude/agents/b/c.md\n{text}//- else/a.md\n{text}")
    (made.root / ".claude/agents/b/c.md").unlink()
    (made.root / ".claude/agents/b/link").symlink_to(made.root / "else", target_is_directory=True)
    (made.root / "else/loop").symlink_to(made.root / ".claude/agents", target_is_directory=True)
    made.workspace.files.refresh()

    assert own_names(made, made.root) == ("a",)


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
    answer = json.loads(json.dumps(DIALECT.calls.list_agents(found, Call({}))))["agents"]
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

    plan = DIALECT.calls.spawn(found, Call({"subagent_type": "Plan", "prompt": "x"}, tools=NAMES))
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


def worktree(made: Fixture, place: Path) -> Path:
    """A worktree at `place` of the repository that the fixture is."""
    data = made.root / ".git/worktrees/w"
    data.mkdir(parents=True)
    place.mkdir(parents=True)
    (data / "commondir").write_text("../..\n", encoding="utf-8")
    (place / ".git").write_text(f"gitdir: {data}\n", encoding="utf-8")
    return place


@pytest.mark.parametrize("place", ["workspace/.claude/worktrees/w", "beside"])
def test_a_worktree_without_agents_has_those_of_the_main_checkout(
    place: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: d\n---\nx\n")
    start = worktree(made, tmp_path / place)
    assert own_names(made, start) == ("a",)

    (start / "sub/.claude/agents").mkdir(parents=True)
    (start / "sub/.claude/agents/b.md").write_text(
        "---\nname: b\ndescription: d\n---\n", encoding="utf-8"
    )
    made.workspace.files.refresh()
    assert own_names(made, start / "sub") == ("a", "b")

    (start / ".claude/agents").mkdir(parents=True)
    made.workspace.files.refresh()
    assert own_names(made, start) == ()
    assert own_names(made, start / "sub") == ("b",)


def test_the_home_is_no_project_and_ends_the_way_up(tmp_path: Path) -> None:
    text = "---\nname: %s\ndescription: d\n---\nx\n"
    source = f"//- ~/.claude/agents/u.md\n{text % 'u'}//- ~/a/.claude/agents/m.md\n{text % 'm'}"
    made = fixture(tmp_path, source)
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/x.md").write_text(text % "x", encoding="utf-8")
    home = tmp_path / "home"
    (home / "a/b").mkdir()

    assert own_names(made, home / "a/b") == ("m", "u")
    assert own_names(made, home) == ("u",)
    found = catalog(made.workspace, DIALECT, home).winner("u")
    assert found is not None
    assert found.scope.label == "user"
    (tmp_path / "elsewhere").mkdir()
    assert "x" in own_names(made, tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("place", "belongs"),
    [
        (".claude/agent/b.md", ".claude/agents/b.md"),
        (".claude/subagents/b.md", ".claude/agents/b.md"),
        pytest.param(".claude/Agents/b.md", ".claude/agents/b.md", marks=CASE_COUNTS),
        pytest.param(".Claude/agents/b.md", ".claude/agents/b.md", marks=CASE_COUNTS),
        ("claude/agents/b.md", ".claude/agents/b.md"),
        (".claude/agents/b.MD", "b.md"),
        (".claude/agents/b.txt", ".claude/agents/b.md"),
    ],
)
def test_an_agent_in_a_place_that_is_nearly_right_is_told_once(
    place: str, belongs: str, tmp_path: Path
) -> None:
    text = "---\nname: b\ndescription: d\ntools: Nonsense\n---\nx\n"
    made = fixture(tmp_path, f"//- {place}\n{text}")
    (found,) = diagnostics(made.workspace, made.path)

    assert (found.severity.name, found.code) == ("WARNING", "misplaced")
    assert "the runtime does not read this file" in found.message
    assert found.message.endswith(f"`{belongs}`")
    assert own_names(made, made.root) == ()


@pytest.mark.parametrize(
    "place",
    [".claude/agent/b.md", ".claude/b.md", ".claude/agents/README.MD", "claude/agents/b.md"],
)
@pytest.mark.parametrize("text", ["# A note\n", "---\ntitle: x\ndescription: d\n---\nx\n"])
def test_what_is_no_agent_there_is_none_of_our_business(
    place: str, text: str, tmp_path: Path
) -> None:
    assert said(fixture(tmp_path, f"//- {place}\n{text}")) == []
