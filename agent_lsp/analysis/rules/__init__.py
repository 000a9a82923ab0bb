"""The rules, one module each, in the order in which a reader meets their subjects."""

from agent_lsp.analysis.rules import (
    allowed_and_denied,
    block_without_persona,
    duplicate_key,
    file_name,
    header_bom,
    header_invalid,
    header_missing,
    header_unclosed,
    invalid_value,
    missing_default_prompt,
    missing_description,
    missing_key,
    persona_without_block,
    shadowed,
    unknown_key,
    unknown_tool,
    unreadable,
    wrong_type,
)
from agent_lsp.analysis.rules.model import Rule

RULES: tuple[Rule, ...] = (
    file_name.RULE,
    unreadable.RULE,
    shadowed.RULE,
    header_missing.RULE,
    header_unclosed.RULE,
    header_bom.RULE,
    header_invalid.RULE,
    wrong_type.RULE,
    invalid_value.RULE,
    duplicate_key.RULE,
    missing_key.RULE,
    unknown_key.RULE,
    missing_description.RULE,
    missing_default_prompt.RULE,
    persona_without_block.RULE,
    block_without_persona.RULE,
    unknown_tool.RULE,
    allowed_and_denied.RULE,
)
