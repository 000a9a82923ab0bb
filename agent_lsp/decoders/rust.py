"""Texts as Rust's standard library makes them, and the words in which serde reports what it found.

Facts: https://doc.rust-lang.org/std/primitive.str.html, read 2026-11-27; messages of serde 1.0 and
serde_yaml 0.9.34 as recorded in `tests/conformance`.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping, Node, Problem, Scalar, Sequence, Style, resolve

# `str::trim` removes what Unicode calls White_Space; Python's `strip` also removes U+001C-001F.
_WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def trim(text: str) -> str:
    """`text` as `str::trim` returns it."""
    return text.strip(_WHITE_SPACE)


def lower(text: str) -> str:
    """`text` as `str::to_ascii_lowercase` returns it: only A to Z change."""
    return text.translate(_ASCII_LOWER)


def debug(text: str) -> str:
    """`text` as `{:?}` prints it: in double quotes, with escapes."""
    return '"' + "".join(_escape(character) for character in text) + '"'


def lines(text: str) -> Iterator[str]:
    """The lines as `str::lines` returns them.

    LF or CRLF ends a line, and a line end at the end of the text adds no line.
    """
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
        return (row.removesuffix("\r") for row in rows)
    return (row if at == len(rows) - 1 else row.removesuffix("\r") for at, row in enumerate(rows))


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character == " " or character.isprintable():
        return character
    return f"\\u{{{ord(character):x}}}"


_INT = regex(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*)")
FLOAT = regex(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
# Digits with a leading 0 are a string.
_ZEROS = regex(r"[-+]?0[0-9]+")
_NO_COLON = "could not find expected ':'"
_U64 = 2**64
_TWO = 2


def unexpected(node: Node) -> str:
    """The found value in serde's words: ``string "x"``, ``integer `5` ``, `map`."""
    target = resolve(node)
    if isinstance(target, Mapping):
        return "map"
    if isinstance(target, Sequence):
        return "sequence"
    if not isinstance(target, Scalar):
        return "unit value"
    word = target.value
    if target.style is not Style.PLAIN or target.tag is not None:
        return f"string {debug(word)}"
    if word in ("", "~", "null", "Null", "NULL"):
        return "unit value"
    if word in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return f"boolean `{word.lower()}`"
    if _INT.fullmatch(word):
        number = _integer(word)
        wide = f" as {'i' if number < 0 else 'u'}128" if not -_U64 // 2 <= number < _U64 else ""
        return f"integer `{number}`{wide}"
    if FLOAT.fullmatch(word) and not _ZEROS.fullmatch(word):
        return f"floating point `{_float(word)}`"
    return f"string {debug(word)}"


def whole(node: Node) -> int | None:
    """The integer that `node` is, within 64 bits, or None."""
    target = resolve(node)
    if not isinstance(target, Scalar) or target.style is not Style.PLAIN or target.tag is not None:
        return None
    if not _INT.fullmatch(target.value):
        return None
    number = _integer(target.value)
    return number if -_U64 // 2 <= number < _U64 else None


def _integer(word: str) -> int:
    return int(word.replace("+", "", 1), 0)


def variants(names: list[str]) -> str:
    """The list of accepted words as serde prints it."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) == 1:
        return quoted[0]
    if len(quoted) == _TWO:
        return " or ".join(quoted)
    return f"one of {', '.join(quoted)}"


def _float(word: str) -> str:
    """A float as Rust prints it: never with an exponent, always with a point."""
    lowered = word.lower()
    if lowered.endswith(("inf", "nan")):
        return "NaN" if lowered.endswith("nan") else f"{'-' * lowered.startswith('-')}inf"
    from decimal import Decimal  # noqa: PLC0415 - rarely needed; slow to import

    digits = format(Decimal(repr(float(word))), "f")
    return digits if "." in digits else f"{digits}.0"


def mark(problem: Problem, header: str, start: int) -> str:
    """The message of `problem` with the positions that serde_yaml adds; both count from 1."""
    # The port of libyaml to Rust has mended a misspelling.
    text = problem.message.replace("hexdecimal", "hexadecimal")
    if problem.message == "control characters are not allowed":
        before = header[: problem.span.start - start]
        return f"{text} at position {len(before.encode('utf-8', 'replace'))}"
    where = position(header, problem.span.start - start)
    if problem.message == _NO_COLON and _is_last(problem, header, start):
        where = end_of_stream(header)
    if where != (1, 1):
        text += f" at line {where[0]} column {where[1]}"
    if problem.context is None:
        return text
    text += f", {problem.context}"
    if problem.context_span is not None:
        context = position(header, problem.context_span.start - start)
        if context not in {(1, 1), where}:
            text += f" at line {context[0]} column {context[1]}"
    return text


def end_of_stream(header: str) -> tuple[int, int]:
    """The line and column of the end of a text for libyaml, which adds a missing line end."""
    line, column = position(header, len(header))
    return (line, 1) if column == 1 else (line + 1, 1)


def _is_last(problem: Problem, header: str, start: int) -> bool:
    """Whether the missing colon is on the last line, so that libyaml reports the end instead."""
    since = (problem.context_span or problem.span).start - start
    at = problem.span.start - start
    return at >= len(header) and position(header, since)[0] == position(header, at)[0]


# libyaml ends a line at these as well.
_LINE_END = regex("\r\n|[\n\r\x85\u2028\u2029]")


def position(header: str, offset: int) -> tuple[int, int]:
    """The line and column of an offset in a text, both from 1, as libyaml counts them."""
    inside = max(0, min(offset, len(header)))
    begins = _line_begins(header)
    line = bisect_right(begins, inside)
    if header[inside - 1 : inside + 1] == "\r\n":
        # So much of the text ends with a CR.
        return line + 1, offset - inside + 1
    return line, offset - begins[line - 1] + 1


# A header may have thousands of mistakes, each with its place.
@lru_cache(maxsize=2)
def _line_begins(header: str) -> tuple[int, ...]:
    return (0, *(end.end() for end in _LINE_END.finditer(header)))
