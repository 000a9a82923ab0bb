"""What a session of Claude Code knows about its agents, a row each.

Invariants: a file that is not used for its name has a row, too, after the one that is.
"""

from agent_lsp.dialects.answers import Call, Candidate, Catalog, RuntimeRefusal


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}`, the rows by name, or those of the one name that the call gives."""
    given = call.text("name")
    if given is not None and not catalog.candidates(given):
        return not_found(catalog, given)
    names = catalog.names if given is None else (given,)
    return {
        "agents": [
            _row(catalog, candidate, is_shadowed=place > 0)
            for name in names
            for place, candidate in enumerate(catalog.candidates(name))
        ]
    }


def not_found(catalog: Catalog, name: str) -> RuntimeRefusal:
    """What the runtime says of a name that it does not know."""
    known = (name for name in catalog.names if catalog.winner(name) is not None)
    return RuntimeRefusal(f"Agent type '{name}' not found. Available agents: {', '.join(known)}")


def _row(catalog: Catalog, candidate: Candidate, *, is_shadowed: bool) -> dict[str, object]:
    settings = catalog.read(candidate).effective.settings
    description, model = settings.get("description"), settings.get("model")
    tools = settings.get("tools")
    return {
        "name": candidate.name,
        "description": description.text if description is not None else "",
        "tools": None if tools is None else [item.text for item in tools.items],
        "model": model.text if model is not None else None,
        "source": candidate.scope.label,
        "path": None if candidate.scope.builtin else str(candidate.path),
        "shadowed": is_shadowed,
    }
