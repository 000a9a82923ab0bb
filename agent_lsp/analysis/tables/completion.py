"""What may be inserted at a cursor in a file of tables: names of tables, keys and values.

Invariant: what the table or the list has already is not offered.
"""

from collections.abc import Iterator

from agent_lsp.analysis import markup
from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    offer,
    typed_quote,
)
from agent_lsp.analysis.tables import subjects
from agent_lsp.analysis.tables.place import TableKey, TableName, TableValue, place
from agent_lsp.dialects.vocabulary import Holds, Key, Kind
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.workspace.index import Subject, catalog


def complete(of: Subject, offset: int) -> Iterator[Completion]:
    """The completions at `offset`."""
    match place(of, offset):
        case TableName() as at:
            yield from _tables(of, at)
        case TableKey() as at:
            yield from _keys(of, at)
        case TableValue() as at:
            yield from _values(of, at)


def _tables(of: Subject, at: TableName) -> Iterator[Completion]:
    """The tables that may stand in the one at `path`, templates among them."""
    keys = [key for key in subjects.keys_at(of, at.path) if key.kind is Kind.TABLE]
    for number, key in enumerate(keys):
        yield offer(
            of.document.text,
            at.typed,
            key.name,
            CompletionKind.KEY,
            literal(key.name),
            _words(key),
            number,
        )
    for number, name in enumerate(subjects.names_at(of, at.path), start=len(keys)):
        words = Words("a template")
        yield offer(
            of.document.text, at.typed, name, CompletionKind.KEY, literal(_key(name)), words, number
        )


def _keys(of: Subject, at: TableKey) -> Iterator[Completion]:
    table = subjects.table_at(of, at.path)
    taken = (
        {entry.name for entry in table.entries if not entry.key.span.covers(at.typed.start)}
        if table
        else set()
    )
    for number, key in enumerate(subjects.keys_at(of, at.path)):
        if key.name in taken and key.kind is not Kind.TABLE:
            continue
        body = literal(key.name) if at.has_value else _shape(key)
        yield offer(
            of.document.text,
            at.typed,
            key.name,
            CompletionKind.KEY,
            body,
            _words(key),
            number,
            retrigger=not at.has_value and key.kind is not Kind.NUMBER,
        )


def _shape(key: Key) -> str:
    """A key with the shape of its value."""
    name = literal(key.name)
    match key.kind:
        case Kind.TABLE:
            return f"{name}."
        case Kind.LIST:
            return f'{name} = ["$1"]'
        case Kind.TEXT | Kind.CHOICE:
            return f'{name} = "$1"'
        case _:
            return f"{name} = "


def _values(of: Subject, at: TableValue) -> Iterator[Completion]:
    key = next((key for key in subjects.keys_at(of, at.path) if key.name == at.name), None)
    if key is None:
        return
    is_list = key.kind is Kind.LIST
    if at.before.strip() or (at.listed is not is_list and at.listed):
        return
    others = _items(of, at) if is_list else frozenset[str]()
    lead, tail = ("[", "]") if is_list and not at.listed else ("", "")
    for number, (name, words, kind) in enumerate(_named(of, key)):
        if name not in others:
            body = (
                name
                if key.kind is Kind.BOOL
                else _quoted(name, typed_quote(of.document.text, at.typed))
            )
            yield offer(
                of.document.text,
                at.typed,
                name,
                kind,
                f"{lead}{literal(body)}{tail}",
                words,
                number,
            )


def _named(of: Subject, key: Key) -> Iterator[tuple[str, Words, CompletionKind]]:
    if key.holds in (Holds.ALLOW, Holds.DENY):
        yield from _tools(of)
        return
    for name, words in _words_for(of, key):
        yield name, words, CompletionKind.VALUE


def _words_for(of: Subject, key: Key) -> Iterator[tuple[str, Words]]:
    if key.holds is Holds.MODEL:
        told = of.reading.generation
        for model in of.dialect.models:
            if not told or model.generation in ("", told):
                yield model.name, Words("a model")
        for name in of.options.extra(of.dialect.id).models:
            yield name, Words("a model")
    elif key.holds is Holds.AGENT:
        yield from _agents(of, key)
        return
    elif key.kind is Kind.BOOL:
        for name in ("true", "false"):
            yield name, Words(key.meaning)
    for choice in key.choices:
        yield choice.name, Words(choice.meaning)


def _agents(of: Subject, key: Key) -> Iterator[tuple[str, Words]]:
    """Each name once, with the file that defines it; what the runtime brings along comes last."""
    found = {one.name: Words("a template of this file") for one in of.names}
    for name in catalog(of.workspace, of.dialect, of.root).names:
        found.setdefault(name, Words("a template of another file"))
    for choice in key.choices:
        found.setdefault(choice.name, Words(choice.meaning))
    yield from found.items()


def _tools(of: Subject) -> Iterator[tuple[str, Words, CompletionKind]]:
    """The tools of the generation that the file is written for, or of all where nothing tells."""
    names = tuple(tool.name for tool in of.dialect.tools)
    told = of.dialect.toolset(of.reading, names, 1) if of.reading.generation else None
    offered = names if told is None else {verdict.tool for verdict in told.verdicts}
    for tool in of.dialect.tools:
        if tool.name in offered:
            about = f"It {markup.words(tool.meaning)} ({tool.group})"
            yield tool.name, Words(tool.meaning, about), CompletionKind.TOOL
    for name in of.options.extra(of.dialect.id).tools:
        yield name, Words("named in your settings"), CompletionKind.TOOL


def _items(of: Subject, at: TableValue) -> frozenset[str]:
    """The items that the list has beside the one that is typed."""
    table = subjects.table_at(of, at.path)
    entry = table.get(at.name) if table is not None else None
    node = resolve(entry.value) if entry is not None else None
    items = node.items if isinstance(node, Sequence) else ()
    return frozenset(
        item.value
        for item in items
        if isinstance(item, Scalar) and not item.span.covers(at.typed.start)
    )


def _quoted(name: str, mark: str) -> str:
    if mark == "'" and "'" not in name:
        return f"'{name}'"
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else _quoted(name, "")


def _words(key: Key) -> Words:
    choices = "\n".join(
        f"- {markup.code(choice.name)}: {markup.words(choice.meaning)}" for choice in key.choices
    )
    pieces = (markup.words(key.meaning), f"Without it: {markup.words(key.default)}", choices)
    return Words(key.kind.value, "\n\n".join(piece for piece in pieces if piece))
