"""Reads a header as the parsers of YAML that JavaScript programs use, beyond what libyaml does.

Invariants: a tree has the offsets and the characters of the file; what only these parsers reject is
the problem of the tree.
Facts: YAML 1.2 wants each line of a string in quotes, or of a list in brackets, deeper than the
mapping around it, and takes characters for letters that libyaml does not read: measured with Claude
Code 2.1.332 and with Qwen Code 0.24.4, 2026-11-28. Two escapes in double quotes may be the two
halves of one character, as in JSON, which libyaml refuses: measured with Claude Code 2.1.332,
OpenCode 1.18.33, Gemini CLI 0.61.0 and Qwen Code 0.24.4, 2026-11-30; js-yaml, which OpenCode and
Gemini CLI have, and Qwen Code take one half alone as well, and js-yaml a code above U+10FFFF.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

from agent_lsp.data_classes import replace
from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
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
from agent_lsp.syntax.yaml.edited import Edit, any_of, read_again, with_colon, with_empty_key
from agent_lsp.syntax.yaml.signs import with_question_marks
from agent_lsp.syntax.yaml.stand_ins import FILLER, rebuilt, restored, stand_in, with_letters
from agent_lsp.text import Span


def parse(
    text: str,
    start: int = 0,
    *,
    prepared: Callable[[str], str] | None = None,
    npm: bool = False,
) -> Tree:
    """The tree of a header that begins at `start`.

    `prepared` changes a text further before it is read, and keeps its length. `npm` tells whether
    the parser is the npm package `yaml`, which Qwen Code has.
    """
    read = partial(past_tabs, in_rows=npm, below_blocks=False)
    letters = (prepared or with_letters)(text)
    letters = with_question_marks(letters, npm=True) if npm else letters
    letters, tree = with_halves(letters, start, read, alone=npm)
    if tree.problem is not None:
        tree = read_again(letters, start, tree, _OF_NPM if npm else _OF_COLONS, read)
    if letters != text and tree.root is not None:
        tree = replace(tree, root=rebuilt(tree.root, lambda offset: offset, restored, {}))
    if tree.problem is not None:
        return tree
    row = outdented(text, tree.root, start, npm=npm)
    return tree if row is None else replace(tree, problem=Problem(PROBLEM, row))


_BROKEN_TAG = "did not find expected whitespace or line break"
_NO_KEY = "did not find expected key"


def _with_tag(text: str, problem: Problem, start: int) -> Edit | None:
    """The change for a tag that ends at a bracket, or has a `#` in its name, or None."""
    at = problem.span.start - start
    sign = text[at : at + 1]
    if problem.message != _BROKEN_TAG or problem.context != "while scanning a tag":
        return None
    # The runtime knows no tag with such a name, so any other name does as well.
    return (at, at + 1, "-") if sign == "#" else (at, at, " ") if sign in ("]", "}") else None


def _with_first_key(text: str, problem: Problem, start: int) -> Edit | None:
    """The change that puts an empty key in front of a colon that begins an entry, or None."""
    at = problem.span.start - start
    is_bare = text[at : at + 1] == ":" and not text[at + 1 : at + 2].strip()
    return (at, at, '""') if is_bare and problem.message == _NO_KEY else None


_OF_COLONS = partial(with_colon, key='""')
_OF_NPM = any_of(_OF_COLONS, partial(with_empty_key, key='""'), _with_tag, _with_first_key)

# libyaml rejects some tabs that other parsers read as blanks: behind a dash, before a closing
# bracket, before a comment, and alone in a row. Facts: as above, run 2026-11-30 (`claude-tabs`,
# `qwen-tabs`, `js-yaml-tabs`).
_TABS = regex(r"^ *(?:[-?][ \t]+)+|^[ \t]+(?=[\]}])", re.MULTILINE)
_TABS_IN_ROWS = regex(rf"{_TABS.pattern}|^[ \t]+(?=#|\r?$)", re.MULTILINE)
IN_BLOCK = "while scanning a block scalar"
_FIRST_TAB = stand_in("\t")
# Each step mends one kind of tabs, wherever they are, and reads the text again.
_STEPS = 4


def past_tabs(text: str, start: int, *, in_rows: bool = True, below_blocks: bool = True) -> Tree:
    """The tree of a text in which a tab may be a blank, or the first character of a block text.

    `in_rows` tells whether it is a blank also before a comment and alone in a row, and
    `below_blocks` whether it is one alone in a row below a block text.
    """
    tree = yaml.parse(text, start)
    if tree.problem is None or "\t" not in text:
        return tree
    again, before, changed = tree, "", text
    for _ in range(_STEPS):
        if again.problem is None or changed == before:
            break
        before, changed = changed, _with_less(changed, again.problem, in_rows, below_blocks)
        again = yaml.parse(changed, start) if changed != before else tree
    if again.problem is not None or again.root is None:
        return tree
    return replace(again, root=rebuilt(again.root, lambda offset: offset, restored, {}))


def _with_less(text: str, problem: Problem, in_rows: bool, below_blocks: bool) -> str:
    """`text` with other characters for the tabs that are the problem, or as it was."""
    if problem.context != IN_BLOCK:
        tabs = _TABS_IN_ROWS if in_rows else _TABS
        return tabs.sub(lambda found: found[0].replace("\t", " "), text)
    if below_blocks:
        mended = _with_blanks_below(text)
        if mended != text:
            return mended
    return _with_first_tabs(text)


def _with_first_tabs(text: str) -> str:
    """`text` with a letter for the tab behind the blanks that begin a block text."""
    rows, is_head = text.split("\n"), False
    for at, row in enumerate(rows):
        inner = row.lstrip(" ")
        if is_head and inner[:1] == "\t" and inner != row:
            rows[at] = row.replace("\t", _FIRST_TAB, 1)
        # Empty rows may precede it.
        is_head = _BLOCK.search(row.rstrip("\r")) is not None or (is_head and not inner.strip("\r"))
    return "\n".join(rows)


def _with_blanks_below(text: str) -> str:
    """`text` with blanks for tabs alone in rows, or before a comment, above an outer row."""
    rows, waiting, below = text.split("\n"), list[int](), -1
    for at in reversed(range(len(rows))):
        inner = rows[at].strip()
        if not inner or inner[0] == "#":
            waiting.append(at)
            continue
        depth = len(rows[at]) - len(rows[at].lstrip(" "))
        for row in waiting if depth > below else ():
            rows[row] = rows[row].replace("\t", " ")
        waiting, below = [], depth
    return "\n".join(rows)


# The head of a block text.
_BLOCK = regex(r"[|>][-+\d]*[ \t]*(?:#.*)?$", re.MULTILINE)


def with_line_end(text: str, start: int) -> Tree:
    """The tree of a text at whose end js-yaml sees a line end, which belongs to a block text."""
    is_cut = not text.endswith("\n") and _BLOCK.search(text) is not None
    tree = past_tabs(f"{text}\n", start) if is_cut else None
    return tree if tree is not None and tree.problem is None else past_tabs(text, start)


_BAD_ESCAPE = "found invalid Unicode character escape code"
_STRING = regex(r"\"(?:[^\"\\]|\\.)*", re.DOTALL)
_HALVES = regex(
    r"\\u([Dd][89ABab][\dA-Fa-f]{2})\\u([Dd][C-Fc-f][\dA-Fa-f]{2})"
    r"|\\u([Dd][89A-Fa-f][\dA-Fa-f]{2})"
    r"|\\U((?!00(?:0[\dA-Fa-f]|10))[\dA-Fa-f]{8})|\\.",
    re.DOTALL,
)
# The highest number of 32 bits with a sign.
_MOST = 0x7FFFFFFF
# A header may have as many strings with such escapes; each is read once more.
_MOST_STRINGS = 20


def with_halves(
    text: str,
    start: int,
    read: Callable[[str, int], Tree],
    *,
    alone: bool = False,
    above: bool = False,
) -> tuple[str, Tree]:
    """A text of the same length in which `read` takes escaped halves of characters, and its tree.

    `restored` makes the characters of it. Halves that are `alone` count as U+FFFD, which is sent in
    their place, if the parser takes them; it may take a code `above` U+10FFFF as well.
    """
    tree = read(text, start)
    for _ in range(_MOST_STRINGS):
        problem = tree.problem
        if problem is None or problem.message != _BAD_ESCAPE or problem.context_span is None:
            break
        string = _STRING.match(text, problem.context_span.start - start)
        if string is None:
            break
        changed = _HALVES.sub(lambda found: _joined(found, alone=alone, above=above), string[0])
        if changed == string[0]:
            break
        text = text[: string.start()] + changed + text[string.end() :]
        tree = read(text, start)
    return text, tree


def _joined(found: re.Match[str], *, alone: bool, above: bool) -> str:
    """An escape that libyaml reads in the place of one or two."""
    first, second, single, code = found.groups()
    if first is not None:
        point = 0x10000 + (int(first, 16) - 0xD800) * 0x400 + int(second, 16) - 0xDC00
        return f"\\U{point:08X}{FILLER * 2}"
    if code is not None and above:
        signs = "".join(stand_in(one) if one <= "\uffff" else one for one in _of_code(code))
        return signs.ljust(len(found[0]), FILLER)
    return "\\uFFFD" if single is not None and alone else found[0]


def _of_code(written: str) -> str:
    """What js-yaml makes of a code above U+10FFFF, with U+FFFD for halves of characters.

    It computes two halves, of which JavaScript keeps 16 bits each; a code with the highest of 32
    bits is a negative number to it, of which 16 bits are left.
    """
    code = int(written, 16)
    rest = code - 0x10000
    halves = [(rest >> 10) + 0xD800, (rest & 0x3FF) + 0xDC00] if code <= _MOST else [code]
    units = b"".join((half & 0xFFFF).to_bytes(2, "big") for half in halves)
    return units.decode("utf-16-be", "replace")


# What is said of such a line as the problem of a tree.
PROBLEM = "a string or a list continues in a line without indentation"
_QUOTE_OR_BRACKET = regex(r"[\"'\[{]")


def outdented(text: str, root: Node | None, start: int, *, npm: bool = False) -> Span | None:
    """The first line of a string in quotes, or of a list in brackets, that is not indented.

    Such a line must be deeper than the key or the dash of the text, except for comments in a list
    and for a bracket that closes it. The npm package `yaml` wants that bracket no less deep.
    """
    # Most headers have neither, and every header is searched.
    if _QUOTE_OR_BRACKET.search(text) is None:
        return None
    waiting: list[tuple[Node | None, int]] = [(root, -1)]
    found: list[Span] = []
    while waiting:
        node, column = waiting.pop()
        if isinstance(node, Mapping | Sequence) and not node.flow:
            children = (
                [entry.value for entry in node.entries]
                if isinstance(node, Mapping)
                else list(node.items)
            )
            own = _column(text, _begin(node) - start)
            waiting += [(child, own) for child in children]
        elif isinstance(node, Mapping | Sequence | Scalar):
            shallowest = column if npm else 0
            rows = _outdented_rows(text, node, column, shallowest, start)
            is_list = isinstance(node, Mapping | Sequence)
            found += (row for row in rows if not (is_list and _is_comment(text, row, start)))
    return min(found, default=None)


def _begin(node: Mapping | Sequence) -> int:
    """Where the first key is; an anchor or a tag of the mapping may be on another line."""
    if isinstance(node, Mapping) and node.entries:
        return node.entries[0].key.span.start
    return node.span.start


def _is_comment(text: str, row: Span, start: int) -> bool:
    return text[row.start - start : row.end - start].lstrip(" \t").startswith("#")


def _column(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


def _outdented_rows(
    text: str, node: Node, column: int, shallowest: int, start: int
) -> Iterator[Span]:
    is_flow = isinstance(node, Mapping | Sequence)
    if isinstance(node, Scalar) and node.style not in (Style.SINGLE, Style.DOUBLE):
        return
    at, end = text.find("\n", node.span.start - start) + 1, node.span.end - start
    while 0 < at < end:
        stop = text.find("\n", at)
        row = text[at : stop if stop >= 0 else len(text)].rstrip("\r")
        blanks = len(row) - len(row.lstrip(" "))
        inner = row.strip(" \t")
        is_shut = is_flow and inner[:1] in ("]", "}") and blanks >= shallowest
        if inner and blanks <= column and not is_shut:
            yield Span(start + at, start + at + len(row))
        at = stop + 1


_CORE = "tag:yaml.org,2002:"
_OF_SCALARS = ("str", "null", "bool", "int", "float", "timestamp", "merge", "binary")
# The tags that js-yaml knows, by the kind of node that may have them.
_OF_KINDS: dict[type, frozenset[str]] = {
    kind: frozenset(f"{_CORE}{name}" for name in names)
    for kind, names in (
        (Scalar, _OF_SCALARS),
        (Mapping, ("map", "set")),
        (Sequence, ("seq", "omap", "pairs")),
    )
}
_OF_KNOWN = frozenset().union(*_OF_KINDS.values())
# The tags that a missing value may have, which is then an empty mapping, list or text, or null.
_OF_NOTHING = frozenset(
    f"{_CORE}{name}" for name in ("map", "set", "seq", "omap", "pairs", "str", "null", "merge")
)
_BASE64 = regex(r"(?:[A-Za-z0-9+/=]{4})*")
_LINE_ENDS = regex(r"[\r\n]")


def refused_tag(node: Node, fits: Callable[[str, str], bool]) -> str | None:
    """Why js-yaml does not take the tag of `node`, in its words; None if it does.

    `fits` says whether a word is one of the type `null`, `bool`, `int`, `float` or `timestamp`,
    in which versions differ.
    Facts: js-yaml 3 in OpenCode 1.18.33 and js-yaml 4.1.0, run with 64 tagged values 2026-11-30.
    """
    tag = getattr(node, "tag", None)
    if not tag or tag == "!":
        return None
    if is_missing(node) and tag in _OF_KNOWN:
        return None if tag in _OF_NOTHING else f"cannot resolve a node with !<{tag}> explicit tag"
    if tag not in _OF_KINDS.get(type(node), frozenset()):
        return f"unknown tag !<{tag}>"
    name = tag.removeprefix(_CORE)
    if isinstance(node, Scalar):
        is_sound = _is_sound(node, name, fits)
    elif isinstance(node, Mapping):
        is_sound = name == "map" or all(_is_null(one.value, fits) for one in node.entries)
    elif isinstance(node, Sequence):
        is_sound = name == "seq" or _are_pairs(node, is_map=name == "omap")
    else:
        return None
    return None if is_sound else f"cannot resolve a node with !<{tag}> explicit tag"


def is_missing(node: Node | None) -> bool:
    """Whether a value is missing; it may have a tag."""
    return isinstance(node, Scalar) and not node.value and node.style is Style.PLAIN


def _is_sound(node: Scalar, name: str, fits: Callable[[str, str], bool]) -> bool:
    match name:
        case "str":
            return True
        case "merge":
            return node.value == "<<"
        case "binary":
            return _BASE64.fullmatch(_LINE_ENDS.sub("", node.value)) is not None
        case "null" if not node.value:
            return False
        case _:
            return fits(name, node.value)


_MERGE_TAG = f"{_CORE}merge"
NO_MERGE = "cannot merge mappings; the provided source object is unacceptable"
NESTED_KEY = "nested arrays are not supported inside keys"


def is_merge(entry: Entry) -> bool:
    """Whether an entry stands for those of other mappings."""
    key = entry.key
    return (
        entry.name == "<<"
        and entry.value is not None
        and isinstance(key, Scalar)
        and (key.tag == _MERGE_TAG or (key.style is Style.PLAIN and key.tag is None))
    )


def merged(entry: Entry) -> tuple[Node | None, ...]:
    """What is merged by an entry that is a merge."""
    value = resolve(entry.value)
    return tuple(map(resolve, value.items)) if isinstance(value, Sequence) else (value,)


def refused_entries(mapping: Mapping) -> Iterator[tuple[str, Entry]]:
    """The entries with a merge or a key that js-yaml does not take, each with its words.

    Facts: js-yaml 3.15.2 and 4.1.0, run 2026-11-30 (`js-yaml-odd`).
    """
    for entry in mapping.entries:
        key = resolve(entry.key)
        if isinstance(key, Sequence):
            if any(isinstance(resolve(item), Sequence) for item in key.items):
                yield NESTED_KEY, entry
        elif is_merge(entry) and not all(isinstance(one, Mapping) for one in merged(entry)):
            yield NO_MERGE, entry


_OF_COLLECTIONS = frozenset(f"{_CORE}{name}" for name in ("map", "set", "seq", "omap", "pairs"))


def _is_null(node: Node | None, fits: Callable[[str, str], bool]) -> bool:
    found = resolve(node)
    if not isinstance(found, Scalar):
        return found is None
    if found.tag in _OF_COLLECTIONS or found.tag == f"{_CORE}str":
        return False
    return found.style is Style.PLAIN and (not found.value or fits("null", found.value))


def _are_pairs(node: Sequence, *, is_map: bool) -> bool:
    """Whether each item is a mapping with one key, which in a map is in no other item."""
    found = [resolve(one) for one in node.items]
    items = [one.entries if isinstance(one, Mapping) else () for one in found]
    names = {entry.name for item in items for entry in item}
    return all(len(item) == 1 for item in items) and (not is_map or len(names) == len(items))
