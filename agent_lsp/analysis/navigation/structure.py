"""Outlines a template, and finds the ranges that fold and those to which a selection grows."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import Enum
from itertools import groupby, islice

from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Persona
from agent_lsp.patterns import regex
from agent_lsp.syntax.frontmatter import FenceKind, code_blocks
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    Pair,
    Scalar,
    Section,
    Sequence,
    Style,
    resolve,
)
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


class SymbolKind(Enum):
    """The kind of a document symbol."""

    KEY = "key"
    PERSONA = "persona"
    PROMPT = "prompt of a persona"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class DocumentSymbol:
    """A document symbol; `name_span` is the part to select, `detail` a short description."""

    kind: SymbolKind
    name: str
    span: Span
    name_span: Span
    detail: str = ""
    children: "tuple[DocumentSymbol, ...]" = ()


def document_symbols(file: TemplateFile) -> tuple[DocumentSymbol, ...]:
    """The symbols of the template, as its author means them."""
    if file.dialect.schema.is_tables and file.dialect.is_toml:
        return tuple(_tables(file))
    if file.dialect.schema.is_tables:
        return tuple(_entries(file, file.document.tree.root, ()))
    return (*_keys(file), *_body(file))


def walk(parts: tuple[DocumentSymbol, ...]) -> Iterator[DocumentSymbol]:
    """All `parts` with everything inside of them, in source order."""
    for part in parts:
        yield part
        yield from walk(part.children)


def _tables(file: TemplateFile) -> Iterator[DocumentSymbol]:
    """The templates in a file of tables with their settings, and the settings beside them."""

    def whose(section: Section) -> str | None:
        return file.dialect.schema.template_at(section.path)

    seen = set()
    for name, group in groupby(file.document.tree.sections, key=whose):
        sections = tuple(group)
        if name and name not in seen:
            seen.add(name)
            yield _template(file, name, sections)
        elif name:
            # Its first tables are elsewhere, and a symbol has only one span.
            yield from (_table(file, one, _depth(file, one, name) - 1) for one in sections)
        else:
            yield from (part for one in sections for part in _beside(file, one))


def _template(file: TemplateFile, name: str, sections: tuple[Section, ...]) -> DocumentSymbol:
    """A template whose tables are contiguous, with the name as in the first table's header."""
    first, depth = sections[0], _depth(file, sections[0], name)
    children: list[DocumentSymbol] = []
    for section in sections:
        if len(section.path) == depth:
            children += map(_setting, section.pairs)
        else:
            children.append(_table(file, section, depth))
    whole = Span(first.span.start, sections[-1].span.end)
    at = first.header.keys[depth - 1].span if first.header is not None else whole
    return DocumentSymbol(
        SymbolKind.KEY, name, _trimmed(file.document.text, whole), at, "", tuple(children)
    )


def _depth(file: TemplateFile, section: Section, name: str) -> int:
    """The number of names in the path to the template."""
    path, of = section.path, file.dialect.schema.template_at
    return next(end for end in range(1, len(path) + 1) if of(path[:end]) == name)


def _table(file: TemplateFile, section: Section, start: int) -> DocumentSymbol:
    """A table in a template, called by its path from `start` on."""
    keys = section.header.keys[start:] if section.header is not None else ()
    at = Span(keys[0].span.start, keys[-1].span.end) if keys else section.span
    name, span = ".".join(section.path[start:]), _trimmed(file.document.text, section.span)
    return DocumentSymbol(
        SymbolKind.KEY, name or "…", span, at, "", tuple(map(_setting, section.pairs))
    )


def _beside(file: TemplateFile, section: Section) -> Iterator[DocumentSymbol]:
    """The entries of a table outside of any template, and the templates inside of the table."""
    known = {key.name for key in file.dialect.schema.at(file.document, section.path)}
    for pair in section.pairs:
        inside = [one for one in file.names if one.span and _holds(pair.span, one.span)]
        yield from (
            DocumentSymbol(SymbolKind.KEY, one.name, one.span, one.span)
            for one in inside
            if one.span
        )
        part = _setting(pair)
        if not inside and part.name in known:
            yield part


