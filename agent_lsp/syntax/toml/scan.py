"""Scans the text of a TOML file: positions, problems, keys, quoted strings and unquoted words.

Invariants: indexes count from the start of the text, spans from the start of the file. Nothing
after `end` is read. Every message is that of toml_edit, the runtime's parser. An unquoted word is a
number, a boolean, a date, or an error, as for toml_edit: the second 60 and the year 0 are valid,
and integers of more than 64 bits are not.
"""

import re
import sys
from enum import Enum

from agent_lsp.data_classes import dataclass, field
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Problem, Scalar, Style
from agent_lsp.text import Span

# toml_edit refuses the 80th nested bracket, and the 80th part of a key.
MOST_LEVELS = 79
TOO_DEEP = "recursion limit"

_BLANKS = regex(r"[ \t]*")
_COMMENT = regex(r"#[^\n\r]*")
_GAP = regex(r"(?:[ \t\n]|\r\n|#[^\n\r]*)*")
_LINE = regex(r"[^\n\r]*")
_LINE_END = regex(r"\r?\n|\r")
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
_BARE = regex(r"[A-Za-z0-9_-]+")
_REST_OF_KEY = regex(r"[^=#\]}\n\r]*")
_OPEN_KEY = regex(r"(?:[A-Za-z0-9_-]|\$\{[^}\n\r]*\})+")
_MEANT = regex(r"[^\s=.\[\]{}#\"',]+")


@dataclass(slots=True)
class Scan:
    """A text that is being parsed; `shift` is the offset of the text in its file.

    With `placeholders`, `${NAME}` can stand for anything. A `newer` text is TOML 1.1. With `lines`,
    inline tables may contain line ends; `forgiven` counts the problems about those. With `hasty`,
    the text ends after the first other problem. `boundary` is the start of the next line that looks
    like a statement.
    """

    text: str
    end: int
    shift: int = 0
    placeholders: bool = False
    newer: bool = False
    lines: bool = False
    forgiven: int = 0
    hasty: bool = False
    boundary: int = 0
    damage: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """The number of problems that are not forgiven."""
        return len(self.damage) - self.forgiven

    def span(self, start: int, end: int) -> Span:
        """The span in the file between two indexes."""
        return Span(start + self.shift, end + self.shift)

    def broken(self, start: int, end: int) -> Broken:
        """The text between two indexes as a broken node."""
        return Broken(self.span(start, end), self.text[start:end])

    def report(
        self, at: int, end: int, message: str, context: str | None = None, begun: int | None = None
    ) -> None:
        """Reports a problem from `at` to `end`, in a construct that began at `begun`."""
        opened = None if begun is None else self.span(begun, begun + 1)
        self.damage.append(Problem(message, self.span(at, end), context, opened))
        if self.hasty:
            self.end = max(at, end)

    def forgive(self, at: int, message: str, context: str, begun: int) -> None:
        """Reports a problem at `at` that does not count as an error."""
        opened = self.span(begun, begun + 1)
        self.damage.append(Problem(message, self.span(at, at), context, opened))
        self.forgiven += 1

    def peek(self, at: int) -> str:
        """The character at `at`; empty at the end."""
        return self.text[at] if at < self.end else ""

    def starts(self, word: str, at: int) -> bool:
        """Whether `word` is at `at`."""
        return self.text.startswith(word, at, self.end)

    def match(self, pattern: re.Pattern[str], at: int) -> int:
        """The index after `pattern` at `at`; `at` itself if it does not match."""
        found = pattern.match(self.text, at, self.end)
        return found.end() if found else at

    def blanks(self, at: int) -> int:
        """The index after blanks."""
        return self.match(_BLANKS, at)

    def gap(self, at: int) -> int:
        """The index after blanks, line ends and comments."""
        stop = self.match(_GAP, at)
        self.refuse_controls(at, stop, "expected newline, `#`")
        return stop

    def comment(self, at: int) -> int:
        """The index after the comment at `at`; `at` itself if there is none."""
        stop = self.match(_COMMENT, at)
        self.refuse_controls(at, stop, "expected newline, `#`")
        return stop

    def line_stop(self, at: int) -> int:
        """The index where the line of `at` ends."""
        return self.match(_LINE, at)

    def next_line(self, at: int) -> int:
        """The index where the line after that of `at` begins."""
        return self.match(_LINE_END, self.line_stop(at))

    def at_line_end(self, at: int) -> bool:
        """Whether the line or the text ends at `at`."""
        return self.peek(at) in ("", "\n") or self.starts("\r\n", at)

    def refuse_controls(self, start: int, end: int, message: str) -> None:
        """Reports the first control character between two indexes."""
        found = _CONTROL.search(self.text, start, end)
        if found:
            self.report(found.start(), found.end(), message)


