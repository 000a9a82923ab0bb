"""Reads a header as Claude Code does: as YAML, and if that fails, with quotes around values."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Style,
    Tree,
)
from agent_lsp.syntax.yaml import javascript
from agent_lsp.syntax.yaml.javascript import outdented
from agent_lsp.syntax.yaml.stand_ins import rebuilt, restored, stand_in, with_letters
from agent_lsp.text import Span

_BLANK = regex(r"(?P<blanks> *)\t[ \t]*(?:#.*)?\r?")
_INDENT = regex(r" *(?:-[ ]+)*")
_HAS_NO_KEY = regex(r"^ *(?:-[ ]+)*:(?:[ \t\r]|$)", re.MULTILINE)
# What has to begin in a line of its own cannot stand behind the colon.
_COLON = regex(r":(?=[ \t\r]|$)(?![ \t]*[-?](?:[ \t\r]|$)|[^\"'\[{|>]*:(?:[ \t\r]|$))")
_EXPLICIT = regex(r"\?(?:[ \t\r]|$)")
_KEY = regex(r"[^#]*?:(?:[ \t\r]|$)")
_OPEN = regex(r".*:[ \t]*(?:[&!]\S+[ \t]*)*(?:#.*)?\r?")
_MARK = regex(
    r"(?:(?:[^\"'\[{#]|\"[^\"]*\"|'[^']*').*?:[ \t]+|)"
    r"(?:[&!]\S+[ \t]+)*[|>](?:[-+]?(?P<more>[1-9])?[-+]?)(?:[ \t]+(?:#.*)?)?\r?"
)


@dataclass(slots=True)
class _Block:
    """A block whose lines are being read; `indent` is None until its first line of text."""

    parent: int
    indent: int | None
    waiting: list[int] = field(default_factory=list)
    above: str = ""

    def takes(self, line: str) -> bool:
        """Whether the block goes on with `line`, which is no line of blanks and tabs."""
        blanks = len(line) - len(line.lstrip(" "))
        if not line.strip(" \r"):
            return True
        if self.indent is None and blanks > self.parent:
            self.indent = blanks
        return self.indent is not None and blanks >= self.indent

    def may_have(self, row: int, line: str) -> bool:
        """Whether the line of blanks and tabs in this row may stand below the text."""
        is_below_such = bool(self.waiting) and self.waiting[-1] == row - 1
        return not line.startswith("\t") or (bool(self.above.strip("\r")) and not is_below_such)


@dataclass(slots=True)
class _Mappings:
    """The columns of the mappings that a line may belong to, and those whose `?` has no value."""

    columns: list[int] = field(default_factory=list)
    asking: set[int] = field(default_factory=set)
    is_open: bool = False

    def lacks_key(self, line: str) -> bool:
        """Whether `line`, which is the next one, begins with a colon that has no key."""
        indent = _INDENT.match(line)
        column = indent.end() if indent is not None else 0
        dash = len(line) - len(line.lstrip(" "))
        self.columns = [one for one in self.columns if one <= dash]
        self.asking = {one for one in self.asking if one <= dash}
        is_begun = column == 0 or column in self.columns or column > dash or self.is_open
        is_value = column in self.asking
        colon = _COLON.match(line, column)
        self.asking.discard(column)
        if _EXPLICIT.match(line, column):
            self.asking.add(column)
        if _KEY.match(line, column) or _EXPLICIT.match(line, column):
            self.columns.append(column)
        self.is_open = _OPEN.fullmatch(line) is not None
        return colon is not None and is_begun and not is_value


def readable(text: str) -> str:
    """`text` with lines that libyaml reads as the runtime reads those of `text`."""
    if "\t" not in text and not _HAS_NO_KEY.search(text):
        return text
    lines = text.split("\n")
    for row, line in _changes(lines):
        lines[row] = line
    return "\n".join(lines)


def keyless(text: str) -> Iterator[int]:
    """Yields the offsets of colons that have no key."""
    if not _HAS_NO_KEY.search(text):
        return
    lines, changed = text.split("\n"), dict(_changes(text.split("\n")))
    at = 0
    for row, line in enumerate(lines):
        colon = line.find(":")
        if colon >= 0 and changed.get(row, "")[colon : colon + 1] == "?":
            yield at + colon
        at += len(line) + 1


def _changes(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yields the rows that change, with their new lines."""
    block: _Block | None = None
    mappings = _Mappings()
    for row, line in enumerate(lines):
        blank = _BLANK.fullmatch(line)
        was_empty = block is not None and block.indent is None
        if block is not None and _is_in(block, row, line, blank):
            if blank is not None and was_empty and block.indent is not None:
                yield row, line.replace("\t", stand_in("\t"), 1)
            block.above = line
            continue
        if block is not None:
            yield from ((one, _as_comment(lines[one])) for one in block.waiting)
            block = None
        if blank is not None:
            yield row, _with_blanks(line)
        elif line.strip(" \r") and not line.lstrip(" ").startswith("#"):
            if mappings.lacks_key(line):
                yield row, line.replace(":", "?", 1)
            block = _begun(line)
    if block is not None:
        yield from ((one, _as_comment(lines[one])) for one in block.waiting)


