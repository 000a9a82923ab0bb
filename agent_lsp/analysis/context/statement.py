"""Finds the context of a cursor in a TOML statement: a name of a table, a key, a value, an item.

Invariants: a statement is usually half typed, so that it is read up to the cursor and no further. A
comment has no context. Inside a longer text, nothing is typed.
"""

import re

from agent_lsp.analysis.context.contexts import (
    Framing,
    HeaderContext,
    ItemContext,
    KeyContext,
    ValueContext,
)
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import KeyPlace, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import (
    Broken,
    Entry,
    Mapping,
    Node,
    NodePath,
    Pair,
    Scalar,
    Section,
    Sequence,
    path_at,
    resolve,
)
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, templates_at

_Names = tuple[str, ...]

_KEY_BEFORE, _KEY_AFTER = regex(r"[\w-]*$"), regex(r"[\w-]*")
_WORD_BEFORE = regex(r"[\"']?[^\s\"'\[\]{},=]*$")
_WORD_AFTER = regex(r"[^\s\"'\[\]{},=]*")
_QUOTED = r"""\"[^\"\n]*\"|'[^'\n]*'"""
_HEADER = regex(rf"[ \t]*\[{{1,2}}((?:{_QUOTED}|[^\]\"'#])*)$")
_NEW_KEY = regex(rf"[ \t]*((?:(?:[\w-]+|{_QUOTED})[ \t]*\.[ \t]*)*)([\w-]*)$")
_PART = regex(rf"(?:{_QUOTED}|[^.\"'])*")
_ASSIGNED = regex(r"[\w-]*(?:[ \t]*\.[ \t]*[\w-]+)*[ \t]*=")
# A quoted text, or a comment with the end of its line.
_CLOSED = regex(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*\n', re.DOTALL
)


def context_at(file: TemplateFile, offset: int) -> HeaderContext | None:
    """The completion context at `offset`, or None."""
    text = file.document.text
    section = _section(file, offset)
    header = section.header if section is not None else None
    if header is not None and header.span.covers(offset):
        word = _written((), header.keys, offset)
        if word is not None:
            return _on_table(file, word[0], offset, word[1])
    path = section.path if section is not None else ()
    for pair in section.pairs if section is not None else ():
        if not _holds(pair, offset, text):
            continue
        word = _written(path, pair.keys, offset)
        if word is not None:
            return _on_key(file, word[0], offset, word[1], _entry(pair))
        equals = text.find("=", pair.keys[-1].span.end)
        if pair.value is not None and 0 <= equals < offset:
            return _in_value(file, (*path, *_names(pair)), pair, equals + 1, offset)
        break
    return _begun(file, path, offset)


def _begun(file: TemplateFile, path: _Names, offset: int) -> KeyContext | None:
    """On a name that is about to be typed, according to the text of its line."""
    text = file.document.text
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    head = _HEADER.match(before)
    if head is not None:
        return _on_table(file, _parts(head[1])[:-1], offset)
    line = _NEW_KEY.match(before)
    return _on_key(file, (*path, *_parts(line[1])[:-1]), offset) if line is not None else None


def _written(
    path: _Names, names: tuple[Scalar | Broken, ...], offset: int
) -> tuple[_Names, Scalar] | None:
    """The name under the cursor, one of the names after `path`, with the names before it."""
    for name in names:
        if name.span.covers(offset):
            return (path, name) if isinstance(name, Scalar) else None
        path = (*path, name.value if isinstance(name, Scalar) else "")
    return None


def _on_table(
    file: TemplateFile, path: _Names, offset: int, word: Scalar | None = None
) -> KeyContext:
    """On a name of a table header, which can only be the name of a table."""
    return replace(_on_key(file, path, offset, word), siblings=(), colon=True, is_table=True)


