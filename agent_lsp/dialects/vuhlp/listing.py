"""What vuhlp lists as role templates.

Facts: packages/daemon/src/api/server.ts of Volpestyle/vuhlp-code at d6c289510, read 2026-11-27.
"""

from agent_lsp.dialects.answers import Call, Candidate, Catalog


def list_agents(catalog: Catalog, _call: Call) -> object:
    """All roles in alphabetical order; one of the repository hides a shipped one of its name.

    `overrides` is not the runtime's: it is the path of the shipped file that is hidden.
    """
    listed: list[dict[str, object]] = []
    for name in sorted(catalog.names, key=_order):
        winner = catalog.winner(name)
        if winner is None:
            continue
        entry: dict[str, object] = {
            "name": name,
            "source": source(winner),
            "path": str(winner.path),
        }
        hidden = next((one for one in catalog.candidates(name) if one.scope.builtin), None)
        if hidden is not None and hidden is not winner and not winner.scope.builtin:
            entry["overrides"] = str(hidden.path)
        listed.append(entry)
    return {"templates": listed}


def source(candidate: Candidate) -> str:
    """Whose file it is, in the runtime's words."""
    return "system" if candidate.scope.builtin else "repo"


def _order(name: str) -> tuple[str, str]:
    """Letters as in a dictionary: the same ones side by side, small ones first."""
    return name.casefold(), name.swapcase()
