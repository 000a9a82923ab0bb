"""Maps the tools of `qwen` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `tools`, which have their source there.
"""

from agent_lsp.dialects.qwen.tools import AGENT, EVERY, NONE, SKILL
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_OF_SERVER = regex(r"mcp__([^*]+?)(?:__(\*|[^*]+))?")

_TOOLS = {
    "read_file": effect(Ability.READ),
    "write_file": effect(Ability.WRITE),
    "edit": effect(Ability.EDIT),
    "glob": effect(Ability.FIND),
    "list_directory": effect(Ability.FIND),
    "grep_search": effect(Ability.SEARCH),
    "lsp": effect(Ability.CODE),
    "run_shell_command": effect(Ability.RUN),
    "monitor": only_with(Ability.RUN),
    "zoom_image": effect(Ability.IMAGE),
    "web_fetch": effect(Ability.FETCH),
    "web_search": effect(Ability.SEARCH_WEB),
    AGENT: effect(Ability.SPAWN),
    SKILL: effect(Ability.SKILL),
    "tool_search": effect(Ability.TOOLS),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry in (EVERY, "mcp__*"):
        return EVERY, EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2] or EVERY) if found else None


def _entry(server: str, tool: str, list_: KeyRole) -> str | None:
    """An entry for a tool of a server; whole servers can be denied, but not allowed."""
    if tool == EVERY and list_ is KeyRole.ALLOW:
        return None
    return "mcp__*" if server == EVERY else f"mcp__{server}__{tool}"


def _read_only(reading: Reading) -> Value | None:
    mode = reading.effective.settings.get("approvalMode")
    return mode if mode is not None and mode.text == "plan" else None


_ASKS_LESS = frozenset({"auto-edit", "auto", "yolo"})
CONVERSION = Conversion(
    _TOOLS,
    regex(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    _server,
    _entry,
    # An empty list is every tool here, and one without a tool in it is none.
    nothing=(KeyRole.ALLOW, (NONE,)),
    holds={
        "approvalMode": Hold(
            "no setting of the other system asks or denies as this mode does", _ASKS_LESS
        ),
        "hooks": Hold("a hook can refuse an action of the agent"),
        "maxTurns": Hold("nothing in the other system stops the agent after this number of turns"),
        "executionBackend": Hold("in the other system the agent does not run in a container"),
    },
    unset={"model": frozenset({"inherit"}), "background": frozenset({"false"})},
    read_only=_read_only,
)
