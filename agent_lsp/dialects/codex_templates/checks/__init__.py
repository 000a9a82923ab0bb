"""The checks of `codex-templates` alone: personas and their blocks, names, efforts, tool lists."""

from agent_lsp.dialects.codex_templates.checks import agents, personas
from agent_lsp.model.check import Basis, Check, Field

CHECKS: tuple[Check, ...] = (
    Check(("ambiguous-name",), agents.ambiguous_name, basis=Basis.FILE),
    Check(("never-spawned",), agents.never_spawned, basis=Basis.FILE),
    Check(
        ("unsupported-effort",),
        agents.unsupported_effort,
        changes=frozenset({Field.KEY}),
        basis=Basis.ABSENCE,
    ),
    Check(
        ("persona-without-block",),
        personas.persona_without_block,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
    ),
    Check(
        ("block-without-persona",),
        personas.block_without_persona,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        basis=Basis.ABSENCE,
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
        basis=Basis.ABSENCE,
    ),
    Check(
        ("repeated-block",),
        personas.repeated_block,
        changes=frozenset({Field.PROMPT}),
        basis=Basis.ABSENCE,
    ),
    Check(
        ("empty-block",),
        personas.empty_block,
        changes=frozenset({Field.PROMPT}),
        basis=Basis.ABSENCE,
    ),
    Check(
        ("empty-allow-list",),
        agents.empty_allow_list,
        changes=frozenset({Field.TOOLS}),
        basis=Basis.ABSENCE,
    ),
)
