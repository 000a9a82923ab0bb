"""Renaming agents and personas, as each editor gets it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.editor import CLIENTS, Editor, editing, until
from tests.server.sharing import Servers

REVIEWER = """\
---
description: Reviews.
agent_names:
  - name: strict
    description: Lets nothing pass.
---
<!-- agent_name: strict -->
Be strict.
"""
LEAD = "---\ndescription: Leads.\n---\nAsk `reviewer`.\n"
TEST = "---\ndescription: Tests.\n---\nTest.\n"
PROSE = "---\ndescription: Leads.\n---\nAsk `test`, not any test agent.\n"
REVIEWER_PATH, LEAD_PATH = ".codex/.agents/reviewer.md", ".codex/.agents/lead.md"


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, which only request edits."""
    files = {REVIEWER_PATH: REVIEWER, LEAD_PATH: LEAD}
    async with editing(tmp_path_factory.mktemp("editor"), request.param, files) as it:
        await it.sees(it.open(LEAD_PATH))
        yield it


async def renamed(
    editor: Editor, name: str, line: int, column: int, new: str
) -> types.WorkspaceEdit | None:
    document = types.TextDocumentIdentifier(editor.path(name).as_uri())
    params = types.RenameParams(document, types.Position(line, column), new)
    return await editor.client.text_document_rename_async(params)


async def test_a_persona_is_renamed_by_edits(editor: Editor) -> None:
    edit = await renamed(editor, REVIEWER_PATH, 3, 12, "careful")
    assert edit is not None
    [document] = edit.document_changes or ()
    assert isinstance(document, types.TextDocumentEdit)
    assert document.text_document.uri == editor.path(REVIEWER_PATH).as_uri()
    places = [(one.range.start.line, one.range.start.character) for one in document.edits]
    assert places == [(3, 10), (6, 17)]


async def test_an_agent_is_renamed_with_its_file(editor: Editor) -> None:
    """An editor that does not rename files gets a refusal: half a rename breaks mentions."""
    if editor.name == "emacs":
        with pytest.raises(JsonRpcException, match=r"rename `reviewer.md` to `judge.md`"):
            await renamed(editor, LEAD_PATH, 3, 6, "judge")
        return
    edit = await renamed(editor, LEAD_PATH, 3, 6, "judge")
    assert edit is not None
    document, move = edit.document_changes or ()
    assert isinstance(document, types.TextDocumentEdit)
    assert isinstance(move, types.RenameFile)
    assert (document.text_document.uri, document.text_document.version) == (
        editor.path(LEAD_PATH).as_uri(),
        1,
    )
    assert move.old_uri == editor.path(REVIEWER_PATH).as_uri()
    assert move.new_uri == editor.path(".codex/.agents/judge.md").as_uri()


async def test_prepare_rename_returns_the_name_at_the_cursor(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(editor.path(LEAD_PATH).as_uri())
    params = types.PrepareRenameParams(document, types.Position(3, 6))
    found = await editor.client.text_document_prepare_rename_async(params)
    assert isinstance(found, types.PrepareRenamePlaceholder)
    assert found.placeholder == "reviewer"
    assert found.range == types.Range(types.Position(3, 5), types.Position(3, 13))


async def test_a_refusal_is_an_answer_with_its_reason(editor: Editor) -> None:
    with pytest.raises(JsonRpcException, match="already exists"):
        await renamed(editor, LEAD_PATH, 3, 6, "lead")
    with pytest.raises(JsonRpcException, match="no agent and no persona has its name here"):
        await renamed(editor, LEAD_PATH, 1, 1, "lead")
    assert editor.client.log_messages == []


async def test_renaming_a_file_in_the_editor_renames_its_mentions(editor: Editor) -> None:
    old, new = editor.path(REVIEWER_PATH), editor.path(".codex/.agents/judge.md")
    params = types.RenameFilesParams([types.FileRename(old.as_uri(), new.as_uri())])
    edit = await editor.client.workspace_will_rename_files_async(params)
    assert edit is not None
    [document] = edit.document_changes or ()
    assert isinstance(document, types.TextDocumentEdit)
    assert [getattr(one, "new_text", None) for one in document.edits] == ["judge"]


@pytest.mark.parametrize("name", CLIENTS)
async def test_a_doubtful_mention_needs_confirmation_or_is_left_and_reported(
    servers: Servers, name: str, tmp_path: Path
) -> None:
    files = {
        ".codex/.agents/test.md": TEST,
        LEAD_PATH: PROSE,
        "~/.codex/.agents/mine.md": PROSE,
        ".codex/.agents/bare.md": "No header.\n",
    }
    async with servers.editing(tmp_path, name, files, popups=True) as editor:
        await editor.sees(editor.open(LEAD_PATH))
        # Once a closed file is reported, the workspace has been searched.
        await editor.sees(editor.path(".codex/.agents/bare.md"), "header-missing")
        old, new = editor.path(".codex/.agents/test.md"), editor.path(".codex/.agents/probe.md")
        params = types.RenameFilesParams([types.FileRename(old.as_uri(), new.as_uri())])
        edit = await editor.client.workspace_will_rename_files_async(params)
        assert edit is not None
        [document] = edit.document_changes or ()
        assert isinstance(document, types.TextDocumentEdit)
        columns = {
            one.range.start.character: getattr(one, "annotation_id", None) for one in document.edits
        }
        await until(lambda: bool(editor.client.messages))
        [said] = [message.message for message in editor.client.messages]
        outside = "`~/.codex/.agents/mine.md` (files outside the workspace folders are not edited)"
        assert outside in said
        if edit.change_annotations:
            [(known, annotation)] = edit.change_annotations.items()
            assert annotation.needs_confirmation
            assert columns == {5: None, 20: known}
        else:
            assert columns == {5: None}
            assert "`.codex/.agents/lead.md` (in prose it may mean something else)" in said


@pytest.mark.parametrize("name", CLIENTS)
async def test_edits_of_a_closed_file_are_for_its_current_text(
    servers: Servers, name: str, tmp_path: Path
) -> None:
    """A closed file has no version that the editor could compare, and no change was reported."""
    first = "---\nname: other\ndescription: Works.\ntools: Agent(main)\n---\nWork.\n"
    files = {
        ".claude/agents/main.md": "---\nname: main\ndescription: Leads.\n---\nLead.\n",
        ".claude/agents/other.md": first,
        ".claude/agents/zz.md": "---\nname: zz\n---\nWork.\n",
    }
    async with servers.editing(tmp_path, name, files) as editor:
        await editor.sees(editor.open(".claude/agents/main.md"))
        # The folder is known, and so the mention, as soon as a closed file is reported.
        await editor.sees(editor.path(".claude/agents/zz.md"), "missing-key")
        assert await renamed(editor, ".claude/agents/main.md", 1, 7, "lead") is not None
        now = first.replace("name", "# A long note by hand\nname", 1)
        other = editor.path(".claude/agents/other.md")
        other.write_text(now, encoding="utf-8")
        edit = await renamed(editor, ".claude/agents/main.md", 1, 7, "lead")
        assert edit is not None
        edits = dict(edit.changes or {})
        for one in edit.document_changes or ():
            assert isinstance(one, types.TextDocumentEdit)
            edits[one.text_document.uri] = [
                each for each in one.edits if isinstance(each, types.TextEdit)
            ]
        [at] = [one.range for one in edits[other.as_uri()]]
        line = now.splitlines()[at.start.line]
        assert line[at.start.character : at.end.character] == "main"
