"""Sub-agents of a Codex fork: `.codex/agents/<name>.md` (dialect `codex-subagents`)."""

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.codex_subagents import SYSTEM, facts, policy, reading
from agent_lsp.dialects.codex_subagents.checks import CHECKS
from agent_lsp.dialects.codex_subagents.conversion import CONVERSION
from agent_lsp.dialects.codex_subagents.runtime import list_agents, spawn
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
            header_refused="the runtime skips the file",
            header_absent="the runtime skips the file",
            file=RefusedFile.SKIPPED,
        ),
        split=reading.split,
        read=reading.read,
    ),
    names=Names(
        name_of=reading.name_of,
    ),
    schema=Schema(
        keys=facts.KEYS,
        ignored=facts.IGNORED,
    ),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        withheld=facts.WITHHELD,
    ),
    models=Models(
        listed=(),
    ),
    calls=Calls(
        list_call="subagent_list",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="subagent_run",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
        describe_call="subagent_describe",
        prompts=frozenset({"body"}),
    ),
    references=References(
        reach=facts.REACH,
    ),
    findings=Findings(
        severities={
            "file-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "other-system": Severity.INFORMATION,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.ERROR,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "blank-tool": Severity.ERROR,
            "name-mismatch": Severity.WARNING,
            "unknown-key": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "unavailable-tool": Severity.WARNING,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
        checks=(*OF_FILES, *OF_HEADERS, *CHECKS),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
