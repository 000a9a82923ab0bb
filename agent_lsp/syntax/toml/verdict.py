"""Says whether a text is TOML 1.1, and why not, in the words of the toml crate 1.x.

Invariants: what is wrong with the structure comes before what is wrong in a key or a value, and of
these the first in the text; the span is what the crate underlines.
"""

# Read in crates/toml_parser/src/decoder and crates/toml/src/de of toml-rs/toml at 5538279d,
# 2026-11-28; the words for a wrong date are shortened.

import re
from collections.abc import Iterator

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Problem
from agent_lsp.syntax.toml.scan import WordKind, newer_kind
from agent_lsp.syntax.toml.structure import Piece, expecting, pieces
from agent_lsp.text import Span

_ESCAPES = ("`b`", "`e`", "`f`", "`n`", "`r`", "`\\`", '`"`', "`x`", "`u`", "`U`")
_HEX = {"x": 2, "u": 4, "U": 8}
_DIGITS = regex("[0-9A-Fa-f]*")
_NOT_A_KEY = regex(r"[^A-Za-z0-9_-]+")
_KEY_LETTERS = ("letters", "numbers", "`-`", "`_`")
_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f]+")
_CONTROL_OF_LINES = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+|\r(?!\n)")
_FOLD = regex(r"[ \t]*\r?\n(?:[ \t\n]|\r\n)*")
_SYMBOLS = {"t": "true", "f": "false", "i": "inf", "n": "nan"}
_QUOTES = {"basic": '"', "literal": "'", "ml_basic": '"""', "ml_literal": "'''"}
_NAMES = {
    "basic": "invalid basic string",
    "literal": "invalid literal string",
    "ml_basic": "invalid multi-line basic string",
    "ml_literal": "invalid multi-line literal string",
}
_VISIBLE = {
    "basic": ("non-double-quote visible characters", "`\\`"),
    "literal": ("non-single-quote visible characters",),
    "ml_basic": ("`\\`", "characters"),
    "ml_literal": ("non-single-quote characters",),
}
_CONFLICT = regex("duplicate key|dotted key `")
_EXTENDS = regex(r"attempted to extend non-table type \((.*)\)")
# The numbers that the crate can hold.
_LEAST, _MOST = -(2**63), 2**63 - 1


def verdict(text: str, found: Problem | None) -> Problem | None:
    """The crate's first problem with `text`, or None; one that our reader `found` may be a key.

    Only keys that are in conflict are taken from there: where a text is not sound, what comes
    later is a guess.
    """
    problem, parts = pieces(text)
    if problem is not None:
        return problem
    wrong = (one for piece in parts for one in _of_piece(text, piece))
    first = next(wrong, None)
    if found is None or _CONFLICT.match(found.message) is None:
        return first
    conflict = _conflict(found)
    return conflict if first is None or conflict.span < first.span else first


def rendered(problem: Problem, text: str) -> str:
    """The lines that the crate prints about `problem` in `text`: place, excerpt, reason."""
    start, end = problem.span.start, problem.span.end
    at = min(start, max(len(text) - 1, 0))
    begin = text.rfind("\n", 0, at) + 1
    column = start - begin
    number = text.count("\n", 0, at) + 1
    line = text[begin:].split("\n", 1)[0]
    # It counts columns in characters, and underlines in bytes.
    rest = len(line.encode("utf-8", "replace")) - column
    marks = max(1, min(len(text[start:end].encode("utf-8", "replace")), max(rest, 0)))
    gutter = " " * (len(str(number)) + 1)
    return (
        f"TOML parse error at line {number}, column {column + 1}\n{gutter}|\n{number} | {line}\n"
        f"{gutter}|{' ' * (column + 1)}{'^' * marks}\n{problem.message}"
    )


def _conflict(problem: Problem) -> Problem:
    extends = _EXTENDS.search(problem.message)
    message = "duplicate key"
    if extends is not None:
        message = f"cannot extend value of type {extends[1]} with a dotted key"
    return Problem(message, problem.span, None, problem.context_span)


def _of_piece(text: str, piece: Piece) -> Iterator[Problem]:
    if piece.kind == "missing":
        yield expecting(_NAMES["literal"], "`'`", start=piece.start)
    elif piece.kind.startswith("ml_") and not piece.is_value:
        message = f"keys cannot be {_NAMES[piece.kind].removeprefix('invalid ')}s"
        words = ("basic string", "literal string")
        yield expecting(message, *words, start=piece.start, end=piece.end)
    elif piece.kind != "atom":
        yield from _string(text, piece)
    elif piece.is_value:
        yield from _word(text[piece.start : piece.end], piece.start)
    elif piece.start == piece.end:
        yield expecting("unquoted keys cannot be empty", *_KEY_LETTERS, start=piece.start)
    else:
        bad = _NOT_A_KEY.search(text, piece.start, piece.end)
        if bad is not None:
            message = "invalid unquoted key"
            yield expecting(message, *_KEY_LETTERS, start=bad.start(), end=bad.end())


