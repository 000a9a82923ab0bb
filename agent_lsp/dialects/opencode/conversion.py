"""Maps the tools of `opencode` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `facts`, which have their source there.
"""

import re

from agent_lsp.dialects.opencode.facts import SUBAGENT
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect
from agent_lsp.model.schema import KeyRole

_TOOLS = {
    "read": effect(Ability.READ),
    "glob": effect(Ability.FIND),
    "grep": effect(Ability.SEARCH),
    "edit": effect(Ability.EDIT),
    "write": effect(Ability.WRITE),
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "bash": effect(Ability.RUN),
    "webfetch": effect(Ability.FETCH),
    "websearch": effect(Ability.SEARCH_WEB),
    "todowrite": effect(Ability.PLAN),
    "question": effect(Ability.ASK),
    "skill": effect(Ability.SKILL),
    "task": effect(Ability.SPAWN),
    "lsp": effect(Ability.CODE),
}


def _server(_entry: str) -> tuple[str, str] | None:
    """The server of a name: nobody can tell where it ends and the tool begins."""
    return None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no list into which an entry could go."""
    return None


CONVERSION = Conversion(
    _TOOLS,
    re.compile(r"[A-Za-z0-9_][\w./-]*"),
    _server,
    _entry,
    nothing=None,
    always={"mode": SUBAGENT},
    holds={
        "steps": Hold("nothing there tells the agent to end after this number of requests"),
    },
    unset={"mode": frozenset({SUBAGENT, "all"}), "hidden": frozenset({"false"})},
)
