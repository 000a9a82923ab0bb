"""Fixes for a text in the header that needs quotes or a block.

Invariant: what is read after the fix is the text that stood there, sign by sign.
"""

import re
import textwrap
from collections.abc import Iterator
from itertools import dropwhile

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.writing import in_quotes, line_end, whole_value
from agent_lsp.analysis.rules import unquoted_text
from agent_lsp.analysis.rules.too_late import too_late
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import ValueKind
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import TemplateFile

_INDENT = "  "
_TO_THE_AGENT = re.compile(r"You(?:\s|.re\s|r\s)|#{1,6}[ \t]")
_KEY = re.compile(r"[a-z][\w-]*:(?:\s|$)")


def quoted(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Quotes around a text on one line, a block for one that goes on."""
    text = next((text for text in unquoted_text.texts(file) if text.span == diagnostic.span), None)
    if text is None:
        return
    source = text.span.of(file.document.text)
    if not text.goes_on:
        key = file.dialect.key(text.key)
        whole = whole_value(file, text.span, prose=key is None or key.kind is ValueKind.TEXT)
        if whole is not None:
            title = "Put it in quotes" if whole == text.span else "Put all of it in quotes"
            quotes = in_quotes(whole.of(file.document.text))
            yield Proposal(title, (TextEdit(whole, quotes),), safe=True)
        return
    end = line_end(file.document.text)
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    if text.indented:
        lines[1:] = textwrap.dedent("\n".join(lines[1:])).split("\n")
    block = end.join(["|", *(_INDENT + line if line.strip() else "" for line in lines)])
    title = "Write it as a block"
    prompt = None if text.indented else _prompt(file, text.span)
    if prompt is not None:
        title = f"{title}, with {code(prompt)} in it"
    # The last line may be a key of the author's own that was to stay one.
    is_safe = prompt is None and _KEY.match(lines[-1]) is None
    yield Proposal(title, (TextEdit(text.span, block),), safe=is_safe)


def _prompt(file: TemplateFile, span: Span) -> str | None:
    """The line of a text with which the prompt may begin, where no key stands below it."""
    text, end = file.document.text, file.document.frontmatter.inner.end
    if text[span.end : end].strip():
        return None
    late = too_late(file)
    if late is not None and late.start.start < span.end:
        return late.start.of(text).strip()
    rows = span.of(text).splitlines()
    below = dropwhile(str.strip, rows)
    apart = next((row for row in below if row.strip() and not row.startswith((" ", "<"))), None)
    spoken = next((row for row in rows[1:] if _TO_THE_AGENT.match(row)), None)
    return spoken or apart
