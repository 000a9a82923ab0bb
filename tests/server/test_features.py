"""Completion, hover and commands, as each editor gets them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from agent_lsp.text import Encoding, LineIndex
from tests.server.editor import CLIENTS, Editor, editing, until
from tests.server.sharing import Servers

REVIEWER = ".codex/.agents/reviewer.md"
HEADER = (
    "---\ndescription: Reviews changes.\nmodel: gpt-5\ndeny_list: [apply_patch]\n---\nReview.\n"
)
LIST = "agentTemplates.listAgents"
PREVIEW = "agentTemplates.previewSpawn"
CODEX = {"dialect": "codex-templates"}


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, which change nothing; the server of one imports all itself."""
    folder, files = tmp_path_factory.mktemp("editor"), {REVIEWER: HEADER}
    wrapper = () if request.param == "neovim@v0.11" else None
    async with editing(folder, request.param, files, wrapper=wrapper) as it:
        yield it


@asynccontextmanager
async def cursor(editor: Editor, marked: str) -> AsyncIterator[types.TextDocumentPositionParams]:
    """The position of `$0` in a file that is open with the rest of the text."""
    offset, text = marked.index("$0"), marked.replace("$0", "")
    path = editor.open(".codex/.agents/typed.md", text)
    position = LineIndex(text).position(offset, Encoding(CLIENTS[editor.name][1]))
    document = types.TextDocumentIdentifier(path.as_uri())
    yield types.TextDocumentPositionParams(document, types.Position(*position))
    editor.close(path)


async def offered(editor: Editor, marked: str) -> list[types.CompletionItem]:
    """The completions at `$0`."""
    async with cursor(editor, marked) as at:
        params = types.CompletionParams(at.text_document, at.position)
        answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, types.CompletionList)
    assert not answer.is_incomplete
    return list(answer.items)


def new_text(item: types.CompletionItem) -> str:
    assert isinstance(item.text_edit, types.TextEdit)
    return item.text_edit.new_text


async def accepted(editor: Editor, marked: str, label: str) -> str:
    """The text after accepting the completion `label` at `$0`."""
    [item] = [item for item in await offered(editor, marked) if item.label == label]
    edit, text = item.text_edit, marked.replace("$0", "")
    assert isinstance(edit, types.TextEdit)
    index, encoding = LineIndex(text), Encoding(CLIENTS[editor.name][1])
    places = (edit.range.start, edit.range.end)
    start, end = (index.offset(place.line, place.character, encoding) for place in places)
    new = edit.new_text
    if item.insert_text_format is types.InsertTextFormat.Snippet:
        new = new.replace("$0", "").replace("$1", "")
    return text[:start] + new + text[end:]


async def test_an_accepted_completion_replaces_what_was_typed(editor: Editor) -> None:
    header = '---\ndescription: Reviews.\nallow_list: ["😀_tool", exec_'
    after = await accepted(editor, f"{header}$0\n---\nReview.\n", "exec_command")

    assert after == f"{header}command\n---\nReview.\n"


async def test_a_completed_key_inserts_the_form_of_its_value(editor: Editor) -> None:
    after = await accepted(editor, "---\ndescription: Reviews.\nmod$0\n---\nReview.\n", "model")

    assert after == "---\ndescription: Reviews.\nmodel: \n---\nReview.\n"


async def test_only_an_editor_with_snippets_gets_snippets(editor: Editor) -> None:
    formats = {item.insert_text_format for item in await offered(editor, "$0")}

    assert formats
    assert (types.InsertTextFormat.Snippet in formats) == (editor.name != "emacs")


async def test_inserted_lines_keep_their_indent(editor: Editor) -> None:
    """An editor that would indent them again is told not to, if it supports that."""
    items = [item for item in await offered(editor, "$0") if "\n" in new_text(item)]
    modes = {item.insert_text_mode for item in items}

    is_vs_code = editor.name == "visual-studio-code"
    assert modes == {types.InsertTextMode.AsIs if is_vs_code else None}


async def test_only_vs_code_is_told_to_suggest_again(editor: Editor) -> None:
    items = await offered(editor, "---\ndescription: Reviews.\nmod$0\n---\nReview.\n")
    commands = {item.command.command for item in items if item.command}

    is_vs_code = editor.name == "visual-studio-code"
    assert commands == ({"editor.action.triggerSuggest"} if is_vs_code else set())


