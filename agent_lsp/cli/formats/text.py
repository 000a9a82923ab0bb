"""Findings for people, and a summary: with the line and the span underlined, or in one line each.

Invariant: no line of a file is shown wider than the terminal, however long it is.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.cli.checking.report import Report, fixable, summary
from agent_lsp.cli.resolve import shown
from agent_lsp.cli.terminal import Look, columns, look, visible
from agent_lsp.data_classes import dataclass
from agent_lsp.text import LineIndex, Span

_TAB = 4
_CUT = "..."


def block(
    diagnostic: Diagnostic,
    path: Path,
    lines: Callable[[Path], LineIndex],
    shown: Callable[[Path], str],
    look: Look,
    *,
    is_framed: bool = True,
) -> str:
    """The lines about `diagnostic` in `path`; `lines` gives those of a file, `shown` its name.

    Unless it `is_framed`, no line of the file is among them.
    """
    severity = diagnostic.severity.name.lower()
    label = look.paint(f"{severity}[{diagnostic.code}]", severity)
    where = look.paint(place(lines(path), path, diagnostic.span, shown), "bold")
    number, source, carets = _framed(lines(path), diagnostic.span, look.width)
    margin = " " * len(number)
    rows = [f"{where}: {label}: {visible(diagnostic.message)}"]
    # An empty or unreadable file has no line to show.
    if is_framed and lines(path).text:
        bar = look.paint("|", "dim")
        rows += (
            f"{margin} {bar}",
            f"{look.paint(number, 'dim')} {bar} {source}".rstrip(),
            f"{margin} {bar} {look.paint(carets, severity)}",
        )
    for related in diagnostic.related:
        there = place(lines(related.path), related.path, related.span, shown)
        rows.append(f"{margin} {look.paint('=', 'dim')} {there}: {visible(related.message)}")
    return "\n".join(rows)


def place(lines: LineIndex, path: Path, span: Span, shown: Callable[[Path], str]) -> str:
    """`path:line:column` of the start of `span`, which editors and terminals turn into a link."""
    line, column = lines.position(span.start)
    return f"{shown(path)}:{line + 1}:{column + 1}"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A character as it is shown, its columns, and whether it is underlined."""

    shown: str
    columns: int
    marked: bool


def _framed(lines: LineIndex, span: Span, width: int) -> tuple[str, str, str]:
    """The number of the line where `span` starts, its visible part, and the carets below it."""
    line = lines.line_of(span.start)
    number = str(line + 1)
    room = width - len(f"{number} | ")
    whole = lines.line_span(line)
    # A line may have a megabyte; only characters this near can be visible.
    near = Span(max(whole.start, span.start - room), min(whole.end, span.start + room))
    cells = tuple(_cells(lines.text, near, span))
    lead = sum(cell.columns for cell in cells[: span.start - near.start])
    skipped = 0
    if near != whole or sum(cell.columns for cell in cells) > room:
        while lead > room // 3:
            lead -= cells[skipped].columns
            skipped += 1
    before = _CUT if skipped or near.start > whole.start else ""
    seen, after = _fitting(cells[skipped:], room - len(before), is_end=near.end == whole.end)
    source = f"{before}{''.join(cell.shown for cell in seen)}{after}"
    marks = "^" * max(1, sum(cell.columns for cell in seen if cell.marked))
    last = lines.line_of(max(span.start, span.end - 1))
    further = f" to line {last + 1}" if last > line else ""
    return number, source, f"{' ' * (len(before) + lead)}{marks}{further}"


def _cells(text: str, shown: Span, marked: Span) -> Iterator[_Cell]:
    column = 0
    for at in range(shown.start, shown.end):
        character = visible(text[at])
        if text[at] == "\t":
            character = " " * (_TAB - column % _TAB)
        taken = sum(map(columns, character))
        column += taken
        yield _Cell(character, taken, marked.start <= at < marked.end)


def _fitting(cells: tuple[_Cell, ...], room: int, *, is_end: bool) -> tuple[tuple[_Cell, ...], str]:
    """The first cells that fit into `room` columns, and the mark for the cells left out."""
    if is_end and sum(cell.columns for cell in cells) <= room:
        return cells, ""
    left = room - len(_CUT)
    for count, cell in enumerate(cells):
        left -= cell.columns
        if left < 0:
            return cells[:count], _CUT
    return cells, _CUT


def write_text(report: Report, stream: TextIO) -> None:
    """Writes a block for each finding, and the summary."""
    style = look(stream)
    name = partial(shown, here=report.here)
    for one in report.found:
        is_framed = one.path not in report.withheld
        text = block(one.diagnostic, one.path, report.lines, name, style, is_framed=is_framed)
        print(text, end="\n\n", file=stream)
    if report.is_quiet:
        return
    print(summary(report), file=stream)
    more = fixable(report)
    if more:
        print(more, file=stream)


def write_concise(report: Report, stream: TextIO) -> None:
    """Writes a line for each finding, the first that `write_text` writes, and the summary."""
    style, name = look(stream), partial(shown, here=report.here)
    for one in report.found:
        found = one.diagnostic
        severity = found.severity.name.lower()
        label = style.paint(f"{severity}[{found.code}]", severity)
        where = style.paint(place(report.lines(one.path), one.path, found.span, name), "bold")
        print(f"{where}: {label}: {visible(found.message)}", file=stream)
    if not report.is_quiet:
        print(*filter(None, (summary(report), fixable(report))), sep="\n", file=stream)


def write_statistics(report: Report, stream: TextIO) -> None:
    """Writes how often each severity and code was found, the most frequent one first."""
    found = Counter((one.diagnostic.severity, one.diagnostic.code) for one in report.found)
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    for (severity, code), many in rows:
        print(f"{many:5}  {severity.name.lower()}[{code}]", file=stream)
    if not report.is_quiet:
        print(summary(report), file=stream)
