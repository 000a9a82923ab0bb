"""Finds the context of a cursor in a file of tables, and the template that a table is of.

Invariants: half-typed is the normal state, so that the statement of the cursor is read up to the
cursor and no further; a comment and the inside of a longer text are nowhere.
"""

import re
from dataclasses import dataclass, replace

from agent_lsp.model.runtime import DefinedName
from agent_lsp.model.schema import Key
from agent_lsp.syntax.nodes import Header, Mapping, Pair, Scalar, Section, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class TableName:
    """On a name of a header: `path` leads to the table in which the name is one."""

    path: tuple[str, ...]
    typed: Span
    header: Header | None = None


@dataclass(frozen=True, slots=True)
class TableKey:
    """On a key of the table at `path`, or where one may be typed; `has_value` where `=` follows."""

    path: tuple[str, ...]
    typed: Span
    has_value: bool = False


@dataclass(frozen=True, slots=True)
class TableValue:
    """In the value of the key `name` of the table at `path`; `listed` in brackets.

    `before` is what stands in the value, or in the item, before what is typed.
    """

    path: tuple[str, ...]
    name: str
    typed: Span
    listed: bool = False
    before: str = ""


TableContext = TableName | TableKey | TableValue

_KEY_BEFORE, _KEY_AFTER = re.compile(r"[\w-]*$"), re.compile(r"[\w-]*")
_WORD_BEFORE = re.compile(r"[\"']?[^\s\"'\[\]{},=]*$")
_WORD_AFTER = re.compile(r"[^\s\"'\[\]{},=]*")
_QUOTED = r"""\"[^\"\n]*\"|'[^'\n]*'"""
_HEADER = re.compile(rf"[ \t]*\[{{1,2}}((?:{_QUOTED}|[^\]\"'#])*)$")
_NEW_KEY = re.compile(rf"[ \t]*((?:(?:[\w-]+|{_QUOTED})[ \t]*\.[ \t]*)*)([\w-]*)$")
_PART = re.compile(rf"(?:{_QUOTED}|[^.\"'])*")
_ASSIGNED = re.compile(r"[\w-]*(?:[ \t]*\.[ \t]*[\w-]+)*[ \t]*=")
# A text in quotes, or a comment with the end of its line.
_CLOSED = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*\n', re.DOTALL
)


def context_at(file: TemplateFile, offset: int) -> TableContext | None:
    """The completion context at `offset`, or None."""
    text = file.document.text
    section = _section(file, offset)
    start = text.rfind("\n", 0, offset) + 1
    path = section.path if section is not None else ()
    pair = (
        next((one for one in section.pairs if _holds(one, offset, text)), None) if section else None
    )
    if pair is not None and pair.value is not None:
        equals = text.find("=", pair.keys[-1].span.end)
        if equals >= 0 and offset > equals:
            return _value(text, (*path, *_names(pair)), equals + 1, offset)
    head = _HEADER.match(text[start:offset])
    if head is not None:
        names = _parts(head[1])
        found = section.header if section is not None else None
        in_header = found is not None and found.span.covers(offset)
        return TableName(
            names[:-1], _around(text, offset, _KEY_BEFORE, _KEY_AFTER), found if in_header else None
        )
    line = _NEW_KEY.match(text[start:offset])
    if line is None:
        return None
    way = _parts(line[1])[:-1]
    typed = _around(text, offset, _KEY_BEFORE, _KEY_AFTER)
    return TableKey((*path, *way), typed, _ASSIGNED.match(text, typed.end) is not None)


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
    """Whether `offset` is in a statement, or behind it on its last line."""
    end = text.find("\n", pair.span.end)
    rest = text[pair.span.end : len(text) if end < 0 else end]
    return pair.span.start <= offset <= pair.span.end + len(rest.partition("#")[0])


def _names(pair: Pair) -> tuple[str, ...]:
    return tuple(key.value if isinstance(key, Scalar) else "" for key in pair.keys)


