"""Reads single scalars as yaml.v3 does, and reports them in its words.

Invariant: nothing here depends on more than one scalar or one problem.

Facts: resolve.go, decode.go and yaml.go of gopkg.in/yaml.v3 3.0.1 (`tests/conformance`), read
2026-11-27.
"""

import base64
import binascii
import re
from bisect import bisect_right

from agent_lsp.data_classes import dataclass
from agent_lsp.decoders.go import SPACE
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping, Problem, Scalar, Sequence, Style

STR, NULL, MERGE, BINARY = "!!str", "!!null", "!!merge", "!!binary"
_BOOL, _INT, _FLOAT, _TIME = "!!bool", "!!int", "!!float", "!!timestamp"
_RESOLVED = (_BOOL, _INT, _FLOAT, NULL, _TIME)
_COLLECTIONS = ("!!seq", "!!map")
_YAML = "tag:yaml.org,2002:"

Word = None | bool | int | float | str

_INFINITY = float("inf")
_WORDS: dict[str, tuple[str, Word]] = {
    **dict.fromkeys(("true", "True", "TRUE"), (_BOOL, True)),
    **dict.fromkeys(("false", "False", "FALSE"), (_BOOL, False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), (NULL, None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), (_FLOAT, float("nan"))),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), (_FLOAT, _INFINITY)),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), (_FLOAT, -_INFINITY)),
}
_NUMBER = regex(
    r"(?P<sign>[-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)"
    r"|(?P<dec>0|[1-9][0-9]*))"
)
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_DECIMAL = regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CLOCK = r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?"
_DATE = regex(
    rf"(\d{{4}})-(\d{{1,2}})-(\d{{1,2}})(?:[Tt]{_CLOCK}(?:Z|[-+]\d\d:\d\d)| {_CLOCK})?", re.ASCII
)
_I64, _U64 = 2**63, 2**64


class TagError(Exception):
    """An error after which the library gives up (`failf`); it never leaves the decoder."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a header as the library counts them: from 1, without leading white space."""

    starts: tuple[int, ...]

    def of(self, offset: int) -> int:
        """The line of `offset`."""
        return max(1, bisect_right(self.starts, offset))


def lines(header: str, start: int) -> Lines:
    """The lines of `header`, which begins at offset `start`."""
    lead = len(header) - len(header.lstrip(SPACE))
    ends = (found.end() for found in _LINE_END.finditer(header, lead))
    return Lines((start + lead, *(start + end for end in ends)))


def tag_of(node: Scalar | Sequence | Mapping) -> str:
    """The short form of the tag; if none is written, the tag that the library infers."""
    if node.tag is not None and node.tag != "!":
        return "!!" + node.tag.removeprefix(_YAML) if node.tag.startswith(_YAML) else node.tag
    if isinstance(node, Mapping):
        return "!!map"
    if isinstance(node, Sequence):
        return "!!seq"
    if node.style is not Style.PLAIN:
        return STR
    return MERGE if node.value == "<<" else _resolve(node.value, "")[0]


def is_merge(node: Scalar) -> bool:
    """Whether a key of a mapping is `<<`."""
    return node.value == "<<" and tag_of(node) == MERGE


def resolve(node: Scalar) -> tuple[str, Word]:
    """The tag and the value of a scalar.

    Raises `TagError` if the value does not fit the tag.
    """
    tag = tag_of(node)
    if tag == STR:
        return tag, node.value
    if tag == BINARY:
        return tag, _binary(node.value)
    if tag not in _RESOLVED:
        return tag, node.value
    found, value = _resolve(node.value, tag)
    if found == _INT and tag == _FLOAT and isinstance(value, int):
        return tag, float(value)
    if found != tag:
        raise TagError(f"cannot decode {found} `{node.value}` as a {tag}")
    return found, value


