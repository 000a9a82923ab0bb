"""Previews `spawn_agent`: preset, model, limits, sandbox, tools, prompt; and lists presets.

A call uses its own preset, the default one, a built-in one, or none. The runtime has no call that
lists presets; the members of the list are ours, under the runtime's names.
Facts: crates/tools/src/spawn_agent.rs of moltis-org/moltis at 33737298547866 and 6bd2d118, read
2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.dialects.moltis import facts, policy, prompt
from agent_lsp.dialects.moltis.catalog import (
    configuration,
    generation_of,
    in_words_of_definitions,
    is_definition,
    preset_of,
)
from agent_lsp.dialects.moltis.facts import BUILT_IN, DEFAULT_PRESET, ITERATIONS, TIMEOUT, BuiltIn
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.policy import SPAWN
from agent_lsp.dialects.moltis.reading import DEFAULT, ROUNDS
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
from agent_lsp.model.template import Reading, Template, Value
from agent_lsp.text import Span

_NOTHING = Template({}, (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The preset of a call; without `winner` and `built_in` the runtime uses none.

    `asked` is the name that the call or the default gives; `default` where the default stands, and
    `rounds` the limit for all agents that have none of their own.
    """

    generation: Generation | None
    asked: str | None
    winner: Candidate | None = None
    reading: Reading = field(default_factory=lambda: Reading(_NOTHING, _NOTHING))
    built_in: BuiltIn | None = None
    default: tuple[Candidate, Value] | None = None
    rounds: tuple[Candidate, Value] | None = None
    dropped: str = ""


def select(
    catalog: Catalog, call: Call, generation: Generation | None = None
) -> Selection | RuntimeRefusal:
    """The preset, or today's refusal of a name that it does not know."""
    first, reading = configuration(catalog)
    generation = generation_of(catalog, reading, generation)
    asked, default = call.text("preset"), None
    if asked is None and first is not None and DEFAULT in reading.effective.settings:
        default = (first, reading.effective.settings[DEFAULT])
        asked = default[1].text
    said = reading.effective.settings.get(ROUNDS)
    rounds = (first, said) if first is not None and said is not None else None
    found = _chosen(catalog, generation, asked, reading)
    if isinstance(found, RuntimeRefusal):
        return found
    return replace(found, default=default, rounds=rounds)


def _chosen(
    catalog: Catalog, generation: Generation | None, asked: str | None, configured: Reading
) -> Selection | RuntimeRefusal:
    """The preset that is asked for, by the call or by the default of what is `configured`."""
    dropped = configured.errors[0].message if configured.errors else ""
    if asked is None and generation is Generation.TODAY:
        asked = facts.DEFAULT_PRESET
    winner = catalog.winner(asked) if asked is not None else None
    if winner is not None and (not dropped or is_definition(winner)):
        if winner.unread:
            return RuntimeRefusal(
                f"{winner.path.name} is not read here: it is {winner.unread}", ours=True
            )
        return Selection(generation, asked, winner, preset_of(catalog, winner), dropped=dropped)
    over = catalog.passed_over
    if over is not None and asked is not None:
        return RuntimeRefusal(f"{over.name} is the configuration, and is not read here", ours=True)
    built_in = next((preset for preset in BUILT_IN if preset.name == asked), None)
    if generation is Generation.TODAY and built_in is None:
        return RuntimeRefusal(f"spawn preset '{asked}' not found in config.agents.presets")
    if generation is not Generation.TODAY:
        built_in = None
    nothing = Reading(_NOTHING, _NOTHING, (), generation.name if generation else "")
    return Selection(generation, asked, None, nothing, built_in=built_in, dropped=dropped)


_CALL = Origin("the `spawn_agent` call")
_CALLER = Origin("the agent that spawns")
_RUNTIME = Origin("the runtime's own limit")
_BOX = ("mode", "enabled", "image", "no_network")
_COMMIT = "33737298547866"
_WITHHELD = "is not among the tools of a sub-agent"


