"""Previews `spawn_agent`, tells an agent's tools, and lists agents as `agent_type` describes them.

Which of two kinds of agent tools a session has depends on its model; the arguments of the call tell
the kind as well. No tool lists roles, so the members of the list are ours, under the keys' names.
Facts: measured with `@openai/codex` 0.171.0, 2026-11-28 (scenes 08, 18, 27, 31, 32 and 35 of
`tests/conformance/codex-agents-scenes.jsonl`); codex-rs/core/src/agent/child_config.rs of
openai/codex at 8a0437f for the order in which model and effort are chosen. Measured on the same
day: nothing in a file but `features.shell_tool = false` takes tools away, and nothing adds any.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import listed
from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_agents import facts, keys, roles, session, skills
from agent_lsp.dialects.codex_agents.catalog import Role, is_table, role
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
    Toolset,
    Verdict,
)
from agent_lsp.model.template import Block, Reading, Template, Value
from agent_lsp.text import Span

_UNKNOWN = "…"
# The name that the runtime gives to the agent of the session.
_FIRST_AGENT = "root"
_EMPTY = Reading(Template({}, (), (Block(None, "", Span(0, 0)),)), Template({}, (), ()))
_DEFAULT_MODEL = f"{keys.AGENTS}.{roles.DEFAULT_MODEL}"
_DEFAULT_EFFORT = f"{keys.AGENTS}.{roles.DEFAULT_EFFORT}"
_CALL, _CALLER = Origin("the `spawn_agent` call"), Origin("the agent that spawns")
_BUILT_IN = {choice.name: choice for choice in facts.BUILT_IN}
_CONDITIONS = {tool.name: tool.condition for tool in (*facts.TOOLS, *facts.AGENT_TOOLS)}
_AGENTS = frozenset(tool.name for tool in facts.AGENT_TOOLS)
_MCP = "mcp__"


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern: there are no lists."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether two names are the same."""
    return entry == name


def cannot_tell(entry: str) -> bool:
    """Whether an entry has the form of a tool that only a running MCP server could name."""
    return entry.startswith(_MCP)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools."""
    return f"{_MCP}{server}__" if server else None


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`."""
    switch = reading.effective.settings.get(keys.SHELL)
    is_off = switch is not None and switch.value is False
    verdicts = tuple(_verdict(tool, switch if is_off else None) for tool in tools)
    return Toolset(verdicts, is_off, (f"{_MCP}*",))


