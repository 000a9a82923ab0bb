"""What a name in a configuration leads to, where the preset of it is in another file or in none."""

from pathlib import Path

from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import definition, references_at
from agent_lsp.analysis.navigation.rename import Renaming, rename
from agent_lsp.workspace.snapshot import template_file
from tests.dialects.test_moltis_calls import spawned
from tests.fixture import fixture

PLACE = ".moltis/agents/scout.md"
DEFINED = "---\nname: scout\ntheme: calm\n---\nLook.\n"
ONLY_DEFAULT = '[agents]\ndefault_preset = "{}"\n'


def shown(folder: Path, text: str, more: str = "") -> str:
    """The hover at the cursor in a configuration."""
    written = fixture(folder, f"//- moltis.toml\n{text}{more}")
    found = hover(written.workspace, written.path, written.offset)
    return found.markdown if found is not None else ""


def test_a_default_without_presets_leads_to_its_definition_and_back(tmp_path: Path) -> None:
    text = ONLY_DEFAULT.format("sc$0out")
    made = fixture(tmp_path, f"//- moltis.toml\n{text}//- {PLACE}\n{DEFINED}")
    file, there = (template_file(made.workspace, path) for path in (made.path, made.root / PLACE))
    assert file is not None
    assert there is not None

    [place] = definition(file, made.offset)
    assert (place.path, place.span.of(DEFINED)) == (there.path, "scout")
    for start, offset in ((file, made.offset), (there, place.span.start)):
        found = references_at(start, offset, declaration=True)
        assert {one.path for one in found} == {made.path, there.path}
        renamed = rename(start, offset, "lens")
        assert isinstance(renamed, Renaming)
        assert set(renamed.edits) == {made.path, there.path}


def test_a_default_says_what_its_definition_is(tmp_path: Path) -> None:
    text = ONLY_DEFAULT.format("sc$0out")

    found = shown(tmp_path, text, f"//- {PLACE}\n{DEFINED}")
    assert "It is defined in" in found
    assert "You are scout. Your style is calm." in found


def test_a_default_that_is_built_in_or_nowhere_is_told_apart(tmp_path: Path) -> None:
    built_in = shown(tmp_path / "built-in", ONLY_DEFAULT.format("re$0search"))
    nowhere = shown(tmp_path / "nowhere", ONLY_DEFAULT.format("no$0pe"))

    assert "`research` is built in" in built_in
    assert nowhere.startswith("No template has this name")


def test_a_preview_says_where_its_preset_begins(tmp_path: Path) -> None:
    text = "[agents.presets.a]\n\n[agents.presets.b]\nmodel = 'o3'\n"

    assert spawned(tmp_path, text, preset="b", task="x")["template"]["line"] == 3


def test_an_id_of_the_document_is_not_called_one_of_the_runtime_s(tmp_path: Path) -> None:
    preset = "[agents.presets.scout]\nmodel = '{}$0'\n"
    theirs = shown(tmp_path / "raw", preset.format("claude-sonnet-4-20250514"))
    written = shown(tmp_path / "doc", preset.format("anthropic/claude-sonnet-4-20250514"))

    assert "is in the model list that the runtime ships" in theirs
    assert "is in the model list" not in written
    assert "uses ids without the provider" in written
