"""Where a session looks: from its root upwards, then the user's folder, then what is built in."""

from pathlib import Path

import pytest

from agent_lsp.dialects.codex_templates import DIALECT
from agent_lsp.installed import installed
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.scopes import Places, scope_of, scopes, session_root

BUILTIN = installed("templates") / "codex-templates/builtin"


def folders(*paths: Path) -> None:
    for path in paths:
        path.mkdir(parents=True)


def found(
    root: Path, home: Path, variables: dict[str, str] | None = None
) -> list[tuple[str, Path]]:
    places = Places(home, installed("templates"), variables or {})
    return [(scope.kind, scope.folder) for scope in scopes(DIALECT, root, places, Files())]


def test_nearest_folder_comes_first_and_the_walk_ends_at_git(tmp_path: Path) -> None:
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


def test_a_git_file_ends_the_walk_too(tmp_path: Path) -> None:
    """As in a worktree or a submodule."""
    folders(tmp_path / ".codex/.agents", tmp_path / "tree/sub/.codex/.agents")
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere", encoding="utf-8")

    assert found(tmp_path / "tree/sub", tmp_path / "home") == [
        ("project", tmp_path / "tree/sub/.codex/.agents"),
        ("builtin", BUILTIN),
    ]


def test_without_git_the_walk_goes_on_to_the_root_of_the_file_system(tmp_path: Path) -> None:
    folders(tmp_path / ".codex/.agents", tmp_path / "a/b")

    assert ("project", tmp_path / ".codex/.agents") in found(tmp_path / "a/b", tmp_path / "home")


def test_the_home_on_the_way_up_is_a_project(tmp_path: Path) -> None:
    """Its folder is found once, in the place where it is found first."""
    folders(tmp_path / ".codex/.agents", tmp_path / "work")

    kinds = [
        kind for kind, folder in found(tmp_path / "work", tmp_path) if folder.name == ".agents"
    ]

    assert kinds == ["project"]


def test_a_file_in_the_place_of_the_folder_is_no_scope(tmp_path: Path) -> None:
    folders(tmp_path / ".git", tmp_path / ".codex")
    (tmp_path / ".codex/.agents").write_text("", encoding="utf-8")

    assert found(tmp_path, tmp_path / "home") == [("builtin", BUILTIN)]


def test_codex_home_takes_the_place_of_the_folder_in_the_home(tmp_path: Path) -> None:
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
def test_a_folder_has_a_role_by_its_place_alone(
    folder: str, kind: str | None, tmp_path: Path
) -> None:
    """The user's folder is no project, although a session in the home would find it as one."""
    places = Places(tmp_path / "home", installed("templates"))

    scope = scope_of(DIALECT, tmp_path / folder, places)

    assert (scope.kind if scope else None) == kind


def test_what_is_built_in_is_known_by_its_place(tmp_path: Path) -> None:
    scope = scope_of(DIALECT, BUILTIN, Places(tmp_path, installed("templates")))

    assert scope is not None
    assert (scope.kind, scope.builtin) == ("builtin", True)


def test_the_session_root_is_the_folder_that_holds_the_scope(tmp_path: Path) -> None:
    assert session_root(DIALECT, tmp_path / "a/.codex/.agents") == tmp_path / "a"
    assert session_root(DIALECT, tmp_path / "a/.agents") is None
