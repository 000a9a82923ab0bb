"""There is an error for each thing that `list_agents` refuses, and none where it lists."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.preview.commands import list_agents
from agent_lsp.model.schema import Severity
from tests.fixture import fixture

SOUND = """\
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
---
You review changes.
<!-- agent_name: strict -->
Report every risk.
"""
DECLARED = "agent_names:\n  - name: strict\n    description: Reports every risk.\n"
# What to take away, the code that says so, and the runtime's words; in the order of its checks.
FAULTS = (
    ("description: Reviews a change.\n", "missing-description", "missing required frontmatter"),
    ("You review changes.\n", "missing-default-prompt", "missing required default prompt block"),
    (DECLARED, "block-without-persona", "found agent_name blocks but frontmatter agent_names is"),
    ("    description: Reports every risk.\n", "missing-description", "missing description for"),
)


def faulty() -> Iterator[tuple[tuple[str, str, str], ...]]:
    """Every set of faults that can be in one file, in the order of the runtime's checks."""
    for count in range(len(FAULTS) + 1):
        for chosen in combinations(FAULTS, count):
            # What is not declared cannot lack its description.
            if not {FAULTS[2], FAULTS[3]} <= set(chosen):
                yield chosen


@pytest.mark.parametrize("faults", tuple(faulty()), ids=lambda faults: f"{len(faults)} faults")
def test_each_breach_of_the_contract_is_an_error_and_the_first_one_the_answer(
    faults: tuple[tuple[str, str, str], ...], tmp_path: Path
) -> None:
    text = SOUND
    for away, _, _ in faults:
        text = text.replace(away, "", 1)
    made = fixture(tmp_path, text)
    said = diagnostics(made.workspace, made.path)
    answer = list_agents(made.workspace, {"agent_type": "reviewer"})

    errors = [one.code for one in said if one.severity is Severity.ERROR]
    assert sorted(errors) == sorted(code for _, code, _ in faults)
    assert all("`list_agents` refuses" in one.message for one in said)
    assert (answer["error"] is None) is (not faults)
    if faults:
        assert faults[0][2] in str(answer["error"])


def test_the_file_to_blame_for_a_failing_list_is_the_one_that_is_reported(tmp_path: Path) -> None:
    bad = SOUND.replace("description: Reviews a change.\n", "")
    made = fixture(tmp_path, f"//- .codex/.agents/a.md\n{SOUND}//- .codex/.agents/b.md\n{bad}")

    assert 'invalid agent template "b"' in str(list_agents(made.workspace, {})["error"])
    assert diagnostics(made.workspace, made.path) == ()
    [said] = diagnostics(made.workspace, made.path.with_name("b.md"))
    assert said.code == "missing-description"
