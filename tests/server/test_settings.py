"""Settings from the editor and from the repository's file change the findings at once."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.server.editor import CLIENTS, Editor, until
from tests.server.sharing import Servers

TYPO = "---\ndescription: Reviews changes.\nmodle: gpt-5\n---\nReview.\n"
REVIEWER = ".codex/.agents/reviewer.md"
SETTINGS = "agent-template-lsp.toml"
OFF = {"severity": {"unknown-key": "off"}}


def configure(editor: Editor, settings: object) -> None:
    editor.client.set_configuration(settings, section="agentTemplates")
    params = types.DidChangeConfigurationParams({"agentTemplates": settings})
    editor.client.workspace_did_change_configuration(params)


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_severity_set_in_the_editor_applies_to_open_and_closed_files(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    closed = ".codex/.agents/closed.md"
    async with servers.editing(tmp_path, client, {closed: TYPO}) as editor:
        paths = (editor.open(REVIEWER, TYPO), editor.path(closed))
        for path in paths:
            await editor.sees(path, "unknown-key")
        configure(editor, {"severity": {"unknown-key": "error"}})
        for path in paths:
            [found] = await _with_severity(editor, path, types.DiagnosticSeverity.Error)
            assert found.code == "unknown-key"
        configure(editor, OFF)
        for path in paths:
            await editor.sees(path)
        configure(editor, {})
        for path in paths:
            await editor.sees(path, "unknown-key")


async def test_settings_apply_from_the_start(servers: Servers, tmp_path: Path) -> None:
    files = {REVIEWER: TYPO, ".codex/.agents/bare.md": "---\nmodel: gpt-5\n---\nBe.\n"}
    async with servers.editing(tmp_path, "neovim@v0.11", files, settings=OFF) as editor:
        await editor.sees(editor.path(".codex/.agents/bare.md"), "missing-description")
        await editor.settled()
        await until(lambda: editor.codes(editor.path(REVIEWER)) == [])


async def test_the_editors_general_settings_apply_outside_of_the_workspace(
    servers: Servers,
    tmp_path: Path,
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}, settings=OFF) as editor:
        await editor.sees(editor.open("~/.codex/.agents/mine.md", TYPO))


async def test_the_repositorys_settings_file_applies_as_soon_as_it_is_written(
    servers: Servers,
    tmp_path: Path,
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {REVIEWER: TYPO}) as editor:
        path = editor.path(REVIEWER)
        await editor.sees(path, "unknown-key")
        settings = editor.write(SETTINGS, '[severity]\nunknown-key = "off"\n')
        editor.changed_on_disk(settings, types.FileChangeType.Created)
        await editor.sees(path)
        settings.unlink()
        editor.changed_on_disk(settings, types.FileChangeType.Deleted)
        await editor.sees(path, "unknown-key")


async def test_a_claimed_folder_is_checked_and_watched(servers: Servers, tmp_path: Path) -> None:
    files = {"prompts/reviewer.md": TYPO, SETTINGS: '[folders]\nprompts = "codex-templates"\n'}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        await editor.sees(editor.path("prompts/reviewer.md"), "unknown-key")

        await editor.watches("**/prompts/*.{md,MD}")


async def test_an_invalid_value_is_reported_once_and_the_others_apply(
    servers: Servers, tmp_path: Path
) -> None:
    written = '[severity]\nunknown-key = "off"\nmissing-description = "loud"\n'
    files = {REVIEWER: TYPO, ".codex/.agents/bare.md": "---\nmodel: gpt-5\n---\nBe.\n"}
    files[SETTINGS] = written
    async with servers.editing(tmp_path, "visual-studio-code", files, popups=True) as editor:
        await editor.sees(editor.path(".codex/.agents/bare.md"), "missing-description")
        configure(editor, {"severity": {"wrong-type": "hint"}})
        await editor.settled()

        [shown] = editor.client.messages
        assert "`severity.missing-description`" in shown.message
        assert shown.type is types.MessageType.Warning
        assert editor.path(REVIEWER).as_uri() not in editor.client.diagnostics


async def test_several_mistakes_of_a_closed_file_are_one_message(
    servers: Servers, tmp_path: Path
) -> None:
    written = '[severity]\nunknown-key = "of"\nmissing-description = "loud"\n'
    files = {REVIEWER: TYPO, SETTINGS: written}
    async with servers.editing(tmp_path, "visual-studio-code", files, popups=True) as editor:
        await editor.settled()

        [shown] = editor.client.messages
        assert "`severity.unknown-key`" in shown.message
        assert "(and 1 more)" in shown.message


async def test_the_message_has_a_button_that_leads_to_the_mistake(
    servers: Servers, tmp_path: Path
) -> None:
    asks = {"besideVSCode": True}
    async with servers.editing(
        tmp_path, "visual-studio-code", {REVIEWER: TYPO}, asks=asks
    ) as editor:
        asked: list[str] = []
        opened: list[str] = []

        def press(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
            [button] = params.actions or ()
            asked.append(f"{button.title}: {params.message}")
            return button

        def open_settings(params: Any) -> None:
            opened.append(params.setting)

        editor.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(press)
        editor.client.feature("agentTemplates/openSettings")(open_settings)
        await editor.sees(editor.path(REVIEWER), "unknown-key")
        configure(editor, {"sessionRoot": 7})
        await until(lambda: opened == ["agentTemplates.sessionRoot"])
        assert asked[0].startswith("Open Settings: “agentTemplates.sessionRoot”")
        path = editor.write(SETTINGS, '# Ours.\n[severity]\nunknown-key = "of"\n')
        editor.changed_on_disk(path, types.FileChangeType.Created)
        shown = editor.client.shown_documents
        await until(lambda: bool(shown))
        assert asked[1].startswith(f"Open the Settings File: {SETTINGS}: “severity.unknown-key”")
        assert shown[0].uri == path.as_uri()
        assert shown[0].selection is not None
        assert shown[0].selection.start.line == 2


async def test_an_open_settings_file_is_edited_like_a_template(
    servers: Servers, tmp_path: Path
) -> None:
    files = {SETTINGS: '[severity]\nunknown-tol = "off"\nunknown-key = ""\n'}
    async with servers.editing(tmp_path, "neovim@v0.11", files, popups=True) as editor:
        path = editor.open(SETTINGS)
        await editor.settled()
        uri = types.TextDocumentIdentifier(path.as_uri())
        [found] = editor.client.diagnostics[path.as_uri()][:1]
        assert "unknown-tool" in found.message
        assert found.range.start == types.Position(1, 0)
        at = types.CompletionParams(uri, types.Position(2, 15))
        answer = await editor.client.text_document_completion_async(at)
        assert isinstance(answer, types.CompletionList)
        assert "hint" in [item.label for item in answer.items]
        told = await editor.client.text_document_hover_async(
            types.HoverParams(uri, types.Position(0, 3))
        )
        assert told is not None


async def test_a_quick_fix_turns_a_rule_off_in_the_settings_file(
    servers: Servers, tmp_path: Path
) -> None:
    files = {REVIEWER: TYPO, SETTINGS: '[severity]\nwrong-type = "hint"\n'}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        path = editor.open(REVIEWER)
        [found, *_] = await editor.sees(path, "unknown-key")
        asked = types.CodeActionParams(
            types.TextDocumentIdentifier(path.as_uri()),
            found.range,
            types.CodeActionContext([found], only=[types.CodeActionKind.QuickFix]),
        )
        answer = await editor.client.text_document_code_action_async(asked)
        [action] = [one for one in answer or () if "in this workspace" in one.title]
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        [change] = action.edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.uri == editor.path(SETTINGS).as_uri()
        [edit] = change.edits
        assert isinstance(edit, types.TextEdit)
        assert 'unknown-key = "off"' in edit.new_text
        editor.open(SETTINGS, '[severity]\nunknown-key = "off"\n')
        await editor.sees(path)


async def test_a_lone_surrogate_is_reported_and_the_other_settings_apply(
    servers: Servers,
    tmp_path: Path,
) -> None:
    settings = {"folders": {"a\ud800": False}, **OFF}
    async with servers.editing(tmp_path, "emacs", {REVIEWER: TYPO}, popups=True) as editor:
        await editor.sees(editor.path(REVIEWER), "unknown-key")
        configure(editor, settings)
        await editor.sees(editor.path(REVIEWER))
        assert ["a lone surrogate" in shown.message for shown in editor.client.messages] == [True]


async def test_with_open_files_only_closed_files_are_not_reported(
    servers: Servers, tmp_path: Path
) -> None:
    closed = ".codex/.agents/closed.md"
    async with servers.editing(tmp_path, "visual-studio-code", {closed: TYPO}) as editor:
        opened = editor.open(REVIEWER, TYPO)
        await editor.sees(opened, "unknown-key")
        await editor.sees(editor.path(closed), "unknown-key")
        configure(editor, {"diagnosticMode": "openFiles"})
        await editor.sees(editor.path(closed))
        assert editor.codes(opened) == ["unknown-key"]
        editor.open(closed)
        await editor.sees(editor.path(closed), "unknown-key")
        configure(editor, {"diagnosticMode": "workspace"})
        editor.close(editor.path(closed))
        await editor.sees(editor.path(closed), "unknown-key")


async def _with_severity(
    editor: Editor, path: Path, severity: types.DiagnosticSeverity
) -> list[types.Diagnostic]:
    await until(lambda: [found.severity for found in editor.found(path)] == [severity])
    return editor.found(path)
