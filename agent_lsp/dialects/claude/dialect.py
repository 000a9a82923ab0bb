"""Sub-agents of Claude Code: `.claude/agents/**/*.md` (dialect `claude`)."""

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.claude import SYSTEM, checks, facts, frontmatter, names, policy, reading
from agent_lsp.dialects.claude.budget import budget
from agent_lsp.dialects.claude.checks import CHECKS
from agent_lsp.dialects.claude.conversion import CONVERSION
from agent_lsp.dialects.claude.main_session import spawn
from agent_lsp.dialects.claude.names import mentions
from agent_lsp.dialects.claude.place_checks import PLACE_CHECKS, foreign_keys
from agent_lsp.dialects.claude.runtime import list_agents
from agent_lsp.dialects.claude.tools import AGENT, RETIRED, TASK, TOOLS, WITHHELD
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Consequence, RefusedFile, Severity

DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    keys=facts.KEYS,
    tools=TOOLS,
    models=facts.MODELS,
    globs=(),
    consequence=Consequence(
        header_refused=reading.SKIPPED,
        header_absent=reading.SKIPPED,
        file=RefusedFile.SKIPPED,
    ),
    severities={
        "agent-name": Severity.ERROR,
        "plugin-agent": Severity.INFORMATION,
        "misplaced": Severity.WARNING,
        "other-system": Severity.INFORMATION,
        "shadowed": Severity.INFORMATION,
        "header-unclosed": Severity.ERROR,
        "header-bom": Severity.ERROR,
        "header-cut-short": Severity.WARNING,
        "header-invalid": Severity.ERROR,
        "unreadable": Severity.INFORMATION,
        "unquoted-text": Severity.ERROR,
        "wrong-type": Severity.ERROR,
        "duplicate-key": Severity.ERROR,
        "missing-key": Severity.ERROR,
        "header-missing": Severity.ERROR,
        "unknown-key": Severity.WARNING,
        "ignored-key": Severity.WARNING,
        "unknown-value": Severity.INFORMATION,
        "unknown-model": Severity.WARNING,
        "unknown-tool": Severity.WARNING,
        "unavailable-tool": Severity.INFORMATION,
        "allowed-and-denied": Severity.HINT,
        "redundant-entry": Severity.HINT,
        "whole-tool": Severity.WARNING,
        "unknown-agent": Severity.INFORMATION,
        "no-tools": Severity.WARNING,
    },
    checks=(*OF_FILES, *OF_HEADERS, *PLACE_CHECKS, *CHECKS),
    list_call="claude agents",
    list_parameters=facts.LIST_PARAMETERS,
    spawn_call="Agent",
    spawn_parameters=facts.SPAWN_PARAMETERS,
    name_of=reading.name_of,
    split=frontmatter.split,
    read=reading.read,
    matches=policy.matches,
    is_pattern=policy.is_pattern,
    cannot_tell=policy.cannot_tell,
    toolset=policy.toolset,
    list_agents=list_agents,
    spawn=spawn,
    names_in=reading.names_in,
    is_note=reading.is_note,
    foreign_keys=foreign_keys,
    tie="the order in which the system lists them",
    may_exist=policy.may_exist,
    misnamed=policy.misnamed,
    renamed=facts.RENAMED,
    elsewhere=facts.ELSEWHERE,
    retired=RETIRED,
    no_effect=checks.no_effect,
    open_keys=True,
    any_word=frozenset({"color"}),
    takes_agents=frozenset({AGENT, TASK}),
    nothing_left=policy.REFUSED,
    void=policy.void,
    merges=True,
    withheld=WITHHELD,
    mcp_prefix=policy.prefix,
    mentions=mentions,
    notes=facts.NOTES,
    conversion=CONVERSION,
    model_words=names.words,
    unknown_model=names.UNKNOWN,
    reach=facts.REACH,
    budget=budget,
)
