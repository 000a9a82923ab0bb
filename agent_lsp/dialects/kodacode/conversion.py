"""Maps the tools of `kodacode` to abilities, by which systems are compared.

Which tool does what is our judgement from the meanings in `facts`, which have their source there.
"""

import re

from agent_lsp.dialects.kodacode.facts import DELEGATE, MCP_PREFIX, MCP_WILDCARD, WEB_SEARCH
from agent_lsp.dialects.kodacode.keys import SUBAGENT
from agent_lsp.model.conversion import Ability, Conversion, effect, only_with
from agent_lsp.model.schema import KeyRole

_EVERY = "*"
_HALF = "[a-z0-9]+(?:_[a-z0-9]+)*"
_OF_SERVER = re.compile(f"{MCP_PREFIX}({_HALF})__({_HALF})")

_TOOLS = {
    "read": effect(Ability.READ),
    "search": effect(Ability.SEARCH),
    "locate": effect(Ability.FIND),
    # They look, and differ only in what they ask.
    **dict.fromkeys(
        ("symbols", "definition", "diagnostics", "refs", "trace"), effect(Ability.CODE)
    ),
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "write": effect(Ability.WRITE),
    "mkdir": only_with(Ability.WRITE),
    "rename_symbol": only_with(Ability.EDIT),
    "code_action": only_with(Ability.EDIT),
    "bash": effect(Ability.RUN),
    # The author of a test decides what it does.
    "test": only_with(Ability.RUN),
    WEB_SEARCH: effect(Ability.SEARCH_WEB),
    "web_fetch": effect(Ability.FETCH),
    "question": effect(Ability.ASK),
    "skill": effect(Ability.SKILL),
    DELEGATE: effect(Ability.SPAWN),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry == MCP_WILDCARD:
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    """All tools of all servers, or one; there is no entry for all of one server."""
    if server == tool == _EVERY:
        return MCP_WILDCARD
    if _EVERY in (server, tool) or not (_half(server) and _half(tool)):
        return None
    return f"{MCP_PREFIX}{_half(server)}__{_half(tool)}"


def _half(name: str) -> str:
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")


CONVERSION = Conversion(
    _TOOLS,
    # Any name of a file would do; a call has to write it.
    re.compile(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    is_verbatim=False,
    always={"mode": SUBAGENT},
    unset={"hidden": frozenset({"false"}), "mode": frozenset({SUBAGENT})},
)
