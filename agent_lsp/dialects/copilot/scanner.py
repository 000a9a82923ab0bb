"""Divides a header into tokens as VS Code does, line by line and without ever failing.

Invariant: every character of a header is in a token or between two; a quote that nothing closes
goes on to the end of the header.
Facts: VS Code 1.139.1, src/vs/base/common/yaml, read 2026-11-28 and measured with the texts of
`tests/conformance/copilot.jsonl`. Tabs count as blanks, `%` at the start of a line makes a comment
of it, and there are no anchors, aliases and tags: they are text.
"""

import re
from enum import Enum

from agent_lsp.data_classes import dataclass, field
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Style
from agent_lsp.text import Span


class Sign(Enum):
    """The kind of a token; brackets and the like are named by their character."""

    SCALAR = "text"
    COLON = ":"
    DASH = "-"
    COMMA = ","
    MAP_START = "{"
    MAP_END = "}"
    LIST_START = "["
    LIST_END = "]"
    NEWLINE = "line end"
    INDENT = "blanks at the start of a line"
    COMMENT = "#"
    MARK_START = "---"
    MARK_END = "..."
    END = "end of the header"


@dataclass(frozen=True, slots=True)
class Token:
    """A token; `value` and `style` are those of a text, `column` is where it is in its line."""

    sign: Sign
    span: Span
    column: int
    value: str = ""
    style: Style = Style.PLAIN
    is_closed: bool = True

    @property
    def width(self) -> int:
        """The number of blanks of an indentation."""
        return len(self.span)


