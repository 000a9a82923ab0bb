"""Checks for text that YAML removes or that becomes part of another value."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, fence_heuristics, header, tool_policy
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.unknown_key import NO_EFFECT
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.model.template import Reading
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# The end of a YAML document, or the start of another one.
_END = re.compile(r"(?:\.\.\.|---)(?=\s|$)")


def lost_text(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each value that YAML cuts, and each entry that it empties."""
    if not header.parses(file):
        return
    for entry, key in header.known_entries(file):
        if key.kind is ValueKind.TEXT and isinstance(entry.value, Scalar):
            yield from _of_text(file, key, entry.value)
    for holds in tool_policy.LISTS:
        for item in tool_policy.items(file, holds):
            yield from _of_item(file, holds, item)
    yield from _behind_the_end(file)


def _behind_the_end(file: TemplateFile) -> Iterator[Finding]:
    """Reports the text after the end of a YAML document, if the runtime reads only one document."""
    top, text = header.root(file), file.document.text
    end = file.document.frontmatter.inner.end
    if top is None or not header.loads(file):
        return
    rest = file.document.tree.rest
    if top.flow and rest is not None and not text[top.span.end : rest.start].strip():
        yield from _lost_behind(text, top.span, Span(rest.start, end), "the braces")
        return
    for row in frontmatter.lines(text, top.span.end):
        if row.start >= end:
            return
        line = row.of(text)
        if not _END.match(line):
            continue
        yield from _lost_behind(text, row, Span(row.end, end), "the line")
        return


def _lost_behind(text: str, sign: Span, rest: Span, what: str) -> Iterator[Finding]:
    """Reports the text in `rest`, after `sign`, which ends the YAML unless `what` is removed."""
    below = fence_heuristics.mapping(rest.of(text), rest.start)
    names = [entry.name for entry in below.entries if entry.name] if below else []
    if names:
        have = "has" if len(names) == 1 else "have"
        thing = f"{code(sign.of(text).strip())} ends the header for the runtime"
        lost = f"{listed(names, 'and')} below it {have} no effect"
        yield Finding(sign, f"{thing}: {lost}; remove {what}")


def _of_text(file: TemplateFile, key: Key, node: Scalar) -> Iterator[Finding]:
    """Reports what a text loses, except an empty description and a persona's name.

    Other checks report those two.
    """
    has_owner = key.required_by is not None and not node.value.strip()
    if key.role is KeyRole.PERSONA_NAME or has_owner:
        return
    lost = list(_words(file, node))
    comment = coerce.comment(file, node) if _is_prose(key) else None
    if comment is not None:
        lost.append((comment, "a comment"))
    for found, what in lost:
        reads = f"reads {code(node.value)}" if node.value else f"reads no {code(key.name)}"
        thing = f"unquoted, {code(found.of(file.document.text))} is {what}"
        yield Finding(found, f"{thing}: the runtime {reads}; put the value in quotes")


def _is_prose(key: Key) -> bool:
    """Whether a value is for people to read, so that a `#` in it is hardly a comment."""
    return key.role in (None, KeyRole.DESCRIPTION) and not key.choices and not key.in_text


def _of_item(file: TemplateFile, holds: KeyRole, item: Node) -> Iterator[Finding]:
    node = resolve(item)
    is_blank = isinstance(node, Scalar) and not node.value.strip()
    for found, what in _words(file, item):
        word = found.of(file.document.text)
        if not is_blank:
            reads = f"the runtime reads {code(node.value if isinstance(node, Scalar) else '')}"
            yield Finding(found, f"unquoted, {code(word)} is {what}: {reads}; remove it")
            continue
        effect = f"the entry is blank, is dropped and {_effect(file, holds)}"
        yield Finding(
            found, f"unquoted, {code(word)} is {what}: {effect}; remove the {code(word[0])}"
        )


def _effect(file: TemplateFile, holds: KeyRole) -> str:
    if holds is KeyRole.DENY:
        return "denies nothing"
    if tool_policy.entries(file, holds):
        return "allows nothing"
    written = file.reading.declared
    left = file.dialect.tools.toolset(Reading(written, written), tool_policy.names(file), 1)
    return f"leaves an empty list, which allows {'every' if left.kept else 'no'} tool"


def _words(file: TemplateFile, node: Node) -> Iterator[tuple[Span, str]]:
    """The words that YAML removes from the start of `node`, and their meaning in YAML."""
    for found, what in (
        (coerce.tag(file, node), "a tag"),
        (coerce.anchor(file, node), "an anchor"),
    ):
        if found is not None:
            yield found, what


LOST_TEXT = Check(("lost-text",), lost_text, changes=frozenset({Field.KEY}))


_LINE = re.compile(r"[ \t]*(?P<name>\w+)[ \t]*:(?:[ \t]+(?P<value>.*?))?[ \t\r]*")
_LIST = re.compile(r"\[.*\]")


def swallowed_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each line of a description that is a setting missing from the header."""
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
    """Whether `value` is one that `key` takes and that prose does not have."""
    match key.kind:
        case ValueKind.BOOL if not key.choices:
            return value in ("true", "false")
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


SWALLOWED_KEY = Check(
    ("swallowed-key",), swallowed_key, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE
)
