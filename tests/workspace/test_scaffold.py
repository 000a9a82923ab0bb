"""What the runtime copies to the user's folder, and what prevents that."""

from pathlib import Path

import pytest

from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.workspace.scaffold import seeding
from tests.fixture import fixture

ALL = ("architect.md", "explorer.md", "orchestrator.md", "worker.md")


def kept_by(folder: Path, name: str) -> tuple[str, ...]:
    made = fixture(folder, f"//- .codex/.agents/a.md\nx\n//- {name}\ny\n").workspace
    planned = seeding(DIALECT, made.host_paths, made.files)
    assert planned is not None
    assert planned.files == ALL
    return planned.kept_by


def test_all_built_in_templates_are_copied_to_the_users_folder(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .codex/.agents/worker.md\nx\n").workspace
    planned = seeding(DIALECT, made.host_paths, made.files)
    assert planned is not None
    assert (planned.target, planned.files) == (tmp_path / "home/.codex/.agents", ALL)
    assert planned.kept_by == ()


@pytest.mark.parametrize(
    "name", ["architect.md", "explorer.md", "orchestrator.md", "worker.md"], ids=str
)
def test_one_file_with_a_built_in_name_prevents_the_copying_of_all(
    tmp_path: Path, name: str
) -> None:
    assert kept_by(tmp_path, f"~/.codex/.agents/{name}") == (name,)


@pytest.mark.parametrize(
    "name",
    [
        "~/.codex/.agents/reviewer.md",
        "~/.codex/.agents/sub/worker.md",
        "~/.codex/.agents/worker.markdown",
        "~/.codex/worker.md",
        ".codex/.agents/worker.md",
    ],
)
def test_a_file_with_another_name_prevents_no_copies(tmp_path: Path, name: str) -> None:
    assert kept_by(tmp_path, name) == ()


def test_templates_are_copied_into_the_folder_of_the_variable(tmp_path: Path) -> None:
    variables = {"CODEX_HOME": str(tmp_path / "elsewhere")}
    made = fixture(tmp_path, "x\n", variables=variables).workspace
    planned = seeding(DIALECT, made.host_paths, made.files)
    assert planned is not None
    assert planned.target == tmp_path / "elsewhere/.agents"


def test_a_system_that_copies_nothing_has_no_seeding(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x\n").workspace
    assert (
        seeding(
            replace(
                DIALECT,
                names=replace(DIALECT.names, kept_by=None),
            ),
            made.host_paths,
            made.files,
        )
        is None
    )
    homeless = replace(made.host_paths, home=None)
    assert seeding(DIALECT, homeless, made.files) is None
