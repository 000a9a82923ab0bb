"""Answers requests for code lenses, inlay hints and semantic tokens."""

from collections.abc import Iterator

from lsprotocol import types

from agent_lsp.analysis.decorations import (
    CodeLens,
    LensAction,
    SemanticToken,
    TokenKind,
    code_lenses,
    inlay_hints,
    semantic_tokens,
)
from agent_lsp.server import convert
from agent_lsp.server.requests.position import FilePosition, file_position
from agent_lsp.server.server import LEGEND, LIST_AGENTS, OPEN_FILE, PREVIEW_SPAWN, Server, logged
from agent_lsp.text import Span

_KINDS = {kind: LEGEND.token_types.index(kind.value) for kind in TokenKind}


def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The code lenses above the agents and personas of a template."""
    at = file_position(ls, params.text_document.uri)
    if at is None or not at.file.options.code_lens:
        return []
    uri = params.text_document.uri
    return [
        types.CodeLens(_line(at, lens.span), _command(ls, at, uri, lens))
        for lens in code_lenses(at.file)
    ]


def open_file(ls: Server, *arguments: object) -> None:
    """Shows the file that a code lens points to."""
    uri = arguments[0].get("uri") if arguments and isinstance(arguments[0], dict) else None
    if (
        isinstance(uri, str)
        and convert.to_path(uri) is not None
        and ls.session.client.shows_documents
    ):
        shown = types.ShowDocumentParams(uri, take_focus=True)
        ls.window_show_document(shown).add_done_callback(logged)


def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The inlay hints of the visible lines."""
    at = file_position(ls, params.text_document.uri)
    if at is None or not at.file.options.inlay_hints:
        return []
    within = Span(at.offset(params.range.start), at.offset(params.range.end))
    return [
        types.InlayHint(
            types.Position(*at.index.position(hint.offset, at.encoding)),
            convert.printable(hint.label),
            tooltip=convert.printable(hint.tooltip) or None,
            padding_left=True,
        )
        for hint in inlay_hints(at.file, within)
    ]


def semantic_tokens_full(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """The semantic tokens of a template."""
    at = file_position(ls, params.text_document.uri)
    return types.SemanticTokens(
        list(_encoded(at, semantic_tokens(at.file))) if at is not None else []
    )


def _encoded(at: FilePosition, tokens: tuple[SemanticToken, ...]) -> Iterator[int]:
    """Each token as five numbers, its position relative to the token before."""
    line = column = 0
    for token in tokens:
        start = at.index.position(token.span.start, at.encoding)
        _, end = at.index.position(token.span.end, at.encoding)
        yield start[0] - line
        yield start[1] - (column if start[0] == line else 0)
        yield end - start[1]
        yield _KINDS[token.kind]
        yield token.declares | token.gone << 1
        line, column = start


def _line(at: FilePosition, span: Span) -> types.Range:
    """The range of the line where `span` starts, above which a code lens is shown."""
    line = at.index.line_span(at.index.line_of(span.start))
    return convert.to_range(at.index, line, at.encoding)


def _command(ls: Server, at: FilePosition, uri: str, lens: CodeLens) -> types.Command:
    title = convert.printable(lens.title)
    if lens.does is LensAction.OPEN and lens.target is not None:
        if not ls.session.client.shows_documents:
            return types.Command(title, "")
        target = ls.session.uris.get(lens.target) or lens.target.as_uri()
        return types.Command(title, OPEN_FILE, arguments=[{"uri": target}])
    name = LIST_AGENTS if lens.does is LensAction.LIST else PREVIEW_SPAWN
    ours = {"dialect": at.file.dialect.id, "uri": uri, "format": "markdown", "show": True}
    return types.Command(title, name, arguments=[{**ours, **lens.call}])
