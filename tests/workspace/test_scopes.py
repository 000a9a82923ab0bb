"""Where a session looks: upwards from its root, then the user's folder, then the built-in one."""

from pathlib import Path

import pytest

from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.installed import installed
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.scopes import repository, scope_of, scopes, session_root

BUILTIN = installed("templates") / "codex-templates/builtin"


def folders(*paths: Path) -> None:
    for path in paths:
        path.mkdir(parents=True)


def found(
    root: Path, home: Path, variables: dict[str, str] | None = None
) -> list[tuple[str, Path]]:
    places = HostPaths(home, installed("templates"), variables or {})
    return [(scope.kind, scope.folder) for scope in scopes(DIALECT.system, root, places, Files())]


def test_the_nearest_folder_is_first_and_the_walk_ends_at_git(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    folders(
        tmp_path / ".codex/.agents",
        repository / ".git",
        repository / ".codex/.agents",
        repository / "sub/deep/.codex/.agents",
        tmp_path / "home",
    )

    assert found(repository / "sub/deep/er", tmp_path / "home") == [
        ("project", repository / "sub/deep/.codex/.agents"),
        ("project", repository / ".codex/.agents"),
        ("builtin", BUILTIN),
    ]


def test_a_git_file_ends_the_walk_as_well(tmp_path: Path) -> None:
    """Worktrees and submodules have one."""
    folders(tmp_path / ".codex/.agents", tmp_path / "tree/sub/.codex/.agents")
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere", encoding="utf-8")

    assert found(tmp_path / "tree/sub", tmp_path / "home") == [
        ("project", tmp_path / "tree/sub/.codex/.agents"),
        ("builtin", BUILTIN),
    ]


def test_without_git_the_walk_ends_at_the_root_of_the_file_system(tmp_path: Path) -> None:
    folders(tmp_path / ".codex/.agents", tmp_path / "a/b")

    assert ("project", tmp_path / ".codex/.agents") in found(tmp_path / "a/b", tmp_path / "home")


def test_the_home_on_the_way_up_is_a_project(tmp_path: Path) -> None:
    """Its folder is found once, where it is found first."""
    folders(tmp_path / ".codex/.agents", tmp_path / "work")

    kinds = [
        kind for kind, folder in found(tmp_path / "work", tmp_path) if folder.name == ".agents"
    ]

    assert kinds == ["project"]


def test_a_file_with_the_name_of_a_scope_is_no_scope(tmp_path: Path) -> None:
    folders(tmp_path / ".git", tmp_path / ".codex")
    (tmp_path / ".codex/.agents").write_text("", encoding="utf-8")

    assert found(tmp_path, tmp_path / "home") == [("builtin", BUILTIN)]


def linked(tmp_path: Path) -> tuple[Path, Path]:
    """A project with templates, and a link to it from a folder with templates of its own."""
    project = tmp_path / "real/deep/project"
    folders(
        project / "sub/.codex/.agents",
        project / ".codex/.agents",
        tmp_path / "real/.codex/.agents",
        tmp_path / "real/.git",
        tmp_path / "other/.codex/.agents",
    )
    (tmp_path / "other/link").symlink_to("../real/deep/project")
    return project, tmp_path / "other/link"


def test_the_walk_from_a_linked_root_goes_up_from_the_target(tmp_path: Path) -> None:
    """A process knows only the real path of its folder. The path that people use is kept."""
    project, link = linked(tmp_path)
    above = ("project", tmp_path / "real/.codex/.agents")

    assert found(project, tmp_path / "home")[:2] == [("project", project / ".codex/.agents"), above]
    assert found(link, tmp_path / "home")[:2] == [("project", link / ".codex/.agents"), above]
    assert found(link / "sub", tmp_path / "home")[:3] == [
        ("project", link / "sub/.codex/.agents"),
        ("project", link / ".codex/.agents"),
        above,
    ]
    assert repository(link / "sub", Files()) == tmp_path / "real"
    assert repository(tmp_path / "other", Files()) is None


def test_a_linked_scope_has_the_path_of_the_link(tmp_path: Path) -> None:
    folders(tmp_path / "shared/.agents", tmp_path / "project/.git")
    (tmp_path / "project/.codex").symlink_to("../shared")

    assert found(tmp_path / "project", tmp_path / "home")[0] == (
        "project",
        tmp_path / "project/.codex/.agents",
    )


def test_two_names_of_a_folder_are_one_scope(tmp_path: Path) -> None:
    folders(tmp_path / "dotfiles/.codex/.agents", tmp_path / "home")
    (tmp_path / "home/.codex").symlink_to("../dotfiles/.codex")
    home, dotfiles = tmp_path / "home", tmp_path / "dotfiles"

    assert [folder for _, folder in found(dotfiles, home)] == [
        dotfiles / ".codex/.agents",
        BUILTIN,
    ]


@pytest.mark.parametrize("name", ["home/.codex", "dotfiles/codex", "alias/.codex", "moved/codex"])
def test_the_users_folder_is_recognised_by_each_of_its_names(name: str, tmp_path: Path) -> None:
    folders(tmp_path / "dotfiles/codex/.agents", tmp_path / "home")
    (tmp_path / "home/.codex").symlink_to("../dotfiles/codex")
    (tmp_path / "alias").symlink_to("home")
    (tmp_path / "moved").symlink_to("dotfiles")
    folder = tmp_path / name / ".agents"
    places = HostPaths(tmp_path / "home", installed("templates"))

    scope = scope_of(DIALECT.system, folder, places, Files())

    assert scope is not None
    assert (scope.kind, scope.folder) == ("user", folder)


def test_the_scopes_follow_changes_on_disk(tmp_path: Path) -> None:
    """They are stored, but not longer than they are valid."""
    folders(tmp_path / "w/.git", tmp_path / "home")
    places, files = HostPaths(tmp_path / "home", installed("templates")), Files()
    agents = tmp_path / "w/.codex/.agents"

    def kinds(host_paths: HostPaths) -> list[str]:
        return [scope.kind for scope in scopes(DIALECT.system, tmp_path / "w", host_paths, files)]

    assert kinds(places) == ["builtin"]
    files.open(agents / "a.md", "")
    assert kinds(places) == ["project", "builtin"]
    files.close(agents / "a.md")
    assert kinds(places) == ["builtin"]
    folders(agents)
    files.changed(agents / "b.md")
    assert kinds(places) == ["project", "builtin"]
    assert kinds(HostPaths(tmp_path / "w", installed("templates"))) == ["project", "builtin"]
    folders(tmp_path / "other/.agents")
    moved = HostPaths(places.home, places.templates, {"CODEX_HOME": str(tmp_path / "other")})
    assert kinds(moved) == ["project", "user", "builtin"]


def test_codex_home_replaces_the_folder_in_the_home(tmp_path: Path) -> None:
    folders(tmp_path / "w/.git", tmp_path / "home/.codex/.agents", tmp_path / "elsewhere/.agents")
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"

    assert found(tmp_path / "w", home)[0] == ("user", home / ".codex/.agents")
    variables = {"CODEX_HOME": str(elsewhere)}
    assert found(tmp_path / "w", home, variables)[0] == ("user", elsewhere / ".agents")


def test_an_empty_codex_home_counts_as_unset(tmp_path: Path) -> None:
    folders(tmp_path / "w/.git", tmp_path / "home/.codex/.agents")

    first = found(tmp_path / "w", tmp_path / "home", {"CODEX_HOME": ""})[0]

    assert first == ("user", tmp_path / "home/.codex/.agents")


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("w/.codex/.agents", "project"),
        ("home/.codex/.agents", "user"),
        ("home/project/.codex/.agents", "project"),
        ("w/.codex/agents", None),
        ("w/.codex", None),
        ("w/.codex/.agents/deeper", None),
    ],
)
def test_a_folder_has_a_scope_by_its_place_alone(
    folder: str, kind: str | None, tmp_path: Path
) -> None:
    """The user's folder is no project, although a session in the home would find it as one."""
    places = HostPaths(tmp_path / "home", installed("templates"))

    scope = scope_of(DIALECT.system, tmp_path / folder, places, Files())

    assert (scope.kind if scope else None) == kind


def test_the_built_in_scope_is_recognised_by_its_place(tmp_path: Path) -> None:
    scope = scope_of(DIALECT.system, BUILTIN, HostPaths(tmp_path, installed("templates")), Files())

    assert scope is not None
    assert (scope.kind, scope.builtin) == ("builtin", True)


def test_the_session_root_is_the_folder_that_contains_the_scope(tmp_path: Path) -> None:
    assert session_root(DIALECT.system, tmp_path / "a/.codex/.agents", Files()) == tmp_path / "a"
    assert session_root(DIALECT.system, tmp_path / "a/.agents", Files()) is None