_NEWLINE = regex(r"\r\n|\r|\n")
_BLANKS = regex(r"[ \t]*")
_REST = regex(r"[^\r\n]*")
_MARK = regex(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_DASH = regex(r"-(?=[ \t\r\n]|\Z)")
_COLON = regex(r":(?=[ \t\r\n]|\Z)")
_COLON_IN_FLOW = regex(r":(?=[ \t\r\n,}\]]|\Z)")
_PLAIN = regex(r"(?:[^\r\n:#]|:(?![ \t\r\n]|\Z)|(?<![ \t])#)+")
# Behind a key, and outside of brackets, no other colon of the line counts.
_PLAIN_OF_KEY = regex(r"(?:[^\r\n#]|(?<![ \t])#)+")
_PLAIN_IN_FLOW = regex(r"(?:[^\r\n:#,{}\[\]]|:(?![ \t\r\n,}\]]|\Z)|(?<![ \t])#)+")
_BLOCK = regex(r"[|>][1-9+-]*[ \t]*(?=#|[\r\n]|\Z)")
_BRACKETS = {"{": Sign.MAP_START, "[": Sign.LIST_START, "}": Sign.MAP_END, "]": Sign.LIST_END}
_SKIPPED = (Sign.NEWLINE, Sign.INDENT, Sign.COMMENT)


@dataclass(slots=True)
class _Scan:
    """A header that is being divided; `pos` is where the next token begins.

    `has_key` says that a colon of the line already ends a key.
    """

    text: str
    pos: int = 0
    line: int = 0
    depth: int = 0
    has_key: bool = False
    tokens: list[Token] = field(default_factory=list)

    def add(self, sign: Sign, end: int, value: str = "", style: Style = Style.PLAIN) -> None:
        """Keeps the token from `pos` to `end`, and goes on behind it."""
        self.tokens.append(Token(sign, Span(self.pos, end), self.pos - self.line, value, style))
        self.pos = end

    def end_line(self) -> bool:
        """Keeps the line end at `pos`, if there is one."""
        found = _NEWLINE.match(self.text, self.pos)
        if found is not None:
            self.add(Sign.NEWLINE, found.end())
            self.line = found.end()
        return found is not None

    def skip(self, pattern: re.Pattern[str]) -> None:
        """Goes on behind what `pattern` matches."""
        found = pattern.match(self.text, self.pos)
        self.pos = found.end() if found is not None else self.pos

    def last(self) -> Token | None:
        """The last token that is no line end, indentation or comment."""
        return next((one for one in reversed(self.tokens) if one.sign not in _SKIPPED), None)


def scan(text: str) -> tuple[Token, ...]:
    """The tokens of a header, the last of which is its end."""
    state = _Scan(text)
    while state.pos < len(text):
        _line(state)
    state.add(Sign.END, len(text))
    return tuple(state.tokens)


def _line(state: _Scan) -> None:
    state.has_key = False
    if state.end_line():
        return
    begin = state.pos
    blanks = _BLANKS.match(state.text, begin)
    if blanks is not None and blanks.end() > begin:
        state.add(Sign.INDENT, blanks.end())
    if state.pos >= len(state.text) or state.end_line():
        return
    first = state.text[state.pos]
    mark = _MARK.match(state.text, state.pos) if state.pos == begin else None
    if mark is not None:
        state.add(Sign(mark[0]), mark.end())
    if mark is None and first == "%":
        state.skip(_REST)
    else:
        _content(state)
    state.end_line()


def _content(state: _Scan) -> None:
    """The tokens of a line from `pos` on; some texts have several lines."""
    text = state.text
    while True:
        state.skip(_BLANKS)
        if state.pos >= len(text) or text[state.pos] in "\r\n":
            return
        sign, at = text[state.pos], state.pos
        if sign == "#":
            rest = _REST.match(text, at)
            state.add(Sign.COMMENT, rest.end() if rest is not None else at)
            return
        if sign in "|>" and not state.depth and _BLOCK.match(text, at) is not None:
            _block(state)
            return
        if sign in "\"'":
            _quoted(state, sign)
        elif not _mark(state, sign):
            pattern = _PLAIN_OF_KEY if state.has_key else _PLAIN
            pattern = _PLAIN_IN_FLOW if state.depth else pattern
            found = pattern.match(text, at)
            end = found.end() if found is not None else at + 1
            _plain(state, end)


def _plain(state: _Scan, end: int) -> None:
    bare = state.text[state.pos : end].rstrip(" \t")
    state.add(Sign.SCALAR, state.pos + len(bare), bare)
    state.pos = end


def _mark(state: _Scan, sign: str) -> bool:
    """Keeps a bracket, a comma, a dash or a colon, if `sign` is one here."""
    text, at = state.text, state.pos
    if sign in "{[":
        state.depth += 1
        state.add(_BRACKETS[sign], at + 1)
    elif sign in "}]" and state.depth:
        state.depth -= 1
        state.add(_BRACKETS[sign], at + 1)
    elif sign == "," and state.depth:
        state.add(Sign.COMMA, at + 1)
    elif sign == "-" and _DASH.match(text, at) is not None:
        state.add(Sign.DASH, at + 1)
    elif sign == ":" and _is_colon(state):
        state.add(Sign.COLON, at + 1)
        state.has_key = state.has_key or not state.depth
    else:
        return False
    return True


def _is_colon(state: _Scan) -> bool:
    """Whether the colon at `pos` ends a key; in brackets a quoted key needs no blank behind it."""
    if state.has_key and not state.depth:
        return False
    if (_COLON_IN_FLOW if state.depth else _COLON).match(state.text, state.pos) is not None:
        return True
    last = state.last() if state.depth else None
    if last is None:
        return False
    is_text = last.sign is Sign.SCALAR and last.style is not Style.PLAIN
    return is_text or last.sign in (Sign.MAP_END, Sign.LIST_END)


_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    '"': '"',
    "/": "/",
    "r": "\r",
    "0": "\0",
    "a": "\x07",
    "b": "\b",
    "e": "\x1b",
    "v": "\v",
    "f": "\f",
    " ": " ",
    "_": "\xa0",
}
_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEX = regex(r"[0-9a-fA-F]+")
_INSIDE = {"'": regex(r"[^'\r\n]+"), '"': regex(r'[^"\\\r\n]+')}
_HIGHEST = 0x10FFFF


def _quoted(state: _Scan, quote: str) -> None:
    """A text in quotes, whose lines are joined as in YAML."""
    text, start, column = state.text, state.pos, state.pos - state.line
    parts: list[str] = []
    # Whether blanks at the end of the last part may be those at the end of a line.
    is_bare, is_closed = False, False
    at = start + 1
    while at < len(text):
        run = _INSIDE[quote].match(text, at)
        if run is not None:
            parts.append(run[0])
            is_bare, at = True, run.end()
        elif text[at] == quote and quote == "'" and text.startswith("''", at):
            parts.append("'")
            is_bare, at = False, at + 2
        elif text[at] == quote:
            is_closed, at = True, at + 1
            break
        elif text[at] == "\\":
            part, at = _escape(state, at)
            parts.append(part)
            is_bare = False
        else:
            if is_bare:
                parts[-1] = parts[-1].rstrip(" \t")
            empty, at = _folded(state, at)
            parts.append("\n" * empty if empty else " ")
            is_bare = False
    style = Style.SINGLE if quote == "'" else Style.DOUBLE
    state.tokens.append(
        Token(Sign.SCALAR, Span(start, at), column, "".join(parts), style, is_closed)
    )
    state.pos = at


