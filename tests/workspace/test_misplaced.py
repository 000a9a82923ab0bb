"""Templates where their runtime never looks: found by their place, confirmed by their header."""

from pathlib import Path

import pytest

from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.options import Options
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.misplaced import MisplacedReason
from agent_lsp.workspace.placement import placement_at, placements
from agent_lsp.workspace.search import place_for, template_folders, templates
from agent_lsp.workspace.snapshot import is_template, template_file
from tests.fixture import Fixture, fixture

TEMPLATE = "---\ndescription: d\nallow_list: [wait]\n---\nx\n"
NOTE = "---\nname: n\n---\nx\n"


def place(made: Fixture, path: str) -> tuple[MisplacedReason, str] | None:
    """Why the runtime does not find a file at `path`, and the right folder."""
    home = made.root.parent / "home"
    full = home / path.removeprefix("~/") if path.startswith("~/") else made.root / path
    found = [one.misplaced for one in placements(made.workspace, full) if one.misplaced]
    if not found:
        return None
    return found[0].reason, found[0].belongs.relative_to(made.root.parent).as_posix()


@pytest.mark.parametrize(
    ("path", "reason", "belongs"),
    [
        (".codex/.agents/a/b.md", MisplacedReason.BELOW, "workspace/.codex/.agents"),
        (".codex/.agents/a/b/c.md", MisplacedReason.BELOW, "workspace/.codex/.agents"),
        (".codex/.agents/.agents/c.md", MisplacedReason.BELOW, "workspace/.codex/.agents"),
        (".codex/.agents/a.MDX", MisplacedReason.EXTENSION, "workspace/.codex/.agents"),
        (".codex/.agents.md", MisplacedReason.FOLDER, "workspace/.codex/.agents"),
        (".codex/.agent/a.md", MisplacedReason.FOLDER, "workspace/.codex/.agents"),
        ("sub/.agents/a.md", MisplacedReason.FOLDER, "workspace/sub/.codex/.agents"),
        ("~/.codex/agents/a.md", MisplacedReason.FOLDER, "home/.codex/.agents"),
    ],
)
def test_a_wrong_place_has_a_right_folder(
    path: str, reason: MisplacedReason, belongs: str, tmp_path: Path
) -> None:
    assert place(fixture(tmp_path, "x"), path) == (reason, belongs)


@pytest.mark.parametrize(
    "path",
    [
        ".codex/.agents/a.md",
        "~/.codex/.agents/a.md",
        ".codex/.agents/a.json",
        ".codex/agents/a.toml",
        ".codex/agents/a.txt",
        ".codex/config.toml",
        ".codex/prompts/a.md",
        "docs/a.md",
        ".agents/skills/a.md",
    ],
)
def test_no_other_folder_is_a_wrong_place(path: str, tmp_path: Path) -> None:
    assert place(fixture(tmp_path, "x"), path) is None


def test_the_users_right_folder_is_that_of_the_variable(
    tmp_path: Path,
) -> None:
    variables = {"CODEX_HOME": str(tmp_path / "home/mine")}
    made = fixture(tmp_path, "x", variables=variables)

    assert place(made, "~/.agents/a.md") == (MisplacedReason.FOLDER, "home/mine/.agents")
    assert place(made, "~/mine/.agents/sub/a.md") == (MisplacedReason.BELOW, "home/mine/.agents")


def test_a_misplaced_template_has_no_name_and_defines_nothing(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .agents/a.md\n{TEMPLATE}//- .codex/.agents/sub/b.md\n{TEMPLATE}")

    for path in (made.path, made.root / ".codex/.agents/sub/b.md"):
        file = template_file(made.workspace, path)
        assert file is not None
        assert (file.name, file.dialect) == (None, DIALECT)
        assert file.misplaced is not None
        assert placement_at(made.workspace, path) is None
        assert is_template(made.workspace, path)
    assert candidates(made.workspace, DIALECT, made.root, "a") == ()
    assert candidates(made.workspace, DIALECT, made.root, "b") == ()


def test_a_template_in_its_right_folder_is_not_misplaced(tmp_path: Path) -> None:
    made = fixture(tmp_path, TEMPLATE)
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert file.misplaced is None


@pytest.mark.parametrize("text", [NOTE, "x\n", "", "---\n- a\n---\n", "---\nmodel: m\n---\n"])
def test_another_file_in_a_wrong_place_is_no_template(text: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .agents/a.md\n{text}")

    assert template_file(made.workspace, made.path) is None
    assert not is_template(made.workspace, made.path)
    assert list(templates(made.workspace)) == []


def test_a_search_finds_misplaced_templates_as_well(tmp_path: Path) -> None:
    source = (
        f"//- web/.agents/a.md\n{TEMPLATE}//- web/.agents/note.md\n{NOTE}"
        f"//- .codex/.agents/b.md\nx\n//- .codex/.agents/deep/er/c.md\n{TEMPLATE}"
        f"//- .codex/.agents/d.txt\n{TEMPLATE}//- docs/e.md\n{TEMPLATE}"
    )
    made = fixture(tmp_path, source)

    found = {path.relative_to(made.root).as_posix() for path in templates(made.workspace)}
    assert found == {
        "web/.agents/a.md",
        ".codex/.agents/b.md",
        ".codex/.agents/deep/er/c.md",
        ".codex/.agents/d.txt",
    }


def test_a_claimed_or_excluded_folder_is_no_wrong_place(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    folders = {
        root / "mine/.agents": "codex-templates",
        root / "vendor": None,
        root / ".codex/.agents/old": None,
    }
    source = (
        f"//- mine/.agents/a.md\n{TEMPLATE}//- vendor/.agents/b.md\n{TEMPLATE}"
        f"//- .codex/.agents/old/c.md\n{TEMPLATE}"
    )
    made = fixture(tmp_path, source, options=Options(folders=folders))

    file = template_file(made.workspace, made.path)
    assert file is not None
    assert (file.name, file.misplaced) == ("a", None)
    assert template_file(made.workspace, root / "vendor/.agents/b.md") is None
    assert template_file(made.workspace, root / ".codex/.agents/old/c.md") is None
    assert place_for(made.workspace, root / "vendor/.agents") is None
    assert root / "vendor/.agents" not in set(template_folders(made.workspace, root))


def test_folders_below_the_shipped_templates_are_no_wrong_places(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    shipped = made.workspace.host_paths.templates / "codex-templates/builtin"

    assert place(made, f"{shipped}/sub/a.md") is None
    assert place(made, f"{shipped.parent}/starters/role.md") is None
