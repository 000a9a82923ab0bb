"""The setting that says which generation of Moltis is in use."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.options import Extras, Options
from tests.fixture import Fixture, fixture

OLD = '[agents.presets.scout]\nidentity.vibe = "calm"\n'
NEW = '[agents.presets.scout]\nidentity.theme = "calm"\n'
PLAIN = '[agents.presets.scout]\ntools.deny = ["exec", "write_file"]\n'


def written(folder: Path, text: str, generation: str | None) -> Fixture:
    """A project with `text` as its configuration, where the settings name a generation."""
    options = Options(extras={"moltis": Extras(generation=generation)})
    return fixture(folder, f"//- moltis.toml\n{text}", options=options)


def codes(folder: Path, text: str, generation: str | None) -> list[str]:
    """The codes of what is said there."""
    file = written(folder, text, generation)
    return [found.code for found in diagnostics(file.workspace, file.path)]


@pytest.mark.parametrize(
    ("text", "generation", "said"),
    [
        (OLD, None, []),
        (OLD, "document", []),
        (OLD, "today", ["other-generation"]),
        (NEW, None, []),
        (NEW, "today", []),
        (NEW, "document", ["other-generation"]),
    ],
)
def test_the_setting_goes_over_the_keys(
    text: str, generation: str | None, said: list[str], tmp_path: Path
) -> None:
    assert codes(tmp_path, text, generation) == said


@pytest.mark.parametrize(
    ("generation", "said", "timeout"),
    [
        (None, [], "600"),
        ("document", [], "600"),
        ("today", ["main-session-unprotected", "renamed-tool"], "none"),
    ],
)
def test_the_setting_decides_where_no_key_tells(
    generation: str | None, said: list[str], timeout: str, tmp_path: Path
) -> None:
    """Diagnostics and previews, also one that names its dialect, follow the same generation."""
    assert codes(tmp_path / "checked", PLAIN, generation) == said
    file = written(tmp_path / "spawned", PLAIN, generation)
    asked = {"dialect": "moltis", "preset": "scout", "task": "Go"}
    result = preview_spawn(file.workspace, asked, file.path)["result"]
    assert isinstance(result, dict)
    assert result["timeout_secs"]["value"] == timeout
