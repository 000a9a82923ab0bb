"""Navigation in a file that defines several agents, by names that stand in it."""

import tomllib
from pathlib import Path

import pytest

from agent_lsp.analysis.navigation import definition as lookup
from agent_lsp.analysis.navigation.call_hierarchy import agent_at, incoming, outgoing
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.analysis.navigation.references import Reference
from agent_lsp.analysis.navigation.rename import CannotRename, Renaming, rename
from agent_lsp.analysis.navigation.workspace_symbols import workspace_symbols
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import Fixture, fixture

SOURCE = """\
//- moltis.toml
[agents]
default_preset = "sorter"

[agents.presets.sorter]
model = "a/b"
delegate_only = true
system_prompt_suffix = "Delegate to `writer`."

[agents.presets.writer]
identity.name = "Pen"

[agents.presets.writer.tools]
deny = ["spawn_agent"]

[agents.presets.clerk]
delegate_only = true
system_prompt_suffix = "Delegate to `sorter`, never to `writer`."
"""


def _at(folder: Path, source: str) -> tuple[Fixture, TemplateFile]:
    at = fixture(folder, source)
    file = template_file(at.workspace, at.path)
    assert file is not None
    return at, file


def _drawn(at: Fixture, found: tuple[Reference, ...]) -> list[str]:
    return [
        f"{at.text[: place.span.start].count(chr(10)) + 1}:{place.span.of(at.text)}"
        for place in sorted(found, key=lambda place: place.span)
    ]


def test_the_default_leads_to_its_preset(tmp_path: Path) -> None:
    at, file = _at(tmp_path, SOURCE.replace('"sorter"', '"sor$0ter"'))
    assert _drawn(at, lookup.definition(file, at.offset)) == ["4:sorter"]


def test_a_preset_is_referred_to_by_tables_prompts_and_the_default(tmp_path: Path) -> None:
    at, file = _at(tmp_path, SOURCE.replace("presets.sorter", "presets.sor$0ter"))
    found = lookup.references_at(file, at.offset, declaration=True)
    assert _drawn(at, found) == ["2:sorter", "4:sorter", "17:sorter"]


def test_a_preset_is_renamed_in_all_of_its_tables(tmp_path: Path) -> None:
    at, file = _at(tmp_path, SOURCE.replace("presets.writer]", "presets.wri$0ter]"))
    found = rename(file, at.offset, "poet")
    assert isinstance(found, Renaming)
    assert found.moved is None
    assert apply(at.text, found.edits[at.path]) == at.text.replace("writer", "poet")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("clerk", "`clerk` is taken: `moltis.toml` defines it"),
        ("", "`` cannot be the name of an agent: the runtime would not read it"),
        ('a"b', '`a"b` cannot be the name of an agent: the runtime would not read it'),
        (r"a\b", r"`a\b` cannot be the name of an agent: the runtime would not read it"),
    ],
)
def test_a_preset_keeps_its_name_for_a_reason(tmp_path: Path, name: str, reason: str) -> None:
    at, file = _at(tmp_path, SOURCE.replace("presets.writer]", "presets.wri$0ter]"))
    assert rename(file, at.offset, name) == CannotRename(reason)


@pytest.mark.parametrize("name", ["a b", "a.b", "🦉", "it's"])
def test_a_name_that_is_no_bare_key_gets_quotes(tmp_path: Path, name: str) -> None:
    at, file = _at(tmp_path, SOURCE.replace("presets.writer]", "presets.wri$0ter]"))
    found = rename(file, at.offset, name)
    assert isinstance(found, Renaming)
    after = apply(at.text, found.edits[at.path])
    assert f'[agents.presets."{name}"]' in after
    assert name in tomllib.loads(after)["agents"]["presets"]


def test_a_preset_starts_those_that_its_own_table_names(tmp_path: Path) -> None:
    """If it may delegate at all: the runtime takes the call away from every other one."""
    for number, (word, calls) in enumerate(
        [
            ("a/b", (["writer"], ["clerk"])),
            ("Pen", ([], ["sorter"])),
            ("clerk", (["sorter"], [])),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        at, file = _at(folder, SOURCE.replace(word, f"$0{word}", 1))
        target = agent_at(file, at.offset)
        assert target is not None
        starts = [one.called.agent for one in outgoing(at.workspace, target)]
        started = [one.caller.agent for one in incoming(at.workspace, target)]
        assert (starts, started) == calls


def test_a_preset_is_found_where_its_name_stands(tmp_path: Path) -> None:
    at, _ = _at(tmp_path, SOURCE)
    [found] = [one for one in workspace_symbols(at.workspace, "clerk") if one.path == at.path]
    assert at.text[found.span.start :].startswith("clerk]")


def test_a_path_in_the_prompt_of_a_preset_is_a_link_and_none_elsewhere(tmp_path: Path) -> None:
    text = (
        '//- moltis.toml\n[mcp.servers.a]\nargs = ["docs/guide.md"]\n[agents.presets.writer]\n'
        'system_prompt_suffix = "Follow docs/guide.md."\n//- docs/guide.md\nHow.\n'
    )
    at, file = _at(tmp_path, text)
    [link] = document_links(file)
    assert link.target == at.root / "docs/guide.md"
    assert link.span.start > at.text.index("Follow")
