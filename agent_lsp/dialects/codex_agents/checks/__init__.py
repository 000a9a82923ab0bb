"""The checks of agents of the Codex CLI: what refuses a file, and what does nothing in it."""

from agent_lsp.analysis.checks import OF_FILES, delegation, missing_file, unknown_names
from agent_lsp.dialects.codex_agents.checks import configuration, effects, refusals
from agent_lsp.model.check import Basis, Check, Field

_LOADS = frozenset({Field.LOADS, Field.KEY})
_REQUIRED = {
    "missing-key": _LOADS,
    "missing-default-prompt": frozenset({Field.LOADS, Field.PROMPT}),
    "missing-description": frozenset({Field.LOADS, Field.DESCRIPTION}),
    "swallowed-key": _LOADS,
}
_VALUES = ("wrong-type", "invalid-value", "unknown-key", "missing-key", "swallowed-key")

_ABSENT = dict.fromkeys(("missing-key", "missing-description", "swallowed-key"), Basis.ABSENCE)

CHECKS: tuple[Check, ...] = (
    *OF_FILES,
    Check(
        ("header-invalid", "duplicate-key"),
        refusals.syntax,
        changes=_LOADS,
        basis={"header-invalid": Basis.FILE},
    ),
    Check(_VALUES, refusals.values, changes=_LOADS, basis=_ABSENT),
    Check(tuple(_REQUIRED), refusals.required, changes=_REQUIRED, basis=_ABSENT),
    Check(("no-effect",), effects.no_effect, changes=frozenset({Field.KEY})),
    Check(
        ("unknown-model", "unsupported-effort"),
        effects.model,
        changes=frozenset({Field.KEY, Field.EFFORT}),
    ),
    Check(("missing-file", "no-effect"), effects.futile_switch, changes=frozenset({Field.KEY})),
    unknown_names.UNKNOWN_SKILL,
    delegation.UNKNOWN_AGENT,
    missing_file.CHECK,
    Check(("shadowed",), effects.shadowed, basis=Basis.FILE),
    Check(("never-spawned",), effects.never_spawned, basis=Basis.FILE),
    Check(("hides-builtin",), effects.hides_builtin, basis=Basis.FILE),
)

OF_CONFIGURATION: tuple[Check, ...] = (
    *OF_FILES,
    Check(
        ("header-invalid", "duplicate-key"),
        refusals.syntax,
        changes=_LOADS,
        basis={"header-invalid": Basis.FILE},
    ),
    Check(("wrong-type", "invalid-value", "unknown-key"), configuration.values, changes=_LOADS),
    Check(
        ("duplicate-key", "never-spawned", "unknown-model", "unsupported-effort"),
        configuration.settings,
        changes=frozenset({Field.KEY}),
        basis={"never-spawned": Basis.ABSENCE},
    ),
    Check(
        (
            "missing-description",
            "invalid-value",
            "agent-file",
            "name-mismatch",
            "shadowed",
            "hides-builtin",
            "no-effect",
            "unknown-key",
        ),
        configuration.declared,
        changes=frozenset({Field.KEY, Field.DESCRIPTION}),
        basis={
            "missing-description": Basis.ABSENCE,
            "shadowed": Basis.FILE,
            "hides-builtin": Basis.FILE,
            "no-effect": Basis.ABSENCE,
        },
    ),
)
