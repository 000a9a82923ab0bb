"""Completes what may be inserted at a cursor.

Invariants: every completion item comes from the dialect's tables, the file or the settings. An
insertion replaces exactly what is typed, and a valid header stays valid.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.completion.keys import header, keys
from agent_lsp.analysis.completion.offer import Completion, CompletionKind
from agent_lsp.analysis.completion.prompt import (
    agents,
    paths,
    personas,
    variables,
    words_at,
)
from agent_lsp.analysis.completion.values import items, listed, markers, values
from agent_lsp.analysis.context.cursor import (
    ItemContext,
    KeyContext,
    MarkerContext,
    ValueContext,
    context_at,
)
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, as_others_read, template_file

__all__ = ["Completion", "CompletionKind", "complete"]


def complete(workspace: Workspace, path: Path, offset: int) -> tuple[Completion, ...]:
    """The completion items at `offset` of the template at `path`; none for other files.

    They are in the order in which an editor shows them.
    """
    file = template_file(workspace, path)
    # Of a file that cannot be read, no place is known.
    if file is None or file.source.problem is not None:
        return ()
    offset = max(0, min(offset, len(file.document.text)))
    found = tuple(_offers(file, offset))
    # A key may be one of another program of the system alone.
    for other in as_others_read(file) if not found else ():
        if other.dialect.system is file.dialect.system:
            found = found or tuple(_offers(other, offset))
    return tuple(sorted(found, key=lambda one: one.sort))


def _offers(file: TemplateFile, offset: int) -> Iterator[Completion]:
    if file.dialect.format.is_text:
        yield from words_at(file, offset)
        return
    yield from header(file, offset)
    yield from variables(file, offset)
    yield from words_at(file, offset)
    yield from agents(file, offset)
    yield from personas(file, offset)
    yield from paths(file, offset)
    in_text = listed(file, offset)
    if in_text is not None:
        yield from in_text
        return
    match context_at(file, offset):
        case KeyContext() as at:
            yield from keys(file, at)
        case ValueContext() as at:
            yield from values(file, at)
        case ItemContext() as at:
            yield from items(file, at)
        case MarkerContext() as at:
            yield from markers(file, at)
