"""Completions for the names of personas: in the markers of the body, and in the header.

Invariant: a name is offered where its other half is missing: a declaration without a block,
or a block without a declaration.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.contexts import MarkerContext
from agent_lsp.analysis.render import markup
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Persona
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def markers(file: TemplateFile, at: MarkerContext) -> Iterator[Completion]:
    """The personas that have no block yet, as names or as whole markers."""
    if at.typed is None or file.dialect.format.marker is None:
        return
    for place, persona in enumerate(_blockless(file, at.line)):
        marker = file.dialect.format.marker(persona.name)
        label = marker if at.whole else persona.name
        body = marker if at.whole else f"{at.lead}{persona.name}{at.tail}"
        words = Words("declared, and without a block", _description(file.dialect, persona))
        yield offer(
            file.document.text, at.typed, label, CompletionKind.PERSONA, literal(body), words, place
        )


def undeclared(file: TemplateFile, typed: Span) -> Iterator[str]:
    """The names of blocks that no declaration but the one at `typed` has."""
    declared = {
        persona.name
        for persona in file.reading.declared.personas
        if not persona.name_span.covers(typed.start)
    }
    for block in file.reading.declared.blocks[1:]:
        if block.name is not None and block.name not in declared:
            yield block.name


def _blockless(file: TemplateFile, line: Span) -> Iterator[Persona]:
    """The personas whose only block, if any, starts at `line`; each name once."""
    written = file.reading.declared
    seen = {
        block.name
        for block in written.blocks[1:]
        if any(not line.covers(name.start) for name in block.markers)
    }
    for persona in written.personas:
        if persona.name and persona.name not in seen:
            seen.add(persona.name)
            yield persona


def _description(dialect: Dialect, persona: Persona) -> str:
    declared = dialect.key_with_role(KeyRole.PERSONAS)
    for key in declared.items if declared else ():
        if key.role is KeyRole.DESCRIPTION and key.name in persona.settings:
            return markup.inline(persona.settings[key.name].text)
    return ""
