"""KodaCode's agents: `.kodacode/agents/<id>.md` (dialect `kodacode`)."""

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.kodacode import SYSTEM, facts, keys, policy, reading
from agent_lsp.dialects.kodacode.catalog import DELEGATION, availability, failure
from agent_lsp.dialects.kodacode.checks import CHECKS
from agent_lsp.dialects.kodacode.conversion import CONVERSION
from agent_lsp.dialects.kodacode.runtime import list_agents, spawn
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
from agent_lsp.model.schema import Consequence, RefusedFile, Severity

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
        keys=keys.KEYS,
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
            "out-of-reach": Severity.INFORMATION,
            "unknown-tool": Severity.WARNING,
            "allowed-and-denied": Severity.HINT,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
        checks=(*OF_FILES, *OF_HEADERS, *CHECKS),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
