"""The checks that several systems share, in the order in which a reader meets their subjects.

A system names those that it takes in its dialect, beside its own; which of their findings count,
and how much, is what its severities say.
"""

from collections.abc import Iterable

from agent_lsp.analysis.checks import (
    file_names,
    header_bom,
    header_cut_short,
    header_invalid,
    header_missing,
    header_unclosed,
    hidden_text,
    lost_text,
    misplaced,
    missing,
    no_tools,
    other_system,
    redundant,
    shadowed,
    suppressions,
    swallowed_key,
    unavailable_tool,
    unknown_key,
    unknown_model,
    unknown_tool,
    unquoted_text,
    unreadable,
    values,
)
from agent_lsp.model.check import Check
from agent_lsp.model.system import System

# Of files of every form.
OF_FILES: tuple[Check, ...] = (
    file_names.FILE_NAME,
    unreadable.CHECK,
)
# Of headers of YAML.
OF_HEADERS: tuple[Check, ...] = (
    misplaced.CHECK,
    other_system.CHECK,
    shadowed.CHECK,
    header_missing.CHECK,
    header_unclosed.CHECK,
    header_cut_short.CHECK,
    header_bom.CHECK,
    unquoted_text.CHECK,
    header_invalid.CHECK,
    values.WRONG_TYPE,
    values.INVALID_VALUE,
    values.DUPLICATE_KEY,
    missing.MISSING_KEY,
    unknown_key.CHECK,
    swallowed_key.CHECK,
    lost_text.CHECK,
    unknown_model.CHECK,
    missing.MISSING_DESCRIPTION,
    missing.MISSING_DEFAULT_PROMPT,
    unknown_tool.CHECK,
    unavailable_tool.CHECK,
    redundant.REDUNDANT_ENTRY,
    redundant.ALLOWED_AND_DENIED,
    no_tools.CHECK,
)
# Of the files of all systems, whatever these say.
ALWAYS: tuple[Check, ...] = (
    hidden_text.CHECK,
    suppressions.CHECK,
)


def codes(systems: Iterable[System]) -> tuple[str, ...]:
    """The codes of all checks: the shared ones first, then those of one system after another."""
    own = (check for system in systems for check in system.dialect.checks)
    every = (*OF_FILES, *OF_HEADERS, *own, *ALWAYS)
    return tuple(dict.fromkeys(code for check in every for code in check.codes))
