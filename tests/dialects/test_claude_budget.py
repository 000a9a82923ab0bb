"""What the descriptions of agents take of a session."""

from pathlib import Path

import pytest

from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.dialects.claude.runtime import budget
from agent_lsp.model.runtime import Budget
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture

AGENT = "---\nname: %s\ndescription: %s\n---\nYou help.\n"


@pytest.mark.parametrize(
    ("text", "tokens"), [("d" * 17, 5), ("é" * 17, 5), ("😀" * 17, 9), ("d" * 15, 5)]
)
def test_four_units_are_a_token(text: str, tokens: int, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{AGENT % ('a', text)}")

    assert budget(catalog(made.workspace, DIALECT, made.root)) == Budget(tokens, 15_000)


def test_only_agents_that_are_used_and_somebody_s_own_are_counted(tmp_path: Path) -> None:
    own, other = AGENT % ("a", "d" * 37), AGENT % ("a", "d" * 1000)
    source = f"//- .claude/agents/a.md\n{own}//- ~/.claude/agents/a.md\n{other}"
    made = fixture(tmp_path, f"{source}//- .claude/agents/README.md\n# Notes\n")

    assert budget(catalog(made.workspace, DIALECT, made.root)).tokens == 10
