"""Sub-agents of Gemini CLI: `.gemini/agents/*.md` (dialect `gemini`)."""

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.gemini import SYSTEM, facts, js_yaml, policy, reading
from agent_lsp.dialects.gemini.conversion import CONVERSION
from agent_lsp.dialects.gemini.runtime import list_agents, spawn
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Schema,
    Tools,
    Variants,
)
from agent_lsp.model.schema import Choice, Consequence, RefusedFile, Severity

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
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
    ),
    schema=Schema(keys=facts.KEYS),
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
    ),
    models=Models(listed=facts.MODELS),
    calls=Calls(
        list_call="available_subagents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="invoke_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    variants=Variants(measured=facts.MEASURED, packages=facts.PACKAGES),
    findings=Findings(
        severities={"wrong-type": Severity.ERROR},
        checks=(*OF_FILES, *OF_HEADERS),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
