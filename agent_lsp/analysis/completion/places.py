"""Completions where the dialect itself knows what may stand at a place.

Invariant: a word that is typed, as far as it is, is replaced; quotes that are there stay.
"""

from collections.abc import Iterator

from agent_lsp.analysis import markup
from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.dialects.place import Place, Sort
from agent_lsp.workspace.index import Subject, catalog

_KINDS = {
    Sort.KEY: CompletionKind.KEY,
    Sort.VALUE: CompletionKind.VALUE,
    Sort.TOOL: CompletionKind.TOOL,
    Sort.AGENT: CompletionKind.VALUE,
}


def at_place(of: Subject, offset: int) -> Iterator[Completion]:
    """The words that may stand at `offset`, in the order of the dialect."""
    at = place_at(of, offset)
    for number, word in enumerate(at.offers if at is not None else ()):
        if at is not None:
            yield offer(
                of.document.text,
                at.span,
                word.name,
                _KINDS[at.sort],
                at.shapes.get(word.name) or literal(word.name),
                Words(word.meaning, markup.words(word.meaning)),
                number,
            )


def place_at(of: Subject, offset: int) -> Place | None:
    """What the dialect knows of the word at `offset`, or None."""
    if of.dialect.place is None:
        return None
    agents = frozenset(catalog(of.workspace, of.dialect, of.root).names)
    return of.dialect.place(of.document, offset, agents)