def _is_in(block: _Block, row: int, line: str, blank: re.Match[str] | None) -> bool:
    """Whether the block may go on with `line`."""
    is_deep = blank is None or (block.indent is not None and len(blank["blanks"]) >= block.indent)
    if blank is None or (is_deep and not block.waiting):
        is_taken = block.takes(line)
        if is_taken and line.strip(" \r"):
            # Less indented lines inside of a block break it.
            block.waiting.clear()
        return is_taken
    if block.indent is None and len(blank["blanks"]) > block.parent:
        # The tab is the text of the first line.
        block.indent = len(blank["blanks"])
    elif block.may_have(row, line):
        block.waiting.append(row)
    return True


def _begun(line: str) -> _Block | None:
    """The block that begins with the end of `line`, or None."""
    indent = _INDENT.match(line)
    column = indent.end() if indent is not None else 0
    found = _MARK.fullmatch(line, column)
    if found is None:
        return None
    is_item = line[column] in "|>&!"
    parent = line.rfind("-", 0, column) if is_item else column
    return _Block(parent, parent + int(found["more"]) if found["more"] else None)


def _with_blanks(line: str) -> str:
    end = len(line) - len(line.lstrip(" \t"))
    return " " * end + line[end:]


def _as_comment(line: str) -> str:
    body = line.rstrip("\r")
    return f"{'#':{len(body)}}{line[len(body) :]}"


# The blanks of the runtime, including line ends.
BLANK = "\t\n\x0b\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE = regex(rf"(?P<key>[A-Za-z_-]+):[{BLANK}]+(?P<value>[^{BLANK}][^\r\n\u2028\u2029]*)")
_SPECIAL = regex(r"[{}\[\]*&#!|>%@`]|: ")
_TABS = regex(r"\t*")


# The runtime's parser reads a comma at the start of a value as a letter, unlike ours. A tab behind
# a dash is a blank to it.
_ITEM = regex(r"^([ \t]*-)\t", re.MULTILINE)
_COMMA = regex(r"^([\w.-]+:[ \t]+),", re.MULTILINE)
# The runtime's parser takes a colon into the name of an anchor, unlike ours, and knows no limit to
# the length of a key. Both are read only outside of blocks, whose lines may look the same.
_ANCHOR = regex(
    r"^([ \t]*(?:-[ \t]+)*(?:[\w.-]+:[ \t]+)?[&*][^\s,\[\]{}:]*):(?=[ \t\r\n])", re.MULTILINE
)
_LONGEST_KEY = 1_024
_LONG_KEY = regex(rf"^[^\s#:-](?=[^\n:]{{{_LONGEST_KEY - 1},}}:[ \t\r\n])", re.MULTILINE)
_BLOCK = regex(r"[|>][-+\d]*[ \t]*\r?$", re.MULTILINE)
# A comment right behind the mark of a block is none, and the block is not valid: a letter in its
# place says so to our parser.
_MARK_AND_SIGN = regex(r"(?P<mark>[:-][ \t]+[|>][-+\d]*)#")
# Blanks may be between the mark of a block and the sign behind it.
_APART = regex(
    r"(?P<mark>[:-][ \t]+[|>])(?P<gap>[ \t]+)(?P<sign>[-+\d]{1,2})(?=[ \t]*\r?$|[ \t]+#)",
    re.MULTILINE,
)
# Below a list in brackets over several lines, a line that begins with a tab breaks the header, and
# so does a comment directly behind a quote, a bracket or a comma (2.1.332, measured 2026-11-30).
_TAB_PROBLEM = "a tab begins the line below a list over several lines"
# libyaml takes a `#` there for a comment.
_GLUED_PROBLEM = "a comment begins without a space before it"
_GLUED = regex(r"[\"'\]},]#")
_GLUED_COMMA = regex(r"[ \t\r\n]*,")
_TAB_BELOW_LIST = regex(r"(?:[ \t]*(?:#[^\n]*)?\n)+?\t")
# Two CR before an LF are two line ends, of which ours would take the last two characters for one.
_CRS = regex(r"(?<!\r)\r{2,}\n")
_COMMENTS = regex(r"(?:^|(?<=[ \t\n]))#[^\n]*")
# A CR alone ends a line as well.
_CR_TAB = regex(r"(?<=\r)[ \t]+(?=(?:#[^\r\n]*)?(?:\n*\Z|\n+[^ \t\r\n]))")
_CR_TAB_BELOW_BLOCK = regex(r"(?<=[^\r\n]\r)[ \t]+(?=(?:#[^\r\n]*)?\n*\Z)")
# In a file with CRLF, it keeps the line breaks in quotes.
_OPEN_QUOTE = regex(r"""[:\[{,-][ \t]+(?:"[^"\r\n]*|'[^'\r\n]*)\r\n""")
_KEPT = regex(r"[ \t]*\r\n[ \t]*")


