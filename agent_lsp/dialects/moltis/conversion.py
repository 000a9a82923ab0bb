"""Maps the tools and keys of Moltis to abilities, by which systems are compared.

Which tool does what is our judgement from the meanings in `policy`, which have their source there.
"""

from collections.abc import Mapping

from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis.definitions import AS_PRESET
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.policy import (
    ALLOW,
    DELEGATE,
    DENY,
    HISTORY,
    LIST,
    MCP,
    RENAMED,
    SEED_TOOLS,
    SEND,
    SPAWN,
    TODAY_TOOLS,
    items,
)
from agent_lsp.dialects.moltis.prompt import SUFFIX
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex

_OF_SERVER = regex(rf"{MCP}([A-Za-z0-9_-]+?)__([^*?]+)")

_TOOLS = {
    # Only an agent that does nothing but delegate has it.
    SPAWN: effect(Ability.SPAWN),
    "exec": effect(Ability.RUN),
    "process": effect(Ability.FEED),
    "sandbox_packages": only_with(Ability.RUN),
    "Read": effect(Ability.READ),
    "Write": effect(Ability.WRITE),
    "Edit": effect(Ability.EDIT),
    "MultiEdit": effect(Ability.EDIT),
    "Glob": effect(Ability.FIND),
    "Grep": effect(Ability.SEARCH),
    "web_search": effect(Ability.SEARCH_WEB),
    "web_fetch": effect(Ability.FETCH),
    "firecrawl_scrape": only_with(Ability.FETCH),
    "read_skill": effect(Ability.SKILL),
    "tool_search": effect(Ability.TOOLS),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    """The name of one tool; the lists have no patterns."""
    return None if "*" in (server, tool) else f"{MCP}{server}__{tool}"


_BLANK = frozenset({""})
_SERVERS = Hold("in the other system, only the tool list keeps servers from the agent", _BLANK)
_SKILLS = Hold("in the other system the agent may load every skill", _BLANK)
_ROUNDS = Hold("nothing in the other system stops the agent after this number of turns")
_SECONDS = Hold("nothing in the other system stops the agent after this time")
_SESSIONS = Hold(
    "in the other system the agent may see every session of its own, and send to it",
    frozenset({"true"}),
    frozenset({LIST, HISTORY, SEND}),
)
_BOX = Hold("in the other system the sandbox is the session's", frozenset({"off", "false"}))

CONVERSION = Conversion(
    _TOOLS,
    regex(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    # Neither a blank list nor a pattern takes every tool away.
    nothing=None,
    around="in the other system the prompt is added at the end of the runtime's own prompt",
    holds={
        "max_iterations": _ROUNDS,
        "timeout_secs": _SECONDS,
        "mcp_allow_servers": _SERVERS,
        "mcp_deny_servers": _SERVERS,
        "sandbox_mode": _BOX,
        "skills_allow": _SKILLS,
        "skills_deny": _SKILLS,
    },
    said=frozenset({DELEGATE}),
)


# A definition is no more than a preset for who reads both; the document's runtime reads none.
_ALIKE = (DELEGATE, "max_iterations", "timeout_secs", "reasoning_effort")


def _kin(reading: Reading, other: str) -> Mapping[str, str]:
    """The keys of a definition by those of a preset.

    In the document's generation, models and tools are called otherwise than in definitions.
    """
    if other != "moltis-agents":
        return {}
    found = {preset: own for own, preset in AS_PRESET.items()} | {name: name for name in _ALIKE}
    if reading.generation == Generation.TODAY.name:
        return found | {"model": "model"}
    return {preset: own for preset, own in found.items() if preset not in (ALLOW, DENY)}


def _taken(reading: Reading) -> Reading:
    """A reading as today's where its lists name tools that only the current runtime has.

    Without such names, or with those of both, the document's fewer tools are the safer ones.
    """
    if reading.generation:
        return reading
    names = {one.text for key in (ALLOW, DENY) for one in items(reading.effective.settings, key)}
    is_today = names & _NEW and not names & RENAMED.keys()
    return replace(reading, generation=Generation.TODAY.name) if is_today else reading


_NEW = frozenset(tool.name for tool in TODAY_TOOLS) - {tool.name for tool in SEED_TOOLS}
OF_PRESETS = replace(
    CONVERSION,
    tools=_TOOLS | {old: _TOOLS[name] for old, name in RENAMED.items()},
    writes=False,
    said=frozenset({DELEGATE, SUFFIX}),
    taken=_taken,
    kin=_kin,
    holds={
        "max_iterations": _ROUNDS,
        "timeout_secs": _SECONDS,
        "mcp.allow_servers": _SERVERS,
        "mcp.deny_servers": _SERVERS,
        "sandbox.mode": _BOX,
        "sandbox.enabled": _BOX,
        "sandbox.no_network": _BOX,
        "skills.allow": _SKILLS,
        "skills.deny": _SKILLS,
        "sessions.key_prefix": _SESSIONS,
        "sessions.can_send": _SESSIONS,
        "tool_controls.active_tools": Hold(
            "in the other system the model is shown every tool that it has"
        ),
        "tool_controls.tool_choice.type": Hold(
            "in the other system the model may call every tool that it has",
            frozenset({"auto", "any", "tool"}),
        ),
    },
)
