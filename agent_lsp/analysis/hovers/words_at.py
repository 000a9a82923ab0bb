"""Hover on a word whose meaning only the dialect knows, and on the top of such a file."""

from collections.abc import Iterator

from agent_lsp.analysis.completion.places import place_at
from agent_lsp.analysis.hovers import template
from agent_lsp.analysis.marker import line_at
from agent_lsp.analysis.markup import code, codes, link, words
from agent_lsp.analysis.navigation.references import called
from agent_lsp.analysis.nearest import nearest
from agent_lsp.dialects.place import WordAt, WordKind
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile


def explained(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The span that is explained, and the blocks of the explanation."""
    cut = file.document.frontmatter
    top = line_at(file.document.text, 0) if cut.fence is FenceKind.ABSENT else cut.open
    at = place_at(file, offset)
    if at is not None and at.word:
        return at.span, _word(file, at)
    return (top, template.summary(file)) if top.covers(offset) else None


def _word(file: TemplateFile, at: WordAt) -> Iterator[str]:
    if at.sort is WordKind.AGENT:
        yield from _agent(file, at)
        return
    if at.meaning:
        yield f"**{code(at.word)}**, {at.title}: {words(at.meaning)}"
    else:
        names = [one.name for one in at.offers]
        close = nearest(at.word, names)
        hint = f"; did you mean {code(close)}?" if close else ""
        yield f"**{code(at.word)}** is no {at.title} that is known here{hint}"
    yield from (words(note) for note in at.notes)


def _agent(file: TemplateFile, at: WordAt) -> Iterator[str]:
    """Which file a name means from here."""
    chain = called(file, at.word)
    if not chain:
        known = codes([one.name for one in at.offers])
        yield f"**{code(at.word)}** means no {at.title}; there are {known}"
        return
    yield f"**{code(at.word)}** is {link(file.workspace, chain[0].path)} ({chain[0].scope.label})"
    for other in chain[1:]:
        yield f"It hides {link(file.workspace, other.path)} ({other.scope.label})"
