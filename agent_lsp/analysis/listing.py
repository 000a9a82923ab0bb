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
        refused = None if winner is None else refusal(known, catalog, name)
        if refused is not None and not refused.ours:
            return winner
    return None


def unread(known: Dialect, catalog: Catalog) -> tuple[tuple[Candidate, str], ...]:
    """The templates that a listing without filter leaves out here, each with the reason."""
    winners = filter(None, map(catalog.winner, catalog.names))
    left_out = [
        (winner, refusal(known, catalog, winner.name)) for winner in winners if winner.unread
    ]
    return tuple((winner, refused.message) for winner, refused in left_out if refused is not None)
