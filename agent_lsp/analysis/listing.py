"""Whether the runtime's listing accepts a template, and which one makes a whole listing fail."""

from agent_lsp.dialects.answers import Call, Candidate, Catalog, Refusal
from agent_lsp.dialects.model import Dialect


def refusal(known: Dialect, catalog: Catalog, name: str) -> Refusal | None:
    """Why the listing refuses the template that `catalog` has under `name`, or None."""
    answer = known.list_agents(catalog, Call({known.list_parameters[0].name: name}))
    return answer if isinstance(answer, Refusal) else None


def culprit(known: Dialect, catalog: Catalog) -> Candidate | None:
    """The first template, in the runtime's order, that makes a listing without filter fail."""
    for name in catalog.names:
        winner = catalog.winner(name)
        if winner is not None and refusal(known, catalog, name) is not None:
            return winner
    return None
