"""Agent templates of a Codex fork: `.codex/.agents/<agent_type>.md` (dialect `codex-templates`)."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.dialects.codex_templates import SYSTEM, facts, policy, reading, tools
from agent_lsp.dialects.codex_templates.checks import CHECKS
from agent_lsp.dialects.codex_templates.conversion import CONVERSION
from agent_lsp.dialects.codex_templates.lookup import kept_by, spellings
from agent_lsp.dialects.codex_templates.runtime import list_agents, spawn
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
from agent_lsp.model.fix import Fixer
from agent_lsp.model.schema import Consequence, Severity


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
    ),
    tools=Tools(
        listed=tools.TOOLS,
        globs=tools.GLOBS,
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
            "unknown-model": Severity.HINT,
            "unsupported-effort": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
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
