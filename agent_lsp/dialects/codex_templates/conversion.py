"""What the tools of `codex-templates` do, in the words that other systems are compared by.

Which tool does what is our judgement from the meanings in `tools`, which have their source there.
"""

import re

from agent_lsp.dialects.conversion import Ability, Conversion, does, only_with
from agent_lsp.dialects.template import Reading, Value
from agent_lsp.dialects.vocabulary import Holds

_MCP = "mcp__"
_EVERY = "*"
# A name, or a pattern that is the whole of a half.
_OF_SERVER = re.compile(r"mcp__([A-Za-z0-9_-]+?)__([^*?]+|\*)")

_COMMANDS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")
_TOOLS = {
    **dict.fromkeys(_COMMANDS, does(Ability.RUN)),
    "write_stdin": does(Ability.FEED),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": does(Ability.EDIT, Ability.WRITE),
    "update_plan": does(Ability.PLAN),
    "view_image": does(Ability.IMAGE),
    "web_search": does(Ability.SEARCH_WEB),
    "request_user_input": does(Ability.ASK),
    "js_repl": only_with(Ability.RUN),
    "js_repl_reset": only_with(Ability.RUN),
    "search_tool_bm25": does(Ability.TOOLS),
    "list_mcp_resources": does(Ability.LIST_RESOURCES),
    "list_mcp_resource_templates": does(Ability.LIST_RESOURCES),
    "read_mcp_resource": does(Ability.READ_RESOURCE),
    "grep_files": does(Ability.SEARCH),
    "read_file": does(Ability.READ),
    "list_dir": does(Ability.FIND),
    "list_agents": does(Ability.TEND),
    "list_active_agents": does(Ability.RUNNING),
    "spawn_agent": does(Ability.SPAWN),
    "send_input": does(Ability.SEND),
    "resume_agent": does(Ability.TEND),
    "wait": does(Ability.TEND),
    "close_agent": does(Ability.TEND),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry.endswith(_EVERY) and _MCP.startswith(entry.removesuffix(_EVERY)):
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: Holds) -> str | None:
    return f"{_MCP}*" if server == tool == _EVERY else f"{_MCP}{server}__{tool}"


def _read_only(reading: Reading) -> Value | None:
    value = reading.held.settings.get("read_only")
    return value if value is not None and value.value is True else None


CONVERSION = Conversion(
    _TOOLS,
    re.compile(r"[a-z0-9_-]+"),
    _server,
    _entry,
    # The lists have no families: a session offers only one of these, whichever it is.
    alternatives=(frozenset(_COMMANDS),),
    # An empty `allow_list` allows everything.
    nothing=(Holds.DENY, (_EVERY,)),
    unset={"read_only": frozenset({"false"})},
    read_only=_read_only,
)
