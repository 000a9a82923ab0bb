"""Finds the header of an agent file where Claude Code does, or what was meant as one.

Invariant: a table, a list or JSON is meant as a header only if a text begins with it and it has the
settings of one agent. Below a title it may be documentation, and so may that of several agents.

Facts: Claude Code 2.1.332, measured 2026-11-28. The header begins below a first line `---`, which
may have a byte-order mark before it and blanks behind it. The header ends at the very next `---`,
wherever it is: on a separate line, indented, at the start of a line or inside one. The rest of that
line begins the prompt. Measured 2026-11-29: a file that begins with a table, a list or JSON has no
header, and is documentation.
"""

import json
import re
from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import finding
from agent_lsp.dialects.claude.facts import ALLOW, DENY, KNOWN
from agent_lsp.dialects.claude.retry import BLANK, second_reading, unsound
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.text import Span

_FENCE = "---"
_MARK = "\ufeff"
_BLANKS = regex(rf"[{BLANK}]*")
_MOST = 3


def split(text: str, _bom: bool) -> Frontmatter:
    """The header, the fences and the body of `text`, which may begin with a byte-order mark."""
    # The text may have the mark whether or not the file has it.
    mark = 1 if text.startswith(_MARK) else 0
    start = _opened(text, mark)
    if start is None:
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    at = text.find(_FENCE, start)
    if at < 0:
        # The intention of the author is found as in all systems.
        return frontmatter.split(text, lambda line: line.startswith(_FENCE), is_end=lambda _: False)
    first = next(frontmatter.lines(text))
    below = min(text.find("\n") + 1, start)
    begin, end = text.rfind("\n", 0, at) + 1, _line_end(text, at)
    is_own = not text[begin:at].strip(" \t")
    is_last = not text[at + len(_FENCE) : end].strip()
    inner = Span(below, max(below, _line_end(text, begin - 1)) if is_own else at)
    close = Span(begin if is_own else at, end if is_own and is_last else at + len(_FENCE))
    body = text.find("\n", at) + 1 or len(text) if is_last else close.end
    rest = Span(body, len(text))
    whole = Span(below, max(below, at))
    return Frontmatter(FenceKind.CLOSED, first, inner, close, rest, whole)


def _opened(text: str, mark: int) -> int | None:
    """The offset at which the header begins, below any blank lines, or None if there is none."""
    if not text.startswith(_FENCE, mark):
        return None
    blanks = _BLANKS.match(text, mark + len(_FENCE))
    at = text.rfind("\n", 0, blanks.end()) if blanks is not None else -1
    return at + 1 if at >= 0 else None


def _line_end(text: str, at: int) -> int:
    stop = text.find("\n", at)
    if stop < 0:
        return len(text)
    return stop - 1 if text[stop - 1] == "\r" else stop


def is_read(document: Document) -> bool:
    """Whether the runtime reads the header as YAML, at the first try or the second."""
    if document.frontmatter.fence is not FenceKind.CLOSED or document.tree.problem is None:
        return document.frontmatter.fence is FenceKind.CLOSED
    header = document.frontmatter.parsed
    return second_reading(header.of(document.text), header.start) is not None


def second_try(document: Document) -> Iterator[Finding]:
    """Yields the findings on values that only the runtime reads, because it puts them in quotes."""
    if document.tree.problem is None or not is_read(document):
        return
    header = document.frontmatter.parsed
    for key, span in unsound(header.of(document.text), header.start):
        value = span.of(document.text)
        if key in KNOWN and not re.search(r":\s", value) and key not in (ALLOW, DENY):
            thing = f"the value of `{key}` is not valid YAML without quotes"
            message = f"{thing}: Claude Code still reads it, but other readers lose the header"
            yield finding(
                "unquoted-text",
                span,
                f"{message}; put it in quotes",
                Severity.INFORMATION,
                instead=value.rstrip(),
            )


def remarks(document: Document) -> Iterator[Finding]:
    """Yields the findings on `---` inside a line, and on text behind the last one."""
    text, close = document.text, document.frontmatter.close
    if document.frontmatter.fence is not FenceKind.CLOSED or close is None:
        return
    at = text.find(_FENCE, close.start)
    if text[text.rfind("\n", 0, at) + 1 : at].strip():
        yield from _inside(document, at)
        return
    rest = text[at + len(_FENCE) : _line_end(text, at)]
    if rest.strip():
        span = Span(at, _line_end(text, at))
        message = (
            f"`{_FENCE}{rest.rstrip()}` ends the header, and `{rest.strip()}` begins the prompt"
        )
        message += f"; write `{_FENCE}`"
        yield finding("header-unclosed", span, message, Severity.INFORMATION, instead=_FENCE)


