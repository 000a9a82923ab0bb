"""Finds the context of a cursor: a key, a value, an item, a marker, a fence or text.

Invariants: in TOML, the statement at the cursor decides. In YAML and JSON, the YAML parser decides:
a plain word replaces the text typed at the cursor, and the context is the place of that word in the
parsed tree. A word that adds damage to the header has no context. Nodes in an answer are those of
the document, never those of a trial.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.analysis.context import contexts, statement
from agent_lsp.analysis.context.contexts import (
    BodyContext,
    Context,
    FenceContext,
    Framing,
    HeaderContext,
    ItemContext,
    KeyContext,
    MarkerContext,
    ValueContext,
    line_at,
)
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import Key, KeyPath, ValueKind, counting, path_of
from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    NodePath,
    Scalar,
    Sequence,
    Style,
    Tree,
    path_at,
    resolve,
)
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, templates_at

__all__ = [
    "BodyContext",
    "Context",
    "FenceContext",
    "Framing",
    "HeaderContext",
    "ItemContext",
    "KeyContext",
    "MarkerContext",
    "ValueContext",
    "context_at",
]


def context_at(file: TemplateFile, offset: int) -> Context | None:
    """The completion context at `offset`; None if nothing can be written there, as in a comment."""
    text, frontmatter = file.document.text, file.document.frontmatter
    if text[max(offset - 1, 0) : offset + 1] == "\r\n":
        offset -= 1
    if file.dialect.is_toml:
        return statement.context_at(file, offset)
    if frontmatter.fence is not FenceKind.ABSENT and _is_on(frontmatter.open, offset):
        return FenceContext(frontmatter.open, opening=True)
    if frontmatter.close is not None and _is_on(frontmatter.close, offset):
        return FenceContext(frontmatter.close, opening=False)
    header = _header(file, offset)
    if header is None:
        return contexts.marker_context(file, offset) or BodyContext()
    typed = _typed(file, header, offset)
    return None if typed is None else _tried(file, header, typed, offset)


@dataclass(frozen=True, slots=True)
class _Typed:
    """The text typed at the cursor; `spaced` if it lacks the space after a colon or dash."""

    span: Span
    spaced: bool = False


def _is_on(fence: Span, offset: int) -> bool:
    """Whether `offset` is on a fence; a file that is all header has no fence."""
    return bool(len(fence)) and fence.covers(offset)


_FIRST_WORD = regex(r"[ \t]*(?:-[ \t]+)?[\w\"'*?-]*[ \t]*$")


def _header(file: TemplateFile, offset: int) -> Span | None:
    """The span of the header as the author means it, if `offset` is in it.

    A header that is not closed grows by the first word typed below it.
    """
    text, frontmatter = file.document.text, file.document.frontmatter
    if frontmatter.fence is FenceKind.ABSENT or offset < frontmatter.inner.start:
        return None
    if offset <= frontmatter.inner.end:
        return frontmatter.inner
    line = contexts.line_at(text, offset)
    if (
        frontmatter.fence is not FenceKind.UNCLOSED
        or text[frontmatter.inner.end : line.start].strip()
    ):
        return None
    return Span(frontmatter.inner.start, line.end) if _FIRST_WORD.match(line.of(text)) else None


_BEFORE = regex(r"[^\s,\[\]{}]*$")
_AFTER = regex(r"(?:(?!:(?:\s|$))[^\s,\[\]{}])*")
_DASHES = regex(r"[ \t]*(?:-[ \t]+)*-$")


def _typed(file: TemplateFile, header: Span, offset: int) -> _Typed | None:
    """The word or the quoted text under the cursor; None for a comment or a fence."""
    text = file.document.text
    quoted = _quoted(file, offset)
    if quoted is not None:
        return _Typed(quoted)
    line = contexts.line_at(text, offset)
    left = Span(max(line.start, header.start), offset).of(text)
    right = Span(offset, min(line.end, header.end)).of(text)
    before, after = _found(_BEFORE.search(left)), _found(_AFTER.match(right))
    if not after and (before.endswith(":") or _DASHES.match(left) or left.endswith(",")):
        return _Typed(Span(offset, offset), spaced=True)
    # Two dashes are no word of YAML, but the start of a fence.
    if (before + after).startswith(("#", "--")):
        return None
    return _Typed(Span(offset - len(before), offset + len(after)))


def _quoted(file: TemplateFile, offset: int) -> Span | None:
    """The quoted scalar under the cursor, if its quotes are certainly paired as intended."""
    tree = file.document.tree
    leaf = path_at(tree.root, offset).node
    if tree.problem is not None or not isinstance(leaf, Scalar) or leaf.tag is not None:
        return None
    quoted = leaf.style in (Style.SINGLE, Style.DOUBLE) and leaf.span.covers(offset)
    return leaf.span if quoted and "\n" not in leaf.span.of(file.document.text) else None


def _found(match: re.Match[str] | None) -> str:
    return match.group() if match else ""


_WORD = "x"


def _tried(file: TemplateFile, header: Span, typed: _Typed, offset: int) -> HeaderContext | None:
    """The completion context of the `typed` text in the `header`, or None."""
    text, span = file.document.text, typed.span
    before, after = text[header.start : span.start], text[span.end : header.end]
    line = _line(text, span)
    allowed = _damage(file.document.tree)
    # If nothing is typed, the typed text cannot be the mistake.
    enough = 0 if len(span) else allowed
    best: HeaderContext | None = None
    for lead, tail in _trials(line, typed):
        tree = _read(f"{before}{lead}{_WORD}{tail}{after}", header.start, sound=not allowed)
        at = span.start + len(lead)
        path = path_at(tree.root, at)
        found = (
            _context(file, tree, path, line, dashed=lead == _DASH)
            if _damage(tree) <= allowed
            else None
        )
        if found is None or path.node is None:
            continue
        alone = path.node.span == Span(at, at + len(_WORD))
        best = replace(found, typed=span if alone else None, spaced=typed.spaced)
        if _damage(tree) <= enough:
            break
        # After this, only a trial that leaves less damage is better.
        allowed = _damage(tree) - 1
    if isinstance(best, KeyContext) and not best.path and not _is_in_line(file, span):
        return None
    return _with_nodes(best, path_at(file.document.tree.root, offset))


_DASH = "- "
_OPENS = regex(r"[ \t]*(?:-[ \t]+)*-?$")
_COLON = regex(r"[ \t]*:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class _Line:
    """The text around a word.

    A `fresh` word has only blanks before it, and a word that `opens` its line has only blanks and
    dashes. A colon follows a word with `colon`. A `listed` word is indented and right below an
    item.
    """

    fresh: bool
    opens: bool
    colon: bool
    listed: bool


def _line(text: str, span: Span) -> _Line:
    line = line_at(text, span.start)
    before, after = text[line.start : span.start], text[span.end : line.end]
    above = line_at(text, max(line.start - 1, 0)).of(text)
    fresh, listed = not before.strip(), bool(before) and above.startswith(f"{before}- ")
    return _Line(fresh, bool(_OPENS.match(before)), bool(_COLON.match(after)), listed)


def _is_in_line(file: TemplateFile, span: Span) -> bool:
    """Whether a key at `span` is aligned with the other keys of the header, if there are any."""
    root = file.document.tree.top
    if not isinstance(root, Mapping) or root.flow:
        return True
    text, own = file.document.text, line_at(file.document.text, span.start).start
    starts = (
        (entry.key.span.start, line_at(text, entry.key.span.start).start) for entry in root.entries
    )
    columns = {start - line for start, line in starts if line != own}
    return not columns or span.start - own in columns


def _trials(line: _Line, typed: _Typed) -> Iterator[tuple[str, str]]:
    """The texts to try before and after the word, the most likely first."""
    space = " " if typed.spaced else ""
    if line.colon:
        yield space, ""
        return
    item = [(_DASH, "")] if line.fresh else []
    key = [(space, ":")] if line.opens else []
    # Each trial costs a parse.
    yield from (*item, *key, (space, "")) if line.listed else (*key, (space, ""), *item)


def _read(text: str, start: int, *, sound: bool) -> Tree:
    """The tree of `text`; with `sound`, without error recovery."""
    if not sound:
        return yaml.parse(text, start)
    source = libyaml.read(text, start)
    reading = libyaml.compose(source, 0, len(source.text), {})
    return Tree(reading.root, reading.unknown or reading.problem)


def _damage(tree: Tree) -> int:
    return len(tree.damage) or int(tree.problem is not None)


def _context(
    file: TemplateFile, tree: Tree, path: NodePath[Node | None], line: _Line, *, dashed: bool
) -> HeaderContext | None:
    """The context at the end of `path`, without `typed`, `spaced` and nodes."""
    if path.node is None:
        return None
    if path.is_key:
        return _key(file, tree, path, line)
    holder, mapping = path.up(1), path.up(2)
    way = path_of(path.above)
    key = file.dialect.schema.place(file.document, tree.root, way).key
    if isinstance(holder, Sequence) and not isinstance(mapping, Sequence):
        frame = Framing.DASH if dashed else Framing.BARE
        return _item(holder, key, path.node, frame, way)
    if isinstance(holder, Entry) and isinstance(mapping, Mapping):
        return _value(mapping, holder, key, line, way)
    return None


def _key(
    file: TemplateFile, tree: Tree, path: NodePath[Node | None], line: _Line
) -> KeyContext | None:
    *above, mapping, entry = path.above
    if not isinstance(mapping, Mapping) or not isinstance(entry, Entry):
        return None
    if not line.colon and entry.value is not None and len(entry.value.span):
        return None
    way = path_of(above, mapping)
    place = file.dialect.schema.place(file.document, tree.root, way)
    key = place.key
    siblings = tuple(other.name or "" for other in mapping.entries if other is not entry)
    found = KeyContext(
        None, place.keys, way, siblings=siblings, flow=mapping.flow, colon=line.colon
    )
    if not above:
        return found
    if place.is_named:
        return replace(found, names=templates_at(file, way))
    if key is None:
        # Below an unknown key, a word can be anything.
        return found if line.colon else None
    if isinstance(above[-1], Sequence):
        return replace(found, record=True) if key.kind is ValueKind.RECORDS else None
    if key.kind is ValueKind.RECORDS:
        started = line.fresh and len(mapping.entries) == 1
        return (
            replace(_record(key, way), siblings=siblings, frame=Framing.DASH) if started else None
        )
    return found if place.keys else None


def _record(key: Key, way: KeyPath) -> KeyContext:
    """On the first key of a new item of the list under `key`."""
    return KeyContext(None, counting(key.items, None), (*way, -1), record=True)


def _item(
    holder: Sequence, key: Key | None, leaf: Node, frame: Framing, way: KeyPath
) -> HeaderContext:
    if key is not None and key.kind is ValueKind.RECORDS:
        frame = Framing.ENCLOSED if holder.flow else frame
        return replace(_record(key, way), flow=holder.flow, frame=frame)
    others = tuple(_texts(item for item in holder.items if item is not leaf))
    return ItemContext(None, key, others, way[:-1], holder.flow, frame)


def _value(
    mapping: Mapping, entry: Entry, key: Key | None, line: _Line, way: KeyPath
) -> HeaderContext:
    if key is not None and key.kind is ValueKind.RECORDS:
        below = Framing.DASH if line.fresh else Framing.BELOW
        return replace(_record(key, way), frame=below)
    if key is not None and key.kind is ValueKind.LIST:
        around = Framing.DASH if line.fresh else Framing.ENCLOSED
        return ItemContext(None, key, (), way[:-1], not line.fresh, around)
    beside = {}
    for other in mapping.entries:
        value = other.node
        if other is not entry and isinstance(value, Scalar):
            beside[other.name or ""] = value.value
    return ValueContext(None, key, beside, way[:-1], mapping.flow)


def _texts(items: Iterable[Node]) -> Iterator[str]:
    for item in items:
        found = resolve(item)
        if isinstance(found, Scalar):
            yield found.value


def _with_nodes(context: HeaderContext | None, path: NodePath[Node | None]) -> HeaderContext | None:
    """`context` with the nodes of the document, if they exist."""
    last, before = path.up(1), path.up(2)
    if (
        isinstance(context, ItemContext)
        and isinstance(last, Sequence)
        and isinstance(before, Entry)
    ):
        return replace(context, entry=before, item=path.node)
    if isinstance(last, Entry) and isinstance(before, Mapping):
        if isinstance(context, KeyContext) and path.is_key:
            word = resolve(last.key)
            named = Scalar(last.key.span, word.value) if isinstance(word, Scalar) else None
            return replace(context, entry=last, mapping=before, word=named)
        if isinstance(context, ValueContext) and not path.is_key:
            return replace(context, entry=last, mapping=before)
    return context
