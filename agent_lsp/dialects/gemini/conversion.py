"""Maps the tools of `gemini` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `facts`, which have their source there.
"""

from agent_lsp.dialects.gemini import policy
from agent_lsp.dialects.gemini.facts import COMPLETE, INHERIT
from agent_lsp.dialects.gemini.runtime import is_remote, refused
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex

_TOOLS = {
    "read_file": effect(Ability.READ),
    "list_directory": effect(Ability.FIND),
    "glob": effect(Ability.FIND),
    "grep_search": effect(Ability.SEARCH),
    "write_file": effect(Ability.WRITE),
    "replace": effect(Ability.EDIT),
    "run_shell_command": effect(Ability.RUN),
    "google_web_search": effect(Ability.SEARCH_WEB),
    "web_fetch": effect(Ability.FETCH),
    "activate_skill": effect(Ability.SKILL),
    "write_todos": effect(Ability.PLAN),
    "ask_user": effect(Ability.ASK),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
    "list_mcp_resources": effect(Ability.LIST_RESOURCES),
}


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    """An entry for a tool or a server, if the runtime takes it."""
    written = "mcp_*" if server == tool == "*" else f"mcp_{server}_{tool}"
    return written if policy.is_valid(written) else None


def _unfit(reading: Reading) -> str | None:
    """Why the agent is no use: it runs elsewhere, or every call of it fails."""
    if is_remote(reading.effective):
        return "the agent runs elsewhere"
    why = refused(reading.effective)
    return f"every call of the agent fails ({why})" if why else None


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[a-z0-9_-]+"),
    policy.server_of,
    _entry,
    holds={
        "max_turns": Hold("nothing in the other system stops the agent after this number of turns"),
        "timeout_mins": Hold("nothing in the other system stops the agent after this time"),
    },
    unset={
        "model": frozenset({"", INHERIT}),
        "kind": frozenset({"local"}),
    },
    unfit=_unfit,
    constant=frozenset({COMPLETE}),
)
