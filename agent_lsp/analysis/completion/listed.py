"""Completions in a list that is written as a text: `tools: Read, Grep`.

Invariant: what is replaced is the word at the cursor; an agent is offered where a tool takes one.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.completion.items import items
from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.marker import line_at
from agent_lsp.analysis.places import ItemContext
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile, catalog

_ENTRY = re.compile(r"([\w-]+):")
_BEFORE = re.compile(r"[^\s,()]*$")
_AFTER = re.compile(r"[^\s,()]*")
_INSIDE = re.compile(r"(\w+)\([^()]*$")
_ELSEWHERE = tuple("[{|>&*!#")


def listed(file: TemplateFile, offset: int) -> Iterator[Completion] | None:
    """What the text at `offset` may list besides what it has; None where there is no such text."""
    cut, text = file.document.frontmatter, file.document.text
    if cut.fence is FenceKind.ABSENT or not cut.inner.start <= offset <= cut.inner.end:
        return None
    line = line_at(text, offset)
    entry = _ENTRY.match(text, line.start, line.end)
    key = file.dialect.key(entry[1]) if entry is not None else None
    if entry is None or key is None or not key.in_text or offset < entry.end():
        return None
    if text[entry.end() : line.end].lstrip().startswith(_ELSEWHERE):
        return None
    before, after = text[entry.end() : offset], text[offset : line.end]
    left, right = _BEFORE.search(before), _AFTER.match(after)
    start = offset - len(left[0] if left else "")
    typed = Span(start, offset + len(right[0] if right else ""))
    if typed.of(text)[:1] in ("'", '"'):
        typed = Span(typed.start + 1, typed.end)
    inside = _INSIDE.search(before)
    if inside is not None:
        return _agents(file, typed) if inside[1] in file.dialect.takes_agents else iter(())
    value = file.reading.declared.settings.get(key.name)
    others = value.items if value is not None else ()
    names = tuple(one.text for one in others if not one.span.covers(offset))
    spaced = text[start - 1 : start] in (",", ":")
    return items(file, ItemContext(typed, key, names, spaced=spaced))


def _agents(file: TemplateFile, typed: Span) -> Iterator[Completion]:
    """The agents of a session that finds this file, itself left out."""
    found = catalog(file.workspace, file.dialect, file.root).names
    for place, name in enumerate(name for name in found if name != file.name):
        words = Words("an agent of this project, or of the user")
        text = file.document.text
        yield offer(text, typed, name, CompletionKind.VALUE, literal(name), words, place)
