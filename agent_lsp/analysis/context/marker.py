"""Finds the context of a cursor in a line that starts a persona's block, or is about to.

Invariant: the syntax of such a line comes from the dialect's own `marker`.
"""

from agent_lsp.analysis.context.contexts import MarkerContext
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_COMMENT = "<!--"
_CLOSE = "-->"


def marker_context(file: TemplateFile, offset: int) -> MarkerContext | None:
    """The marker at `offset` in the body, or None."""
    if file.dialect.format.marker is None:
        return None
    text = file.document.text
    line = line_at(text, offset)
    written = line.of(text)
    opener, _, closer = file.dialect.format.marker("\0").partition("\0")
    start = line.start + len(written) - len(written.lstrip())
    begun = Span(start, max(start, line.start + len(written.rstrip())))
    if begun.of(text).startswith(opener.rstrip()):
        return _name(text, line, begun, opener.rstrip(), closer, offset)
    if offset > start and _begins(begun.of(text), opener):
        return MarkerContext(line, Span(start, max(begun.end, offset)), whole=True)
    return None


def line_at(text: str, offset: int) -> Span:
    """The line at `offset` without its end; as in runtimes, only LF and CRLF end a line."""
    start = text.rfind("\n", 0, offset) + 1
    stop = text.find("\n", offset)
    if stop < 0:
        return Span(start, len(text))
    return Span(start, stop - 1 if stop > start and text[stop - 1] == "\r" else stop)


def _begins(written: str, opener: str) -> bool:
    """Whether `written` is the start of a marker, which the editor may already have closed."""
    inner = written.removesuffix(_CLOSE) if written.startswith(_COMMENT) else written
    return bool(written) and opener.startswith(inner.rstrip())


def _name(
    text: str, line: Span, begun: Span, opener: str, closer: str, offset: int
) -> MarkerContext:
    closed = begun.of(text).endswith(closer.strip()) and len(begun) >= len(opener + closer.strip())
    inner = Span(begun.start + len(opener), begun.end - len(closer.strip()) * closed)
    if not closed:
        inner = Span(inner.start, line.end)
    written = inner.of(text)
    if written.strip():
        start = inner.start + len(written) - len(written.lstrip())
        name = Span(start, start + len(written.strip()))
        typed = name if name.covers(offset) else None
    else:
        name = None
        typed = Span(offset, offset) if inner.covers(offset) else None
    at = typed or inner
    lead = "" if text[at.start - 1].isspace() else " "
    gap = text[at.end : at.end + 1]
    tail = ("" if gap.isspace() else " ") if closed else closer
    return MarkerContext(line, typed, name, lead=lead, tail=tail)
