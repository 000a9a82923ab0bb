"""Reads the nodes of a header as js-yaml does, and says why it reads none.

libyaml decides whether a header is sound, for the two agree about that in every recorded file; what
js-yaml refuses besides is found here. Invariant: a fault is the first one in the text, because
js-yaml stops there.
Facts: js-yaml 4 as Gemini CLI 0.61.0 brings it, measured 2026-11-28 (`tests/conformance`): plain
words have the types of YAML 1.2's core schema, or are dates; a key that stands twice, a tag that is
not known, and anything behind the document are errors; merge keys count.
"""

import math
import re
from collections.abc import Iterable, Iterator

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    Problem,
    Scalar,
    Sequence,
    Style,
    Tree,
    resolve,
)
from agent_lsp.syntax.yaml.edited import any_of, read_again, with_colon, with_empty_key
from agent_lsp.syntax.yaml.empty_items import with_next_items
from agent_lsp.syntax.yaml.javascript import (
    is_merge,
    is_missing,
    refused_entries,
    refused_tag,
    with_halves,
    with_line_end,
)
from agent_lsp.syntax.yaml.javascript import merged as sources
from agent_lsp.syntax.yaml.properties import refused_properties
from agent_lsp.syntax.yaml.signs import LONE_SIGN, lone_signs, with_question_marks
from agent_lsp.syntax.yaml.stand_ins import rebuilt, restored
from agent_lsp.text import Span

_CORE = "tag:yaml.org,2002:"
_OBJECTS = frozenset(f"{_CORE}{name}" for name in ("binary", "set", "map"))
# A missing value with such a tag is an empty list.
_LISTS = frozenset(f"{_CORE}{name}" for name in ("seq", "omap", "pairs"))
MERGE = "<<"
_NULL = regex(r"~|null|Null|NULL|")
_BOOL = regex(r"true|True|TRUE|false|False|FALSE")
_INT = regex(r"[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0o[0-7_]+|0|\d[\d_]*)(?<!_)")
_FLOAT = regex(
    r"(?:[-+]?\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?"
    r"|[-+]?\.(?:inf|Inf|INF))(?<!_)"
)
_NAN = regex(r"\.(?:nan|NaN|NAN)")
_DATE = regex(
    r"\d{4}-\d{2}-\d{2}|\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(?:\.\d*)?"
    r"(?:[ \t]*(?:Z|[-+]\d{1,2}(?::\d{2})?))?"
)
_KINDS = (
    ("null", _NULL),
    ("boolean", _BOOL),
    ("number", _INT),
    ("number", _FLOAT),
    ("nan", _NAN),
    ("date", _DATE),
)
# What a value with a tag may look like.
_FORMS = {
    "null": (_NULL,),
    "bool": (_BOOL,),
    "int": (_INT,),
    "float": (_FLOAT, _NAN),
    "timestamp": (_DATE,),
}
_DOCUMENT_END = regex(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)
# libyaml ends a line at these, and js-yaml does not; the stand-ins are for private use.
_BREAKS = {"\x85": "\ue085", "\u2028": "\ue028", "\u2029": "\ue029"}
_HIDE, _SHOW = str.maketrans(_BREAKS), str.maketrans({v: k for k, v in _BREAKS.items()})


_LENIENT = any_of(with_colon, with_empty_key)


def parse(text: str, start: int) -> Tree:
    """The tree of a header that begins at the offset `start`."""
    return with_next_items(text, start, _parse)


def _parse(text: str, start: int) -> Tree:
    hidden = text.translate(_HIDE) if any(sign in text for sign in _BREAKS) else text
    letters = with_question_marks(hidden)
    letters, tree = with_halves(letters, start, with_line_end, alone=True, above=True)
    tree = read_again(letters, start, tree, _LENIENT, with_line_end)
    if letters == text or tree.root is None:
        return tree
    return replace(tree, root=rebuilt(tree.root, lambda offset: offset, _shown, {}))


def _shown(node: Scalar) -> Scalar:
    """`node` with the characters that were hidden from libyaml."""
    return restored(replace(node, value=node.value.translate(_SHOW)))


def type_of(node: Node | None) -> str:
    """The type of a value in the words of the runtime: `string`, `number`, `array` and so on."""
    found = resolve(node)
    if isinstance(found, Sequence):
        return "array"
    if isinstance(found, Mapping):
        return "object"
    return _of_scalar(found) if isinstance(found, Scalar) else "null"


def _of_scalar(node: Scalar) -> str:
    name = node.tag.removeprefix(_CORE) if node.tag else ""
    if node.tag in _OBJECTS:
        return "object"
    if node.tag in _LISTS:
        return "array"
    # `!` alone says that a value is a text, if there is one; other tags decide whatever quotes a
    # value has.
    if name in ("!", "merge") and is_missing(node):
        return "null"
    if name in ("str", "!") or (node.style is not Style.PLAIN and name not in _FORMS):
        return "string"
    found = (kind for kind, form in _KINDS if form.fullmatch(node.value))
    return next(found, "string")


def _fits(name: str, word: str) -> bool:
    return any(form.fullmatch(word) for form in _FORMS[name])


def number(node: Node | None) -> float | None:
    """The number that `node` is, or None if it is none."""
    found = resolve(node)
    if not isinstance(found, Scalar) or type_of(found) != "number":
        return None
    word = found.value.replace("_", "").lower()
    if word.lstrip("+-").startswith("."):
        word = word.replace(".inf", "inf")
    if re.match(r"[-+]?0[box]", word):
        return float(int(word, 0))
    return float(word)


