"""Previews `spawn_agent` and `list_agents`: template, persona, model, tools, prompt.

Facts: codex-rs/core/src/tools/handlers/collab/spawn.rs, and `list_agents_summaries` and
`validate_list_agents_contract` in core/src/agent/role_templates.rs at 9f82deac0f1b, read
2026-11-27.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_templates import policy
from agent_lsp.dialects.codex_templates.facts import BUILTIN_ROLES, EFFORTS, MODELS, NOTES
from agent_lsp.dialects.codex_templates.policy import ESCAPE, LIMIT
from agent_lsp.dialects.codex_templates.reading import Selection, resolve, select, unread
from agent_lsp.model import template
from agent_lsp.model.runtime import (
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
)
from agent_lsp.model.schema import Model
from agent_lsp.model.template import Reading, Template, Value

_CALL = Origin("the `spawn_agent` call")
_CALLER = Origin("the agent that spawns")
# Rust's names of the variants of the effort type, by their names in templates.
_VARIANTS = {effort.name: effort.name.capitalize() for effort in EFFORTS} | {"xhigh": "XHigh"}
_UNKNOWN = "…"


def model_and_effort(call: Call, chosen: Selection) -> tuple[ResolvedSetting, ResolvedSetting]:
    """Both, chosen each on its own: call, persona, role, built-in role, caller.

    A blank model counts as absent, a blank effort as given.
    """
    of_role = BUILTIN_ROLES.get(chosen.agent_type, (None, None))
    argument = rust.trim(call.text("model") or "")
    model = _inherited("model", argument or None, chosen, of_role[0], call.parent.model)
    word = call.text("reasoning_effort")
    given = None if word is None else rust.lower(rust.trim(word))
    effort = _inherited("reasoning_effort", given, chosen, of_role[1], call.parent.effort)
    if model.value is None and effort.value is not None:
        note = "the model is inherited, so whether it supports the effort is not checked here"
        return model, replace(effort, note=note)
    return replace(model, note=_unset_effort(model, effort)), effort


def sandbox_setting(call: Call, chosen: Selection) -> ResolvedSetting:
    """The sandbox: read-only where the template says so, else the caller's."""
    read_only = chosen.reading.effective.settings.get("read_only")
    forced = read_only is not None and read_only.value is True
    links = [ChainStep(_CALLER, call.parent.sandbox)]
    if chosen.winner is not None:
        origin = _origin("`read_only` of the template", chosen.winner, read_only)
        said = "" if read_only is None else "`false`: inherits"
        step = ChainStep(origin, "read-only") if forced else ChainStep(origin, None, said=said)
        links.insert(0, step)
    return _first("sandbox", links)


def thread_note(call: Call, chosen: Selection) -> ResolvedSetting:
    """The note: the call's, else one that the runtime composes."""
    given = rust.trim(call.text("thread_note") or "")
    parts = [f"agent_type={chosen.agent_type}"]
    if chosen.block is not None and chosen.block.name:
        parts.append(f"agent_name={chosen.block.name}")
    described = chosen.persona.settings.get("description") if chosen.persona else None
    if described is not None and rust.trim(described.text):
        parts.append(f"agent_description={rust.trim(described.text)}")
    composed = ChainStep(Origin("composed by the runtime"), rust.trim("; ".join(parts)))
    return _first("thread_note", [ChainStep(_CALL, given or None), composed])


def unsupported(
    call: Call, model: ResolvedSetting, effort: ResolvedSetting
) -> RuntimeRefusal | None:
    """The runtime's check of the final model and effort, as far as its model list is known."""
    known = _listed(model)
    argument = call.text("reasoning_effort")
    if argument is not None and effort.value not in _VARIANTS:
        # The runtime refuses such a word for every model, also for one that is not known here.
        refusal = _refused(rust.debug(argument), model.value, known.efforts if known else None)
        guess = "" if known or model.value in call.models else _guess(model)
        return replace(refusal, message=refusal.message + guess)
    if known is None or effort.value not in _VARIANTS:
        return None
    if effort.value == "none" or effort.value in known.efforts:
        return None
    return _refused(_VARIANTS[effort.value], known.name, known.efforts)


def unknown_model(name: str) -> str:
    """The runtime's text for a model that its provider's list lacks."""
    return f"unknown model {rust.debug(name)} for spawn_agent. Available models: {_UNKNOWN}"


def _refused(effort: str, model: str | None, efforts: tuple[str, ...] | None) -> RuntimeRefusal:
    quoted = f'"{_UNKNOWN}"' if model is None else rust.debug(model)
    supported = ", ".join(("none", *(efforts or (_UNKNOWN,))))
    return RuntimeRefusal(
        f"reasoning_effort {effort} is not supported for model {quoted}. "
        f"Supported efforts: {supported}"
    )


