"""Sub-agents of Claude Code: `.claude/agents/**/*.md` (dialect `claude`)."""

from agent_lsp.analysis.checks import (
    OF_FILES,
    OF_HEADERS,
    files,
    header_invalid,
    headers,
    tool_entries,
    unknown_key,
    unknown_names,
)
from agent_lsp.dialects.claude import (
    SYSTEM,
    checks,
    facts,
    frontmatter,
    lost_header,
    models,
    no_effect,
    policy,
    reading,
    retry,
    skills,
)
from agent_lsp.dialects.claude.checks import CHECKS, PLACE_CHECKS, foreign_keys
from agent_lsp.dialects.claude.conversion import CONVERSION
from agent_lsp.dialects.claude.main_session import spawn
from agent_lsp.dialects.claude.runtime import budget, list_agents
from agent_lsp.dialects.claude.skills import mentions
from agent_lsp.dialects.claude.tools import AGENT, RETIRED, TASK, TOOLS, WITHHELD
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
from agent_lsp.model.schema import Consequence, Hooks, IfWrong, RefusedFile, Severity
from agent_lsp.patterns import regex

# Shared checks whose findings the system changes.
_OWN = (
    *(header_invalid.header_invalid, headers.header_missing, files.unreadable),
    *(unknown_key.unknown_key, unknown_names.unknown_model, tool_entries.unknown_tool),
)

# The variables that the commands of hooks have for it, always, so that no value in place counts.
_SESSION_FOLDER = regex(r"\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR(?::?-[^{}]*)?\})(?=/)")


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused=reading.SKIPPED,
            header_absent=reading.SKIPPED,
            file=RefusedFile.SKIPPED,
        ),
        consequence_in=facts.consequence_in,
        split=frontmatter.split,
        syntax=retry.parse,
        replaces_bytes=True,
        read=reading.read,
        is_note=reading.is_note,
        merges=True,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        last_wins=True,
        tie=reading.tie,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.IGNORED,
        key_in=facts.key_in,
        foreign_keys=foreign_keys,
        renamed=facts.RENAMED,
        elsewhere=facts.ELSEWHERE,
        no_effect=checks.no_effect,
        open_keys=True,
    ),
    tools=Tools(
        listed=TOOLS,
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        misnamed=policy.misnamed,
        retired=RETIRED,
        takes_agents=frozenset({AGENT, TASK}),
        nothing_left=policy.REFUSED,
        void=policy.void,
        withheld=WITHHELD,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(
        listed=facts.MODELS,
        if_unknown=models.UNKNOWN,
    ),
    calls=Calls(
        list_call="claude agents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="Agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
        budget=budget,
    ),
    references=References(
        mentions=mentions,
        reach=facts.REACH,
        hooks=Hooks(folder=_SESSION_FOLDER),
        skill_names=skills.NAMES,
    ),
    variants=Variants(
        measured=facts.MEASURED,
        packages=facts.PACKAGES,
    ),
    findings=Findings(
        severities={
            "agent-name": Severity.ERROR,
            "plugin-agent": Severity.INFORMATION,
            "misplaced": Severity.WARNING,
            "other-system": Severity.INFORMATION,
            "shadowed": Severity.INFORMATION,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.WARNING,
            "header-invalid": Severity.ERROR,
            "unreadable": Severity.INFORMATION,
            "unquoted-text": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "header-missing": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "ignored-key": Severity.WARNING,
            "unknown-value": Severity.INFORMATION,
            "unknown-model": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unavailable-tool": Severity.INFORMATION,
            "allowed-and-denied": Severity.HINT,
            "redundant-entry": Severity.HINT,
            "whole-tool": Severity.WARNING,
            "unknown-agent": Severity.INFORMATION,
            "unknown-skill": Severity.WARNING,
            "futile-hook": Severity.WARNING,
            "no-tools": Severity.WARNING,
        },
        checks=(
            *(check for check in (*OF_FILES, *OF_HEADERS) if check.run not in _OWN),
            *PLACE_CHECKS,
            *lost_header.CHECKS,
            *CHECKS,
            *no_effect.OF_KEYS,
            *models.CHECKS,
            *no_effect.OF_TOOLS,
            unknown_names.UNKNOWN_SKILL,
            no_effect.CHECK,
        ),
        notes=facts.NOTES,
        fixers=lambda: lost_header.FIXERS,
    ),
    conversion=CONVERSION,
)