def keys(
    scan: Scan, at: int, expected: str = "expected `.`, `=`", context: str | None = None
) -> tuple[tuple[Scalar | Broken, ...], int]:
    """The parts of the dotted key at `at`, and the index after it and its blanks.

    A part that has not been typed yet is an empty text. `expected` is the message for a missing
    key, in the `context` of a header. Parts beyond the limit are not read.
    """
    parts: list[Scalar | Broken] = []
    begun = at
    while not parts or (scan.peek(at) == "." and len(parts) <= MOST_LEVELS):
        begin = scan.blanks(at + bool(parts))
        part, at, is_wrong = _key(scan, begin)
        if is_wrong:
            is_none = not parts and not _BARE.match(scan.text, begin, scan.end)
            end = at if at > begin else at + (not scan.at_line_end(at))
            scan.report(begin, end, *(("invalid key", None) if is_none else (expected, context)))
        parts.append(part)
        at = scan.blanks(at)
    if len(parts) > MOST_LEVELS:
        at = scan.match(_REST_OF_KEY, at)
        scan.report(begun, at, TOO_DEEP)
    return tuple(parts), at


def _key(scan: Scan, at: int) -> tuple[Scalar, int, bool]:
    """A part of a key, the index after it, and whether it is invalid and not yet reported."""
    if scan.peek(at) in ('"', "'"):
        return *line_string(scan, at), False
    stop = scan.match(_OPEN_KEY if scan.placeholders else _BARE, at)
    meant = scan.match(_MEANT, stop)
    return Scalar(scan.span(at, meant), scan.text[at:meant]), meant, meant > stop or stop == at


def line_string(scan: Scan, at: int, *, listed: bool = False) -> tuple[Scalar, int]:
    """The single-line string at `at`, and the index after it.

    If it is not closed, it ends with the line, or with `listed` at a comma or bracket.
    """
    is_basic = scan.text[at] == '"'
    context = f"invalid {'basic' if is_basic else 'literal'} string"
    style = Style.DOUBLE if is_basic else Style.SINGLE
    stop = scan.match(_BASIC if is_basic else _LITERAL, at)
    if stop == at:
        line = scan.line_stop(at)
        scan.report(line, line, context, None, at)
        stop = scan.match(_ITEM, at) if listed else line
        value = scan.text[at + 1 : stop].rstrip(" \t")
        return Scalar(scan.span(at, at + 1 + len(value)), value, style), stop
    scan.refuse_controls(at, stop, context)
    value = scan.text[at + 1 : stop - 1]
    value = _unescaped(scan, at + 1, value) if is_basic else value
    return Scalar(scan.span(at, stop), value, style), stop


def multi_string(scan: Scan, at: int) -> tuple[Scalar, int]:
    """The multi-line string at `at`, and the index after it."""
    is_basic = scan.text[at] == '"'
    context = f"invalid multiline {'basic' if is_basic else 'literal'} string"
    style = Style.MULTI_DOUBLE if is_basic else Style.MULTI_SINGLE
    stop = scan.match(_MULTI_BASIC if is_basic else _MULTI_LITERAL, at)
    begin = at + 3
    begin += 2 if scan.starts("\r\n", begin) else scan.starts("\n", begin)
    if stop == at:
        scan.report(scan.end, scan.end, context, None, at)
        end = max(begin, len(scan.text[: scan.end].rstrip()))
        return Scalar(scan.span(at, end), scan.text[begin:end], style), scan.end
    scan.refuse_controls(at, stop, context)
    value = scan.text[begin : stop - 3]
    value = _unescaped(scan, begin, value) if is_basic else _line_ends(scan, value)
    return Scalar(scan.span(at, stop), value, style), stop


def _line_ends(scan: Scan, value: str) -> str:
    """`value` with its line ends as the runtime keeps them: TOML 1.1 leaves CRLF as it is."""
    return value if scan.newer else value.replace("\r\n", "\n")


def _unescaped(scan: Scan, begin: int, value: str) -> str:
    """`value`, which begins at `begin`, with its escapes resolved; invalid ones are kept."""
    pieces: list[str] = []
    done = 0
    for found in (_NEWER_BACKSLASH if scan.newer else _BACKSLASH).finditer(value):
        pieces.append(_line_ends(scan, value[done : found.start()]))
        pieces.append(_meant(scan, begin, found))
        done = found.end()
    pieces.append(_line_ends(scan, value[done:]))
    return "".join(pieces)


