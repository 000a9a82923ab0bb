"""The systems that names leave out would have said no, and they leave out most of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_lsp.dialects import SYSTEMS
from agent_lsp.installed import installed
from agent_lsp.workspace.files import Files
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
