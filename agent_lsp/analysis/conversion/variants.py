"""The agents that one template describes: its default prompt, and a variant for each persona."""

from dataclasses import dataclass

from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.dialects.answers import RuntimeRefusal
from agent_lsp.dialects.template import Block, Persona, Value
from agent_lsp.workspace.index import TemplateFile


@dataclass(frozen=True, slots=True)
class Variant:
    """A prompt, with the persona that it is for; None for the one that needs no persona."""

    block: Block
    persona: Persona | None

    def setting(self, file: TemplateFile, name: str) -> Value | None:
        """What the runtime uses for a key: the persona's own, else that of the template."""
        own = self.persona.settings.get(name) if self.persona is not None else None
        return own or file.reading.effective.settings.get(name)


def variants(file: TemplateFile, persona: str | None) -> tuple[Variant, ...] | RuntimeRefusal:
    """All agents of the template, or the one of `persona`."""
    held = file.reading.effective
    found = [Variant(block, held.persona(block.name or "")) for block in held.blocks[1:]]
    if persona is not None:
        chosen = [one for one in found if one.block.name == persona.strip().lower()]
        names = [one.block.name or "" for one in found]
        there = f"; there are {listed(names, 'and')}" if names else ""
        return tuple(chosen) or RuntimeRefusal(f"there is no persona {code(persona)}{there}")
    if held.default.text.strip() or not found:
        found.insert(0, Variant(held.default, None))
    return tuple(found)
