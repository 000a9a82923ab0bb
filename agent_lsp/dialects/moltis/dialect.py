"""Presets of Moltis: tables of `moltis.toml` (`moltis`), Markdown files (`moltis-agents`)."""

from collections.abc import Mapping
from functools import lru_cache, partial

from agent_lsp.analysis.checks import OF_FILES, delegation, missing_file, unknown_names
from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis import SYSTEMS, facts, keys, markdown, policy, reading, skills
from agent_lsp.dialects.moltis.catalog import settled
from agent_lsp.dialects.moltis.checks.config import of_presets
from agent_lsp.dialects.moltis.conversion import OF_PRESETS
from agent_lsp.dialects.moltis.policy import TOOLS, WITHHELD
from agent_lsp.dialects.moltis.reading import mentions, of_file
from agent_lsp.dialects.moltis.runtime import list_agents, spawn
from agent_lsp.model.check import Fixer
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Notation,
    References,
    Schema,
    Tools,
    Variants,
)
from agent_lsp.model.schema import Consequence, IfWrong, Severity
from agent_lsp.syntax import toml
from agent_lsp.syntax.frontmatter import whole

_OF_FILES = (
    *(*OF_FILES, unknown_names.UNKNOWN_SERVER, unknown_names.UNKNOWN_SKILL),
    *(delegation.FUTILE_DELEGATION, delegation.UNKNOWN_AGENT, missing_file.CHECK),
)


@lru_cache
def _told(name: str) -> Dialect:
    """The dialect where somebody has said which generation is in use, whatever the keys tell."""
    said = keys.generation_named(name)
    return replace(
        DIALECT,
        format=replace(DIALECT.format, read=partial(reading.read, generation=said)),
        schema=replace(DIALECT.schema, of_file=partial(of_file, generation=said)),
        calls=replace(
            DIALECT.calls,
            list_agents=partial(list_agents, generation=said),
            spawn=partial(spawn, generation=said),
        ),
        references=replace(DIALECT.references, mentions=partial(mentions, generation=said)),
        variants=replace(DIALECT.variants, settled=partial(settled, generation=said)),
        findings=replace(DIALECT.findings, checks=(*_OF_FILES, *of_presets(said))),
    )


@lru_cache
def _told_markdown(name: str) -> Dialect:
    said = keys.generation_named(name)
    return replace(
        MARKDOWN,
        calls=replace(
            MARKDOWN.calls,
            list_agents=partial(list_agents, generation=said),
            spawn=partial(spawn, generation=said),
        ),
    )


def _forms() -> tuple[Dialect, ...]:
    """The files of the runtime; a preset goes over a Markdown definition of its name."""
    return (DIALECT, MARKDOWN)


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.moltis.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


DIALECT = Dialect(
    system=SYSTEMS[0],
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="the whole configuration is dropped, and none of its presets exists",
            header_absent="the file has no presets",
        ),
        split=whole,
        read=reading.read,
        syntax=toml.parse_open,
        notation=Notation.TOML,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
    ),
    schema=Schema(
        keys=keys.DOTTED,
        if_wrong=IfWrong.LOST,
        of_file=of_file,
        templates=(reading.TEMPLATES,),
    ),
    tools=Tools(
        listed=TOOLS,
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=reading.SERVERS,
        withheld=WITHHELD,
    ),
    models=Models(
        listed=facts.MODELS,
    ),
    calls=Calls(
        list_call="presets",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="spawn_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    references=References(
        mentions=mentions,
        skill_names=skills.OF_PRESETS,
    ),
    variants=Variants(
        generations=keys.GENERATIONS,
        in_generation=_told,
        forms=_forms,
        settled=settled,
    ),
    findings=Findings(
        severities={
            "unreadable": Severity.ERROR,
            "config-dropped": Severity.ERROR,
            "config-hidden": Severity.INFORMATION,
            "unknown-key": Severity.WARNING,
            "other-generation": Severity.INFORMATION,
            "unknown-default": Severity.WARNING,
            "no-effect": Severity.WARNING,
            "preset-conflict": Severity.ERROR,
            "hides-builtin": Severity.INFORMATION,
            "main-session-unprotected": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "unknown-skill": Severity.WARNING,
            "unknown-agent": Severity.INFORMATION,
            "missing-file": Severity.INFORMATION,
            "renamed-tool": Severity.HINT,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "futile-delegation": Severity.WARNING,
            "sessions-without-list": Severity.INFORMATION,
        },
        checks=(*_OF_FILES, *of_presets()),
        fixers=_fixers,
        notes=facts.NOTES | keys.NOTES,
    ),
    conversion=OF_PRESETS,
)
MARKDOWN = replace(
    markdown.DIALECT,
    variants=replace(markdown.DIALECT.variants, forms=_forms, in_generation=_told_markdown),
)
