"""What can be folded: the header, its longer values, the pieces of the body and code.

Invariant: a fold is longer than a line, and no two of them start in the same one.
"""

from collections.abc import Iterator

from agent_lsp.analysis.navigation.outline import Part, PartKind, outline, walk
from agent_lsp.syntax.markdown import Fence, code_blocks
from agent_lsp.syntax.nodes import Entry, Mapping, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def folding(of: Subject) -> tuple[Span, ...]:
    """The spans that can be folded, outer ones first."""
    text = of.document.text
    found: dict[int, Span] = {}
    for span in (*_header(of), *_body(of)):
        if "\n" in span.of(text):
            found.setdefault(text.rfind("\n", 0, span.start) + 1, span)
    return tuple(sorted(found.values(), key=lambda span: (span.start, -span.end)))


def _header(of: Subject) -> Iterator[Span]:
    cut = of.document.cut
    if cut.fence is Fence.ABSENT:
        return
    if of.dialect.keys_at is not None:
        yield from _tables(of)
        return
    yield Span(cut.open.start, cut.close.end if cut.close is not None else cut.inner.end)
    root = resolve(of.document.tree.root)
    for entry in root.entries if isinstance(root, Mapping) else ():
        yield entry.span
        yield from _items(entry)


def _tables(of: Subject) -> Iterator[Span]:
    """Each table from its header to its last statement, and its long values."""
    for section in of.document.tree.sections:
        if section.header is not None:
            ends = [section.header.span.end, *(pair.span.end for pair in section.pairs)]
            yield Span(section.header.span.start, max(ends))
        yield from (pair.span for pair in section.pairs)


def _items(entry: Entry) -> Iterator[Span]:
    value = resolve(entry.value)
    if isinstance(value, Sequence) and value is entry.value:
        yield from (item.span for item in value.items)


def _body(of: Subject) -> Iterator[Span]:
    parts: tuple[Part, ...] = outline(of)
    kinds = (PartKind.PROMPT, PartKind.HEADING)
    yield from (part.span for part in walk(parts) if part.kind in kinds)
    yield from code_blocks(of.document.text, of.document.cut.body.start)
