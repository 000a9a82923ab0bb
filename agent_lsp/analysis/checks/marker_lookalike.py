"""A comment looks like the start of a persona's block and is prompt text."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, personas
from agent_lsp.analysis.checks.lookalikes import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each comment that was meant to start a block and harms no header."""
    if not header.is_decoded(file):
        return
    elsewhere = set(by_persona(file).values())
    for alike in lookalikes(file):
        if alike not in elsewhere:
            yield Finding(alike.span, _message(file, alike))


def _message(file: TemplateFile, alike: Lookalike) -> str:
    block = personas.block_at(file, alike.span.start)
    above = "the default prompt" if block is None else f"the prompt of {code(block)}"
    written = code(alike.span.of(file.document.text))
    thing = f"{written} starts no block, and it and the text below go to {above}"
    marker = code(file.dialect.marker(alike.name or "NAME")) if file.dialect.marker else ""
    if not alike.name:
        return f"{thing}; write the name of a persona into it, as in {marker}"
    return f"{thing}; did you mean {marker}{'' if alike.alone else ' on a line of its own'}?"


RULE = Rule("marker-lookalike", check)
