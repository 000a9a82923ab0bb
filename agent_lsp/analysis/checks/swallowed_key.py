"""A key is indented into the text above it."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.known_keys import NO_EFFECT
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Check, Finding
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Style
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_LINE = re.compile(r"[ \t]*(?P<name>\w+)[ \t]*:(?:[ \t]+(?P<value>.*?))?[ \t\r]*")
_LIST = re.compile(r"\[.*\]")


def swallowed_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each line of a description that is a setting which the header lacks."""
    top = header.root(file)
    if top is None or not header.parses(file):
        return
    for entry, key in header.known_entries(file):
        if key.role is KeyRole.DESCRIPTION:
            yield from _lines(file, top, entry)


def _lines(file: TemplateFile, top: Mapping, entry: Entry) -> Iterator[Finding]:
    text = entry.value
    if not isinstance(text, Scalar) or text.style not in (Style.LITERAL, Style.FOLDED):
        return
    for row in frontmatter.lines(file.document.text, text.span.start):
        if row.start >= text.span.end:
            return
        found = _LINE.fullmatch(row.of(file.document.text))
        key = file.dialect.key(found["name"]) if found else None
        if found is None or key is None or top.get(key.name) is not None:
            continue
        if _is_setting(key, found["value"] or ""):
            start = row.start + found.start("name")
            effect = NO_EFFECT.get(key.role, ", so it has no effect") if key.role else ""
            thing = f"{code(key.name)} is a line of {code(entry.name or '')}{effect}"
            yield Finding(Span(start, start + len(key.name)), f"{thing}; indent it less")


def _is_setting(key: Key, value: str) -> bool:
    """Whether `value` is one that `key` takes and prose is not."""
    match key.kind:
        case ValueKind.BOOL | ValueKind.CHOICE:
            return any(value == choice.name for choice in key.choices)
        case ValueKind.LIST | ValueKind.RECORDS:
            return not value or bool(_LIST.fullmatch(value))
        case ValueKind.NUMBER:
            return value.isdecimal()
        case ValueKind.TABLE:
            return not value
        case ValueKind.TEXT:
            return False


CHECK = Check(("swallowed-key",), swallowed_key)
