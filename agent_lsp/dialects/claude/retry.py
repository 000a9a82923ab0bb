"""Reads a header as Claude Code does: as YAML, and if that fails, in a second try with quotes.

Invariants: the second try changes lines and keeps their number, so that each node has its place in
the file; a value that gets quotes is plain text here, as it is in the file.
Facts: Claude Code 2.1.332, measured 2026-11-28 (`tests/conformance/claude-runtime.jsonl`). The
second try takes each line `key: value` that does not begin with a blank, and puts the value in
quotes if it has a special character and no quotes at both ends. A list in brackets stays as it is,
each tab at the start of a line becomes two blanks, and a line that ends in CR gets no quotes. Both
tries fold a line break in a text in quotes only if it is LF.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import (
    Alias,
    Entry,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Style,
    Tree,
    resolve,
)
from agent_lsp.syntax.yaml.outdented import PROBLEM, outdented
from agent_lsp.text import Span

# The blanks of the runtime, including line ends.
BLANK = "\t\n\x0b\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE = re.compile(rf"(?P<key>[A-Za-z_-]+):[{BLANK}]+(?P<value>[^{BLANK}][^\r\n\u2028\u2029]*)")
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_TABS = re.compile(r"\t*")


# Characters that the runtime's parser reads as letters, unlike ours; so it does with a comma at the
# start of a value. A tab behind a dash is a blank to it.
_LETTERS = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_ITEM = re.compile(r"^([ \t]*-)\t", re.MULTILINE)
_COMMA = re.compile(r"^([\w.-]+:[ \t]+),", re.MULTILINE)
_FIRST_STAND_IN = 0xF0000
# The runtime's parser takes a colon into the name of an anchor, unlike ours, and knows no limit to
# the length of a key. Both are read only outside of blocks, whose lines may look the same.
_ANCHOR = re.compile(
    r"^([ \t]*(?:-[ \t]+)*(?:[\w.-]+:[ \t]+)?[&*][^\s,\[\]{}:]*):(?=[ \t\r\n])", re.MULTILINE
)
_LONG_KEY = re.compile(r"^[^\s#:-](?=[^\n:]{1023,}:[ \t\r\n])", re.MULTILINE)
_BLOCK = re.compile(r"[|>][-+\d]*[ \t]*\r?$", re.MULTILINE)
# In a file with CRLF, it keeps the line breaks in quotes.
_OPEN_QUOTE = re.compile(r"""[:\[{,-][ \t]+(?:"[^"\r\n]*|'[^'\r\n]*)\r\n""")
_KEPT = re.compile(r"[ \t]*\r\n[ \t]*")


def parse(text: str, start: int = 0) -> Tree:
    """The tree of a header, which comes from the second try if the header is not valid YAML.

    The problem of the first try stays in the tree, because other readers do not try again.
    """
    tree = _first_reading(text, start)
    root = second_reading(text, start) if tree.problem is not None else None
    return tree if root is None else replace(tree, root=root, rest=None)


def _first_reading(text: str, start: int) -> Tree:
    letters = _with_letters(text)
    tree = yaml.parse(letters, start)
    if tree.root is not None and _OPEN_QUOTE.search(text):
        root = rebuilt(tree.root, lambda offset: offset, _with_breaks(text, start), {})
        tree = replace(tree, root=root)
    if letters != text and tree.root is not None:
        tree = replace(tree, root=rebuilt(tree.root, lambda offset: offset, _restored, {}))
    row = outdented(letters, tree.root, start) if tree.problem is None else None
    if row is None:
        return tree
    return replace(tree, problem=Problem(PROBLEM, row))


# Each keystroke asks for a header several times.
@lru_cache(maxsize=64)
def second_reading(header: str, start: int) -> Node | None:
    """The root that the runtime reads at the second try, or None if that fails as well."""
    lines = _lines(header)
    text = _with_letters("\n".join(line.text for line in lines))
    root = yaml.sound(text)
    if root is None or outdented(text, root, 0) is not None:
        return None
    places = _places(lines, start)
    return rebuilt(root, places.place, places.written_as, {})


def unsound(header: str, start: int) -> Iterator[tuple[str, Span]]:
    """Yields the keys and places of values that are valid YAML only in quotes."""
    at = start
    for line in _lines(header):
        if line.value is not None and yaml.sound(f"key: {line.value}") is None:
            end = at + len(line.written)
            yield line.text.partition(":")[0], Span(end - len(line.value), end)
        at += len(line.written) + 1


def _lines(header: str) -> "tuple[_Line, ...]":
    """The lines of a header; the last one ends like the one above it."""
    rows = header.split("\n")
    is_crlf = len(rows) > 1 and rows[-2].endswith("\r")
    last = f"{rows[-1]}\r" if is_crlf else rows[-1]
    found = [_quoted(row) for row in (*rows[:-1], last)]
    if is_crlf and rows[-1]:
        found[-1] = replace(found[-1], text=found[-1].text[:-1], written=rows[-1])
    return tuple(found)


def _with_letters(text: str) -> str:
    """`text` with a private letter for each character that only the runtime reads as a letter."""
    found = _LETTERS.sub(lambda sign: chr(_FIRST_STAND_IN + ord(sign[0])), text)
    if not _BLOCK.search(found):
        found = _LONG_KEY.sub("#", _ANCHOR.sub(r"\1_", found))
    return _COMMA.sub(rf"\1{chr(_FIRST_STAND_IN + ord(','))}", _ITEM.sub(r"\1 ", found))


def _with_breaks(text: str, start: int) -> Callable[[Scalar], Scalar]:
    """A function that puts the line breaks into a text in quotes."""

    def kept(node: Scalar) -> Scalar:
        source = text[node.span.start - start : node.span.end - start]
        if node.style is Style.SINGLE and "\r\n" in source:
            return replace(node, value=_KEPT.sub("\n", source[1:-1]).replace("''", "'"))
        if node.style is Style.DOUBLE and "\r\n" in source:
            read = yaml.sound(re.sub(r"\\?[ \t]*\r\n[ \t]*", r"\\n", source))
            return replace(node, value=read.value) if isinstance(read, Scalar) else node
        return node

    return kept


def _restored(node: Scalar) -> Scalar:
    value = re.sub(
        "[\U000f0000-\U000fffff]", lambda sign: chr(ord(sign[0]) - _FIRST_STAND_IN), node.value
    )
    return node if value == node.value else replace(node, value=value)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as it is read, and as it is in the file; `value` is the text that got quotes."""

    text: str
    written: str
    value: str | None = None

    def place(self, column: int) -> int:
        """The column in the file for a `column` of the line as read."""
        if self.value is not None:
            at = len(self.written) - len(self.value)
            is_key = column <= self.text.index(":")
            return column if is_key else len(self.written) if column == len(self.text) else at
        tabs = len(self.text) - len(self.written)
        return column // 2 if column < 2 * tabs else column - tabs


