"""The environment and the settings files make the workspace that everybody looks at."""

from pathlib import Path

import pytest

from agent_lsp.dialects.model import Severity
from agent_lsp.environment import (
    SETTINGS_FILE,
    places_from_environment,
    settings_file,
    template_folders,
    workspace_for,
)
from agent_lsp.installed import installed
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, options_at
from agent_lsp.workspace.scopes import Places


def write(path: Path, text: str = "") -> Path:
    """A file with all its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def places(home: Path, **variables: str) -> Places:
    """The places of a machine with this home."""
    return Places(home, installed("templates"), variables)


def made(*roots: Path, **given: object) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of `roots` on a machine whose home is beside the first one."""
    return workspace_for(roots, Files(), places(roots[0].parent / "home"), **given)  # type: ignore[arg-type]  # any keyword


def test_places_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", "relative")
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.chdir(tmp_path)
    found = places_from_environment()
    assert found.home == tmp_path
    assert found.templates == installed("templates")
    assert found.variables == {"CODEX_HOME": str(tmp_path / "relative")}


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


def test_a_dialect_can_be_claimed_by_the_caller(tmp_path: Path) -> None:
    write(tmp_path / "prompts/a.md")
    workspace, _ = made(tmp_path, claimed={tmp_path / "prompts": "codex-templates"})
    assert workspace.folders == (tmp_path / "prompts",)


def test_what_settings_claim_is_found_although_it_is_shipped(tmp_path: Path) -> None:
    folder = write(tmp_path / "templates/codex-templates/builtin/a.md").parent
    shipping = Places(tmp_path / "home", tmp_path / "templates")
    assert workspace_for((tmp_path,), Files(), shipping)[0].folders == ()
    write(
        tmp_path / SETTINGS_FILE,
        'folders = {"templates/codex-templates/builtin" = "codex-templates"}',
    )
    assert workspace_for((tmp_path,), Files(), shipping)[0].folders == (folder,)
