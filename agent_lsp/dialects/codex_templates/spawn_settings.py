"""The values that a spawned agent gets, each with the chain that it was chosen from.

Facts: codex-rs/core/src/tools/handlers/collab/spawn.rs at 9f82deac0f1b, read 2026-11-27.
"""

from dataclasses import replace

from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_templates.facts import BUILTIN_ROLES, EFFORTS, MODELS
from agent_lsp.dialects.codex_templates.lookup import Selection
from agent_lsp.model.runtime import (
    Call,
    Candidate,
    ChainStep,
    Origin,
    ResolvedSetting,
    RuntimeRefusal,
)
from agent_lsp.model.schema import Model
from agent_lsp.model.template import Value

_CALL = Origin("the `spawn_agent` call")
_CALLER = Origin("the agent that spawns")
# How Rust prints the variants of the effort type, by the name that templates use.
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


def sandbox(call: Call, chosen: Selection) -> ResolvedSetting:
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
    """What the runtime says of a model that its provider's list lacks."""
    return f"unknown model {rust.debug(name)} for spawn_agent. Available models: {_UNKNOWN}"


def _refused(effort: str, model: str | None, efforts: tuple[str, ...] | None) -> RuntimeRefusal:
    quoted = f'"{_UNKNOWN}"' if model is None else rust.debug(model)
    supported = ", ".join(("none", *(efforts or (_UNKNOWN,))))
    return RuntimeRefusal(
        f"reasoning_effort {effort} is not supported for model {quoted}. "
        f"Supported efforts: {supported}"
    )


def _guess(model: ResolvedSetting) -> str:
    """That the runtime, which looks for the model first, may say something else."""
    if model.value is None:
        return " (a guess: the inherited model is not known here)"
    unknown = unknown_model(model.value)
    return f" (a guess: unless the provider's list has the model, the runtime says {unknown})"


def _unset_effort(model: ResolvedSetting, effort: ResolvedSetting) -> str:
    """That an effort which nobody sets may not fit the model, or nothing if every one does."""
    known = _listed(model)
    if known is None or effort.value is not None:
        return ""
    fine = ("none", *known.efforts)
    if not {choice.name for choice in EFFORTS}.difference(fine):
        return ""
    return (
        f"the effort is inherited, and with `{known.name}` the call is refused if the agent that "
        f"spawns has another one than {', '.join(f'`{name}`' for name in fine)}"
    )


def _listed(model: ResolvedSetting) -> Model | None:
    """What the runtime ships about the model in force, or None."""
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
