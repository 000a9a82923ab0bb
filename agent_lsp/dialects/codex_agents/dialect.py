"""Custom agents of the Codex CLI: their files (`codex-agents`), and `config.toml`."""

from collections.abc import Mapping

from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_agents import (
    SYSTEMS,
    configuration,
    facts,
    keys,
    policy,
    reading,
    roles,
    session,
    skills,
)
from agent_lsp.dialects.codex_agents.catalog import settled
from agent_lsp.dialects.codex_agents.checks import CHECKS, OF_CONFIGURATION, effects
from agent_lsp.dialects.codex_agents.conversion import CONVERSION
from agent_lsp.dialects.codex_agents.runtime import list_agents, spawn
from agent_lsp.model.check import Fixer
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    LinkedFile,
    Models,
    Names,
    Notation,
    References,
    Schema,
    Tools,
    Variants,
)
from agent_lsp.model.schema import Consequence, RefusedFile, Severity
from agent_lsp.syntax import toml
from agent_lsp.syntax.frontmatter import whole


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.codex_agents.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


def _forms() -> tuple[Dialect, ...]:
    """The files of the runtime; the tables of a layer go before its files."""
    return (DIALECT, CONFIGURED)


def _config_fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.codex_agents.fixes import (  # noqa: PLC0415 - when a fix is wanted
        OF_CONFIGURATION as FIXERS,
    )

    return FIXERS


DIALECT = Dialect(
    system=SYSTEMS[0],
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
        notation=Notation.TOML,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        links=LinkedFile.UNLISTED,
        failure=session.failure,
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
    references=References(
        built_in=lambda _: facts.BUILT_IN,
        skill_names=skills.NAMES,
    ),
    variants=Variants(
        forms=_forms,
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
            "unknown-skill": Severity.WARNING,
            "unknown-agent": Severity.INFORMATION,
            "missing-file": Severity.WARNING,
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
CONFIGURED = replace(
    DIALECT,
    system=SYSTEMS[1],
    format=FileFormat(
        consequence=Consequence(
            header_refused="Codex does not start",
            header_absent="the file declares no agents",
        ),
        split=whole,
        read=configuration.read,
        syntax=toml.parse_newer,
        notation=Notation.TOML,
    ),
    names=Names(
        name_of=configuration.name_of,
        names_in=configuration.names_in,
        failure=session.failure,
    ),
    schema=Schema(
        keys=roles.ROLE,
        of_file=configuration.of_file,
        templates=(configuration.TEMPLATES,),
    ),
    findings=Findings(
        severities={
            "unreadable": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "missing-description": Severity.ERROR,
            "agent-file": Severity.ERROR,
            "name-mismatch": Severity.WARNING,
            "no-effect": Severity.WARNING,
            "unknown-model": Severity.WARNING,
            "unsupported-effort": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
            "never-spawned": Severity.INFORMATION,
            "hides-builtin": Severity.INFORMATION,
        },
        checks=OF_CONFIGURATION,
        fixers=_config_fixers,
        notes=facts.CONFIG_NOTES,
    ),
    references=References(),
    conversion=None,
)
