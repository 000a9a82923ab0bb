"""The values of a header as JavaScript has them, and what becomes of one as text.

Invariant: null is no value: a key, an item or a member that is null is not there.
Facts: the runtime reads headers with the npm package `yaml` in the schema `core` of YAML 1.2, and
takes null values out at every depth: Qwen Code 0.24.4, `parse` and `stripNullValues` in
utils/yaml-parser, read 2026-11-28. A tag decides about the type whatever quotes there are, and a
word that is none of this type is text: `parse` run 2026-11-30 (`qwen-tags.jsonl`).
"""

import base64
import codecs
import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeAlias

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Alias, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

# What `trim` takes away.
BLANKS = "".join(map(chr, (9, 10, 11, 12, 13, 32, 0xA0, 0x1680, *range(0x2000, 0x200B)))) + (
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_Content: TypeAlias = 'str | bool | int | float | tuple["Read", ...] | Mapping[str, "Read"]'


@dataclass(frozen=True, slots=True)
class Read:
    """A value that the runtime reads, where it stands, and where its key stands."""

    value: _Content
    span: Span
    key: Span | None = None

    @property
    def members(self) -> "Mapping[str, Read]":
        """The members of a mapping; empty for anything else."""
        return self.value if isinstance(self.value, Mapping) else {}

    @property
    def is_number(self) -> bool:
        """Whether it is a number; a boolean is none."""
        return isinstance(self.value, int | float) and not isinstance(self.value, bool)


# Settings are not nested deeper, and what is in them below that depth changes nothing.
_DEEPEST = 4
_NULL = regex(r"~|[Nn]ull|NULL|")
_BOOL = regex(r"[Tt]rue|TRUE|[Ff]alse|FALSE")
_INTEGER = regex(r"[-+]?[0-9]+")
_BASED = regex(r"0o(?P<octal>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)")
_FLOAT = regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = regex(r"(?P<sign>[-+]?)\.(?:inf|Inf|INF)")
_NO_NUMBER = regex(r"\.(?:nan|NaN|NAN)")
_ANY_INTEGER = regex(rf"{_INTEGER.pattern}|{_BASED.pattern}")
# A number without a point and an exponent is none to `!!float`.
_ANY_FLOAT = regex(
    rf"(?![-+]?[0-9]+\Z)(?:{_FLOAT.pattern}|{_INFINITE.pattern}|{_NO_NUMBER.pattern})"
)
_DATE = regex(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?:[tT]|[ \t]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):"
    r"(?P<second>[0-9]{1,2})(?:\.(?P<fraction>[0-9]+))?"
    r"(?:[ \t]*(?P<zone>Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?"
)
_NO_BASE64 = regex(r"[^A-Za-z0-9+/]")
_CORE = "tag:yaml.org,2002:"
_MERGE = f"{_CORE}merge"


# The patterns of the tags of words, and the kinds of nodes to which a tag belongs; elsewhere it has
# no effect.
_TYPES = {"null": _NULL, "bool": _BOOL, "int": _ANY_INTEGER, "float": _ANY_FLOAT}
_OF_KINDS: Mapping[type, tuple[str, ...]] = {
    Scalar: (*_TYPES, "timestamp", "binary"),
    Sequence: ("omap", "pairs"),
    nodes.Mapping: ("set",),
}


def mapping(root: Node | None) -> dict[str, Read]:
    """The keys that a mapping sets, each with its value; of two with one name the last."""
    node = resolve(root)
    return _members(node, 0) if isinstance(node, nodes.Mapping) else {}


def _members(node: nodes.Mapping, depth: int, *, is_merged: bool = False) -> dict[str, Read]:
    """The members of a mapping, also those that a key with the tag of a merge takes from others.

    Of a mapping that `is_merged` itself, only its own ones: merges of merges could grow without
    bounds.
    """
    found: dict[str, Read] = {}
    for entry in node.entries:
        if is_merge(entry):
            for inner in () if is_merged else merged(entry):
                if isinstance(inner, nodes.Mapping):
                    found = {**_members(inner, depth, is_merged=True), **found}
            continue
        value = of_node(entry.value, depth)
        if value is not None:
            found[name_of(entry.key)] = Read(value.value, value.span, entry.key.span)
    return found


def is_merge(entry: nodes.Entry) -> bool:
    """Whether a key has the tag of a merge; without it, `<<` is a key like others."""
    return isinstance(entry.key, Scalar) and entry.key.tag == _MERGE


def merged(entry: nodes.Entry) -> tuple[Node | None, ...]:
    """What a key with the tag of a merge takes its members from."""
    value = resolve(entry.value)
    return tuple(map(resolve, value.items)) if isinstance(value, Sequence) else (value,)


