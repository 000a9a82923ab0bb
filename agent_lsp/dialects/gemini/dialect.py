"""Sub-agents of Gemini CLI: `.gemini/agents/*.md` (dialect `gemini`)."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import (
    OF_FILES,
    OF_HEADERS,
    files,
    header_invalid,
    headers,
    tool_entries,
    unknown_key,
    unknown_names,
    values,
)
from agent_lsp.dialects.gemini import (
    SYSTEM,
    agent_checks,
    facts,
    js_yaml,
    policy,
    reading,
)
from agent_lsp.dialects.gemini.acknowledged import CONFIRMATION
from agent_lsp.dialects.gemini.checks import CHECKS
from agent_lsp.dialects.gemini.conversion import CONVERSION
from agent_lsp.dialects.gemini.runtime import list_agents, spawn
from agent_lsp.model.check import Fixer
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
    Variants,
)
from agent_lsp.model.discovery import LinkedFile
from agent_lsp.model.schema import Choice, Consequence, IfWrong, RefusedFile, Severity

# Shared checks in whose place the system has its own.
_OWN = (
    headers.header_missing,
    header_invalid.header_invalid,
    files.shadowed,
    values.wrong_type,
    values.invalid_value,
    values.duplicate_key,
    values.missing_key,
    values.missing_description,
    values.missing_default_prompt,
    unknown_key.unknown_key,
    unknown_names.unknown_model,
    tool_entries.unknown_tool,
    tool_entries.unavailable_tool,
)


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.gemini.fixes import FIXERS  # noqa: PLC0415 - when something is fixed

    return FIXERS


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused=facts.REFUSED,
            header_absent=facts.REFUSED,
            file=RefusedFile.SKIPPED,
        ),
        split=reading.split,
        syntax=js_yaml.parse,
        replaces_bytes=True,
        read=reading.read,
        merges=True,
        variables=facts.VARIABLES,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        links=LinkedFile.SKIPPED,
    ),
    schema=Schema(keys=facts.KEYS, if_wrong=IfWrong.LOST, no_effect=agent_checks.no_effect),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(
            Choice("*", "every tool that the session has"),
            Choice("mcp_*", "every tool of every MCP server"),
        ),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        misnamed=policy.misnamed,
        withheld=facts.WITHHELD,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(listed=facts.MODELS, if_unknown="each call fails"),
    calls=Calls(
        list_call="available_subagents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="invoke_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    references=References(confirmation=CONFIRMATION),
    variants=Variants(measured=facts.MEASURED, packages=facts.PACKAGES),
    findings=Findings(
        severities={
            "agent-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "misplaced": Severity.WARNING,
            "shadowed": Severity.WARNING,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.WARNING,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "unread-prompt": Severity.ERROR,
            "unknown-variable": Severity.ERROR,
            "unknown-key": Severity.ERROR,
            "ignored-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "unknown-tool": Severity.ERROR,
            "unknown-server": Severity.INFORMATION,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "unavailable-tool": Severity.WARNING,
            "conditional-tool": Severity.HINT,
            "unknown-model": Severity.WARNING,
            "redundant-entry": Severity.HINT,
        },
        checks=(
            *OF_FILES,
            *(check for check in OF_HEADERS if check.run not in _OWN),
            *CHECKS,
            *agent_checks.CHECKS,
        ),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
