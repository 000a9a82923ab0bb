"""Fixes for what is missing, is cut off, or stands in the wrong place of a header.

Invariant: words that are made up are never safe, and say that they are to be replaced.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.spot import entry_at, key_for, removed, spot
from agent_lsp.analysis.fixes.writing import (
    in_quotes,
    line_end,
    line_start,
    placeholder,
    whole_line,
)
from agent_lsp.analysis.rules import header, taken
from agent_lsp.analysis.rules.header import Level
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import FaultKind
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax import edit
from agent_lsp.syntax.nodes import Entry, Scalar
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import Subject, candidates

# Readers of YAML differ about these words, and nobody calls an agent so.
_NO_TEXT = re.compile(r"[\d._+-]*|true|false|yes|no|on|off|null|~", re.IGNORECASE)


def added(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A key that is missing, with a value to be replaced."""
    if found.meant:
        return
    cut, root = of.document.cut, of.document.tree.root
    if header.is_empty(root) or root is None:
        # Between two lines `---` there is no mapping yet to put a key into.
        key = of.dialect.key_holding(Holds.DESCRIPTION)
        if key is not None and found.span == header.opening(of):
            line = f'{key.name}: "{placeholder(of, key)}"{line_end(of.document.text)}'
            at = Span(cut.inner.start, cut.inner.start)
            yield Proposal(f"Add {code(key.name)}", (TextEdit(at, line),))
    for level in header.levels(of):
        if _is_about(of, found, level):
            for key in _lacking(of, level):
                yield from _key(of, level, key)


def named(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """An agent that has no name is called as its file is, where the name has to be in the text."""
    key, top = of.dialect.key_holding(Holds.AGENT), header.root(of)
    name = of.dialect.name_of(of.path.name)
    if key is None or top is None or name is None or found.meant or _NO_TEXT.fullmatch(name):
        return
    if candidates(of.workspace, of.dialect, of.root, name):
        return
    title = f"Call the agent {code(name)}, after its file"
    entry, text = top.get(key.name), of.document.text
    if entry is None:
        yield Proposal(title, edit.insert_entry(text, top, key.name, name))
    elif found.span == entry.key.span:
        yield Proposal(title, edit.replace_value(text, entry, name))


def described(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A description that is blank gets the text that YAML took for a comment, or one to replace."""
    entry = entry_at(of, found.span)
    key = key_for(of, entry) if entry is not None else None
    if entry is None or key is None or key.holds is not Holds.DESCRIPTION or found.meant:
        return
    comment = taken.comment(of, entry.value) or taken.tag(of, entry.value)
    if comment is not None:
        yield from _quoted(of, entry, comment)
    edits = edit.replace_value(of.document.text, entry, placeholder(of, key))
    yield Proposal(f"Write a {code(key.name)}", edits)


def kept(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A value goes into quotes, so that nothing of it is lost."""
    text = of.document.text
    if text.startswith(("...", "---"), found.span.start):
        line = whole_line(text, found.span.start)
        yield Proposal("Remove the line", (TextEdit(line, ""),))
        return
    for level in header.levels(of):
        for entry in level.mapping.entries:
            if _is_on_line(text, entry, found) and entry.key.span.end < found.span.start:
                yield from _quoted(of, entry, found.span)
    at = spot(of, found.span)
    if at is not None and at.sequence is not None:
        yield Proposal(f"Remove {code(found.span.of(text))}", removed(of, at))
    sign = TextEdit(Span(found.span.start, found.span.start + 1), "")
    if text.startswith(("!", "&"), found.span.start):
        yield Proposal(f"Remove the {code(text[found.span.start])}", (sign,))


def outdented(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A key that is indented into the text above it becomes a key again, with what is below it."""
    text, inner, top = of.document.text, of.document.cut.inner, header.root(of)
    if top is None or not top.entries:
        return
    indent = found.span.start - line_start(text, found.span.start)
    first = top.entries[0].key.span.start
    column = first - line_start(text, first)
    edits: list[TextEdit] = []
    start = line_start(text, found.span.start)
    while start < inner.end:
        line = whole_line(text, start)
        blanks = len(line.of(text)) - len(line.of(text).lstrip(" "))
        if line.of(text).strip() and blanks < indent:
            break
        cut = min(blanks, indent - column)
        if cut:
            edits.append(TextEdit(Span(start, start + cut), ""))
        start = line.end
    yield Proposal(f"Make {code(found.span.of(text))} a key of the header", tuple(edits), safe=True)


def _is_about(of: Subject, found: Diagnostic, level: Level) -> bool:
    """Whether a finding on a key that is missing is about the mapping `level`."""
    if level.within is None:
        return found.span in (header.opening(of), level.mapping.span)
    return level.mapping.span.start <= found.span.start <= level.mapping.span.end


def _lacking(of: Subject, level: Level) -> Iterator[Key]:
    missing = {fault.key.rpartition(".")[2] for fault in header.faults(of, FaultKind.MISSING)}
    for key in level.keys:
        is_needed = key.mandatory or key.required_by or key.name in missing
        # A name for a persona that nobody knows is as good as none.
        is_free = key.holds is not Holds.PERSONA_NAME
        if is_needed and is_free and level.mapping.get(key.name) is None:
            yield key


def _key(of: Subject, level: Level, key: Key) -> Iterator[Proposal]:
    names = [inner.name for inner in level.keys]
    above = names[: names.index(key.name)]
    after = next((entry.name for entry in level.mapping.entries if entry.name in above), None)
    value = placeholder(of, key)
    edits = edit.insert_entry(of.document.text, level.mapping, key.name, value, after)
    yield Proposal(f"Add {code(key.name)}", edits, safe=key.holds is Holds.AGENT)


def _quoted(of: Subject, entry: Entry, until: Span) -> Iterator[Proposal]:
    """The value of `entry` up to the end of `until`, all of it in quotes."""
    text, value = of.document.text, entry.value
    if not isinstance(value, Scalar):
        return
    span = Span(min(value.span.start, until.start), max(value.span.end, until.end))
    source = span.of(text).strip()
    if "\n" in source or source.startswith(("'", '"')):
        return
    start = span.start + span.of(text).index(source)
    key = key_for(of, entry)
    # In another value the sign is as likely to be the mistake.
    is_safe = key is not None and key.holds is Holds.DESCRIPTION
    edits = (TextEdit(Span(start, start + len(source)), in_quotes(source)),)
    yield Proposal("Put it in quotes", edits, is_safe)


def _is_on_line(text: str, entry: Entry, found: Diagnostic) -> bool:
    return line_start(text, entry.key.span.start) == line_start(text, found.span.start)
