"""The capabilities of the client.

Invariant: the value is created at `initialize` and never changes. No other module reads
capabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder, get_capability

from agent_lsp.text import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities that change what the server sends.

    `snippet_choices`: its snippets may offer words. `keeps_indent`: it inserts multi-line text as
    it is. `watches`: it watches files in the workspace; `watches_outside`: also in other folders.
    `suggests_again`: it has VS Code's command for that. `code_actions`: it takes code actions with
    edits. `document_changes`: it takes edits for one version of a text. `asks`: it lets the user
    confirm uncertain edits. `reads_documents`: it can open documents that only the server has.
    `attaches_folders`: it can attach to folders that only the server knows, with `relative_filters`
    if it supports them. `follows_previews` and `follows_agents`: it wants the notifications of that
    kind. `is_beside_vscode`: VS Code also shows what it finds itself. `is_isolated`: the user does
    not trust the workspace.
    """

    encoding: Encoding = Encoding.UTF16
    snippets: bool = False
    snippet_choices: bool = False
    keeps_indent: bool = False
    markdown_documentation: bool = False
    markdown_hover: bool = False
    related_information: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    watches: bool = False
    watches_outside: bool = False
    shows_documents: bool = False
    suggests_again: bool = False
    code_actions: bool = False
    prefers_actions: bool = False
    document_changes: bool = False
    creates_files: bool = False
    renames_files: bool = False
    asks: bool = False
    reads_documents: bool = False
    attaches_folders: bool = False
    is_isolated: bool = False
    relative_filters: bool = False
    symbol_tree: bool = False
    progress: bool = False
    follows_previews: bool = False
    follows_agents: bool = False
    is_beside_vscode: bool = False
    redraws_lenses: bool = False
    redraws_hints: bool = False
    redraws_tokens: bool = False


def client(params: types.InitializeParams) -> Client:
    """The capabilities in `params` of `initialize`."""
    capabilities = params.capabilities

    def can(field: str) -> bool:
        return bool(get_capability(capabilities, field))

    def prefers_markdown(field: str) -> bool:
        formats = get_capability(capabilities, field) or ()
        return next(iter(formats), None) == types.MarkupKind.Markdown

    item = "text_document.completion.completion_item"
    modes = get_capability(capabilities, f"{item}.insert_text_mode_support.value_set") or ()
    watched = "workspace.did_change_watched_files"
    encoding = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    on_files = get_capability(capabilities, "workspace.workspace_edit.resource_operations") or ()
    # Neovim declares only its file operations, which imply `documentChanges`.
    changes_documents = can("workspace.workspace_edit.document_changes") or bool(on_files)
    name = params.client_info.name if params.client_info else ""
    # Editors that are made of VS Code have other names.
    is_vscode = "Code" in name or _asks(params.initialization_options, "besideVSCode")
    return Client(
        encoding=Encoding(str(getattr(encoding, "value", encoding))),
        snippets=can(f"{item}.snippet_support"),
        # Those of Emacs insert the choices as a text, and no capability says so.
        snippet_choices=is_vscode or "Neovim" in name,
        keeps_indent=types.InsertTextMode.AsIs in modes,
        markdown_documentation=prefers_markdown(f"{item}.documentation_format"),
        markdown_hover=prefers_markdown("text_document.hover.content_format"),
        related_information=can("text_document.publish_diagnostics.related_information"),
        configuration=can("workspace.configuration"),
        registers_configuration=can("workspace.did_change_configuration.dynamic_registration"),
        watches=can(f"{watched}.dynamic_registration"),
        watches_outside=can(f"{watched}.relative_pattern_support"),
        shows_documents=can("window.show_document.support"),
        # Other clients would report an unknown command.
        suggests_again=is_vscode,
        code_actions=can("text_document.code_action.code_action_literal_support"),
        prefers_actions=can("text_document.code_action.is_preferred_support"),
        document_changes=changes_documents,
        creates_files=types.ResourceOperationKind.Create in on_files,
        renames_files=types.ResourceOperationKind.Rename in on_files,
        asks=can("workspace.workspace_edit.change_annotation_support") and changes_documents,
        reads_documents=can("workspace.text_document_content.dynamic_registration"),
        attaches_folders=_asks(params.initialization_options, "attachFolders")
        and can("text_document.synchronization.dynamic_registration"),
        is_isolated=_asks(params.initialization_options, "isolated"),
        relative_filters=can("text_document.filters.relative_pattern_support"),
        progress=can("window.work_done_progress"),
        follows_previews=_asks(params.initialization_options, "previewChanged"),
        follows_agents=_asks(params.initialization_options, "agentsChanged"),
        is_beside_vscode=_asks(params.initialization_options, "besideVSCode"),
        redraws_lenses=can("workspace.code_lens.refresh_support"),
        redraws_hints=can("workspace.inlay_hint.refresh_support"),
        redraws_tokens=can("workspace.semantic_tokens.refresh_support"),
        symbol_tree=can("text_document.document_symbol.hierarchical_document_symbol_support"),
    )


def _asks(options: object, name: str) -> bool:
    return isinstance(options, Mapping) and options.get(name) is True
