"""Answers requests about the structure of a file, and searches for names in all files."""

from collections.abc import Generator, Iterator, Sequence
from functools import cache

from lsprotocol import types

from agent_lsp.analysis.navigation.structure import (
    DocumentSymbol,
    SymbolKind,
    document_symbols,
    folding,
    selection_ranges,
)
from agent_lsp.analysis.navigation.workspace_symbols import reading, searching
from agent_lsp.server import convert
from agent_lsp.server.requests.position import FilePosition, file_position
from agent_lsp.server.server import Server
from agent_lsp.server.session import uri_of
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.scan import until_searched
from agent_lsp.text import LineIndex

_KINDS = {
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
            name=convert.printable(one.name),
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
        name=convert.printable(part.name),
        kind=_KINDS[part.kind],
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
        name = convert.printable(part.name)
        location = types.Location(uri, where)
        yield types.SymbolInformation(location, name, _KINDS[part.kind], container_name=container)
        yield from _flat(at, uri, part.children, name)