def _on_key(
    file: TemplateFile,
    path: _Names,
    offset: int,
    word: Scalar | None = None,
    entry: Entry | None = None,
) -> KeyContext:
    """On a key of the table at `path`, or where one may be typed."""
    text = file.document.text
    typed: Span | None = _around(text, offset, _KEY_BEFORE, _KEY_AFTER)
    if word is not None and typed is not None and not _is_in(typed, word.span):
        typed = None
    place = _place(file, path)
    tables = {key.name for key in place.keys if key.kind is ValueKind.TABLE}
    table = _node_at(file, path)
    others = table.entries if isinstance(table, Mapping) else ()
    own = typed.start if typed is not None else offset
    siblings = tuple(
        other.name or ""
        for other in others
        if other.name not in tables and not other.key.span.covers(own)
    )
    is_last = entry is None or word is entry.key
    follows = is_last and typed is not None and _ASSIGNED.match(text, typed.end) is not None
    return KeyContext(
        typed,
        place.keys,
        path,
        templates_at(file, path),
        word,
        siblings,
        colon=follows,
        entry=entry if is_last else None,
    )


def _is_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


@dataclass(frozen=True, slots=True)
class _Spot:
    """A spot in a value: at a key of the inline table at `path`, or in the value of `name` there.

    `listed` says that the value is in brackets. `typed` is None inside a longer text.
    """

    path: _Names
    name: str | None
    typed: Span | None
    listed: bool = False


def _in_value(
    file: TemplateFile, way: _Names, pair: Pair, start: int, offset: int
) -> HeaderContext | None:
    """The context in a value that begins at `start` and belongs to the name at the end of `way`."""
    text, node = file.document.text, path_at(pair.value, offset)
    typed = _typed(text, way, start, offset)
    if typed is None and node.node is None:
        return None
    entry = next((step for step in reversed(node.above) if isinstance(step, Entry)), _entry(pair))
    spot = typed or _spot(way, node)
    if spot.name is None:
        word = node.node if node.is_key and isinstance(node.node, Scalar) else None
        found = _on_key(file, spot.path, offset, word, entry if word is not None else None)
        return found if spot.typed is not None else replace(found, typed=None)
    key = _place(file, spot.path).named(spot.name)
    is_list = key is not None and key.kind is ValueKind.LIST
    if is_list or (spot.listed and key is not None):
        value = entry.node
        items = value.items if isinstance(value, Sequence) else ()
        others = (item for item in items if not item.span.covers(offset))
        return ItemContext(
            spot.typed if is_list else None,
            key,
            tuple(item.value for item in others if isinstance(item, Scalar)),
            spot.path,
            flow=True,
            frame=Framing.BARE if spot.listed else Framing.ENCLOSED,
            entry=entry,
            item=node.node if node.sequence is not None else None,
        )
    table = _node_at(file, spot.path)
    siblings = {
        other.name or "": other.value.value
        for other in (table.entries if isinstance(table, Mapping) else ())
        if other.name != spot.name and isinstance(other.value, Scalar)
    }
    return ValueContext(spot.typed, key, siblings, spot.path, flow=True, entry=entry)


def _spot(way: _Names, node: NodePath[Node | None]) -> _Spot:
    """The spot of a node in which nothing is typed."""
    names = [step.name or "" for step in node.above if isinstance(step, Entry)]
    *path, name = (*way, *names)
    return _Spot(tuple(path), None if node.is_key else name, None, node.sequence is not None)


