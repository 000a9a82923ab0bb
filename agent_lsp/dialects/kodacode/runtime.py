"""Previews `delegate`, the list of agents, and a turn of an agent that a person picks."""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.decoders import go
from agent_lsp.dialects.kodacode import policy
from agent_lsp.dialects.kodacode.catalog import Agent, agents, failure, find
from agent_lsp.dialects.kodacode.facts import (
    AS,
    DEFAULT_AGENT,
    DELEGATION,
    MAX_SUMMARY,
    MCP_PREFIX,
    SESSION,
    STATES,
    TAKEN,
    TAKEN_WITHOUT_TASKS,
)
from agent_lsp.model.runtime import (
    Artifact,
    Call,
    Catalog,
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
    Verdict,
)
from agent_lsp.model.template import Record, Template, Value


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


_RUNTIME = Origin("the runtime")
_CALL = Origin("the `delegate` call")
OWN_SOURCES = (
    ("AGENTS.md sources", "the AGENTS.md files that the runtime finds for the workspace"),
    ("memory", "what the project's memory holds, if anything"),
    ("available skills", "`$name`, description and SKILL.md path of each skill that is found"),
    ("response style", "how to answer, as the session is set"),
    ("workspace", "the folder of the workspace and further writable folders"),
    ("execution environment", "the operating system and the shell"),
)
_SOURCES = (
    *OWN_SOURCES,
    ("inspection progress", "what the parent's turn has looked at, if it was compacted"),
)


def parts(child: Agent, call: Call, tools: Toolset, sources: list[str]) -> Iterator[PromptPart]:
    """The parts that the child's model is sent before and with its task."""
    yield from fragments(child, tools, _SOURCES)
    yield _handoff(call)
    if child.id == "planner":
        yield _stand_in("delegated planner", "to return the plan as text, and to ask nobody")
    yield _stand_in("exploration", "what the parent's turn has read and searched, if anything")
    if sources:
        text = f"the results of {', '.join(sources)}"
        yield PromptPart("source handoffs", f"({text})", False, _CALL)
    task = call.text("task")
    if task is not None:
        yield PromptPart("user message", go.trim(task), True, _CALL)


def fragments(
    child: Agent, tools: Toolset, sources: tuple[tuple[str, str], ...]
) -> Iterator[PromptPart]:
    """The parts that an agent's model is sent before anything else; `sources` have titles."""
    yield _stand_in("core policy", "what every agent of the runtime has to keep to")
    held = child.reading.effective.default
    if held.text:
        builtin = child.candidate.scope.builtin
        origin = Origin("prompt of the agent", child.candidate.path, held.span)
        yield PromptPart("agent prompt", held.text, not builtin, origin)
    for title, text in sources:
        yield _stand_in(title, text)
    has_mcp = tools.open_patterns or any(one.tool.startswith(MCP_PREFIX) for one in tools.kept)
    if has_mcp:
        yield _stand_in("MCP", "the active MCP servers, and their tools that the agent may call")


def _stand_in(title: str, text: str) -> PromptPart:
    return PromptPart(title, f"({text})", False, _RUNTIME)


def _handoff(call: Call) -> PromptPart:
    summary = go.trim(call.text("context_summary") or "") or "…"
    task = go.trim(call.text("task") or "") or "…"
    text = f"(the parent's session, turn and agent)\ntask: {task}\ncontext summary: {summary}"
    return PromptPart("handoff", text, False, _CALL)


_UNAVAILABLE = "child agent is not available for delegation"
_TOO_LONG = f"context_summary exceeds maximum length: maximum {MAX_SUMMARY} characters"


