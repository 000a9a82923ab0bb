"""Sub-agents of Claude Code: `.claude/agents/**/*.md` (dialect `claude`)."""

from agent_lsp.dialects.claude import effects, facts, notes, places, policy, reading
from agent_lsp.dialects.claude.conversion import CONVERSION
from agent_lsp.dialects.claude.listing import list_agents
from agent_lsp.dialects.claude.mentions import mentions
from agent_lsp.dialects.claude.remarks import remarks
from agent_lsp.dialects.claude.spawning import spawn
from agent_lsp.dialects.claude.tools import AGENT, RETIRED, TASK, TOOLS, WITHHELD
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.servers import Servers
from agent_lsp.dialects.vocabulary import Consequence, Refused, Severity

DIALECT = Dialect(
    id="claude",
    title="Claude Code sub-agents",
    runtime="Claude Code",
    source=facts.SOURCE,
    keys=facts.KEYS,
    tools=TOOLS,
    models=facts.MODELS,
    globs=(),
    scopes=places.SCOPES,
    consequence=Consequence(
        header_refused=reading.SKIPPED,
        header_absent=reading.SKIPPED,
        file=Refused.SKIPPED,
    ),
    severities={
        "agent-name": Severity.ERROR,
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
    list_call="claude agents",
    list_parameters=facts.LIST_PARAMETERS,
    spawn_call="Agent",
    spawn_parameters=facts.SPAWN_PARAMETERS,
    name_of=reading.name_of,
    cut=reading.cut,
    read=reading.read,
    matches=policy.matches,
    is_pattern=policy.is_pattern,
    cannot_tell=policy.cannot_tell,
    toolset=policy.toolset,
    list_agents=list_agents,
    spawn=spawn,
    names_in=reading.names_in,
    is_note=notes.is_note,
    tie="the order in which the system lists them",
    may_exist=policy.may_exist,
    misnamed=policy.misnamed,
    renamed=facts.RENAMED,
    remarks=remarks,
    retired=RETIRED,
    idle=effects.idle,
    open_keys=True,
    any_word=frozenset({"color"}),
    takes_agents=frozenset({AGENT, TASK}),
    nothing_left="the runtime refuses to launch the agent",
    withheld=WITHHELD,
    servers=Servers(places.SERVERS, policy.prefix),
    mentions=mentions,
    notes=facts.NOTES,
    conversion=CONVERSION,
)
