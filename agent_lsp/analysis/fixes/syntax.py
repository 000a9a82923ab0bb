"""Fixes for headers and files that are not valid YAML or TOML, by what the author probably meant.

Invariants: every repair of the place is proposed, the likeliest first, and verification decides
which one lets the runtime's parser continue. A bracket or quote of YAML is not closed if the header
would become a list or a text. In TOML nothing is closed on a line where nothing is open.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce
from agent_lsp.analysis.checks.header_invalid import ENDED_BY_COMMENT
from agent_lsp.analysis.checks.messages import code, unquoted
from agent_lsp.analysis.checks.yaml_mistakes import BLOCK_MARK, LINE_ENDS
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import (
    block_end,
    in_quotes,
    line_start,
    node_path,
    whole_line,
    whole_value,
)
from agent_lsp.model.check import Proposal
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_BEFORE = regex(r"[ \t]*(?:-[ \t]+)*[\"']?([\w-]+)[\"']?[ \t]*:[ \t]+$")
_GLUED_KEY = regex(r"([\w-]+):(?=[^ \t\r\n/])")
_PLAIN_ENTRY = regex(r"[ \t]*(?:-[ \t]+)*[\w-]+:[ \t]+(?P<value>[^\s\"'\[{|>&*#!-][^\r\n]*)")
_INDENT = regex(r"^[ \t]+", re.MULTILINE)
_COMMENT = regex(r"^[ \t]*#.*", re.MULTILINE)
_PAIRS = {"[": "]", "{": "}", '"': '"', "'": "'"}
_KEY_ALONE = regex(r"(?P<key>\w[\w-]*)(?:[ \t]*(?P<sign>=>|->|=(?!=))[ \t]*|[ \t]+)(?=[^\s=-])")


def yaml_repaired(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Proposes repairs of the text under the finding."""
    source = diagnostic.span.of(file.document.text)
    if not source:
        return
    if source.startswith("\ufeff"):
        mark = Span(diagnostic.span.start, diagnostic.span.start + 1)
        yield Proposal("Remove the byte-order mark", (TextEdit(mark, ""),))
    if _is_at_top(file, diagnostic.span):
        yield from _unwrapped(diagnostic.span, source)
    else:
        yield from _closed(file, diagnostic.span, source)
    yield from _below_comment(file, diagnostic.span)
    yield from _below_mark(file, diagnostic.span)
    yield from _signs(diagnostic.span, source)
    if not source.strip("\t"):
        yield from _without_tabs(file)
    yield from _glued(file, diagnostic.span, source)
    yield from _quoted(file, diagnostic.span, source)
    yield from _indented(file, diagnostic.span)
    text = file.document.text
    start, end = line_start(text, diagnostic.span.start), block_end(text, diagnostic.span.start)
    lines = Span(start, whole_line(text, end).end)
    what = "the line" if lines == whole_line(text, start) else "the lines"
    yield Proposal(f"Remove {what}", (TextEdit(lines, ""),), last=True)


def _is_at_top(file: TemplateFile, span: Span) -> bool:
    """Whether the header begins with `span`: closed, it would make the header a list or a text."""
    above = file.document.text[file.document.frontmatter.inner.start : span.start]
    return not _COMMENT.sub("", above).strip()


def _unwrapped(span: Span, source: str) -> Iterator[Proposal]:
    """Removes a bracket or a quote before the first key, with the one that closes it."""
    if source[0] not in _PAIRS:
        return
    first, last = (Span(span.start, span.start + 1), Span(span.end - 1, span.end))
    if len(source) > 1 and source[-1] == _PAIRS[source[0]]:
        both = (TextEdit(first, ""), TextEdit(last, ""))
        what = (
            "the quotes" if source[0] == source[-1] else f"{code(source[0])} and {code(source[-1])}"
        )
        yield Proposal(f"Remove {what}", both)
    else:
        yield Proposal(f"Remove {code(source[0])}", (TextEdit(first, ""),))


def _closed(file: TemplateFile, span: Span, source: str) -> Iterator[Proposal]:
    """Closes an open quote or bracket; a key that wants a text gets no list."""
    key = _owner(file, span)
    if source[0] in "[{" and key is not None and key.kind in (ValueKind.TEXT, ValueKind.CHOICE):
        return
    whole = whole_value(file, span, prose=source[0] in "\"'")
    closer = {"[": "]", "{": "}"}.get(source[0])
    if whole is None:
        return
    end, inside = Span(whole.end, whole.end), whole.of(file.document.text)
    if source[0] in "\"'" and inside.count(source[0]) == 1:
        yield Proposal(f"Close it with {code(source[0])}", (TextEdit(end, source[0]),), True)
    elif closer is not None and inside.count(source[0]) == inside.count(closer) + 1:
        yield Proposal(f"Close it with {code(closer)}", (TextEdit(end, closer),), True)


