"""Agents of OpenCode: `.opencode/agents/**/*.md` (dialect `opencode`)."""

from collections.abc import Mapping
from functools import lru_cache

from agent_lsp.analysis.checks import delegation, missing_file, unknown_names
from agent_lsp.analysis.checks.files import MISPLACED, UNREADABLE
from agent_lsp.analysis.checks.headers import HEADER_CUT_SHORT
from agent_lsp.analysis.checks.unquoted_text import LOST_TEXT
from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import (
    SYSTEM,
    TABLE_SYSTEM,
    catalog,
    config,
    facts,
    header_text,
    policy,
    reading,
    second,
)
from agent_lsp.dialects.opencode.catalog import is_mode
from agent_lsp.dialects.opencode.checks import (
    CHECKS,
    OF_FILES,
    OF_SECOND,
    OF_SECOND_TABLES,
    OF_TABLE_FILES,
)
from agent_lsp.dialects.opencode.checks.effects import no_effect_in_modes
from agent_lsp.dialects.opencode.conversion import CONVERSION
from agent_lsp.dialects.opencode.failure import failure
from agent_lsp.dialects.opencode.generations import in_other
from agent_lsp.dialects.opencode.references import DELEGATION, SKILLS, mentions
from agent_lsp.dialects.opencode.rules import home_sign
from agent_lsp.dialects.opencode.runtime import availability, list_agents, spawn
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
from agent_lsp.model.runtime import Catalog, Scope
from agent_lsp.model.schema import (
    Choice,
    Consequence,
    IfWrong,
    Key,
    KeyPath,
    KeyRole,
    RefusedFile,
    Severity,
)
from agent_lsp.syntax import json
from agent_lsp.syntax.frontmatter import whole

_OF_TABLE_FILES = (
    *(
        UNREADABLE,
        unknown_names.UNKNOWN_SERVER,
        delegation.UNKNOWN_AGENT,
        delegation.FUTILE_DELEGATION,
    ),
    *(missing_file.CHECK, unknown_names.UNKNOWN_SKILL),
    *OF_TABLE_FILES,
)
_SHARED = (
    *(*OF_FILES, MISPLACED, HEADER_CUT_SHORT, LOST_TEXT),
    *(
        unknown_names.UNKNOWN_SERVER,
        missing_file.CHECK,
        delegation.UNKNOWN_AGENT,
        delegation.FUTILE_DELEGATION,
    ),
    unknown_names.UNKNOWN_SKILL,
)


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.opencode.fixes import FIXERS  # noqa: PLC0415 - when something is fixed

    return FIXERS


def _built_in(found: Catalog) -> tuple[Choice, ...]:
    """The built-in agents that other agents can start, without those that are disabled."""
    there = catalog.built_in(found)
    return tuple(
        Choice(name, said)
        for name, (mode, said) in facts.BUILT_IN.items()
        if mode == facts.SUBAGENT and name in there
    )


@lru_cache
def _in_generation(name: str) -> Dialect:
    """The dialect of the generation that somebody has told; the first one unless it is another."""
    if name != facts.SECOND:
        return DIALECT
    lost = second.DROPPED
    return replace(
        DIALECT,
        format=replace(
            DIALECT.format,
            read=second.read,
            consequence=replace(
                DIALECT.format.consequence, header_refused=lost, file=RefusedFile.SKIPPED
            ),
            consequence_in=lambda _: None,
        ),
        names=replace(DIALECT.names, names_in=second.names_in, failure=None),
        schema=replace(DIALECT.schema, keys=facts.SECOND_KEYS, if_wrong=IfWrong.LOST),
        findings=replace(DIALECT.findings, checks=(*OF_FILES, MISPLACED, *OF_SECOND)),
    )


def _tables_in_generation(name: str) -> Dialect:
    """The tables are read alike."""
    return OF_TABLES if name != facts.SECOND else _SECOND_TABLES


def _key_in(key: Key, scope: Scope) -> Key:
    """The key in a file of `scope`."""
    is_mode_key = key.role is KeyRole.MODE and is_mode(scope)
    return replace(key, default=f"`{facts.PRIMARY}`") if is_mode_key else key


def _stranger(path: KeyPath, name: str) -> str | None:
    """What becomes of a key of a header that is not listed."""
    if not path:
        return facts.SENT
    if path == ("permission",):
        return facts.RULE
    sign = home_sign(name) if path[:1] == ("permission",) else ""
    return f"OpenCode puts the home folder in the place of `{sign}`" if sign else ""