def mismatch(node: Scalar | Sequence | Mapping, target: str) -> str:
    """The library's message for a value that does not fit a Go type, without the line."""
    tag = tag_of(node)
    value = node.value if isinstance(node, Scalar) else ""
    quoted = "" if tag in _COLLECTIONS else f" `{_cut(value)}`"
    return f"cannot unmarshal {tag}{quoted} into {target}"


def trouble(problem: Problem, at: Lines, follows: str) -> str:
    """The library's message for a header that is not YAML; `follows` is the text from there on."""
    if problem.message == "unknown anchor":
        name = _ANCHOR.match(follows)
        return f"unknown anchor '{name[1] if name else ''}' referenced"
    if problem.message == "control characters are not allowed":
        return problem.message
    # The parser, unlike the scanner, counts lines from 0, and the end as a separate line.
    is_parser = problem.message.startswith(_OF_PARSER)
    line = at.of(problem.context_span.start) - 1 if problem.context_span is not None else 0
    line = line or at.of(problem.span.start) - 1 + (is_parser and not follows)
    return f"line {line + (not is_parser)}: {problem.message}" if line else problem.message


def _resolve(word: str, tag: str) -> tuple[str, Word]:
    """The tag and the value of a plain scalar with a `tag`: only `!!timestamp` allows a date."""
    if word in _WORDS:
        return _WORDS[word]
    if word[0] == "." and _DECIMAL.fullmatch(word):
        return _decimal(word)
    if word[0] not in "+-0123456789":
        return STR, word
    if tag in ("", _TIME) and _is_date(word):
        return _TIME, word
    plain = word.replace("_", "")
    number = _NUMBER.fullmatch(plain)
    if number is not None:
        value = _integer(number)
        if value is not None:
            return _INT, value
    return _decimal(plain, word) if _DECIMAL.fullmatch(plain) else (STR, word)


def _integer(number: re.Match[str]) -> int | None:
    base = next(name for name in _BASES if number[name] is not None)
    # Python limits the number of decimal digits that it parses.
    digits = number[base].lstrip("0")[:_LONGEST] or "0"
    value = int(f"{number['sign']}{digits}", _BASES[base])
    limit = _I64 if number["sign"] else _U64
    return value if -_I64 <= value < limit else None


def _decimal(plain: str, word: str = "") -> tuple[str, Word]:
    value = float(plain)
    return (STR, word or plain) if abs(value) == _INFINITY else (_FLOAT, value)


def _is_date(word: str) -> bool:
    found = _DATE.fullmatch(word)
    if found is None:
        return False
    import calendar  # noqa: PLC0415 - rarely needed; slow to import

    year, month, day = int(found[1]), int(found[2]), int(found[3])
    clock = [int(part) for part in found.groups()[3:] if part is not None]
    # Year 0 is a leap year, which Python's calendar does not have.
    in_month = 1 <= month <= _MONTHS and 1 <= day <= calendar.monthrange(year or 4, month)[1]
    return in_month and all(part < limit for part, limit in zip(clock, _LIMITS, strict=False))


def _binary(value: str) -> str:
    try:
        data = base64.b64decode(value.replace("\r", "").replace("\n", ""), validate=True)
    except (binascii.Error, ValueError) as error:
        raise TagError("!!binary value contains invalid base64 data") from error
    return data.decode("utf-8", "replace")


def _cut(value: str) -> str:
    """The value as messages quote it: cut by bytes, so that a character may be broken."""
    data = value.encode("utf-8", "replace")
    if len(data) <= _QUOTED:
        return value
    torn = data[: _QUOTED - 3].decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", "\ufffd", torn) + "..."


_LINE_END = regex("\r\n|[\n\r\x85\u2028\u2029]")
_ANCHOR = regex(r"\*([\w-]+)", re.ASCII)
_QUOTED = 10
_LONGEST = 70
_MONTHS = 12
_LIMITS = (24, 60, 60)
_OF_PARSER = (
    "did not find expected key",
    "did not find expected node content",
    "did not find expected ',' or",
    "did not find expected '-' indicator",
    "did not find expected <",
    "found undefined tag handle",
    "found duplicate %",
    "found incompatible YAML",
)
