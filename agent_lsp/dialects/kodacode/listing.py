"""What the catalog holds, one row an agent.

The picker shows the rows that are selectable, and `delegate` takes those that are delegatable.
Facts: internal/agent/catalog.go and definition.go of sageil/kodacode at aa5479acbe0f,
read 2026-11-27.
"""

from agent_lsp.dialects.answers import Call, Catalog, RuntimeRefusal
from agent_lsp.dialects.kodacode.catalog import Agent, agents, failure, find


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}`, a row each by id, or the runtime's error.

    One malformed file fails the whole catalog.
    """
    failed = failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    given = call.text("id")
    if given is None:
        return {"agents": [_row(agent) for agent in agents(catalog)]}
    found = find(catalog, given)
    return found if isinstance(found, RuntimeRefusal) else {"agents": [_row(found)]}


def _row(agent: Agent) -> dict[str, object]:
    scope = agent.candidate.scope
    return {
        "id": agent.id,
        "description": agent.description,
        "mode": agent.mode,
        "model": agent.model,
        "hidden": agent.is_hidden,
        "selectable": agent.is_selectable,
        "delegatable": agent.is_delegatable,
        "source": "built-in" if scope.builtin else scope.label,
        "path": None if scope.builtin else str(agent.candidate.path),
    }
