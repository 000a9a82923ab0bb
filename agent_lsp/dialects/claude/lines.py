"""Rewrites the lines of a header that Claude Code reads and libyaml does not.

Invariant: a rewritten header is as long as the header, and each of its values has the same place.
Facts: Claude Code 2.1.332, measured 2026-11-29 (`tests/conformance/claude-runtime.jsonl`). A line
of blanks and tabs, also with a comment, is an empty line. Below a block, a line that begins with a
tab breaks the header unless the text of the block is right above it. A line of any mapping may
begin with the colon, without a key; below `?`, it is the value of that key.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent_lsp.syntax.yaml.javascript import stand_in

_BLANK = re.compile(r"(?P<blanks> *)\t[ \t]*(?:#.*)?\r?")
_INDENT = re.compile(r" *(?:-[ ]+)*")
_HAS_NO_KEY = re.compile(r"^ *(?:-[ ]+)*:(?:[ \t\r]|$)", re.MULTILINE)
# What has to begin in a line of its own cannot stand behind the colon.
_COLON = re.compile(r":(?=[ \t\r]|$)(?![ \t]*[-?](?:[ \t\r]|$)|[^\"'\[{|>]*:(?:[ \t\r]|$))")
_EXPLICIT = re.compile(r"\?(?:[ \t\r]|$)")
_KEY = re.compile(r"[^#]*?:(?:[ \t\r]|$)")
_OPEN = re.compile(r".*:[ \t]*(?:[&!]\S+[ \t]*)*(?:#.*)?\r?")
_MARK = re.compile(
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
