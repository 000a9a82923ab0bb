"""Explains a persona: what the agent is when it is spawned under that name."""

from collections.abc import Iterator

from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render.markdown import chain, size
from agent_lsp.analysis.render.markup import code, inline, link, words
from agent_lsp.model.runtime import ResolvedSetting
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Block, Persona
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_SHOWN = (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX)


def persona(file: TemplateFile, declared: Persona) -> Iterator[str]:
    """The configuration that a declared persona resolves to."""
    block = file.reading.declared.block(declared.name)
    yield from _resolved(file, declared.name)
    if "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    if block is None:
        opener = file.dialect.format.marker(declared.name) if file.dialect.format.marker else ""
        yield f"It has no block: no line {code(opener)} in the body"
    else:
        start = link(file.workspace, file.path, block.markers[0])
        yield f"Its prompt: {size(block.text)} ({start})"
    first = file.reading.declared.persona(declared.name)
    if first is not None and first.span != declared.span:
        where = link(file.workspace, file.path, first.name_span)
        yield f"The name is declared before ({where}), and that declaration is used"


def marker(file: TemplateFile, name: Span) -> Iterator[str]:
    """The hover of the block that a marker begins, or a note that the line is no marker."""
    block = next((b for b in file.reading.declared.blocks[1:] if name in b.markers), None)
    if block is None or block.name is None:
        yield "Not a marker for the runtime: the line stays text of the prompt"
        return
    yield from _resolved(file, block.name)
    yield from _described(file, block)
    yield f"Its prompt: {size(block.text)}"
    if block.markers[0] != name:
        first = link(file.workspace, file.path, block.markers[0])
        yield f"Continues the block that begins before ({first})"


def summaries(file: TemplateFile) -> Iterator[str]:
    """One line for each persona."""
    rows = []
    for declared in file.reading.declared.personas:
        block = file.reading.declared.block(declared.name)
        prompt = "no block" if block is None else size(block.text)
        rows.append(f"- {code(declared.name)}: {_headline(file, declared.name)}; prompt: {prompt}")
    yield "\n".join(rows) if rows else "No persona is declared"


def _described(file: TemplateFile, block: Block) -> Iterator[str]:
    declared = file.reading.declared.persona(block.name or "")
    if declared is not None and "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    elif declared is None:
        key = file.dialect.key_with_role(KeyRole.PERSONAS)
        yield f"The header does not declare it under {code(key.name if key else '')}"


def _resolved(file: TemplateFile, name: str) -> Iterator[str]:
    yield f"**Persona {code(name)}**: {_headline(file, name)}"
    found = _settings(file, name)
    if found:
        yield "\n".join(row for setting in found for row in chain(file.workspace, setting))
        yield from (words(setting.note) for setting in found if setting.note)


def _headline(file: TemplateFile, name: str) -> str:
    """The values of a spawn under `name`, or the reason for having none."""
    refusal = as_written.resolved(file, name)[1]
    if refusal is not None:
        return f"the runtime refuses the call: {words(refusal.message)}"
    values = [
        f"{code(s.name)} {code(s.value)}" for s in _settings(file, name) if s.value is not None
    ]
    return ", ".join(values) or "everything is inherited"


def _settings(file: TemplateFile, name: str) -> list[ResolvedSetting]:
    answer, refusal = as_written.resolved(file, name)
    if answer is None or refusal is not None:
        return []
    keys = [key for holds in _SHOWN if (key := file.dialect.key_with_role(holds))]
    return [setting for key in keys if (setting := as_written.setting(answer, key))]
