"""Defines the contexts of a cursor; `cursor.context_at` finds the one at an offset.

The context of a line that starts a persona's block, or is about to, is found here, because the body
decides it alone.
"""

from collections.abc import Mapping
from enum import Enum

from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import Key, KeyPath
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Entry, Node, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


class Framing(Enum):
    """The text that an insertion needs around it to be valid YAML."""

    BARE = "nothing"
    DASH = "a dash before it: it starts an item on its own line"
    BELOW = "a line end and a dash before it: its list starts below the key"
    ENCLOSED = "brackets around an item, braces around a key"


@dataclass(frozen=True, slots=True)
class KeyContext:
    """On a key, or where a key may be added.

    `keys` are those that the mapping may have, and none if the mapping is unknown. `names` are
    those of the templates that may stand there instead. `siblings` has the names of the mapping's
    other keys. `record` says that the mapping is an item of a list, and `flow` that it is in
    braces. `colon` says that a colon or an equals sign follows, or that none can. `is_table` says
    that only tables may stand there. `word` is the key that is written.
    """

    typed: Span | None
    keys: tuple[Key, ...]
    path: KeyPath = ()
    names: tuple[str, ...] = ()
    word: Scalar | None = None
    siblings: tuple[str, ...] = ()
    record: bool = False
    flow: bool = False
    colon: bool = False
    is_table: bool = False
    frame: Framing = Framing.BARE
    spaced: bool = False
    entry: Entry | None = None
    mapping: nodes.Mapping | None = None


@dataclass(frozen=True, slots=True)
class ValueContext:
    """On the value of `key` (None if the dialect has no such key), or where it may be typed.

    `siblings` has the texts of the other keys in the same mapping, `mapping`. `flow` says that the
    mapping is in braces.
    """

    typed: Span | None
    key: Key | None
    siblings: Mapping[str, str]
    path: KeyPath = ()
    flow: bool = False
    spaced: bool = False
    entry: Entry | None = None
    mapping: nodes.Mapping | None = None


@dataclass(frozen=True, slots=True)
class ItemContext:
    """On an item of the list under `key`, or where one may be added.

    `others` are the texts of the list's other items. `flow` says that the list is in brackets.
    """

    typed: Span | None
    key: Key | None
    others: tuple[str, ...] = ()
    path: KeyPath = ()
    flow: bool = False
    frame: Framing = Framing.BARE
    spaced: bool = False
    entry: Entry | None = None
    item: Node | None = None


@dataclass(frozen=True, slots=True)
class MarkerContext:
    """On the line `line` of the body, which starts a persona's block or is about to.

    `name` is the span of the persona's name, if there is one. `lead` and `tail` are the missing
    text before and after it. `whole` says that `typed` is all of an unfinished marker.
    """

    line: Span
    typed: Span | None
    name: Span | None = None
    whole: bool = False
    lead: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class FenceContext:
    """On the line that opens or closes the header."""

    span: Span
    opening: bool


@dataclass(frozen=True, slots=True)
class BodyContext:
    """In the body, outside of markers."""


HeaderContext = KeyContext | ValueContext | ItemContext
Context = HeaderContext | MarkerContext | FenceContext | BodyContext


_COMMENT = "<!--"
_CLOSE = "-->"


def marker_context(file: TemplateFile, offset: int) -> MarkerContext | None:
    """The marker at `offset` in the body, or None."""
    if file.dialect.format.marker is None:
        return None
    text = file.document.text
    line = line_at(text, offset)
    written = line.of(text)
    opener, _, closer = file.dialect.format.marker("\0").partition("\0")
    start = line.start + len(written) - len(written.lstrip())
    begun = Span(start, max(start, line.start + len(written.rstrip())))
    if begun.of(text).startswith(opener.rstrip()):
        return _name(text, line, begun, opener.rstrip(), closer, offset)
    if offset > start and _begins(begun.of(text), opener):
        return MarkerContext(line, Span(start, max(begun.end, offset)), whole=True)
    return None


def line_at(text: str, offset: int) -> Span:
    """The line at `offset` without its end; as in runtimes, only LF and CRLF end a line."""
    start = text.rfind("\n", 0, offset) + 1
    stop = text.find("\n", offset)
    if stop < 0:
        return Span(start, len(text))
    return Span(start, stop - 1 if stop > start and text[stop - 1] == "\r" else stop)


def _begins(written: str, opener: str) -> bool:
    """Whether `written` is the start of a marker, which the editor may already have closed."""
    inner = written.removesuffix(_CLOSE) if written.startswith(_COMMENT) else written
    return bool(written) and opener.startswith(inner.rstrip())


def _name(
    text: str, line: Span, begun: Span, opener: str, closer: str, offset: int
) -> MarkerContext:
    closed = begun.of(text).endswith(closer.strip()) and len(begun) >= len(opener + closer.strip())
    inner = Span(begun.start + len(opener), begun.end - len(closer.strip()) * closed)
    if not closed:
        inner = Span(inner.start, line.end)
    written = inner.of(text)
    if written.strip():
        start = inner.start + len(written) - len(written.lstrip())
        name = Span(start, start + len(written.strip()))
        typed = name if name.covers(offset) else None
    else:
        name = None
        typed = Span(offset, offset) if inner.covers(offset) else None
    at = typed or inner
    lead = "" if text[at.start - 1].isspace() else " "
    gap = text[at.end : at.end + 1]
    tail = ("" if gap.isspace() else " ") if closed else closer
    return MarkerContext(line, typed, name, lead=lead, tail=tail)
