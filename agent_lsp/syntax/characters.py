"""Finds characters that mislead a reader: invisible ones, and those that look like others."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from agent_lsp.patterns import regex
from agent_lsp.text import Span

# Control characters except tabs, line ends and page breaks; characters that join, fill or format;
# direction marks and embeddings; variation selectors; tags.
_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0000-\U000e007f"
_FIRST_TAG = 0xE0000
_FORMATS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_UNSEEN = regex(f"[{_CONTROLS}{_FORMATS}{_SELECTORS}{_TAGS}]+")
# Those control characters that are ASCII.
ASCII_CONTROLS = bytes((*range(0x09), *range(0x0E, 0x20), 0x7F))

# England, Scotland, Wales, Texas and California: a black flag and the letters of the region as
# tags. After other tags, the flag stays black and the tags are invisible.
_FLAGS = ("gbeng", "gbsct", "gbwls", "ustx", "usca")
_FLAG = regex(
    "|".join("".join(chr(_FIRST_TAG + ord(one)) for one in f"{flag}\x7f") for flag in _FLAGS)
)
_BLACK_FLAG = "\U0001f3f4"
_SELECTOR = regex(f"[{_SELECTORS}]")
_MARKS = "\u200e\u200f\u061c"
_OPENERS, _OVERRIDES = "\u202a\u202b\u2066\u2067\u2068", "\u202d\u202e"
_CLOSERS = {"\u202a": "\u202c", "\u202b": "\u202c"} | dict.fromkeys("\u2066\u2067\u2068", "\u2069")
# The only letter that is also an emoji.
_INFORMATION = "\u2139"
_JOINERS = "\u200c\u200d"
_ZERO_WIDTH_SPACE = "\u200b"
# More joined characters in a row than this are not typography.
_MOST_JOINED = 3
# Scripts from Hebrew to Mongolian and beyond, in which joiners change the shape of letters.
_JOINING = regex(
    "[\u0590-\u1cff\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00011fff\U0001e800-\U0001efff]"
)
# Thai, Lao, Tibetan, Burmese, Khmer and related scripts have no spaces between words.
_UNSPACED = regex("[\u0e00-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
# Characters that only one script uses, and the letters beside which it does.
_AT_HOME = tuple(
    (regex(f"[{signs}]"), regex(f"[{letters}]"))
    for signs, letters in (
        ("\u115f\u1160", "\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb"),
        ("\u17b4\u17b5", "\u1780-\u17d3"),
        ("\u180b-\u180f", "\u1820-\u18aa"),
        ("\u2800", "\u2801-\u28ff"),
        ("\U0001bca0-\U0001bca3", "\U0001bc00-\U0001bc9f"),
        ("\U0001d159\U0001d173-\U0001d17a", "\U0001d100-\U0001d158\U0001d15a-\U0001d172"),
    )
)
# The scripts in which some letters have variants; in Chinese and Japanese many have.
_VARIED = ("CJK ", "MYANMAR ", "PHAGS-PA ", "MANICHAEAN ", "EGYPTIAN ")
_RIGHT_TO_LEFT = regex(
    # Without the direction mark between these ranges.
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def invisible(text: str) -> Iterator[Span]:
    """The spans of invisible characters that no script needs, in the order of the text."""
    line = _Lines(text)
    for match in _UNSEEN.finditer(text):
        start = match.start()
        if start == 0 and match[0].startswith("\ufeff"):
            # A byte-order mark is no finding of this kind.
            start += 1
        start += _flag(text, start)
        if start < match.end() and not _is_natural(text, Span(start, match.end()), line):
            yield Span(start, match.end())


def leading(text: str) -> Span:
    """The span of invisible characters at the start of `text`, after a byte-order mark."""
    start = int(text.startswith("\ufeff"))
    found = _UNSEEN.match(text, start)
    return Span(start, found.end() if found else start)


def may_be_needed(signs: str) -> bool:
    """Whether a script that the product does not know may need some of `signs`."""
    shaping = _JOINERS + _MARKS + "\u00ad\u034f"
    return any(sign in shaping or _SELECTOR.match(sign) for sign in signs)


def name(sign: str) -> str:
    """The code point of `sign` and its Unicode name."""
    known = unicodedata.name(sign, "")
    other = "control character" if unicodedata.category(sign) == "Cc" else "unassigned character"
    return f"U+{ord(sign):04X} {known or other}"


def spelt(signs: str) -> str:
    """The text that the tag characters among `signs` spell; empty if there are none."""
    tags = (sign for sign in signs if "\U000e0020" <= sign < "\U000e007f")
    return "".join(chr(ord(tag) - _FIRST_TAG) for tag in tags)


class _Lines:
    """Remembers the direction of the last line, since runs come in the order of the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = -1
        self._is_rtl = False

    def is_right_to_left(self, offset: int) -> bool:
        """Whether the line of `offset` contains right-to-left letters.

        False if the line does not close its embeddings, since those would change how later text is
        shown.
        """
        if offset >= self._end:
            start = self._text.rfind("\n", 0, offset) + 1
            end = self._text.find("\n", offset)
            self._end = len(self._text) if end < 0 else end
            row = self._text[start : self._end]
            self._is_rtl = _RIGHT_TO_LEFT.search(row) is not None and _is_balanced(row)
        return self._is_rtl


