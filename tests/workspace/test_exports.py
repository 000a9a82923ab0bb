"""The exports of a file follow its text."""

from pathlib import Path

from agent_lsp.workspace.exports import exports
from tests.fixture import Fixture, fixture

AGENT = "---\nname: %s\ndescription: d\n---\nYou help.\n"


def names(made: Fixture) -> set[str]:
    return {name for _, name in exports(made.workspace, made.path).names}


def test_the_names_follow_the_text_of_the_editor_and_of_the_disk(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/x.md\n{AGENT % 'a'}")
    files = made.workspace.files
    assert names(made) == {"a"}
    for name in ("b", "c"):
        files.open(made.path, AGENT % name)
        assert names(made) == {name}
    files.open(made.path, "Notes.\n")
    assert names(made) == set()
    files.close(made.path)
    assert names(made) == {"a"}
    made.path.write_text(AGENT % "d", encoding="utf-8")
    files.rewritten(made.path)
    assert names(made) == {"d"}


def test_the_names_follow_the_marker_of_the_folder(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- kit/agents/x.md\n{AGENT % 'a'}")
    assert names(made) == set()
    manifest = made.root / "kit/.claude-plugin/plugin.json"
    made.workspace.files.open(manifest, '{"name": "kit"}')
    assert names(made) == {"kit:a"}
    made.workspace.files.open(manifest, '{"name": "other"}')
    assert names(made) == {"other:a"}
