"""Fixes for a call that is written as JSON in a prompt, and is none.

Invariant: each way to make JSON of it is proposed; the trial decides which one is.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.rules.wording import code
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import TemplateFile

_COMMA = re.compile(r",(?=[ \t]*[}\]])")
# A call, its arguments and what is in them: nobody nests deeper.
_DEEPEST = 4
_TOOL = re.compile(r'"tool"(?=\s*:)')


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
