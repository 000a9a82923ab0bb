"""Answers requests for the completion and the hover at the cursor.

The forms of the settings load pydantic, so that they are imported only for a settings file.
"""

from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis import render
from agent_lsp.analysis.completion import Completion, CompletionKind, complete
from agent_lsp.analysis.completion.offer import without_choices
from agent_lsp.analysis.hover import Hover
from agent_lsp.analysis.hover import hover as hover_at
from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.server.convert import Client, offset, printable, to_range
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.server.sync.changes import cursor_is_at
from agent_lsp.text import LineIndex

_KINDS = {
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.VALUE: types.CompletionItemKind.EnumMember,
    CompletionKind.TOOL: types.CompletionItemKind.Function,
    CompletionKind.PATTERN: types.CompletionItemKind.Operator,
    CompletionKind.PERSONA: types.CompletionItemKind.Class,
    CompletionKind.SNIPPET: types.CompletionItemKind.Snippet,
    CompletionKind.FILE: types.CompletionItemKind.File,
    CompletionKind.FOLDER: types.CompletionItemKind.Folder,
}
_SUGGEST_AGAIN = types.Command("Suggest", "editor.action.triggerSuggest")


def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList:
    """The completion items at the cursor."""
    cursor_is_at(ls, params.text_document, params.position)
    place = _position(ls, params)
    if place is None:
        return types.CompletionList(is_incomplete=False, items=[])
    path, index, at = place
    if path.name == SETTINGS_FILE:
        from agent_lsp.settings import editing  # noqa: PLC0415 - slow to import

        found = editing.complete_settings(index.text, at)
    else:
        found = complete(ls.session.workspace, path, at)
    # Editors end a line at a lone CR, and replace nothing in more than one line.
    items = [
        to_item(one, index, ls.session.client)
        for one in found
        if index.line_of(one.edit.span.start) == index.line_of(one.edit.span.end)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The hover at the cursor."""
    place = _position(ls, params)
    if place is None:
        return None
    path, index, at = place
    if path.name == SETTINGS_FILE:
        from agent_lsp.settings import editing  # noqa: PLC0415 - slow to import

        found = editing.hover_settings(index.text, at)
    else:
        found = hover_at(ls.session.workspace, path, at)
    return to_hover(found, index, ls.session.client) if found is not None else None


def _position(
    ls: Server, params: types.CompletionParams | types.HoverParams
) -> tuple[Path, LineIndex, int] | None:
    """The file, its line index and the offset of a request; None if there is no file to look into.

    Of one that is too large the server has no text, and any place would be a wrong one.
    """
    path = path_at(ls.session, params.text_document.uri)
    file = ls.session.files.read(path) if path is not None else None
    if path is None or file is None or file.too_large:
        return None
    index = LineIndex(file.text)
    return path, index, offset(index, params.position, ls.session.client.encoding)


def to_item(completion: Completion, index: LineIndex, client: Client) -> types.CompletionItem:
    """The completion item for this client."""
    snippet = completion.snippet if client.snippets else None
    if snippet is not None and not client.snippet_choices:
        snippet = without_choices(snippet)
    text = completion.edit.text if snippet is None else snippet
    # The lines of an edit are already indented; a client that indents would do so twice.
    as_is = client.keeps_indent and "\n" in text
    if snippet is not None and not client.keeps_indent:
        # Such a client indents each line of a snippet like the cursor's line (vim.snippet does).
        text = snippet.replace(f"\n{completion.indent}", "\n")
    return types.CompletionItem(
        label=completion.label,
        kind=_KINDS[completion.kind],
        detail=completion.detail or None,
        documentation=_documentation(completion, client),
        tags=[types.CompletionItemTag.Deprecated] if completion.deprecated else None,
        sort_text=completion.sort or None,
        filter_text=completion.filter or None,
        insert_text_format=None if snippet is None else types.InsertTextFormat.Snippet,
        insert_text_mode=types.InsertTextMode.AsIs if as_is else None,
        text_edit=types.TextEdit(to_range(index, completion.edit.span, client.encoding), text),
        command=_SUGGEST_AGAIN if completion.retrigger and client.suggests_again else None,
    )


def to_hover(hover: Hover, index: LineIndex, client: Client) -> types.Hover:
    """The hover for this client."""
    return types.Hover(
        _markup(hover.markdown, markdown=client.markdown_hover),
        to_range(index, hover.span, client.encoding),
    )


def _documentation(completion: Completion, client: Client) -> types.MarkupContent | str | None:
    """Markdown if the client prefers it; otherwise plain text, which every client takes."""
    if not completion.documentation:
        return None
    shown = _markup(completion.documentation, markdown=client.markdown_documentation)
    return shown if client.markdown_documentation else shown.value


def _markup(text: str, *, markdown: bool) -> types.MarkupContent:
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, printable(text))
    return types.MarkupContent(types.MarkupKind.PlainText, printable(render.plain(text)))