def _typed(text: str, way: _Names, start: int, offset: int) -> _Spot | None:
    """The spot in the text from `start` on, found by following its braces and brackets."""
    typed = _closed(text, _around(text, offset, _WORD_BEFORE, _WORD_AFTER))
    bare = _CLOSED.sub(
        lambda found: "\n" if found[0].startswith("#") else "_", text[start : typed.start]
    )
    if '"' in bare or "'" in bare or "#" in bare.rpartition("\n")[2]:
        return None
    opened = _opened(bare)
    path = list(way)
    for at, (kind, begin) in enumerate(opened):
        if kind == "{":
            stop = opened[at + 1][1] - 1 if at + 1 < len(opened) else len(bare)
            name, equals, _ = bare[begin:stop].partition("=")
            names = [part.strip() for part in name.split(".")]
            if not equals:
                key = _around(text, offset, _KEY_BEFORE, _KEY_AFTER)
                return _Spot((*path, *names[:-1]), None, key)
            path += names
    is_listed = bool(opened) and opened[-1][0] == "["
    last = bare[opened[-1][1] :] if opened else bare
    # Before the first item, or after the equals sign of the innermost pair.
    before = last if is_listed or not opened else last.partition("=")[2]
    return _Spot(tuple(path[:-1]), path[-1], None if before.strip() else typed, is_listed)


def _opened(bare: str) -> list[tuple[str, int]]:
    """The braces and brackets that are open at the end, each with the start of its last item."""
    opened: list[tuple[str, int]] = []
    for at, character in enumerate(bare):
        if character in "[{":
            opened.append((character, at + 1))
        elif character in "]}" and opened:
            opened.pop()
        elif character == "," and opened:
            opened[-1] = (opened[-1][0], at + 1)
    return opened


def _parts(dotted: str) -> tuple[str, ...]:
    """The names of a dotted key, without their quotes; the last one may still be empty."""
    parts, at = [], 0
    while at <= len(dotted):
        found = _PART.match(dotted, at)
        part = found[0].strip() if found is not None else ""
        is_quoted = part[:1] in ("'", '"') and part[:1] == part[-1:]
        parts.append(part[1:-1] if is_quoted else part)
        at = (found.end() if found is not None else at) + 1
    return tuple(parts)


def _section(file: TemplateFile, offset: int) -> Section | None:
    sections = file.document.tree.sections
    return next((one for one in reversed(sections) if one.span.start <= offset), None)


def _holds(pair: Pair, offset: int, text: str) -> bool:
    """Whether `offset` is in a statement, or after it on its last line."""
    end = text.find("\n", pair.span.end)
    rest = text[pair.span.end : len(text) if end < 0 else end]
    return pair.span.start <= offset <= pair.span.end + len(rest.partition("#")[0])


def _names(pair: Pair) -> _Names:
    return tuple(key.value if isinstance(key, Scalar) else "" for key in pair.keys)


def _entry(pair: Pair) -> Entry:
    """The last key of a statement with its value."""
    return Entry(pair.keys[-1], pair.value)


def _place(file: TemplateFile, path: _Names) -> KeyPlace:
    """The table at `path`; in an array of tables, the last one."""
    schema, document = file.dialect.schema, file.document
    place = schema.place(document, document.tree.root, path)
    if place.key is None or place.key.kind is not ValueKind.RECORDS:
        return place
    return schema.place(document, document.tree.root, (*path, -1))


def _node_at(file: TemplateFile, path: _Names) -> Node | None:
    """The node at `path`; in an array of tables, the last one."""
    node = file.document.tree.top
    for name in path:
        if isinstance(node, Sequence) and node.items:
            node = resolve(node.items[-1])
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = entry.node if entry is not None else None
    return resolve(node.items[-1]) if isinstance(node, Sequence) and node.items else node


def _around(text: str, offset: int, pattern: re.Pattern[str], right: re.Pattern[str]) -> Span:
    start = text.rfind("\n", 0, offset) + 1
    found, after = pattern.search(text[start:offset]), right.match(text, offset)
    return Span(start + found.start() if found else offset, after.end() if after else offset)


def _closed(text: str, typed: Span) -> Span:
    """`typed` with its closing quote, if it begins with a quote."""
    first = typed.of(text)[:1]
    is_closed = first in ('"', "'") and bool(first) and text.startswith(first, typed.end)
    return Span(typed.start, typed.end + 1) if is_closed else typed
