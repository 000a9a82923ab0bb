"""Quick fixes for role templates: the place of the block, its values, and tool calls.

Invariant: a call is closed or wrapped, and nothing in it is invented.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import line_end, line_start, whole_line
from agent_lsp.analysis.fixes.syntax import toml_repaired
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.model.schema import ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.toml import edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

# A key, its value, and a comment behind it.
_ENTRY = regex(r"[ \t]*(?P<key>[\w-]+)[ \t]*=[ \t]*(?P<value>[^#\r\n]*?)[ \t]*(?:#[^\r\n]*)?")
_ITEM = regex(r"[^\s,\[\]\"']+")


def moved_up(file: TemplateFile, _found: Diagnostic) -> Iterator[Proposal]:
    """The block goes to the top, with a blank line behind it."""
    text, frontmatter = file.document.text, file.document.frontmatter
    start = line_start(text, frontmatter.open.start)
    end = max(whole_line(text, frontmatter.open.start).end, frontmatter.inner.end)
    end = end if text[end - 1 : end] == "\n" else min(end + len(line_end(text)), len(text))
    block = text[start:end].rstrip("\r\n")
    # The blank line that stood behind it goes with it.
    after = whole_line(text, end)
    stop = after.end if end < len(text) and not after.of(text).strip() else end
    top = len(text) - len(text.lstrip("\ufeff"))
    edits = (TextEdit(Span(top, top), block + line_end(text) * 2), TextEdit(Span(start, stop), ""))
    yield Proposal("Move the block to the top", edits, safe=True)


def retyped(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The value of the entry as its key wants it: in quotes, or as a list of strings."""
    text = file.document.text
    line = whole_line(text, diagnostic.span.start)
    entry = _ENTRY.fullmatch(text[line.start : line.end].rstrip("\r\n"))
    key = file.dialect.key(entry["key"]) if entry is not None else None
    if not file.dialect.is_toml or entry is None or key is None:
        return
    span = Span(line.start + entry.start("value"), line.start + entry.end("value"))
    items = _ITEM.findall(entry["value"])
    if key.kind is ValueKind.LIST:
        written = edit.quote(tuple(items))
    else:
        bare = entry["value"].strip("[]").strip()
        written = edit.quote(bare.strip("\"'"))
    if items and written != entry["value"]:
        edits = (TextEdit(span, written),)
        yield Proposal(
            f"Write {code(written)}", edits, safe=len(items) == 1 or key.kind is ValueKind.LIST
        )
    if items and file.name is not None and key.name == "name":
        # In quotes, another name than that of the file would be the next finding.
        edits = (TextEdit(span, edit.quote(file.name)),)
        yield Proposal(f"Write {code(file.name)}, the name of the file", edits)


_COMMA = regex(r",(?=[ \t]*[}\]])")
# A call, its arguments and what is in them: nobody nests deeper.
_DEEPEST = 4
_TOOL = regex(r'"tool"(?=\s*:)')


def closed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """What is open is closed, and commas go away behind which nothing comes."""
    text, span = file.document.text, diagnostic.span
    commas = tuple(
        TextEdit(Span(*one.span()), "") for one in _COMMA.finditer(text, span.start, span.end)
    )
    if commas:
        yield Proposal("Remove the comma", commas, safe=True)
    for number in range(1, _DEEPEST + 1):
        braces = "}" * number
        edits = (*commas, TextEdit(Span(span.end, span.end), braces))
        yield Proposal(f"Close it with {code(braces)}", edits, safe=True)


def wrapped(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The object goes where it belongs, with the name of the tool under its key."""
    text, span = file.document.text, diagnostic.span
    name = _TOOL.search(text, span.start, span.end)
    renamed = (TextEdit(Span(*name.span()), '"name"'),) if name else ()
    edits = (
        TextEdit(Span(span.start, span.start), '{"tool_call":'),
        *renamed,
        TextEdit(Span(span.end, span.end), "}"),
    )
    yield Proposal("Put it under `tool_call`", edits, safe=True)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "preamble-place": (moved_up,),
    "preamble-syntax": (retyped, toml_repaired),
    "tool-call-json": (closed,),
    "tool-call-wrapper": (wrapped,),
    "wrong-type": (retyped,),
}
