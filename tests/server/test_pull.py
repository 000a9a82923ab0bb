"""Diagnostics for a client that requests them, of open files and of the workspace."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcMethodNotFound

from tests.server.editor import Editor, editing, until
from tests.server.sharing import Servers

AGENT, OTHER, CLOSED = (f".codex/.agents/{name}.md" for name in ("reviewer", "other", "closed"))
SOUND = "---\ndescription: Reviews.\n---\nReview.\n"
FAULT = SOUND.replace("---\nR", "modle: x\n---\nR")
CODES = ["unknown-key"]


def _pulls(able: types.ClientCapabilities) -> None:
    """Adds what newer versions of the editors can do."""
    assert able.text_document is not None
    assert able.workspace is not None
    able.text_document.diagnostic = types.DiagnosticClientCapabilities()
    able.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)


async def _of_document(editor: Editor, path: Path, previous: str | None = None) -> Any:
    document = types.TextDocumentIdentifier(path.as_uri())
    params = types.DocumentDiagnosticParams(document, previous_result_id=previous)
    return await editor.client.text_document_diagnostic_async(params)


async def _of_workspace(editor: Editor, *previous: Any) -> dict[str, Any]:
    ids = [types.PreviousResultId(one.uri, one.result_id) for one in previous]
    answer = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(ids))
    return {Path(one.uri).name: one for one in answer.items}


def _codes(report: Any) -> list[str]:
    return [str(one.code) for one in report.items]


@pytest.mark.parametrize("name", ["visual-studio-code", "neovim@v0.11"])
async def test_an_open_file_has_its_diagnostics_on_request_and_is_sent_none(
    servers: Servers, name: str, tmp_path: Path
) -> None:
    # On disk the file is sound: what the server sends before it is open has no findings.
    async with servers.editing(tmp_path, name, {AGENT: SOUND}, able=_pulls) as editor:
        path = editor.open(AGENT, FAULT)
        first = await _of_document(editor, path)
        assert (first.kind, _codes(first)) == ("full", CODES)
        again = await _of_document(editor, path, first.result_id)
        assert (again.kind, again.result_id) == ("unchanged", first.result_id)
        editor.change(path, SOUND)
        sound = await _of_document(editor, path, first.result_id)
        assert (sound.kind, _codes(sound)) == ("full", [])
        assert sound.result_id != first.result_id
        # After its own change the client asks by itself.
        await editor.settled()
        assert editor.refreshes == []
        assert [one for one in editor.published if one.diagnostics] == []


async def test_the_client_asks_again_when_another_file_changes_the_findings(
    servers: Servers, tmp_path: Path
) -> None:
    delegating = "---\nname: lead\ndescription: Leads.\ntools: Agent(helper)\n---\nLead.\n"
    helper = "---\nname: helper\ndescription: Helps.\n---\nHelp.\n"
    lead, named = ".claude/agents/lead.md", ".claude/agents/helper.md"
    files = {lead: delegating, named: helper}
    async with servers.editing(tmp_path, "neovim@v0.11", files, able=_pulls) as editor:
        path = editor.open(lead)
        assert _codes(await _of_document(editor, path)) == []
        editor.path(named).unlink()
        editor.changed_on_disk(editor.path(named), types.FileChangeType.Deleted)
        await until(lambda: editor.refreshes != [])
        assert _codes(await _of_document(editor, path)) == ["unknown-agent"]
        assert [one for one in editor.published if one.diagnostics] == []


async def test_closed_files_are_sent_until_the_client_asks_for_the_workspace(
    tmp_path: Path,
) -> None:
    # A server of its own: it sends nothing more to a client that has asked once.
    # The one that is opened is not on disk, so that it is never closed.
    files = {CLOSED: FAULT, OTHER: SOUND}
    async with editing(tmp_path, "neovim@v0.11", files, able=_pulls) as editor:
        path, closed = editor.open(AGENT, FAULT), editor.path(CLOSED)
        await editor.sees(closed, *CODES)
        first = await _of_workspace(editor)
        assert {name: _codes(one) for name, one in first.items()} == {
            "reviewer.md": CODES,
            "closed.md": CODES,
        }
        assert (first["reviewer.md"].version, first["closed.md"].version) == (1, None)
        # What was sent is taken back, so that nothing is shown twice.
        await editor.sees(closed)
        again = await _of_workspace(editor, *first.values())
        assert {one.kind for one in again.values()} == {"unchanged"}
        editor.write(CLOSED, SOUND)
        editor.changed_on_disk(closed, types.FileChangeType.Changed)
        await until(lambda: editor.refreshes != [])
        sound = await _of_workspace(editor, *first.values())
        assert (sound["closed.md"].kind, _codes(sound["closed.md"])) == ("full", [])
        assert sound["reviewer.md"].kind == "unchanged"
        assert path.as_uri() not in editor.client.diagnostics


async def test_a_closed_file_that_is_opened_is_no_longer_sent(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {AGENT: FAULT}, able=_pulls) as editor:
        await editor.sees(editor.path(AGENT), *CODES)
        path = editor.open(AGENT)
        await editor.sees(path)
        assert _codes(await _of_document(editor, path)) == CODES
        editor.close(path)
        await editor.sees(path, *CODES)


async def test_a_header_that_is_typed_is_reported_when_it_is_left(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {OTHER: SOUND}, able=_pulls) as editor:
        path = editor.open(AGENT, "")
        header = "---\nmodle: x\n---\n"
        for length in range(1, len(header)):
            editor.change(path, header[:length])
        assert _codes(await _of_document(editor, path)) == []
        editor.change(path, f"{header}\nReview.")
        assert "unknown-key" in _codes(await _of_document(editor, path))


@pytest.mark.parametrize("lacking", ["diagnostic", "refresh", "beside"])
async def test_other_clients_are_sent_their_diagnostics(
    servers: Servers, lacking: str, tmp_path: Path
) -> None:
    """Without the request; without the one to ask again; and the extension of VS Code."""

    def lose(able: types.ClientCapabilities) -> None:
        _pulls(able)
        if lacking == "diagnostic" and able.text_document is not None:
            able.text_document.diagnostic = None
        if lacking == "refresh" and able.workspace is not None:
            able.workspace.diagnostics = None

    asks, name = {"besideVSCode": lacking == "beside"}, "visual-studio-code"
    async with servers.editing(tmp_path, name, {AGENT: FAULT}, able=lose, asks=asks) as editor:
        path = editor.open(AGENT)
        await editor.sees(path, *CODES)
        with pytest.raises(JsonRpcMethodNotFound):
            await _of_document(editor, path)
