"""Custom droids of Factory: `.factory/droids/*.md` (dialect `factory`), only to convert them.

Which tool has which ability is our judgement from the meanings in `facts`, which have their source
there.
"""

from agent_lsp.dialects.factory import SYSTEM, facts, reading
from agent_lsp.model.conversion import Ability, Conversion, effect
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Schema,
    Tools,
)
from agent_lsp.model.runtime import Call, Catalog, RuntimeRefusal
from agent_lsp.model.schema import Consequence, IfWrong, KeyRole, RefusedFile
from agent_lsp.patterns import regex

_TOOLS = {
    "Read": effect(Ability.READ),
    "LS": effect(Ability.FIND),
    "Grep": effect(Ability.SEARCH),
    "Glob": effect(Ability.FIND),
    "Create": effect(Ability.WRITE),
    "Edit": effect(Ability.EDIT),
    "ApplyPatch": effect(Ability.EDIT, Ability.WRITE),
    "Execute": effect(Ability.RUN),
    "WebSearch": effect(Ability.SEARCH_WEB),
    "FetchUrl": effect(Ability.FETCH),
}


def _server(entry: str) -> tuple[str, str] | None:
    return ("*", "*") if entry == facts.MCP else None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no documented entry for a tool of a server in a list."""
    return None


def _calls_are_unknown(_catalog: Catalog, _call: Call) -> RuntimeRefusal:
    return RuntimeRefusal(
        "this tool only converts droids: it knows nothing about their calls", ours=True
    )


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="the file does not load",
            header_absent="the file does not load",
            file=RefusedFile.SKIPPED,
        ),
        split=reading.split,
        read=reading.read,
    ),
    names=Names(name_of=reading.name_of, names_in=reading.names_in),
    schema=Schema(keys=facts.KEYS, if_wrong=IfWrong.UNDOCUMENTED),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(),
        matches=lambda entry, name: entry == name,
        is_pattern=lambda _: False,
        cannot_tell=lambda entry: entry not in facts.NAMES,
        toolset=reading.toolset,
    ),
    models=Models(listed=facts.MODELS),
    calls=Calls(
        list_call="Task",
        list_parameters=(),
        list_agents=_calls_are_unknown,
        spawn_call="Task",
        spawn_parameters=(),
        spawn=_calls_are_unknown,
    ),
    findings=Findings(severities={}),
    conversion=Conversion(
        _TOOLS,
        # As all that can be called by other systems are.
        regex(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
        _server,
        _entry,
        nothing=None,
        unset={"model": frozenset({facts.INHERIT})},
    ),
)