def _guess(model: ResolvedSetting) -> str:
    """A note that the runtime, which looks for the model first, may answer something else."""
    if model.value is None:
        return " (a guess: the inherited model is not known here)"
    unknown = unknown_model(model.value)
    return f" (a guess: unless the provider's list has the model, the runtime says {unknown})"


def _unset_effort(model: ResolvedSetting, effort: ResolvedSetting) -> str:
    """A note that an inherited effort may not fit the model; nothing if every effort does."""
    known = _listed(model)
    if known is None or effort.value is not None:
        return ""
    fine = ("none", *known.efforts)
    if not {choice.name for choice in EFFORTS}.difference(fine):
        return ""
    return (
        f"the effort is inherited, and with `{known.name}` the call is refused unless the agent "
        f"that spawns has one of {', '.join(f'`{name}`' for name in fine)}"
    )


def _listed(model: ResolvedSetting) -> Model | None:
    """The runtime's entry for the model in force, or None."""
    return next((entry for entry in MODELS if entry.name == model.value), None)


def _inherited(
    key: str, argument: str | None, chosen: Selection, builtin: str | None, caller: str | None
) -> ResolvedSetting:
    """The first of call, persona, role and built-in role that has `key`, else the caller's."""
    links = [ChainStep(_CALL, argument)]
    if chosen.persona is not None:
        label = f"persona `{chosen.persona.name}`"
        links.append(_written(label, chosen.winner, chosen.persona.settings.get(key)))
    if chosen.winner is not None:
        links.append(
            _written("the template", chosen.winner, chosen.reading.effective.settings.get(key))
        )
    if builtin is not None:
        links.append(
            ChainStep(Origin(f"the runtime's built-in role `{chosen.agent_type}`"), builtin)
        )
    return _first(key, [*links, ChainStep(_CALLER, caller)])


def _first(name: str, links: list[ChainStep]) -> ResolvedSetting:
    """The setting that the first link with a value decides, else the last link."""
    last = len(links) - 1
    wins = next((at for at, link in enumerate(links) if link.value is not None), last)
    chain = tuple(replace(link, wins=at == wins) for at, link in enumerate(links))
    return ResolvedSetting(name, chain[wins].value, chain[wins].origin, chain)


def _written(label: str, winner: Candidate | None, value: Value | None) -> ChainStep:
    return ChainStep(_origin(label, winner, value), value.text if value else None)


def _origin(label: str, winner: Candidate | None, value: Value | None) -> Origin:
    return Origin(label, winner.path if winner else None, value.span if value else None)


_LOST = (
    "the whole file is the prompt, and model, reasoning_effort, read_only, allow_list and "
    "deny_list are lost"
)


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    chosen = select(catalog, call)
    if isinstance(chosen, RuntimeRefusal):
        return chosen
    model, effort = model_and_effort(call, chosen)
    refusal = unsupported(call, model, effort)
    if refusal is not None:
        return refusal
    sandbox, note = sandbox_setting(call, chosen), thread_note(call, chosen)
    depth = call.parent.depth + 1
    offered = call.parent.tools is not None
    tools = call.parent.tools if call.parent.tools is not None else call.tools
    toolset = policy.toolset(chosen.reading, tools, depth, offered=offered)
    return Spawn(
        name=chosen.winner.name if chosen.winner else chosen.agent_type,
        persona=chosen.block.name if chosen.block else None,
        template=chosen.winner,
        settings=(model, effort, sandbox, note),
        toolset=toolset,
        prompt=(_prompt(chosen),),
        depth=depth,
        lost=tuple(_lost(chosen)),
        notes=(
            *_template_notes(chosen),
            *filter(None, (model.note, effort.note)),
            *_model_notes(call, model),
            *_folder_notes(catalog, call),
            *_tool_notes(call, toolset),
            LIMIT,
        ),
    )


def _prompt(chosen: Selection) -> PromptPart:
    """The selected text, which replaces the base instructions and is not trimmed."""
    if chosen.winner is None or chosen.block is None:
        text = "(the instructions of the agent that spawns; no template replaces them)"
        return PromptPart("base instructions", text, False, Origin("the runtime"))
    name = chosen.block.name
    label = f"block of persona `{name}`" if name else "default block"
    origin = Origin(label, chosen.winner.path, chosen.block.span)
    verbatim = not chosen.winner.scope.builtin
    return PromptPart("base instructions", chosen.block.text, verbatim, origin)


def _lost(chosen: Selection) -> Iterator[str]:
    if chosen.winner is None:
        return
    if chosen.reading.errors:
        yield f"the header is refused ({chosen.reading.errors[0].message}): {_LOST}"
    elif chosen.reading.declared.settings and not chosen.reading.effective.settings:
        yield (
            "the runtime does not see the header, which is not closed or follows a byte-order "
            f"mark: {_LOST}"
        )


