"""Hover on a persona: what the agent is when it is spawned under that name."""

from collections.abc import Iterator

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.markdown import chain, size
from agent_lsp.analysis.markup import code, inline, link, words
from agent_lsp.dialects.answers import Setting
from agent_lsp.dialects.template import Block, Persona
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_SHOWN = (Holds.MODEL, Holds.EFFORT, Holds.SANDBOX)


def persona(of: Subject, declared: Persona) -> Iterator[str]:
    """The configuration that a declared persona resolves to."""
    block = of.reading.written.block(declared.name)
    yield from _resolved(of, declared.name)
    if "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    if block is None:
        opener = of.dialect.marker(declared.name) if of.dialect.marker else ""
        yield f"It has no block: no line {code(opener)} in the body"
    else:
        yield f"Its prompt: {size(block.text)} ({link(of.workspace, of.path, block.markers[0])})"
    first = of.reading.written.persona(declared.name)
    if first is not None and first.span != declared.span:
        where = link(of.workspace, of.path, first.name_span)
        yield f"The name is declared before ({where}), and that declaration counts"


def marker(of: Subject, name: Span) -> Iterator[str]:
    """What the block is that a marker begins; nothing for a line that is no marker."""
    block = next((b for b in of.reading.written.blocks[1:] if name in b.markers), None)
    if block is None or block.name is None:
        yield "No marker for the runtime: the line stays text of the prompt"
        return
    yield from _resolved(of, block.name)
    yield from _described(of, block)
    yield f"Its prompt: {size(block.text)}"
    if block.markers[0] != name:
        first = link(of.workspace, of.path, block.markers[0])
        yield f"Continues the block that begins before ({first})"


def summaries(of: Subject) -> Iterator[str]:
    """Every persona in a line."""
    rows = []
    for declared in of.reading.written.personas:
        block = of.reading.written.block(declared.name)
        prompt = "no block" if block is None else size(block.text)
        rows.append(f"- {code(declared.name)}: {_headline(of, declared.name)}; prompt: {prompt}")
    yield "\n".join(rows) if rows else "No persona is declared"


def _described(of: Subject, block: Block) -> Iterator[str]:
    declared = of.reading.written.persona(block.name or "")
    if declared is not None and "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    elif declared is None:
        key = of.dialect.key_holding(Holds.PERSONAS)
        yield f"The header does not declare it under {code(key.name if key else '')}"


def _resolved(of: Subject, name: str) -> Iterator[str]:
    yield f"**Persona {code(name)}**: {_headline(of, name)}"
    found = _settings(of, name)
    if found:
        yield "\n".join(row for setting in found for row in chain(of.workspace, setting))
        yield from (words(setting.note) for setting in found if setting.note)


def _headline(of: Subject, name: str) -> str:
    """The values that a spawn under `name` gets, or why there is none."""
    refusal = meant.resolved(of, name)[1]
    if refusal is not None:
        return f"the call is refused: {words(refusal.message)}"
    values = [f"{code(s.name)} {code(s.value)}" for s in _settings(of, name) if s.value is not None]
    return ", ".join(values) or "everything is inherited"


def _settings(of: Subject, name: str) -> list[Setting]:
    answer, refusal = meant.resolved(of, name)
    if answer is None or refusal is not None:
        return []
    keys = [key for holds in _SHOWN if (key := of.dialect.key_holding(holds))]
    return [setting for key in keys if (setting := meant.setting(answer, key))]
