"""What `spawn_agent` resolves: template, persona, model, effort, sandbox, tools, prompt.

Facts: codex-rs/core/src/tools/handlers/collab/spawn.rs at 9f82deac0f1b, read 2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.dialects import rust, stand_ins
from agent_lsp.dialects.answers import (
    Call,
    Catalog,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
)
from agent_lsp.dialects.codex_templates import policy, spawn_settings
from agent_lsp.dialects.codex_templates.facts import MODELS, NOTES
from agent_lsp.dialects.codex_templates.selection import Selection, select
from agent_lsp.dialects.codex_templates.tools import ESCAPE, LIMIT

_LOST = (
    "the whole file is the prompt, and model, reasoning_effort, read_only, allow_list and "
    "deny_list are lost"
)


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    chosen = select(catalog, call)
    if isinstance(chosen, RuntimeRefusal):
        return chosen
    model, effort = spawn_settings.model_and_effort(call, chosen)
    refusal = spawn_settings.unsupported(call, model, effort)
    if refusal is not None:
        return refusal
    sandbox, note = spawn_settings.sandbox(call, chosen), spawn_settings.thread_note(call, chosen)
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
            "the runtime does not see the header, which is not closed or stands behind a "
            f"byte-order mark: {_LOST}"
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
    for key, entry in stand_ins.shipped_stand_ins(settings):
        yield (
            f"`{entry.text}` in `{key}` stands in for {entry.stands_for}; whether the agent has "
            "one of the tools that it matches cannot be told here"
        )
    if not rust.trim(chosen.block.text):
        yield "the selected block is empty: the agent is spawned without instructions"


def _model_notes(call: Call, model: ResolvedSetting) -> Iterator[str]:
    known = {entry.name for entry in MODELS}.union(call.models)
    if model.value is not None and model.value not in known:
        yield (
            f"`{model.value}` is not in the model list that the runtime ships; unless the "
            "provider's list has it, the call is refused: "
            f"{spawn_settings.unknown_model(model.value)}"
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
