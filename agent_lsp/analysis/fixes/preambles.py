"""Fixes for a block of TOML in a prompt: its place, and values of another type.

Invariant: each way to write a value is proposed; the trial decides which one is sound.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.writing import line_end, line_start, whole_line
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import ValueKind
from agent_lsp.syntax import toml_edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import TemplateFile

# A key, its value, and a comment behind it.
_ENTRY = re.compile(r"[ \t]*(?P<key>[\w-]+)[ \t]*=[ \t]*(?P<value>[^#\r\n]*?)[ \t]*(?:#[^\r\n]*)?")
_ITEM = re.compile(r"[^\s,\[\]\"']+")


def moved_up(file: TemplateFile, _found: Diagnostic) -> Iterator[Proposal]:
    """The block goes to the top, with a blank line behind it."""
    text, cut = file.document.text, file.document.frontmatter
    start = line_start(text, cut.open.start)
    end = max(whole_line(text, cut.open.start).end, cut.inner.end)
    end = end if text[end - 1 : end] == "\n" else min(end + len(line_end(text)), len(text))
    block = text[start:end].rstrip("\r\n")
    # The blank line that stood behind it goes with it.
    after = whole_line(text, end)
    stop = after.end if end < len(text) and not after.of(text).strip() else end
    top = len(text) - len(text.lstrip("\ufeff"))
    edits = (TextEdit(Span(top, top), block + line_end(text) * 2), TextEdit(Span(start, stop), ""))
    yield Proposal("Move the block to the top", edits, safe=True)


def retyped(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The value of the entry as its key wants it: in quotes, or as a list of texts."""
    text = file.document.text
    line = whole_line(text, diagnostic.span.start)
    entry = _ENTRY.fullmatch(text[line.start : line.end].rstrip("\r\n"))
    key = file.dialect.key(entry["key"]) if entry is not None else None
    if not file.dialect.is_toml or entry is None or key is None:
        return
    span = Span(line.start + entry.start("value"), line.start + entry.end("value"))
    items = _ITEM.findall(entry["value"])
    if key.kind is ValueKind.LIST:
        written = toml_edit.quote(tuple(items))
    else:
        bare = entry["value"].strip("[]").strip()
        written = toml_edit.quote(bare.strip("\"'"))
    if items and written != entry["value"]:
        edits = (TextEdit(span, written),)
        yield Proposal(
            f"Write {code(written)}", edits, safe=len(items) == 1 or key.kind is ValueKind.LIST
        )
