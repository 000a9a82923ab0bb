"""What the tool `list_agents` returns.

Facts: `list_agents_summaries` and `validate_list_agents_contract` in
codex-rs/core/src/agent/role_templates.rs at 9f82deac0f1b, read 2026-11-27.
"""

from collections.abc import Mapping

from agent_lsp.dialects import rust
from agent_lsp.dialects.answers import Call, Catalog, RuntimeRefusal
from agent_lsp.dialects.codex_templates.lookup import resolve, unread
from agent_lsp.dialects.template import Reading, Template, Value


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` as the runtime's tool returns it, or its refusal.

    Without `agent_type` the first template that breaks the contract fails the whole call; one that
    is not looked into here is left out.
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


def _summary(name: str, held: Template, *, expanded: bool) -> dict[str, object]:
    agent: dict[str, object] = {
        "agent_type": name,
        "description": _trimmed(held.settings, "description"),
        "allow_list": _names(held.settings.get("allow_list")),
        "deny_list": _names(held.settings.get("deny_list")),
    }
    if expanded:
        agent |= _defaults(held.settings)
        agent["default_prompt"] = rust.trim(held.default.text)
    if held.personas:
        personas = sorted(held.personas, key=lambda persona: persona.name)
        agent["agent_names"] = [
            {
                "name": persona.name,
                "description": _trimmed(persona.settings, "description"),
                **(_defaults(persona.settings) if expanded else {}),
                **({"prompt": _prompt(held, persona.name)} if expanded else {}),
            }
            for persona in personas
        ]
    return agent


def _defaults(settings: Mapping[str, Value]) -> dict[str, object]:
    return {key: settings[key].text for key in ("model", "reasoning_effort") if key in settings}


def _prompt(held: Template, name: str) -> str:
    block = held.block(name)
    return rust.trim(block.text) if block else ""


def _trimmed(settings: Mapping[str, Value], key: str) -> str:
    value = settings.get(key)
    return rust.trim(value.text) if value else ""


def _names(value: Value | None) -> list[str] | None:
    return [item.text for item in value.items] if value else None
