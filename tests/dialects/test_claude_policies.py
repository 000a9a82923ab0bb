"""What is said of tool policies of Claude Code that count only in part, or twice."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from tests.fixture import Fixture, fixture


def made(folder: Path, lines: str) -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nYou help.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}")


def told(of: Fixture) -> list[str]:
    found = diagnostics(of.workspace, of.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(of.text)}" for one in found]


@pytest.mark.parametrize("key", ["allowed-tools", "allowedTools", "allowed_tools"])
def test_an_allow_list_of_another_kind_of_file_has_no_effect_beside_tools(
    tmp_path: Path, key: str
) -> None:
    other = made(tmp_path / "1", f"tools: Read, Bash\n{key}: Bash(git diff *)")
    same = made(tmp_path / "2", f"tools: Read, Bash\n{key}: [Bash, Read]")
    alone = made(tmp_path / "3", f"{key}: Read")

    assert told(other) == [f"information[unknown-key] {key}"]
    assert told(same) == [f"hint[unknown-key] {key}"]
    assert told(alone) == [f"warning[unknown-key] {key}"]
    [said] = diagnostics(other.workspace, other.path)
    assert said.message == f"the runtime ignores `{key}` here: `tools` is what counts"
    assert [fix.title for fix in fixes(other.workspace, other.path)] == [f"Remove `{key}` (unsafe)"]


@pytest.mark.parametrize("key", ["disallowed-tools", "disallowed_tools"])
def test_a_deny_list_of_another_kind_of_file_is_a_warning_where_a_tool_is_kept(
    tmp_path: Path, key: str
) -> None:
    kept = made(tmp_path / "1", f"disallowedTools: Write\n{key}: Write, Bash")
    gone = made(tmp_path / "2", f"tools: Read\ndisallowedTools: Write\n{key}: Bash")
    same = made(tmp_path / "3", f"disallowedTools: Write\n{key}: Write")
    alone = made(tmp_path / "4", f"tools: Read, Bash\n{key}: Bash")

    assert told(kept) == [f"warning[unknown-key] {key}"]
    assert told(gone) == [f"information[unknown-key] {key}"]
    assert told(same) == [f"hint[unknown-key] {key}"]
    assert told(alone) == [f"warning[unknown-key] {key}"]
    [said] = diagnostics(kept.workspace, kept.path)
    assert "so it does not take `Bash` away" in said.message
    # What its author wanted to take away is not to be lost by a fix.
    assert fixes(kept.workspace, kept.path) == ()


@pytest.mark.parametrize(
    "lines",
    [
        "tools: Read\npermission: {edit: deny}",
        "tools: Read\nallow: [Read]",
        "tools: Read\nsandbox: read-only",
        "tools: Read\ntoolsets: [x]",
    ],
)
def test_nothing_is_said_of_another_system_s_policy_beside_our_own(
    tmp_path: Path, lines: str
) -> None:
    assert told(made(tmp_path, lines)) == []