def _is_balanced(row: str) -> bool:
    waiting: list[str] = []
    for sign in re.findall("[\u202a-\u202e\u2066-\u2069]", row):
        if sign in _CLOSERS:
            waiting.append(_CLOSERS[sign])
        elif sign in _OVERRIDES or not waiting or waiting.pop() != sign:
            return False
    return not waiting


def _flag(text: str, start: int) -> int:
    """The number of characters at `start` that belong to the flag emoji before them."""
    found = _FLAG.match(text, start) if text[start - 1 : start] == _BLACK_FLAG else None
    return len(found[0]) if found else 0


def _is_natural(text: str, run: Span, lines: _Lines) -> bool:
    signs = run.of(text)
    if len(signs) > _MOST_JOINED:
        return False
    before, after = text[run.start - 1 : run.start], text[run.end : run.end + 1]
    if _is_variant(signs[0], before):
        before, signs = signs[0], signs[1:]
        if not signs:
            return True
        if signs == "\u200d":
            return _is_picture(after)
    if signs == "\u200d" and _is_picture(before) and _is_picture(after):
        return True
    return all(_is_needed(sign, before, after, run, lines) for sign in signs)


def _is_needed(sign: str, before: str, after: str, run: Span, lines: _Lines) -> bool:
    beside = before + after
    if sign in _JOINERS:
        return _JOINING.search(beside) is not None
    if sign == _ZERO_WIDTH_SPACE:
        return _UNSPACED.search(beside) is not None
    if sign in _MARKS or sign in _OPENERS or sign in _CLOSERS.values():
        return lines.is_right_to_left(run.start)
    if sign == "\u034f":
        return unicodedata.category(before or " ").startswith("M")
    letters = next((letters for signs, letters in _AT_HOME if signs.match(sign)), None)
    return letters is not None and letters.search(beside) is not None


def _is_variant(sign: str, before: str) -> bool:
    """Whether `sign` is a variation selector for the character before it."""
    if not _SELECTOR.match(sign) or not before:
        return False
    kind, called = unicodedata.category(before), unicodedata.name(before, "")
    if sign > "\ufe0f":
        return called.startswith("CJK ")
    if kind == "Lo":
        return called.startswith(_VARIED)
    if sign in "\ufe0e\ufe0f":
        # Keycaps and characters such as `#` can be an emoji; letters of an alphabet cannot.
        return kind[0] in "SP" or kind in ("Nd", "No") or before == _INFORMATION
    return kind[0] in "SP" or before == "0"


def _is_picture(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign) in ("So", "Sm", "Sk")


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
_DRESSED = regex("[\uff01-\uff5e\U0001d400-\U0001d7ff\u2102-\u2149\u2160-\u217f\u00aa\u00ba]")
_PLAIN = regex(r"[!-~]+")
_LETTER = regex(r"[A-Za-z]")


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
