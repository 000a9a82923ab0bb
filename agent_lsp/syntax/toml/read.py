"""Reads a TOML file statement by statement, and decides whether tomllib can read it safely."""

import re

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import (
    Broken,
    Header,
    Mapping,
    Node,
    Pair,
    Problem,
    Scalar,
    Section,
    Sequence,
    Style,
)
from agent_lsp.syntax.toml.incremental import EarlierRead, change
from agent_lsp.syntax.toml.scan import (
    MOST_LEVELS,
    TOO_DEEP,
    Scan,
    complaint,
    keys,
    line_string,
    multi_string,
    newer_kind,
)
from agent_lsp.syntax.toml.tables import MAX_DEPTH, inline_table
from agent_lsp.text import Span

_WORD = regex(r"\d{4}-\d\d-\d\d \d\d:[^ \t\r\n,\]}#]*|[^ \t\r\n,\]}#]+", re.ASCII)
_OPEN_WORD = regex(
    r"\d{4}-\d\d-\d\d \d\d:[^ \t\r\n,\]}#]*|(?:\$\{[^}\n\r]*\}|[^ \t\r\n,\]}#])+", re.ASCII
)
_UNTIL_COMMENT = regex(r"[^#\n\r]*")
_UNTIL_COMMA = regex(r"[^,\]}\n\r]*")


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


_BOM = "\ufeff"
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n\r]*"|'[^'\n\r]*')"""
_DOTTED = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
# Two patterns for blanks are never adjacent, so that matching takes linear time.
_BEGUN = rf"\[\[?[ \t]*(?!\d){_DOTTED}[ \t]*(?:\.[ \t]*)?(?:\]\]?[ \t]*)?(?:#.*)?\r?$"
_STATEMENT = regex(rf"^[ \t]*(?:{_DOTTED}[ \t]*=|{_BEGUN})", re.MULTILINE)
_OPENS_TEXT = regex(rf"""[ \t]*{_DOTTED}[ \t]*=[ \t]*(?:\[[ \t]*)?(?:\"\"\"|''')""")
PLACEHOLDER = regex(r"\$\{[^}\n\r]*\}")


def read(
    text: str,
    shift: int,
    *,
    placeholders: bool = False,
    newer: bool = False,
    tolerant: bool,
    before: EarlierRead | None = None,
) -> tuple[EarlierRead, list[Problem]]:
    """The statements of `text` in sections, and the problems in them.

    Unless it is `tolerant`, reading ends after the first invalid statement, as in the runtime. A
    `newer` text is TOML 1.1. Unchanged sections are taken from the earlier reading `before`.
    """
    scan = Scan(text, len(text), shift, placeholders=placeholders, newer=newer)
    changed = change(before, text) if before is not None and before.shift == shift else None
    found = _Found()
    at = scan.gap(len(_BOM) if text.startswith(_BOM) else 0)
    while at < scan.end and (tolerant or not scan.damage):
        taken = changed.taken(at) if changed is not None and scan.peek(at) == "[" else ()
        if taken:
            found.take(scan, at, taken)
            at = taken[-1].span.end - shift
            continue
        statement, stop, is_sound = _statement(scan, at, found.header, tolerant=tolerant)
        if isinstance(statement, Header):
            found.close(scan, at, statement)
        else:
            found.pairs.append(statement)
        found.is_sound &= is_sound
        at = scan.gap(max(stop, at + 1))
    found.close(scan, len(text), None)
    return EarlierRead(text, shift, tuple(found.sections), tuple(found.sound)), scan.damage


@dataclass(slots=True)
class _Found:
    """The finished sections, and the current one, which begins at `begun`."""

    sections: list[Section] = field(default_factory=list)
    sound: list[bool] = field(default_factory=list)
    header: Header | None = None
    pairs: list[Pair] = field(default_factory=list)
    begun: int = 0
    is_sound: bool = True

    def close(self, scan: Scan, at: int, header: Header | None) -> None:
        """Ends the current section at `at`; `header` begins the next one."""
        self.sections.append(Section(scan.span(self.begun, at), self.header, tuple(self.pairs)))
        self.sound.append(self.is_sound)
        self.header, self.pairs, self.begun, self.is_sound = header, [], at, True

    def take(self, scan: Scan, at: int, taken: tuple[Section, ...]) -> None:
        """Ends the current section at `at`, and adds reused ones; the last one becomes current."""
        *whole, last = taken
        self.close(scan, at, last.header)
        self.sections += whole
        self.sound += [True] * len(whole)
        self.pairs, self.begun = list(last.pairs), last.span.start - scan.shift


