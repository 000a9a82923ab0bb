"""Which files define a name, and which one has precedence."""

from pathlib import Path

import pytest

from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.catalogs import candidates, catalog
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.search import template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, deeper, root_for, template_file
from tests.effort import work
from tests.fixture import Fixture, fixture
from tests.systems import dialect_by_id

BUILTINS = ("architect", "explorer", "orchestrator", "worker")


def chain(made: Fixture, name: str, root: Path | None = None) -> list[str]:
    """The files that define `name`, the winner first, as paths below the fixture."""
    found = candidates(made.workspace, DIALECT, root or made.root, name)
    return [shown(made, candidate.path) for candidate in found]


def shown(made: Fixture, path: Path) -> str:
    base = made.root.parent
    return path.relative_to(base).as_posix() if base in path.parents else path.name


FOUR = """
    //- sub/.codex/.agents/worker.md
    nearest
    //- .codex/.agents/worker.md
    project
    //- ~/.codex/.agents/worker.md
    user
    """


def test_the_nearest_project_wins_over_others_the_user_and_built_in_templates(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, FOUR)

    assert chain(made, "worker", made.root / "sub") == [
        "workspace/sub/.codex/.agents/worker.md",
        "workspace/.codex/.agents/worker.md",
        "home/.codex/.agents/worker.md",
        "worker.md",
    ]


def test_a_session_does_not_search_folders_below_its_root(tmp_path: Path) -> None:
    made = fixture(tmp_path, FOUR)

    assert chain(made, "worker")[0] == "workspace/.codex/.agents/worker.md"


def test_a_git_folder_between_hides_what_is_above_it(tmp_path: Path) -> None:
    made = fixture(tmp_path, FOUR)
    (made.root / "sub/.git").mkdir()

    assert chain(made, "worker", made.root / "sub") == [
        "workspace/sub/.codex/.agents/worker.md",
        "home/.codex/.agents/worker.md",
        "worker.md",
    ]


