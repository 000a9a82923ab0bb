"""Handles the notifications of the client, each in a short function.

Invariants: handlers are synchronous, so that no request sees an older text than that of the last
change. The session exists from the first message after `initialize`. What only requests need is
not loaded here, because the first diagnostics would wait for it.
"""

import gc
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from agent_lsp.data_classes import replace
from agent_lsp.environment import SYSTEMS, host_paths_from_environment, new_files
from agent_lsp.server import convert
from agent_lsp.server.convert import client
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import Session, path_at
from agent_lsp.server.sync import changes, configuration, previews
from agent_lsp.server.sync.scan import leave, rescan
from agent_lsp.server.sync.watch import watch
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
    previews.register(ls)
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


def _roots(introduction: types.InitializeParams) -> Iterator[Path]:
    folders = [folder.uri for folder in introduction.workspace_folders or ()]
    for uri in folders or [introduction.root_uri or ""]:
        path = convert.to_path(uri)
        if path is not None:
            yield path
