"""Symbols, folding ranges and selection ranges, as each editor gets them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.editor import CLIENTS, Editor, editing

REVIEWER = """\
---
description: Reviews 😀.
agent_names:
  - name: strict
    description: Lets nothing pass.
---
# Goal

Find faults.

<!-- agent_name: strict -->
Be strict.
"""
FILES = {
    ".codex/.agents/reviewer.md": REVIEWER,
    "README.md": "# Shop\n",
    "~/.codex/.agents/reviewer.md": "---\ndescription: Mine.\n---\nReview.\n",
}


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, with one template open."""
    async with editing(tmp_path_factory.mktemp("editor"), request.param, FILES) as it:
        path = it.open(".codex/.agents/reviewer.md")
        await it.sees(path)
        yield it


def identifier(editor: Editor, name: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(editor.path(name).as_uri())


async def test_document_symbols_are_a_tree(editor: Editor) -> None:
    document = identifier(editor, ".codex/.agents/reviewer.md")
    params = types.DocumentSymbolParams(document)
    symbols = await editor.client.text_document_document_symbol_async(params)
    assert symbols
    trees = [one for one in symbols if isinstance(one, types.DocumentSymbol)]
    assert [one.name for one in trees] == ["description", "agent_names", "Goal", "strict"]
    [persona] = trees[1].children or ()
    assert (persona.name, persona.selection_range.start) == ("strict", types.Position(3, 10))
    assert trees[0].range.end == types.Position(1, {"utf-8": 26, "utf-16": 24, "utf-32": 23}[
        CLIENTS[editor.name][1]
    ])  # fmt: skip


async def test_workspace_symbols_show_scope_and_state(editor: Editor) -> None:
    for query, expected in (
        ("rview", ["project (codex-templates)", "user, shadowed by .codex/.agents/reviewer.md"]),
        ("strict", ["reviewer, project (codex-templates)"]),
    ):
        params = types.WorkspaceSymbolParams(query)
        found = await editor.client.workspace_symbol_async(params) or ()
        names = [one.container_name or "" for one in found]
        assert [name.removesuffix(" (codex-templates)") for name in names] == [
            name.removesuffix(" (codex-templates)") for name in expected
        ]


async def test_the_header_and_the_parts_of_the_body_fold(editor: Editor) -> None:
    params = types.FoldingRangeParams(identifier(editor, ".codex/.agents/reviewer.md"))
    found = await editor.client.text_document_folding_range_async(params) or ()
    lines = [(one.start_line, one.end_line) for one in found]
    assert lines == [(0, 5), (2, 4), (3, 4), (6, 8), (10, 11)]


async def test_a_selection_grows_at_each_position(editor: Editor) -> None:
    document = identifier(editor, ".codex/.agents/reviewer.md")
    positions = [types.Position(3, 12), types.Position(8, 1)]
    params = types.SelectionRangeParams(document, positions)
    first, second = await editor.client.text_document_selection_range_async(params) or ()
    assert first.range == types.Range(types.Position(3, 10), types.Position(3, 16))
    assert second.range == types.Range(types.Position(8, 0), types.Position(8, 4))
    assert second.parent is not None


async def test_other_files_have_no_symbols_and_folds(editor: Editor) -> None:
    document = identifier(editor, "README.md")
    assert not await editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(document)
    )
    assert not await editor.client.text_document_folding_range_async(
        types.FoldingRangeParams(document)
    )


async def test_a_typed_name_is_found_at_once(editor: Editor) -> None:
    path = editor.open(".codex/.agents/typed.md", REVIEWER)
    editor.change(path, REVIEWER.replace("strict", "ruthless"))
    params = types.WorkspaceSymbolParams("ruthless")
    found = await editor.client.workspace_symbol_async(params) or ()
    editor.close(path)
    assert [one.name for one in found] == ["ruthless"]
