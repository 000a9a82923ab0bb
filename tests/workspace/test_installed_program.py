"""The installed version of a runtime is read from its package."""

from pathlib import Path

import pytest

from agent_lsp.workspace.files import Files
from agent_lsp.workspace.programs import installed_version

PLACES = ("~/bin/tool", "~/package.json", "node_modules/tool/package.json")


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("home/package.json", '{"version": "1.2.3"}', "1.2.3"),
        ("root/node_modules/tool/package.json", '{"version": "1.2.3-beta.1"}', "1.2.3-beta.1"),
        ("home/package.json", "[]", None),
        ("home/package.json", "{", None),
        ("home/package.json", '{"version": 5}', None),
        ("home/package.json", '{"version": "latest"}', None),
        ("home/bin/tool", "a program", None),
        ("home/else.json", '{"version": "1.2.3"}', None),
    ],
)
def test_the_version_of_a_package_is_read(
    tmp_path: Path, file: str, text: str, version: str | None
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")

    found = installed_version(PLACES, tmp_path / "home", tmp_path / "root", Files())
    assert found == version


def test_the_version_is_the_file_name_behind_a_link(tmp_path: Path) -> None:
    program = tmp_path / "versions" / "2.0.1"
    program.parent.mkdir()
    program.touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").symlink_to(program)

    assert installed_version(PLACES, tmp_path, tmp_path, Files()) == "2.0.1"
    assert installed_version(PLACES, None, tmp_path / "root", Files()) is None


@pytest.mark.parametrize("program", ["cli.js", "bin/tool"])
def test_a_program_on_the_path_leads_to_its_package(tmp_path: Path, program: str) -> None:
    package = tmp_path / "lib" / "node_modules" / "@maker" / "tool"
    (package / program).parent.mkdir(parents=True)
    (package / program).touch()
    (package / "package.json").write_text('{"version": "3.1.4"}', encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").symlink_to(package / program)
    searched = (tmp_path / "empty", tmp_path / "bin")

    assert installed_version(("$PATH/tool",), None, tmp_path, Files(), searched) == "3.1.4"
    assert installed_version(("$PATH/tool",), None, tmp_path, Files()) is None


def test_a_program_outside_of_packages_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"version": "3.1.4"}', encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").touch()

    assert installed_version(("$PATH/tool",), None, tmp_path, Files(), (tmp_path / "bin",)) is None
