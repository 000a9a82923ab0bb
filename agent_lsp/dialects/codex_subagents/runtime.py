"""Previews `subagent_run`, `subagent_list` and `subagent_describe`: prompt, tools, events.

Facts: `NestedAgentRunner` and `describe_agent` in codex-rs/core/src/agents.rs, `SubAgentManager`
and `handle_subagent_run` in core/src/codex.rs and the events in protocol/src/protocol.rs at
67ee14f48, read 2026-11-27; the place of the inner text of an error is inferred.
"""

from collections.abc import Iterator

from agent_lsp.dialects.codex_subagents import facts, policy
from agent_lsp.model.runtime import (
    Artifact,
    Call,
    Candidate,
    Catalog,
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
)
from agent_lsp.model.template import Reading, Template


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
    """Reports that the runtime's reading of a file is unknown here."""
    return RuntimeRefusal(f"{winner.path.name} is not read here: it is {winner.unread}", ours=True)


def missing(name: str) -> str:
    """The runtime's text for an unknown name."""
    return f"Sub-agent '{name}' not found"


_UNKNOWN = "…"
_ORIGIN = "Origin::Main"


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    if call.parent.depth > 0:
        return RuntimeRefusal(facts.NESTED)
    name = call.text("name")
    if name is None:
        return RuntimeRefusal(f"{facts.ARGUMENTS}missing field `name`")
    winner = catalog.winner(name)
    if winner is None:
        return RuntimeRefusal(f"Sub-agent execution failed: {missing(name)}")
    if winner.unread:
        return unread(winner)
    reading = catalog.read(winner)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=(_model(call),),
        toolset=policy.toolset(reading, tools, 1),
        prompt=tuple(_prompt(winner, reading.effective, call.text("task"))),
        depth=1,
        notes=tuple(_notes(reading, call)),
        artifacts=tuple(_artifacts(name, reading.effective, call.text("task"))),
    )


def _model(call: Call) -> ResolvedSetting:
    """The session's model: neither the call nor the header can choose another one."""
    origin = Origin("the session, whatever the call and the header say")
    model = call.parent.model
    return ResolvedSetting("model", model, origin, (ChainStep(origin, model, wins=True),))


def _prompt(winner: Candidate, effective: Template, task: str | None) -> Iterator[PromptPart]:
    """The base instructions of the session, then one user message in two parts."""
    stay = "(the instructions of the session; a sub-agent does not replace them)"
    yield PromptPart("base instructions", stay, False, Origin("the runtime"))
    body = Origin("the file, as a user message", winner.path, effective.default.span)
    yield PromptPart("body", effective.default.text, True, body)
    said = _UNKNOWN if task is None else task
    yield PromptPart("task", f"\n\nTask: {said}", task is not None, Origin("the call"))


def _notes(reading: Reading, call: Call) -> Iterator[str]:
    settings = reading.effective.settings
    yield (
        "sub-agent tools are off unless the session turns them on; while they are off, the call "
        f"is answered with: {facts.DISABLED}"
    )
    if call.text("task") is None:
        yield f"without `task` the call is refused: {facts.ARGUMENTS}missing field `task`"
    if call.text("model") is not None:
        yield "`model` of the call has no effect"
    if "tools" not in settings:
        yield "the file sets no `tools`: the sub-agent gets every tool but the sub-agent tools"
    else:
        listed = {item.text for item in settings["tools"].items}
        if listed & facts.SHELL_FAMILY:
            yield (
                "the shell tools are allowed as a family; a session offers one of `shell`, "
                "`local_shell`, or `exec_command` with `write_stdin`"
            )
    yield (f"a call of a sub-agent tool inside the sub-agent is answered with: {facts.NESTED}")


def _artifacts(name: str, effective: Template, task: str | None) -> Iterator[Artifact]:
    described = effective.settings.get("description")
    start = {
        "item": "SubAgentStart",
        "name": name,
        "description": described.text if described is not None else "",
        "origin": _ORIGIN,
    }
    end = {"item": "SubAgentEnd", "name": name, "success": True, "origin": _ORIGIN}
    recorded = "recorded in the session, and sent to its clients as events of the same names"
    yield Artifact("events", recorded, {"start": start, "end": end})
    output = f"{_UNKNOWN}\n\nNo tool calls were made"
    result = {
        "agent_name": name,
        "task": _UNKNOWN if task is None else task,
        "success": True,
        "output": output,
        "error": None,
    }
    shape = "the shape of what the call returns, as JSON text; tool calls are listed if any were"
    yield Artifact("returns", f"{shape} made", result)
    yield Artifact("switch", "how sub-agent tools are turned on", facts.SWITCH)
    refusals = {
        "unknown agent": f"Sub-agent execution failed: {missing(_UNKNOWN)}",
        "bad arguments": f"{facts.ARGUMENTS}{_UNKNOWN}",
        "turned off": facts.DISABLED,
        "inside a sub-agent": facts.NESTED,
    }
    yield Artifact("refusals", "what the runtime says where it does not run one", refusals)