def _meant(scan: Scan, begin: int, escape: re.Match[str]) -> str:
    if escape["one"]:
        return _ONE[escape["one"]]
    if escape["fold"]:
        return ""
    byte = escape["byte"] if scan.newer else None
    point = int(byte or escape["short"] or escape["long"] or "FFFFFFFF", 16)
    if point < _FIRST_SURROGATE or _LAST_SURROGATE < point <= sys.maxunicode:
        return chr(point)
    message = "value is out of range"
    if escape["bad"] is not None:
        message = 'expected `b`, `f`, `n`, `r`, `t`, `u`, `U`, `\\`, `"`'
    span = (begin + escape.start(), begin + escape.end())
    scan.report(*span, message, "invalid escape sequence")
    return escape[0]


# Each pattern can match a text in only one way, so that an unclosed string takes linear time.
# Possessive quantifiers would ensure this as well, but some Python 3.11 match them wrongly
# (github.com/python/cpython/issues/106052, seen in Debian 12's 3.11.2-6+deb12u8 on 2026-11-28).
_BASIC = regex(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"')
_ITEM = regex(r"[^,\]}\n\r]*")
_LITERAL = regex(r"'[^'\n\r]*'")
_MULTI_BASIC = regex(r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3,5}', re.DOTALL)
_MULTI_LITERAL = regex(r"'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}")
_POINT = "u(?P<short>[0-9A-Fa-f]{4})|U(?P<long>[0-9A-Fa-f]{8})"
_FOLD = r"(?P<fold>[ \t]*\r?\n(?:[ \t\n]|\r\n)*)"
_BACKSLASH = regex(rf"""\\(?:{_POINT}|(?P<one>[bfnrt"\\])|{_FOLD}|(?P<bad>.|$))""", re.DOTALL)
_NEWER_BACKSLASH = regex(
    rf"""\\(?:x(?P<byte>[0-9A-Fa-f]{{2}})|{_POINT}|(?P<one>[befnrt"\\])|{_FOLD}|(?P<bad>.|$))""",
    re.DOTALL,
)
_FIRST_SURROGATE, _LAST_SURROGATE = 0xD800, 0xDFFF
_ONE = {"b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


# Read in crates/toml_edit/src/parser/{numbers,datetime}.rs of toml-rs/toml, 2026-11-28.


class WordKind(Enum):
    """The type of a scalar, in the words of the runtime's messages."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE_TIME = "datetime"
    UNKNOWN = "unknown"


def kind(node: Scalar) -> WordKind:
    """The type of `node`; UNKNOWN for a word with a placeholder, and for a missing value."""
    return WordKind.STRING if node.style is not Style.PLAIN else _kind(node.value)


def plain(node: Scalar) -> str | int | float | bool | None:
    """The plain value of `node`: a date is its text, and an unknown value is None."""
    match kind(node):
        case WordKind.INTEGER:
            return int(node.value, 0)
        case WordKind.FLOAT:
            return float(node.value)
        case WordKind.BOOLEAN:
            return node.value == "true"
        case WordKind.UNKNOWN:
            return None
        case WordKind.STRING | WordKind.DATE_TIME:
            return node.value


def newer_kind(word: str) -> WordKind | None:
    """The type of `word` for the toml crate 1.x, or None if it refuses it.

    A time needs no seconds there, and a number that is too large is refused where it is used.
    """
    found = _kind(word)
    if found is WordKind.UNKNOWN and _NEWER_TIME.fullmatch(word):
        found = WordKind.DATE_TIME
    if found is WordKind.UNKNOWN or (found is WordKind.DATE_TIME and not _is_in_range(word)):
        return None
    return found


def complaint(word: str, closer: str = "") -> tuple[str, str | None] | None:
    """The error of toml_edit for `word`, and what it was reading; None if there is no error.

    `closer` is the bracket that ends the array or inline table around the word.
    """
    match _kind(word):
        case WordKind.INTEGER:
            return None if _fits(word) else (_misfit(word), None)
        case WordKind.FLOAT:
            # toml_edit refuses a number that becomes positive infinity, not a negative one.
            is_too_large = "inf" not in word and float(word) == float("inf")
            return ("invalid floating-point number", None) if is_too_large else None
        case WordKind.DATE_TIME:
            label = "date-time" if "-" in word[:5] else "time"
            return None if _is_in_range(word) else ("value is out of range", f"invalid {label}")
        case WordKind.BOOLEAN:
            return None
        case _:
            return _mistake(word, closer)


_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_DECIMAL = r"[+-]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)"
_TIME = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.\d+)?"
_OFFSET = r"[Zz]|[+-](?P<offset_hour>\d\d):(?P<offset_minute>\d\d)"
_DATE = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
_INTEGER = regex(
    rf"{_DECIMAL}|0x[0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*|0o[0-7]+(?:_[0-7]+)*|0b[01]+(?:_[01]+)*"
)
_FLOAT = regex(
    rf"{_DECIMAL}(?:\.{_DIGITS}(?:[eE][+-]?{_DIGITS})?|[eE][+-]?{_DIGITS})|[+-]?(?:inf|nan)"
)
_DATE_TIME = regex(rf"{_DATE}(?:[Tt ]{_TIME}(?:{_OFFSET})?)?", re.ASCII)
_TIME_ALONE = regex(_TIME, re.ASCII)
_NEWER_TIME = regex(r"(?:\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d(?:[Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1
# Longer integers do not fit, and Python refuses to parse thousands of digits.
_LONGEST = 40
_HIGHEST = {"month": 12, "hour": 23, "minute": 59, "second": 60}
_HIGHEST |= {"offset_hour": 23, "offset_minute": 59}
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _kind(word: str) -> WordKind:
    if word in ("true", "false"):
        return WordKind.BOOLEAN
    if _INTEGER.fullmatch(word):
        return WordKind.INTEGER
    if _FLOAT.fullmatch(word):
        return WordKind.FLOAT
    if _DATE_TIME.fullmatch(word) or _TIME_ALONE.fullmatch(word):
        return WordKind.DATE_TIME
    return WordKind.UNKNOWN


def _fits(word: str) -> bool:
    is_decimal = word[1:2] not in ("x", "o", "b")
    if is_decimal and len(word.replace("_", "")) > _LONGEST:
        return False
    return _SMALLEST <= int(word, 0) <= _LARGEST


def _is_in_range(word: str) -> bool:
    found = _DATE_TIME.fullmatch(word) or _TIME_ALONE.fullmatch(word)
    parts = {name: int(part) for name, part in found.groupdict().items() if part} if found else {}
    if any(parts.get(name, 0) > highest for name, highest in _HIGHEST.items()):
        return False
    if "year" not in parts:
        return True
    year, month, day = parts["year"], parts["month"], parts["day"]
    if not (month and day) or day > _DAYS[month - 1]:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return is_leap or (month, day) != (_FEBRUARY, _LEAP_DAY)


_FEBRUARY, _LEAP_DAY = 2, 29


def _misfit(word: str) -> str:
    return f"number too {'small' if word[0] == '-' else 'large'} to fit in target type"


def _mistake(word: str, closer: str) -> tuple[str, str | None]:
    for pattern, message, context in _CUT:
        if pattern.match(word):
            return message, context
    if any(known.match(word) for known in _WHOLE):
        return _BEHIND[closer]
    if closer == "]" and word[0] not in "tf":
        return _BEHIND[closer]
    return ("invalid integer", None) if word[0] in "+-" else _NO_STRING


_NO_STRING = ("expected `\"`, `'`", "invalid string")
# The token that toml_edit expects after a complete value.
_BEHIND: dict[str, tuple[str, str | None]] = {
    "": ("expected newline, `#`", None),
    "]": ("expected `]`", "invalid array"),
    "}": ("expected `}`", "invalid inline table"),
}
_WHOLE = (_DATE_TIME, _TIME_ALONE, _FLOAT, _INTEGER, regex("true|false"))
_HOUR = r"(?:[01]\d|2[0-3]):(?!\d\d:\d\d)"
_FRACTION = rf"{_DECIMAL}\.{_DIGITS}"
_EXPONENT = rf"{_DECIMAL}(?:\.{_DIGITS})?[eE][+-]?"
_FLOATING = "invalid floating-point number"
# The types that toml_edit expects for words with these beginnings.
_CUT: tuple[tuple[re.Pattern[str], str, str | None], ...] = tuple(
    (regex(pattern, re.ASCII), message, context)
    for pattern, message, context in (
        (r"\d{4}-(?!\d\d-\d\d)", "invalid date-time", None),
        (rf"\d{{4}}-\d\d-\d\d[Tt ]{_HOUR}", "invalid date-time", None),
        (_HOUR, "invalid time", None),
        (r"[+-]?[1-9]\d*(?:_\d+)*_(?!\d)", "expected digit", "invalid integer"),
        (rf"{_DECIMAL}\.(?!\d)|{_FRACTION}_(?!\d)", "expected digit", _FLOATING),
        (rf"{_EXPONENT}(?!\d)", _FLOATING, None),
        (rf"{_EXPONENT}{_DIGITS}_(?!\d)", "expected digit", _FLOATING),
        (r"0x(?![0-9A-Fa-f])", "invalid hexadecimal integer", None),
        (r"0o(?![0-7])", "invalid octal integer", None),
        (r"0b(?![01])", "invalid binary integer", None),
        (r"0x[0-9A-Fa-f_]*_(?![0-9A-Fa-f_])", "expected digit", "invalid hexadecimal integer"),
        (r"0o[0-7_]*_(?![0-7_])", "expected digit", "invalid octal integer"),
        (r"0b[01_]*_(?![01_])", "expected digit", "invalid binary integer"),
        (r"_", "expected leading digit", "invalid integer"),
        (r"\.", "expected leading digit", _FLOATING),
    )
)