def spawn(
    catalog: Catalog, call: Call, generation: Generation | None = None
) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    if call.parent.depth >= facts.DEEPEST:
        return RuntimeRefusal(facts.TOO_DEEP)
    chosen = select(catalog, call, generation)
    if isinstance(chosen, RuntimeRefusal):
        return chosen
    depth = call.parent.depth + 1
    tools = call.tools if call.parent.tools is None else call.parent.tools
    settings = chosen.reading.effective.settings
    path = chosen.winner.path if chosen.winner is not None else None
    said = {"task": call.text("task"), "context": call.text("context")}
    model = _model(chosen, call)
    toolset = policy.toolset(_with_built_in(chosen), tools, depth)
    if chosen.winner is not None and is_definition(chosen.winner):
        toolset = in_words_of_definitions(toolset)
    return Spawn(
        name=chosen.asked or "(no preset)",
        persona=None,
        template=chosen.winner,
        settings=(model, *_limits(chosen), *_more(chosen, call)),
        toolset=toolset,
        prompt=_prompt(chosen, tuple(prompt.parts(settings, chosen.generation, said, path))),
        depth=depth,
        notes=(*_passed_over(catalog), *_notes(chosen, call)),
        artifacts=tuple(_artifacts(chosen, call, model.value, depth)),
    )


def _with_built_in(chosen: Selection) -> Reading:
    """The reading that decides about tools: a built-in preset may only delegate."""
    if chosen.built_in is None or not chosen.built_in.delegate_only:
        return chosen.reading
    settings = {policy.DELEGATE: Value(True, Span(0, 0))}
    return replace(chosen.reading, effective=Template(settings, (), ()))


def _prompt(chosen: Selection, parts: tuple[PromptPart, ...]) -> tuple[PromptPart, ...]:
    """The prompt; what a built-in preset puts into it is not known here."""
    if chosen.built_in is None:
        return parts
    own = Origin(f"the built-in preset `{chosen.built_in.name}`")
    first = PromptPart("identity", f"{prompt.UNKNOWN} ", False, own)
    return (first, *parts[1:], PromptPart("suffix", f"\n\n{prompt.UNKNOWN}", False, own))


def _model(chosen: Selection, call: Call) -> ResolvedSetting:
    links = [ChainStep(_CALL, call.text("model"))]
    if chosen.winner is not None:
        links.append(_written(chosen, "model"))
    return _first("model", [*links, ChainStep(_CALLER, call.parent.model)])


def _limits(chosen: Selection) -> Iterator[ResolvedSetting]:
    iterations = [ChainStep(_RUNTIME, str(facts.ITERATIONS))]
    if chosen.rounds is not None and chosen.generation is Generation.TODAY:
        file, value = chosen.rounds
        origin = Origin(f"`{ROUNDS}`, for all agents", file.path, value.span)
        iterations.insert(0, ChainStep(origin, _shown(value)))
    if chosen.built_in is not None:
        origin = Origin(f"the built-in preset `{chosen.built_in.name}`")
        iterations.insert(0, ChainStep(origin, str(chosen.built_in.iterations)))
    endless = chosen.generation is Generation.TODAY
    timeout = [ChainStep(_RUNTIME, "none" if endless else str(facts.TIMEOUT))]
    for name, links in (("max_iterations", iterations), ("timeout_secs", timeout)):
        if chosen.winner is not None:
            links.insert(0, _written(chosen, name))
        yield _first(name, links)


def _more(chosen: Selection, call: Call) -> Iterator[ResolvedSetting]:
    """The sandbox, and the effort where the generation has it."""
    settings = chosen.reading.effective.settings
    found = [(key, settings[f"sandbox.{key}"]) for key in _BOX if f"sandbox.{key}" in settings]
    links = [ChainStep(_CALLER, call.parent.sandbox)]
    if found and chosen.winner is not None:
        said = ", ".join(f"{key} = {_shown(value)}" for key, value in found)
        links.insert(0, ChainStep(Origin("the preset", chosen.winner.path, found[0][1].span), said))
    yield _first("sandbox", links)
    if chosen.generation is Generation.TODAY and chosen.winner is not None:
        configured = ChainStep(Origin("as the model is configured"), None)
        yield _first("reasoning_effort", [_written(chosen, "reasoning_effort"), configured])


def _written(chosen: Selection, name: str) -> ChainStep:
    value = chosen.reading.effective.settings.get(name)
    path = chosen.winner.path if chosen.winner is not None else None
    origin = Origin("the preset", path, value.span if value is not None else None)
    return ChainStep(origin, None if value is None else _shown(value))


def _shown(value: Value) -> str:
    return str(value.value).lower() if isinstance(value.value, bool) else str(value.value)


def _first(name: str, links: list[ChainStep]) -> ResolvedSetting:
    """The setting that the first link with a value decides, else the last link."""
    last = len(links) - 1
    wins = next((at for at, link in enumerate(links) if link.value is not None), last)
    chain = tuple(replace(link, wins=at == wins) for at, link in enumerate(links))
    return ResolvedSetting(name, chain[wins].value, chain[wins].origin, chain)


def _passed_over(catalog: Catalog) -> Iterator[str]:
    over = catalog.passed_over
    if over is not None:
        yield (
            f"{over.name} is the whole configuration of this session, and is not read here: "
            "its settings override what is shown"
        )


