"""Maps the tools of `cursor` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `facts`, which have their source there.
"""

from agent_lsp.dialects.cursor import policy
from agent_lsp.dialects.cursor.facts import BACKGROUND, CHANGING, INHERIT, READONLY
from agent_lsp.model.conversion import Ability, Conversion, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex

_TOOLS = {
    "Read": effect(Ability.READ),
    "Grep": effect(Ability.SEARCH),
    "Glob": effect(Ability.FIND),
    "LS": effect(Ability.FIND),
    "SemSearch": only_with(Ability.SEARCH, Ability.READ),
    "ReadLints": only_with(Ability.CODE),
    "WebSearch": effect(Ability.SEARCH_WEB),
    "WebFetch": effect(Ability.FETCH),
    "Edit": effect(Ability.EDIT),
    "Write": effect(Ability.WRITE),
    "Shell": effect(Ability.RUN),
    "Task": effect(Ability.SPAWN),
    "TodoWrite": effect(Ability.PLAN),
    "AskQuestion": effect(Ability.ASK),
}


def _server(_entry: str) -> tuple[str, str] | None:
    """There is no list in which an entry could stand."""
    return None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no list into which an entry could go."""
    return None


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    _server,
    _entry,
    nothing=None,
    unset={
        "model": frozenset({INHERIT}),
        READONLY: frozenset({"false"}),
        BACKGROUND: frozenset({"false"}),
    },
    read_only=policy.read_only,
    sandboxed=CHANGING,
)