def _setting(pair: Pair) -> DocumentSymbol:
    name = ".".join(key.value if isinstance(key, Scalar) else "…" for key in pair.keys)
    at = Span(pair.keys[0].span.start, pair.keys[-1].span.end)
    return DocumentSymbol(SymbolKind.KEY, name or "…", pair.span, at, _detail(pair.value))


def _entries(
    file: TemplateFile, node: Node | None, path: tuple[str, ...]
) -> Iterator[DocumentSymbol]:
    """The known entries of a mapping, down to the settings of each template."""
    mapping = resolve(node)
    names = {key.name for key in file.dialect.schema.at(file.document, path)}
    tables = file.dialect.schema.templates or ((),)
    is_named = path in tables
    for entry in mapping.entries if isinstance(mapping, Mapping) else ():
        if entry.name and (is_named or entry.name in names):
            below = (*path, entry.name)
            is_outer = any(
                len(below) <= len(above) + 1 and below[: len(above)] == above[: len(below)]
                for above in tables
            )
            inner = tuple(_entries(file, entry.value, below)) if is_outer else ()
            detail = _detail(entry.value)
            yield DocumentSymbol(
                SymbolKind.KEY, entry.name, entry.span, entry.key.span, detail, inner
            )


_LONGEST = 60
# The most symbols in an outline. A longer one would help no reader and slow the editor down.
_MOST_HEADINGS = 2_000


def _keys(file: TemplateFile) -> Iterator[DocumentSymbol]:
    root = file.document.tree.top
    if not isinstance(root, Mapping):
        return
    personas = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
    for entry in root.entries:
        if not entry.name:
            continue
        is_personas = personas is not None and entry.name == personas.name
        inner = tuple(_persona(p) for p in file.reading.declared.personas) if is_personas else ()
        children = tuple(p for p in inner if _holds(entry.span, p.span))
        detail = _detail(entry.value)
        yield DocumentSymbol(
            SymbolKind.KEY, entry.name, entry.span, entry.key.span, detail, children
        )


def _persona(declared: Persona) -> DocumentSymbol:
    description = declared.settings.get("description")
    detail = _short(description.text) if description is not None else ""
    # A persona without a name is half typed, and a symbol without a name cannot be shown.
    name = declared.name or "…"
    return DocumentSymbol(SymbolKind.PERSONA, name, declared.span, declared.name_span, detail)


def _detail(node: Node | None) -> str:
    value = resolve(node)
    if isinstance(value, Scalar):
        return _short(value.value)
    return ", ".join(_texts(value))[:_LONGEST] if isinstance(value, Sequence) else ""


def _texts(sequence: Sequence) -> Iterator[str]:
    items: Iterator[Node | None] = (resolve(item) for item in sequence.items[:_LONGEST])
    yield from (_short(item.value) for item in items if isinstance(item, Scalar))


