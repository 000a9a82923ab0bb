"""Asks the client to attach to template folders that its own patterns do not cover.

Invariant: this is only for clients with `attachFolders` in their `initializationOptions`. They
attach to the known folders and to those of their own settings, and to nothing else. A client that
attached twice to one file would get every answer twice.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.server.server import LEGEND, Server, logged
from agent_lsp.server.session import Session
from agent_lsp.workspace.placement import first_root, folder_placement
from agent_lsp.workspace.programs import named_files
from agent_lsp.workspace.scopes import is_as_written, scope_of
from agent_lsp.workspace.search import claims
from agent_lsp.workspace.snapshot import Workspace

_ID = "agent-templates-folders"
_MARKDOWN = "*.[mM][dD]"
# Methods that are registered under another name than their own.
_FAMILIES = {
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: "textDocument/semanticTokens",
    types.TEXT_DOCUMENT_PREPARE_RENAME: types.TEXT_DOCUMENT_RENAME,
}
_Selector = list[types.TextDocumentFilterPattern]
_OPTIONS: Mapping[str, Callable[[_Selector, object], object]] = {
    types.TEXT_DOCUMENT_DID_CHANGE: lambda selector, _: types.TextDocumentChangeRegistrationOptions(
        types.TextDocumentSyncKind.Full, selector
    ),
    types.TEXT_DOCUMENT_COMPLETION: lambda selector, said: types.CompletionRegistrationOptions(
        selector, trigger_characters=getattr(said, "trigger_characters", None)
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: lambda selector, said: types.CodeActionRegistrationOptions(
        selector, code_action_kinds=getattr(said, "code_action_kinds", None)
    ),
    types.TEXT_DOCUMENT_RENAME: lambda selector, _: types.RenameRegistrationOptions(
        selector, prepare_provider=True
    ),
    "textDocument/semanticTokens": lambda selector, _: types.SemanticTokensRegistrationOptions(
        LEGEND, selector, full=True
    ),
}


def attach(ls: Server) -> None:
    """Asks the client to attach to the current folders, unless it already does."""
    session = ls.session
    wanted = tuple(sorted(_folders(session))) if session.client.attaches_folders else ()
    if wanted == session.attached:
        return
    before, session.attached = session.attached, wanted
    registrations = tuple(_registrations(ls, wanted))
    if before:
        old = [types.Unregistration(one.id, one.method) for one in registrations]
        ls.client_unregister_capability(types.UnregistrationParams(old)).add_done_callback(logged)
    if wanted:
        new = types.RegistrationParams(registrations)
        ls.client_register_capability(new).add_done_callback(logged)


def _registrations(
    ls: Server, folders: tuple[tuple[Path, bool, str], ...]
) -> Iterator[types.Registration]:
    """The registrations of all `textDocument` methods for the files in `folders`."""
    selector = [_filter(ls.session, folder, files, deep=deep) for folder, deep, files in folders]
    manager = ls.protocol.fm
    said = {_FAMILIES.get(method, method): method for method in manager.features}
    for name, method in said.items():
        if name.startswith("textDocument/"):
            made = _OPTIONS.get(name, _plain)(selector, manager.feature_options.get(method))
            yield types.Registration(f"{_ID}/{name}", name, made)


def _plain(selector: _Selector, _: object) -> object:
    return types.TextDocumentRegistrationOptions(selector)


def _filter(
    session: Session, folder: Path, files: str, *, deep: bool
) -> types.TextDocumentFilterPattern:
    inside = f"**/{files}" if deep else files
    if session.client.relative_filters:
        relative = types.RelativePattern(folder.as_uri(), inside)
        return types.TextDocumentFilterPattern(relative, scheme="file")
    pattern = f"{_escaped(folder.as_posix())}/{inside}"
    return types.TextDocumentFilterPattern(pattern, scheme="file")


def _escaped(name: str) -> str:
    """A name as a glob; a class of one character escapes it there."""
    return "".join(f"[{one}]" if one in "*?[]{}" else one for one in name)


def _folders(session: Session) -> Iterator[tuple[Path, bool, str]]:
    """The folders of templates in places that are not known as such, and single files.

    Each comes with whether it is deep, and the pattern of its files.
    """
    workspace, own = session.workspace, frozenset(_of_the_editor(session))
    for folder in {*workspace.folders, *claims(workspace)} - own:
        owner = folder_placement(workspace, folder)
        # Clients attach to files with a known name in every folder.
        if owner is None or owner.system.files or _is_known(workspace, folder):
            continue
        scope = scope_of(owner.system, folder, workspace.host_paths, workspace.files)
        extension = owner.system.extension
        files = _MARKDOWN if extension == ".md" else f"*{extension}"
        if scope is None:
            yield folder, False, files
        elif folder == scope.folder:
            yield folder, scope.deep, files
    root, places = first_root(workspace), workspace.host_paths
    for path in named_files(workspace.systems, root, places, workspace.files):
        yield path.parent, False, _escaped(path.name)


def _is_known(workspace: Workspace, folder: Path) -> bool:
    """Whether a system knows `folder` by its path alone, in the spelling that clients use."""
    for system in workspace.systems:
        scope = scope_of(system, folder, workspace.host_paths, workspace.files)
        if scope is not None and not _is_marked(system, scope):
            return is_as_written(system, scope.folder)
    return False


def _is_marked(system: System, scope: Scope) -> bool:
    return any(rule.markers and rule.label == scope.label for rule in system.scopes)


def _of_the_editor(session: Session) -> Iterator[Path]:
    """The folders that the editor's own settings claim for a dialect."""
    for root, section in session.editor.items():
        folders = section.get("folders") if isinstance(section, Mapping) else None
        for folder in folders if isinstance(folders, Mapping) else ():
            yield Path(os.path.normpath(root / str(folder)))
