"""Finds letters that look like others: a Cyrillic e in a word of Latin letters.

Invariant: a word of one foreign script is none of these, unless all of it looks like a known one.
"""

import re
import unicodedata
from collections.abc import Collection

# Letters of other scripts, mostly Cyrillic and Greek, that typefaces draw like Latin ones.
_LOOKALIKES = {
    "*": "\u2217\u204e",
    "-": "\u2010\u2011\u2012\u2013\u2212",
    ".": "\ua4f8\u2024",
    ":": "\ua789\u2236",
    "A": "\u0410\u0391",
    "B": "\u0412\u0392",
    "C": "\u0421",
    "E": "\u0415\u0395",
    "H": "\u041d\u0397",
    "I": "\u0406\u0399",
    "J": "\u0408",
    "K": "\u041a\u039a",
    "L": "\u029f",
    "M": "\u041c\u039c",
    "N": "\u039d",
    "O": "\u041e\u039f",
    "P": "\u0420\u03a1",
    "Q": "\u051a",
    "S": "\u0405",
    "T": "\u0422\u03a4",
    "W": "\u051c",
    "X": "\u0425\u03a7",
    "Y": "\u0423\u03a5",
    "Z": "\u0396",
    "a": "\u0430\u03b1\u0251",
    "c": "\u0441",
    "d": "\u0501",
    "e": "\u0435",
    "g": "\u0581\u0261",
    "h": "\u04bb\u0570",
    "i": "\u0456\u03b9\u0131\u0269",
    "j": "\u0458\u0575",
    "k": "\u03ba",
    "l": "\u04cf",
    "n": "\u03bd\u0578",
    "o": "\u043e\u03bf\u0585",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455",
    "t": "\u03c4",
    "u": "\u03c5\u057d",
    "v": "\u0475",
    "w": "\u051d\u03c9",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af\u03b3",
}
_LATIN = str.maketrans({sign: latin for latin, signs in _LOOKALIKES.items() for sign in signs})
_DRESSED = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff\u2102-\u2149\u2160-\u217f\u00aa\u00ba]")
_PLAIN = re.compile(r"[!-~]+")
_LETTER = re.compile(r"[A-Za-z]")


def meant(word: str, known: Collection[str] = ()) -> str | None:
    """The plain word that `word` looks like, or None where it is plain or looks like none.

    A word does so if it mixes letters, or looks as a whole like one of those that are `known`.
    """
    if word.isascii():
        return None
    plain = "".join(map(_plain, word))
    if not _PLAIN.fullmatch(plain):
        return None
    return plain if _LETTER.search(word) or plain in known else None


def foreign(word: str) -> str:
    """The signs of `word` that look like others, each once."""
    return "".join(dict.fromkeys(sign for sign in word if _plain(sign) != sign))


def _plain(sign: str) -> str:
    # Full width, in mathematics, as a unit or an ordinal, and as a Roman numeral.
    if _DRESSED.match(sign):
        plain = unicodedata.normalize("NFKC", sign)
        return plain if len(plain) == 1 else sign
    return sign.translate(_LATIN)
