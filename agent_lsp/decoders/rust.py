"""Text functions of Rust's standard library, for the runtimes that are written in it.

Facts: https://doc.rust-lang.org/std/primitive.str.html, read 2026-11-27.
"""

from collections.abc import Iterator

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
