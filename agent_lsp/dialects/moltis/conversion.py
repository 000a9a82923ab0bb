"""What the tools of `moltis-agents` do, in the words that other systems are compared by.

Which tool does what is our judgement from the meanings in `tools`, which have their source there.
"""

import re

from agent_lsp.dialects.conversion import Ability, Conversion, does, only_with
from agent_lsp.dialects.moltis.policy import MCP
from agent_lsp.dialects.vocabulary import Holds

_OF_SERVER = re.compile(rf"{MCP}([A-Za-z0-9_-]+?)__([^*?]+)")

_TOOLS = {
    "exec": does(Ability.RUN),
    "process": does(Ability.FEED),
    "sandbox_packages": only_with(Ability.RUN),
    "Read": does(Ability.READ),
    "Write": does(Ability.WRITE),
    "Edit": does(Ability.EDIT),
    "MultiEdit": does(Ability.EDIT),
    "Glob": does(Ability.FIND),
    "Grep": does(Ability.SEARCH),
    "web_search": does(Ability.SEARCH_WEB),
    "web_fetch": does(Ability.FETCH),
    "firecrawl_scrape": only_with(Ability.FETCH),
    "read_skill": does(Ability.SKILL),
    "tool_search": does(Ability.TOOLS),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: Holds) -> str | None:
    """The name of one tool; the lists have no patterns."""
    return None if "*" in (server, tool) else f"{MCP}{server}__{tool}"


CONVERSION = Conversion(
    _TOOLS,
    re.compile(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    # Neither a blank list nor a pattern takes every tool away.
    nothing=None,
    around="there the prompt stands at the end of the runtime's own",
)
