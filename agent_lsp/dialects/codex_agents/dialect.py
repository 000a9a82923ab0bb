"""Custom agents of the Codex CLI: their files (`codex-agents`), and `config.toml`."""

from collections.abc import Mapping

from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_agents import (
    SYSTEMS,
    configuration,
    facts,
    keys,
    reading,
    roles,
    runtime,
    session,
    skills,
)
from agent_lsp.dialects.codex_agents.catalog import settled
from agent_lsp.dialects.codex_agents.checks import CHECKS, OF_CONFIGURATION, effects
from agent_lsp.model.check import Fixer
from agent_lsp.model.conversion import Ability, Conversion, effect
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
from agent_lsp.model.discovery import LinkedFile
from agent_lsp.model.schema import Consequence, IfWrong, KeyRole, RefusedFile, Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax import toml
from agent_lsp.syntax.frontmatter import whole

# The levels that every listed model has; `max` becomes `xhigh`, as in the program's own import of
# agents (codex-rs/external-agent-migration of openai/codex).
_EFFORTS = {**{level: level for level in facts.SHARED_EFFORTS}, "max": "xhigh"}
_OF_SERVER = regex(r"mcp__([A-Za-z0-9_-]+?)__(.+)")

# Which tool does what is our judgement from the meanings in `facts`, which have their source there.
# A file has no list of tools: an agent has all of its session, so what another system forbids is
# lost, and is told as such.
_TOOLS = {
    "exec_command": effect(Ability.RUN),
    "write_stdin": effect(Ability.FEED),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "view_image": effect(Ability.IMAGE),
    "request_user_input": effect(Ability.ASK),
    "web_search": effect(Ability.SEARCH_WEB),
    "tool_search": effect(Ability.TOOLS),
    "list_mcp_resources": effect(Ability.LIST_RESOURCES),
    "list_mcp_resource_templates": effect(Ability.LIST_RESOURCES),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
    "spawn_agent": effect(Ability.SPAWN),
    "send_message": effect(Ability.SEND),
    "followup_task": effect(Ability.TEND),
    "wait_agent": effect(Ability.TEND),
    "interrupt_agent": effect(Ability.TEND),
    "list_agents": effect(Ability.RUNNING),
}


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


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no list into which an entry could go."""
    return None


CONVERSION = Conversion(
    _TOOLS,
    # Any text is a name; a call and a file have to write it.
    regex(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    nothing=None,
    efforts=_EFFORTS,
)

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
        if_wrong=IfWrong.LOST,
        no_effect=effects.idle,
    ),
    tools=Tools(
        listed=(*facts.TOOLS, *facts.AGENT_TOOLS),
        globs=(),
        matches=runtime.matches,
        is_pattern=runtime.is_pattern,
        cannot_tell=runtime.cannot_tell,
        toolset=runtime.toolset,
        mcp_prefix=runtime.prefix,
    ),
    models=Models(
        listed=facts.MODELS,
    ),
    calls=Calls(
        list_call="agent_type",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="spawn_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=runtime.list_agents,
        spawn=runtime.spawn,
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
        if_wrong=IfWrong.STOPS,
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
