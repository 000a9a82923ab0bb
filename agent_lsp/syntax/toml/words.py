"""Reads an unquoted word in TOML: a number, a boolean, a date, or an error.

Invariant: the module accepts what toml_edit accepts. That includes the second 60 and the year 0,
but not integers of more than 64 bits.
"""

import re
from enum import Enum

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Scalar, Style

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
