"""What is said about values of an agent file that Claude Code does not take as they are."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.text import apply
from tests.checks.pages import reported
from tests.fixture import Fixture, fixture

AGENT = "//- .claude/agents/a.md\n"
COMAND = "warning[wrong-type] comand"
HOOK = "        - type: command\n          command: x"


def told(made: Fixture) -> list[str]:
    """The findings on the file under test: severity, code, the text that is marked."""
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


def messages(made: Fixture) -> str:
    return "\n".join(one.message for one in diagnostics(made.workspace, made.path))


def header(lines: str) -> str:
    return f"{AGENT}---\nname: a\ndescription: d\n{lines}\n---\nYou help.\n"


@pytest.mark.parametrize(
    "lines",
    [
        "maxTurns: 12",
        "maxTurns: '12'",
        "maxTurns:",
        "background: True",
        "background: 'false'",
        "omitClaudeMd: true",
        "experimental:\n  cacheTtl: 1h",
        "model: Sonnet",
        "model: Inherit",
        "effort: High",
        "effort: ' 5'",
        "readonly: true\ntools: Read",
        "mcpServers: [github]",
        "mcpServers:\n  - a: {command: x, args: [y], env: {A: b}, other: 5}\n    b: {command: z}",
        "mcpServers:\n  - a: {type: ws, url: x, timeout: 5, headers: {A: b}, args: 5}",
        "mcpServers:\n  - mine: {type: http, url: x}\n  - other",
        "tools: Read, Bash(git diff:*)",
        f"hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n{HOOK}\n          own: 1",
        "hooks:\n  MessageDisplay: []",
        "skills: loop, run",
    ],
)
def test_nothing_is_said_about_values_that_are_taken(tmp_path: Path, lines: str) -> None:
    assert told(fixture(tmp_path, header(lines))) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("tools:\n  read: true", "warning[wrong-type] read: true"),
        ("disallowedTools:\n  bash: false", "warning[wrong-type] bash: false"),
        ("tools:\n  - Read\n  - Bash: x", "warning[wrong-type] Bash: x"),
        ("maxTurns: many", "warning[wrong-type] many"),
        ("maxTurns: 0", "warning[wrong-type] 0"),
        ("maxTurns: 1.5", "warning[wrong-type] 1.5"),
        ("background: maybe", "warning[wrong-type] maybe"),
        ("background: yes", "warning[wrong-type] yes"),
        ("background: 'true '", "warning[wrong-type] 'true '"),
        ("effort: ' max'", "warning[unknown-value] ' max'"),
        ("effort: |\n  max", "warning[unknown-value] |\n  max"),
        ("memory: 'user '", "warning[unknown-value] 'user '"),
        ("isolation: 'worktree '", "warning[unknown-value] 'worktree '"),
        ("permissionMode: 'plan '", "warning[unknown-value] 'plan '"),
        ("model: [opus, sonnet]", "warning[wrong-type] [opus, sonnet]"),
        ("mcpServers:\n  github:\n    type: http", "warning[wrong-type] github:\n    type: http"),
        ("mcpServers: [a: {command: x, args: y}]", "warning[wrong-type] y"),
        ("mcpServers: [a: {command: x, args: [5]}]", "warning[wrong-type] [5]"),
        ("mcpServers: [a: {command: x, env: {A: 5}}]", "warning[wrong-type] {A: 5}"),
        ("mcpServers: [a: {command: 5}]", "warning[wrong-type] 5"),
        ("mcpServers: [a: {command: x, timeout: '5'}]", "warning[wrong-type] '5'"),
        ("mcpServers: [a: {url: x}]", "warning[wrong-type] a"),
        ("mcpServers: [a: {type: http}]", "warning[wrong-type] a"),
        ("mcpServers: [a: {type: foo, command: x}]", "warning[wrong-type] foo"),
        ("mcpServers: [a: {type: sse, url: x, headers: [y]}]", "warning[wrong-type] [y]"),
        ("mcpServers:\n  - name: x\n    command: y", "warning[wrong-type] name: x\n    command: y"),
        ("hooks: x", "error[wrong-type] x"),
        ("hooks:\n  Stop: x", "warning[wrong-type] x"),
        ("hooks:\n  Stop:\n    - matcher: a", "warning[wrong-type] matcher"),
        ("hooks:\n  Stop:\n    - hooks:\n        - command: x", "warning[wrong-type] command"),
        ("hooks:\n  PreTooluse: []", "warning[unknown-key] PreTooluse"),
        ("hooks:\n  OnStart: []", "information[unknown-key] OnStart"),
        ("hooks:\n  pre: |\n    a\n  post: |\n    b", "information[unknown-key] hooks"),
        ("hooks:\n  pre: ['gh auth status']", "information[unknown-key] hooks"),
        ("hooks:\n  notification: a", "information[unknown-key] hooks"),
        ("experimental: 1h", "warning[wrong-type] 1h"),
        ("experimental: {cacheTtl: 2h}", "warning[unknown-value] 2h"),
        (f"hooks:\n  Stop:\n    - hooks:\n{HOOK.replace('command', 'comand', 1)}", COMAND),
        ("tools: true", "warning[wrong-type] true"),
        ("tools: Read, MCP", "warning[unknown-tool] MCP"),
        ("tools: Read, mcp__git*", "warning[unknown-tool] mcp__git*"),
        ("tools: Read, mcp__*__search", "warning[unknown-tool] mcp__*__search"),
        ("disallowedTools: mcp__git*", "warning[unknown-tool] mcp__git*"),
        ("readOnly: true", "warning[unknown-key] readOnly"),
        ("tools: Read, mcp_github_search", "warning[unknown-tool] mcp_github_search"),
        ("tools: Read, MCP_SQLite_Server", "warning[unknown-tool] MCP_SQLite_Server"),
        ("tools: Read, MCP__github__x", "warning[unknown-tool] MCP__github__x"),
        ("tools: Read, mcp__*", "warning[unknown-tool] mcp__*"),
        ("tools: All", "error[unknown-tool] All"),
        ("tools: Read, Bash(git *, Edit", "warning[unknown-tool] Bash(git *, Edit"),
        ("disallowedTools: Bash(rm *), Edit", "warning[whole-tool] Bash(rm *)"),
        ("sandbox_mode: read-only", "warning[unknown-key] sandbox_mode"),
    ],
)
def test_what_has_no_effect_is_said_once(tmp_path: Path, lines: str, expected: str) -> None:
    assert told(fixture(tmp_path, header(lines))) == [expected]


def test_an_entry_of_a_server_is_not_taken_for_another_spelling(tmp_path: Path) -> None:
    said = messages(fixture(tmp_path, header("tools: Read, MCP_SQLite_Server")))
    assert "`mcp__<server>__<tool>`" in said
    assert "mcp_sqlite" not in said


def test_a_description_that_is_no_text_is_not_called_missing(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: [a, b]\n---\nx\n")

    assert told(made) == ["error[wrong-type] [a, b]"]
    assert "must be a string" in messages(made)


@pytest.mark.parametrize("value", ["''", "|", ">-", "~"])
def test_a_description_without_a_word_is_missing(tmp_path: Path, value: str) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: {value}\n---\nx\n")

    assert [one.split()[0] for one in told(made)] == ["error[missing-key]"]


@pytest.mark.parametrize(
    "above",
    [
        "\n",
        "\r\n\r\n",
        "<!-- generated -->\n",
        "```markdown\n",
        "# Reviewer\n\n",
        "\n<!-- x -->\n\n",
    ],
)
def test_a_header_below_the_first_line_is_none(tmp_path: Path, above: str) -> None:
    text = f"{above}---\nname: a\ndescription: d\n---\nx\n"
    found = told(fixture(tmp_path, AGENT + text))

    assert [one.split()[0] for one in found] == ["error[header-missing]"]


@pytest.mark.parametrize(
    "text",
    [
        "# How to write one\n\nBegin like this:\n\n---\nname: a\ndescription: d\n---\n",
        "# Agents\n\n---\n\nname: what it is called\n\n---\n",
        "\nSome text.\n",
    ],
)
def test_documentation_that_shows_a_header_is_no_agent(tmp_path: Path, text: str) -> None:
    assert told(fixture(tmp_path, AGENT + text)) == []


def test_a_name_is_not_longer_than_the_runtime_takes(tmp_path: Path) -> None:
    assert told(fixture(tmp_path, f"{AGENT}---\nname: {'a' * 256}\ndescription: d\n---\n")) == []
    long = fixture(tmp_path / "2", f"{AGENT}---\nname: {'a' * 257}\ndescription: d\n---\n")
    assert [one.split()[0] for one in told(long)] == ["error[agent-name]"]


def test_a_plugin_s_hooks_are_only_called_ignored(tmp_path: Path) -> None:
    source = (
        "//- kit/agents/a.md\n---\nname: b\ndescription: x\nhooks: []\ninitialPrompt: Go.\n---\nx\n"
    )
    made = fixture(tmp_path, f'{source}//- kit/.claude-plugin/plugin.json\n{{"name": "kit"}}\n')

    assert told(made) == ["warning[ignored-key] hooks", "warning[ignored-key] initialPrompt"]


def test_servers_in_a_mapping_become_items_of_a_list(tmp_path: Path) -> None:
    servers = "  # ours\n  one:\n    type: http\n\n    url: x\n  two: {command: y}"
    listed = "  # ours\n  - one:\n      type: http\n\n      url: x\n  - two: {command: y}"
    made = fixture(tmp_path, header(f"mcpServers:\n{servers}"))

    fixed = repaired(made.workspace, made.path)
    assert fixed == made.text.replace(servers, listed)


def test_an_agent_without_tools_does_not_get_all_of_them_by_a_safe_fix(tmp_path: Path) -> None:
    made = fixture(tmp_path / "off", header("tools: false"))
    assert repaired(made.workspace, made.path) == made.text.replace("false", "[]")

    made = fixture(tmp_path / "on", header("tools: true"))
    [fix] = fixes(made.workspace, made.path)
    assert not fix.safe
    assert "gains" in fix.title


@pytest.mark.parametrize("key", ["desc", "summary", "when_to_use"])
def test_a_description_under_another_key_is_renamed(tmp_path: Path, key: str) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n---\nname: a\n{key}: d\n---\nx\n")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("missing-key", "ERROR")
    fix, *_ = fixes(made.workspace, made.path)
    assert apply(made.text, fix.edits) == made.text.replace(f"{key}:", "description:")


def test_a_comment_in_a_description_is_lost(tmp_path: Path) -> None:
    text = "---\nname: reviewer\ndescription: Fixes issue #5\n---\nYou fix.\n"
    [found] = reported(tmp_path, {".claude/agents/reviewer.md": text})
    assert "warning[lost-text] unquoted, `#5` is a comment" in found
