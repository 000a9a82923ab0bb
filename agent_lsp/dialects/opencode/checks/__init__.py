"""Checks for OpenCode: what stops the program, what a header loses, and what has no effect."""

from agent_lsp.analysis.checks import files
from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode.checks import effects, headers, permissions, refusals
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field

_KEY = frozenset({Field.LOADS, Field.KEY})
_TOOLS = frozenset({Field.LOADS, Field.TOOLS, Field.KEY})

# The checks of an agent, wherever its keys stand.
_OF_BOTH = (
    refusals.refused_values,
    effects.unknown_keys,
    effects.no_effect,
    effects.unknown_model,
    effects.deprecated_key,
    effects.missing_description,
    effects.unknown_agent,
    permissions.entries,
    permissions.no_tools,
    permissions.futile_delegation,
)

_OF_SECOND = (
    headers.executed_header,
    headers.header_missing,
    headers.header_unclosed,
    headers.unreadable,
    headers.other_generation,
)

OF_FILES: tuple[Check, ...] = (replace(files.FILE_NAME, run=effects.file_name), files.UNREADABLE)
CHECKS: tuple[Check, ...] = (
    Check(("executed-header",), headers.executed_header, basis=Basis.FILE, warns_of_author=True),
    Check(("header-missing",), headers.header_missing, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("header-unclosed",), headers.header_unclosed, changes=ANY_FIELD, basis=Basis.FILE),
    Check(
        ("header-invalid", "duplicate-key", "unquoted-text"),
        headers.unreadable,
        changes=_KEY,
        basis={"header-invalid": Basis.FILE},
    ),
    Check(
        ("other-generation",),
        headers.other_generation,
        changes=_TOOLS | {Field.NAME},
        basis=Basis.FILE,
    ),
    Check(("unquoted-text",), headers.unquoted_text, changes=frozenset(), basis=Basis.FILE),
    Check(("wrong-type", "invalid-value"), refusals.refused_values, changes=_TOOLS),
    Check(("unknown-key", "ignored-key"), effects.unknown_keys, changes=_TOOLS),
    Check(("no-effect",), effects.no_effect, changes=frozenset(), basis=Basis.ABSENCE),
    Check(("no-effect",), effects.no_effect_of_placeholders, changes=frozenset(), basis=Basis.FILE),
    Check(("unknown-model",), effects.unknown_model, changes=frozenset({Field.MODEL, Field.KEY})),
    Check(("deprecated-key",), effects.deprecated_key, changes=frozenset({Field.KEY})),
    Check(
        ("missing-description",),
        effects.missing_description,
        changes=frozenset({Field.DESCRIPTION}),
        basis=Basis.ABSENCE,
    ),
    Check(("unknown-agent",), effects.unknown_agent, changes=_TOOLS),
    Check(("hides-builtin",), effects.hides_builtin, basis=Basis.FILE),
    Check(("shadowed",), effects.shadowed, basis=Basis.FILE),
    Check(("unknown-tool", "overridden-rule"), permissions.entries, changes=_TOOLS),
    Check(("no-tools",), permissions.no_tools, changes=_TOOLS, basis=Basis.ABSENCE),
    Check(
        ("futile-delegation",), permissions.futile_delegation, changes=_TOOLS, basis=Basis.ABSENCE
    ),
)
OF_TABLE_FILES: tuple[Check, ...] = (
    Check(("header-invalid",), refusals.header_invalid, changes=_KEY, basis=Basis.FILE),
    Check(("missing-file",), refusals.missing_file),
    Check(("ignored-key",), refusals.ignored_key, changes=_TOOLS),
    Check(("wrong-type",), refusals.wrong_type_in_newer, changes=_TOOLS),
    Check(("unknown-default",), effects.unknown_default, changes=frozenset()),
    *(check for check in CHECKS if check.run in _OF_BOTH),
)
OF_SECOND_TABLES: tuple[Check, ...] = (Check(("wrong-type",), headers.dropped, changes=_KEY),)
OF_SECOND: tuple[Check, ...] = (
    *(check for check in CHECKS if check.run in _OF_SECOND),
    Check(("wrong-type",), headers.dropped, changes=_KEY),
)
