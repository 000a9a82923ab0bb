"""Fixes for tool policies that the runtime does not see: nothing is limited that was not."""

from pathlib import Path

import pytest

from agent_lsp.analysis.fixes import fixes
from agent_lsp.text import apply
from tests.fixture import fixture


def fixed(folder: Path, lines: str) -> list[tuple[str, str, bool]]:
    """Each fix of an agent as its title, the text after it, and whether it is safe."""
    made = fixture(folder, f"//- .kodacode/agents/a.md\n{lines}x\n")
    return [
        (fix.title.partition(" (unsafe")[0], apply(made.text, fix.edits), fix.safe)
        for fix in fixes(made.workspace, made.path)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tools: [read, bash]", "AllowTools: [read, bash]"),
        ("tools: Read, Bash", "AllowTools: [read, bash]"),
        ("allowTools:\n  - Read # why\n  - test", "AllowTools:\n  - read # why\n  - test"),
        ("deny_tools:\n  - bash", "DisallowedTools:\n  - bash"),
        ("disallowedTools: [bash]", "DisallowedTools: [bash]"),
    ],
)
def test_a_policy_moves_to_the_key_that_counts_and_the_author_decides(
    before: str, after: str, tmp_path: Path
) -> None:
    [(title, text, safe)] = fixed(tmp_path, f"---\n{before}\n---\n")
    assert title.startswith("Replace `")
    assert text == f"---\n{after}\n---\nx\n"
    # A misspelt key leaves no doubt; another system's may have meant other tools.
    assert safe is before.lower().startswith(("allowtools", "disallowedtools"))


def test_an_empty_list_that_was_no_limit_does_not_become_one(tmp_path: Path) -> None:
    expected = "Remove `tools`: it limits nothing, and `AllowTools: []` would allow nothing"
    assert fixed(tmp_path / "1", "---\nmode: all\ntools: []\n---\n") == [
        (expected, "---\nmode: all\n---\nx\n", True)
    ]
    # An empty header would keep all agents from loading.
    assert fixed(tmp_path / "2", "---\ntools: []\n---\n") == [(expected, "x\n", True)]


def test_a_key_that_is_refused_goes_away(tmp_path: Path) -> None:
    assert fixed(tmp_path / "1", "---\nfallback_models: [x]\n---\n") == [
        ("Remove `fallback_models`", "x\n", True)
    ]


def test_a_list_without_a_value_may_mean_none_or_all(tmp_path: Path) -> None:
    assert [(text, safe) for _, text, safe in fixed(tmp_path, "---\nAllowTools:\n---\n")] == [
        ("---\nAllowTools: []\n---\nx\n", False),
        ("x\n", False),
    ]