def _verdict(tool: str, switch: Value | None) -> Verdict:
    if tool in facts.SHELL and switch is not None:
        return Verdict(tool, False, f"`{keys.SHELL}` is `false`", switch.span)
    if tool in _AGENTS:
        reason = "agents of the second kind may start others; at the default depth no other may"
        return Verdict(tool, True, reason, condition=_CONDITIONS[tool])
    reason = "an agent has the tools of its session"
    return Verdict(tool, True, reason, condition=_CONDITIONS.get(tool, ""))


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […], "agent_type": …}`: each agent, and the text that the model reads."""
    failed = session.failure(session.as_trusted(catalog))
    if failed is not None:
        return RuntimeRefusal(failed.message)
    everything, catalog = catalog, session.as_trusted(catalog)
    wanted = call.text("agent_type")
    off = session.switched_off(catalog, is_first=_is_first(catalog, call))
    if off:
        return RuntimeRefusal(f"{off}: nothing lists agents", ours=True) if wanted else _none(off)
    names = [name for name in catalog.names if catalog.winner(name) is not None]
    if wanted is not None:
        wanted = rust.trim(wanted)
        if wanted not in names and wanted not in _BUILT_IN:
            return _unknown(everything, wanted)
        names = [name for name in names if name == wanted]
    found = [one for one in (role(catalog, name) for name in names) if one is not None]
    if wanted is not None and found and found[0].winner.unread:
        return _unread(found[0].winner)
    own = [_agent(catalog, one) for one in found if not one.winner.unread]
    there = {str(one["name"]) for one in own}
    built_in = [
        {"name": name, "built_in": True, "description": choice.meaning}
        for name, choice in _BUILT_IN.items()
        if name not in there and wanted in (None, name)
    ]
    return {"agents": [*own, *built_in], "agent_type": _listing(own, built_in)}


def _none(off: str) -> dict[str, object]:
    """The list of a session without agent tools."""
    return {"agents": [], "agent_type": None, "why": off}


def _unknown(everything: Catalog, name: str) -> RuntimeRefusal:
    """The refusal of a name, which may be that of an agent in a project that is not trusted."""
    said = facts.unknown(name)
    found = session.trust(everything)
    if found.counts or everything.winner(name) is None:
        return RuntimeRefusal(said)
    return RuntimeRefusal(f"{found.why}; until then Codex answers a call with `{said}`", ours=True)


def _agent(catalog: Catalog, one: Role) -> dict[str, object]:
    settings = _settings(catalog, one)
    model, effort = (_text(settings.get(key)) for key in ("model", keys.EFFORT))
    described = rust.trim(one.description[1].text)
    return {
        "name": one.winner.name,
        "description": described,
        "listed": "\n".join(filter(None, (described, facts.note(model, effort)))),
        "model": model,
        keys.EFFORT: effort,
        keys.NICKNAMES: [item.text for item in one.nicknames[1].items] if one.nicknames else None,
        "source": one.winner.scope.label,
        "path": str((one.file or one.winner).path),
    }


def _listing(own: list[dict[str, object]], built_in: list[dict[str, object]]) -> str:
    """The list as the description of `agent_type` has it; texts of built-in agents are ours."""
    rows = [f"{one['name']}: {{\n{one['listed']}\n}}" for one in own]
    rows += [f"{one['name']}: {{\n{one['description']}\n}}" for one in built_in]
    return "\n".join(("Available roles:", *rows))


def _unread(winner: Candidate) -> RuntimeRefusal:
    return RuntimeRefusal(f"{winner.path.name} is not read here: it is {winner.unread}", ours=True)


def _settings(catalog: Catalog, one: Role | None) -> dict[str, Value]:
    """The values of the file; a table without one sets nothing that a spawn takes."""
    if one is None or one.file is None:
        return {}
    return dict(catalog.read(one.file).effective.settings)


def _text(value: Value | None) -> str | None:
    return value.text if value is not None else None


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal."""
    everything, catalog = catalog, session.as_trusted(catalog)
    failed = session.failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    given = rust.trim(call.text("agent_type") or "")
    name = given or facts.DEFAULT
    is_first = _is_first(catalog, call)
    off = session.switched_off(catalog, is_first=is_first)
    if off:
        return RuntimeRefusal(f"{off}: there is no call that starts agents", ours=True)
    message = call.text("message")
    if is_first and given and call.arguments.get("fork_context") is True:
        return RuntimeRefusal(facts.FORKED)
    if message is not None and not rust.trim(message):
        return RuntimeRefusal(facts.EMPTY)
    one = role(catalog, name)
    if one is None and name not in _BUILT_IN:
        return _unknown(everything, given)
    if one is not None and one.winner.unread:
        return _unread(one.winner)
    if one is not None and one.file is not None and not one.file.listed:
        # It is a link.
        return RuntimeRefusal(facts.UNAVAILABLE)
    settings = _settings(catalog, one)
    model, effort = _model(catalog, call, one, settings), _effort(catalog, call, one, settings)
    refusal = _refused(catalog, call, model, effort)
    if refusal is not None:
        return refusal
    file = one.file if one is not None else None
    reading = catalog.read(file) if file is not None else _EMPTY
    tools = call.tools if call.parent.tools is None else call.parent.tools
    return Spawn(
        name=name,
        persona=None,
        template=(file or one.winner) if one is not None else None,
        settings=(model, effort, _sandbox(catalog, call, file, settings), *_others(file, settings)),
        toolset=toolset(reading, tools, call.parent.depth + 1),
        prompt=tuple(_prompt(catalog, file, reading, message)),
        depth=call.parent.depth + 1,
        notes=tuple(_notes(call, one, given, is_first=is_first)),
        lost=tuple(_lost(reading)),
        artifacts=tuple(_artifacts(one, is_first=is_first)),
    )


def _is_first(catalog: Catalog, call: Call) -> bool:
    """Whether the agent tools are of the first kind, by the arguments or by the model."""
    if "fork_context" in call.arguments or "items" in call.arguments:
        return True
    if "task_name" in call.arguments or "fork_turns" in call.arguments:
        return False
    model = call.parent.model or session.model(catalog)
    return session.has_first_kind(catalog, model) is True


def _model(
    catalog: Catalog, call: Call, one: Role | None, settings: dict[str, Value]
) -> ResolvedSetting:
    links = [
        *_written(one, settings.get("model")),
        ChainStep(_CALL, call.text("model")),
        _configured(catalog, _DEFAULT_MODEL),
        _of_caller(catalog, call.parent.model, "model"),
    ]
    return _first("model", links)


def _effort(
    catalog: Catalog, call: Call, one: Role | None, settings: dict[str, Value]
) -> ResolvedSetting:
    links = [
        *_written(one, settings.get(keys.EFFORT)),
        ChainStep(_CALL, call.text("reasoning_effort")),
        _configured(catalog, _DEFAULT_EFFORT),
        _of_caller(catalog, call.parent.effort, keys.EFFORT),
    ]
    return _first("reasoning_effort", links)


def _configured(catalog: Catalog, name: str) -> ChainStep:
    """What the nearest configuration says under the dotted `name`."""
    found = session.setting(catalog, name)
    if found is None:
        return ChainStep(Origin(f"`{name}` of `config.toml`"), None)
    origin = Origin(f"`{name}` of `config.toml`", found.config.path, found.value.key)
    return ChainStep(origin, found.value.text)


def _of_caller(catalog: Catalog, said: str | None, name: str) -> ChainStep:
    """The value of the agent that spawns, else that of the session's configuration."""
    if said is not None:
        return ChainStep(_CALLER, said)
    found = _configured(catalog, name)
    return ChainStep(_CALLER, None) if found.value is None else found


def _written(one: Role | None, value: Value | None) -> Iterator[ChainStep]:
    if one is not None and one.file is not None:
        origin = Origin("the file", one.file.path, value.span if value is not None else None)
        yield ChainStep(origin, _text(value))


def _first(name: str, links: list[ChainStep]) -> ResolvedSetting:
    """The setting that the first link with a value decides, else the last link."""
    wins = next((at for at, link in enumerate(links) if link.value is not None), len(links) - 1)
    chain = tuple(replace(link, wins=at == wins) for at, link in enumerate(links))
    return ResolvedSetting(name, chain[wins].value, chain[wins].origin, chain)


def _sandbox(
    catalog: Catalog, call: Call, file: Candidate | None, settings: dict[str, Value]
) -> ResolvedSetting:
    """The sandbox of the agent that spawns; what the file says of it has no effect."""
    value = settings.get(keys.SANDBOX_MODE)
    of_caller = _of_caller(catalog, call.parent.sandbox, keys.SANDBOX_MODE)
    links = [replace(of_caller, wins=True)]
    if file is not None and value is not None:
        origin = Origin(f"`{keys.SANDBOX_MODE}` of the file", file.path, value.span)
        links.append(ChainStep(origin, None, said=f"`{value.text}`, without an effect"))
    return ResolvedSetting(keys.SANDBOX_MODE, of_caller.value, of_caller.origin, tuple(links))


def _others(file: Candidate | None, settings: dict[str, Value]) -> Iterator[ResolvedSetting]:
    for name in ("model_reasoning_summary", "model_verbosity"):
        value = settings.get(name)
        if file is not None and value is not None:
            origin = Origin("the file", file.path, value.span)
            yield _first(name, [ChainStep(origin, value.text), ChainStep(_CALLER, None)])


def _refused(
    catalog: Catalog, call: Call, model: ResolvedSetting, effort: ResolvedSetting
) -> RuntimeRefusal | None:
    """What the runtime refuses: what the call or the defaults ask for first, then what counts."""
    asked = call.text("model") or _configured(catalog, _DEFAULT_MODEL).value
    listed = {one.name for one in facts.MODELS}
    if asked is not None and asked not in listed and asked not in call.models:
        return RuntimeRefusal(facts.unknown_model(asked))
    wanted = call.text("reasoning_effort") or _configured(catalog, _DEFAULT_EFFORT).value
    before = asked or _of_caller(catalog, call.parent.model, "model").value
    refusal = _unsupported(before, wanted)
    if refusal is not None:
        return refusal
    if model.value is not None and not rust.trim(model.value):
        return RuntimeRefusal(facts.NO_MODEL)
    return _unsupported(model.value, effort.value)


def _unsupported(model: str | None, effort: str | None) -> RuntimeRefusal | None:
    known = facts.family(model)
    if known is None or effort is None or effort in known.efforts:
        return None
    return RuntimeRefusal(facts.unsupported(effort, known, model or ""))


def _prompt(
    catalog: Catalog, file: Candidate | None, reading: Reading, message: str | None
) -> Iterator[PromptPart]:
    runtime = Origin("the runtime")
    base = "(the base instructions for the model of the session)"
    yield PromptPart("base instructions", base, False, runtime)
    text = reading.effective.default.text if reading.effective.blocks else ""
    if file is not None and text:
        origin = Origin(f"`{keys.PROMPT}`", file.path, reading.effective.default.span)
        yield PromptPart(keys.PROMPT, text, True, origin)
    else:
        stay = f"(the `{keys.PROMPT}` of the session, if it has any)"
        yield PromptPart(keys.PROMPT, stay, False, Origin("the session"))
    off = skills.switched_off(catalog, file.path) if file is not None else ()
    but = f" except {listed(off, 'and')}" if off else ""
    behind = f"(skills{but}, the permissions of the session, `AGENTS.md`, the environment)"
    yield PromptPart("what the runtime adds", behind, False, runtime)
    said = _UNKNOWN if message is None else message
    yield PromptPart("message", said, message is not None, Origin("the call"))


def _notes(call: Call, one: Role | None, given: str, *, is_first: bool) -> Iterator[str]:
    if not given:
        yield "a call without `agent_type` uses an agent `default` of yours, or the built-in one"
    if one is None:
        yield "the agent is built in, without a model, an effort or a prompt of its own"
    elif one.file is None or is_table(one.winner):
        yield f"`[agents.{one.winner.name}]` of {one.winner.path.name} defines it"
    if is_first:
        yield (
            "agent tools of the first kind are deferred: the model has to find them with "
            "`tool_search`; the agent has none of them at the default depth"
        )
    elif call.parent.model is None and "task_name" not in call.arguments:
        yield "the model of the session decides which kind of agent tools it has"
    if one is not None and one.winner.scope.kind == "project":
        yield facts.NOTES["project"]


def _lost(reading: Reading) -> Iterator[str]:
    if reading.errors:
        yield f"the file is refused: {reading.errors[0].message}"


def _artifacts(one: Role | None, *, is_first: bool) -> Iterator[Artifact]:
    nicknames = one.nicknames if one is not None else None
    nickname = nicknames[1].items[0].text if nicknames and nicknames[1].items else _UNKNOWN
    # A task is named by the path of agents that leads to it.
    task = f"/{_FIRST_AGENT}/…"
    answer = {"agent_id": _UNKNOWN, "nickname": nickname} if is_first else {"task_name": task}
    yield Artifact("returns", "the shape of what the call returns", answer)
    namespace = "multi_agent_v1" if is_first else "collaboration"
    yield Artifact("namespace", "the tools among which the call is", namespace)
    refusals = {
        "unknown agent": facts.unknown(_UNKNOWN),
        "empty message": facts.EMPTY,
        "the file has been deleted or broken since the start": facts.UNAVAILABLE,
        **({"fork_context": facts.FORKED} if is_first else {}),
    }
    yield Artifact("refusals", "what the runtime says where it starts no agent", refusals)