def _signs(span: Span, source: str) -> Iterator[Proposal]:
    """Replaces characters that YAML does not accept."""
    if not source.strip("\t"):
        blanks = "  " * len(source)
        yield Proposal("Use spaces instead of tabs", (TextEdit(span, blanks),), True)
        yield Proposal("Remove the tab", (TextEdit(span, ""),), True)
    elif source[0] in LINE_ENDS[2:]:
        first = Span(span.start, span.start + 1)
        yield Proposal("Replace it with a space", (TextEdit(first, " "),), True)
    elif source == "," or not source[0].isprintable():
        yield Proposal("Remove it", (TextEdit(span, ""),), True)
    if source.startswith("\\/"):
        # JSON has this escape, and there it is the sign itself.
        at = Span(span.start, span.start + 1)
        yield Proposal("Write `/`", (TextEdit(at, ""),), safe=True)
    elif source[0] == "\\":
        at = Span(span.start, span.start)
        yield Proposal(r"Write `\\`", (TextEdit(at, "\\"),), safe=True)


def _without_tabs(file: TemplateFile) -> Iterator[Proposal]:
    """Takes the tabs out of the indents of all lines: to YAML, one alone is as bad as many."""
    inner = file.document.frontmatter.inner
    found = tuple(_INDENT.finditer(file.document.text, inner.start, inner.end))
    for title, instead in (("Use spaces instead of tabs", "  "), ("Remove the tabs", "")):
        edits = (
            TextEdit(Span(*one.span()), one[0].replace("\t", instead))
            for one in found
            if "\t" in one[0]
        )
        yield Proposal(title, tuple(edits), safe=True)


def _glued(file: TemplateFile, span: Span, source: str) -> Iterator[Proposal]:
    """Adds a missing blank or colon."""
    if re.match(r"-[^\s-]", source):
        at = Span(span.start + 1, span.start + 1)
        yield Proposal("Write a space after the dash", (TextEdit(at, " "),), safe=True)
    glued = _GLUED_KEY.match(source)
    if glued is not None:
        after = span.start + glued.end()
        # A blank of another kind is replaced by a plain one.
        odd = Span(after, after + (source[glued.end()].isspace()))
        yield Proposal("Write a space after the colon", (TextEdit(odd, " "),), safe=True)
    yield from _separated(file, span, source)


def _separated(file: TemplateFile, span: Span, source: str) -> Iterator[Proposal]:
    """A key of the dialect and its value get the colon between them, and a list its brackets."""
    found = _KEY_ALONE.match(source)
    key = file.dialect.schema.by_name().get(found["key"]) if found is not None else None
    if found is None or key is None:
        return
    # A colon before another sign would make the sign a part of the value.
    sign, name = found["sign"], code(found["key"])
    title = f"Replace {code(sign)} with `:`" if sign else f"Write a colon after {name}"
    between = Span(span.start + found.end("key"), span.start + found.end())
    yield Proposal(title, (TextEdit(between, ": "),), safe=True)
    names = coerce.names(source[found.end() :]) if key.kind is ValueKind.LIST else ()
    if names:
        listing = f"[{', '.join(quote(name, flow=True) for name in names)}]"
        edit = TextEdit(Span(between.start, span.end), f": {listing}")
        yield Proposal(f"{title}, and write {code(listing)}", (edit,), safe=True)


def _quoted(file: TemplateFile, span: Span, source: str) -> Iterator[Proposal]:
    """Puts a value in quotes, down to its last line, or a list in brackets."""
    text, key = file.document.text, _owner(file, span)
    if key is not None and key.kind is ValueKind.TEXT and source[0] in "[{" and _is_policy(key):
        yield Proposal(
            f"Remove {code(source[0])}", (TextEdit(Span(span.start, span.start + 1), ""),)
        )
        return
    whole = whole_value(file, span, prose=key is not None and key.kind is ValueKind.TEXT)
    # Text at the start of a line is not a value.
    if (
        whole is None
        or "\n" in source
        or not text[line_start(text, span.start) : span.start].strip()
    ):
        return
    if whole != span:
        if key is None or key.kind is ValueKind.TEXT:
            edits = (TextEdit(whole, in_quotes(_bare(whole.of(text)))),)
            yield Proposal("Put all of it in quotes", edits, safe=True)
        return
    if key is not None and key.kind is ValueKind.LIST:
        names = coerce.names(source)
        if names and not (len(names) == 1 and coerce.is_amount(names[0])):
            listing = f"[{', '.join(quote(name, flow=True) for name in names)}]"
            yield Proposal(f"Write {code(listing)}", (TextEdit(span, listing),), safe=True)
    bare = unquoted(source)
    is_quoted = bare == source[1:-1] and not {source[0], source[-1]} & set(bare)
    if (is_quoted and not source[0].isascii()) or re.fullmatch(r"'.*\w'\w.*'", source):
        # Quoted text gets new quotes of a kind that it does not contain.
        yield Proposal("Put it in other quotes", (TextEdit(span, in_quotes(bare)),), safe=True)
    yield Proposal("Put it in quotes", (TextEdit(span, in_quotes(source)),), safe=True)


