"""What is said of tool policies of Claude Code that count only in part, or twice."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from tests.fixture import Fixture, fixture


def made(folder: Path, lines: str) -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nYou help.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}")


def told(fixture: Fixture) -> list[str]:
    found = diagnostics(fixture.workspace, fixture.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(fixture.text)}" for one in found]


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
    assert said.message == f"the runtime ignores `{key}` here: `tools` is used instead"
    assert [fix.title for fix in fixes(other.workspace, other.path)] == [
        f"Remove `{key}` (unsafe: deletes what you wrote)"
    ]


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
    assert "so it does not remove `Bash`" in said.message
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
def test_another_system_s_policy_beside_our_own_is_worth_a_hint_at_most(
    tmp_path: Path, lines: str
) -> None:
    assert [one.split()[0] for one in told(made(tmp_path, lines))] in ([], ["hint[unknown-key]"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tools: Read, Grep, Read", "tools: Read, Grep"),
        ("tools: Read, Grep, Read  # Read", "tools: Read, Grep  # Read"),
        ("tools: Read, Read, Grep", "tools: Read, Grep"),
        ("tools: Read,Grep,Read,Glob", "tools: Read,Grep,Glob"),
        ("tools: Read Grep Read", "tools: Read Grep"),
        ("tools: Read Read Grep", "tools: Read Grep"),
        ("tools: 'Read, Read'", "tools: 'Read'"),
        ("tools: Read, Read, Read", "tools: Read"),
        ("tools: Read,\n  Grep,\n  Read", "tools: Read,\n  Grep"),
        ("tools: |\n  Read,\n  Grep,\n  Read", "tools: |\n  Read,\n  Grep"),
        ("tools: >-\n  Read, Grep,\n  Read, Glob", "tools: >-\n  Read, Grep,\n  Glob"),
        ("tools: mcp__s__t, Read, mcp__s__*", "tools: Read, mcp__s__*"),
        ("tools: Bash(a, b), Bash(c), Bash(a, b)", "tools: Bash(a, b), Bash(c)"),
        ("tools: [Bash(a), Bash(b), Bash(a)]", "tools: [Bash(a), Bash(b)]"),
        ("disallowedTools: Write, Edit, Write", "disallowedTools: Write, Edit"),
    ],
)
def test_an_entry_that_stands_twice_in_a_text_is_told_and_taken_out(
    tmp_path: Path, before: str, after: str
) -> None:
    file = made(tmp_path, before)

    assert {one.split()[0] for one in told(file)} == {"hint[redundant-entry]"}
    assert repaired(file.workspace, file.path) == file.text.replace(before, after)


@pytest.mark.parametrize(
    "lines",
    [
        "tools: Read, Grep",
        "tools: Bash(a), Bash(b), Bash",
        "tools: Task, Agent",
        "tools: Agent(Explore), Agent(Plan)",
        "tools: mcp__s__a, mcp__s__b, mcp__t__*, Read",
        "tools: '*, Bash(git *)'",
        "tools: Read\ndisallowedTools: mcp__s",
    ],
)
def test_entries_that_differ_are_no_repetition(tmp_path: Path, lines: str) -> None:
    assert told(made(tmp_path, lines)) == []


def test_the_only_entry_of_a_text_is_not_taken_out(tmp_path: Path) -> None:
    file = made(tmp_path, "tools: |\n  AskUserQuestion")

    assert told(file) == ["error[unavailable-tool] AskUserQuestion"]
    assert fixes(file.workspace, file.path) == ()
