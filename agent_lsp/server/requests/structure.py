"""Answers requests about a whole file: outline, ranges, lenses, hints, tokens; finds symbols."""

from collections.abc import Generator, Iterator, Sequence
from functools import cache

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
from agent_lsp.analysis.navigation.structure import (
    DocumentSymbol,
    SymbolKind,
    document_symbols,
    folding,
    selection_ranges,
)
from agent_lsp.analysis.navigation.workspace_symbols import reading, searching
from agent_lsp.server import convert
from agent_lsp.server.requests import FilePosition, file_position
from agent_lsp.server.server import LEGEND, LIST_AGENTS, OPEN_FILE, PREVIEW_SPAWN, Server, logged
from agent_lsp.server.session import uri_of
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.changes import settle
from agent_lsp.server.sync.scan import until_searched
from agent_lsp.text import LineIndex, Span

_SYMBOLS = {
    SymbolKind.KEY: types.SymbolKind.Property,
    SymbolKind.PERSONA: types.SymbolKind.Class,
    SymbolKind.PROMPT: types.SymbolKind.Method,
    SymbolKind.HEADING: types.SymbolKind.String,
}


def document_symbol(
    ls: Server, params: types.DocumentSymbolParams
) -> Sequence[types.DocumentSymbol] | Sequence[types.SymbolInformation]:
    """The symbols of a template, as a tree if the client can show one."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    parts = document_symbols(at.file)
    if ls.session.client.symbol_tree:
        return [_symbol(at, part) for part in parts]
    return list(_flat(at, params.text_document.uri, parts, None))


def workspace_symbol(ls: Server, params: types.WorkspaceSymbolParams) -> Stepwise:
    """The agents and personas that match the query, whatever changes meanwhile."""
    return Stepwise(_matches(ls, params.query), lambda: True)


def _matches(ls: Server, query: str) -> Generator[None, None, list[types.SymbolInformation]]:
    session = ls.session
    yield from until_searched(ls)
    yield from reading(session.workspace)
    workspace, changes = session.workspace, session.files.answers.changes
    found = list[types.SymbolInformation]()
    for one in _found(ls, query):
        if one is not None:
            found.append(one)
        yield
        settle(ls)
        if session.workspace is not workspace or session.files.answers.changes != changes:
            # All files are read, so that it is short, and a search that began anew at each change
            # could take for ever.
            return [one for one in _found(ls, query) if one is not None]
    return found


def _found(ls: Server, query: str) -> Iterator[types.SymbolInformation | None]:
    encoding = ls.session.client.encoding
    lines = cache(ls.session.files.lines)
    for one in searching(ls.session.workspace, query):
        if one is None:
            yield None
            continue
        # Most results are at the start of a file, whose line is known without reading it.
        index = lines(one.path) if one.span.start else LineIndex("")
        where = convert.to_range(index, one.span, encoding)
        is_agent = one.persona is None
        yield types.SymbolInformation(
            location=types.Location(uri_of(ls.session, one.path), where),
            name=convert.symbol_name(one.name),
            kind=types.SymbolKind.Class if is_agent else types.SymbolKind.Object,
            container_name=convert.printable(
                one.where if is_agent else f"{one.agent}, {one.where}"
            ),
        )


def folding_range(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """The ranges of lines that can be folded."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    lines = (
        (at.index.line_of(span.start), at.index.line_of(max(span.start, span.end - 1)))
        for span in folding(at.file)
    )
    return [types.FoldingRange(start, end) for start, end in lines if end > start]


def selection_range(
    ls: Server, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | None:
    """For each position, the selection ranges from the smallest to the largest; None if unread."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return None
    return [_grown(at, position) for position in params.positions]


def _grown(at: FilePosition, position: types.Position) -> types.SelectionRange:
    largest, *others = reversed(selection_ranges(at.file, at.offset(position)))
    grown = types.SelectionRange(convert.to_range(at.index, largest, at.encoding))
    for span in others:
        grown = types.SelectionRange(convert.to_range(at.index, span, at.encoding), grown)
    return grown


def _symbol(at: FilePosition, part: DocumentSymbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=convert.symbol_name(part.name),
        kind=_SYMBOLS[part.kind],
        range=convert.to_range(at.index, part.span, at.encoding),
        selection_range=convert.to_range(at.index, part.name_span, at.encoding),
        detail=convert.printable(part.detail or part.kind.value),
        children=[_symbol(at, child) for child in part.children],
    )


def _flat(
    at: FilePosition, uri: str, parts: tuple[DocumentSymbol, ...], container: str | None
) -> Iterator[types.SymbolInformation]:
    for part in parts:
        where = convert.to_range(at.index, part.span, at.encoding)
        name = convert.symbol_name(part.name)
        location = types.Location(uri, where)
        yield types.SymbolInformation(location, name, _SYMBOLS[part.kind], container_name=container)
        yield from _flat(at, uri, part.children, name)


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
