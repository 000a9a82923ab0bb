"""Turns the nodes of a header into the values that js-yaml 3 makes, and says what it refuses.

Facts: js-yaml 3 as OpenCode 1.18.33 brings it, measured 2026-11-28 and, with tags, 2026-11-30
(`tests/conformance`); its types in nodeca/js-yaml at 3.14.1 (lib/js-yaml/type), read 2026-11-28:
`yes` and `0o17` are texts, a number may have `_` and parts to the base of 60, a date is no text, a
key that stands twice and an unknown tag are refused, and merge keys count.
"""

import json
import math
import re
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from datetime import UTC, datetime, timedelta, timezone
from typing import TypeVar

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, Tree, resolve
from agent_lsp.syntax.yaml.javascript import (
    is_merge,
    is_missing,
    merged,
    refused_entries,
    refused_tag,
)
from agent_lsp.syntax.yaml.properties import refused_properties
from agent_lsp.syntax.yaml.signs import LONE_SIGN, lone_signs
from agent_lsp.text import Span

_CORE = "tag:yaml.org,2002:"
MERGE = "<<"
_NULL = regex(r"~|null|Null|NULL|")
_TRUTHS = ("true", "True", "TRUE", "false", "False", "FALSE")
_BOOLS = {word: word.lower() == "true" for word in _TRUTHS}
_INT = regex(r"[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0[0-7_]*|[1-9][\d_]*(?::[0-5]?\d)*)(?<!_)", re.ASCII)
_FLOAT = regex(
    r"(?:[-+]?(?:0|[1-9][\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?"
    r"|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))(?<!_)",
    re.ASCII,
)
_DATE = regex(
    r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)(?:(?:[Tt]|[ \t]+)(?P<h>\d\d?):(?P<mi>\d\d):(?P<s>\d\d)"
    r"(?:\.(?P<f>\d*))?(?:[ \t]*(?P<z>Z|[-+]\d\d?(?::?\d\d)?))?)?",
    re.ASCII,
)
_INDEX = regex(r"0|[1-9]\d{0,8}", re.ASCII)
_Item = TypeVar("_Item")
_SAFE = 2**53 - 1
# JavaScript writes a larger number with an exponent.
_LONGEST = 1e21
_DOCUMENT_END = regex(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)
_COMMENT = regex(r"(?:^|(?<=\s))#.*", re.MULTILINE)
# What js-yaml does not take in a text without quotes, and in one with them.
_UNPRINTABLE = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_CONTROL = regex("[\x00-\x08\x0b\x0c\x0e-\x1f]")
# A line of a text that begins at the edge.
_AT_EDGE = regex(r"\n(?=[^\s#])")


@dataclass(frozen=True, slots=True)
class Date:
    """A date, which is neither a text nor a number; `iso` is how JavaScript writes it."""

    iso: str


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes, which a tag makes of a text; `text` is how JavaScript writes them."""

    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why js-yaml reads nothing: its reason, and where that is.

    `twice` is the first of two entries with one key, where that is the reason.
    """

    reason: str
    span: Span
    twice: Entry | None = None


def value_of(node: Node | None) -> object:
    """What JavaScript has for `node`: text, number, `bool`, None, `Date`, list or dict."""
    found = resolve(node)
    if isinstance(found, Sequence):
        is_pairs = found.tag == f"{_CORE}pairs"
        items = [value_of(item) for item in found.items]
        return [pair for item in items for pair in _pairs(item)] if is_pairs else items
    if isinstance(found, Mapping):
        return {name: value_of(entry.value) for name, entry in members(found).items()}
    return _of_scalar(found) if isinstance(found, Scalar) else None


def _pairs(value: object) -> list[object]:
    return [[name, one] for name, one in value.items()] if isinstance(value, Map) else [value]


def members(node: Mapping) -> dict[str, Entry]:
    """The entries of a mapping by their names, in JavaScript's order.

    Those of a merged mapping stand where it is merged, and an own one of the name takes the place
    of such an entry. Names that are whole numbers stand before all others.
    """
    found: dict[str, Entry] = {}
    for entry in node.entries:
        if is_merge(entry):
            for name, one in _merged(entry).items():
                found.setdefault(name, one)
            continue
        # Of two entries of a JSON file the last counts; of a header none does.
        found[name_of(entry)] = entry
    return in_order(found)


