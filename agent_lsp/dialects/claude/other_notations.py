"""Finds the name of an agent in a header that is a table, a list or JSON at the start of a file.

Invariant: only a text that begins with the settings of one agent has such a header. A table or a
list below a title may be documentation, and so may one of several agents.
Facts: Claude Code 2.1.332, measured 2026-11-29: such a file has no header, and is documentation.
"""

import json
import re
from collections.abc import Iterator

from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.text import Span

_NAME, _DESCRIPTION = "name", "description"
_FENCE = regex(r"\s*(?:(?:`{3,}|~{3,})json[a-z]*[ \t]*\n)?\s*(?=\{)")
_CELL = regex(r"(?<=\|)[^|\n]*(?=\|)")
_RULE = regex(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*")
_ITEM = regex(
    r"[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+[*_`\"']{0,3}(?P<key>[A-Za-z-]{2,20})[*_`\"']{0,3}[ \t]*:"
    r"[*_`]{0,3}[ \t]+(?P<value>[^\n]*?)[ \t]*"
)
_MARKS = " \t*_`\"'"


def named(begin: str) -> Value | None:
    """The name in such a header, if it has a description as well; None if there is none."""
    settings = _of_json(begin) or dict(_of_table(begin)) or dict(_of_list(begin))
    return settings[_NAME] if _DESCRIPTION in settings and _NAME in settings else None


def _of_json(begin: str) -> dict[str, Value]:
    fence = _FENCE.match(begin)
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
