"""Maps the tools of `codex-agents` to abilities, by which systems are compared.

Which tool does what is our judgement from the meanings in `facts`, which have their source there.
A file has no list of tools: an agent has all of its session, so what another system forbids is
lost, and is told as such.
"""

from agent_lsp.dialects.codex_agents import facts
from agent_lsp.model.conversion import Ability, Conversion, effect
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex

# The levels that every listed model has; `max` becomes `xhigh`, as in the program's own import of
# agents (codex-rs/external-agent-migration of openai/codex).
_EFFORTS = {**{level: level for level in facts.SHARED_EFFORTS}, "max": "xhigh"}
_OF_SERVER = regex(r"mcp__([A-Za-z0-9_-]+?)__(.+)")

_TOOLS = {
    "exec_command": effect(Ability.RUN),
    "write_stdin": effect(Ability.FEED),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "view_image": effect(Ability.IMAGE),
    "request_user_input": effect(Ability.ASK),
    "web_search": effect(Ability.SEARCH_WEB),
    "tool_search": effect(Ability.TOOLS),
    "list_mcp_resources": effect(Ability.LIST_RESOURCES),
    "list_mcp_resource_templates": effect(Ability.LIST_RESOURCES),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
    "spawn_agent": effect(Ability.SPAWN),
    "send_message": effect(Ability.SEND),
    "followup_task": effect(Ability.TEND),
    "wait_agent": effect(Ability.TEND),
    "interrupt_agent": effect(Ability.TEND),
    "list_agents": effect(Ability.RUNNING),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no list into which an entry could go."""
    return None


CONVERSION = Conversion(
    _TOOLS,
    # Any text is a name; a call and a file have to write it.
    regex(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    nothing=None,
    efforts=_EFFORTS,
)
