"""The environment and the settings files make the workspace that everybody looks at."""

import os
from pathlib import Path

import pytest

from agent_lsp.environment import (
    SETTINGS_FILE,
    home_in,
    host_paths_from_environment,
    path_from,
    settings_file,
    workspace_for,
)
from agent_lsp.installed import installed
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.search import left_out, template_folders
from agent_lsp.workspace.snapshot import Workspace, options_at


def write(path: Path, text: str = "") -> Path:
    """A file with all its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def places(home: Path, **variables: str) -> HostPaths:
    """The places of a machine with this home."""
    return HostPaths(home, installed("templates"), variables)


def made(*roots: Path, **given: object) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of `roots` on a machine whose home is beside the first one."""
    return workspace_for(roots, Files(), places(roots[0].parent / "home"), **given)  # type: ignore[arg-type]  # any keyword


def test_places_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", "relative")
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.chdir(tmp_path)
    found = host_paths_from_environment()
    assert found.home == tmp_path
    assert found.templates == installed("templates")
    assert found.variables == {"CODEX_HOME": str(tmp_path / "relative")}


@pytest.mark.parametrize(
    "written", ["../home", "{top}/link", "{top}/link/../home", "{top}//home/", "sub/../../home"]
)
def test_codex_home_is_the_folder_that_its_links_and_dots_lead_to(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runtime follows them before it looks into the folder."""
    for name in ("home", "work/sub"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("home")
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("CODEX_HOME", written.format(top=tmp_path))
    assert host_paths_from_environment().variables["CODEX_HOME"] == str(tmp_path / "home")


@pytest.mark.parametrize(
    ("written", "home"),
    [
        ("{top}/me", "me"),
        ("{top}/me/", "me"),
        ("/{top}/me", "me"),
        ("me", "me"),
        ("./x/../me", "me"),
        ("{top}/link", "link"),
        ("{top}/link/../me", "other/me"),
    ],
)
def test_the_home_has_an_absolute_name_without_dots(
    written: str, home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its links stay, as they do for the runtime and for people."""
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("other/deep")
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, written.format(top=tmp_path))
    assert host_paths_from_environment().home == tmp_path / home


def test_an_empty_home_is_that_of_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    account = host_paths_from_environment().home
    monkeypatch.setenv("HOME", "")
    assert host_paths_from_environment().home == account