def _escape(state: _Scan, at: int) -> tuple[str, int]:
    """What a backslash at `at` stands for, and where the text goes on."""
    text, sign = state.text, state.text[at + 1 : at + 2]
    ended = _NEWLINE.match(text, at + 1)
    if ended is not None:
        state.line = ended.end()
        blanks = _BLANKS.match(text, ended.end())
        return "", blanks.end() if blanks is not None else ended.end()
    if sign in _DIGITS and sign:
        digits = text[at + 2 : at + 2 + _DIGITS[sign]]
        number = _HEX.match(digits)
        if len(digits) < _DIGITS[sign] or number is None:
            return f"\\{sign}", at + 2
        point = int(number[0], 16)
        return chr(point) if point <= _HIGHEST else "\ufffd", at + 2 + len(digits)
    return _ESCAPES.get(sign, f"\\{sign}"), at + 1 + len(sign)


def _folded(state: _Scan, at: int) -> tuple[int, int]:
    """The number of empty lines from the line end at `at` on, and where the next text begins."""
    empty = -1
    while (ended := _NEWLINE.match(state.text, at)) is not None:
        state.line, empty = ended.end(), empty + 1
        blanks = _BLANKS.match(state.text, ended.end())
        at = blanks.end() if blanks is not None else ended.end()
    return empty, at


def _block(state: _Scan) -> None:
    """A text behind `|` or `>`: the lines below that are indented."""
    text, start, column = state.text, state.pos, state.pos - state.line
    head = _REST.match(text, start)
    sign = head[0] if head is not None else ""
    width, chomping = _indicators(sign)
    parent = _parent(state)
    state.skip(_REST)
    state.skip(_NEWLINE)
    content = parent + width if width else 0
    rows: list[str] = []
    while state.pos < len(text):
        row = _REST.match(text, state.pos)
        line = row[0] if row is not None else ""
        bare = line.lstrip(" ")
        if not bare:
            rows.append(line[content:] if content else "")
        else:
            indent = len(line) - len(bare)
            if (not indent and _MARK.match(bare)) or (indent <= parent and not content):
                break
            content = content or indent
            if indent < content:
                break
            rows.append(line[content:])
        state.line = state.pos
        state.skip(_REST)
        state.skip(_NEWLINE)
    state.line = state.pos
    style = Style.LITERAL if sign.startswith("|") else Style.FOLDED
    value = _chomped(rows, style, chomping)
    state.tokens.append(Token(Sign.SCALAR, Span(start, state.pos), column, value, style))


def _indicators(sign: str) -> tuple[int, str]:
    """The width and the chomping that the first two characters behind `|` or `>` give."""
    width, chomping = 0, ""
    for one in sign[1:3]:
        if one in "123456789" and not width:
            width = int(one)
        elif one in "+-" and not chomping:
            chomping = one
    return width, chomping


def _parent(state: _Scan) -> int:
    """The column of the key or the dash to which a block belongs."""
    before = (one for one in reversed(state.tokens) if one.sign not in _SKIPPED)
    last = next(before, None)
    if last is None:
        return 0
    if last.sign is Sign.DASH:
        return last.column
    if last.sign is Sign.COLON:
        key = next(before, None)
        return key.column if key is not None else 0
    return -1 if last.sign is Sign.MARK_START else 0


def _chomped(rows: list[str], style: Style, chomping: str) -> str:
    filled = len(rows)
    while filled and not rows[filled - 1]:
        filled -= 1
    empty = len(rows) - filled
    if not any(rows):
        return "\n" * empty if chomping == "+" else ""
    value = "\n".join(rows[:filled]) if style is Style.LITERAL else _joined(rows[:filled])
    if chomping == "-":
        return value
    return value + "\n" * (empty + 1 if chomping == "+" else 1)


def _joined(rows: list[str]) -> str:
    """The lines of a folded text; lines that are indented deeper keep their line ends."""
    value, is_deep, is_seen, is_empty = "", False, False, False
    for at, row in enumerate(rows):
        if not row:
            value += "\n"
            is_empty = True
            continue
        deep = row[0] in " \t"
        if at and is_empty:
            value += "\n" if (is_deep or deep) and is_seen else ""
        elif at:
            value += "\n" if is_deep or deep else " "
        value += row
        is_deep, is_seen, is_empty = deep, True, False
    return value