def _is_policy(key: Key) -> bool:
    """Whether a key allows or denies tools: in quotes, a bracket would be part of a name."""
    return key.role in (KeyRole.ALLOW, KeyRole.DENY)


def _bare(source: str) -> str:
    """`source` without the quotes around it, if any."""
    is_quoted = source[0] in "\"'" and source[0] == source[-1] and "\\" not in source
    return source[1:-1] if is_quoted and len(source) > 1 else source


def _indented(file: TemplateFile, span: Span) -> Iterator[Proposal]:
    """Aligns a line with each line above it, the nearest first."""
    text, inner = file.document.text, file.document.frontmatter.inner
    start = line_start(text, span.start)
    rows = text[inner.start : start].split("\n")[::-1]
    columns = dict.fromkeys(row[: len(row) - len(row.lstrip(" "))] for row in rows if row.strip())
    indent = Span(start, start + len(text[start:]) - len(text[start:].lstrip(" ")))
    for column in columns:
        yield Proposal("Indent it like the lines above", (TextEdit(indent, column),))


def _below_comment(file: TemplateFile, span: Span) -> Iterator[Proposal]:
    """Puts a text in quotes that `#` ends, down to its last line, or removes the comment."""
    text, inner = file.document.text, file.document.frontmatter.inner
    at = line_start(text, span.start)
    line = whole_line(text, at - 1)
    ended = ENDED_BY_COMMENT.search(line.of(text).strip()) if at > inner.start else None
    if ended is None:
        return
    comment = Span(line.start, line.start + len(line.of(text).rstrip()))
    comment = Span(len(text[: comment.end - len(ended[1])].rstrip()), comment.end)
    entry = None
    while line.start >= inner.start and entry is None:
        entry = _PLAIN_ENTRY.match(text, line.start, line.end)
        if entry is None and not text[line.start : line.end].startswith((" ", "\t")):
            return
        line = whole_line(text, line.start - 1)
    if entry is None:
        return
    value = Span(entry.start("value"), entry.start("value") + len(entry["value"].rstrip()))
    key, whole = _owner(file, value), whole_value(file, value, prose=True)
    is_text = key is None or key.kind is ValueKind.TEXT
    if whole is not None and is_text and whole.end >= span.end:
        source = whole.of(text)
        edits = (TextEdit(whole, in_quotes(source)),)
        # Behind `# ` somebody may have written what is not for the runtime.
        yield Proposal("Put all of it in quotes", edits, safe=not re.search(r"\s#\s", source))
    yield Proposal("Remove the comment", (TextEdit(comment, ""),))


def _below_mark(file: TemplateFile, span: Span) -> Iterator[Proposal]:
    """Indents the text below the mark of a block, up to the next key that the runtime knows."""
    text, inner = file.document.text, file.document.frontmatter.inner
    start = line_start(text, span.start)
    if not BLOCK_MARK.search(text[inner.start : start].rstrip("\r\n")):
        return
    keys, at, edits = file.dialect.schema.by_name(), start, []
    for row in text[start : inner.end].splitlines(keepends=True):
        key, colon, _ = row.partition(":")
        if colon and key in keys:
            break
        if row.strip():
            edits.append(TextEdit(Span(at, at), "  "))
        at += len(row)
    yield Proposal("Indent the text", tuple(edits))


def _owner(file: TemplateFile, span: Span) -> Key | None:
    """The key whose value begins at `span`, or None."""
    text = file.document.text
    before = _BEFORE.match(text[line_start(text, span.start) : span.start])
    return file.dialect.schema.by_name().get(before[1]) if before is not None else None