def _inside(document: Document, at: int) -> Iterator[Finding]:
    """Yields the finding on `---` inside a line, with the keys that are lost."""
    top = document.tree.top
    entries = top.entries if isinstance(top, Mapping) else ()
    below = [f"`{name}`" for name in dict.fromkeys(_keys_below(document, at))]
    text = document.text
    touching = (one.name for one in entries if not text[one.span.end : at].strip())
    within = next((name for name in touching if name), None)
    lost = [f"the rest of `{within}`"] if within is not None else []
    lost += below if len(below) <= _MOST else [*below[:_MOST], f"{len(below) - _MOST} more"]
    if not lost:
        # The end of a comment makes no difference to a prompt.
        return
    *others, last = lost
    things = f"{', '.join(others)} and {last}" if others else last
    thing = f"`{_FENCE}` ends the header here, even inside a line"
    are = "are" if others else "is"
    message = f"{thing}: {things} {are} part of the prompt; write something else, such as `–`"
    yield finding("header-cut-short", Span(at, at + len(_FENCE)), message)


_KEY = regex(r"^([A-Za-z]+):(?=[ \t\r\n]|\Z)", re.MULTILINE)


def _keys_below(document: Document, at: int) -> Iterator[str]:
    """The keys between a `---` inside a line and the next one."""
    end = document.text.find(_FENCE, at + len(_FENCE))
    for found in _KEY.finditer(document.text, at, end if end >= 0 else at):
        if found[1] in KNOWN:
            yield found[1]


_NAME, _DESCRIPTION = "name", "description"
_JSON = regex(r"\s*(?:(?:`{3,}|~{3,})json[a-z]*[ \t]*\n)?\s*(?=\{)")
_CELL = regex(r"(?<=\|)[^|\n]*(?=\|)")
_RULE = regex(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*")
_ITEM = regex(
    r"[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+[*_`\"']{0,3}(?P<key>[A-Za-z-]{2,20})[*_`\"']{0,3}[ \t]*:"
    r"[*_`]{0,3}[ \t]+(?P<value>[^\n]*?)[ \t]*"
)
_MARKS = " \t*_`\"'"


def name_in_other_notation(begin: str) -> Value | None:
    """The name in such a header, if it has a description as well; None if there is none."""
    settings = _of_json(begin) or dict(_of_table(begin)) or dict(_of_list(begin))
    return settings[_NAME] if _DESCRIPTION in settings and _NAME in settings else None


def _of_json(begin: str) -> dict[str, Value]:
    fence = _JSON.match(begin)
    if fence is None:
        return {}
    try:
        found, end = json.JSONDecoder().raw_decode(begin, fence.end())
    except (ValueError, RecursionError):
        return {}
    texts = {key: one for key, one in found.items() if isinstance(one, str) and one}
    return {key: _placed(begin, one, Span(fence.end(), end)) for key, one in texts.items()}


def _placed(begin: str, text: str, within: Span) -> Value:
    at = begin.find(f'"{text}"', within.start, within.end)
    return Value(text, Span(at + 1, at + 1 + len(text)) if at >= 0 else within)


def _of_table(begin: str) -> Iterator[tuple[str, Value]]:
    """The settings in a table with a row for each, or with a row for all of them."""
    rows = list(_first_rows(begin))
    if len(rows) < _LEAST_ROWS:
        return
    head = [_key(one.text) for one in rows[0]]
    if {_NAME, _DESCRIPTION} <= set(head):
        # Several rows are a list of agents.
        yield from zip(head, rows[1], strict=False) if len(rows) == _LEAST_ROWS else ()
        return
    for row in rows:
        if len(row) == _PAIR:
            yield _key(row[0].text), row[1]


_LEAST_ROWS, _PAIR = 2, 2


def _first_rows(begin: str) -> Iterator[list[Value]]:
    """The cells of the table at the start of a text, without the line below its head."""
    at = len(begin) - len(begin.lstrip())
    for line in begin[at:].splitlines(keepends=True):
        if not line.lstrip().startswith("|"):
            return
        if not _RULE.fullmatch(line.rstrip()):
            found = _CELL.finditer(begin, at, at + len(line))
            yield [_stripped(one) for one in found]
        at += len(line)


def _stripped(cell: re.Match[str]) -> Value:
    text = cell[0].strip(_MARKS)
    start = cell.start() + cell[0].find(text)
    return Value(text, Span(start, start + len(text)))


def _of_list(begin: str) -> Iterator[tuple[str, Value]]:
    at = len(begin) - len(begin.lstrip())
    seen = set[str]()
    for line in begin[at:].splitlines(keepends=True):
        found = _ITEM.fullmatch(begin, at, at + len(line.rstrip("\r\n")))
        key = _key(found["key"]) if found is not None else ""
        if found is None or key in seen:
            return
        seen.add(key)
        yield key, Value(found["value"].strip(_MARKS), Span(*found.span("value")))
        at += len(line)


def _key(text: str) -> str:
    return text.strip(_MARKS).lower()