def test_built_in_templates_come_last(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")

    assert chain(made, "explorer") == ["explorer.md"]
    assert catalog(made.workspace, DIALECT, made.root).names == tuple(
        sorted((*BUILTINS, "reviewer"))
    )


def test_codex_home_decides_where_the_user_scope_is(tmp_path: Path) -> None:
    elsewhere = tmp_path / "home/elsewhere"
    source = "//- ~/.codex/.agents/a.md\nx\n//- ~/elsewhere/.agents/b.md\ny\n"
    made = fixture(tmp_path, source, variables={"CODEX_HOME": str(elsewhere)})

    assert catalog(made.workspace, DIALECT, made.root).names == tuple(sorted((*BUILTINS, "b")))


def test_a_file_that_is_not_utf_8_leaves_the_name_to_a_lower_scope(tmp_path: Path) -> None:
    made = fixture(tmp_path, FOUR)
    (made.root / ".codex/.agents/worker.md").write_bytes(b"\xff\xfe")

    assert chain(made, "worker")[0] == "home/.codex/.agents/worker.md"


def test_a_broken_link_leaves_the_name_to_a_lower_scope_and_is_reported(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- ~/.codex/.agents/worker.md\nuser\n//- .codex/.agents/a.md\nx\n")
    broken = made.root / ".codex/.agents/worker.md"
    broken.symlink_to("/nonexistent")

    assert chain(made, "worker")[0] == "home/.codex/.agents/worker.md"
    assert broken in set(templates(made.workspace))
    file = template_file(made.workspace, broken)
    assert file is not None
    assert (file.name, file.source.problem) == ("worker", "a link to a file that does not exist")


def test_a_file_named_through_a_link_keeps_that_path(tmp_path: Path) -> None:
    source = (
        "//- ../real/a/.codex/.agents/worker.md\nnear\n//- ../real/.codex/.agents/worker.md\nup\n"
    )
    made = fixture(tmp_path, source)
    (made.root / "link").symlink_to("../real/a")
    path = made.root / "link/.codex/.agents/worker.md"
    file = template_file(made.workspace, path)
    assert file is not None

    assert file.root == made.root / "link"
    assert chain(made, "worker", file.root)[:2] == [
        "workspace/link/.codex/.agents/worker.md",
        "real/.codex/.agents/worker.md",
    ]


def test_a_users_file_keeps_the_path_that_was_asked_for(tmp_path: Path) -> None:
    """A folder of dotfiles that a link makes the user's is no wrong place."""
    made = fixture(tmp_path, "//- ../home/dotfiles/codex/.agents/worker.md\nx\n")
    (tmp_path / "home/.codex").symlink_to("dotfiles/codex")
    made.workspace.files.refresh()

    for name in ("dotfiles/codex", ".codex"):
        path = tmp_path / "home" / name / ".agents/worker.md"
        file = template_file(made.workspace, path)
        assert file is not None
        assert (file.scope.kind, file.misplaced) == ("user", None)
        assert candidates(file.workspace, DIALECT, file.root, "worker")[0].path == path


def test_a_folder_with_the_name_of_a_template_is_no_template(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    (made.root / ".codex/.agents/other.md").mkdir()

    assert "other" not in catalog(made.workspace, DIALECT, made.root).names


def test_of_two_spellings_of_one_name_the_one_that_sorts_first_wins(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .codex/.agents/audit.md\na\n//- .codex/.agents/Audit.MD\nb\n")
    if len(made.workspace.files.entries(made.root / ".codex/.agents")) == 1:
        pytest.skip("the disk takes both for one")

    assert chain(made, "audit") == [
        "workspace/.codex/.agents/Audit.MD",
        "workspace/.codex/.agents/audit.md",
    ]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a-b_9.md", "a-b_9"),
        (" Trimmed .md", "trimmed"),
        ("UPPER.Md", "upper"),
        ("a.b.md", None),
        (".md", None),
        (".hidden.md", None),
        ("a b.md", None),
        ("ä.md", None),
        ("a.markdown", None),
        ("a", None),
    ],
)
def test_a_file_name_is_the_agents_name_or_the_file_is_skipped(file: str, name: str | None) -> None:
    assert DIALECT.names.name_of(file) == name


def test_an_open_text_counts_as_if_it_were_saved(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    path = made.root / ".codex/.agents/new.md"
    made.workspace.files.open(path, "---\ndescription: d\n---\nbody")

    found = catalog(made.workspace, DIALECT, made.root)
    winner = found.winner("new")

    assert winner is not None
    assert found.read(winner).effective.settings["description"].text == "d"


def test_a_question_about_one_name_does_not_look_at_all_names_of_an_open_file(
    tmp_path: Path,
) -> None:
    dialect = dialect_by_id("moltis")
    assert dialect is not None

    def work_for_one(count: int) -> int:
        made = fixture(tmp_path / str(count), "//- moltis.toml\n")
        text = "".join(f"[agents.presets.p{one}]\n" for one in range(count))
        made.workspace.files.open(made.path, text, 1)

        def ask() -> None:
            assert len(list(candidates(made.workspace, dialect, made.root, "p1"))) == 1

        ask()
        return work(ask)

    assert work_for_one(200) < work_for_one(10) + 20


def test_a_folder_with_only_an_unsaved_file_is_searched(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    path = made.root / "fresh/.codex/.agents/new.md"
    made.workspace.files.open(path, "x")

    assert chain(made, "new", made.root / "fresh") == ["workspace/fresh/.codex/.agents/new.md"]


# Where the session starts.


def test_the_root_of_a_project_file_is_the_folder_that_contains_its_scope(tmp_path: Path) -> None:
    made = fixture(tmp_path, FOUR)
    agents = made.root / "sub/.codex/.agents"

    for path in (agents / "worker.md", agents / "notes.txt", agents, agents / "missing.md"):
        assert root_for(made.workspace, DIALECT.system, path) == made.root / "sub"


def test_the_root_of_any_other_path_is_its_folder(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, "//- docs/a.md\nx\n")

    assert root_for(made.workspace, DIALECT.system, made.root / "docs") == made.root / "docs"
    assert root_for(made.workspace, DIALECT.system, made.root / "docs/a.md") == made.root / "docs"


def test_the_root_of_user_and_built_in_templates_is_the_workspace_folder(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, FOUR)
    home = made.workspace.host_paths.home
    assert home is not None
    builtin = catalog(made.workspace, DIALECT, made.root).candidates("explorer")[0].path

    for path in (home / ".codex/.agents/worker.md", builtin, None):
        assert root_for(made.workspace, DIALECT.system, path) == made.root


def test_the_session_root_in_the_settings_replaces_the_workspace_folder(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, "x", options=Options(session_root=tmp_path / "elsewhere"))

    assert root_for(made.workspace, DIALECT.system, None) == tmp_path / "elsewhere"


def test_without_a_workspace_folder_a_session_starts_in_the_home(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    bare = Workspace(made.workspace.files, SYSTEMS, made.workspace.host_paths)

    assert root_for(bare, DIALECT.system, None) == made.workspace.host_paths.home


# Which files are ours.


def test_a_claimed_folder_is_the_first_scope_of_a_session_there(tmp_path: Path) -> None:
    source = "//- prompts/worker.md\nx\n//- .codex/.agents/worker.md\ny\n"
    prompts = tmp_path / "workspace/prompts"
    made = fixture(tmp_path, source, options=Options(folders={prompts: "codex-templates"}))

    owner = placement_at(made.workspace, prompts / "worker.md")
    assert owner is not None
    assert owner.system is DIALECT.system
    assert root_for(made.workspace, DIALECT.system, prompts / "worker.md") == prompts
    assert chain(made, "worker", prompts)[:2] == [
        "workspace/prompts/worker.md",
        "workspace/.codex/.agents/worker.md",
    ]


def test_an_excluded_folder_and_its_subfolders_have_no_templates(tmp_path: Path) -> None:
    source = "//- vendor/old/.codex/.agents/a.md\nx\n"
    vendor = tmp_path / "workspace/vendor"
    made = fixture(tmp_path, source, options=Options(folders={vendor: None}))

    assert placement_at(made.workspace, made.path) is None
    assert template_file(made.workspace, made.path) is None
    assert list(templates(made.workspace)) == []


def test_the_caller_can_claim_a_folder_over_the_settings(tmp_path: Path) -> None:
    prompts = tmp_path / "workspace/prompts"
    made = fixture(tmp_path, "//- prompts/a.md\nx\n", options=Options(folders={prompts: None}))
    claimed = replace(made.workspace, claimed={prompts: "codex-templates"})

    owner = placement_at(claimed, prompts / "a.md")
    assert owner is not None
    assert owner.system is DIALECT.system


def test_a_file_that_is_not_markdown_is_no_template(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")

    assert placement_at(made.workspace, made.root / ".codex/.agents/a.txt") is None


def searched(made: Fixture) -> list[str]:
    """The folders below the workspace folder that are searched."""
    found = template_folders(made.workspace, made.root)
    return [folder.relative_to(made.root).as_posix() for folder in found if folder is not None]


def test_folders_of_templates_are_found_but_not_in_build_folders(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        "//- a/b/.codex/.agents/x.md\nx\n//- node_modules/.codex/.agents/y.md\ny\n",
    )

    assert searched(made) == ["a/b/.codex/.agents"]


# What wins further down.


def test_a_file_knows_who_wins_over_it_in_deeper_sessions(tmp_path: Path) -> None:
    source = "//- .codex/.agents/a.md\n$0x\n//- sub/.codex/.agents/a.md\ny\n"
    made = fixture(tmp_path, f"{source}//- sub/low/.codex/.agents/other.md\nz\n")
    file = template_file(made.workspace, made.path)
    assert file is not None

    assert [shown(made, found.path) for found in deeper(file)] == [
        "workspace/sub/.codex/.agents/a.md"
    ]


def test_a_deeper_session_that_does_not_find_the_file_does_not_count(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .codex/.agents/a.md\n$0x\n//- sub/.codex/.agents/a.md\ny\n")
    (made.root / "sub/.git").mkdir()
    file = template_file(made.workspace, made.path)
    assert file is not None

    assert deeper(file) == ()


def test_a_users_file_knows_the_projects_in_which_another_one_wins(tmp_path: Path) -> None:
    source = "//- ~/.codex/.agents/a.md\n$0x\n//- one/.codex/.agents/a.md\ny\n"
    made = fixture(tmp_path, f"{source}//- two/low/.codex/.agents/A.MD\nz\n//- two/a.md\nz\n")
    file = template_file(made.workspace, made.path)
    assert file is not None

    assert [shown(made, found.path) for found in deeper(file)] == [
        "workspace/one/.codex/.agents/a.md",
        "workspace/two/low/.codex/.agents/A.MD",
    ]


def test_a_file_that_wins_over_a_users_file_in_the_home_is_listed_once(tmp_path: Path) -> None:
    source = "//- ~/.codex/.agents/a.md\n$0x\n//- .codex/.agents/a.md\ny\n"
    made = fixture(tmp_path, source)
    file = template_file(made.workspace, made.path)
    assert file is not None

    assert chain(made, "a")[0] == "workspace/.codex/.agents/a.md"
    assert deeper(file) == ()


def test_a_users_folder_inside_the_workspace_does_not_override_itself(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- ~/.codex/.agents/a.md\n$0x\n")
    home = made.root.parent / "home"
    folders = (home / ".codex/.agents",)
    file = template_file(replace(made.workspace, roots=(home.parent,), folders=folders), made.path)
    assert file is not None

    assert deeper(file) == ()


def test_a_shipped_file_knows_the_projects_in_which_another_one_wins(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- sub/.codex/.agents/worker.md\nx\n")
    builtin = made.workspace.host_paths.templates / "codex-templates/builtin/worker.md"
    file = template_file(made.workspace, builtin)
    assert file is not None

    assert [shown(made, found.path) for found in deeper(file)] == [
        "workspace/sub/.codex/.agents/worker.md"
    ]


def test_only_shipped_templates_have_stand_ins(tmp_path: Path) -> None:
    header = "---\ndeny_list: ['mcp__*']\n---\nx\n"
    made = fixture(tmp_path, f"//- .codex/.agents/explorer.md\n{header}")
    builtin = made.workspace.host_paths.templates / "codex-templates/builtin/explorer.md"
    shipped, own = template_file(made.workspace, builtin), template_file(made.workspace, made.path)
    assert shipped is not None
    assert own is not None

    marked = [
        [
            item.text
            for item in file.reading.effective.settings["deny_list"].items
            if item.stands_for
        ]
        for file in (shipped, own)
    ]

    assert marked == [["mcp__*"], []]


def test_an_extra_scope_comes_last_but_before_built_in_templates(tmp_path: Path) -> None:
    extras = {"codex-templates": Extras(scopes=(tmp_path / "workspace/shared", tmp_path / "none"))}
    made = fixture(
        tmp_path,
        FOUR + "//- shared/worker.md\n    extra\n    //- shared/own.md\n    extra\n",
        options=Options(extras=extras),
    )

    assert chain(made, "worker") == [
        "workspace/.codex/.agents/worker.md",
        "home/.codex/.agents/worker.md",
        "workspace/shared/worker.md",
        "worker.md",
    ]
    assert chain(made, "own") == ["workspace/shared/own.md"]
    file = template_file(made.workspace, made.root / "shared/own.md")
    assert file is not None
    assert (file.scope.label, file.root) == ("extra scope", made.root)
    assert made.root / "shared" in made.workspace.folders


def test_definitions_in_folders_without_watchers_are_read_again(tmp_path: Path) -> None:
    """The texts name the agents of such systems, and nothing watches the user's own files."""
    agent = "---\nname: {}\ndescription: d\n---\nGo.\n"
    made = fixture(
        tmp_path,
        f"//- .claude/agents/a.md\n{agent.format('a')}"
        f"//- ~/.claude/agents/mine.md\n{agent.format('a')}",
    )
    claude, mine = dialect_by_id("claude"), tmp_path / "home/.claude/agents/mine.md"
    assert claude is not None
    assert len(candidates(made.workspace, claude, made.root, "a")) == 2

    mine.write_text(agent.format("b"))
    made.workspace.files.refresh(made.workspace.folders)

    assert len(candidates(made.workspace, claude, made.root, "a")) == 1


def test_agents_of_a_plugin_have_the_prefix_in_the_open_manifest(
    tmp_path: Path,
) -> None:
    made = fixture(
        tmp_path,
        """
        //- kit/agents/a.md
        ---
        name: a
        description: d
        ---
        Go.
        //- kit/.claude-plugin/plugin.json
        {"name": "kit"}
        """,
    )
    claude, root = dialect_by_id("claude"), made.root / "kit"
    assert claude is not None
    for name in ("kit", "other", "third"):
        made.workspace.files.open(root / ".claude-plugin/plugin.json", f'{{"name": "{name}"}}')
        assert f"{name}:a" in catalog(made.workspace, claude, root).names
