"""What the tools of `kodacode` do, in the words that other systems are compared by.

Which tool does what is our judgement from the meanings in `facts`, which have their source there.
"""

import re

from agent_lsp.dialects.conversion import Ability, Conversion, does, only_with
from agent_lsp.dialects.kodacode.facts import DELEGATE, MCP_PREFIX, MCP_WILDCARD, WEB_SEARCH
from agent_lsp.dialects.kodacode.keys import SUBAGENT
from agent_lsp.dialects.vocabulary import Holds

_EVERY = "*"
_HALF = "[a-z0-9]+(?:_[a-z0-9]+)*"
_OF_SERVER = re.compile(f"{MCP_PREFIX}({_HALF})__({_HALF})")

_TOOLS = {
    "read": does(Ability.READ),
    "search": does(Ability.SEARCH),
    "locate": does(Ability.FIND),
    # They look, and differ only in what they ask.
    **dict.fromkeys(("symbols", "definition", "diagnostics", "refs", "trace"), does(Ability.CODE)),
    "apply_patch": does(Ability.EDIT, Ability.WRITE),
    "write": does(Ability.WRITE),
    "mkdir": only_with(Ability.WRITE),
    "rename_symbol": only_with(Ability.EDIT),
    "code_action": only_with(Ability.EDIT),
    "bash": does(Ability.RUN),
    # What tests do is up to whoever writes them.
    "test": only_with(Ability.RUN),
    WEB_SEARCH: does(Ability.SEARCH_WEB),
    "web_fetch": does(Ability.FETCH),
    "question": does(Ability.ASK),
    "skill": does(Ability.SKILL),
    DELEGATE: does(Ability.SPAWN),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry == MCP_WILDCARD:
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: Holds) -> str | None:
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
