"""The agent systems that the product knows; adding one means adding one line here.

Invariant: a system is a folder of its own, and knows no other; what is imported here is where its
files lie, and nothing else of it.
"""

from agent_lsp.dialects import (
    claude,
    codex_agents,
    codex_subagents,
    codex_templates,
    copilot,
    cursor,
    factory,
    gemini,
    kodacode,
    moltis,
    opencode,
    qwen,
    vuhlp,
)
from agent_lsp.model.system import System

SYSTEMS: tuple[System, ...] = (
    codex_templates.SYSTEM,
    codex_subagents.SYSTEM,
    *codex_agents.SYSTEMS,
    kodacode.SYSTEM,
    *moltis.SYSTEMS,
    claude.SYSTEM,
    copilot.SYSTEM,
    cursor.SYSTEM,
    gemini.SYSTEM,
    qwen.SYSTEM,
    *opencode.SYSTEMS,
    vuhlp.SYSTEM,
)

# As lists for people name them: the most widely used one first.
BY_USE: tuple[System, ...] = tuple(sorted(SYSTEMS, key=lambda one: -one.repositories))

# The systems whose files are only converted, from and to the others.
CONVERTED: tuple[System, ...] = (factory.SYSTEM,)
