"""The systems that names leave out would have said no, and they leave out most of them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_lsp.dialects import SYSTEMS
from agent_lsp.installed import installed
from agent_lsp.workspace.disk import Disk
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.fixed import fixed, fixed_rules
from agent_lsp.workspace.near import may_look, may_misplace
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.scopes import scope_of

MANIFEST = '{"name": "kit", "version": "1", "agents": ["./odd/a.md"]}'
MANIFESTS = ("kit/.claude-plugin/plugin.json", "kit/.cursor-plugin/plugin.json")
MARKERS = ("moltis.toml", ".codex/config.toml", "kit/gemini-extension.json")


@pytest.fixture
def places(tmp_path: Path) -> HostPaths:
    """A machine on which each system has its folders, some of them behind links."""
    for system in SYSTEMS:
        for relative in (one for rule in system.scopes for one in rule.folders):
            start, _, rest = relative.rpartition("~/")
            if not start and "$" not in rest:
                (tmp_path / ("home" if "~" in relative else "w") / rest).mkdir(
                    parents=True, exist_ok=True
                )
    for relative in (*MANIFESTS, *MARKERS):
        path = tmp_path / "w" / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MANIFEST)
    (tmp_path / "w/kit/agents").mkdir()
    (tmp_path / "w/kit/odd").mkdir()
    (tmp_path / "dotfiles/mine/deep").mkdir(parents=True)
    (tmp_path / "home/.claude/agents").rmdir()
    (tmp_path / "home/.claude/agents").symlink_to(tmp_path / "dotfiles/mine")
    (tmp_path / "configured").mkdir()
    return HostPaths(
        tmp_path / "home", installed("templates"), {"CODEX_HOME": str(tmp_path / "configured")}
    )


def folders(top: Path) -> Iterator[Path]:
    for folder in (top, *filter(Path.is_dir, top.rglob("*"))):
        yield from (folder, folder / "agents", folder / "Agents", folder / "x")


def test_no_system_that_looks_into_a_folder_is_left_out(places: HostPaths, tmp_path: Path) -> None:
    files, found = Files(), set()
    for folder in folders(tmp_path):
        looking = {one for one in SYSTEMS if scope_of(one, folder, places, files) is not None}
        assert looking <= may_look(SYSTEMS, folder, places, files), folder
        found |= looking

    assert found == set(SYSTEMS)
    # By the name of a link's target, by a variable, and by a manifest.
    for relative in ("dotfiles/mine/deep", "configured/agents", "w/kit/odd"):
        assert may_look(SYSTEMS, tmp_path / relative, places, files), relative


def test_few_systems_are_asked_about_an_ordinary_folder(places: HostPaths, tmp_path: Path) -> None:
    """Four find their folders by files in them, so that no name tells."""
    near = may_look(SYSTEMS, tmp_path / "w/src/parser", places, Files())

    assert {one.id for one in near} == {"moltis", "claude", "cursor", "opencode-config"}
    assert may_misplace(SYSTEMS, tmp_path / "w/src/parser") == frozenset()


def test_a_machine_without_a_program_is_asked_for_its_first_folder_only(tmp_path: Path) -> None:
    """Such as `~/.gemini` for all that Gemini CLI would find below it."""
    asked: list[Path] = []

    class Told(Disk):
        def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
            asked.append(path)
            return super().status(path, is_followed=is_followed)

    home = tmp_path / "home"
    home.mkdir()
    places = HostPaths(home, installed("templates"))
    files = Files(Told())
    may_look(SYSTEMS, tmp_path / "w", places, files)

    below = [one.relative_to(home).as_posix() for one in asked if home in one.parents]
    assert {".claude", ".gemini", ".config"} <= set(below)
    assert [one for one in below if "/" in one] == []
    assert sorted(below) == sorted(set(below))

    # A file that is not saved yet may be in a folder that is missing.
    expected = {
        system: [folder for rule in fixed_rules(system) for folder in fixed(rule, places)]
        for system in SYSTEMS
    }
    found = set()
    for system, folders_of in expected.items():
        for folder in folders_of:
            if scope_of(system, folder, places, files) is not None:
                assert system in may_look(SYSTEMS, folder, places, files), folder
                found.add(system.id)
    assert {"claude", "gemini", "opencode", "codex-agents", "copilot"} <= found