_CLOSERS = ("]", '"', '"]', "'", "}")
_OPENERS = {"]": "[", "}": "{"}
# A line of YAML: a key, which may be dotted, a colon, and a value with a comment behind it.
_KEY = r"\ufeff?[ \t]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|[\w-]+)(?:\.[\w-]+)*"
# Words that no blank follows: the time is linear in long runs of blanks.
_WORDS = r"[^\s#][^ \t\r\n]*(?:[ \t]+(?!#)[^ \t\r\n]+)*"
_VALUE = rf"(?P<value>{_WORDS})(?P<comment>[ \t]+#[^\r\n]*)?[ \t]*"
_COLON = regex(rf"{_KEY}(?P<colon>[ \t]*:[ \t]+){_VALUE}")
_ENTRY = regex(rf"{_KEY}(?P<sign>[ \t]*(?::[ \t]+|=[ \t]*)){_VALUE}")
# Below such a line YAML has more of the table: what is all YAML takes more than other signs.
_TABLE_OF_YAML = regex(r"^[ \t]*[\w.-]+:[ \t]*(?:#.*)?\r?$|^[ \t]*-[ \t]", re.MULTILINE)


def toml_repaired(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A value gets the type that its key takes, or the end that it lacks."""
    text, span = file.document.text, diagnostic.span
    yield from _with_equals_sign(text, span)
    source, at = span.of(text), node_path(file, span)
    is_value = at is not None and at.entry is not None and isinstance(at.node, Scalar)
    if is_value and source and "\n" not in source:
        bare = source.strip("\"'")
        for written in (f"[{source}]", edit.quote(source), bare):
            if written != source:
                yield Proposal(f"Write {code(written)}", (TextEdit(span, written),), safe=True)
    elif source.strip() and not set(source) & set("\"'[]{}=\r\n"):
        written = edit.quote(unquoted(source.strip()))
        yield Proposal(f"Write {code(written)}", (TextEdit(span, written),), safe=True)
    # The parser notices an unclosed value after its last line, or on the next one.
    damage = file.document.tree.damage
    seen = next((one.span for one in damage if toml.unclosed(one, text) == span), span)
    stop = text.find("\n", seen.start)
    end = len(text) if stop < 0 else stop
    behind = len(text[: seen.start].rstrip())
    for stop in dict.fromkeys((end, max(line_start(text, seen.start) - 1, 0), behind)):
        start = line_start(text, stop)
        line = text[start:stop]
        closers = [closer for closer in _CLOSERS if _is_open(line, closer)]
        # A `#` may begin a comment, or be part of what is not closed.
        for length in dict.fromkeys((len(line.partition(" #")[0].rstrip()), len(line.rstrip()))):
            place = Span(start + length, start + length)
            for closer in closers:
                edits = (TextEdit(place, closer),)
                yield Proposal(f"Close it with {code(closer)}", edits, safe=True)
    yield from _all_lines(file)


def _all_lines(file: TemplateFile) -> Iterator[Proposal]:
    """All lines that are not TOML get signs and quotes: a parser may report only one of them."""
    text = file.document.text
    if _TABLE_OF_YAML.search(text):
        return
    starts = sorted({line_start(text, one.span.start) for one in file.document.tree.damage})
    edits = tuple(edit for start in starts for edit in _as_entry(text, start))
    if len(starts) > 1 and edits:
        yield Proposal(f"Write {len(starts)} lines as TOML", edits, safe=True)


def _as_entry(text: str, start: int) -> Iterator[TextEdit]:
    """The edits that make a line of one key and one word or text a line of TOML."""
    line = _ENTRY.fullmatch(whole_line(text, start).of(text).rstrip("\r\n"))
    if line is None:
        return
    if ":" in line["sign"]:
        yield TextEdit(Span(start + line.start("sign"), start + line.end("sign")), " = ")
    value = line["value"]
    if not set(value) & set("\"'[]{}"):
        at = Span(start + line.start("value"), start + line.end("value"))
        yield TextEdit(at, edit.quote(unquoted(value)))


def _with_equals_sign(text: str, span: Span) -> Iterator[Proposal]:
    """A colon behind a key, as YAML has it, becomes an equals sign; text gets quotes."""
    start = line_start(text, span.start)
    row = whole_line(text, start).of(text).rstrip("\r\n")
    line = _COLON.fullmatch(row)
    if line is None or _TABLE_OF_YAML.search(text):
        return
    sign = TextEdit(Span(start + line.start("colon"), start + line.end("colon")), " = ")
    value = line["value"]
    yield Proposal("Replace `:` with `=`", (sign,), safe=True)
    if not set(value) & set("\"'[]{}"):
        at = Span(start + line.start("value"), start + line.end("value"))
        quoted = (sign, TextEdit(at, edit.quote(value)))
        yield Proposal("Replace `:` with `=`, and add quotes", quoted, safe=True)


def _is_open(line: str, closer: str) -> bool:
    """Whether `line` may lack `closer` at its end: what it closes stands there without one."""
    if closer == '"]':
        return _is_open(line, '"') and _is_open(line, "]")
    opener = _OPENERS.get(closer)
    return (
        line.count(closer) % 2 == 1 if opener is None else line.count(opener) > line.count(closer)
    )
