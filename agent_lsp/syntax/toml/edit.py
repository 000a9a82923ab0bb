"""Edits TOML by spans: each function returns the text edits, and other bytes stay as they are.

Invariants: trees and nodes come from a parse of the `text` given with them. New lines copy the
indent of their neighbours and the line end of the file. A function that would have to guess returns
no edits.
"""

import re

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Pair, Scalar, Section, Sequence, Tree
from agent_lsp.syntax.text_edits import (
    Edits,
    append_flow,
    blanks_end,
    flow_removal,
    gap_end,
    insert,
    line_start,
    line_stop,
    lines,
    new_line,
)
from agent_lsp.text import Span, TextEdit

Value = str | bool | int | tuple[str, ...]

_BARE = regex(r"[A-Za-z0-9_-]+")
_CONTROL = regex(r"[\x00-\x1f\x7f]")
# What a text of several lines cannot have in it as it is.
_UNPRINTABLE = regex(r"[\x00-\x08\x0b-\x1f\x7f]")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def replace_value(text: str, entry: Entry, value: Value) -> Edits:
    """Replaces the value of `entry`; adds the equals sign if it is missing."""
    written = quote(value)
    old = entry.value.span if entry.value is not None else None
    if old is None:
        return insert(entry.key.span.end, f" = {written}")
    if len(old):
        return (TextEdit(old, written),)
    gap = "" if text[old.start - 1 : old.start].isspace() else " "
    end = blanks_end(text, old.start)
    if end == line_stop(text, end):
        return (TextEdit(Span(old.start, end), gap + written),)
    return insert(old.start, f"{gap}{written} ")


def rename_key(entry: Entry, name: str) -> Edits:
    """Replaces the key of `entry` in the place where it is written first."""
    return (TextEdit(entry.key.span, quote_key(name)),)


def insert_entry(text: str, tree: Tree, path: tuple[str, ...], name: str, value: Value) -> Edits:
    """Adds `name` with `value` to the table at `path`, as its last key.

    The entry goes below the header of the table, into its braces, or as a dotted key into the
    nearest table above it that has a header. There is no edit if `path` is not that of a table.
    """
    held: Node | None = tree.root
    for step in path:
        entry = held.get(step) if isinstance(held, Mapping) else None
        if entry is None:
            break
        held = entry.value
        if isinstance(held, Sequence) and held.items and not held.flow:
            held = held.items[-1]
        if not isinstance(held, Mapping):
            return ()
        if held.flow:
            rest = path[path.index(step) + 1 :]
            return _into_braces(text, held, ".".join(map(quote_key, (*rest, name))), value)
    section = _nearest(tree, path)
    dotted = ".".join(map(quote_key, (*path[len(section.path) :], name)))
    return _below(text, section, f"{dotted} = {quote(value)}")


def remove_entry(text: str, tree: Tree, entry: Entry) -> Edits:
    """Removes a key and its value; no edit for a table that has its own lines."""
    for section in tree.sections:
        for pair in section.pairs:
            if pair.keys[-1].span == entry.key.span:
                return (TextEdit(_statement(text, pair), ""),)
    behind = gap_end(text, entry.span.end)
    is_dotted = text[: entry.span.start].rstrip(" \t").endswith(".")
    if is_dotted or not text.startswith((",", "}"), behind):
        return ()
    return (TextEdit(flow_removal(text, entry.span, behind), ""),)


def append_item(text: str, target: Sequence | Entry, item: str) -> Edits:
    """Adds `item` to an array; another value of an entry becomes an array with both."""
    if isinstance(target, Sequence):
        is_closed = text.startswith("]", target.span.end - 1)
        return append_flow(text, target, quote(item)) if target.flow and is_closed else ()
    match target.value:
        case Sequence() as sequence:
            return append_item(text, sequence, item)
        case Scalar() as scalar if len(scalar.span):
            return replace_value(text, target, (scalar.value, item))
        case Scalar() | None:
            return replace_value(text, target, (item,))
        case _:
            return ()


def remove_item(text: str, item: Node) -> Edits:
    """Removes `item` from its array: its line, or its text and a comma."""
    behind = gap_end(text, item.span.end)
    if not text.startswith((",", "]"), behind):
        return ()
    return (TextEdit(flow_removal(text, item.span, behind), ""),)


def quote(value: Value) -> str:
    """`value` as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(map(quote, value)) + "]"
    if _CONTROL.search(value) is None and "\\" in value and "'" not in value:
        return f"'{value}'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(_escape, escaped) + '"'


def quote_lines(text: str) -> str:
    """A text of several lines as TOML, as it is wherever that can be."""
    text = text.replace("\r\n", "\n")
    if _UNPRINTABLE.search(text) is None and "'''" not in text:
        return f"'''\n{text}\n'''"
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return '"""\n' + _UNPRINTABLE.sub(_escape, escaped) + '\n"""'


def quote_key(name: str) -> str:
    """`name` as a key, in quotes if it needs them."""
    return name if _BARE.fullmatch(name) else quote(name)


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04X}"


def _into_braces(text: str, table: Mapping, name: str, value: Value) -> Edits:
    written = f"{name} = {quote(value)}"
    if not text.startswith("}", table.span.end - 1):
        return ()
    if table.entries:
        last = max(entry.span.end for entry in table.entries)
        return insert(last, f", {written}")
    return (TextEdit(Span(table.span.start + 1, table.span.end - 1), f" {written} "),)


def _nearest(tree: Tree, path: tuple[str, ...]) -> Section:
    """The last section whose header has the longest prefix of `path`."""
    *_, found = sorted(
        (section for section in tree.sections if section.path == path[: len(section.path)]),
        key=lambda section: len(section.path),
    )
    return found


def _below(text: str, section: Section, written: str) -> Edits:
    """A new statement at the end of a section."""
    if section.pairs:
        last = section.pairs[-1].span
        begun = new_line(text, last.start)
        return insert(line_stop(text, last.end), begun + written)
    if section.header is not None:
        header = section.header.span
        return insert(line_stop(text, header.end), new_line(text, header.start) + written)
    start = section.span.end
    return insert(start, written + new_line(text, line_start(text, start)))


def _statement(text: str, pair: Pair) -> Span:
    return lines(text, line_start(text, pair.span.start), pair.span.end)
