"""Checks for texts in a header that need quotes or a block scalar."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.fence_heuristics import too_late
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax import frontmatter, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_ENTRY = re.compile(r"([A-Za-z_][\w-]*):(?:[ \t]+(\S.*?))?[ \t]*\r?$")
# An item with more words is not the name of a tool.
_WORDS = 3
_COLON = re.compile(r":(?=\s|$)")
_PLAIN = re.compile(r"[^\s\[{&*!|>%@`\"'#-]")


@dataclass(frozen=True, slots=True)
class UnquotedText:
    """A value of `key` that YAML does not read as one text.

    `goes_on` says that it has several lines, and `indented` that these are indented.
    """

    key: str
    span: Span
    goes_on: bool
    indented: bool = False


def unquoted_text(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each text that YAML cannot read, if nothing else is wrong."""
    for text in texts(file):
        error = _fault(file)
        if text.indented:
            thing = f"unquoted `: ` in the value of {code(text.key)}, which continues below"
            fix = "write `|` after the colon and all of the text below it"
        elif text.goes_on:
            thing = f"the value of {code(text.key)} continues in lines that are not indented"
            fix = "write `|` after the colon and indent all lines of it"
        else:
            thing = f"unquoted `: ` in the value of {code(text.key)}"
            fix = "put the value in quotes"
        if error is None:
            reads = f"{file.dialect.runtime} still reads it, but other readers lose the header"
            yield Finding(text.span, f"{thing}: {reads}; {fix}", Severity.INFORMATION)
        elif error in file.reading.possible_errors:
            severity = None if error.certain else Severity.WARNING
            yield Finding(text.span, f"{thing}: {fix}, or {error.message}", severity)
        else:
            yield Finding(text.span, refused(file, thing, fix))


def is_said(file: TemplateFile) -> bool:
    """Whether this check reports the mistake in the header."""
    return CODE in file.dialect.findings.severities and bool(texts(file))


def texts(file: TemplateFile) -> tuple[UnquotedText, ...]:
    """The texts that keep the header from being YAML; one of several lines hides all others.

    There are none if quotes would not help, because something else is wrong.
    """
    document = file.document
    if document.tree.problem is None or document.frontmatter.fence is not FenceKind.CLOSED:
        return ()
    if not header.is_seen(file):
        return ()
    late = too_late(file)
    if late is not None and not late.attached:
        return ()
    rows = frontmatter.lines(document.text, document.frontmatter.inner.start)
    inside = [row for row in rows if row.end <= document.frontmatter.inner.end]
    running = next(_running(file, inside), None) or next(_indented(file, inside), None)
    if running is not None:
        return (running,)
    found = tuple(_with_colons(document.text, inside))
    return found if not found or _mends(document, found) else ()


def without_colons(file: TemplateFile) -> str:
    """The text of the file with another character for each colon that needs quotes."""
    document = file.document
    rows = frontmatter.lines(document.text, document.frontmatter.inner.start)
    inside = [row for row in rows if row.end <= document.frontmatter.inner.end]
    return _without(document.text, _with_colons(document.text, inside))


def _mends(document: Document, found: Iterable[UnquotedText]) -> bool:
    mended = document.frontmatter.inner.of(_without(document.text, found))
    return yaml.sound(mended) is not None


def _without(text: str, found: Iterable[UnquotedText]) -> str:
    """`text` with the same offsets, but with no colon in `found` that YAML could see."""
    for one in found:
        value = _COLON.sub(".", one.span.of(text))
        text = text[: one.span.start] + value + text[one.span.end :]
    return text


def _fault(file: TemplateFile) -> LoadError | None:
    found = (*file.reading.errors, *file.reading.possible_errors)
    return next((error for error in found if error.kind is LoadErrorKind.SYNTAX), None)


def _with_colons(text: str, rows: list[Span]) -> Iterator[UnquotedText]:
    for row in rows:
        entry = _ENTRY.match(row.of(text))
        value = entry[2] if entry else None
        if entry is None or value is None or not re.search(r":\s", value):
            continue
        if _PLAIN.match(value) and not isinstance(resolve(yaml.sound(value)), Scalar):
            start = row.start + entry.start(2)
            yield UnquotedText(entry[1], Span(start, start + len(value)), goes_on=False)


def _running(file: TemplateFile, rows: list[Span]) -> Iterator[UnquotedText]:
    """A value with lines below it that are neither indented nor keys."""
    known = {key.name for key in file.dialect.schema.keys}
    text, owner = file.document.text, None
    for at, row in enumerate(rows):
        line = row.of(text)
        entry = _ENTRY.match(line)
        if entry is not None and (entry[1] in known or entry[1][0].islower()):
            is_text = entry[1] in known and entry[2] is not None and _PLAIN.match(entry[2])
            owner = (entry[1], row.start + entry.start(2)) if is_text else None
        elif _is_glued(line, known):
            return
        elif owner is not None and entry is None and line[:1] not in ("", " ", "\t", "#"):
            goes_on = Span(owner[1], _end(text, rows[at:], known))
            if line[0] != "-" or _is_in_text(owner[0], goes_on.of(text), line):
                yield UnquotedText(owner[0], goes_on, goes_on=True)
                return


def _indented(file: TemplateFile, rows: list[Span]) -> Iterator[UnquotedText]:
    """A description that continues in indented lines with a `: ` after no key of the dialect."""
    key = file.dialect.key_with_role(KeyRole.DESCRIPTION)
    text, known = file.document.text, {key.name for key in file.dialect.schema.keys}
    for at, row in enumerate(rows):
        entry = _ENTRY.match(row.of(text))
        if key is None or entry is None or entry[1] != key.name or not entry[2]:
            continue
        below = list(takewhile(lambda row: row.of(text)[:1] in ("", " "), rows[at + 1 :]))
        lines = [row.of(text).strip() for row in below]
        is_key = any(line.partition(":")[0] in known for line in lines if ":" in line)
        filled = [row for row, line in zip(below, lines, strict=True) if line]
        if not filled or is_key or not _PLAIN.match(entry[2]):
            continue
        span = Span(row.start + entry.start(2), filled[-1].end)
        if _COLON.search(text, filled[0].start, span.end) and not _is_sound(
            key.name, span.of(text)
        ):
            yield UnquotedText(key.name, span, goes_on=True, indented=True)


def _is_sound(key: str, text: str) -> bool:
    return yaml.sound(f"{key}: {text}") is not None


def _is_in_text(key: str, text: str, line: str) -> bool:
    """Whether an item belongs to the text above it, and not to a list of its own."""
    is_prose = re.search(r"\n[A-Z]", text) is not None or len(line.split()) > _WORDS
    return is_prose and not _is_sound(key, text)


def _is_glued(line: str, known_keys: set[str]) -> bool:
    """Whether a key of the dialect lacks the space after its colon, so that it is no text."""
    key, colon, _ = line.partition(":")
    return bool(colon) and key in known_keys and _ENTRY.match(line) is None


def _end(text: str, rows: list[Span], known_keys: set[str]) -> int:
    """The end of the text: before the next key that the dialect knows."""
    end = rows[0].end
    for row in rows[1:]:
        entry = _ENTRY.match(row.of(text))
        if entry is not None and entry[1] in known_keys:
            break
        end = row.end if row.of(text).strip() else end
    return end


CODE = "unquoted-text"
CHECK = Check((CODE,), unquoted_text, changes=frozenset({Field.LOADS, Field.KEY}), basis=Basis.FILE)
