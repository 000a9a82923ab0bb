"""A key is indented into the text above it."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.keys import NO_EFFECT
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds, Key, Kind
from agent_lsp.syntax import markdown
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Style
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_LINE = re.compile(r"[ \t]*(?P<name>\w+)[ \t]*:(?:[ \t]+(?P<value>.*?))?[ \t\r]*")
_LIST = re.compile(r"\[.*\]")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each line of a description that is a setting which the header lacks."""
    top = header.root(of)
    if top is None or not header.parses(of):
        return
    for entry, key in header.known_entries(of):
        if key.holds is Holds.DESCRIPTION:
            yield from _lines(of, top, entry)


def _lines(of: Subject, top: Mapping, entry: Entry) -> Iterator[Finding]:
    text = entry.value
    if not isinstance(text, Scalar) or text.style not in (Style.LITERAL, Style.FOLDED):
        return
    for row in markdown.lines(of.document.text, text.span.start):
        if row.start >= text.span.end:
            return
        found = _LINE.fullmatch(row.of(of.document.text))
        key = of.dialect.key(found["name"]) if found else None
        if found is None or key is None or top.get(key.name) is not None:
            continue
        if _is_setting(key, found["value"] or ""):
            start = row.start + found.start("name")
            effect = NO_EFFECT.get(key.holds, ", so it has no effect") if key.holds else ""
            thing = f"{code(key.name)} is a line of {code(entry.name or '')}{effect}"
            yield Finding(Span(start, start + len(key.name)), f"{thing}; indent it less")


def _is_setting(key: Key, value: str) -> bool:
    """Whether `value` is one that `key` takes and prose is not."""
    match key.kind:
        case Kind.BOOL | Kind.CHOICE:
            return any(value == choice.name for choice in key.choices)
        case Kind.LIST | Kind.RECORDS:
            return not value or bool(_LIST.fullmatch(value))
        case Kind.NUMBER:
            return value.isdecimal()
        case Kind.TABLE:
            return not value
        case Kind.TEXT:
            return False


RULE = Rule("swallowed-key", check)
