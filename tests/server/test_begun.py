"""When the findings of a header that a person is typing are reported."""

from pathlib import Path

from lsprotocol import types

from tests.server.editor import Editor
from tests.server.sharing import Servers

NEW = ".codex/.agents/new.md"
OTHER = ".codex/.agents/other.md"
SOUND = "---\ndescription: Does it.\n---\nDo it.\n"
OPEN = "---\nmodle: gpt-5\n"
CLOSED = f"{OPEN}---"
FOUND = ("missing-description", "unknown-key", "missing-default-prompt")


async def _typed(editor: Editor, path: Path, text: str, below: str = "") -> None:
    """Types `text` letter by letter above what is `below`; nothing is reported then."""
    for length in range(1, len(text) + 1):
        editor.change(path, text[:length] + below)
    await editor.settled()
    assert editor.codes(path) == []


async def _cursor(editor: Editor, path: Path, line: int) -> None:
    """Moves the cursor, after which VS Code requests code actions."""
    place = types.Position(line, 0)
    context = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic)
    document = types.TextDocumentIdentifier(path.as_uri())
    params = types.CodeActionParams(document, types.Range(place, place), context)
    await editor.client.text_document_code_action_async(params)


async def _highlights(editor: Editor, path: Path) -> None:
    document = types.TextDocumentIdentifier(path.as_uri())
    params = types.DocumentHighlightParams(document, types.Position(0, 0))
    await editor.client.text_document_document_highlight_async(params)


async def _saved_by_itself(editor: Editor, path: Path) -> None:
    document = types.TextDocumentIdentifier(path.as_uri())
    reason = types.TextDocumentSaveReason.AfterDelay
    editor.client.text_document_will_save(types.WillSaveTextDocumentParams(document, reason))
    editor.save(path)
    await editor.settled()


async def test_a_header_that_is_typed_is_reported_once_it_is_closed_and_left(
    servers: Servers,
    tmp_path: Path,
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {OTHER: SOUND}) as editor:
        path, other = editor.open(NEW, ""), editor.open(OTHER)
        await editor.sees(path, "header-missing")
        await _typed(editor, path, OPEN)
        await _saved_by_itself(editor, path)
        await _cursor(editor, path, 2)
        assert editor.codes(path) == []
        await _typed(editor, path, CLOSED)
        await _cursor(editor, path, 2)
        assert editor.codes(path) == []
        editor.change(path, f"{CLOSED}\n")
        await editor.sees(path, *FOUND)
        # Once it has been left, it is one like any other.
        editor.change(path, OPEN)
        await editor.sees(path, "header-unclosed")

        async def begin(text: str, below: str = "") -> None:
            editor.change(path, below)
            await editor.sees(path, "header-missing")
            await _typed(editor, path, text, below)

        # The cursor goes below it, without a change of the text.
        await begin(CLOSED, "\nDo it.\n")
        await _cursor(editor, path, 3)
        await editor.sees(path, "missing-description", "unknown-key")
        # A sentence below a header that nothing closes.
        await begin(OPEN)
        editor.change(path, f"{OPEN}\nDo")
        await editor.settled()
        assert editor.codes(path) == []
        editor.change(path, f"{OPEN}\nDo it.")
        await editor.sees(path, "header-unclosed")
        # A save that a person asks for.
        await begin(OPEN)
        editor.save(path)
        await editor.sees(path, "header-unclosed")
        # The cursor is in another file, as a request or a change tells.
        await begin(OPEN)
        await _highlights(editor, other)
        await editor.sees(path, "header-unclosed")
        await begin(OPEN)
        editor.change(other, f"{SOUND}And more.\n")
        await editor.sees(path, "header-unclosed")


async def test_a_header_that_nobody_types_is_reported_at_once(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {NEW: OPEN}) as editor:
        path = editor.open(NEW)
        await editor.sees(path, "header-unclosed")
        editor.change(path, f"{OPEN}model: gpt-5\n")
        await editor.sees(path, "header-unclosed")
        # Pasted into an empty file, and broken after it was sound.
        for before in ("", SOUND):
            editor.change(path, before)
            await editor.sees(path, *(() if before else ("header-missing",)))
            editor.change(path, OPEN)
            await editor.sees(path, "header-unclosed")
        # A fix that is undone brings back what was there.
        below = OPEN.removeprefix("---\n")
        for text, code in ((OPEN, "unclosed"), (below, "missing"), (OPEN, "unclosed")):
            editor.change(path, text)
            await editor.sees(path, f"header-{code}")
        # Closed at once by the lines below, which were there.
        rest = f"{CLOSED}\nDo it.\n".removeprefix("---\n")
        editor.change(path, rest)
        await editor.sees(path, "header-missing")
        editor.change(path, f"---\n{rest}")
        await editor.sees(path, "missing-description", "unknown-key")


async def test_in_vs_code_what_was_typed_before_the_start_of_the_server_counts(
    servers: Servers,
    tmp_path: Path,
) -> None:
    asks = {"besideVSCode": True}
    async with servers.editing(tmp_path, "visual-studio-code", {NEW: ""}, asks=asks) as editor:
        path = editor.path(NEW)
        await editor.sees(path, "header-missing")
        language, uri = types.LanguageKind.Markdown, path.as_uri()
        item = types.TextDocumentItem(uri, language, version=9, text=OPEN)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await editor.sees(path)
        editor.versions[path] = 9
        editor.save(path)
        await editor.sees(path, "header-unclosed")