def in_order(found: dict[str, _Item]) -> dict[str, _Item]:
    """The entries in JavaScript's order: names that are whole numbers stand before all others."""
    numbers = sorted((name for name in found if _INDEX.fullmatch(name)), key=int)
    return {name: found[name] for name in (*numbers, *found)} if numbers else found


def _merged(entry: Entry) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for inner in merged(entry):
        for name, one in members(inner).items() if isinstance(inner, Mapping) else ():
            found.setdefault(name, one)
    return found


def name_of(entry: Entry) -> str:
    """The name of a key: a key is a text in JavaScript, whatever it is in YAML."""
    key = resolve(entry.key)
    if isinstance(key, Sequence):
        return ",".join("" if one is None else _name(one) for one in map(value_of, key.items))
    return _name(_of_scalar(key)) if isinstance(key, Scalar) else "[object Object]"


def _name(value: object) -> str:
    if isinstance(value, Map):
        return "[object Object]"
    return value if isinstance(value, str) else "null" if value is None else written(value)


def written(value: object) -> str:
    """A value as the program prints it behind `got`."""
    if isinstance(value, Date):
        return value.iso
    if isinstance(value, Binary):
        return value.text
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return f"[{','.join(map(written, value))}]"
    if isinstance(value, Map):
        pairs = (f"{written(name)}:{written(one)}" for name, one in value.items())
        return f"{{{','.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False)


