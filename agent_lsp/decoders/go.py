"""Text functions of Go's standard library, for the runtimes that are written in it.

Facts: https://pkg.go.dev/strings and https://pkg.go.dev/strconv, read 2026-11-27.
"""

# `strings.TrimSpace` removes what Unicode calls White_Space; Python's `strip` also removes
# U+001C-001F.
SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}
_BYTE, _SHORT = 0x80, 0x10000


def trim(text: str) -> str:
    """`text` as `strings.TrimSpace` returns it."""
    return text.strip(SPACE)


def lower(text: str) -> str:
    """`text` as `strings.ToLower` returns it: each character is mapped by itself."""
    return "".join(map(_lower, text))


def quote(text: str) -> str:
    """`text` as `%q` prints it: in double quotes, with escapes."""
    return '"' + "".join(map(_escape, text)) + '"'


def _lower(character: str) -> str:
    # U+0130 is the only character whose lower case in Python has two characters.
    return character.lower()[:1]


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < _BYTE and (code < ord(" ") or code == _BYTE - 1):
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _SHORT else f"\\U{code:08x}"
