"""Code lenses, inlay hints and semantic tokens, as each editor gets them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from agent_lsp.text import Encoding, LineIndex
from tests.server.editor import CLIENTS, Editor, editing, until
from tests.server.sharing import Servers

PATH = ".codex/.agents/reviewer.md"
REVIEWER = """\
---
description: Reviews.
allow_list: ["😀", exec_command, list_*]
agent_names:
  - name: strict
    description: Lets nothing pass.
---
Review.
<!-- agent_name: strict -->
Be strict.
"""
MINE = "~/.codex/.agents/reviewer.md"
FILES = {PATH: REVIEWER, MINE: "---\ndescription: Mine.\n---\nReview.\n"}


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, with one template open."""
    async with editing(tmp_path_factory.mktemp("editor"), request.param, FILES) as it:
        await it.sees(it.open(PATH), "unknown-tool")
        yield it


async def lenses(editor: Editor, name: str = PATH) -> list[types.CodeLens]:
    document = types.TextDocumentIdentifier(editor.path(name).as_uri())
    return list(
        await editor.client.text_document_code_lens_async(types.CodeLensParams(document)) or ()
    )


async def test_a_code_lens_shows_a_preview_from_the_cache_folder(editor: Editor) -> None:
    found = await lenses(editor)
    titles = [one.command.title for one in found if one.command]
    assert titles == [
        "Preview spawn",
        "List agents",
        "6 of 29 tools",
        "Overrides ~/.codex/.agents/reviewer.md",
        "Preview as strict",
    ]
    command: Any = found[-1].command
    answer = await editor.command(command.command, *command.arguments)
    assert "Be strict." in answer["markdown"]
    if editor.name != "emacs":
        await until(lambda: bool(editor.client.shown_documents))
        shown = editor.client.shown_documents.pop()
        assert shown.uri.endswith("/previews/previewSpawn-reviewer-strict.md")


async def test_a_code_lens_opens_the_other_file_if_the_editor_can_show_it(editor: Editor) -> None:
    command: Any = (await lenses(editor))[3].command
    if editor.name == "emacs":
        assert command.command == ""
        return
    await editor.command(command.command, *command.arguments)
    await until(lambda: bool(editor.client.shown_documents))
    assert editor.client.shown_documents.pop().uri == editor.path(MINE).as_uri()


@pytest.mark.parametrize("argument", [None, 1, {}, {"uri": 1}, {"uri": "untitled:x"}])
async def test_an_invalid_argument_opens_no_file(editor: Editor, argument: object) -> None:
    assert await editor.command("agentTemplates.openFile", argument) is None
    assert editor.client.shown_documents == []


async def test_inlay_hints_show_values_that_the_file_does_not_state(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(editor.path(PATH).as_uri())
    whole = types.Range(types.Position(0, 0), types.Position(9, 0))
    params = types.InlayHintParams(document, whole)
    found = await editor.client.text_document_inlay_hint_async(params) or ()
    index, encoding = LineIndex(REVIEWER), Encoding(CLIENTS[editor.name][1])
    places = {
        one.label: index.offset(one.position.line, one.position.character, encoding)
        for one in found
    }
    assert places == {
        "model: inherited, reasoning_effort: inherited": 3,
        "5 tools": REVIEWER.index("list_*") + len("list_*"),
    }


async def test_semantic_tokens_have_the_spans_of_their_words(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(editor.path(PATH).as_uri())
    params = types.SemanticTokensParams(document)
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    index, encoding = LineIndex(REVIEWER), Encoding(CLIENTS[editor.name][1])
    words, line, column = [], 0, 0
    for at in range(0, len(found.data), 5):
        down, right, length, kind, _ = found.data[at : at + 5]
        line, column = line + down, right + (0 if down else column)
        start, end = (index.offset(line, one, encoding) for one in (column, column + length))
        words.append((kind, REVIEWER[start:end]))
    assert words == [
        (2, "exec_command"),
        (3, "list_*"),
        (1, "strict"),
        (0, "<!-- agent_name: "),
        (1, "strict"),
        (0, " -->"),
    ]


async def test_each_kind_of_decoration_can_be_turned_off(
    servers: Servers,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("off")
    settings = {"codeLens": False, "inlayHints": False}
    async with servers.editing(folder, "visual-studio-code", FILES, settings=settings) as editor:
        await editor.sees(editor.open(PATH), "unknown-tool")
        assert await lenses(editor) == []
        document = types.TextDocumentIdentifier(editor.path(PATH).as_uri())
        whole = types.Range(types.Position(0, 0), types.Position(9, 0))
        params = types.InlayHintParams(document, whole)
        assert not await editor.client.text_document_inlay_hint_async(params)


async def test_code_lenses_are_refreshed_when_another_file_appears(
    servers: Servers,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("again")
    other = ".codex/.agents/other.md"
    files = {PATH: REVIEWER, other: REVIEWER}
    async with servers.editing(folder, "visual-studio-code", files) as editor:
        await editor.sees(editor.open(PATH), "unknown-tool")
        # Closed files are published last, so all refreshes of the start have been sent.
        await editor.sees(editor.path(other), "unknown-tool")
        redrawn: list[None] = []
        editor.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda *_: redrawn.append(None))
        path = editor.write("web/.codex/.agents/reviewer.md", "---\ndescription: W.\n---\nW.\n")
        editor.changed_on_disk(path, types.FileChangeType.Created)
        await until(lambda: bool(redrawn))