def _short(text: str) -> str:
    line = " ".join(text[: _LONGEST * 2].split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _body(file: TemplateFile) -> Iterator[DocumentSymbol]:
    """The headings before the first marker, then each marker with its block."""
    text, body = file.document.text, file.body
    named = [(m, b.name) for b in file.reading.declared.blocks[1:] for m in b.markers]
    marks = sorted((line_at(text, span.start), span, name or "") for span, name in named)
    headings = list(islice(_headings(text, body.start), _MOST_HEADINGS))
    ends = [line.start for line, _, _ in marks] + [body.end]
    yield from _nested(text, headings, Span(body.start, ends[0]))
    for (line, span, name), end in zip(marks, ends[1:], strict=True):
        inner = tuple(_nested(text, headings, Span(line.end, end)))
        yield DocumentSymbol(
            SymbolKind.PROMPT, name, _trimmed(text, Span(line.start, end)), span, "", inner
        )


# The text after the `#` signs is the heading; without text there is none.
_HEADING = regex(r"^ {0,3}(#{1,6})[ \t]+(\S[^\r\n]*?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


def _headings(text: str, start: int) -> Iterator[tuple[int, Span, Span]]:
    """The level of each heading, its line and its text."""
    blocks = iter(code_blocks(text, start))
    block = next(blocks, None)
    for found in _HEADING.finditer(text, start):
        while block is not None and block.end < found.start():
            block = next(blocks, None)
        if block is None or not block.covers(found.start()):
            yield len(found[1]), Span(*found.span()), Span(*found.span(2))


def _nested(
    text: str, headings: list[tuple[int, Span, Span]], piece: Span
) -> Iterator[DocumentSymbol]:
    """The headings in `piece`, each with the deeper ones that follow it."""
    first, last = (
        bisect_left(headings, at, key=lambda one: one[1].start) for at in (piece.start, piece.end)
    )
    own = headings[first:last]
    at = 0
    while at < len(own):
        level, line, name = own[at]
        stop = next((i for i in range(at + 1, len(own)) if own[i][0] <= level), len(own))
        end = own[stop][1].start if stop < len(own) else piece.end
        # All levels in it are deeper, so the recursion has at most six steps.
        inner = tuple(_nested(text, own[at + 1 : stop], Span(line.end, end)))
        span = _trimmed(text, Span(line.start, end))
        yield DocumentSymbol(SymbolKind.HEADING, name.of(text), span, name, "", inner)
        at = stop


def _trimmed(text: str, span: Span) -> Span:
    """The span without the blank lines at its end."""
    # Any other white space, such as U+2028 behind a heading, belongs to the name of a symbol.
    return Span(span.start, span.start + len(span.of(text).rstrip(" \t\r\n")))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def folding(file: TemplateFile) -> tuple[Span, ...]:
    """The spans that can be folded, the outer ones first."""
    text = file.document.text
    found: dict[int, Span] = {}
    for span in (*_header(file), *_body_folds(file)):
        if "\n" in span.of(text):
            found.setdefault(text.rfind("\n", 0, span.start) + 1, span)
    return tuple(sorted(found.values(), key=lambda span: (span.start, -span.end)))


def _header(file: TemplateFile) -> Iterator[Span]:
    frontmatter = file.document.frontmatter
    if frontmatter.fence is FenceKind.ABSENT:
        return
    if file.dialect.schema.is_tables:
        yield from _table_folds(file) if file.dialect.is_toml else _entry_folds(file)
        return
    # A file that is a header as a whole has no fence to fold it at.
    if len(frontmatter.open):
        yield Span(
            frontmatter.open.start,
            frontmatter.close.end if frontmatter.close is not None else frontmatter.inner.end,
        )
    root = file.document.tree.top
    for entry in root.entries if isinstance(root, Mapping) else ():
        yield entry.span
        yield from _items(entry)


def _entry_folds(file: TemplateFile) -> Iterator[Span]:
    """The entries of a JSON file that its outline has."""
    yield from (part.span for part in walk(document_symbols(file)))


def _table_folds(file: TemplateFile) -> Iterator[Span]:
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


def _body_folds(file: TemplateFile) -> Iterator[Span]:
    parts: tuple[DocumentSymbol, ...] = document_symbols(file)
    kinds = (SymbolKind.PROMPT, SymbolKind.HEADING)
    spans = sorted(
        (part.span for part in walk(parts) if part.kind in kinds), key=lambda span: span.start
    )
    yield from spans
    starts = [span.start for span in spans]
    for block in code_blocks(file.document.text, file.body.start):
        # A prompt that begins in a block ends what is around the block, and folds cannot cross.
        is_whole = bisect_right(starts, block.start) == bisect_left(starts, block.end)
        if is_whole and block.start < file.body.end:
            yield block


def selection_ranges(file: TemplateFile, offset: int) -> tuple[Span, ...]:
    """The spans around `offset`, each inside of the next one; the last is the whole file."""
    around = {span for span in _spans(file, offset) if span.covers(offset)}
    chain: list[Span] = []
    for span in sorted(around, key=lambda span: (len(span), span.start)):
        if not chain or (span.start <= chain[-1].start and chain[-1].end <= span.end):
            chain.append(span)
    return tuple(chain)


_WORD = regex(r"[\w.-]*")
_WORD_END = regex(r"[\w.-]*$")


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
