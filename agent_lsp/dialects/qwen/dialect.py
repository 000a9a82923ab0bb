"""Sub-agents of Qwen Code: `.qwen/agents/*.md` (dialect `qwen`)."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.qwen import SYSTEM, facts, hooks, policy, reading
from agent_lsp.dialects.qwen.checks import CHECKS, REPLACED
from agent_lsp.dialects.qwen.conversion import CONVERSION
from agent_lsp.dialects.qwen.extensions import CONFIRMATION
from agent_lsp.dialects.qwen.refusals import VARIABLES
from agent_lsp.dialects.qwen.runtime import list_agents, spawn, taken
from agent_lsp.dialects.qwen.tools import AGENT, TOOLS, WITHHELD
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
from agent_lsp.model.schema import Choice, Consequence, Hooks, IfWrong, RefusedFile, Severity
from agent_lsp.patterns import regex


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.qwen.fixes import FIXERS  # noqa: PLC0415 - only where one is wanted

    return FIXERS


# The variables that the commands of hooks have for it, always, so that no value in place counts.
_SESSION_FOLDER = regex(
    r"\$(?:(?:QWEN|CLAUDE|GEMINI)_PROJECT_DIR\b"
    r"|\{(?:QWEN|CLAUDE|GEMINI)_PROJECT_DIR(?::?-[^{}]*)?\})(?=/)"
)


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused=facts.SKIPPED,
            header_absent=facts.SKIPPED,
            file=RefusedFile.SKIPPED,
        ),
        split=reading.split,
        syntax=reading.parse,
        replaces_bytes=True,
        read=reading.read,
        variables=VARIABLES,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        taken=taken,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.IGNORED,
        ignored=facts.IGNORED,
        renamed=facts.RENAMED,
        elsewhere=facts.ELSEWHERE,
    ),
    tools=Tools(
        listed=TOOLS,
        withheld=WITHHELD,
        globs=(Choice("*", "every tool, in `tools` only"),),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        misnamed=policy.misnamed,
        void=policy.void,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(
        listed=facts.MODELS,
        if_unknown="the agent fails at its first request",
    ),
    calls=Calls(
        list_call="agents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call=AGENT,
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    references=References(
        reach=facts.REACH,
        hooks=Hooks(folder=_SESSION_FOLDER),
        confirmation=CONFIRMATION,
    ),
    variants=Variants(
        measured=facts.MEASURED,
        packages=facts.PACKAGES,
    ),
    findings=Findings(
        severities={
            "agent-name": Severity.ERROR,
            "misplaced": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.WARNING,
            "header-invalid": Severity.ERROR,
            "unreadable": Severity.INFORMATION,
            "unquoted-text": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "unknown-value": Severity.WARNING,
            "duplicate-key": Severity.WARNING,
            "missing-key": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "blank-tool": Severity.ERROR,
            "unknown-variable": Severity.ERROR,
            "external-agent": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "unknown-model": Severity.WARNING,
            "empty-allow-list": Severity.WARNING,
            "unset-allow-list": Severity.INFORMATION,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "futile-delegation": Severity.WARNING,
            "futile-hook": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "unavailable-tool": Severity.INFORMATION,
            "redundant-entry": Severity.HINT,
            "allowed-and-denied": Severity.HINT,
            "no-tools": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
        },
        checks=(
            *OF_FILES,
            *(check for check in OF_HEADERS if check.run not in REPLACED),
            *CHECKS,
            hooks.CHECK,
        ),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
