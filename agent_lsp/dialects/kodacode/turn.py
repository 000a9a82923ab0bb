"""Previews an agent as a person picks it: a turn of its own, to which nobody delegates.

Invariants: an agent is picked only if it is selectable; its own policy applies to all tools of the
turn, and delegation takes none from it.
Facts: the document on agents of sageil/kodacode at aa5479acbe0f, on modes, tools and models, and
`defaultTurnFragments` in internal/app, both read 2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.decoders import go
from agent_lsp.dialects.kodacode import policy, runtime
from agent_lsp.dialects.kodacode.catalog import Agent, failure, find
from agent_lsp.dialects.kodacode.facts import AS, DEFAULT_AGENT, DELEGATION, SESSION
from agent_lsp.dialects.kodacode.runtime import OWN_SOURCES, fragments
from agent_lsp.model.runtime import (
    Call,
    Catalog,
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
)


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """The result of a call of `delegate`, or a turn with the agent, depending on `as`."""
    way = call.text(AS)
    if way in (None, DELEGATION):
        return runtime.spawn(catalog, call)
    if way != SESSION:
        message = f"`{AS}` is `{SESSION}` or `{DELEGATION}`, not `{way}`"
        return RuntimeRefusal(message, ours=True)
    failed = failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    agent = find(catalog, call.text("agent_id") or DEFAULT_AGENT)
    if isinstance(agent, RuntimeRefusal):
        return agent
    if not agent.is_selectable:
        why = "it is hidden" if agent.is_hidden else f"its mode is `{agent.mode}`"
        return RuntimeRefusal(f"the picker does not show `{agent.id}`: {why}", ours=True)
    tools = policy.toolset(agent.reading, call.tools, 0)
    return Spawn(
        name=agent.id,
        persona=None,
        template=agent.candidate,
        settings=(_model(agent, call),),
        toolset=tools,
        prompt=tuple(_prompt(agent, call, tools)),
        depth=0,
        notes=tuple(_notes(agent)),
    )


def _model(agent: Agent, call: Call) -> ResolvedSetting:
    """The model: the agent's own, else that of the session."""
    value = agent.reading.effective.settings.get("model")
    written = Origin("the agent", agent.candidate.path, value.span if value is not None else None)
    own = ChainStep(written, agent.model, wins=agent.model is not None)
    session = ChainStep(Origin("the session"), call.parent.model, wins=agent.model is None)
    chosen = own if own.wins else session
    return ResolvedSetting("model", chosen.value, chosen.origin, (own, session))


def _prompt(agent: Agent, call: Call, tools: Toolset) -> Iterator[PromptPart]:
    yield from fragments(agent, tools, OWN_SOURCES)
    task = call.text("task")
    said = go.trim(task) if task is not None else "…"
    yield PromptPart("user message", said, task is not None, Origin("the person"))


def _notes(agent: Agent) -> Iterator[str]:
    yield "as a session: a person picks the agent with Tab"
    if agent.candidate.scope.builtin:
        yield (
            "the runtime's own text of this built-in agent is not shipped here: its prompt is a "
            "stand-in"
        )
    settings = agent.reading.effective.settings
    if settings.keys().isdisjoint(("AllowTools", "DisallowedTools")):
        yield "the agent sets no tool policy: it gets every tool of the turn"
