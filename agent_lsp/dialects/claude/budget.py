"""Estimates the tokens that the descriptions of agents take in each session.

Facts: the published package @anthropic-ai/claude-code-linux-x64 2.1.332, read 2026-11-28: for each
agent that is not built in, the runtime counts `name: description`, with four UTF-16 units for a
token, and above 15000 tokens it warns: `Agent descriptions are over the 15.0k-token limit`.
"""

from agent_lsp.dialects.claude.runtime import list_agents
from agent_lsp.model import listing
from agent_lsp.model.listing import Budget
from agent_lsp.model.runtime import Call, Catalog

_LIMIT, _UNITS = 15_000, 4


def budget(catalog: Catalog) -> Budget:
    """The budget of the descriptions in the session of `catalog`, without built-in agents."""
    rows = listing.agents(list_agents(catalog, Call({}))) or []
    own = [row for row in rows if row["path"] is not None and not row["shadowed"]]
    texts = (f"{row['name']}: {row['description']}" for row in own)
    return Budget(sum(map(_tokens, texts)), _LIMIT)


def _tokens(text: str) -> int:
    # Rounded half up, as in JavaScript.
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return (units + _UNITS // 2) // _UNITS
