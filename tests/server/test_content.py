"""Previews as documents of the server."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from tests.server.editor import Editor, until
from tests.server.sharing import Servers

PATH, OTHER = ".codex/.agents/reviewer.md", ".codex/.agents/other.md"
TEXT = "---\ndescription: Reviews.\n---\nReview.\n"
PREVIEW = "agentTemplates.previewSpawn"
ID = "agent-templates-previews"


def reads(capabilities: types.ClientCapabilities) -> None:
    assert capabilities.workspace is not None
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities(
        dynamic_registration=True
    )


async def shown(editor: Editor, **argument: object) -> str:
    """The URI of the preview that the server asks the editor to open."""
    before = len(editor.client.shown_documents)
    asked = {"dialect": "codex-templates", "agent_type": "reviewer", "format": "markdown"}
    await editor.command(PREVIEW, {**asked, **argument, "show": True})
    await until(lambda: len(editor.client.shown_documents) > before)
    return editor.client.shown_documents[-1].uri


async def content(editor: Editor, uri: str) -> str:
    params = types.TextDocumentContentParams(uri)
    found = await editor.client.workspace_text_document_content_async(params)
    return found.text


async def test_a_preview_is_a_document_that_is_refreshed_after_changes(
    servers: Servers,
    tmp_path: Path,
) -> None:
    files = {PATH: TEXT, OTHER: TEXT}
    async with servers.editing(tmp_path, "visual-studio-code", files, able=reads) as editor:
        refreshed: list[str] = []

        def refresh(_: LanguageClient, params: Any) -> None:
            refreshed.append(params.uri)

        editor.client.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)(refresh)
        await until(lambda: ID in {one.id for one in editor.registered})
        [registered] = [one for one in editor.registered if one.id == ID]
        assert registered.register_options == {"schemes": ["agent-template-preview"]}

        uri = await shown(editor, uri=editor.path(PATH).as_uri())
        assert uri.startswith("agent-template-preview:/previewSpawn-reviewer.md?")
        assert not list(editor.home.rglob("previewSpawn-reviewer.md"))
        answer = await editor.command(
            PREVIEW,
            {
                "dialect": "codex-templates",
                "agent_type": "reviewer",
                "format": "markdown",
                "uri": editor.path(PATH).as_uri(),
            },
        )
        assert await content(editor, uri) == answer["markdown"]

        path = editor.open(PATH)
        other = editor.open(OTHER)
        editor.change(other, TEXT.replace("Review.", "Other."))
        editor.change(path, TEXT.replace("Review.", "Judge."))
        await until(lambda: bool(refreshed))
        assert "Judge." in await content(editor, uri)
        written = editor.write(PATH, TEXT.replace("Review.", "Decide."))
        editor.close(path)
        editor.changed_on_disk(written, types.FileChangeType.Changed)
        await until(lambda: len(refreshed) > 1)
        assert "Decide." in await content(editor, uri)
        assert set(refreshed) == {uri}


@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/passwd",
        "agent-template-preview:/x.md",
        "agent-template-preview:/x.md?{}",
        "agent-template-preview:/x.md?[1]",
        "agent-template-preview:/x.md?%7B%22command%22%3A%22rm%22%2C%22argument%22%3A%7B%7D%7D",
        "agent-template-preview://[",
    ],
)
async def test_a_uri_that_is_no_preview_is_refused(
    servers: Servers, uri: str, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {PATH: TEXT}, able=reads) as editor:
        with pytest.raises(JsonRpcException, match="is not the address of a preview"):
            await content(editor, uri)


async def test_for_other_clients_a_preview_is_a_file(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {PATH: TEXT}) as editor:
        uri = await shown(editor)
        assert uri.startswith("file:")
        await until(lambda: bool(editor.registered))
        assert ID not in {one.id for one in editor.registered}


async def test_the_report_of_a_conversion_is_a_document_as_well(
    servers: Servers, tmp_path: Path
) -> None:
    files = {PATH: TEXT.replace("---\nReview", "model: gpt-5\n---\nReview")}
    async with servers.editing(tmp_path, "visual-studio-code", files, able=reads) as editor:
        asked = {"uri": editor.path(PATH).as_uri(), "to": "claude", "format": "markdown"}
        answer = await editor.command("agentTemplates.convert", {**asked, "show": True})
        await until(lambda: bool(editor.client.shown_documents))
        uri = editor.client.shown_documents[-1].uri

        assert uri.startswith("agent-template-preview:/convert-claude-reviewer.md?")
        assert await content(editor, uri) == answer["markdown"]
        assert "`model: gpt-5`: " in answer["markdown"]