def name_of(key: Node) -> str:
    """The name of a key in JavaScript: that of null is empty, and a number is written anew."""
    found = resolve(key)
    if isinstance(found, Scalar):
        value = _of_scalar(found)
        return "" if value is None else text_of(Read(value, key.span)) or ""
    return f"*{key.name}" if isinstance(key, Alias) else _written(key)


def unique_name(key: Node) -> object:
    """What no two keys of a mapping may have; a text is not the number that it looks like."""
    found = resolve(key)
    value = _of_scalar(found) if isinstance(found, Scalar) else id(key)
    return (type(value) is bool, value) if isinstance(value, bool | int | float) else value


def _written(node: Node | None, depth: int = 0) -> str:
    """A key that is a list or a mapping as the runtime's parser writes it."""
    if isinstance(node, Alias):
        return f"*{node.name}"
    if isinstance(node, Scalar):
        marks = {Style.SINGLE: "'", Style.DOUBLE: '"'}.get(node.style, "")
        return f"{marks}{node.value}{marks}"
    if depth > _DEEPEST:
        return ""
    if isinstance(node, Sequence):
        items = ", ".join(_written(item, depth + 1) for item in node.items)
        return f"[ {items} ]" if items else "[]"
    if isinstance(node, nodes.Mapping):
        pairs = ", ".join(_pair(entry, depth + 1) for entry in node.entries)
        return f"{{ {pairs} }}" if pairs else "{}"
    return ""


def _pair(entry: nodes.Entry, depth: int) -> str:
    key, value = (_written(side, depth) for side in (entry.key, entry.value))
    return f"{key}: {value}" if value else key


def of_node(node: Node | None, depth: int = 0) -> Read | None:
    """The value of a node, or None where it is null, broken or not there."""
    target = resolve(node)
    if node is None or target is None or depth > _DEEPEST:
        return None
    if isinstance(target, Scalar):
        value = _of_scalar(target)
        return None if value is None else Read(value, node.span)
    if tag_of(target) in ("set", "omap"):
        # An object without members that `Object.entries` sees.
        return Read({}, node.span)
    if isinstance(target, Sequence):
        is_pairs = tag_of(target) == "pairs"
        items = (_item(item, depth + 1, is_pairs=is_pairs) for item in target.items)
        return Read(tuple(item for item in items if item is not None), node.span)
    if isinstance(target, nodes.Mapping):
        return Read(_members(target, depth + 1), node.span)
    return None


def _item(node: Node, depth: int, *, is_pairs: bool) -> Read | None:
    """The value of an item; in a list with `!!pairs` one that is no mapping is a key with null."""
    is_lone = is_pairs and not isinstance(resolve(node), nodes.Mapping)
    return Read({}, node.span) if is_lone else of_node(node, depth)


def tag_of(node: Node) -> str | None:
    """The name of the tag of a node if YAML defines it and the node is of its kind, or None."""
    tag = node.tag if isinstance(node, Scalar | Sequence | nodes.Mapping) else None
    name = tag.removeprefix(_CORE) if tag is not None and tag.startswith(_CORE) else None
    return name if name in _OF_KINDS.get(type(node), ()) else None


def _of_scalar(node: Scalar) -> str | bool | int | float | None:
    text, name = node.value, tag_of(node)
    if node.tag == _MERGE:
        # It is a symbol of JavaScript, which no key takes.
        return None
    if node.tag is None and node.style is Style.PLAIN:
        return _plain(text)
    if name == "timestamp":
        return _instant(text)
    if name == "binary":
        return _decoded(text)
    pattern = _TYPES.get(name or "")
    return text if pattern is None or not pattern.fullmatch(text) else _plain(text)


def takes_tag(node: Node | None) -> bool:
    """Whether the runtime's parser takes the tag of a node; if not, the header is no YAML."""
    name = tag_of(node) if node is not None else None
    if isinstance(node, Scalar):
        return name != "timestamp" or _DATE.fullmatch(node.value) is not None
    if isinstance(node, nodes.Mapping):
        return name != "set" or all(_is_null(entry.value) for entry in node.entries)
    if isinstance(node, Sequence) and name is not None:
        pairs = [one for one in map(resolve, node.items) if isinstance(one, nodes.Mapping)]
        names = [entry.name for one in pairs for entry in one.entries]
        is_set = name == "pairs" or len(set(names)) == len(names)
        return is_set and all(len(one.entries) <= 1 for one in pairs)
    return True


def _is_null(node: Node | None) -> bool:
    found = resolve(node)
    return found is None or (isinstance(found, Scalar) and _of_scalar(found) is None)


