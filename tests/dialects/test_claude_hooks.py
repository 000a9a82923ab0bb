"""Which hooks keep an agent of Claude Code from loading; measured with 2.1.332, 2026-11-28."""

from itertools import product
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import Fixture, fixture
from tests.recorded import each


def agent(folder: Path, lines: str) -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nGo.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}")


def loads(made: Fixture) -> bool:
    listing = DIALECT.calls.list_agents(catalog(made.workspace, DIALECT, made.root), Call({}))
    assert isinstance(listing, dict)
    return any(row["path"] for row in listing["agents"])


def told(made: Fixture) -> list[str]:
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


def below(event: str, *lines: str) -> str:
    return "\n".join([f"hooks:\n  {event}:", *(f"    {line}" for line in lines)])


def hook(*lines: str) -> tuple[str, ...]:
    first, *rest = lines
    return ("- hooks:", f"    - {first}", *(f"      {line}" for line in rest))


# What is wrong, and where it is said.
WRONG = [
    (("matcher: Bash",), "matcher: Bash"),
    (("- Bash",), "Bash"),
    (("- matcher: 5", "  hooks: []"), "5"),
    (("- matcher: [Bash]", "  hooks: []"), "[Bash]"),
    (("- matcher:", "  hooks: []"), "matcher"),
    (("- matcher: Bash",), "matcher"),
    (("- matcher: Bash", "  hooks:"), "hooks"),
    (("- matcher: Bash", "  hooks: x"), "x"),
    (("- hooks: [x]",), "x"),
    (hook("command: x"), "command"),
    (hook("type: shell"), "shell"),
    (hook("type: command"), "type"),
    (hook("type: command", "command: 5"), "5"),
    (hook("type: command", "command: true"), "true"),
    (hook("type: command", "command: [x]"), "[x]"),
    (hook("type: command", "command: x", "timeout: 0"), "0"),
    (hook("type: command", "command: x", "timeout: -1"), "-1"),
    (hook("type: command", "command: x", "timeout: .inf"), ".inf"),
    (hook("type: command", "command: x", "timeout: '5'"), "'5'"),
    (hook("type: command", "command: x", "timeout:"), "timeout"),
    (hook("type: command", "command: x", "args: a"), "a"),
    (hook("type: command", "command: x", "async: a"), "a"),
    (hook("type: command", "command: x", "once: a"), "a"),
    (hook("type: command", "command: x", "shell: fish"), "fish"),
    (hook("type: command", "command: x", "if: 5"), "5"),
    (hook("type: prompt"), "type"),
    (hook("type: prompt", "prompt: 5"), "5"),
    (hook("type: prompt", "prompt: x", "model: 5"), "5"),
    (hook("type: agent"), "type"),
    (hook("type: http"), "type"),
    (hook("type: http", "url: nope"), "nope"),
    (hook("type: http", "url: https://a.test", "headers: {a: 5}"), "{a: 5}"),
    (hook("type: mcp_tool", "server: x"), "type"),
    (hook("type: mcp_tool", "server: x", "tool: y", "input: a"), "a"),
]


Case = tuple[str, tuple[tuple[str, ...], str]]


def _named(case: Case) -> str:
    event, (lines, _) = case
    return f"{event}: {' '.join(lines)}"


@each(product(["PreToolUse", "PermissionRequest"], WRONG), called=_named)
def test_a_hook_that_may_guard_something_costs_the_agent(case: Case, tmp_path: Path) -> None:
    event, (lines, at) = case
    made = agent(tmp_path, below(event, *lines))

    assert not loads(made)
    assert told(made) == [f"error[wrong-type] {at}"]
    [said] = diagnostics(made.workspace, made.path)
    assert said.message.endswith("or the runtime skips the file and there is no `a`")


@each(product(["Stop", "PostToolUse", "PermissionDenied"], WRONG), called=_named)
def test_another_hook_is_dropped(case: Case, tmp_path: Path) -> None:
    event, (lines, at) = case
    made = agent(tmp_path, below(event, *lines))

    assert loads(made)
    assert told(made) == [f"warning[wrong-type] {at}"]


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        ("hooks: 5", "5"),
        ("hooks: x", "x"),
        ("hooks: true", "true"),
        ("hooks: []", "[]"),
        ("PreToolUse: []", "PreToolUse"),
        ("PermissionRequest: x", "PermissionRequest"),
    ],
)
def test_hooks_that_are_no_mapping_or_stand_elsewhere_cost_the_agent(
    tmp_path: Path, lines: str, at: str
) -> None:
    made = agent(tmp_path, lines)

    assert not loads(made)
    assert told(made) == [f"error[wrong-type] {at}"]


@pytest.mark.parametrize(
    "lines",
    [
        "hooks:",
        "hooks: ''",
        "hooks: {}",
        "hooks:\n  PreToolUse: []",
        below("PreToolUse", "- hooks: []"),
        below("PreToolUse", *hook("type: command", "command: ''")),
        below("PreToolUse", *hook("type: command", "command: x", "timeout: 1.5")),
        below("PreToolUse", *hook("type: prompt", "prompt: x")),
        below("PreToolUse", *hook("type: http", "url: https://a.test/x")),
        below("PreToolUse", *hook("type: mcp_tool", "server: x", "tool: y")),
    ],
)
def test_nothing_is_said_of_hooks_that_load(tmp_path: Path, lines: str) -> None:
    made = agent(tmp_path, lines)

    assert loads(made)
    assert told(made) == []


@pytest.mark.parametrize("event", ["Foo", "preToolUse"])
def test_an_event_that_there_is_not_costs_nothing(tmp_path: Path, event: str) -> None:
    assert loads(agent(tmp_path, below(event, "- matcher: 5")))


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
def test_an_event_without_a_value_is_told_as_one_that_runs_nothing(
    tmp_path: Path, event: str
) -> None:
    made = agent(tmp_path, f"hooks:\n  {event}:")

    assert loads(made)
    assert told(made) == [f"warning[wrong-type] {event}"]


def test_a_number_in_quotes_is_told_with_its_quotes(tmp_path: Path) -> None:
    made = agent(
        tmp_path, below("PreToolUse", *hook("type: command", "command: x", 'timeout: "5"'))
    )
    [said] = diagnostics(made.workspace, made.path)

    assert said.message.startswith('`timeout` is `"5"`: write `5`, without quotes')
