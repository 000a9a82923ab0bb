"""KodaCode's agents: `.kodacode/agents/<id>.md` (dialect `kodacode`).

Which tool has which ability is our judgement from the meanings in `facts`, which have their source
there.
"""

import re

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS, delegation
from agent_lsp.dialects.kodacode import SYSTEM, facts, policy, reading
from agent_lsp.dialects.kodacode.catalog import DELEGATION, availability, failure
from agent_lsp.dialects.kodacode.checks import CHECKS
from agent_lsp.dialects.kodacode.facts import (
    DELEGATE,
    MCP_PREFIX,
    MCP_WILDCARD,
    SUBAGENT,
    WEB_SEARCH,
)
from agent_lsp.dialects.kodacode.runtime import list_agents, spawn
from agent_lsp.model.conversion import Ability, Conversion, effect, only_with
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    References,
    Schema,
    Tools,
)
from agent_lsp.model.schema import Consequence, IfWrong, KeyRole, RefusedFile, Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax.yaml import go

_EVERY = "*"
_HALF = "[a-z0-9]+(?:_[a-z0-9]+)*"
_OF_SERVER = regex(f"{MCP_PREFIX}({_HALF})__({_HALF})")

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
    regex(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    is_verbatim=False,
    always={"mode": SUBAGENT},
    unset={"hidden": frozenset({"false"}), "mode": frozenset({SUBAGENT})},
)


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="the whole catalog fails, and no agent loads",
            header_absent=(
                "the whole file becomes the prompt, and its model, its mode and its tool lists are "
                "lost"
            ),
            file=RefusedFile.CATALOG,
            unclosed="the whole catalog fails, and no agent loads",
        ),
        split=reading.split,
        syntax=go.parse,
        read=reading.read,
        is_header_optional=True,
        merges=True,
    ),
    names=Names(
        name_of=reading.name_of,
        failure=failure,
        last_wins=True,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.STOPS,
        ignored=facts.IGNORED,
        renamed=facts.RENAMED,
    ),
    tools=Tools(
        listed=facts.TOOLS,
        globs=facts.GLOBS,
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        misnamed=policy.misnamed,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(
        listed=(),
    ),
    calls=Calls(
        list_call="catalog",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="delegate",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    references=References(
        availability=availability,
        delegation=DELEGATION,
        skills=facts.SKILLS,
    ),
    findings=Findings(
        severities={
            "file-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "forbidden-key": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "header-cut-short": Severity.ERROR,
            "lost-text": Severity.WARNING,
            "unset-allow-list": Severity.WARNING,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "out-of-reach": Severity.INFORMATION,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "allowed-and-denied": Severity.HINT,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
        checks=(
            *OF_FILES,
            *(check for check in OF_HEADERS if check is not delegation.FUTILE_DELEGATION),
            *CHECKS,
        ),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