def parse(text: str, start: int = 0) -> Tree:
    """The tree of a header, which comes from the second try if the header is not valid YAML.

    The problem of the first try stays in the tree, because other readers do not try again.
    """
    tree = _first_reading(text, start)
    root = second_reading(text, start) if tree.problem is not None else None
    return tree if root is None else replace(tree, root=root, rest=None)


def _first_reading(text: str, start: int) -> Tree:
    tree = javascript.parse(text, start, prepared=_with_letters)
    if tree.root is None:
        return tree
    root = _with_text_keys(tree.root, text, start)
    if "\r\n" in text and _OPEN_QUOTE.search(text):
        root = rebuilt(root, lambda offset: offset, _with_breaks(text, start), {})
    problem = tree.problem or _own_problem(root, text, start)
    if root is tree.root and problem is tree.problem:
        return tree
    return replace(tree, root=root, problem=problem)


def _own_problem(root: Node, text: str, start: int) -> Problem | None:
    """What only this parser rejects in a text, or None."""
    tab = _tab_below_list(root, text, start)
    if tab is not None:
        return Problem(_TAB_PROBLEM, tab)
    sign = _glued_comment(root, text, start)
    return None if sign is None else Problem(_GLUED_PROBLEM, sign)


def _with_text_keys(root: Node, text: str, start: int) -> Node:
    """`root` with a text for each key, as JavaScript makes it of a list of one and of nothing."""
    if not isinstance(root, Mapping):
        return root
    colons = [start + offset for offset in keyless(text)]
    if not colons and all(one.name is not None for one in root.entries):
        return root
    return _with_keys(root, colons, text, start)


def _with_keys(node: Node, colons: list[int], text: str, start: int) -> Node:
    """`node` with the text of each key; a colon of `colons` is taken by the first entry behind."""
    if isinstance(node, Sequence) and colons:
        items = tuple(_with_keys(item, colons, text, start) for item in node.items)
        return replace(node, items=items)
    if not isinstance(node, Mapping):
        return node
    entries = []
    for one in node.entries:
        entry = _with_text_key(one, colons, text, start)
        if colons and entry.value is not None:
            entry = Entry(entry.key, _with_keys(entry.value, colons, text, start))
        entries.append(entry)
    return replace(node, entries=tuple(entries))


def _with_text_key(entry: Entry, colons: list[int], text: str, start: int) -> Entry:
    key = entry.key
    before = (one for one in colons if one < key.span.start)
    colon = next(
        (one for one in before if _is_apart(text[one + 1 - start : key.span.start - start])), None
    )
    if colon is not None:
        colons.remove(colon)
        return Entry(Scalar(Span(colon, colon), "", Style.PLAIN), key)
    inner = key
    while isinstance(inner, Sequence) and len(inner.items) == 1:
        inner = inner.items[0]
    is_text = inner is not key and isinstance(inner, Scalar)
    return Entry(replace(inner, span=key.span), entry.value) if is_text else entry


def _is_apart(text: str) -> bool:
    """Whether `text` has only blanks and comments."""
    return not _COMMENTS.sub("", text).strip()


def _glued_comment(root: Node, text: str, start: int) -> Span | None:
    """The first `#` that stands directly behind a string in quotes, a list or a comma, or None."""
    if _GLUED.search(text) is None:
        return None
    waiting, found = [root], list[Span]()
    while waiting:
        node = waiting.pop()
        children: list[Node] = []
        if isinstance(node, Mapping):
            sides = ((one.key, one.value) for one in node.entries)
            children = [side for pair in sides for side in pair if side is not None]
        elif isinstance(node, Sequence):
            children = list(node.items)
        waiting += children
        ends = [one.span.end for one in children if _may_end_in_comment(one)]
        if isinstance(node, Mapping | Sequence) and node.flow:
            commas = (_GLUED_COMMA.match(text, one.span.end - start) for one in children)
            ends += [start + one.end() for one in commas if one is not None]
        found += [Span(end, end + 1) for end in ends if text.startswith("#", end - start)]
    return min(found, default=None)


