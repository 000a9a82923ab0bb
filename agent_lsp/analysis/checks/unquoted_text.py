"""Checks for texts that need quotes: they break the header, are cut, or swallow the next key."""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from agent_lsp.analysis.checks import coerce, fence_heuristics, header, tool_policy
from agent_lsp.analysis.checks.fence_heuristics import too_late
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.checks.unknown_key import NO_EFFECT, begun
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Basis, Check, Field, Finding, Trait
from agent_lsp.model.schema import Key, KeyRole, Severity, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_ENTRY = regex(r"([A-Za-z_][\w-]*):(?:[ \t]+(\S.*?))?[ \t]*\r?$")
# An item with more words is not the name of a tool.
_WORDS = 3
_COLON = regex(r":(?=\s|$)")
_PLAIN = regex(r"[^\s\[{&*!|>%@`\"'#-]")


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
        elif _is_broken_key(line, known) or _lists_tools(file, line):
            return
        elif owner is not None and entry is None and line[:1] not in ("", " ", "\t", "#"):
            goes_on = Span(owner[1], _end(text, rows[at:], known))
            if line[0] != "-" or _is_in_text(owner[0], goes_on.of(text), line):
                yield UnquotedText(owner[0], goes_on, goes_on=True)
                return


def _indented(file: TemplateFile, rows: list[Span]) -> Iterator[UnquotedText]:
    """A description that continues in indented lines with a `: ` after no key of the dialect."""
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
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


def _lists_tools(file: TemplateFile, line: str) -> bool:
    """Whether a line is the key of the allowed tools and names of tools, without a colon."""
    key, tools = file.dialect.schema.by_role.get(KeyRole.ALLOW), file.dialect.tools
    word, _, rest = line.partition(" ")
    names = rest.replace(",", " ").split()
    if key is None or word != key.name or not names:
        return False
    return all(any(tools.matches(name, tool) for tool in tools.names) for name in names)


def _is_broken_key(line: str, known_keys: set[str]) -> bool:
    """Whether a key of the dialect lacks the colon or the space after it, so that it is no text."""
    return begun(line, known_keys) is not None and _ENTRY.match(line) is None


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
CHECK = Check(
    (CODE,),
    unquoted_text,
    changes=frozenset({Field.LOADS, Field.KEY}),
    basis=Basis.FILE,
    needs=(Trait.BROKEN,),
)


# The end of a YAML document, or the start of another one.
_END = regex(r"(?:\.\.\.|---)(?=\s|$)")


def lost_text(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each value that YAML cuts, and each entry that it empties."""
    if not header.parses(file):
        return
    for entry, key in header.known_entries(file):
        if key.kind is ValueKind.TEXT and isinstance(entry.value, Scalar):
            yield from _of_text(file, key, entry.value)
    for holds, items in tool_policy.policy(file).items.items():
        for item in items:
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
    if tool_policy.policy(file).entries[holds]:
        return "allows nothing"
    written = file.reading.declared
    left = file.dialect.tools.toolset(Reading(written, written), tool_policy.policy(file).names, 1)
    return f"leaves an empty list, which allows {'every' if left.kept else 'no'} tool"


def _words(file: TemplateFile, node: Node) -> Iterator[tuple[Span, str]]:
    """The words that YAML removes from the start of `node`, and their meaning in YAML."""
    for found, what in (
        (coerce.tag(file, node), "a tag"),
        (coerce.anchor(file, node), "an anchor"),
    ):
        if found is not None:
            yield found, what


LOST_TEXT = Check(("lost-text",), lost_text, changes=frozenset({Field.KEY}), needs=(Trait.CUT,))


_LINE = regex(r"[ \t]*(?P<name>\w+)[ \t]*:(?:(?:[ \t]+|(?=\[))(?P<value>.*?))?[ \t\r]*")
_LIST = regex(r"\[.*\]")


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
    if not isinstance(text, Scalar):
        return
    is_quoted = text.style in (Style.SINGLE, Style.DOUBLE)
    fix = "close the quotes above it" if is_quoted else "indent it less"
    for row in frontmatter.lines(file.document.text, text.span.start):
        if row.start >= text.span.end:
            return
        line = row.of(file.document.text)
        # The first line is that of the key, or the mark of a block. A key in quotes is indented
        # only in an example.
        if row.start <= text.span.start or (is_quoted and line[:1] in " \t"):
            continue
        found = _LINE.fullmatch(line)
        key = file.dialect.key(found["name"]) if found else None
        if found is None or key is None or top.get(key.name) is not None:
            continue
        if _is_setting(key, found["value"] or ""):
            start = row.start + found.start("name")
            effect = NO_EFFECT.get(key.role, ", so it has no effect") if key.role else ""
            thing = f"{code(key.name)} is a line of {code(entry.name or '')}{effect}"
            yield Finding(Span(start, start + len(key.name)), f"{thing}; {fix}")


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
    ("swallowed-key",),
    swallowed_key,
    changes=frozenset({Field.KEY}),
    basis=Basis.ABSENCE,
    needs=(Trait.MORE_LINES,),
)
