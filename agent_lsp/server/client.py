"""What this client can do, asked once.

Invariant: made at `initialize` and never changed; nobody else looks at capabilities.
"""

from dataclasses import dataclass

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder, get_capability

from agent_lsp.text import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """The abilities that change what is sent.

    It `watches` files inside of the workspace, and `watches_outside` where it can be told a
    folder; `suggests_again` says that it knows VS Code's command for that.
    """

    encoding: Encoding = Encoding.UTF16
    snippets: bool = False
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
    symbol_tree: bool = False


def client(params: types.InitializeParams) -> Client:
    """The client that introduces itself with `params`."""
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
    name = params.client_info.name if params.client_info else ""
    return Client(
        encoding=Encoding(str(getattr(encoding, "value", encoding))),
        snippets=can(f"{item}.snippet_support"),
        keeps_indent=types.InsertTextMode.AsIs in modes,
        markdown_documentation=prefers_markdown(f"{item}.documentation_format"),
        markdown_hover=prefers_markdown("text_document.hover.content_format"),
        related_information=can("text_document.publish_diagnostics.related_information"),
        configuration=can("workspace.configuration"),
        registers_configuration=can("workspace.did_change_configuration.dynamic_registration"),
        watches=can(f"{watched}.dynamic_registration"),
        watches_outside=can(f"{watched}.relative_pattern_support"),
        shows_documents=can("window.show_document.support"),
        # Any other client would report the command as unknown.
        suggests_again="Code" in name,
        symbol_tree=can("text_document.document_symbol.hierarchical_document_symbol_support"),
    )
