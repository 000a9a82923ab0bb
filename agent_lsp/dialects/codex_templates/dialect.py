"""Agent templates of a Codex fork: `.codex/.agents/<agent_type>.md` (dialect `codex-templates`).

Which tool has which ability is our judgement from the meanings in `tools`, which have their source
there.
"""

from collections.abc import Mapping

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.codex_templates import SYSTEM, facts, policy, reading
from agent_lsp.dialects.codex_templates.checks import CHECKS
from agent_lsp.dialects.codex_templates.reading import kept_by, spellings
from agent_lsp.dialects.codex_templates.runtime import list_agents, spawn
from agent_lsp.model.check import Fixer
from agent_lsp.model.conversion import Ability, Conversion, effect, only_with
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Schema,
    Tools,
)
from agent_lsp.model.schema import Consequence, IfWrong, KeyRole, Severity
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_MCP = "mcp__"
_EVERY = "*"
# A name, or a pattern that is the whole of a half.
_OF_SERVER = regex(r"mcp__([A-Za-z0-9_-]+?)__([^*?]+|\*)")

_COMMANDS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")
_TOOLS = {
    **dict.fromkeys(_COMMANDS, effect(Ability.RUN)),
    "write_stdin": effect(Ability.FEED),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "update_plan": effect(Ability.PLAN),
    "view_image": effect(Ability.IMAGE),
    "web_search": effect(Ability.SEARCH_WEB),
    "request_user_input": effect(Ability.ASK),
    "js_repl": only_with(Ability.RUN),
    "js_repl_reset": only_with(Ability.RUN),
    "search_tool_bm25": effect(Ability.TOOLS),
    "list_mcp_resources": effect(Ability.LIST_RESOURCES),
    "list_mcp_resource_templates": effect(Ability.LIST_RESOURCES),
    "read_mcp_resource": effect(Ability.READ_RESOURCE),
    "grep_files": effect(Ability.SEARCH),
    "read_file": effect(Ability.READ),
    "list_dir": effect(Ability.FIND),
    "list_agents": effect(Ability.TEND),
    "list_active_agents": effect(Ability.RUNNING),
    "spawn_agent": effect(Ability.SPAWN),
    "send_input": effect(Ability.SEND),
    "resume_agent": effect(Ability.TEND),
    "wait": effect(Ability.TEND),
    "close_agent": effect(Ability.TEND),
}


def _server(entry: str) -> tuple[str, str] | None:
    if entry.endswith(_EVERY) and _MCP.startswith(entry.removesuffix(_EVERY)):
        return _EVERY, _EVERY
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    return f"{_MCP}*" if server == tool == _EVERY else f"{_MCP}{server}__{tool}"


def _read_only(reading: Reading) -> Value | None:
    value = reading.effective.settings.get("read_only")
    return value if value is not None and value.value is True else None


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[a-z0-9_-]+"),
    _server,
    _entry,
    # The lists have no families: a session offers only one of these, whichever it is.
    alternatives=(frozenset(_COMMANDS),),
    # An empty `allow_list` allows everything.
    nothing=(KeyRole.DENY, (_EVERY,)),
    unset={"read_only": frozenset({"false"})},
    read_only=_read_only,
)


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.codex_templates.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        stand_ins=facts.STAND_INS,
        consequence=Consequence(
            header_refused=(
                "the whole file becomes the prompt and `model`, `read_only`, `allow_list` and "
                "`deny_list` are lost at spawn; `list_agents` fails"
            ),
            header_absent=(
                "the whole file becomes the prompt, without model, sandbox or tool policy; "
                "`list_agents` fails without a description"
            ),
        ),
        split=reading.split,
        read=reading.read,
        marker=reading.marker,
    ),
    names=Names(
        kept_by=kept_by,
        name_of=reading.name_of,
        default_name="default",
        spellings=spellings,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.REFUSED,
    ),
    tools=Tools(
        listed=policy.TOOLS,
        globs=policy.GLOBS,
        matches=policy.matches,
        is_pattern=policy.is_pattern,
        cannot_tell=policy.cannot_tell,
        toolset=policy.toolset,
        mcp_prefix=policy.prefix,
        servers=policy.SERVERS,
    ),
    models=Models(
        listed=facts.MODELS,
    ),
    calls=Calls(
        list_call="list_agents",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="spawn_agent",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
        hint=facts.HINT,
        prompts=frozenset({"default_prompt", "prompt"}),
    ),
    findings=Findings(
        severities={
            "file-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.ERROR,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "persona-without-block": Severity.ERROR,
            "block-without-persona": Severity.ERROR,
            "never-spawned": Severity.WARNING,
            "marker-lookalike": Severity.WARNING,
            "marker-in-code": Severity.WARNING,
            "empty-block": Severity.WARNING,
            "duplicate-persona": Severity.WARNING,
            "repeated-block": Severity.INFORMATION,
            "ambiguous-name": Severity.INFORMATION,
            "misplaced": Severity.INFORMATION,
            "unknown-key": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "unknown-model": Severity.WARNING,
            "unsupported-effort": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "redundant-entry": Severity.HINT,
            "allowed-and-denied": Severity.HINT,
            "empty-allow-list": Severity.WARNING,
            "no-tools": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
        checks=(*OF_FILES, *OF_HEADERS, *CHECKS),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