# `Date.UTC` takes a lower year for one of the last century, and the parser fewer minutes for hours.
_SHORT_YEAR, _LAST_CENTURY, _MINUTES = 100, 1900, 30


def _instant(text: str) -> str:
    """A date as `toISOString` writes it."""
    found = _DATE.fullmatch(text)
    if found is None:
        return text
    year, month, day = (int(found[part]) for part in ("year", "month", "day"))
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    years, months = divmod(month - 1, 12)
    years += _LAST_CENTURY if year < _SHORT_YEAR else 0
    try:
        first = datetime(year + years, months + 1, 1, tzinfo=UTC)
        thousandths = int(f"{found['fraction'] or ''}000"[:3])
        at = first + timedelta(
            day - 1, second, 0, thousandths, minute - _ahead(found["zone"]), hour
        )
    except (ValueError, OverflowError):
        return text
    return f"{at.isoformat(timespec='milliseconds').partition('+')[0]}Z"


def _ahead(zone: str | None) -> int:
    """The minutes that a time zone is ahead of UTC; the runtime reads a small number as hours."""
    if zone in (None, "Z"):
        return 0
    hours, _, minutes = (zone or "")[1:].partition(":")
    total = int(hours) * 60 + int(minutes) if minutes else int(hours)
    total = total * 60 if total < _MINUTES else total
    return -total if (zone or "").startswith("-") else total


def _decoded(text: str) -> str:
    """The text in base64 as `Buffer.from` and `TextDecoder` read it, for which no text is wrong."""
    standard = text.partition("=")[0].translate({ord("-"): "+", ord("_"): "/"})
    digits = _NO_BASE64.sub("", standard)
    whole = digits[:-1] if len(digits) % 4 == 1 else digits
    decoded = base64.b64decode(f"{whole}{'=' * (-len(whole) % 4)}")
    return decoded.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def _plain(text: str) -> str | bool | int | float | None:
    """A word without quotes, by the patterns of the core schema."""
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    if _INTEGER.fullmatch(text):
        return _integer(text, 10)
    based = _BASED.fullmatch(text)
    if based is not None:
        return _integer(based["octal"] or based["hex"], 8 if based["octal"] else 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    infinite = _INFINITE.fullmatch(text)
    if infinite is not None:
        return -math.inf if infinite["sign"] == "-" else math.inf
    return math.nan if _NO_NUMBER.fullmatch(text) else None


# Python refuses to read longer numbers, and JavaScript has them as infinite.
_MOST_DIGITS = 400


def _integer(digits: str, base: int) -> int | float:
    return int(digits, base) if len(digits) <= _MOST_DIGITS else math.inf


_LITERAL = regex(r"0[xX](?P<hex>[0-9a-fA-F]+)|0[oO](?P<octal>[0-7]+)|0[bB](?P<bits>[01]+)")


def literal(text: str) -> int | float | None:
    """The finite number that `Number` makes of a text without blanks around it, or None."""
    based = _LITERAL.fullmatch(text)
    if based is not None:
        base = {"hex": 16, "octal": 8, "bits": 2}[based.lastgroup or "hex"]
        return _finite(_integer(based[based.lastgroup or 0], base))
    return _finite(float(text)) if _FLOAT.fullmatch(text) else None


def _finite(number: float) -> int | float | None:
    if not math.isfinite(number):
        return None
    return int(number) if float(number).is_integer() else number


# From here on JavaScript writes a number with an exponent.
_LARGE, _SMALL = 1e21, 1e-6


def text_of(read: Read) -> str | None:
    """What `String` makes of a value, or None where it fails, as for a mapping."""
    value = read.value
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _digits(value)
    if isinstance(value, tuple):
        texts = [text_of(item) for item in value]
        return None if None in texts else ",".join(text or "" for text in texts)
    return None


def _digits(number: float) -> str:
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    shortest = Decimal(repr(float(number)))
    if not number:
        return "0"
    if _SMALL <= abs(number) < _LARGE:
        text = f"{shortest:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, power = repr(float(number)).partition("e")
    return f"{mantissa.removesuffix('.0')}e{int(power):+d}"


def trimmed(text: str) -> str:
    """`text` as `trim` leaves it."""
    return text.strip(BLANKS)


def length(text: str) -> int:
    """The number of UTF-16 units of a text, which is its length in JavaScript."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def count(read: Read) -> int | None:
    """The whole number above 0 that a value is, also as text, or None."""
    number = read.value if read.is_number else None
    if isinstance(read.value, str) and trimmed(read.value):
        number = literal(trimmed(read.value))
    if not isinstance(number, int | float) or not float(number).is_integer():
        return None
    return int(number) if number > 0 else None
