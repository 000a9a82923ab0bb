"""Parses TOML values: strings, numbers, dates, arrays and inline tables.

Invariants: an invalid item is `Broken` and does not affect its neighbours. Nodes deeper than
`MAX_DEPTH` are `Broken`, so functions that read a tree may recurse.
"""

import re

from agent_lsp.syntax.nodes import Broken, Mapping, Node, Pair, Scalar, Sequence
from agent_lsp.syntax.toml.scan import MOST_LEVELS, TOO_DEEP, Scan, keys, line_string, multi_string
from agent_lsp.syntax.toml.tables import MAX_DEPTH, inline_table
from agent_lsp.syntax.toml.words import complaint, newer_kind

_WORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^ \t\r\n,\]}#]*|[^ \t\r\n,\]}#]+", re.ASCII)
_OPEN_WORD = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:[^ \t\r\n,\]}#]*|(?:\$\{[^}\n\r]*\}|[^ \t\r\n,\]}#])+", re.ASCII
)
_UNTIL_COMMENT = re.compile(r"[^#\n\r]*")
_UNTIL_COMMA = re.compile(r"[^,\]}\n\r]*")


def value(scan: Scan, at: int, depth: int, closers: str = "") -> tuple[Node, int]:
    """The value at `at`, which may be missing, and the index after it.

    `depth` is the number of collections and key parts around it. `closers` are the brackets that
    end those.
    """
    first = scan.peek(at)
    if first in ("[", "{"):
        if len(closers) >= MOST_LEVELS:
            stop = scan.line_stop(at)
            scan.report(at, at + 1, TOO_DEEP)
            return scan.broken(at, stop), stop
        node, stop = (_array if first == "[" else _inline)(scan, at, depth, closers)
        return (Broken(node.span, "") if depth > MAX_DEPTH else node), stop
    if first in ('"', "'"):
        if scan.starts(first * 3, at):
            return multi_string(scan, at)
        return line_string(scan, at, listed=bool(closers))
    return _word(scan, at, closers[-1:])


def pair(scan: Scan, at: int, depth: int, closers: str = "") -> tuple[Pair, int]:
    """The key and the value at `at`, perhaps without an equals sign, and the index after it."""
    before = len(scan.damage)
    names, stop = keys(scan, at)
    if scan.peek(stop) == "=":
        node, end = value(scan, scan.blanks(stop + 1), depth + len(names), closers)
        return Pair(scan.span(at, end), names, node), end
    end = _trimmed(scan, at, scan.match(_UNTIL_COMMA if closers else _UNTIL_COMMENT, stop))
    if len(scan.damage) == before:
        scan.report(min(stop, end), end, "expected `.`, `=`")
    elif end > stop:
        names = (scan.broken(at, end),)
    end = max(end, names[-1].span.end - scan.shift)
    return Pair(scan.span(at, end), names, None), end


def _trimmed(scan: Scan, start: int, end: int) -> int:
    return start + len(scan.text[start:end].rstrip())


def _word(scan: Scan, at: int, closer: str) -> tuple[Scalar | Broken, int]:
    stop = scan.match(_OPEN_WORD if scan.placeholders else _WORD, at)
    word = scan.text[at:stop]
    if not word:
        message, context = complaint("x", closer) or ("", None)
        scan.report(at, at, message, context)
        return Scalar(scan.span(at, at), ""), at
    if scan.placeholders and "${" in word:
        return Scalar(scan.span(at, stop), word), stop
    wrong = None if scan.newer and newer_kind(word) else complaint(word, closer)
    if wrong is None:
        return Scalar(scan.span(at, stop), word), stop
    scan.report(at, stop, *wrong)
    return scan.broken(at, stop), stop


def _array(scan: Scan, opened: int, depth: int, closers: str) -> tuple[Sequence, int]:
    items: list[Node] = []
    before, at, comma = scan.errors, opened + 1, True
    while (at := scan.gap(at)) < scan.end and scan.peek(at) != "]":
        if scan.peek(at) in closers:
            break
        begin = at
        if scan.peek(at) == ",":
            scan.report(at, at + 1, "expected `]`", "invalid array", opened)
        else:
            if not comma:
                scan.report(at, at + 1, "expected `]`", "invalid array", opened)
            node, at = value(scan, at, depth + 1, closers + "]")
            if at > begin:
                items.append(node)
            # A broken value may include the comma.
            comma = isinstance(node, Broken)
            at = scan.gap(at)
        if scan.peek(at) == ",":
            at, comma = at + 1, True
        elif at == begin:
            at += 1
    end = at
    if scan.peek(at) == "]":
        end = at = at + 1
    elif scan.errors == before:
        scan.report(at, min(at + 1, scan.end), "expected `]`", "invalid array", opened)
    return Sequence(scan.span(opened, _trimmed(scan, opened, end)), tuple(items), flow=True), at


def _inline(scan: Scan, opened: int, depth: int, closers: str) -> tuple[Mapping, int]:
    pairs: list[Pair] = []
    before, at, comma = scan.errors, opened + 1, True
    while (at := _next(scan, at, opened)) < scan.end and scan.peek(at) != "}":
        if scan.peek(at) in ("\n", "\r", *closers):
            break
        begin = at
        if scan.peek(at) == ",":
            scan.report(at, at + 1, "expected `}`", "invalid inline table", opened)
        else:
            if not comma:
                scan.report(at, at + 1, "expected `}`", "invalid inline table", opened)
            found, at = pair(scan, at, depth + 1, closers + "}")
            pairs.append(found)
            comma = found.value is None or isinstance(found.value, Broken)
            at = _next(scan, at, opened)
        if scan.peek(at) == ",":
            begin, at, comma = at, _next(scan, at + 1, opened), True
            if scan.peek(at) == "}" and not scan.newer:
                _refuse_last_comma(scan, begin, opened)
        elif at == begin:
            at += 1
    end = at
    if scan.peek(at) == "}":
        end = at = at + 1
    elif scan.errors == before:
        scan.report(at, min(at + 1, scan.end), "expected `}`", "invalid inline table", opened)
    span = scan.span(opened, _trimmed(scan, opened, end))
    return inline_table(span, tuple(pairs), depth, scan.damage), at


def _refuse_last_comma(scan: Scan, at: int, opened: int) -> None:
    wrong = ("expected `}`", "invalid inline table", opened)
    if scan.lines:
        scan.forgive(at, *wrong)
    else:
        scan.report(at, at + 1, *wrong)


def _next(scan: Scan, at: int, opened: int) -> int:
    """The index after blanks, and after line ends and comments if those are forgiven."""
    if scan.newer:
        return scan.gap(at)
    at = scan.blanks(at)
    ends = scan.peek(at) == "#" or scan.at_line_end(at)
    if not (scan.lines and ends) or at >= scan.end:
        return at
    scan.forgive(at, "expected `}`", "invalid inline table", opened)
    return scan.gap(at)
