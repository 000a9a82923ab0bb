"""Custom agents of the Codex CLI: `.codex/agents/**/*.toml` (dialect `codex-agents`)."""

from collections.abc import Mapping

from agent_lsp.dialects.codex_agents import SYSTEM, facts, keys, policy, reading
from agent_lsp.dialects.codex_agents.catalog import settled
from agent_lsp.dialects.codex_agents.checks import CHECKS, effects
from agent_lsp.dialects.codex_agents.conversion import CONVERSION
from agent_lsp.dialects.codex_agents.runtime import list_agents, spawn
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
from agent_lsp.model.fix import Fixer
from agent_lsp.model.schema import Consequence, RefusedFile, Severity
from agent_lsp.syntax import toml
from agent_lsp.syntax.frontmatter import whole


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.codex_agents.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="Codex ignores the whole file",
            header_absent="Codex ignores the whole file",
            file=RefusedFile.SKIPPED,
        ),
        split=whole,
        read=reading.read,
        syntax=toml.parse_newer,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        lists_links=False,
    ),
    schema=Schema(
        keys=keys.KEYS,
        no_effect=effects.idle,
    ),
    tools=Tools(
        listed=(*facts.TOOLS, *facts.AGENT_TOOLS),
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
    ),
    models=Models(
        listed=facts.MODELS,
    ),
    calls=Calls(
        list_call="agent_type",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="spawn_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    variants=Variants(
        settled=settled,
        measured=keys.MEASURED,
    ),
    findings=Findings(
        severities={
            "unreadable": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "unknown-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "swallowed-key": Severity.ERROR,
            "no-effect": Severity.INFORMATION,
            "unknown-model": Severity.INFORMATION,
            "unsupported-effort": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
            "never-spawned": Severity.ERROR,
            "hides-builtin": Severity.INFORMATION,
        },
        checks=CHECKS,
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