def members(node: Mapping) -> dict[str, Entry]:
    """The entries of a mapping by their names, those of merged mappings behind its own.

    A key is a text in JavaScript, whatever it is in YAML.
    """
    found: dict[str, Entry] = {}
    merged: list[Entry] = []
    for entry in node.entries:
        if is_merge(entry):
            for inner in sources(entry):
                merged += members(inner).values() if isinstance(inner, Mapping) else ()
            continue
        found.setdefault(_name(entry), entry)
    for entry in merged:
        found.setdefault(_name(entry), entry)
    return found


def _name(entry: Entry) -> str:
    key = resolve(entry.key)
    if isinstance(key, Scalar):
        return "null" if type_of(key) == "null" else _word(key)
    if isinstance(key, Sequence):
        # JavaScript joins the items, of which none may be a list.
        return ",".join(_word(item) for item in key.items)
    return "[object Object]"


def _word(node: Node | None) -> str:
    found = resolve(node)
    kind = type_of(found)
    if kind == "null":
        return ""
    if not isinstance(found, Scalar):
        return "[object Object]"
    if kind == "number":
        return _digits(number(found) or 0.0)
    return found.value.lower() if kind == "boolean" else found.value


# JavaScript writes a larger number with an exponent.
_LONGEST = 1e21


def _digits(value: float) -> str:
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value.is_integer() and abs(value) < _LONGEST else repr(value)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why js-yaml reads nothing: its reason, the place that it names, and the place for people.

    `twice` is the first of two entries with one key, where that is the reason, and `misplaced` an
    anchor or a tag that may not be where it is.
    """

    reason: str
    at: int | None
    span: Span
    twice: Entry | None = None
    tag: str = ""
    misplaced: str = ""


def fault(tree: Tree, text: str, header: Span) -> Fault | None:
    """The first reason why js-yaml does not read the header of `text`, or None."""
    if tree.problem is not None:
        return Fault(*_words(tree.problem, text, header), tree.problem.span)
    found = [*_inside(tree.root)]
    properties = refused_properties(tree.root, header.of(text), header.start)
    found += (Fault(one.reason, one.at, one.span, misplaced=one.word) for one in properties)
    signs = lone_signs(tree.root, header.of(text), header.start)
    found += (Fault(LONE_SIGN, one.start, one) for one in signs)
    rest = _DOCUMENT_END.search(header.of(text))
    if tree.rest is not None or (rest is not None and tree.root is not None):
        start = header.start + rest.start() if rest is not None else header.end
        span = Span(start, start + 3) if rest is not None else tree.rest or header
        reason = "expected a single document in the stream, but found more"
        found.append(Fault(reason, None, span))
    return min(found, key=lambda one: one.span, default=None)


def _inside(root: Node | None) -> Iterator[Fault]:
    """The keys that stand twice and the tags that js-yaml does not know."""
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        refused = refused_tag(node, _fits) if node is not None else None
        if node is not None and refused is not None:
            yield Fault(refused, node.span.end, node.span, tag=getattr(node, "tag", ""))
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            yield from _twice(node.entries)
            for reason, entry in refused_entries(node):
                yield Fault(reason, entry.span.end, entry.key.span)
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))


def _twice(entries: Iterable[Entry]) -> Iterator[Fault]:
    first: dict[str, Entry] = {}
    for entry in entries:
        before = first.setdefault(_name(entry), entry)
        if before is not entry and entry.name != MERGE:
            span = entry.key.span
            yield Fault("duplicated mapping key", span.start, span, twice=before)


_INDENTATION = "bad indentation of a mapping entry"
_MULTILINE = "can not read a block mapping entry; a multiline key may not be an implicit key"
_TAB = "tab characters must not be used in indentation"
_ESCAPE = regex(r"\\")
# By what libyaml says: the reason of js-yaml.
_REASONS = {
    "mapping values are not allowed in this context": _INDENTATION,
    "found character that cannot start any token": _INDENTATION,
    "did not find expected key": _INDENTATION,
    "block sequence entries are not allowed in this context": _INDENTATION,
    "could not find expected ':'": _MULTILINE,
    "found unknown escape character": "unknown escape sequence",
    "did not find expected ',' or ']'": "unexpected end of the stream within a flow collection",
    "did not find expected ',' or '}'": "unexpected end of the stream within a flow collection",
    "did not find expected <document start>": "directives end mark is expected",
    "control characters are not allowed": "the stream contains non-printable characters",
}


def _words(problem: Problem, text: str, header: Span) -> tuple[str, int]:
    """The reason of js-yaml for a problem of libyaml, and the place that it names."""
    start = problem.span.start
    reason = _REASONS.get(problem.message, problem.message)
    if text[start : start + 1] == "\t":
        return _TAB, start
    if reason == _MULTILINE:
        begun = problem.context_span.start if problem.context_span is not None else start
        line_end = text.find("\n", begun, header.end)
        colon = text.find(":", line_end, header.end) if line_end >= 0 else -1
        return reason, colon if colon >= 0 else start
    if reason == "unknown escape sequence":
        found = _ESCAPE.search(text, start, header.end)
        return reason, found.end() if found is not None else start
    if "flow collection" in reason:
        return reason, header.end + 1
    if "non-printable" in reason:
        line_end = text.find("\n", start, header.end)
        return reason, line_end if line_end >= 0 else header.end
    if "directives" in reason:
        line_end = text.find("\n", header.start, header.end)
        return reason, line_end + 1 if line_end >= 0 else header.end + 1
    return reason, start


def position(text: str, header: Span, at: int) -> str:
    """The line and the column of an offset as js-yaml prints them, counted in the header."""
    inner = text[header.start : min(at, header.end)] + ("\n" if at > header.end else "")
    line = inner.count("\n") + 1
    return f"({line}:{len(inner) - inner.rfind(chr(10))})"
