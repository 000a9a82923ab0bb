"""The parts of a template: the keys of its header, and the pieces and headings of its body.

Invariants: parts nest, stand in source order and hold their own names; a heading inside of a
code block is none.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from agent_lsp.analysis.marker import line_at
from agent_lsp.dialects.template import Persona
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax.markdown import code_blocks
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


class PartKind(Enum):
    """What a part of a template is."""

    KEY = "key"
    PERSONA = "persona"
    PROMPT = "prompt of a persona"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Part:
    """One part; `name_span` is what to select of it, and `detail` a few words about it."""

    kind: PartKind
    name: str
    span: Span
    name_span: Span
    detail: str = ""
    children: "tuple[Part, ...]" = ()


def outline(of: Subject) -> tuple[Part, ...]:
    """The parts of the template, as its author means them."""
    if of.dialect.keys_at is not None:
        return tuple(_tables(of))
    return (*_keys(of), *_body(of))


def walk(parts: tuple[Part, ...]) -> Iterator[Part]:
    """All of `parts` and of what is in them, in source order."""
    for part in parts:
        yield part
        yield from walk(part.children)


def _tables(of: Subject) -> Iterator[Part]:
    """The templates of a file of tables, each where its name stands first."""
    for one in of.names:
        if one.span is None or not one.name:
            continue
        sections = of.document.tree.sections
        whole = next(
            (s.span for s in sections if s.span.start <= one.span.start < s.span.end), None
        )
        yield Part(PartKind.KEY, one.name, whole or one.span, one.span)


_LONGEST = 60


def _keys(of: Subject) -> Iterator[Part]:
    root = resolve(of.document.tree.root)
    if not isinstance(root, Mapping):
        return
    personas = of.dialect.key_holding(Holds.PERSONAS)
    for entry in root.entries:
        if not entry.name:
            continue
        is_personas = personas is not None and entry.name == personas.name
        inner = tuple(_persona(p) for p in of.reading.written.personas) if is_personas else ()
        children = tuple(p for p in inner if _holds(entry.span, p.span))
        detail = _detail(entry)
        yield Part(PartKind.KEY, entry.name, entry.span, entry.key.span, detail, children)


def _persona(declared: Persona) -> Part:
    description = declared.settings.get("description")
    detail = _short(description.text) if description is not None else ""
    # A persona without a name is half typed, and a part without one cannot be shown.
    name = declared.name or "…"
    return Part(PartKind.PERSONA, name, declared.span, declared.name_span, detail)


def _detail(entry: Entry) -> str:
    value = resolve(entry.value)
    if isinstance(value, Scalar):
        return _short(value.value)
    return ", ".join(_texts(value))[:_LONGEST] if isinstance(value, Sequence) else ""


def _texts(of: Sequence) -> Iterator[str]:
    items: Iterator[Node | None] = (resolve(item) for item in of.items[:_LONGEST])
    yield from (_short(item.value) for item in items if isinstance(item, Scalar))


def _short(text: str) -> str:
    line = " ".join(text[: _LONGEST * 2].split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _body(of: Subject) -> Iterator[Part]:
    """The headings before the first marker, then each marker with what it begins."""
    text, body = of.document.text, of.document.cut.body
    named = [(m, b.name) for b in of.reading.written.blocks[1:] for m in b.markers]
    marks = sorted((line_at(text, span.start), span, name or "") for span, name in named)
    headings = list(_headings(text, body.start))
    ends = [line.start for line, _, _ in marks] + [body.end]
    yield from _nested(text, headings, Span(body.start, ends[0]))
    for (line, span, name), end in zip(marks, ends[1:], strict=True):
        inner = tuple(_nested(text, headings, Span(line.end, end)))
        yield Part(PartKind.PROMPT, name, _trimmed(text, Span(line.start, end)), span, "", inner)


# What stands behind the signs is the heading; one without text is none for a reader.
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S[^\r\n]*?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


def _headings(text: str, start: int) -> Iterator[tuple[int, Span, Span]]:
    """The level of each heading, its line and its text."""
    blocks = iter(code_blocks(text, start))
    block = next(blocks, None)
    for found in _HEADING.finditer(text, start):
        while block is not None and block.end < found.start():
            block = next(blocks, None)
        if block is None or not block.covers(found.start()):
            yield len(found[1]), Span(*found.span()), Span(*found.span(2))


def _nested(text: str, headings: list[tuple[int, Span, Span]], piece: Span) -> Iterator[Part]:
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
        # The levels in it are all deeper, so this goes down at most six times.
        inner = tuple(_nested(text, own[at + 1 : stop], Span(line.end, end)))
        span = _trimmed(text, Span(line.start, end))
        yield Part(PartKind.HEADING, name.of(text), span, name, "", inner)
        at = stop


def _trimmed(text: str, span: Span) -> Span:
    """The span without the blank lines at its end."""
    return Span(span.start, span.start + len(span.of(text).rstrip()))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
