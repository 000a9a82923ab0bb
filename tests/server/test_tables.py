"""A file of tables in an editor: diagnostics, completion, hover, symbols, changes on disk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.editor import CLIENTS
from tests.server.sharing import Able, Servers

FILE = "moltis.toml"
EMOJI = '[agents.presets.scout]\nidentity = { emoji = "🔍🦉", nmae = "a" }\n'
FAULTY = "[agents.presets.scout]\nmodle = 'o3'\n"


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_columns_after_emoji_count_in_the_editors_encoding(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[CLIENTS[client][1]]
    before = EMOJI.splitlines()[1].partition("nmae")[0]
    column = len(before.encode({1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[unit])) // unit
    async with servers.editing(tmp_path, client, {}) as editor:
        path = editor.open(FILE, EMOJI)
        [found] = await editor.sees(path, "unknown-key")

        assert found.range.start == types.Position(1, column)


async def test_a_configuration_has_completion_hover_and_symbols(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        path = editor.open(FILE, f"{FAULTY}tools.allow = []\n")
        await editor.sees(path, "unknown-key")
        document = types.TextDocumentIdentifier(path.as_uri())
        items = await editor.client.text_document_completion_async(
            types.CompletionParams(document, types.Position(2, 15))
        )
        shown = await editor.client.text_document_hover_async(
            types.HoverParams(document, types.Position(0, 18))
        )
        symbols = await editor.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document)
        )

    assert isinstance(items, types.CompletionList)
    assert "exec" in [item.label for item in items.items]
    assert shown is not None
    assert "**`scout`**" in str(shown.contents)
    assert [symbol.name for symbol in symbols or ()] == ["scout"]


def _flat(able: types.ClientCapabilities) -> None:
    assert able.text_document is not None
    able.text_document.document_symbol = types.DocumentSymbolClientCapabilities()


def _names(symbols: Sequence[types.DocumentSymbol | types.SymbolInformation]) -> Iterator[str]:
    for one in symbols:
        yield one.name
        yield from _names(getattr(one, "children", None) or ())


@pytest.mark.parametrize("able", [None, _flat], ids=["a tree", "a list"])
@pytest.mark.parametrize(
    "text", ["[agents.presets]\n'' = {}\n", "agents.presets.''.model = 'o3'\n"]
)
async def test_what_has_no_name_has_one_in_the_outline(
    servers: Servers, able: Able | None, text: str, tmp_path: Path
) -> None:
    """VS Code shows no outline at all if the name of a symbol is empty."""
    async with servers.editing(tmp_path, "visual-studio-code", {}, able=able) as editor:
        document = types.TextDocumentIdentifier(editor.open(FILE, text).as_uri())
        params = types.DocumentSymbolParams(document)
        symbols = await editor.client.text_document_document_symbol_async(params)
        calls = await editor.client.text_document_prepare_call_hierarchy_async(
            types.CallHierarchyPrepareParams(document, types.Position(text.count("\n") - 1, 1))
        )

    names = [*_names(symbols or ()), *(one.name for one in calls or ())]
    assert "…" in names
    assert "" not in names


async def test_a_closed_configuration_is_reported_and_followed_on_disk(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {FILE: FAULTY}) as editor:
        path = editor.path(FILE)
        await editor.sees(path, "unknown-key")
        editor.write(FILE, FAULTY.replace("modle", "model"))
        editor.changed_on_disk(path, types.FileChangeType.Changed)
        await editor.sees(path)

        await editor.watches("**/moltis.toml")


async def test_other_toml_is_left_alone(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        other = editor.open("pyproject.toml", FAULTY)
        path = editor.open(FILE, FAULTY)
        await editor.sees(path, "unknown-key")

        assert editor.found(other) == []


TWO = "[agents]\n\n[agents.presets.scout]\n\n[agents.presets.lens.tools]\nallow = []\n"


@pytest.mark.parametrize(("line", "name"), [(0, None), (2, "scout"), (3, "scout"), (5, "lens")])
async def test_a_preview_shows_the_preset_at_the_line(
    servers: Servers, line: int, name: str | None, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        path = editor.open(FILE, TWO)
        asked = {"uri": path.as_uri(), "line": line, "task": "t"}
        answer = await editor.command("agentTemplates.previewSpawn", asked)

    assert answer["result"]["name"] == (name or "(no preset)")


async def test_a_preview_shows_the_preset_named_in_a_header(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        path = editor.open(".moltis/agents/any.md", "---\nname: scout\n---\nLook.\n")
        asked = {"uri": path.as_uri(), "line": 3, "task": "t"}
        answer = await editor.command("agentTemplates.previewSpawn", asked)
        wrong = await editor.command("agentTemplates.previewSpawn", {**asked, "line": "3"})

    assert answer["result"]["name"] == "scout"
    assert wrong["error"] == "`line` is the number of a line of `uri`, counted from 0"
