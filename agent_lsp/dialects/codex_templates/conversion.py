"""Maps the tools of `codex-templates` to abilities, by which systems are compared.

Which tool does what is our judgement from the meanings in `tools`, which have their source there.
"""

import re

from agent_lsp.model.conversion import Ability, Conversion, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value

_MCP = "mcp__"
_EVERY = "*"
# A name, or a pattern that is the whole of a half.
_OF_SERVER = re.compile(r"mcp__([A-Za-z0-9_-]+?)__([^*?]+|\*)")

_COMMANDS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")
_TOOLS = {
    **dict.fromkeys(_COMMANDS, effect(Ability.RUN)),
    "write_stdin": effect(Ability.FEED),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "update_plan": effect(Ability.PLAN),
    "view_image": effect(Ability.IMAGE),
    "web_search": effect(Ability.SEARCH_WEB),
    "request_user_input": effect(Ability.ASK),
    "js_repl": only_with(Ability.RUN),
    "js_repl_reset": only_with(Ability.RUN),
    "search_tool_bm25": effect(Ability.TOOLS),
    "list_mcp_resources": effect(Ability.LIST_RESOURCES),
    "list_mcp_resource_templates": effect(Ability.LIST_RESOURCES),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
    "grep_files": effect(Ability.SEARCH),
    "read_file": effect(Ability.READ),
    "list_dir": effect(Ability.FIND),
    "list_agents": effect(Ability.TEND),
    "list_active_agents": effect(Ability.RUNNING),
    "spawn_agent": effect(Ability.SPAWN),
    "send_input": effect(Ability.SEND),
    "resume_agent": effect(Ability.TEND),
    "wait": effect(Ability.TEND),
    "close_agent": effect(Ability.TEND),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry.endswith(_EVERY) and _MCP.startswith(entry.removesuffix(_EVERY)):
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    return f"{_MCP}*" if server == tool == _EVERY else f"{_MCP}{server}__{tool}"


def _read_only(reading: Reading) -> Value | None:
    value = reading.effective.settings.get("read_only")
    return value if value is not None and value.value is True else None


CONVERSION = Conversion(
    _TOOLS,
    re.compile(r"[a-z0-9_-]+"),
    _server,
    _entry,
    # The lists have no families: a session offers only one of these, whichever it is.
    alternatives=(frozenset(_COMMANDS),),
    # An empty `allow_list` allows everything.
    nothing=(KeyRole.DENY, (_EVERY,)),
    unset={"read_only": frozenset({"false"})},
    read_only=_read_only,
)
