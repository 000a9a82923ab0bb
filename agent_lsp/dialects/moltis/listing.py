"""The presets of a configuration with what each comes to.

The runtime has no call that lists presets; the members are ours, under the runtime's names.
"""

from collections.abc import Iterator

from agent_lsp.dialects.answers import Call, Candidate, Catalog, Refusal
from agent_lsp.dialects.moltis import policy, prompt
from agent_lsp.dialects.moltis.facts import BUILT_IN, ITERATIONS, TIMEOUT
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.reading import DEFAULT
from agent_lsp.dialects.template import Reading


def list_agents(catalog: Catalog, call: Call) -> object | Refusal:
    """`{"agents": […]}`, or the one preset that the call names."""
    wanted = call.text("preset")
    listed: list[dict[str, object]] = []
    own = set()
    for name in catalog.names:
        winner = catalog.winner(name)
        if winner is None or wanted not in (None, name):
            continue
        if winner.unread:
            message = f"{winner.path.name} is not looked into here: it is {winner.unread}"
            return Refusal(message, ours=True)
        reading = catalog.read(winner)
        if reading.faults:
            return Refusal(f"the whole configuration is dropped: {reading.faults[0].message}")
        own.add(name)
        listed.append(_agent(winner, reading, call))
    listed += (
        agent
        for agent in _built_in(catalog)
        if agent["name"] not in own and wanted in (None, agent["name"])
    )
    if wanted is None:
        return {"agents": listed}
    return listed[0] if listed else Refusal(f"there is no preset `{wanted}`", ours=True)


def _agent(winner: Candidate, reading: Reading, call: Call) -> dict[str, object]:
    settings = reading.held.settings
    generation = Generation[reading.generation] if reading.generation else None
    model, default = settings.get("model"), settings.get(DEFAULT)
    iterations, timeout = settings.get("max_iterations"), settings.get("timeout_secs")
    endless = generation is Generation.TODAY
    return {
        "name": winner.name,
        "default": default is not None and default.text == winner.name,
        "identity": prompt.identity(settings, generation).strip() or None,
        "model": model.text if model is not None else None,
        "allow": [item.text for item in policy.items(settings, policy.ALLOW)],
        "deny": [item.text for item in policy.items(settings, policy.DENY)],
        "tools": [verdict.tool for verdict in policy.toolset(reading, call.tools, 1).kept],
        "delegate_only": policy.delegates(settings),
        "max_iterations": iterations.value if iterations is not None else ITERATIONS,
        "timeout_secs": timeout.value if timeout is not None else None if endless else TIMEOUT,
    }


def _built_in(catalog: Catalog) -> Iterator[dict[str, object]]:
    """The presets that today's runtime adds, where the file is written for it."""
    winners = filter(None, map(catalog.winner, catalog.names))
    first = next((catalog.read(winner) for winner in winners if not winner.unread), None)
    if first is None or first.generation != Generation.TODAY.name:
        return
    for preset in BUILT_IN:
        yield {
            "name": preset.name,
            "built_in": True,
            "model": None,
            "delegate_only": preset.delegate_only,
            "max_iterations": preset.iterations,
            "timeout_secs": None,
        }