async def test_hover_answers_for_the_token_at_the_cursor(editor: Editor) -> None:
    async with cursor(editor, HEADER.replace("gpt-5", "gpt$0-5")) as at:
        params = types.HoverParams(at.text_document, at.position)
        hover = await editor.client.text_document_hover_async(params)

    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind is types.MarkupKind.Markdown
    assert "gpt-5" in hover.contents.value.splitlines()[0]
    assert hover.range is not None
    assert hover.range.start.line == 2


async def test_plain_text_shows_what_the_author_wrote(servers: Servers, tmp_path: Path) -> None:
    def reads_text(capabilities: types.ClientCapabilities) -> None:
        assert capabilities.text_document is not None
        capabilities.text_document.hover = types.HoverClientCapabilities()

    written = r"[c](command:x) **b** `c` \* <http://a.b> www.a.b x@a.b"
    text = HEADER.replace("Reviews changes.", f"'{written}'")
    name = "visual-studio-code"
    async with servers.editing(tmp_path, name, {REVIEWER: text}, able=reads_text) as editor:
        document = types.TextDocumentIdentifier(editor.open(REVIEWER).as_uri())
        params = types.HoverParams(document, types.Position(1, 3))
        found = await editor.client.text_document_hover_async(params)

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.kind is types.MarkupKind.PlainText
    said = f"`description`, {len(written)} characters, as the runtime reads it:"
    # Some clients show plain text as Markdown, and would make links and pictures of it.
    assert f"{said}\n\n```\n{written}\n```\n" in found.contents.value


async def test_documents_without_a_file_have_empty_answers(editor: Editor) -> None:
    document, place = types.TextDocumentIdentifier("untitled:Untitled-1"), types.Position(0, 0)
    hover = types.HoverParams(document, place)
    completion = types.CompletionParams(document, place)

    assert await editor.client.text_document_hover_async(hover) is None
    answer = await editor.client.text_document_completion_async(completion)
    assert isinstance(answer, types.CompletionList)
    assert list(answer.items) == []


async def test_the_agents_are_listed_as_the_runtime_lists_them(editor: Editor) -> None:
    uri = editor.path(REVIEWER).as_uri()
    answer = await editor.command(LIST, {**CODEX, "uri": uri, "agent_type": "reviewer"})

    agent = {
        "agent_type": "reviewer",
        "description": "Reviews changes.",
        "allow_list": None,
        "deny_list": ["apply_patch"],
    }
    assert answer == {"result": {"agents": [agent]}, "error": None}


async def test_a_spawn_is_previewed_from_the_text_in_the_editor(editor: Editor) -> None:
    path = editor.open(REVIEWER, HEADER.replace("gpt-5", "gpt-5.2"))
    answer = await editor.command(PREVIEW, {**CODEX, "agent_type": "reviewer"})
    editor.close(path)

    assert answer["error"] is None
    assert answer["result"]["model"]["value"] == "gpt-5.2"


WRONG: tuple[tuple[tuple[object, ...], str], ...] = (
    ((), "takes one argument"),
    (("reviewer",), "takes one argument"),
    ((CODEX, CODEX), "takes one argument"),
    (({**CODEX, "uri": 3},), "`uri`"),
    (({**CODEX, "uri": "untitled:Untitled-1"},), "`uri`"),
    (({**CODEX, "show": "yes"},), "`show`"),
    (({"dialect": "no-such"},), "no-such"),
    (({**CODEX, "agent_typ": "reviewer"},), "agent_typ"),
    (({**CODEX, "agent_type": "nobody"},), "nobody"),
)


@pytest.mark.parametrize("command", [LIST, PREVIEW])
@pytest.mark.parametrize(("arguments", "words"), WRONG)
async def test_errors_in_a_call_are_part_of_the_answer(
    editor: Editor, command: str, arguments: tuple[object, ...], words: str
) -> None:
    answer = await editor.command(command, *arguments)

    assert answer["result"] is None
    assert words in answer["error"]


async def test_a_preview_can_be_shown_as_a_document(editor: Editor) -> None:
    argument = {**CODEX, "agent_type": "reviewer", "format": "markdown"}
    plain = await editor.command(PREVIEW, argument)
    answer = await editor.command(PREVIEW, {**argument, "show": True})

    assert answer == plain
    assert "gpt-5" in answer["markdown"]
    if editor.name == "emacs":
        assert editor.client.shown_documents == []
        return
    await until(lambda: editor.client.shown_documents != [])
    [shown] = editor.client.shown_documents
    [path] = editor.home.rglob("previewSpawn-reviewer.md")
    assert shown.uri == path.as_uri()
    assert path.read_bytes().decode() == answer["markdown"]
