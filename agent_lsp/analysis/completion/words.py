"""Completes words that only the dialect knows, and the variables of a prompt.

Invariant: an insertion replaces the typed part of the word, and existing quotes stay.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.variables import begun_at
from agent_lsp.analysis.render import markup
from agent_lsp.model.dialect import WordAt, WordKind
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_KINDS = {
    WordKind.KEY: CompletionKind.KEY,
    WordKind.VALUE: CompletionKind.VALUE,
    WordKind.TOOL: CompletionKind.TOOL,
    WordKind.AGENT: CompletionKind.VALUE,
}


def words_at(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The words that may stand at `offset`, in the order of the dialect."""
    at = word_at(file, offset)
    for number, word in enumerate(at.offers if at is not None else ()):
        if at is not None:
            yield offer(
                file.document.text,
                at.span,
                word.name,
                _KINDS[at.sort],
                at.shapes.get(word.name) or literal(word.name),
                Words(word.meaning, markup.words(word.meaning)),
                number,
            )


def word_at(file: TemplateFile, offset: int) -> WordAt | None:
    """The dialect's entry for the word at `offset`, or None."""
    if file.dialect.schema.word_at is None:
        return None
    agents = frozenset(catalog_of(file).names)
    return file.dialect.schema.word_at(file.document, offset, agents)


def variables(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The variables that the text typed at `offset` may begin."""
    begun = begun_at(file, offset)
    for place, one in enumerate(file.dialect.format.variables if begun is not None else ()):
        if begun is not None:
            typed, is_closed = begun
            body = literal(one.name if is_closed else f"{one.name}}}")
            words = Words(one.meaning)
            yield offer(
                file.document.text, typed, one.name, CompletionKind.VALUE, body, words, place
            )
