"""Estimates what the descriptions of agents take of each session.

Facts: as the published package @anthropic-ai/claude-code-linux-x64 2.1.332 has it, read 2026-11-28:
of each agent that is not built in the runtime counts `name: description`, four UTF-16 units for a
token, and above 15000 tokens it warns: `Agent descriptions are over the 15.0k-token limit`.
"""

from agent_lsp.dialects.claude.runtime import list_agents
from agent_lsp.model import listing
from agent_lsp.model.listing import Budget
from agent_lsp.model.runtime import Call, Catalog

_LIMIT, _UNITS = 15_000, 4


def budget(catalog: Catalog) -> Budget:
    """What the session of `catalog` is told of the agents that somebody wrote."""
    rows = listing.agents(list_agents(catalog, Call({}))) or []
    own = [row for row in rows if row["path"] is not None and not row["shadowed"]]
    texts = (f"{row['name']}: {row['description']}" for row in own)
    return Budget(sum(map(_tokens, texts)), _LIMIT)


def _tokens(text: str) -> int:
    # Rounded as JavaScript does it, a half up.
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return (units + _UNITS // 2) // _UNITS