def _stranger_of_tables(path: KeyPath, name: str) -> str | None:
    """What becomes of such a key in a JSON file, which has many that are about no agent."""
    if path[:1] == (config.NEWER,):
        return "" if len(path) == 1 else None
    if path[:1] not in (config.TEMPLATES, ("mode",)):
        return _stranger(path, name) if path else ""
    own = path[len(config.TEMPLATES) + 1 :]
    return _stranger(own, name)


def _forms() -> tuple[Dialect, ...]:
    """The files of the program; `catalog` puts them into order."""
    return (DIALECT, OF_TABLES)


_OF_MODES = Consequence(
    header_refused=facts.SKIPPED, header_absent=facts.LOST, file=RefusedFile.SKIPPED
)
DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused=facts.STOPS,
            header_absent=facts.LOST,
            file=RefusedFile.CATALOG,
        ),
        consequence_in=lambda scope: _OF_MODES if is_mode(scope) else None,
        replaces_bytes=True,
        split=reading.split,
        syntax=header_text.parse,
        read=reading.read,
        is_header_optional=True,
        merges=True,
    ),
    names=Names(
        name_of=reading.name_of,
        names_in=reading.names_in,
        is_merged=True,
        failure=failure,
        taken=in_other,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.STOPS,
        key_in=_key_in,
        no_effect=no_effect_in_modes,
        open_keys=True,
        stranger=_stranger,
    ),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(Choice("*", "any characters"), Choice("?", "any character")),
        matches=policy.covers,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
        retired=facts.RETIRED,
        named=policy.named,
    ),
    models=Models(listed=(), if_unknown="each use of the agent fails"),
    calls=Calls(
        list_call="agent list",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="task",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
    ),
    references=References(
        availability=availability,
        delegation=DELEGATION,
        mentions=mentions,
        built_in=_built_in,
        skill_names=SKILLS,
    ),
    variants=Variants(
        generations=facts.GENERATIONS,
        in_generation=_in_generation,
        forms=_forms,
        settled=catalog.settled,
        measured=facts.MEASURED,
        packages=facts.PACKAGES,
    ),
    findings=Findings(
        severities={
            "file-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "misplaced": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
            "executed-header": Severity.ERROR,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.WARNING,
            "header-invalid": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "other-generation": Severity.HINT,
            "unquoted-text": Severity.WARNING,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "missing-description": Severity.INFORMATION,
            "unknown-key": Severity.WARNING,
            "ignored-key": Severity.WARNING,
            "deprecated-key": Severity.HINT,
            "no-effect": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "unknown-model": Severity.ERROR,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "overridden-rule": Severity.WARNING,
            "no-tools": Severity.WARNING,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "unknown-skill": Severity.INFORMATION,
            "hides-builtin": Severity.INFORMATION,
        },
        checks=(*_SHARED, *CHECKS),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
OF_TABLES = replace(
    DIALECT,
    conversion=replace(CONVERSION, writes=False),
    variants=replace(DIALECT.variants, in_generation=_tables_in_generation),
    system=TABLE_SYSTEM,
    format=FileFormat(
        consequence=Consequence(
            header_refused=facts.STOPS,
            header_absent="the file has no agents",
            file=RefusedFile.CATALOG,
        ),
        replaces_bytes=True,
        split=whole,
        syntax=json.parse_open,
        notation=Notation.JSON,
        read=config.read,
    ),
    names=replace(DIALECT.names, name_of=config.name_of, names_in=config.names_in),
    schema=Schema(
        keys=facts.TABLE_KEYS,
        if_wrong=IfWrong.STOPS,
        of_file=lambda _: facts.FILE_KEYS,
        templates=(config.TEMPLATES, ("mode",), (config.NEWER,)),
        open_keys=True,
        stranger=_stranger_of_tables,
    ),
    findings=replace(
        DIALECT.findings,
        checks=_OF_TABLE_FILES,
        severities={
            code: severity
            for code, severity in (
                *DIALECT.findings.severities.items(),
                ("missing-file", Severity.ERROR),
                ("unknown-default", Severity.ERROR),
            )
            if any(code in check.codes for check in _OF_TABLE_FILES)
        },
    ),
)
_SECOND_TABLES = replace(
    OF_TABLES,
    format=replace(
        OF_TABLES.format,
        read=second.read_table,
        consequence=replace(OF_TABLES.format.consequence, header_refused=second.DROPPED),
    ),
    schema=replace(
        OF_TABLES.schema, if_wrong=IfWrong.LOST, of_file=lambda _: facts.SECOND_FILE_KEYS
    ),
    names=replace(OF_TABLES.names, failure=None),
    findings=replace(OF_TABLES.findings, checks=OF_SECOND_TABLES),
)