def _notes(chosen: Selection, call: Call) -> Iterator[str]:
    if chosen.dropped:
        yield (
            "the configuration has a load error, so the runtime drops all of it and continues with "
            f"its defaults: {chosen.dropped}"
        )
    elif chosen.winner is None and chosen.built_in is None and chosen.asked is not None:
        yield (
            f"there is no preset `{chosen.asked}`: the runtime notes it in its log and "
            "continues without a preset; the current runtime refuses the call unless the preset is "
            "built in"
        )
    if call.text("task") is None:
        yield f"without `task` the call is refused: {facts.NO_TASK}"
    if chosen.built_in is not None:
        yield f"`{chosen.built_in.name}` is built in; its prompt is not shown here"
    if chosen.generation is None:
        yield "nothing in the file tells which runtime it is for; this is what the document's does"
    if chosen.generation is not Generation.TODAY and chosen.winner is not None:
        yield from _of_the_code(chosen)
    delegates = policy.delegates(_with_built_in(chosen).effective.settings)
    has = "stays with a sub-agent that only delegates" if delegates else _WITHHELD
    yield f"`{SPAWN}` {has}, and depth {facts.DEEPEST} is the last"


def _of_the_code(chosen: Selection) -> Iterator[str]:
    """Notes on what the code of the document's time does not do, contrary to the document."""
    settings = chosen.reading.effective.settings
    without_effect = [name for name in ("max_iterations", "timeout_secs") if name in settings]
    without_effect += ["sandbox"] if any(name.startswith("sandbox.") for name in settings) else []
    without_effect += ["default"] if chosen.default is not None else []
    if without_effect:
        names = ", ".join(f"`{name}`" for name in without_effect)
        yield f"the code at {_COMMIT} reads {names} and does not act on it"
    model = settings.get("model")
    if model is not None and "/" in model.text:
        raw = model.text.rpartition("/")[2]
        is_known = raw in facts.RAW_MODELS
        bare = f"bare ids: `{raw}`" if is_known else "bare ids, without a provider before them"
        yield f"the code at {_COMMIT} knows models by {bare}"


def _artifacts(chosen: Selection, call: Call, model: str | None, depth: int) -> Iterator[Artifact]:
    task, used = call.text("task") or prompt.UNKNOWN, model or prompt.UNKNOWN
    start = {"state": "sub_agent_start", "task": task, "model": used, "depth": depth}
    counts = {"iterations": 1, "toolCallsMade": 0}
    end = {"state": "sub_agent_end", "task": task, "model": used, "depth": depth, **counts}
    events = {
        "start": {"event": "chat", "payload": start},
        "end": {"event": "chat", "payload": end},
    }
    yield Artifact("events", "sent to the clients of the gateway", events)
    named = chosen.asked if chosen.winner is not None or chosen.built_in is not None else None
    result = {
        "text": prompt.UNKNOWN,
        "iterations": 1,
        "tool_calls_made": 0,
        "model": used,
        "preset": named,
    }
    yield Artifact("returns", "the shape of what the call returns", result)
    refusals = {
        "no task": facts.NO_TASK,
        "too deep": facts.TOO_DEEP,
        "unknown model": f"unknown model: {prompt.UNKNOWN}",
    }
    if chosen.generation is Generation.TODAY:
        refusals["unknown preset"] = (
            f"spawn preset '{prompt.UNKNOWN}' not found in config.agents.presets"
        )
    yield Artifact("refusals", "what the runtime says where it does not run one", refusals)


def list_agents(
    catalog: Catalog, call: Call, generation: Generation | None = None
) -> object | RuntimeRefusal:
    """`{"agents": […]}`, or the one preset that the call names."""
    wanted = call.text("preset")
    configured = configuration(catalog)[1]
    generation = generation_of(catalog, configured, generation)
    default = _default(configured, generation)
    listed: list[dict[str, object]] = []
    for name in catalog.names:
        winner = catalog.winner(name) if wanted in (None, name) else None
        if winner is None:
            continue
        if winner.unread:
            message = f"{winner.path.name} is not read here: it is {winner.unread}"
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
        return RuntimeRefusal(f"{catalog.passed_over.name} is not read here", ours=True)
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
    """The presets that the current runtime adds."""
    for preset in BUILT_IN if generation is Generation.TODAY else ():
        yield {
            "name": preset.name,
            "built_in": True,
            "model": None,
            "delegate_only": preset.delegate_only,
            "max_iterations": preset.iterations,
            "timeout_secs": None,
        }
