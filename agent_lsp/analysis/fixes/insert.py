"""Fixes for what is missing, cut off, or in the wrong place: keys, personas, prompts."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header
from agent_lsp.analysis.checks.header import Level
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import (
    entry_at,
    in_quotes,
    key_for,
    line_end,
    line_start,
    node_path,
    placeholder,
    removed,
    whole_line,
)
from agent_lsp.model.check import Proposal
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Sequence, path_to
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile

# YAML readers differ about these words, and no agent has one as its name.
_NO_TEXT = regex(r"[\d._+-]*|true|false|yes|no|on|off|null|~", re.IGNORECASE)


def added(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Adds a missing key, with a value to replace."""
    if diagnostic.meant or file.dialect.is_toml:
        return
    frontmatter, root = file.document.frontmatter, file.document.tree.root
    if header.is_empty(root) or root is None:
        # An empty header has no mapping to which a key could be added.
        key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
        if key is not None and diagnostic.span == header.opening(file):
            line = f'{key.name}: "{placeholder(file, key)}"{line_end(file.document.text)}'
            at = Span(frontmatter.inner.start, frontmatter.inner.start)
            yield Proposal(f"Add {code(key.name)}", (TextEdit(at, line),))
    for level in header.levels(file):
        if _is_about(file, diagnostic, level):
            for key in _lacking(file, level):
                yield from _key(file, level, key)


