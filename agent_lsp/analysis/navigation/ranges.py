"""Finds the ranges that can be folded, and those to which a selection grows.

Invariant: a fold has more than one line, and no two folds start on the same line.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.navigation.document_symbols import (
    DocumentSymbol,
    SymbolKind,
    document_symbols,
    walk,
)
from agent_lsp.syntax.frontmatter import FenceKind, code_blocks
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def folding(file: TemplateFile) -> tuple[Span, ...]:
    """The spans that can be folded, the outer ones first."""
    text = file.document.text
    found: dict[int, Span] = {}
    for span in (*_header(file), *_body(file)):
        if "\n" in span.of(text):
            found.setdefault(text.rfind("\n", 0, span.start) + 1, span)
    return tuple(sorted(found.values(), key=lambda span: (span.start, -span.end)))


def _header(file: TemplateFile) -> Iterator[Span]:
    frontmatter = file.document.frontmatter
    if frontmatter.fence is FenceKind.ABSENT:
        return
    if file.dialect.schema.is_tables:
        yield from _tables(file) if file.dialect.is_toml else _entries(file)
        return
    yield Span(
        frontmatter.open.start,
        frontmatter.close.end if frontmatter.close is not None else frontmatter.inner.end,
    )
    root = file.document.tree.top
    for entry in root.entries if isinstance(root, Mapping) else ():
        yield entry.span
        yield from _items(entry)


def _entries(file: TemplateFile) -> Iterator[Span]:
    """The entries of a JSON file that its outline has."""
    yield from (part.span for part in walk(document_symbols(file)))


def _tables(file: TemplateFile) -> Iterator[Span]:
    """Each table from its header to its last statement, and its long values."""
    for section in file.document.tree.sections:
        if section.header is not None:
            ends = [section.header.span.end, *(pair.span.end for pair in section.pairs)]
            yield Span(section.header.span.start, max(ends))
        yield from (pair.span for pair in section.pairs)


def _items(entry: Entry) -> Iterator[Span]:
    value = entry.node
    if isinstance(value, Sequence) and value is entry.value:
        yield from (item.span for item in value.items)


def _body(file: TemplateFile) -> Iterator[Span]:
    parts: tuple[DocumentSymbol, ...] = document_symbols(file)
    kinds = (SymbolKind.PROMPT, SymbolKind.HEADING)
    yield from (part.span for part in walk(parts) if part.kind in kinds)
    blocks = code_blocks(file.document.text, file.body.start)
    yield from (block for block in blocks if block.start < file.body.end)


def selection_ranges(file: TemplateFile, offset: int) -> tuple[Span, ...]:
    """The spans around `offset`, each inside of the next one; the last is the whole file."""
    around = {span for span in _spans(file, offset) if span.covers(offset)}
    chain: list[Span] = []
    for span in sorted(around, key=lambda span: (len(span), span.start)):
        if not chain or (span.start <= chain[-1].start and chain[-1].end <= span.end):
            chain.append(span)
    return tuple(chain)


_WORD = re.compile(r"[\w.-]*")
_WORD_END = re.compile(r"[\w.-]*$")


def _spans(file: TemplateFile, offset: int) -> Iterator[Span]:
    text, frontmatter = file.document.text, file.document.frontmatter
    line = line_at(text, offset)
    before = _WORD_END.search(text, line.start, offset)
    after = _WORD.match(text, offset, line.end)
    yield Span(before.start() if before else offset, after.end() if after else offset)
    if frontmatter.fence is not FenceKind.ABSENT:
        yield Span(
            frontmatter.open.start,
            frontmatter.close.end if frontmatter.close is not None else frontmatter.inner.end,
        )
        yield frontmatter.inner
    is_in_body = offset >= file.body.start and (offset <= file.body.end or not file.dialect.is_toml)
    if is_in_body:
        yield from (
            _without_blanks(text, line),
            line,
            _paragraph(text, line, file.body),
            file.body,
        )
    if not is_in_body or file.dialect.is_toml:
        yield from _nodes(file.document.tree.root, offset)
    yield from (
        span for part in walk(document_symbols(file)) for span in (part.name_span, part.span)
    )
    yield Span(0, len(text))


def _nodes(node: Node | None, offset: int) -> Iterator[Span]:
    """The spans of the nodes at `offset`, outer ones first; targets of aliases are elsewhere."""
    while node is not None and node.span.covers(offset):
        yield node.span
        if isinstance(node, Scalar) and node.style in (Style.SINGLE, Style.DOUBLE):
            yield Span(node.span.start + 1, max(node.span.start + 1, node.span.end - 1))
        inner: Node | Entry | None = None
        if isinstance(node, Mapping):
            inner = next((entry for entry in node.entries if entry.covers(offset)), None)
        elif isinstance(node, Sequence):
            inner = next((item for item in node.items if item.span.covers(offset)), None)
        if isinstance(inner, Entry):
            if inner.span.covers(offset):
                yield inner.span
            inner = inner.key if inner.key.span.covers(offset) else inner.value
        node = inner


def _without_blanks(text: str, line: Span) -> Span:
    written = line.of(text)
    start = line.start + len(written) - len(written.lstrip())
    return Span(start, max(start, line.start + len(written.rstrip())))


def _paragraph(text: str, line: Span, body: Span) -> Span:
    """The lines around `line` up to a blank one."""
    if not line.of(text).strip():
        return line
    start, end = line.start, line.end
    while start > body.start and (above := line_at(text, start - 1)).of(text).strip():
        start = max(above.start, body.start)
    while end < body.end and (below := line_at(text, text.find("\n", end) + 1)).of(text).strip():
        if below.end <= end:
            break
        end = below.end
    return Span(start, end)
