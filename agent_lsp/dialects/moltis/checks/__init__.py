"""What is to be said about the `[agents]` of a configuration.

Invariants: of a file that the runtime drops nothing else is said; where nothing tells the
generation, no remark depends on it; what stands outside of `[agents]` is only looked up.
"""

from collections.abc import Iterator

from agent_lsp.dialects.moltis import reading
from agent_lsp.dialects.moltis.checks.config import agents, dropped, settings, stand_ins
from agent_lsp.dialects.moltis.checks.keys import keys
from agent_lsp.dialects.moltis.checks.tools import tools
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.model.remark import About, Remark
from agent_lsp.syntax.document import Document


def remarks(document: Document, _about: About, told: Generation | None = None) -> Iterator[Remark]:
    """The remarks on all presets of a file, and on what concerns them all."""
    found = reading.config_of(document, told)
    lost = tuple(dropped(document, told))
    yield from lost
    if lost:
        return
    yield from stand_ins(document)
    yield from keys(found)
    yield from agents(found, document)
    servers = reading.names_below(document, "mcp", "servers")
    for preset in found.presets:
        yield from settings(found, preset, servers)
        yield from tools(found, preset)
