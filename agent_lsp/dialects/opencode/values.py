"""Turns the nodes of a header into the values that js-yaml 3 makes, and says what it refuses.

Facts: js-yaml 3 as OpenCode 1.18.33 brings it, measured 2026-11-28 (`tests/conformance`), and its
types in nodeca/js-yaml at 3.14.1 (lib/js-yaml/type), read on the same day: `yes` and `0o17` are
texts, a number may have `_` and parts to the base of 60, a date is no text, a key that stands twice
and an unknown tag are refused, and merge keys count.
"""

import json
import math
import re
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, Tree, resolve
from agent_lsp.text import Span

_CORE = "tag:yaml.org,2002:"
_TAGS = frozenset(
    f"{_CORE}{name}"
    for name in (
        *("str", "seq", "map", "null", "bool", "int", "float"),
        *("timestamp", "merge", "binary", "omap", "pairs", "set"),
    )
)
MERGE = "<<"
_NULL = re.compile(r"~|null|Null|NULL|")
_TRUTHS = ("true", "True", "TRUE", "false", "False", "FALSE")
_BOOLS = {word: word.lower() == "true" for word in _TRUTHS}
_INT = re.compile(
    r"[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0[0-7_]*|[1-9][\d_]*(?::[0-5]?\d)*)(?<!_)", re.ASCII
)
_FLOAT = re.compile(
    r"(?:[-+]?\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?"
    r"|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))(?<!_)",
    re.ASCII,
)
_DATE = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)(?:(?:[Tt]|[ \t]+)(?P<h>\d\d?):(?P<mi>\d\d):(?P<s>\d\d)"
    r"(?:\.(?P<f>\d*))?(?:[ \t]*(?P<z>Z|[-+]\d\d?(?::?\d\d)?))?)?",
    re.ASCII,
)
_INDEX = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)
_SAFE = 2**53 - 1
# JavaScript writes a larger number with an exponent.
_LONGEST = 1e21
_DOCUMENT_END = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Date:
    """A date, which is neither a text nor a number; `iso` is how JavaScript writes it."""

    iso: str


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
        return [value_of(item) for item in found.items]
    if isinstance(found, Mapping):
        return {name: value_of(entry.value) for name, entry in members(found).items()}
    return _of_scalar(found) if isinstance(found, Scalar) else None


def members(node: Mapping) -> dict[str, Entry]:
    """The entries of a mapping by their names, those of merged mappings behind its own.

    JavaScript puts names that are whole numbers before all others.
    """
    found: dict[str, Entry] = {}
    merged: list[tuple[str, Entry]] = []
    for entry in node.entries:
        if entry.name == MERGE and entry.value is not None and _is_plain(entry.key):
            value = resolve(entry.value)
            sources = value.items if isinstance(value, Sequence) else (entry.value,)
            for inner in map(resolve, sources):
                merged += members(inner).items() if isinstance(inner, Mapping) else ()
            continue
        found.setdefault(name_of(entry), entry)
    for name, entry in merged:
        found.setdefault(name, entry)
    numbers = sorted((name for name in found if _INDEX.fullmatch(name)), key=int)
    return {name: found[name] for name in (*numbers, *found)} if numbers else found


def name_of(entry: Entry) -> str:
    """The name of a key: a key is a text in JavaScript, whatever it is in YAML."""
    key = resolve(entry.key)
    if not isinstance(key, Scalar):
        return "[object Object]"
    value = _of_scalar(key)
    return value if isinstance(value, str) else "null" if value is None else written(value)


def written(value: object) -> str:
    """A value as the program prints it behind `got`."""
    if isinstance(value, Date):
        return value.iso
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return f"[{','.join(map(written, value))}]"
    if isinstance(value, Map):
        pairs = (f"{written(name)}:{written(one)}" for name, one in value.items())
        return f"{{{','.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value.is_integer() and abs(value) < _LONGEST else repr(value)


def is_whole(value: float) -> bool:
    """Whether a number is a whole one that JavaScript can tell from its neighbours."""
    return value.is_integer() and abs(value) <= _SAFE


def _is_plain(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style is Style.PLAIN


def _of_scalar(node: Scalar) -> object:
    if node.style is not Style.PLAIN or node.tag == f"{_CORE}str":
        return node.value
    word = node.value
    if _NULL.fullmatch(word):
        return None
    if word in _BOOLS:
        return _BOOLS[word]
    if _INT.fullmatch(word):
        return _whole(word)
    if _FLOAT.fullmatch(word):
        return _broken(word)
    date = _DATE.fullmatch(word)
    return word if date is None or not _is_date(date) else Date(_iso(date))


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
    found = [*_inside(tree.root)]
    rest = _DOCUMENT_END.search(text)
    is_more = rest is not None and text[rest.end() :].strip()
    if tree.rest is not None or (is_more and tree.root is not None):
        at = start + rest.start() if rest is not None else tree.rest.start if tree.rest else start
        reason = "expected a single document in the stream, but found more"
        found.append(Fault(reason, Span(at, at + 3)))
    return min(found, key=lambda one: one.span, default=None)


def _inside(root: Node | None) -> Iterator[Fault]:
    """The keys that stand twice and the tags that js-yaml does not know."""
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        tag = getattr(node, "tag", None)
        if node is not None and tag and tag != "!" and tag not in _TAGS:
            yield Fault(f"unknown tag !<{tag}>", node.span)
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            yield from _twice(node)
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))


def _twice(mapping: Mapping) -> Iterator[Fault]:
    first: dict[str, Entry] = {}
    for entry in mapping.entries:
        before = first.setdefault(name_of(entry), entry)
        if before is not entry and entry.name != MERGE:
            yield Fault("duplicated mapping key", entry.key.span, before)
