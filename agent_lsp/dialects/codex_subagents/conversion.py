"""Maps the tools of `codex-subagents` to abilities, by which systems are compared.

Which tool does what is our judgement from the meanings in `facts`, which have their source there.
"""

import re

from agent_lsp.dialects.codex_subagents.facts import SHELL_FAMILY
from agent_lsp.model.conversion import Ability, Conversion, effect
from agent_lsp.model.schema import KeyRole

_OF_SERVER = re.compile(r"([A-Za-z0-9_-]+?)__(.+)")

_TOOLS = {
    # One of them in a list stands for all.
    **dict.fromkeys(sorted(SHELL_FAMILY), effect(Ability.RUN)),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "update_plan": effect(Ability.PLAN),
    "view_image": effect(Ability.IMAGE),
    "web_search": effect(Ability.SEARCH_WEB),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
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