def _string(text: str, piece: Piece) -> Iterator[Problem]:
    quotes, message = _QUOTES[piece.kind], _NAMES[piece.kind]
    start, end = piece.start + len(quotes), piece.end
    if end - start < len(quotes) or not text.endswith(quotes, start, end):
        yield expecting(message, f"`{quotes[0]}`", start=end)
    else:
        end -= len(quotes)
    is_basic, is_long = "basic" in piece.kind, len(quotes) > 1
    found = [*_controls(text, start, end, piece.kind)]
    if is_basic:
        found += _escapes(text, start, end, is_long=is_long)
    yield from sorted(found, key=lambda one: one.span)


def _controls(text: str, start: int, end: int, kind: str) -> Iterator[Problem]:
    pattern = _CONTROL_OF_LINES if kind.startswith("ml_") else _CONTROL
    bad = pattern.search(text, start, end)
    if bad is None:
        return
    if kind.startswith("ml_") and bad[0] == "\r":
        yield expecting("carriage return must be followed by newline", "newline", start=bad.end())
        return
    stop = bad.end() if "basic" in kind else bad.start()
    yield expecting(_NAMES[kind], *_VISIBLE[kind], start=bad.start(), end=stop)


def _escapes(text: str, start: int, end: int, *, is_long: bool) -> Iterator[Problem]:
    at = text.find("\\", start, end)
    while at >= 0:
        at += 1
        letter = text[at] if at < end else ""
        if is_long and letter and letter in " \t\r\n":
            fold = _FOLD.match(text, at, end)
            if fold is None:
                blank = at + len(text[at:end]) - len(text[at:end].lstrip(" \t"))
                yield expecting(_NAMES["ml_basic"], "newline", start=blank)
            at = fold.end() if fold is not None else at + 1
        elif letter in _HEX:
            yield from _hex(text, at + 1, end, _HEX[letter])
            at += 1
        elif letter and letter in 'befnrt\\"':
            at += 1
        else:
            yield expecting("missing escaped value", *_ESCAPES, start=at)
        at = text.find("\\", at, end)


def _hex(text: str, start: int, end: int, many: int) -> Iterator[Problem]:
    found = _DIGITS.match(text, start, min(end, start + many))
    digits = found[0] if found is not None else ""
    if len(digits) < many:
        message = "too few unicode value digits"
        yield expecting(message, "unicode hexadecimal value", start=start + len(digits))
    elif not _is_character(int(digits, 16)):
        yield expecting("invalid value", "unicode hexadecimal value", start=start)


_FIRST_SURROGATE, _LAST_SURROGATE, _LAST = 0xD800, 0xDFFF, 0x10FFFF


def _is_character(point: int) -> bool:
    return point < _FIRST_SURROGATE or _LAST_SURROGATE < point <= _LAST


def _word(word: str, start: int) -> Iterator[Problem]:
    """What is wrong with a value without quotes."""
    known = newer_kind(word)
    if known is WordKind.INTEGER and not _LEAST <= int(word, 0) <= _MOST:
        message = f"invalid type: integer `{int(word, 0)}` as i128, expected any valid TOML value"
        yield Problem(message, Span(start, start + len(word)))
    if known is not None:
        return
    end, first = start + len(word), word[:1].lower()
    if first in _SYMBOLS and " " not in word:
        kind = "boolean" if first in "tf" else "float"
        yield expecting(f"invalid {kind}", f"`{_SYMBOLS[first]}`", start=start, end=end)
    elif re.match(r"[0-9]+[-:]", word):
        yield Problem("invalid datetime", Span(start, end))
    elif re.fullmatch(r"[+-]?0[0-9_]+(?:[.eE][0-9_.eE+-]*)?", word):
        sign = word[0] in "+-"
        yield expecting("unexpected leading zero", start=start + sign, end=start + sign + 1)
    elif re.fullmatch(r"[+-]?[0-9_]+", word) and "_" in word:
        at = next(i for i, sign in enumerate(word) if sign == "_" and _is_alone(word, i))
        message = "`_` may only go between digits"
        yield expecting(message, start=start + at, end=start + at + 1)
    elif word.endswith(("'", '"')):
        mark = word[-3:] if word.endswith(("'''", '"""')) else word[-1]
        yield expecting("missing opening quote", f"`{mark}`", start=start)
    else:
        yield expecting("string values must be quoted", "literal string", start=start, end=end)


def _is_alone(word: str, at: int) -> bool:
    """Whether the `_` at `at` is not between two digits, as at least one is."""
    return not (word[at - 1 : at].isdigit() and word[at + 1 : at + 2].isdigit())
