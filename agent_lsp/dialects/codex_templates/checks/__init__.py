"""The checks of `codex-templates` alone: personas and their blocks, names, efforts, tool lists."""

from agent_lsp.dialects.codex_templates.checks import agents, personas
from agent_lsp.model.check import Check

CHECKS: tuple[Check, ...] = (
    Check(("ambiguous-name",), agents.ambiguous_name),
    Check(("never-spawned",), agents.never_spawned),
    Check(("unsupported-effort",), agents.unsupported_effort),
    Check(("persona-without-block",), personas.persona_without_block),
    Check(("block-without-persona",), personas.block_without_persona),
    Check(("duplicate-persona",), personas.duplicate_persona),
    Check(("marker-lookalike",), personas.marker_lookalike),
    Check(("marker-in-code",), personas.marker_in_code),
    Check(("repeated-block",), personas.repeated_block),
    Check(("empty-block",), personas.empty_block),
    Check(("empty-allow-list",), agents.empty_allow_list),
)
