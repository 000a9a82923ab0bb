"""Whether the line that closes a header stands above a part of it.

Invariant: the runtime takes the first line `---`, wherever it stands; that the author cannot
have meant this one is told by what stands below it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.rules import header, parts
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile

_FIRST = re.compile(r"\s*^([ \t]*)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Early:
    """A line that closes a header of which more follows.

    `names` are the keys below it, the first of them at `below`; `within` is the key of the text
    that the line stands in; `second` tells of another line `---` right below it; `closed` of one
    below all of the rest.
    """

    close: Span
    names: tuple[str, ...]
    below: Span | None = None
    within: str | None = None
    second: bool = False
    closed: bool = False


def too_early(file: TemplateFile) -> Early | None:
    """The line that closes the header although more of it follows, or None."""
    cut = file.document.frontmatter
    if not header.is_seen(file) or cut.fence is not FenceKind.CLOSED or cut.close is None:
        return None
    return _in_text(file, cut.close) or (_below(file, cut.close) if header.parses(file) else None)


def lacking(file: TemplateFile, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `names` that the header does not have."""
    top = header.root(file)
    return tuple(name for name in names if top is None or top.get(name) is None)


def _in_text(file: TemplateFile, close: Span) -> Early | None:
    """The closing line inside of a text that goes on below, in a header that is sound with it."""
    text, cut = file.document.text, file.document.frontmatter
    following, problem = _FIRST.match(text, cut.body.start), file.document.tree.problem
    is_deeper = following is not None and following[1] != ""
    if not is_deeper and (problem is None or "end of stream" not in problem.message):
        return None
    second, end = parts.fence(file, cut.body.start)
    # A blank line is fine in every kind of text, and keeps the offsets.
    whole = text[cut.inner.start : close.start] + " " * len(close) + text[close.end : end]
    top = parts.mapping(whole, cut.inner.start)
    within = next(_around(top, close), None) if top is not None else None
    if top is None or within is None:
        return None
    known = {key.name: key for key in file.dialect.keys}
    lost = tuple(
        entry for entry in top.entries if entry.name in known and entry.span.end > within.span.end
    )
    if not lost and not text[close.start].isspace():
        return None
    names = tuple(dict.fromkeys(entry.name or "" for entry in lost))
    below = next((entry.key.span for entry in lost if entry.key.span.start > close.end), None)
    return Early(close, names, below, within.name or "", closed=second is not None)


def _around(top: Mapping, close: Span) -> Iterator[Entry]:
    """The entry whose text begins before the line `close` and ends after it."""
    waiting: list[Mapping | Sequence] = [top]
    while waiting:
        node = waiting.pop()
        values: list[tuple[Entry | None, Node | None]] = (
            [(entry, entry.value) for entry in node.entries]
            if isinstance(node, Mapping)
            else [(None, item) for item in node.items]
        )
        for entry, value in values:
            if value is None or not value.span.start < close.start <= close.end < value.span.end:
                continue
            if isinstance(value, Mapping | Sequence):
                waiting.append(value)
            elif entry is not None:
                yield entry


def _below(file: TemplateFile, close: Span) -> Early | None:
    """The closing line with keys of the dialect right below it."""
    start = file.document.frontmatter.body.start
    second = parts.opening(file, start)
    found = parts.header_like(file, second.end + 1 if second is not None else start)
    if found is None or (not found.plain and not lacking(file, found.names)):
        return None
    below = found.entries[0].key.span
    is_closed = found.close is not None
    return Early(close, found.names, below, second=second is not None, closed=is_closed)
