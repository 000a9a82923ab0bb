"""Custom agents of GitHub Copilot: the dialect of VS Code, and that of Copilot CLI."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import (
    OF_FILES,
    OF_HEADERS,
    files,
    header_invalid,
    missing_file,
    unknown_names,
    unquoted_text,
)
from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import (
    CHAT_MODE,
    SYSTEM,
    agent_checks,
    body,
    checks,
    claude_files,
    facts,
    hooks,
    mcp_servers,
    policy,
    reading,
    shapes,
    skills,
)
from agent_lsp.dialects.copilot.body import tool_at
from agent_lsp.dialects.copilot.cli_tools import NAMES as CLI_NAMES
from agent_lsp.dialects.copilot.cli_tools import TOOLS as CLI_TOOLS
from agent_lsp.dialects.copilot.conversion import CLI_CONVERSION, CONVERSION
from agent_lsp.dialects.copilot.references import (
    DELEGATION,
    availability,
    availability_for_cli,
    mentions,
)
from agent_lsp.dialects.copilot.runtime import list_agents, spawn, spawn_of_cli
from agent_lsp.dialects.copilot.sessions import alone_in_cli, alone_in_vs, settled
from agent_lsp.dialects.copilot.vs_tools import TOOLS
from agent_lsp.model.check import Check, Fixer
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Reader,
    References,
    Schema,
    Tools,
    Variants,
)
from agent_lsp.model.schema import Choice, Consequence, IfWrong, Severity


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.copilot.fixes import FIXERS  # noqa: PLC0415 - only where one is wanted

    return FIXERS


_SHARED = tuple(
    check
    for check in OF_HEADERS
    if check.run not in checks.REPLACED and check not in (files.SHADOWED, missing_file.CHECK)
)
# VS Code never refuses a header; what it makes of one is said by its own check.
_SHARED_OF_VS = tuple(
    check
    for check in _SHARED
    if check not in (unquoted_text.CHECK, header_invalid.CHECK, unquoted_text.LOST_TEXT)
)
# Where a file is, is said once.
_SHARED_OF_CLI = tuple(
    check for check in _SHARED if check not in (files.MISPLACED, files.OTHER_SYSTEM)
)
_FILES = tuple(check for check in OF_FILES if check != files.FILE_NAME)
# What stands for several tools in a list; `*` alone is nothing in VS Code.
_SETS = tuple(
    Choice(name, f"the tools of VS Code for {what}, and those of Copilot CLI")
    for name, what in (
        ("read", "reading"),
        ("edit", "changing files"),
        ("search", "searching"),
        ("execute", "commands and tests"),
        ("agent", "other agents"),
        ("web", "the web"),
    )
)
_REFUSED = Severity.ERROR
_SEVERITIES = {
    "misplaced": Severity.WARNING,
    "file-name": Severity.ERROR,
    "header-missing": Severity.WARNING,
    "header-unclosed": Severity.ERROR,
    "header-invalid": Severity.ERROR,
    "header-cut-short": Severity.WARNING,
    "unreadable": Severity.INFORMATION,
    "duplicate-key": Severity.WARNING,
    "unknown-key": Severity.WARNING,
    "invalid-value": Severity.ERROR,
    "unknown-value": Severity.WARNING,
    "unset-allow-list": Severity.WARNING,
    "unquoted-text": _REFUSED,
    "unknown-tool": Severity.WARNING,
    "unknown-server": Severity.WARNING,
    "renamed-tool": Severity.HINT,
    "older-name": Severity.HINT,
    "redundant-entry": Severity.HINT,
    "no-tools": Severity.WARNING,
    "contradiction": Severity.WARNING,
    "agent-name": Severity.WARNING,
    "swallowed-key": Severity.WARNING,
    "lost-text": Severity.WARNING,
    "missing-part": Severity.WARNING,
    "unavailable-tool": Severity.WARNING,
    "missing-file": Severity.INFORMATION,
    "unknown-agent": Severity.WARNING,
    "futile-delegation": Severity.WARNING,
    "futile-hook": Severity.WARNING,
    "out-of-reach": Severity.INFORMATION,
    "no-effect": Severity.WARNING,
    "shadowed": Severity.INFORMATION,
    "ambiguous-name": Severity.INFORMATION,
    # These are about the CLI alone.
    "wrong-type": _REFUSED,
    "missing-key": _REFUSED,
    "unknown-skill": Severity.WARNING,
}
# VS Code 1.139.1, `prompts-diagnostics-provider`, run 2026-11-28.
_LEFT_TO_VSCODE = {
    "unknown-tool": Severity.HINT,
    "renamed-tool": Severity.INFORMATION,
    "unknown-key": Severity.HINT,
    **dict.fromkeys(
        ("unknown-key/hooks", "unknown-key/github", "unknown-key/handoffs"), Severity.WARNING
    ),
    f"misplaced/{CHAT_MODE}": Severity.WARNING,
    "duplicate-key": Severity.ERROR,
    "unknown-value": Severity.ERROR,
    "wrong-type": Severity.ERROR,
    "older-name": Severity.ERROR,
    "agent-name": Severity.ERROR,
    "missing-part": Severity.ERROR,
    "unavailable-tool": Severity.WARNING,
    "missing-file": Severity.WARNING,
    "unknown-agent": Severity.WARNING,
    "futile-delegation": Severity.WARNING,
    # Empty texts, and keys that are not supported; the matcher of a hook is not marked.
    "no-effect": Severity.HINT,
    **dict.fromkeys(("no-effect/description", "no-effect/model"), Severity.ERROR),
    **dict.fromkeys(("no-effect/target", "no-effect/argument-hint"), Severity.WARNING),
}

DIALECT: Dialect = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="VS Code does not read it",
            header_absent=facts.ABSENT,
            unclosed=facts.UNCLOSED,
        ),
        split=reading.split,
        read=reading.read,
        read_borrowed=claude_files.read,
    ),
    names=Names(name_of=reading.name_of, names_in=reading.names_in),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.IGNORED,
        ignored=facts.IGNORED,
        renamed=facts.RENAMED,
        word_at=tool_at,
    ),
    tools=Tools(
        listed=TOOLS,
        globs=_SETS,
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        misnamed=policy.misnamed,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(listed=facts.MODELS),
    calls=Calls(
        list_call="agents",
        list_parameters=facts.LIST_PARAMETERS,
        list_agents=list_agents,
        spawn_call="runSubagent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        spawn=spawn,
    ),
    references=References(
        availability=availability,
        delegation=DELEGATION,
        mentions=mentions,
        skill_names=skills.NAMES,
        hooks=hooks.OF_FILE,
    ),
    variants=Variants(
        readers=(
            Reader(facts.VS_CODE, lambda: DIALECT, facts.READERS[0].name, lambda: _VS_ALONE),
            Reader(facts.CLI, lambda: CLI_DIALECT, facts.READERS[1].name, lambda: _CLI_ALONE),
        ),
        settled=settled,
    ),
    findings=Findings(
        severities=_SEVERITIES,
        checks=(
            *claude_files.of_own((*_FILES, *_SHARED_OF_VS, *checks.BOTH)),
            *claude_files.of_own((*checks.OF_VS, *hooks.CHECKS, *shapes.CHECKS)),
            *claude_files.of_own((*body.CHECKS, *agent_checks.CHECKS)),
            *claude_files.of_own(agent_checks.OF_PLACES),
            *claude_files.of_borrowed((*checks.OF_VS, *claude_files.CHECKS)),
        ),
        fixers=_fixers,
        left_to_vscode=_LEFT_TO_VSCODE,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)


def _under_target(every: tuple[Check, ...]) -> tuple[Check, ...]:
    return tuple(replace(check, run=checks.under_target(check.run)) for check in every)


CLI_DIALECT: Dialect = replace(
    DIALECT,
    format=replace(
        DIALECT.format,
        consequence=Consequence(header_refused=facts.REFUSED, header_absent=facts.REFUSED),
        split=reading.split_for_cli,
        read=reading.read_for_cli,
        read_borrowed=None,
    ),
    schema=replace(DIALECT.schema, keys=facts.KEYS_OF_CLI, if_wrong=IfWrong.LOST, word_at=None),
    tools=replace(
        DIALECT.tools,
        listed=CLI_TOOLS,
        globs=(
            Choice("*", "every tool of Copilot CLI, and none in VS Code"),
            *(one for one in _SETS if one.name not in CLI_NAMES),
        ),
        matches=policy.matches_for_cli,
        is_pattern=policy.is_pattern_for_cli,
        cannot_tell=policy.cannot_tell_for_cli,
        misnamed=policy.misnamed_for_cli,
        toolset=policy.toolset_for_cli,
    ),
    calls=replace(DIALECT.calls, spawn_call="task", spawn=spawn_of_cli),
    references=replace(DIALECT.references, availability=availability_for_cli),
    conversion=CLI_CONVERSION,
    findings=replace(
        DIALECT.findings,
        severities={
            **_SEVERITIES,
            **dict.fromkeys(("header-missing", "duplicate-key"), _REFUSED),
        },
        checks=(
            *claude_files.of_own((*checks.BOTH, *agent_checks.OF_PLACES)),
            *claude_files.of_own(_under_target((*_SHARED_OF_CLI, *checks.OF_CLI))),
            *claude_files.of_own(_under_target((unknown_names.UNKNOWN_SKILL, *mcp_servers.CHECKS))),
            *claude_files.of_borrowed(_under_target((*_SHARED_OF_CLI, *checks.OF_CLI))),
            *claude_files.of_borrowed(_under_target(claude_files.CHECKS_OF_CLI)),
        ),
    ),
)
_VS_ALONE: Dialect = replace(DIALECT, variants=replace(DIALECT.variants, settled=alone_in_vs))
_CLI_ALONE: Dialect = replace(
    CLI_DIALECT,
    calls=replace(CLI_DIALECT.calls, spawn=spawn),
    variants=replace(DIALECT.variants, settled=alone_in_cli),
)