def _delegate(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    refusal = _arguments(call)
    if refusal is not None:
        return refusal
    failed = failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    child = find(catalog, call.text("agent_id") or "")
    if isinstance(child, RuntimeRefusal):
        return child
    if not child.is_delegatable:
        return RuntimeRefusal(_UNAVAILABLE)
    contract = contract_of(child.reading.effective)
    sources = _sources(call)
    refusal = None if sources else refused(contract)
    if refusal is not None:
        return refusal
    tools = _tools(child, call)
    return Spawn(
        name=child.id,
        persona=None,
        template=child.candidate,
        settings=(_model_of_child(child, call),),
        toolset=tools,
        prompt=tuple(parts(child, call, tools, sources)),
        depth=call.parent.depth + 1,
        notes=(*_notes_of_call(child, call), *notes(contract, sources)),
        artifacts=(Artifact("handoff", "the record that `delegate` returns", _record(child)),),
    )


def _arguments(call: Call) -> RuntimeRefusal | None:
    """The tool's error for its arguments; an absent task or summary is valid here only."""
    if not go.trim(call.text("agent_id") or ""):
        return RuntimeRefusal("agent_id is required")
    for name in ("task", "context_summary"):
        given = call.text(name)
        if given is not None and not go.trim(given):
            return RuntimeRefusal(f"{name} is required")
    too_long = len(go.trim(call.text("context_summary") or "")) > MAX_SUMMARY
    return RuntimeRefusal(_TOO_LONG) if too_long else None


def _sources(call: Call) -> list[str]:
    given = call.arguments.get("source_handoff_ids")
    ids = (go.trim(one) for one in given if isinstance(one, str)) if isinstance(given, list) else ()
    return list(dict.fromkeys(one for one in ids if one))


def _model_of_child(child: Agent, call: Call) -> ResolvedSetting:
    """The model: the child's own, else that of the turn which delegates."""
    value = child.reading.effective.settings.get("model")
    written = Origin("the agent", child.candidate.path, value.span if value is not None else None)
    parent = Origin("the turn that delegates")
    own = ChainStep(written, child.model, wins=child.model is not None)
    inherited = ChainStep(parent, call.parent.model, wins=child.model is None)
    chosen = own if own.wins else inherited
    return ResolvedSetting("model", chosen.value, chosen.origin, (own, inherited))


def _tools(child: Agent, call: Call) -> Toolset:
    """The child's own policy on all tools of the runtime: that of its parent does not matter."""
    found = policy.toolset(child.reading, call.tools, call.parent.depth + 1)
    return replace(found, verdicts=tuple(_delegated(verdict, child) for verdict in found.verdicts))


def _delegated(verdict: Verdict, child: Agent) -> Verdict:
    if verdict.kept and verdict.tool in TAKEN.get(child.id, ()):
        reason = f"delegation takes it from `{child.id}`"
        return Verdict(verdict.tool, False, reason, verdict.entry)
    if verdict.kept and verdict.tool in TAKEN_WITHOUT_TASKS.get(child.id, ()):
        reason = f"{verdict.reason}, and only while the parent's session has tasks"
        return replace(verdict, reason=reason)
    return verdict


def _record(child: Agent) -> dict[str, object]:
    """The shape of the record, with the members that each of its states has."""
    always: dict[str, object] = {
        "handoff_id": "…",
        "child_session_id": "…",
        "child_turn_id": "…",
        "child_agent_id": child.id,
    }
    members: dict[str, dict[str, object]] = {
        "completed": {"assistant_text": "…"},
        "failed": {"error": "…"},
        "pending_permission": {"pending_permission": {"request_id": "…", "kind": "…"}},
        "pending_question": {"pending_question": {"request_id": "…", "question": "…"}},
    }
    return {
        "states": [{**always, "status": state.name, **members[state.name]} for state in STATES],
    }


def _notes_of_call(child: Agent, call: Call) -> Iterator[str]:
    for name in ("task", "context_summary"):
        if call.text(name) is None:
            yield f"the call has no {name}; the runtime refuses it so: {name} is required"
    if child.candidate.scope.builtin:
        yield (
            "the runtime's own text of this built-in agent is not shipped here: its prompt is a "
            "stand-in"
        )
    if not child.reading.effective.default.text:
        yield "the agent has no prompt of its own: only the runtime's parts remain"
    settings = child.reading.effective.settings
    if settings.keys().isdisjoint(("AllowTools", "DisallowedTools")):
        yield "the agent sets no tool policy: it gets every tool of the turn"
    if child.model is None and call.parent.model is None:
        yield "the model of the turn that delegates is used, which is not known here"


LATEST = "latest"
INVALID, MISSING = "handoff source is invalid", "required handoff source is missing"
_REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Consume:
    """Results of one kind that an agent wants from handoffs before it."""

    kind: str
    required: bool
    source: str
    max_sources: int


@dataclass(frozen=True, slots=True)
class Contract:
    """The kinds of results that an agent provides and consumes."""

    provides: tuple[str, ...]
    consumes: tuple[Consume, ...]


def contract_of(template: Template) -> Contract:
    """The contract of a template; entries without a kind do not count."""
    provides = [_text(record, "kind") for record in _records(template, "provides")]
    consumes = (_consume(record) for record in _records(template, "consumes"))
    kinds = dict.fromkeys(kind for kind in provides if kind)
    return Contract(tuple(kinds), tuple(consume for consume in consumes if consume.kind))


def refused(wanted: Contract) -> RuntimeRefusal | None:
    """Why every call without `source_handoff_ids` is refused, or None."""
    first = next(iter(wanted.consumes), None)
    return RuntimeRefusal(INVALID) if first is not None and first.source != LATEST else None


def notes(wanted: Contract, given: list[str]) -> Iterator[str]:
    """Notes on what depends on the handoffs of the parent's turn."""
    if given:
        kinds = " or ".join(f"`{consume.kind}`" for consume in wanted.consumes)
        which = f" that provides {kinds}" if kinds else ""
        yield (
            f"each of source_handoff_ids must be a completed handoff of the parent's turn{which}; "
            f"else the call is refused: {INVALID}"
        )
        return
    for consume in wanted.consumes:
        if consume.source != LATEST:
            yield f"`from: {consume.source}` is not known, so the call is refused: {INVALID}"
            return
        many = (
            f"the latest {consume.max_sources} results"
            if consume.max_sources > 1
            else ("the latest result")
        )
        yield f"the child gets {many} of kind `{consume.kind}` from handoffs of the parent's turn"
        if consume.required:
            yield f"without a result of kind `{consume.kind}` the call is refused: {MISSING}"


def _records(template: Template, name: str) -> tuple[Record, ...]:
    value = template.settings.get("handoff")
    inner = value.value.values.get(name) if value and isinstance(value.value, Record) else None
    return inner.records if inner is not None else ()


def _consume(record: Record) -> Consume:
    most = _value(record, "max_sources")
    required = _value(record, "required") is True or _text(record, "missing") == _REJECT
    return Consume(
        _text(record, "kind"),
        required,
        _text(record, "from") or LATEST,
        most if isinstance(most, int) and most > 0 else 1,
    )


def _text(record: Record, name: str) -> str:
    value: Value | None = record.values.get(name)
    return go.trim(value.text) if value is not None else ""


def _value(record: Record, name: str) -> object:
    value = record.values.get(name)
    return value.value if value is not None else None


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """The result of a call of `delegate`, or a turn with the agent, depending on `as`."""
    way = call.text(AS)
    if way in (None, DELEGATION):
        return _delegate(catalog, call)
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
