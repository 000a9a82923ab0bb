"""Sub-agents of Cursor: `.cursor/agents/*.md` (dialect `cursor`).

No severity is an error, because no document calls a file wrong.
"""

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS, unknown_names, values
from agent_lsp.dialects.cursor import SYSTEM, facts, policy, reading
from agent_lsp.dialects.cursor.checks import CHECKS, REPLACED
from agent_lsp.dialects.cursor.conversion import CONVERSION
from agent_lsp.dialects.cursor.runtime import list_agents, spawn
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
from agent_lsp.model.schema import Consequence, IfWrong, RefusedFile, Severity

_REPLACED = (*REPLACED, unknown_names.unknown_model, values.wrong_type)

DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused=facts.REFUSED,
            header_absent=facts.REFUSED,
            file=RefusedFile.PROMPT,
            unreadable=facts.REFUSED,
        ),
        split=reading.split,
        is_header_optional=True,
        is_note=reading.is_note,
        read=reading.read,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        tie=lambda _: "an order that is not documented",
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.UNDOCUMENTED,
        ignored=facts.IGNORED,
        renamed=facts.RENAMED,
    ),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
    ),
    models=Models(
        listed=facts.MODELS,
        if_unknown="Cursor silently replaces it with the parent's model",
    ),
    calls=Calls(
        list_call="subagents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="Task",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    findings=Findings(
        severities={
            "misplaced": Severity.WARNING,
            "plugin-agent": Severity.WARNING,
            "unreadable": Severity.INFORMATION,
            "shadowed": Severity.INFORMATION,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "header-missing": Severity.INFORMATION,
            "header-unclosed": Severity.INFORMATION,
            "header-cut-short": Severity.INFORMATION,
            "header-invalid": Severity.INFORMATION,
            "wrong-type": Severity.INFORMATION,
            "agent-name": Severity.INFORMATION,
            "missing-description": Severity.INFORMATION,
            "unknown-key": Severity.WARNING,
            "unknown-model": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "lost-text": Severity.INFORMATION,
        },
        checks=(
            *OF_FILES,
            *(check for check in OF_HEADERS if check.run not in _REPLACED),
            *CHECKS,
        ),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
