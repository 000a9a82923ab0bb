"""What the features that every dialect has do with a file of tables."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.fixes import repaired
from agent_lsp.analysis.navigation.structure import document_symbols, folding
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

FILE = """\
[server]
port = 1

[agents.presets.scout]
tools.alow = ["exec"]

[agents.presets.coder]
model = "o3"

[agents.presets.scout.identity]
nmae = "a"
"""


def written(folder: Path, source: str = f"//- moltis.toml\n{FILE}") -> Fixture:
    return fixture(folder, source)


def test_the_outline_has_each_template_with_its_settings_where_its_name_stands_first(
    tmp_path: Path,
) -> None:
    made = written(tmp_path)
    file = template_file(made.workspace, made.path)

    assert file is not None
    assert [(part.name, part.name_span.of(made.text)) for part in document_symbols(file)] == [
        ("scout", "scout"),
        ("coder", "coder"),
        ("scout.identity", "scout.identity"),
    ]
    assert [[inner.name for inner in part.children] for part in document_symbols(file)] == [
        ["tools.alow"],
        ["model"],
        ["nmae"],
    ]


def test_each_table_folds_for_itself(tmp_path: Path) -> None:
    made = written(tmp_path)
    file = template_file(made.workspace, made.path)

    assert file is not None
    folded = [span.of(made.text).splitlines() for span in folding(file)]
    assert [lines[0] for lines in folded] == [
        "[server]",
        "[agents.presets.scout]",
        "[agents.presets.coder]",
        "[agents.presets.scout.identity]",
    ]
    assert folded[0][-1] == "port = 1"


def test_fixes_of_keys_and_tools_leave_sound_toml(tmp_path: Path) -> None:
    source = FILE.replace('"exec"', '"exce"').replace("alow", "allow")
    made = written(tmp_path, f"//- moltis.toml\n{source}")

    fixed = repaired(made.workspace, made.path, unsafe=True)

    assert fixed == source.replace("nmae", "name").replace('"exce"', '"exec"')


def test_only_a_folder_with_such_a_file_is_its_place(tmp_path: Path) -> None:
    made = written(tmp_path, f"//- a/moltis.toml\n{FILE}\n//- b/readme.md\nHello.\n")
    owner = placement_at(made.workspace, made.path)

    assert owner is not None
    assert owner.system.id == "moltis"
    assert placement_at(made.workspace, made.root / "a/readme.md") is None
    assert placement_at(made.workspace, made.root / "a/other.toml") is None
    assert placement_at(made.workspace, made.root / "b/moltis.toml") is None


def test_a_file_that_only_the_editor_has_makes_its_folder_a_place(tmp_path: Path) -> None:
    made = written(tmp_path, "//- b/readme.md\nHello.\n")
    path = made.root / "b/moltis.toml"
    made.workspace.files.open(path, FILE)
    file = template_file(made.workspace, path)

    assert file is not None
    assert [one.name for one in file.names] == ["scout", "coder"]


def test_the_first_scope_hides_the_others(tmp_path: Path) -> None:
    user = "//- ~/.config/moltis/moltis.toml\n[agents.presets.mine]\n"
    made = written(tmp_path, f"//- a/moltis.toml\n{FILE}\n{user}")
    owner = placement_at(made.workspace, made.path)

    assert owner is not None
    dialect = owner.dialect
    assert catalog(made.workspace, dialect, made.root / "a").names == ("coder", "scout")
    assert catalog(made.workspace, dialect, made.root).names == ("mine",)


_PRESET = "//- moltis.toml\n[agents.presets.scout]\n"
_AGENT = "//- .codex/agents/a.toml\nname = 'a'\ndescription = 'A.'\n"
_ROLE = "//- .codex/config.toml\n[agents.a]\ndescription = 'A.'\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f'{_PRESET}model = "$0', "anthropic/claude-haiku-3-5-20241022"),
        (f'{_PRESET}tools.allow = ["$0', "read_file"),
        (f'{_PRESET}tools.allow = ["exec", "$0"]', "read_file"),
        (f"{_PRESET}tools.$0", "allow"),
        ("//- moltis.toml\n[$0", "agents"),
        ("//- moltis.toml\n[agents.$0", "presets"),
        (f"{_PRESET}[agents.presets.scout.$0", "identity"),
        (f'{_AGENT}model_reasoning_effort = "$0', "low"),
        (f"{_AGENT}features.$0", "shell_tool"),
        (f"{_AGENT}[$0", "features"),
        (f"{_AGENT}[skills.$0", "config"),
        (f"{_ROLE}\n[$0", "agents"),
        (f"{_ROLE}\n[agents]\n$0", "enabled"),
        (f"{_ROLE}\n[agents.b]\n$0", "description"),
        ("//- .codex/config.toml\nagents.$0", "enabled"),
        # A table of a name that is there already would be a mistake.
        (f"{_ROLE}\n[agents.$0", None),
    ],
)
def test_a_list_follows_each_sign_that_begins_something(
    tmp_path: Path, source: str, expected: str | None
) -> None:
    found = fixture(tmp_path, f"{source}\n")
    offered = complete(found.workspace, found.path, found.offset)
    assert (offered[0].label if offered else None) == expected
