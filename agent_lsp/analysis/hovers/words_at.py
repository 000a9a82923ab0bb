"""Hover on a word whose meaning only the dialect knows, and on the top of such a file."""

from collections.abc import Iterator

from agent_lsp.analysis.completion.places import place_at
from agent_lsp.analysis.hovers import file
from agent_lsp.analysis.marker import line_at
from agent_lsp.analysis.markup import code, codes, link, words
from agent_lsp.analysis.navigation.references import called
from agent_lsp.analysis.nearest import nearest
from agent_lsp.dialects.place import Place, Sort
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def explained(of: Subject, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The span that is explained, and the blocks of the explanation."""
    cut = of.document.cut
    top = line_at(of.document.text, 0) if cut.fence is Fence.ABSENT else cut.open
    at = place_at(of, offset)
    if at is not None and at.word:
        return at.span, _word(of, at)
    return (top, file.file(of)) if top.covers(offset) else None


def _word(of: Subject, at: Place) -> Iterator[str]:
    if at.sort is Sort.AGENT:
        yield from _agent(of, at)
        return
    if at.meaning:
        yield f"**{code(at.word)}**, {at.title}: {words(at.meaning)}"
    else:
        names = [one.name for one in at.offers]
        close = nearest(at.word, names)
        hint = f"; did you mean {code(close)}?" if close else ""
        yield f"**{code(at.word)}** is no {at.title} that is known here{hint}"
    yield from (words(note) for note in at.notes)


def _agent(of: Subject, at: Place) -> Iterator[str]:
    """Which file a name means from here."""
    chain = called(of, at.word)
    if not chain:
        known = codes([one.name for one in at.offers])
        yield f"**{code(at.word)}** means no {at.title}; there are {known}"
        return
    yield f"**{code(at.word)}** is {link(of.workspace, chain[0].path)} ({chain[0].scope.label})"
    for other in chain[1:]:
        yield f"It hides {link(of.workspace, other.path)} ({other.scope.label})"
