"""Completions in a file of tables: names of tables, keys and values.

Invariant: what the table or the list has already is not offered.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    offer,
    typed_quote,
)
from agent_lsp.analysis.context import tables
from agent_lsp.analysis.context.tables import TableKey, TableName, TableValue, context_at
from agent_lsp.analysis.render import markup
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile, catalog


def complete(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The completions at `offset`."""
    match context_at(file, offset):
        case TableName() as at:
            yield from _tables(file, at)
        case TableKey() as at:
            yield from _keys(file, at)
        case TableValue() as at:
            yield from _values(file, at)


def _tables(file: TemplateFile, at: TableName) -> Iterator[Completion]:
    """The tables that may stand in the one at `path`, templates among them."""
    keys = [key for key in tables.keys_at(file, at.path) if key.kind is ValueKind.TABLE]
    for number, key in enumerate(keys):
        yield offer(
            file.document.text,
            at.typed,
            key.name,
            CompletionKind.KEY,
            literal(key.name),
            _words(key),
            number,
        )
    for number, name in enumerate(tables.names_at(file, at.path), start=len(keys)):
        words = Words("a template")
        yield offer(
            file.document.text,
            at.typed,
            name,
            CompletionKind.KEY,
            literal(_key(name)),
            words,
            number,
        )


def _keys(file: TemplateFile, at: TableKey) -> Iterator[Completion]:
    table = tables.table_at(file, at.path)
    taken = (
        {entry.name for entry in table.entries if not entry.key.span.covers(at.typed.start)}
        if table
        else set()
    )
    for number, key in enumerate(tables.keys_at(file, at.path)):
        if key.name in taken and key.kind is not ValueKind.TABLE:
            continue
        body = literal(key.name) if at.has_value else _shape(key)
        yield offer(
            file.document.text,
            at.typed,
            key.name,
            CompletionKind.KEY,
            body,
            _words(key),
            number,
            retrigger=not at.has_value and key.kind is not ValueKind.NUMBER,
        )


def _shape(key: Key) -> str:
    """A key with the shape of its value."""
    name = literal(key.name)
    match key.kind:
        case ValueKind.TABLE:
            return f"{name}."
        case ValueKind.LIST:
            return f'{name} = ["$1"]'
        case ValueKind.TEXT | ValueKind.CHOICE:
            return f'{name} = "$1"'
        case _:
            return f"{name} = "


def _values(file: TemplateFile, at: TableValue) -> Iterator[Completion]:
    key = next((key for key in tables.keys_at(file, at.path) if key.name == at.name), None)
    if key is None:
        return
    is_list = key.kind is ValueKind.LIST
    if at.before.strip() or (at.listed is not is_list and at.listed):
        return
    others = _items(file, at) if is_list else frozenset[str]()
    lead, tail = ("[", "]") if is_list and not at.listed else ("", "")
    for number, (name, words, kind) in enumerate(_named(file, key)):
        if name not in others:
            body = (
                name
                if key.kind is ValueKind.BOOL
                else _quoted(name, typed_quote(file.document.text, at.typed))
            )
            yield offer(
                file.document.text,
                at.typed,
                name,
                kind,
                f"{lead}{literal(body)}{tail}",
                words,
                number,
            )


def _named(file: TemplateFile, key: Key) -> Iterator[tuple[str, Words, CompletionKind]]:
    if key.role in (KeyRole.ALLOW, KeyRole.DENY):
        yield from _tools(file)
        return
    for name, words in _words_for(file, key):
        yield name, words, CompletionKind.VALUE


def _words_for(file: TemplateFile, key: Key) -> Iterator[tuple[str, Words]]:
    if key.role is KeyRole.MODEL:
        generation = file.reading.generation
        for model in file.dialect.models.listed:
            if not generation or model.generation in ("", generation):
                yield model.name, Words("a model")
        for name in file.options.extra(file.dialect.id).models:
            yield name, Words("a model")
    elif key.role is KeyRole.AGENT:
        yield from _agents(file, key)
        return
    elif key.kind is ValueKind.BOOL:
        for name in ("true", "false"):
            yield name, Words(key.meaning)
    for choice in key.choices:
        yield choice.name, Words(choice.meaning)


def _agents(file: TemplateFile, key: Key) -> Iterator[tuple[str, Words]]:
    """Each name once, with the file that defines it; what the runtime brings along comes last."""
    found = {one.name: Words("a template of this file") for one in file.names}
    for name in catalog(file.workspace, file.dialect, file.root).names:
        found.setdefault(name, Words("a template of another file"))
    for choice in key.choices:
        found.setdefault(choice.name, Words(choice.meaning))
    yield from found.items()


def _tools(file: TemplateFile) -> Iterator[tuple[str, Words, CompletionKind]]:
    """The tools of the generation that the file is written for, or of all where nothing tells."""
    names = tuple(tool.name for tool in file.dialect.tools.listed)
    toolset = (
        file.dialect.tools.toolset(file.reading, names, 1) if file.reading.generation else None
    )
    offered = names if toolset is None else {verdict.tool for verdict in toolset.verdicts}
    for tool in file.dialect.tools.listed:
        if tool.name in offered:
            about = f"It {markup.words(tool.meaning)} ({tool.group})"
            yield tool.name, Words(tool.meaning, about), CompletionKind.TOOL
    for name in file.options.extra(file.dialect.id).tools:
        yield name, Words("named in your settings"), CompletionKind.TOOL


def _items(file: TemplateFile, at: TableValue) -> frozenset[str]:
    """The items that the list has beside the one that is typed."""
    table = tables.table_at(file, at.path)
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
