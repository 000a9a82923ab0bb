"""The presets of a configuration with what each comes to.

The runtime has no call that lists presets; the members are ours, under the runtime's names.
"""

from collections.abc import Iterator

from agent_lsp.dialects.answers import Call, Candidate, Catalog, RuntimeRefusal
from agent_lsp.dialects.moltis import policy, prompt
from agent_lsp.dialects.moltis.catalog import configuration, generation_of, preset_of
from agent_lsp.dialects.moltis.facts import BUILT_IN, DEFAULT_PRESET, ITERATIONS, TIMEOUT
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.reading import DEFAULT
from agent_lsp.dialects.template import Reading


def list_agents(
    catalog: Catalog, call: Call, told: Generation | None = None
) -> object | RuntimeRefusal:
    """`{"agents": […]}`, or the one preset that the call names."""
    wanted = call.text("preset")
    configured = configuration(catalog)[1]
    generation = generation_of(catalog, configured, told)
    default = _default(configured, generation)
    listed: list[dict[str, object]] = []
    for name in catalog.names:
        winner = catalog.winner(name) if wanted in (None, name) else None
        if winner is None:
            continue
        if winner.unread:
            message = f"{winner.path.name} is not looked into here: it is {winner.unread}"
            return RuntimeRefusal(message, ours=True)
        reading = preset_of(catalog, winner)
        if reading.errors:
            return RuntimeRefusal(
                f"the whole configuration is dropped: {reading.errors[0].message}"
            )
        listed.append(_agent(winner, reading, call, generation) | {"default": name == default})
    own = {agent["name"] for agent in listed}
    listed += (
        agent | {"default": agent["name"] == default}
        for agent in _built_in(generation)
        if agent["name"] not in own and wanted in (None, agent["name"])
    )
    if wanted is None:
        return {"agents": listed}
    if not listed and catalog.passed_over is not None:
        return RuntimeRefusal(f"{catalog.passed_over.name} is not looked into here", ours=True)
    return listed[0] if listed else RuntimeRefusal(f"there is no preset `{wanted}`", ours=True)


def _default(configured: Reading, generation: Generation | None) -> str | None:
    """The preset for calls that name none."""
    written = configured.effective.settings.get(DEFAULT)
    if written is not None:
        return written.text
    return DEFAULT_PRESET if generation is Generation.TODAY else None


def _agent(
    winner: Candidate, reading: Reading, call: Call, generation: Generation | None
) -> dict[str, object]:
    settings, model = reading.effective.settings, reading.effective.settings.get("model")
    iterations, timeout = settings.get("max_iterations"), settings.get("timeout_secs")
    endless = generation is Generation.TODAY
    return {
        "name": winner.name,
        "identity": prompt.identity(settings, generation).strip() or None,
        "model": model.text if model is not None else None,
        "allow": [item.text for item in policy.items(settings, policy.ALLOW)],
        "deny": [item.text for item in policy.items(settings, policy.DENY)],
        "tools": [verdict.tool for verdict in policy.toolset(reading, call.tools, 1).kept],
        "delegate_only": policy.delegates(settings),
        "max_iterations": iterations.value if iterations is not None else ITERATIONS,
        "timeout_secs": timeout.value if timeout is not None else None if endless else TIMEOUT,
        "source": winner.scope.label,
        "path": str(winner.path),
    }


def _built_in(generation: Generation | None) -> Iterator[dict[str, object]]:
    """The presets that today's runtime adds."""
    for preset in BUILT_IN if generation is Generation.TODAY else ():
        yield {
            "name": preset.name,
            "built_in": True,
            "model": None,
            "delegate_only": preset.delegate_only,
            "max_iterations": preset.iterations,
            "timeout_secs": None,
        }
