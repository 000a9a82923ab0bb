"""The checks of `codex-templates` alone: personas and their blocks, names, efforts, tool lists."""

from agent_lsp.dialects.codex_templates.checks import agents, personas
from agent_lsp.model.check import Check, Field

CHECKS: tuple[Check, ...] = (
    Check(("ambiguous-name",), agents.ambiguous_name),
    Check(("never-spawned",), agents.never_spawned),
    Check(("unsupported-effort",), agents.unsupported_effort, changes=frozenset({Field.KEY})),
    Check(
        ("persona-without-block",),
        personas.persona_without_block,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(
        ("block-without-persona",),
        personas.block_without_persona,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(
        ("duplicate-persona",),
        personas.duplicate_persona,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(
        ("marker-lookalike",),
        personas.marker_lookalike,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(
        ("marker-in-code",),
        personas.marker_in_code,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(("repeated-block",), personas.repeated_block, changes=frozenset({Field.PROMPT})),
    Check(("empty-block",), personas.empty_block, changes=frozenset({Field.PROMPT})),
    Check(("empty-allow-list",), agents.empty_allow_list, changes=frozenset({Field.TOOLS})),
)
