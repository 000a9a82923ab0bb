"""Completions for the variables of a prompt.

Invariant: what is offered is what the runtime replaces; a brace that is there stays the only one.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.variables import begun_at
from agent_lsp.workspace.snapshot import TemplateFile


def variables(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The variables that may be meant by what is typed at `offset`."""
    begun = begun_at(file, offset)
    for place, one in enumerate(file.dialect.format.variables if begun is not None else ()):
        if begun is not None:
            typed, is_closed = begun
            body = literal(one.name if is_closed else f"{one.name}}}")
            words = Words(one.meaning)
            yield offer(
                file.document.text, typed, one.name, CompletionKind.VALUE, body, words, place
            )