def _value(text: str, path: tuple[str, ...], start: int, offset: int) -> TableContext | None:
    """The place in a value that begins at `start`, through the braces and brackets before it."""
    typed = _around(text, offset, _WORD_BEFORE, _WORD_AFTER)
    typed = _closed(text, typed)
    before = text[start : typed.start]
    bare = _CLOSED.sub(lambda found: "\n" if found[0].startswith("#") else "_", before)
    if '"' in bare or "'" in bare or "#" in bare.rpartition("\n")[2]:
        return None
    opened: list[tuple[str, int]] = []
    for at, character in enumerate(bare):
        if character in "[{":
            opened.append((character, at + 1))
        elif character in "]}" and opened:
            opened.pop()
        elif character == "," and opened:
            opened[-1] = (opened[-1][0], at + 1)
    way = list(path)
    for at, (kind, begin) in enumerate(opened):
        if kind == "{":
            stop = opened[at + 1][1] - 1 if at + 1 < len(opened) else len(bare)
            name, equals, _ = bare[begin:stop].partition("=")
            names = [part.strip() for part in name.split(".")]
            if not equals:
                key = _around(text, offset, _KEY_BEFORE, _KEY_AFTER)
                return TableKey(
                    (*way, *names[:-1]), key, _ASSIGNED.match(text, key.end) is not None
                )
            way += names
    listed = bool(opened) and opened[-1][0] == "["
    last = bare[opened[-1][1] :] if opened else bare
    return TableValue(
        tuple(way[:-1]), way[-1], typed, listed, last if listed else _behind(last, opened)
    )


def _behind(bare: str, opened: list[tuple[str, int]]) -> str:
    """The node after the equals sign of the innermost pair."""
    return bare.partition("=")[2] if opened else bare


def _around(text: str, offset: int, pattern: re.Pattern[str], right: re.Pattern[str]) -> Span:
    start = text.rfind("\n", 0, offset) + 1
    found, after = pattern.search(text[start:offset]), right.match(text, offset)
    return Span(start + found.start() if found else offset, after.end() if after else offset)


def _closed(text: str, typed: Span) -> Span:
    """`typed` with the quote that ends it, if it begins with one."""
    first = typed.of(text)[:1]
    is_closed = first in ('"', "'") and bool(first) and text.startswith(first, typed.end)
    return Span(typed.start, typed.end + 1) if is_closed else typed


def keys_at(file: TemplateFile, path: tuple[str, ...]) -> tuple[Key, ...]:
    """The keys of the table at `path`; none where it is none of the dialect's."""
    return file.dialect.schema.at(file.document, path)


def names_at(file: TemplateFile, path: tuple[str, ...]) -> tuple[str, ...]:
    """The templates of the file whose tables stand in the one at `path`."""
    if template(file, path) is not None:
        return ()
    names = (one.name for one in file.names if one.name)
    return tuple(name for name in names if template(file, (*path, name)) == name)


def template(file: TemplateFile, path: tuple[str, ...]) -> str | None:
    """The template to which the table at `path` belongs, or None."""
    return file.dialect.schema.template_at(path)


def within(file: TemplateFile, path: tuple[str, ...]) -> TemplateFile:
    """The file as the template to which the table at `path` belongs, if it belongs to one."""
    name = template(file, path)
    named = tuple(one for one in file.names if one.name == name)
    return of_names(file, named) if named else file


def of_names(file: TemplateFile, named: tuple[DefinedName, ...]) -> TemplateFile:
    """The file as the template with one of the names of it."""
    return replace(
        file, names=named, reading=file.dialect.format.read(file.document, named[0].name)
    )


def table_at(file: TemplateFile, path: tuple[str, ...]) -> Mapping | None:
    """The table at `path`, or None."""
    node = resolve(file.document.tree.root)
    for name in path:
        if isinstance(node, Sequence) and node.items:
            node = resolve(node.items[-1])
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    return node if isinstance(node, Mapping) else None
