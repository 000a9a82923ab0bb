"""Handles each method of the protocol in a short function.

Invariants: handlers are synchronous, so that no request sees an older text than that of the last
change. Only code actions, which end when their text changes, and the search in all files return
steps. The session exists from the first message after `initialize`.
"""

import gc
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.hover import hover as hover_at
from agent_lsp.data_classes import replace
from agent_lsp.environment import SETTINGS_FILE, SYSTEMS, host_paths_from_environment, new_files
from agent_lsp.server import commands, convert
from agent_lsp.server.commands import agents_tree, content
from agent_lsp.server.convert import client
from agent_lsp.server.requests import (
    code_actions,
    decorations,
    diagnostics,
    names,
    renaming,
    settings_file,
    structure,
)
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import Session, path_at
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync import changes, configuration
from agent_lsp.server.sync.scan import leave, rescan
from agent_lsp.server.sync.watch import watch
from agent_lsp.text import LineIndex
from agent_lsp.workspace.snapshot import Workspace

# Life cycle.


def start(ls: Server) -> None:
    """Starts everything that `initialize` did not wait for: settings, file watchers, the scan."""
    introduction = ls.introduction
    files = new_files()
    roots = dict.fromkeys(map(files.spelt, _roots(introduction)))
    workspace = Workspace(files, SYSTEMS, host_paths_from_environment(), tuple(roots))
    ls.session = Session(workspace, client(introduction))
    if ls.session.client.registers_configuration:
        section = types.DidChangeConfigurationRegistrationOptions(configuration.SECTION)
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        registration = types.Registration("agent-templates-settings", method, section)
        future = ls.client_register_capability(types.RegistrationParams([registration]))
        future.add_done_callback(logged)
    content.register(ls)
    configuration.load(ls)
    configuration.ask(ls)
    watch(ls)
    rescan(ls)
    # As in `app.create`, for the modules that were loaded since.
    gc.freeze()


def initialized(ls: Server, _: types.InitializedParams) -> None:
    """Does nothing: the first message after `initialize` has already started the session."""


# Texts.


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Publishes the diagnostics of the opened file."""
    document = params.text_document
    path = path_at(ls.session, document.uri)
    if path is not None:
        changes.refresh_if_due(ls)
        changes.hold(ls, path, document.uri, document.text, document.version)


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Publishes the diagnostics of the changed text."""
    path = path_at(ls.session, params.text_document.uri)
    if path is not None and params.content_changes:
        # Each change is the whole text, so only the last one is used.
        text = params.content_changes[-1].text
        changes.typed(ls, path, text, params.text_document.version)


def will_save(ls: Server, params: types.WillSaveTextDocumentParams) -> None:
    """Takes note of a file that the editor saves by itself, perhaps in the middle of a line."""
    path = path_at(ls.session, params.text_document.uri)
    if path is not None and params.reason is types.TextDocumentSaveReason.AfterDelay:
        ls.session.saves_itself.add(path)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Takes in the saved file, and refreshes the disk state if the client does not watch files."""
    path = path_at(ls.session, params.text_document.uri)
    if path is not None:
        changes.refresh_if_due(ls)
        changes.saved(ls, path)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Uses the text on disk again."""
    path = path_at(ls.session, params.text_document.uri)
    ls.session.previews.pop(params.text_document.uri, None)
    if path is not None:
        changes.release(ls, path, params.text_document.uri)


# The workspace.


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Takes in files that were created, changed or deleted on disk."""
    changes.on_disk(ls, [change.uri for change in params.changes])


def did_change_workspace_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Adds and removes workspace folders."""
    gone = [path_at(ls.session, folder.uri) for folder in params.event.removed]
    removed = {path for path in gone if path is not None}
    added = [path_at(ls.session, folder.uri) for folder in params.event.added]
    before = ls.session.workspace
    roots = dict.fromkeys((*(root for root in before.roots if root not in removed), *added))
    ls.session.workspace = replace(before, roots=tuple(filter(None, roots)))
    leave(ls, removed)
    configuration.load(ls)
    configuration.ask(ls)
    watch(ls)
    rescan(ls, everything=True)


def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Takes the editor's new settings, or requests them."""
    if ls.session.client.configuration:
        configuration.ask(ls)
    else:
        configuration.told(ls, params.settings)


# Requests.


list_agents = commands.list_agents
preview_spawn = commands.preview_spawn
status = commands.status
conversion = commands.conversion
describe_spawn = commands.describe_spawn
draw_graph = commands.draw_graph
agents = agents_tree.agents
begin_agent = agents_tree.begin_agent
copy_agent = agents_tree.copy_agent
document_symbol = structure.document_symbol
workspace_symbol = structure.workspace_symbol
folding_range = structure.folding_range
selection_range = structure.selection_range
definition = names.definition
implementation = names.implementation
references = names.references
document_link = names.document_link
prepare_call_hierarchy = names.prepare_call_hierarchy
outgoing_calls = names.outgoing_calls
incoming_calls = names.incoming_calls
document_diagnostic = diagnostics.document_diagnostic
workspace_diagnostic = diagnostics.workspace_diagnostic
code_lens = decorations.code_lens
inlay_hint = decorations.inlay_hint
semantic_tokens_full = decorations.semantic_tokens_full
open_file = decorations.open_file
prepare_rename = renaming.prepare_rename
rename = renaming.rename
text_document_content = content.text_document_content
will_rename_files = renaming.will_rename_files


def code_action(ls: Server, params: types.CodeActionParams) -> Stepwise | list[types.CodeAction]:
    """The actions for the selection."""
    # Actions that an editor runs by itself are about the whole text.
    if not params.context.only:
        changes.cursor_is_at(ls, params.text_document, params.range.end)
    return code_actions.code_action(ls, params)


def document_highlight(
    ls: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """The references in this file to what is at the cursor."""
    changes.cursor_is_at(ls, params.text_document, params.position)
    return names.document_highlight(ls, params)


def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList:
    """The completion items at the cursor."""
    changes.cursor_is_at(ls, params.text_document, params.position)
    place = _position(ls, params)
    if place is None:
        return types.CompletionList(is_incomplete=False, items=[])
    path, index, offset = place
    found = (
        settings_file.completions(ls, path, offset)
        if path.name == SETTINGS_FILE
        else complete(ls.session.workspace, path, offset)
    )
    # Editors end a line at a lone CR, and replace nothing in more than one line.
    items = [
        convert.to_item(one, index, ls.session.client)
        for one in found
        if index.line_of(one.edit.span.start) == index.line_of(one.edit.span.end)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The hover at the cursor."""
    place = _position(ls, params)
    if place is None:
        return None
    path, index, offset = place
    found = (
        settings_file.hover(ls, path, offset)
        if path.name == SETTINGS_FILE
        else hover_at(ls.session.workspace, path, offset)
    )
    return convert.to_hover(found, index, ls.session.client) if found is not None else None


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
    return path, index, convert.offset(index, params.position, ls.session.client.encoding)


def _roots(introduction: types.InitializeParams) -> Iterator[Path]:
    folders = [folder.uri for folder in introduction.workspace_folders or ()]
    for uri in folders or [introduction.root_uri or ""]:
        path = convert.to_path(uri)
        if path is not None:
            yield path
