"""What is said of entries in lists of tools that Claude Code 2.1.332 has no tool for."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture


def agent(folder: Path, lines: str) -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nGo.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}")


def told(made: Fixture) -> list[str]:
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


@pytest.mark.parametrize(
    ("lines", "words", "fixed"),
    [
        ("tools: Read, run_shell_command", "a name of Gemini CLI", "tools: Read, Bash"),
        ("tools: Read, shell", "a name of Codex CLI", "tools: Read, Bash"),
        ("tools: [Read, editFiles, fetch]", "names of VS Code", "tools: [Read, Edit, WebFetch]"),
        ("tools:\n  - Read\n  - apply_patch", "Codex CLI", "tools:\n  - Read\n  - Edit"),
        ("tools: Grep, read_file, bash", "`Read` and `Bash`", "tools: Grep, Read, Bash"),
    ],
)
def test_names_of_other_systems_get_ours(
    tmp_path: Path, lines: str, words: str, fixed: str
) -> None:
    made = agent(tmp_path, lines)
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("unknown-tool", "WARNING")
    assert words in said.message
    fix, *_ = fixes(made.workspace, made.path)
    assert apply(made.text, fix.edits) == made.text.replace(lines, fixed)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("tools: FooRead", ["error[no-tools] tools"]),
        ("tools: FooBar, BarFoo", ["error[no-tools] tools"]),
        ("tools: read, grep", ["error[unknown-tool] read"]),
        ("tools: Read, FooBar, pytest, Baz", ["warning[unknown-tool] FooBar"]),
        (
            "tools: Read, FooBar, grep",
            ["warning[unknown-tool] FooBar", "warning[unknown-tool] grep"],
        ),
        ("disallowedTools: FooBar, write_file", None),
        ("tools: |\n  Read\n  Grep", ["error[unknown-tool] Read\n  Grep"]),
        ('tools: "Read\tGrep"', ["error[unknown-tool] Read\tGrep"]),
        ("tools: Read; Grep", ["warning[unknown-tool] Read;"]),
        ("tools: Read, KillShell", []),
    ],
)
def test_unknown_names_of_one_kind_are_one_finding(
    tmp_path: Path, lines: str, expected: list[str] | None
) -> None:
    found = told(agent(tmp_path, lines))

    if expected is None:
        assert [one.split()[0] for one in found] == ["warning[unknown-tool]"] * 2
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("allowed", "rest"),
    [("Monitor, Read", "removes both"), ("Monitor", "the agent has no tools")],
)
def test_a_tool_goes_with_the_one_that_it_is_built_on(
    tmp_path: Path, allowed: str, rest: str
) -> None:
    made = agent(tmp_path, f"tools: {allowed}\ndisallowedTools: Bash")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("allowed-and-denied", "WARNING")
    assert said.message.endswith(rest)


def test_completion_offers_no_model_that_only_the_command_line_takes(tmp_path: Path) -> None:
    made = agent(tmp_path, "model: $0")
    labels = {item.label for item in complete(made.workspace, made.path, made.offset)}

    assert {"sonnet", "opus", "haiku", "fable", "inherit"} <= labels
    assert "default" not in labels


@pytest.mark.parametrize(
    ("lines", "expected", "words"),
    [
        ("tools: TodoWrite", "WARNING", "`CLAUDE_CODE_ENABLE_TASKS` is `0`"),
        ("tools: TaskCreate, TaskList", "WARNING", "`CLAUDE_CODE_ENABLE_TODO_TOOLS` is set"),
        ("tools: LSP, PowerShell", "WARNING", "a language server, or the system is Windows"),
        ("tools: mcp__github__search", "INFORMATION", "gives it `mcp__github__search`"),
        ("tools: TodoWrite, Foo", "WARNING", "`CLAUDE_CODE_ENABLE_TASKS` is `0`"),
    ],
)
def test_a_list_of_tools_that_only_some_sessions_have_says_on_what_it_depends(
    tmp_path: Path, lines: str, expected: str, words: str
) -> None:
    made = agent(tmp_path, lines)
    [said] = [one for one in diagnostics(made.workspace, made.path) if one.code == "no-tools"]

    assert said.severity.name == expected
    assert words in said.message
    assert said.message.endswith("the runtime refuses to launch the agent")


@pytest.mark.parametrize(
    "lines",
    [
        "tools: TodoWrite, Read",
        "tools: Glob, TaskCreate",
        "tools: TodoWrite\nmemory: project",
        "tools: mcp__github__search\nmcpServers: [github]",
        "tools: [TodoWrite, '*']",
    ],
)
def test_a_list_with_a_tool_of_every_session_depends_on_nothing(tmp_path: Path, lines: str) -> None:
    made = agent(tmp_path, lines)

    assert [one for one in told(made) if "no-tools" in one] == []


def test_the_tools_of_a_configured_server_are_there(tmp_path: Path) -> None:
    header = "---\nname: a\ndescription: d\ntools: mcp__github__search\n---\nGo.\n"
    servers = '{"mcpServers": {"github": {"command": "x"}}}'
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{header}\n//- .mcp.json\n{servers}\n")

    assert diagnostics(made.workspace, made.path) == ()