def _statement(
    scan: Scan, at: int, header: Header | None, *, tolerant: bool
) -> tuple[Header | Pair, int, bool]:
    """The statement at `at`, the end of its last line, and whether it is valid."""
    depth = len(header.keys) + header.array if header else 0
    trial = replace(scan, lines=tolerant, hasty=True, damage=[])
    statement, stop = _one(trial, at, depth)
    is_closed = not _swallows(scan, at, statement)
    is_sound = is_closed and not trial.damage
    if tolerant and (trial.errors or not is_closed):
        trial = replace(scan, end=_boundary(scan, at), damage=[])
        statement, stop = _one(trial, at, depth)
    scan.damage += [found for found in trial.damage if not _is_open(scan, found)]
    return statement, stop, is_sound


def _one(scan: Scan, at: int, depth: int) -> tuple[Header | Pair, int]:
    is_header = scan.peek(at) == "["
    statement, stop = _header(scan, at) if is_header else pair(scan, at, depth)
    stop = scan.comment(scan.blanks(stop))
    if not scan.at_line_end(stop):
        junk, stop = stop, max(scan.line_stop(stop), stop + 1)
        if not scan.damage:
            context = "invalid table header" if is_header else None
            scan.report(junk, stop, "expected newline, `#`", context)
    return statement, stop


def _header(scan: Scan, at: int) -> tuple[Header, int]:
    is_array = scan.starts("[[", at)
    close = "]]" if is_array else "]"
    missed = (f"expected `.`, `{close}`", "invalid table header")
    names, stop = keys(scan, at + 1 + is_array, *missed)
    if scan.starts(close, stop):
        stop += len(close)
    elif not scan.damage:
        end = stop + (not scan.at_line_end(stop))
        scan.report(stop, end, *missed, at)
    end = max(at + len(scan.text[at:stop].rstrip(" \t")), names[-1].span.end - scan.shift)
    return Header(scan.span(at, end), names, is_array), stop


def _swallows(scan: Scan, at: int, statement: Header | Pair) -> bool:
    """Whether a multi-line text ends at quotes that were meant to open another one."""
    value = statement.value if isinstance(statement, Pair) else None
    if not isinstance(value, Scalar) or value.style not in (Style.MULTI_SINGLE, Style.MULTI_DOUBLE):
        return False
    line = scan.text.rfind("\n", at, value.span.end - scan.shift) + 1
    return bool(line and _OPENS_TEXT.fullmatch(scan.text, line, value.span.end - scan.shift))


def _boundary(scan: Scan, at: int) -> int:
    """The start of the first line after that of `at` that looks like a statement."""
    line = scan.next_line(at)
    if scan.boundary < line:
        found = _STATEMENT.search(scan.text, line, scan.end)
        scan.boundary = found.start() if found else scan.end
    return scan.boundary


def _is_open(scan: Scan, problem: Problem) -> bool:
    """Whether `problem` is on a line with a placeholder, so that it may not exist at run time."""
    if not scan.placeholders:
        return False
    at = problem.span.start - scan.shift
    start = scan.text.rfind("\n", 0, at) + 1
    return PLACEHOLDER.search(scan.text, start, scan.line_stop(at)) is not None


# tomllib stores each prefix of each key below each prefix of its header: a key of 40,000 parts
# takes gigabytes (Lib/tomllib/_parser.py of Python 3.11 to 3.13, read and measured 2026-11-28).
_MOST_NOTED = 2_000_000


def excess(text: str) -> str | None:
    """The message about a key in `text` that exceeds a limit; None if the text can be parsed."""
    if _is_small(text):
        return None
    found, damage = read(text, 0, tolerant=True)
    for problem in damage:
        if problem.message == TOO_DEEP:
            what = f"a key of more than {MOST_LEVELS} parts, or brackets in as many, is not read"
            return f"{_line(text, problem.span)}: {what}; use fewer"
    noted = 0
    for section in found.sections:
        above = len(section.header.keys) if section.header is not None else 0
        for statement in (section.header, *section.pairs):
            if statement is None:
                continue
            noted += (above + len(statement.keys)) ** 2
            if noted > _MOST_NOTED:
                where = _line(text, statement.span)
                return f"{where}: so many parts of keys are not read; use fewer"
    return None


def _line(text: str, span: Span) -> str:
    line = text.count("\n", 0, span.start) + 1
    return f"line {line}"


def _is_small(text: str) -> bool:
    """Whether `text` has so few dots that no key in it can exceed a limit."""
    lines = text.splitlines()
    parts = max((line.count(".") + 1 for line in lines), default=0)
    return parts <= MOST_LEVELS and len(lines) * (2 * parts) ** 2 <= _MOST_NOTED