def _may_end_in_comment(node: Node) -> bool:
    """Whether a `#` directly behind `node` does not belong to it."""
    if isinstance(node, Mapping | Sequence):
        return node.flow
    return isinstance(node, Scalar) and node.style in (Style.SINGLE, Style.DOUBLE)


def _tab_below_list(root: Node, text: str, start: int) -> Span | None:
    """The first tab that begins the line below a list in brackets over several lines, or None."""
    entries = root.entries if isinstance(root, Mapping) and "\n\t" in text else ()
    for value in (one.value for one in entries):
        if isinstance(value, Mapping | Sequence) and value.flow:
            end = value.span.end - start
            found = _TAB_BELOW_LIST.match(text, end)
            begin = value.span.start - start
            is_beside_key = ":" in text[text.rfind("\n", 0, begin) + 1 : begin]
            if found is not None and is_beside_key and "\n" in text[begin:end]:
                return Span(start + found.end() - 1, start + found.end())
    return None


# Each keystroke asks for a header several times.
@lru_cache(maxsize=64)
def second_reading(header: str, start: int) -> Node | None:
    """The root that the runtime reads at the second try, or None if that fails as well."""
    lines = _lines(header)
    letters = _with_letters("\n".join(line.text for line in lines))
    text, tree = javascript.with_halves(letters, 0, yaml.parse)
    root = tree.root
    if root is None or tree.problem is not None or tree.rest is not None:
        return None
    if outdented(text, root, 0) or _glued_comment(root, text, 0):
        return None
    places, kept = _places(lines, start), _with_breaks(text, 0)
    root = rebuilt(root, places.place, lambda node: places.written_as(kept(node)), {})
    return (
        None
        if _tab_below_list(root, header, start) is not None
        else _with_text_keys(root, header, start)
    )


def unsound(header: str, start: int) -> Iterator[tuple[str, Span]]:
    """Yields the keys and places of values that are valid YAML only in quotes."""
    at = start
    for line in _lines(header):
        if line.value is not None and yaml.sound(f"key: {line.value}") is None:
            end = at + len(line.written)
            yield line.text.partition(":")[0], Span(end - len(line.value), end)
        at += len(line.written) + 1


def _lines(header: str) -> "tuple[_Line, ...]":
    """The lines of a header, each without its LF, and with the CR before it."""
    return tuple(map(_quoted, header.split("\n")))


def _with_letters(text: str) -> str:
    """`text` with a private letter for each character that only the runtime reads as a letter."""
    # Nearly every header has none of the signs that these expressions look for.
    found = with_letters(text)
    if "\r\r" in found:
        found = _CRS.sub(lambda ends: "\n" * (len(ends[0]) - 2) + "\r\n", found)
    may_have_block = "|" in found or ">" in found
    if may_have_block:
        found = _MARK_AND_SIGN.sub(r"\g<mark>x", found)
        found = _APART.sub(r"\g<mark>\g<sign>\g<gap>", found)
    found = readable(found)
    if "\t" in found:
        behind_cr = _CR_TAB if _BLOCK.search(found) is None else _CR_TAB_BELOW_BLOCK
        found = behind_cr.sub(lambda blanks: " " * len(blanks[0]), found)
    if not (may_have_block and _BLOCK.search(found)):
        found = _ANCHOR.sub(r"\1_", found) if "&" in found or "*" in found else found
        found = _LONG_KEY.sub("#", found) if len(found) > _LONGEST_KEY else found
    found = _ITEM.sub(r"\1 ", found) if "-\t" in found else found
    return _COMMA.sub(rf"\1{stand_in(',')}", found) if " ," in found or "\t," in found else found


def _with_breaks(text: str, start: int) -> Callable[[Scalar], Scalar]:
    """A function that puts the line breaks into a string in quotes."""

    def kept(node: Scalar) -> Scalar:
        source = text[node.span.start - start : node.span.end - start]
        if node.style is Style.SINGLE and "\r\n" in source:
            return replace(node, value=_KEPT.sub("\n", source[1:-1]).replace("''", "'"))
        if node.style is Style.DOUBLE and "\r\n" in source:
            read = yaml.sound(re.sub(r"\\?[ \t]*\r\n[ \t]*", r"\\n", source))
            return replace(node, value=read.value) if isinstance(read, Scalar) else node
        return node

    return kept


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
            return restored(node)
        return replace(node, value=line.value, style=Style.PLAIN)


def _places(lines: tuple[_Line, ...], start: int) -> _Places:
    read, written = [0], [start]
    for line in lines[:-1]:
        read.append(read[-1] + len(line.text) + 1)
        written.append(written[-1] + len(line.written) + 1)
    return _Places(lines, tuple(read), tuple(written))
