"""What can be folded: the header, its longer values, the pieces of the body and code.

Invariant: a fold is longer than a line, and no two of them start in the same one.
"""

from collections.abc import Iterator

from agent_lsp.analysis.navigation.outline import DocumentSymbol, SymbolKind, document_symbols, walk
from agent_lsp.syntax.markdown import FenceKind, code_blocks
from agent_lsp.syntax.nodes import Entry, Mapping, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile


def folding(file: TemplateFile) -> tuple[Span, ...]:
    """The spans that can be folded, outer ones first."""
    text = file.document.text
    found: dict[int, Span] = {}
    for span in (*_header(file), *_body(file)):
        if "\n" in span.of(text):
            found.setdefault(text.rfind("\n", 0, span.start) + 1, span)
    return tuple(sorted(found.values(), key=lambda span: (span.start, -span.end)))


def _header(file: TemplateFile) -> Iterator[Span]:
    cut = file.document.frontmatter
    if cut.fence is FenceKind.ABSENT:
        return
    if file.dialect.keys_at is not None:
        yield from _tables(file)
        return
    yield Span(cut.open.start, cut.close.end if cut.close is not None else cut.inner.end)
    root = resolve(file.document.tree.root)
    for entry in root.entries if isinstance(root, Mapping) else ():
        yield entry.span
        yield from _items(entry)


def _tables(file: TemplateFile) -> Iterator[Span]:
    """Each table from its header to its last statement, and its long values."""
    for section in file.document.tree.sections:
        if section.header is not None:
            ends = [section.header.span.end, *(pair.span.end for pair in section.pairs)]
            yield Span(section.header.span.start, max(ends))
        yield from (pair.span for pair in section.pairs)


def _items(entry: Entry) -> Iterator[Span]:
    value = resolve(entry.value)
    if isinstance(value, Sequence) and value is entry.value:
        yield from (item.span for item in value.items)


def _body(file: TemplateFile) -> Iterator[Span]:
    parts: tuple[DocumentSymbol, ...] = document_symbols(file)
    kinds = (SymbolKind.PROMPT, SymbolKind.HEADING)
    yield from (part.span for part in walk(parts) if part.kind in kinds)
    yield from code_blocks(file.document.text, file.document.frontmatter.body.start)
