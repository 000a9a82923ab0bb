"""Fixes for TOML that no parser takes: values without quotes, colons, and what is not closed.

Invariants: each way to write the value is proposed, and the one that the parser accepts passes the
verification; nothing is closed on a line where nothing is open.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, unquoted
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import line_start, node_path, whole_line
from agent_lsp.model.check import Proposal
from agent_lsp.patterns import regex
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.syntax.toml import edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

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


def repaired(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
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
