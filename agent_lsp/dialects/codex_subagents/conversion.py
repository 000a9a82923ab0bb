"""What the tools of `codex-subagents` do, in the words that other systems are compared by.

Which tool does what is our judgement from the meanings in `facts`, which have their source there.
"""

import re

from agent_lsp.dialects.codex_subagents.facts import SHELL_FAMILY
from agent_lsp.dialects.conversion import Ability, Conversion, does
from agent_lsp.dialects.vocabulary import Holds

_OF_SERVER = re.compile(r"([A-Za-z0-9_-]+?)__(.+)")

_TOOLS = {
    # One of them in a list stands for all.
    **dict.fromkeys(sorted(SHELL_FAMILY), does(Ability.RUN)),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": does(Ability.EDIT, Ability.WRITE),
    "update_plan": does(Ability.PLAN),
    "view_image": does(Ability.IMAGE),
    "web_search": does(Ability.SEARCH_WEB),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: Holds) -> str | None:
    """The name of one tool; the list has no patterns."""
    return None if "*" in (server, tool) else f"{server}__{tool}"


CONVERSION = Conversion(
    _TOOLS,
    # Any name of a file would do; a call has to write it.
    re.compile(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    around="there the prompt is a message of the user; the session's instructions stay",
)
