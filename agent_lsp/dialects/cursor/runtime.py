"""Previews the tool `Task` and the agents that it offers: model, tools, prompt.

Facts: cursor.com/docs/subagents; the arguments of `Task` in forum.cursor.com 159562; read
2026-11-28. Cursor's own words around a prompt are not published, and stand here in ours.
"""

from collections.abc import Iterator

from agent_lsp.dialects.cursor import policy
from agent_lsp.dialects.cursor.facts import BACKGROUND, INHERIT, READONLY
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
)
from agent_lsp.model.template import Template

_UNKNOWN = "…"


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """The agents that `Task` offers, each with its hint; or only the one that the call names."""
    given = call.text("subagent_type")
    winners = [one for name in catalog.names if (one := catalog.winner(name)) is not None]
    rows = [_row(catalog, one) for one in winners if given in (None, one.name)]
    return _missing(catalog) if given is not None and not rows else {"agents": rows}


def _missing(catalog: Catalog) -> RuntimeRefusal:
    """The refusal of an unknown name, as users quote it: kurone-kito/idd-skill#3114."""
    names = ", ".join(catalog.names) or "none but the built-in agents"
    return RuntimeRefusal(f"Invalid enum value; the agents of the session are: {names}")


def _row(catalog: Catalog, candidate: Candidate) -> dict[str, object]:
    held = catalog.read(candidate).effective.settings
    description, model = held.get("description"), held.get("model")
    return {
        "subagent_type": candidate.name,
        "description": description.text if description is not None else "",
        "model": model.text if model is not None else INHERIT,
        READONLY: _is_true(held.get(READONLY)),
        BACKGROUND: _is_true(held.get(BACKGROUND)),
        "path": str(candidate.path),
    }


def _is_true(value: object) -> bool:
    return getattr(value, "value", None) is True


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the refusal of its name."""
    if call.parent.depth >= policy.DEEPEST:
        return RuntimeRefusal("an agent that a sub-agent started has no tool `Task`", ours=True)
    name = call.text("subagent_type")
    winner = catalog.winner(name) if name is not None else None
    if name is None or winner is None:
        return _missing(catalog)
    if winner.unread:
        return RuntimeRefusal(f"{winner.path.name} is not read here: {winner.unread}", True)
    reading = catalog.read(winner)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    depth = call.parent.depth + 1
    forced = call.arguments.get(READONLY) is True
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=(_model(winner, reading.effective, call),),
        toolset=policy.toolset(reading, tools, depth, forced=forced),
        prompt=tuple(_prompt(winner, reading.effective, call.text("prompt"))),
        depth=depth,
        notes=tuple(_notes(reading.effective, forced=forced)),
        lost=tuple(f"the header is not YAML: {one.message}" for one in reading.possible_errors),
    )


def _model(winner: Candidate, effective: Template, call: Call) -> ResolvedSetting:
    value, asked = effective.settings.get("model"), call.text("model")
    said = value.text if value is not None and value.text != INHERIT else None
    steps = (
        (Origin("the call"), asked),
        (Origin("the file", winner.path, value.span if value is not None else None), said),
        (Origin("the parent"), call.parent.model),
    )
    at = next((at for at, (_, one) in enumerate(steps) if one is not None), len(steps) - 1)
    chain = tuple(ChainStep(origin, one, wins=at == n) for n, (origin, one) in enumerate(steps))
    note = "Cursor silently replaces a model that it does not know or allow"
    return ResolvedSetting("model", steps[at][1], steps[at][0], chain, note if at < 2 else "")  # noqa: PLR2004 - the parent


def _prompt(winner: Candidate, effective: Template, task: str | None) -> Iterator[PromptPart]:
    around = "(what Cursor says to each agent; not published)"
    yield PromptPart("Cursor's own prompt", around, False, Origin("the runtime"))
    body = Origin("the file", winner.path, effective.default.span)
    yield PromptPart("body", effective.default.text, True, body)
    said = _UNKNOWN if task is None else task
    yield PromptPart("task", said, task is not None, Origin("the call"))


def _notes(effective: Template, *, forced: bool) -> Iterator[str]:
    yield "the agent sees nothing of the conversation, and its last message is the result"
    if forced or _is_true(effective.settings.get(READONLY)):
        yield "`readonly` blocks edits, commands that change something, and all MCP tools"
    else:
        yield "the agent has every tool of its parent: no key limits them but `readonly`"
    if _is_true(effective.settings.get(BACKGROUND)):
        yield "it runs in the background, and its output goes to `~/.cursor/subagents/`"
