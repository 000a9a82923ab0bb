"""What may be inserted at a cursor.

Invariants: everything offered comes from the dialect's tables, the file and the settings; an
insertion replaces exactly what is typed, and leaves a sound header sound.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.completion.header import header
from agent_lsp.analysis.completion.items import items
from agent_lsp.analysis.completion.keys import keys
from agent_lsp.analysis.completion.listed import listed
from agent_lsp.analysis.completion.offer import Completion, CompletionKind
from agent_lsp.analysis.completion.personas import markers
from agent_lsp.analysis.completion.places import at_place
from agent_lsp.analysis.completion.values import values
from agent_lsp.analysis.cursor import ItemPlace, KeyPlace, MarkerPlace, ValuePlace, place
from agent_lsp.analysis.tables import completion as tables
from agent_lsp.workspace.index import Subject, Workspace, subject

__all__ = ["Completion", "CompletionKind", "complete"]


def complete(workspace: Workspace, path: Path, offset: int) -> tuple[Completion, ...]:
    """The completions at `offset` of the template at `path`, in order; none for other files."""
    of = subject(workspace, path)
    if of is None:
        return ()
    offset = max(0, min(offset, len(of.document.text)))
    return tuple(sorted(_offers(of, offset), key=lambda found: found.sort))


def _offers(of: Subject, offset: int) -> Iterator[Completion]:
    if of.dialect.keys_at is not None:
        yield from tables.complete(of, offset)
        return
    if of.dialect.place is not None:
        yield from at_place(of, offset)
        return
    yield from header(of, offset)
    in_text = listed(of, offset)
    if in_text is not None:
        yield from in_text
        return
    match place(of, offset):
        case KeyPlace() as at:
            yield from keys(of, at)
        case ValuePlace() as at:
            yield from values(of, at)
        case ItemPlace() as at:
            yield from items(of, at)
        case MarkerPlace() as at:
            yield from markers(of, at)
