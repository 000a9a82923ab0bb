"""Markdown definitions of Moltis: `.moltis/agents/*.md` (dialect `moltis-agents`)."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS, unknown_names
from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis import SYSTEMS, definitions, facts, policy, skills
from agent_lsp.dialects.moltis.catalog import in_words_of_definitions
from agent_lsp.dialects.moltis.checks.definitions import CHECKS
from agent_lsp.dialects.moltis.conversion import CONVERSION
from agent_lsp.dialects.moltis.policy import RENAMED, TODAY_TOOLS, WITHHELD
from agent_lsp.dialects.moltis.runtime import list_agents, spawn
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
)
from agent_lsp.model.runtime import Toolset
from agent_lsp.model.schema import Consequence, IfWrong, RefusedFile, Severity, Source
from agent_lsp.model.template import Reading

ID = "moltis-agents"
_SKIPPED = "the runtime skips the file"
# The parser takes a file without a name, and the runtime skips it afterwards.
_KEYS = tuple(replace(key, mandatory=key.name == "name") for key in definitions.KEYS)


def _toolset(reading: Reading, tools: tuple[str, ...], depth: int) -> Toolset:
    found = policy.toolset(definitions.as_preset(reading), tools, depth)
    return in_words_of_definitions(found)


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.moltis.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


DIALECT = Dialect(
    system=SYSTEMS[1],
    source=Source("moltis-org/moltis 6bd2d118, crates/config/src/agent_defs.rs", "2026-11-27"),
    format=FileFormat(
        consequence=Consequence(
            header_refused=_SKIPPED, header_absent=_SKIPPED, file=RefusedFile.SKIPPED
        ),
        split=definitions.split,
        read=definitions.read,
    ),
    names=Names(
        name_of=definitions.name_of,
        names_in=definitions.names_in,
        tie=lambda _: "the order in which the operating system lists the folder",
    ),
    schema=Schema(
        keys=_KEYS,
        if_wrong=IfWrong.LOST,
    ),
    tools=Tools(
        listed=TODAY_TOOLS,
        globs=(),
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=_toolset,
        retired=RENAMED,
        withheld=WITHHELD,
        mcp_prefix=policy.prefix,
        servers=definitions.SERVERS,
    ),
    models=Models(
        listed=facts.TODAY_MODELS,
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
        skill_names=skills.OF_FILES,
    ),
    findings=Findings(
        severities={
            "unreadable": Severity.ERROR,
            "shadowed": Severity.INFORMATION,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "unquoted-text": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "preset-conflict": Severity.ERROR,
            "other-generation": Severity.INFORMATION,
            "hides-builtin": Severity.INFORMATION,
            "no-effect": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "unknown-server": Severity.INFORMATION,
            "unknown-skill": Severity.WARNING,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "sessions-without-list": Severity.INFORMATION,
        },
        checks=(*OF_FILES, *OF_HEADERS, unknown_names.UNKNOWN_SKILL, *CHECKS),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
