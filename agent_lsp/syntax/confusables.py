"""Finds confusables: letters that look like others, such as a Cyrillic e in a Latin word.

Invariant: a word whose letters are all of one other script has no confusables, unless it looks like
a known word.
"""

import re
import unicodedata
from collections.abc import Collection

# Letters of other scripts (Cyrillic, Greek, Armenian, capitals of Cherokee and Lisu) and small
# capitals that typefaces draw like Latin letters.
_LOOKALIKES = {
    "*": "\u2217\u204e",
    "-": "\u2010\u2011\u2012\u2013\u2212",
    ".": "\ua4f8\u2024",
    ":": "\ua789\u2236",
    "A": "\u0410\u0391\u13aa\ua4ee",
    "B": "\u0412\u0392\u13f4\ua4d0",
    "C": "\u0421\u13df\ua4da",
    "D": "\u13a0\ua4d3",
    "E": "\u0415\u0395\u13ac\ua4f0",
    "F": "\ua4dd",
    "G": "\u13c0\ua4d6",
    "H": "\u041d\u0397\u13bb\ua4e7",
    "I": "\u0406\u0399\ua4f2",
    "J": "\u0408\u13ab\ua4d9",
    "K": "\u041a\u039a\u13e6\ua4d7",
    "L": "\u029f\u13de\ua4e1",
    "M": "\u041c\u039c\u13b7\ua4df",
    "N": "\u039d\ua4e0",
    "O": "\u041e\u039f\ua4f3",
    "P": "\u0420\u03a1\u13e2\ua4d1",
    "Q": "\u051a",
    "R": "\u13a1\ua4e3",
    "S": "\u0405\u13da\ua4e2",
    "T": "\u0422\u03a4\u13a2\ua4d4",
    "U": "\ua4f4",
    "V": "\u13d9\ua4e6",
    "W": "\u051c\u13b3\ua4ea",
    "X": "\u0425\u03a7\ua4eb",
    "Y": "\u0423\u03a5\ua4ec",
    "Z": "\u0396\u13c3\ua4dc",
    "a": "\u0430\u03b1\u0251",
    "c": "\u0441\u1d04",
    "d": "\u0501",
    "e": "\u0435",
    "g": "\u0581\u0261",
    "h": "\u04bb\u0570",
    "i": "\u0456\u03b9\u0131\u0269",
    "j": "\u0458\u0575",
    "k": "\u03ba\u043a",
    "l": "\u04cf",
    "m": "\u043c",
    "n": "\u03bd\u0578",
    "o": "\u043e\u03bf\u0585\u1d0f",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "r": "\u0433\u1d26",
    "s": "\u0455\ua731",
    "t": "\u03c4\u0442",
    "u": "\u03c5\u057d\u1d1c",
    "v": "\u0475\u1d20",
    "w": "\u051d\u03c9\u1d21",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af\u03b3",
    "z": "\u1d22",
}
_LATIN = str.maketrans({sign: latin for latin, signs in _LOOKALIKES.items() for sign in signs})
_DRESSED = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff\u2102-\u2149\u2160-\u217f\u00aa\u00ba]")
_PLAIN = re.compile(r"[!-~]+")
_LETTER = re.compile(r"[A-Za-z]")


def skeleton(word: str, names: Collection[str] = ()) -> str | None:
    """The ASCII word that `word` looks like, or None if it is ASCII or looks like none.

    That is the case if it mixes Latin letters with others, or if it looks as a whole like one of
    `names`.
    """
    if word.isascii():
        return None
    plain = "".join(map(_plain, word)) if _DRESSED.search(word) else word.translate(_LATIN)
    if not _PLAIN.fullmatch(plain):
        return None
    return plain if _LETTER.search(word) or plain in names else None


def confusables(word: str) -> str:
    """The characters of `word` that look like others, without repetition."""
    return "".join(dict.fromkeys(sign for sign in word if _plain(sign) != sign))


def _plain(sign: str) -> str:
    # Full-width and mathematical letters, units, ordinals and Roman numerals.
    if _DRESSED.match(sign):
        plain = unicodedata.normalize("NFKC", sign)
        return plain if len(plain) == 1 else sign
    return sign.translate(_LATIN)
