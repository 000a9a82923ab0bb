"""What the tools `subagent_list` and `subagent_describe` return.

Facts: `SubAgentManager` in codex-rs/core/src/codex.rs and `describe_agent` in core/src/agents.rs
at 67ee14f48, read 2026-11-27; the place of the error's inner text is inferred.
"""

from agent_lsp.dialects.answers import Call, Candidate, Catalog, RuntimeRefusal


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` with the names, or the definition of the one that the call names."""
    name = call.text("name")
    if name is None:
        return {"agents": [name for name in catalog.names if catalog.winner(name) is not None]}
    winner = catalog.winner(name)
    if winner is None:
        return RuntimeRefusal(f"Agent not found: {missing(name)}")
    if winner.unread:
        return unread(winner)
    held = catalog.read(winner).effective
    tools, description = held.settings.get("tools"), held.settings.get("description")
    return {
        "name": name,
        "description": description.text if description is not None else "",
        "tools": [item.text for item in tools.items] if tools is not None else None,
        "body": held.default.text,
    }


def unread(winner: Candidate) -> RuntimeRefusal:
    """That it is not known here what the runtime makes of a file."""
    return RuntimeRefusal(
        f"{winner.path.name} is not looked into here: it is {winner.unread}", ours=True
    )


def missing(name: str) -> str:
    """What the runtime says of a name that it does not know."""
    return f"Sub-agent '{name}' not found"