def named(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Names an agent after its file, if the runtime requires a name in the text."""
    key, top = file.dialect.schema.by_role.get(KeyRole.AGENT), header.root(file)
    name = file.dialect.names.name_of(file.path.name)
    if key is None or top is None or name is None or diagnostic.meant or _NO_TEXT.fullmatch(name):
        return
    if file.dialect.is_toml:
        return
    if candidates(file.workspace, file.dialect, file.root, name):
        return
    title = f"Name the agent {code(name)}, after its file"
    entry, text = top.get(key.name), file.document.text
    if entry is None:
        yield Proposal(title, edit.insert_entry(text, top, key.name, name))
    elif diagnostic.span == entry.key.span:
        yield Proposal(title, edit.replace_value(text, entry, name))


def as_text(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Puts quotes around a name that is a number or a boolean, so that it is a text."""
    path = path_to(file.document.tree.root, diagnostic.span)
    was = diagnostic.span.of(file.document.text)
    if path is not None and isinstance(path.node, Scalar) and diagnostic.meant == (was,):
        edits = (TextEdit(diagnostic.span, f'"{was}"'),)
        yield Proposal(f"Put {code(was)} in quotes", edits, safe=True)


def described(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Fills a blank description with the text that YAML took for a comment, or a placeholder."""
    entry = entry_at(file, diagnostic.span)
    key = key_for(file, entry) if entry is not None else None
    if entry is None or key is None or key.role is not KeyRole.DESCRIPTION or diagnostic.meant:
        return
    if file.dialect.is_toml:
        return
    comment = coerce.comment(file, entry.value) or coerce.tag(file, entry.value)
    if comment is not None:
        yield from _quoted(file, entry, comment)
    edits = edit.replace_value(file.document.text, entry, placeholder(file, key))
    yield Proposal(f"Write a {code(key.name)}", edits)


def filled(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Fills a description that the runtime takes for missing, since it is blank."""
    entry = entry_at(file, diagnostic.span)
    value = entry.value if entry is not None else None
    if header.is_empty(value) or (isinstance(value, Scalar) and not value.value.strip()):
        yield from described(file, diagnostic)


def kept(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Puts quotes around a value, so that none of it is lost."""
    text = file.document.text
    if text.startswith(("...", "---"), diagnostic.span.start):
        line = whole_line(text, diagnostic.span.start)
        yield Proposal("Remove the line", (TextEdit(line, ""),))
        return
    for level in header.levels(file):
        for entry in level.mapping.entries:
            if _is_on_line(text, entry, diagnostic) and entry.key.span.end < diagnostic.span.start:
                yield from _quoted(file, entry, diagnostic.span)
    at = node_path(file, diagnostic.span)
    if at is not None and at.sequence is not None:
        yield Proposal(f"Remove {code(diagnostic.span.of(text))}", removed(file, at))
    sign = TextEdit(Span(diagnostic.span.start, diagnostic.span.start + 1), "")
    if text.startswith(("!", "&"), diagnostic.span.start):
        yield Proposal(f"Remove the {code(text[diagnostic.span.start])}", (sign,))


def outdented(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Makes a key of a line that is indented into the text above it, with the lines below it."""
    text, inner, top = file.document.text, file.document.frontmatter.inner, header.root(file)
    if top is None or not top.entries or file.dialect.is_toml:
        return
    indent = diagnostic.span.start - line_start(text, diagnostic.span.start)
    first = top.entries[0].key.span.start
    column = first - line_start(text, first)
    edits: list[TextEdit] = []
    start = line_start(text, diagnostic.span.start)
    while start < inner.end:
        line = whole_line(text, start)
        blanks = len(line.of(text)) - len(line.of(text).lstrip(" "))
        if line.of(text).strip() and blanks < indent:
            break
        cut = min(blanks, indent - column)
        if cut:
            edits.append(TextEdit(Span(start, start + cut), ""))
        start = line.end
    if not edits:
        # The text is in quotes.
        return
    colon = text.find(":", diagnostic.span.end) + 1
    if text[colon] == "[":
        edits.append(TextEdit(Span(colon, colon), " "))
    edits.sort(key=lambda edit: edit.span)
    title = f"Make {code(diagnostic.span.of(text))} a key of the header"
    yield Proposal(title, tuple(edits), safe=True)


def _is_about(file: TemplateFile, diagnostic: Diagnostic, level: Level) -> bool:
    """Whether a finding about a missing key is about the mapping `level`."""
    if level.within is None:
        return diagnostic.span in (header.opening(file), level.mapping.span)
    return level.mapping.span.start <= diagnostic.span.start <= level.mapping.span.end


def _lacking(file: TemplateFile, level: Level) -> Iterator[Key]:
    missing = {error.key.rpartition(".")[2] for error in header.errors(file, LoadErrorKind.MISSING)}
    for key in level.keys:
        is_needed = key.mandatory or key.required_by or key.name in missing
        # A placeholder cannot name a persona: nobody would know the name.
        is_free = key.role is not KeyRole.PERSONA_NAME
        if is_needed and is_free and level.mapping.get(key.name) is None:
            yield key


def _key(file: TemplateFile, level: Level, key: Key) -> Iterator[Proposal]:
    names = [inner.name for inner in level.keys]
    above = names[: names.index(key.name)]
    after = next((entry.name for entry in level.mapping.entries if entry.name in above), None)
    value = placeholder(file, key)
    edits = edit.insert_entry(file.document.text, level.mapping, key.name, value, after)
    yield Proposal(f"Add {code(key.name)}", edits, safe=key.role is KeyRole.AGENT)


def _quoted(file: TemplateFile, entry: Entry, until: Span) -> Iterator[Proposal]:
    """Puts quotes around the value of `entry` up to the end of `until`."""
    text, value = file.document.text, entry.value
    if not isinstance(value, Scalar):
        return
    span = Span(min(value.span.start, until.start), max(value.span.end, until.end))
    source = span.of(text).strip()
    if "\n" in source or source.startswith(("'", '"')):
        return
    start = span.start + span.of(text).index(source)
    key = key_for(file, entry)
    # In any other value, the character itself is as likely to be the mistake.
    is_safe = key is not None and key.role is KeyRole.DESCRIPTION
    edits = (TextEdit(Span(start, start + len(source)), in_quotes(source)),)
    yield Proposal("Put it in quotes", edits, is_safe)


def _is_on_line(text: str, entry: Entry, diagnostic: Diagnostic) -> bool:
    return line_start(text, entry.key.span.start) == line_start(text, diagnostic.span.start)


def declarations(
    file: TemplateFile, key: Key, top: Mapping, names: list[str]
) -> tuple[TextEdit, ...]:
    """Declares `names` after the existing personas, or below the last key."""
    text = file.document.text
    entry = top.get(key.name)
    node = entry.node if entry is not None else None
    end = line_end(text)
    if isinstance(node, Sequence) and node.items and entry is not None:
        last = node.items[-1].span
        if node.flow:
            records = ", ".join(_in_braces(file, key, name) for name in names)
            return (TextEdit(Span(last.end, last.end), f", {records}"),)
        first = node.items[0].span.start
        column = line_start(text, first)
        indent = text[column:first].partition("-")[0]
        if indent.strip():
            return ()
        stop = line_stop(text, last.end)
        lines = "".join(f"{end}{line}" for line in _lines(file, key, names, indent))
        return (TextEdit(Span(stop, stop), lines),)
    if entry is not None or top.flow or not top.entries:
        return ()
    stop = line_stop(text, top.entries[-1].span.end)
    at = top.entries[0].key.span.start
    indent = text[line_start(text, at) : at]
    rows = (f"{indent}{key.name}:", *_lines(file, key, names, f"{indent}  "))
    return (TextEdit(Span(stop, stop), "".join(f"{end}{row}" for row in rows)),)


def _lines(file: TemplateFile, key: Key, names: list[str], indent: str) -> Iterator[str]:
    first, *others = coerce.required(key)
    for name in names:
        yield f"{indent}- {first.name}: {quote(name)}"
        for inner in others:
            yield f"{indent}  {inner.name}: {quote(placeholder(file, inner))}"


def _in_braces(file: TemplateFile, key: Key, name: str) -> str:
    first, *others = coerce.required(key)
    more = (f", {one.name}: {quote(placeholder(file, one), flow=True)}" for one in others)
    return f"{{{first.name}: {quote(name, flow=True)}{''.join(more)}}}"


def line_stop(text: str, at: int) -> int:
    """The offset at which the line of `at` ends, before a CR or LF."""
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if text[stop - 1 : stop] == "\r" else stop


_AGENT_PROMPT = "TODO: the prompt of this agent."


def written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Adds a placeholder prompt below the header."""
    del diagnostic
    text, at = file.document.text, file.document.frontmatter.body.start
    end = line_end(text)
    before = "" if text[:at].endswith("\n") else end
    after = end if text[at:].strip() else ""
    yield Proposal(
        "Add a prompt", (TextEdit(Span(at, at), f"{before}{_AGENT_PROMPT}{end}{after}"),)
    )