def as_json(value: object) -> str:
    """A value as JSON, as it stands in a request; a number of JavaScript may be none of JSON."""
    if isinstance(value, Date):
        return json.dumps(value.iso)
    if isinstance(value, list):
        return f"[{', '.join(map(as_json, value))}]"
    if isinstance(value, Map):
        pairs = (
            f"{json.dumps(name, ensure_ascii=False)}: {as_json(one)}" for name, one in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    return written(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value.is_integer() and abs(value) < _LONGEST else repr(value)


def is_whole(value: float) -> bool:
    """Whether a number is a whole one that JavaScript can tell from its neighbours."""
    return value.is_integer() and abs(value) <= _SAFE


def _of_scalar(node: Scalar) -> object:
    name = node.tag.removeprefix(_CORE) if node.tag else ""
    if name in _TYPES:
        return _TYPES[name](node.value)
    # `!` alone says that a value is a text, if there is one.
    if is_missing(node) and name in _OF_NOTHING:
        return _OF_NOTHING[name]()
    return node.value if name or node.style is not Style.PLAIN else _of_word(node.value)


def _of_word(word: str) -> object:
    """The value of a word without quotes and without a tag."""
    if _NULL.fullmatch(word):
        return None
    found = (read(word) for name, read in _TYPES.items() if name not in _ONLY_BY_TAG)
    return next((value for value in found if value is not None), word)


def _of_int(word: str) -> float | None:
    return _whole(word) if _INT.fullmatch(word) else None


def _of_float(word: str) -> float | None:
    return _broken(word) if _FLOAT.fullmatch(word) else None


def _of_date(word: str) -> Date | None:
    date = _DATE.fullmatch(word)
    return Date(_iso(date)) if date is not None and _is_date(date) else None


def _of_binary(word: str) -> Binary:
    digits = _NO_DIGITS.sub("", word)
    # One digit more stands for no byte, and no digit at all for three bytes.
    digits = digits[: len(digits) - (len(digits) % _DIGITS == 1)] or "A" * _DIGITS
    data = a2b_base64(digits + "=" * (-len(digits) % _DIGITS))
    return Binary(data.decode("utf-8", "replace"))


# What a missing value with a tag is.
_OF_NOTHING: Map[str, Callable[[], object]] = {
    "!": lambda: None,
    "merge": lambda: None,
    **dict.fromkeys(("map", "set"), dict),
    **dict.fromkeys(("seq", "omap", "pairs"), list),
}
_NO_DIGITS = regex(r"[^A-Za-z0-9+/]")
# Digits of base 64 that stand for whole bytes together.
_DIGITS = 4
# A word without a tag has none of these types.
_ONLY_BY_TAG = frozenset({"null", "binary"})
# What a word is in each type; None if it is nothing in it.
_TYPES: Map[str, Callable[[str], object]] = {
    "null": lambda _: None,
    "bool": _BOOLS.get,
    "int": _of_int,
    "float": _of_float,
    "timestamp": _of_date,
    "binary": _of_binary,
}


def _whole(word: str) -> float:
    sign = -1.0 if word.startswith("-") else 1.0
    digits = word.lstrip("+-").replace("_", "")
    if ":" in digits:
        return sign * _by_sixty(digits)
    if digits[:2] in ("0b", "0x"):
        return sign * float(int(digits, 0))
    return sign * float(int(digits, 8 if digits.startswith("0") else 10))


def _broken(word: str) -> float:
    text = word.replace("_", "").lower()
    if ":" in text:
        sign = -1.0 if text.startswith("-") else 1.0
        return sign * _by_sixty(text.lstrip("+-"))
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


def _by_sixty(digits: str) -> float:
    total = 0.0
    for part in digits.split(":"):
        total = total * 60 + float(part)
    return total


def _is_date(found: re.Match[str]) -> bool:
    """Whether the parser takes the word for a date: one without a time has two digits a part."""
    return found["h"] is not None or len(found[0]) == len("2026-01-01")


def _iso(found: re.Match[str]) -> str:
    months = int(found["y"]) * 12 + int(found["m"]) - 1
    try:
        day = datetime(months // 12, months % 12 + 1, 1, tzinfo=_zone(found["z"]))
        milliseconds = int(((found["f"] or "") + "000")[:3])
        moment = day + timedelta(
            days=int(found["d"]) - 1,
            hours=int(found["h"] or 0),
            minutes=int(found["mi"] or 0),
            seconds=int(found["s"] or 0),
            milliseconds=milliseconds,
        )
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return "Invalid Date"
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def _zone(word: str | None) -> timezone:
    if word in (None, "Z") or word is None:
        return UTC
    hours, _, minutes = word[1:].partition(":")
    shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(-shift if word.startswith("-") else shift)


def fault_of(tree: Tree, text: str, start: int) -> Fault | None:
    """The first reason why js-yaml does not read the header `text` with this tree, or None."""
    if tree.problem is not None:
        return Fault(tree.problem.message, tree.problem.span)
    found = [*_inside(tree.root, text, start)]
    properties = refused_properties(tree.root, text, start)
    found += (Fault(one.reason, one.span) for one in properties)
    found += (Fault(LONE_SIGN, one) for one in lone_signs(tree.root, text, start))
    rest = _DOCUMENT_END.search(text)
    is_more = rest is not None and _COMMENT.sub("", text[rest.end() :]).strip()
    if tree.rest is not None or (is_more and tree.root is not None):
        at = start + rest.start() if rest is not None else tree.rest.start if tree.rest else start
        reason = "expected a single document in the stream, but found more"
        found.append(Fault(reason, Span(at, at + 3)))
    return min(found, key=lambda one: one.span, default=None)


def _inside(root: Node | None, text: str, start: int) -> Iterator[Fault]:
    """The keys that stand twice, and the tags, merges and characters that js-yaml does not take."""
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        refused = refused_tag(node, _fits) if node is not None else None
        if node is not None and refused is not None:
            yield Fault(refused, node.span)
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            yield from _twice(node)
            yield from (Fault(reason, one.key.span) for reason, one in refused_entries(node))
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))
        elif isinstance(node, Scalar):
            source = text[node.span.start - start : node.span.end - start]
            yield from _of_signs(node, source, is_root=node is root)


def _fits(name: str, word: str) -> bool:
    is_null = name == "null" and word and _NULL.fullmatch(word)
    return bool(is_null) or _TYPES[name](word) is not None


def _of_signs(node: Scalar, source: str, *, is_root: bool) -> Iterator[Fault]:
    is_quoted = source[:1] in ("'", '"')
    sign = (_CONTROL if is_quoted else _UNPRINTABLE).search(source)
    if sign is not None:
        at = node.span.start + sign.start()
        yield Fault("the stream contains non-printable characters", Span(at, at + 1))
    elif node.style is Style.PLAIN and not is_root:
        line = _AT_EDGE.search(source)
        if line is not None:
            at = node.span.start + line.end()
            yield Fault("deficient indentation", Span(at, at + 1))


def _twice(mapping: Mapping) -> Iterator[Fault]:
    first: dict[str, Entry] = {}
    for entry in mapping.entries:
        before = first.setdefault(name_of(entry), entry)
        if before is not entry and entry.name != MERGE:
            yield Fault("duplicated mapping key", entry.key.span, before)
