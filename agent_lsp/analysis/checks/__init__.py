"""The checks that several systems share, in the order in which a reader meets their subjects.

A dialect names the shared checks of its system in addition to its own. Its severities decide which
findings are reported, and how severe they are.
"""

from collections.abc import Iterable

from agent_lsp.analysis.checks import (
    delegation,
    files,
    header_invalid,
    headers,
    hidden_text,
    missing_file,
    suppressions,
    tool_entries,
    unknown_key,
    unknown_names,
    unquoted_text,
    values,
)
from agent_lsp.model.check import Check
from agent_lsp.model.system import System

# Checks for files of every form.
OF_FILES: tuple[Check, ...] = (
    files.FILE_NAME,
    files.UNREADABLE,
)
# Checks for YAML headers.
OF_HEADERS: tuple[Check, ...] = (
    files.MISPLACED,
    files.OTHER_SYSTEM,
    files.SHADOWED,
    headers.HEADER_MISSING,
    headers.HEADER_UNCLOSED,
    headers.HEADER_CUT_SHORT,
    headers.HEADER_BOM,
    unquoted_text.CHECK,
    header_invalid.CHECK,
    values.WRONG_TYPE,
    values.INVALID_VALUE,
    values.DUPLICATE_KEY,
    values.NO_EFFECT,
    values.MISSING_KEY,
    unknown_key.CHECK,
    unquoted_text.SWALLOWED_KEY,
    unquoted_text.LOST_TEXT,
    unknown_names.UNKNOWN_MODEL,
    values.MISSING_DESCRIPTION,
    values.MISSING_DEFAULT_PROMPT,
    tool_entries.UNKNOWN_TOOL,
    tool_entries.UNAVAILABLE_TOOL,
    unknown_names.UNKNOWN_SERVER,
    tool_entries.REDUNDANT_ENTRY,
    tool_entries.ALLOWED_AND_DENIED,
    tool_entries.NO_TOOLS,
    delegation.FUTILE_DELEGATION,
    missing_file.CHECK,
    delegation.UNKNOWN_AGENT,
)
# Checks for files of all systems, which no dialect has to name.
ALWAYS: tuple[Check, ...] = (
    hidden_text.CHECK,
    suppressions.CHECK,
)


def codes(systems: Iterable[System]) -> tuple[str, ...]:
    """The codes of all checks: the shared ones first, then those of one system after another."""
    own = (check for system in systems for check in system.dialect.findings.checks)
    every = (*OF_FILES, *OF_HEADERS, *own, *ALWAYS)
    return tuple(dict.fromkeys(code for check in every for code in check.codes))