@pytest.mark.parametrize(
    ("variables", "system", "home"),
    [
        ({"USERPROFILE": "C:\\Users\\Ann", "HOME": "/c/Users/Ann"}, "win32", "C:\\Users\\Ann"),
        ({"USERPROFILE": "", "HOME": "/c/Users/Ann"}, "win32", None),
        ({"HOMEDRIVE": "H:", "HOMEPATH": "\\"}, "win32", None),
        ({"HOME": "/home/ann", "USERPROFILE": "C:\\Users\\Ann"}, "linux", "/home/ann"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann"),
        ({"HOME": ""}, "darwin", None),
        ({}, "linux", None),
    ],
)
def test_a_process_is_told_of_its_home_as_on_its_system(
    variables: dict[str, str], system: str, home: str | None
) -> None:
    assert home_in(variables.get, system) == home


def test_a_current_folder_that_is_gone_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setenv("CODEX_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = host_paths_from_environment()
    assert (found.home, found.variables) == (tmp_path, {})
    monkeypatch.setenv("HOME", "relative")
    assert host_paths_from_environment().home is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a.md", "work/a.md"),
        (".", "work"),
        ("./x/../y", "work/y"),
        ("link", "work/link"),
        ("link/a.md", "work/link/a.md"),
        ("link/..", "real"),
        ("link/../b.md", "real/b.md"),
        ("link/../", "real"),
        ("link/../own.md", "real/own.md"),
        ("broken.md", "work/broken.md"),
    ],
)
def test_a_path_keeps_its_links_where_they_lead_to_the_same(
    written: str, meant: str, tmp_path: Path
) -> None:
    for name in ("real/deep", "work"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work/link").symlink_to("../real/deep")
    (tmp_path / "work/broken.md").symlink_to("nowhere.md")
    (tmp_path / "real/own.md").symlink_to("deep/target.md")
    assert path_from(written, tmp_path / "work") == tmp_path / meant


def test_a_linked_root_has_the_settings_of_the_place_where_the_link_leads(tmp_path: Path) -> None:
    path = write(
        tmp_path / "real" / SETTINGS_FILE,
        'severity.shadowed = "off"\nfolders = {"sub/roles" = "codex-templates", "lib" = false}',
    )
    write(tmp_path / "other" / SETTINGS_FILE, 'severity.shadowed = "error"')
    write(tmp_path / "real/sub/roles/a.md")
    root = tmp_path / "other/link"
    root.symlink_to("../real/sub")
    assert settings_file(root, Files()) == path
    workspace, said = made(root)
    options = options_at(workspace, root / "roles/a.md")
    assert said == ()
    assert options.severity == {"shadowed": None}
    assert options.folders == {root / "roles": "codex-templates", tmp_path / "real/lib": None}
    assert workspace.folders == (root / "roles",)


def test_a_folder_or_a_pipe_in_the_place_of_a_settings_file_is_none(tmp_path: Path) -> None:
    write(tmp_path / SETTINGS_FILE, 'severity.shadowed = "off"')
    for name in ("folder", "pipe"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder" / SETTINGS_FILE).mkdir()
    os.mkfifo(tmp_path / "pipe" / SETTINGS_FILE)
    workspace, said = made(tmp_path / "folder")
    assert options_at(workspace, tmp_path / "folder").severity == {"shadowed": None}
    assert said == ()
    _, said = made(tmp_path / "pipe")
    assert said == (f"{tmp_path / 'pipe' / SETTINGS_FILE}: cannot be read: not a regular file",)


def test_the_nearest_settings_file_counts_up_to_the_repository(tmp_path: Path) -> None:
    outer = write(tmp_path / SETTINGS_FILE)
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/a/b").mkdir(parents=True)
    (tmp_path / "free").mkdir()
    assert settings_file(tmp_path / "repo/a/b", Files()) is None
    assert settings_file(tmp_path / "free", Files()) == outer
    own = write(tmp_path / "repo" / SETTINGS_FILE)
    assert settings_file(tmp_path / "repo/a/b", Files()) == own
    nearer = write(tmp_path / "repo/a" / SETTINGS_FILE)
    assert settings_file(tmp_path / "repo/a/b", Files()) == nearer


def test_a_settings_file_that_is_being_written_counts_as_it_is_in_the_editor(
    tmp_path: Path,
) -> None:
    files = Files()
    files.open(tmp_path / SETTINGS_FILE, 'severity.shadowed = "error"')
    workspace, said = workspace_for((tmp_path,), files, places(tmp_path / "home"))
    assert options_at(workspace, tmp_path).severity == {"shadowed": Severity.ERROR}
    assert said == ()


def test_the_editors_section_of_a_root_overrides_its_file(tmp_path: Path) -> None:
    write(tmp_path / "a" / SETTINGS_FILE, 'severity = {shadowed = "off", unknown-tool = "off"}')
    write(tmp_path / "b" / SETTINGS_FILE, 'severity = {shadowed = "off"}')
    editor = {tmp_path / "a": {"severity": {"shadowed": "hint"}}, tmp_path / "b": None}
    workspace, said = made(tmp_path / "a", tmp_path / "b", editor=editor)
    assert options_at(workspace, tmp_path / "a").severity == {
        "shadowed": Severity.HINT,
        "unknown-tool": None,
    }
    assert options_at(workspace, tmp_path / "b").severity == {"shadowed": None}
    assert said == ()


def test_two_roots_below_one_bad_file_hear_of_it_once(tmp_path: Path) -> None:
    write(tmp_path / SETTINGS_FILE, "severity = 1")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    _, said = made(tmp_path / "a", tmp_path / "b")
    assert said == (f"{tmp_path / SETTINGS_FILE}: `severity`: expected a table, got 1",)


def test_folders_that_settings_count_on_have_to_exist(tmp_path: Path) -> None:
    path = write(
        tmp_path / SETTINGS_FILE,
        'session-root = "app"\nfolders = {a = "codex-templates", b = false}',
    )
    _, said = made(tmp_path)
    assert said == (
        f"{path}: `session-root`: there is no folder `app`",
        f"{path}: `folders`: there is no folder `a`",
    )


def test_an_unreadable_settings_file_is_said_and_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE
    path.write_bytes(b"\xff")
    workspace, [said] = made(tmp_path)
    assert said.startswith(f"{path}: cannot be read: not UTF-8")
    assert options_at(workspace, tmp_path).severity == {}


def test_template_folders_are_found_with_the_claimed_ones_and_without_the_disowned(
    tmp_path: Path,
) -> None:
    for folder in (".codex/.agents", "sub/.codex/.agents", "vendor/x/.codex/.agents", "dist/roles"):
        write(tmp_path / folder / "a.md")
    write(
        tmp_path / SETTINGS_FILE,
        'folders = {vendor = false, "dist/roles" = "codex-templates"}',
    )
    workspace, said = made(tmp_path)
    assert said == ()
    assert workspace.folders == tuple(
        tmp_path / folder for folder in (".codex/.agents", "sub/.codex/.agents", "dist/roles")
    )


def test_a_walk_can_be_taken_in_steps(tmp_path: Path) -> None:
    write(tmp_path / ".codex/.agents/a.md")
    write(tmp_path / "deep/er/b.md")
    workspace, _ = made(tmp_path, folders=())
    assert workspace.folders == ()
    steps = list(template_folders(workspace, tmp_path))
    assert len(steps) > 3
    assert [step for step in steps if step] == [tmp_path / ".codex/.agents"]


def test_a_walk_passes_over_the_users_and_the_shipped_templates(tmp_path: Path) -> None:
    home = tmp_path / "home"
    own = write(home / ".codex/.agents/a.md").parent
    shipped = installed("templates/codex-templates/builtin")
    files = Files()

    def found(root: Path, **given: str) -> tuple[Path, ...]:
        return workspace_for((root,), files, places(home, **given))[0].folders

    assert found(home) == ()
    assert found(home / ".codex") == found(own) == (own,)
    assert found(own, CODEX_HOME=str(tmp_path / "elsewhere")) == (own,)
    elsewhere = write(tmp_path / "elsewhere/.agents/a.md").parent
    files.refresh()
    assert found(tmp_path, CODEX_HOME=str(tmp_path / "elsewhere")) == (own,)
    assert found(elsewhere, CODEX_HOME=str(tmp_path / "elsewhere")) == (elsewhere,)
    assert found(shipped) == (shipped,)


def test_the_users_folder_counts_for_the_project_that_it_lies_in(tmp_path: Path) -> None:
    """A session in the project finds it as the project's, with or without a repository."""
    home, project = tmp_path / "home", tmp_path / "home/work/project"
    home.mkdir()
    own = write(project / ".codex/.agents/a.md").parent
    given = HostPaths(home, installed("templates"), {"CODEX_HOME": str(project / ".codex")})

    def found(root: Path) -> tuple[tuple[Path, ...], list[Path]]:
        workspace, _ = workspace_for((root,), Files(), given)
        return workspace.folders, list(left_out(workspace, root))

    assert found(project) == ((own,), [])
    assert found(own) == ((own,), [])
    assert found(project.parent) == found(home) == ((), [own])
    assert found(tmp_path / "elsewhere") == ((), [])
    (project / ".git").mkdir()
    assert found(home) == ((own,), [])


def test_the_users_folder_is_left_out_under_every_name_but_that_in_a_repository(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    agents = write(home / "dotfiles/codex/.agents/a.md").parent
    (home / ".codex").symlink_to("dotfiles/codex")
    (tmp_path / "alias").symlink_to("home")

    def found(root: Path) -> tuple[tuple[Path, ...], list[Path]]:
        workspace, _ = workspace_for((root,), Files(), places(home))
        return workspace.folders, list(left_out(workspace, root))

    own = home / ".codex/.agents"
    assert found(home) == found(tmp_path / "alias") == ((), [own])
    (home / "dotfiles/.git").mkdir()
    assert found(home) == ((agents,), [own])
    assert found(home / "dotfiles")[0] == (agents,)
    assert found(tmp_path / "alias")[0] == (tmp_path / "alias/dotfiles/codex/.agents",)


def test_the_users_folder_is_missed_where_a_link_leads_to_it(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    write(away / "codex/.agents/a.md")
    home.mkdir()
    (home / ".codex").symlink_to("../away/codex")
    for root in (home, away):
        workspace, _ = workspace_for((root,), Files(), places(home))
        assert workspace.folders == ()
        assert list(left_out(workspace, root)) == [home / ".codex/.agents"]


def test_the_users_folder_is_not_missed_where_it_is_empty_or_disowned(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".codex/.agents").mkdir(parents=True)
    workspace, _ = workspace_for((home,), Files(), places(home))
    assert list(left_out(workspace, home)) == []
    write(home / ".codex/.agents/a.md")
    write(home / SETTINGS_FILE, 'folders.".codex/.agents" = false')
    workspace, _ = workspace_for((home,), Files(), places(home))
    assert list(left_out(workspace, home)) == []


def test_a_dialect_can_be_claimed_by_the_caller(tmp_path: Path) -> None:
    write(tmp_path / "prompts/a.md")
    workspace, _ = made(tmp_path, claimed={tmp_path / "prompts": "codex-templates"})
    assert workspace.folders == (tmp_path / "prompts",)


def test_what_settings_claim_is_found_although_it_is_shipped(tmp_path: Path) -> None:
    folder = write(tmp_path / "templates/codex-templates/builtin/a.md").parent
    shipping = HostPaths(tmp_path / "home", tmp_path / "templates")
    assert workspace_for((tmp_path,), Files(), shipping)[0].folders == ()
    write(
        tmp_path / SETTINGS_FILE,
        'folders = {"templates/codex-templates/builtin" = "codex-templates"}',
    )
    assert workspace_for((tmp_path,), Files(), shipping)[0].folders == (folder,)
