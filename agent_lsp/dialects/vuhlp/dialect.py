"""Role templates of vuhlp: `docs/templates/<role>.md`, with a `[template]` block on top."""

from collections.abc import Mapping

from agent_lsp.analysis.checks import OF_FILES
from agent_lsp.dialects.vuhlp import SYSTEM, facts, preamble, tools
from agent_lsp.dialects.vuhlp.checks import CHECKS
from agent_lsp.dialects.vuhlp.facts import SEVERITIES
from agent_lsp.dialects.vuhlp.runtime import artifacts, list_agents, spawn
from agent_lsp.dialects.vuhlp.tools import mentions
from agent_lsp.dialects.vuhlp.words import word_at
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
)
from agent_lsp.model.discovery import LinkedFile
from agent_lsp.model.schema import Consequence, IfWrong
from agent_lsp.syntax import toml

_NOTHING_LOST = "the whole file is sent all the same"


def _fixers() -> Mapping[str, tuple[Fixer, ...]]:
    from agent_lsp.dialects.vuhlp.fixes import FIXERS  # noqa: PLC0415 - when a fix is wanted

    return FIXERS


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(header_refused=_NOTHING_LOST, header_absent=_NOTHING_LOST),
        split=preamble.split,
        read=preamble.read,
        syntax=toml.parse,
        notation=Notation.TOML,
        is_header_optional=True,
        is_text=True,
    ),
    names=Names(
        name_of=preamble.name_of,
        links=LinkedFile.UNLISTED,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.IGNORED,
        word_at=word_at,
    ),
    tools=Tools(
        listed=tools.TOOLS,
        globs=(),
        matches=tools.matches,
        is_pattern=tools.is_pattern,
        cannot_tell=tools.cannot_tell,
        toolset=tools.toolset,
    ),
    models=Models(
        listed=(),
    ),
    calls=Calls(
        list_call="templates",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="spawn_node",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
        artifact_files=artifacts,
    ),
    references=References(
        mentions=mentions,
    ),
    findings=Findings(
        severities=SEVERITIES,
        checks=(*OF_FILES, *CHECKS),
        fixers=_fixers,
        notes=facts.NOTES,
    ),
)