def _quoted(line: str) -> _Line:
    found = _LINE.fullmatch(line)
    if found is not None and _needs_quotes(found["value"]):
        value = found["value"].replace("\\", "\\\\").replace('"', '\\"')
        return _Line(f'{found["key"]}: "{value}"', line, found["value"])
    tabs = _TABS.match(line)
    return _Line("  " * len(tabs[0]) + line[len(tabs[0]) :], line) if tabs else _Line(line, line)


def _needs_quotes(value: str) -> bool:
    if value[0] in "\"'" and value[-1] == value[0]:
        return False
    is_list = value[0] == "[" and value[-1] == "]" and isinstance(yaml.sound(value), Sequence)
    return not is_list and _SPECIAL.search(value) is not None


@dataclass(frozen=True, slots=True)
class _Places:
    """The starts of the lines, as read and in the file."""

    lines: tuple[_Line, ...]
    read: tuple[int, ...]
    written: tuple[int, ...]

    def place(self, offset: int) -> int:
        """The offset in the file for an `offset` of the text as read."""
        at = bisect_right(self.read, offset) - 1
        return self.written[at] + self.lines[at].place(offset - self.read[at])

    def written_as(self, node: Scalar) -> Scalar:
        """`node`, or the plain text of the file if it got its quotes here."""
        at = bisect_right(self.read, node.span.start) - 1
        line = self.lines[at]
        if line.value is None or node.span.start - self.read[at] <= line.text.index(":"):
            return _restored(node)
        return replace(node, value=line.value, style=Style.PLAIN)


def _places(lines: tuple[_Line, ...], start: int) -> _Places:
    read, written = [0], [start]
    for line in lines[:-1]:
        read.append(read[-1] + len(line.text) + 1)
        written.append(written[-1] + len(line.written) + 1)
    return _Places(lines, tuple(read), tuple(written))


def rebuilt(
    node: Node,
    place: Callable[[int], int],
    scalar: Callable[[Scalar], Scalar],
    done: dict[int, Node],
) -> Node:
    """`node` with other places and other scalars; `done` has the nodes that are rebuilt already."""
    if id(node) in done:
        return done[id(node)]

    def again(inner: Node) -> Node:
        return rebuilt(inner, place, scalar, done)

    span = Span(place(node.span.start), place(node.span.end))
    moved: Node
    match node:
        case Mapping():
            pairs = ((one.key, one.value) for one in node.entries)
            entries = tuple(
                Entry(again(key), None if value is None else again(value)) for key, value in pairs
            )
            moved = replace(node, span=span, entries=entries)
        case Sequence():
            moved = replace(node, span=span, items=tuple(map(again, node.items)))
        case Alias():
            target = resolve(node)
            moved = replace(node, span=span, target=None if target is None else again(target))
        case Scalar():
            moved = replace(scalar(node), span=span)
        case _:
            moved = replace(node, span=span)
    done[id(node)] = moved
    return moved
