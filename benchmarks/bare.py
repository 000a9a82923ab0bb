"""The least that a language server in Python can be: pygls with fixed answers."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1", text_document_sync_kind=types.TextDocumentSyncKind.Full)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(
    ls: LanguageServer, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
) -> None:
    """Finds nothing."""
    document = params.text_document
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, [], document.version)
    )


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(_: types.HoverParams) -> types.Hover:
    """Says one word."""
    return types.Hover("bare")


@server.feature(types.TEXT_DOCUMENT_COMPLETION)
def completion(_: types.CompletionParams) -> list[types.CompletionItem]:
    """Offers one word."""
    return [types.CompletionItem("bare")]


if __name__ == "__main__":
    server.start_io()