def _template_notes(chosen: Selection) -> Iterator[str]:
    if chosen.winner is None or chosen.block is None:
        return
    settings = chosen.reading.effective.settings
    if settings.keys().isdisjoint(("allow_list", "deny_list")) and not any(_lost(chosen)):
        yield "the template sets no tool policy: the agent gets every tool of the session"
    if chosen.winner.scope.builtin:
        yield (
            "the runtime's own text of this built-in role is not shipped here: "
            "its description and prompt are stand-ins"
        )
    for key, entry in template.shipped_stand_ins(settings):
        yield (
            f"`{entry.text}` in `{key}` stands in for {entry.stands_for}; it is unknown here "
            "whether the agent has one of the tools that it matches"
        )
    if not rust.trim(chosen.block.text):
        yield "the selected block is empty: the agent is spawned without instructions"


def _model_notes(call: Call, model: ResolvedSetting) -> Iterator[str]:
    known = {entry.name for entry in MODELS}.union(call.models)
    if model.value is not None and model.value not in known:
        yield (
            f"`{model.value}` is not in the model list that the runtime ships; unless the "
            "provider's list has it, the call is refused: "
            f"{unknown_model(model.value)}"
        )


def _folder_notes(catalog: Catalog, call: Call) -> Iterator[str]:
    folder = rust.trim(call.text("working_directory") or "")
    if folder and catalog.root / folder != catalog.root:
        yield (
            "another working_directory needs the user's approval; without it the call is refused: "
            "spawn_agent in a different working_directory was not approved"
        )


def _tool_notes(call: Call, toolset: Toolset) -> Iterator[str]:
    if call.parent.tools is None:
        yield NOTES["tools"]
    if toolset.restricted and any(verdict.tool == "spawn_agent" for verdict in toolset.kept):
        yield f"about `spawn_agent`: {ESCAPE}"


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` as the runtime's tool returns it, or its refusal.

    Without `agent_type` the first template that breaks the contract fails the whole call; one that
    is not read here is left out.
    """
    names = catalog.names
    agent_type = call.text("agent_type")
    if agent_type is not None:
        name = resolve(catalog, agent_type)
        if isinstance(name, RuntimeRefusal):
            return name
        names = (name,)
    agents: list[dict[str, object]] = []
    for name in names:
        winner = catalog.winner(name)
        if winner is None:
            continue
        if winner.unread and agent_type is None:
            continue
        if winner.unread:
            return unread(winner)
        reading = catalog.read(winner)
        broken = contract(name, reading)
        if broken is not None:
            return RuntimeRefusal(broken)
        agents.append(
            _summary(name, reading.effective, expanded=call.arguments.get("expanded") is True)
        )
    return {"agents": agents}


def contract(name: str, reading: Reading) -> str | None:
    """Why `list_agents` refuses the template, in its own words, or None; first check first."""
    prefix = f"invalid agent template {rust.debug(name)}: "
    if reading.errors:
        return prefix + reading.errors[0].message
    held = reading.effective
    if not _trimmed(held.settings, "description"):
        return prefix + "missing required frontmatter description"
    if not rust.trim(held.default.text):
        return prefix + "missing required default prompt block"
    if held.blocks[1:] and not held.personas:
        return prefix + "found agent_name blocks but frontmatter agent_names is missing"
    for persona in held.personas:
        if not _trimmed(persona.settings, "description"):
            return prefix + f"missing description for agent_name {rust.debug(persona.name)}"
    return None


def _summary(name: str, effective: Template, *, expanded: bool) -> dict[str, object]:
    agent: dict[str, object] = {
        "agent_type": name,
        "description": _trimmed(effective.settings, "description"),
        "allow_list": _names(effective.settings.get("allow_list")),
        "deny_list": _names(effective.settings.get("deny_list")),
    }
    if expanded:
        agent |= _defaults(effective.settings)
        agent["default_prompt"] = rust.trim(effective.default.text)
    if effective.personas:
        personas = sorted(effective.personas, key=lambda persona: persona.name)
        agent["agent_names"] = [
            {
                "name": persona.name,
                "description": _trimmed(persona.settings, "description"),
                **(_defaults(persona.settings) if expanded else {}),
                **({"prompt": _listed_prompt(effective, persona.name)} if expanded else {}),
            }
            for persona in personas
        ]
    return agent


def _defaults(settings: Mapping[str, Value]) -> dict[str, object]:
    return {key: settings[key].text for key in ("model", "reasoning_effort") if key in settings}


def _listed_prompt(effective: Template, name: str) -> str:
    block = effective.block(name)
    return rust.trim(block.text) if block else ""


def _trimmed(settings: Mapping[str, Value], key: str) -> str:
    value = settings.get(key)
    return rust.trim(value.text) if value else ""


def _names(value: Value | None) -> list[str] | None:
    return [item.text for item in value.items] if value else None
