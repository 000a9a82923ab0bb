"""Reads a TOML file statement by statement.

Invariant: an invalid statement ends before the next line that looks like a statement.
"""

import re
from dataclasses import dataclass, field, replace

from agent_lsp.syntax.nodes import Header, Pair, Problem, Scalar, Section, Style
from agent_lsp.syntax.toml.incremental import EarlierRead, change
from agent_lsp.syntax.toml.scan import Scan, keys
from agent_lsp.syntax.toml.values import pair

_BOM = "\ufeff"
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n\r]*"|'[^'\n\r]*')"""
_DOTTED = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
# Two patterns for blanks are never adjacent, so that matching takes linear time.
_BEGUN = rf"\[\[?[ \t]*(?!\d){_DOTTED}[ \t]*(?:\.[ \t]*)?(?:\]\]?[ \t]*)?(?:#.*)?\r?$"
_STATEMENT = re.compile(rf"^[ \t]*(?:{_DOTTED}[ \t]*=|{_BEGUN})", re.MULTILINE)
_OPENS_TEXT = re.compile(rf"""[ \t]*{_DOTTED}[ \t]*=[ \t]*(?:\[[ \t]*)?(?:\"\"\"|''')""")
PLACEHOLDER = re.compile(r"\$\{[^}\n\r]*\}")


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
