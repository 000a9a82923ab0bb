"""Hooks of a Claude agent whose script or matcher cannot do anything."""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from tests.fixture import fixture

DATA = Path(__file__).parents[1] / "conformance" / "claude-hooks.jsonl"
HEAD = "//- .claude/agents/a.md\n---\nname: a\ndescription: A.\ntools: Read, Bash, Agent\n"
HOOK = "  {}:\n    - matcher: {}\n      hooks:\n        - type: command\n          command: {}\n"
NAMES = (".claude/hooks/run.sh", ".claude/hooks/main.js", ".claude/hooks/data.py", "~/mine.sh")
FILES = "".join(f"//- {name}\nexit 2\n" for name in NAMES)


def _findings(folder: Path, hooks: str, path: str = ".claude/") -> list[tuple[str, str]]:
    """The place and the message of each finding."""
    source = f"{HEAD}hooks:\n{hooks}---\nB.\n".replace(".claude/", path, 1)
    made = fixture(folder, source + FILES)
    (made.root / ".claude/hooks/run.sh").chmod(0o755)
    found = diagnostics(made.workspace, made.path)
    return [(one.span.of(made.text), one.message) for one in found if one.code == "futile-hook"]


def _said(folder: Path, hooks: str, path: str = ".claude/") -> list[str]:
    return [place for place, _ in _findings(folder, hooks, path)]


def test_the_findings_say_what_the_runtime_did(tmp_path: Path) -> None:
    for place, line in enumerate(DATA.read_text(encoding="utf-8").splitlines()):
        case = json.loads(line)
        hook = HOOK.format(case["event"], case["matcher"], case["command"])
        found = _findings(tmp_path / str(place), hook)
        refuses = any("refuses" in message for _, message in found)
        assert (not found if case["prevented"] else bool(found)) or (
            refuses and case["prevented"]
        ), case
        assert case["prevented"] or not refuses, case


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (".claude/hooks/run.sh --all", []),
        ("./.claude/hooks/gone.sh", ["./.claude/hooks/gone.sh"]),
        (
            "$CLAUDE_PROJECT_DIR/x/gone.sh",
            ["$CLAUDE_PROJECT_DIR/x/gone.sh"],
        ),
        ("'\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/run.sh'", []),
        ("${CLAUDE_PROJECT_DIR}/.claude/hooks/run.sh", []),
        # Without the right to be executed, alone and behind an interpreter.
        (".claude/hooks/data.py", [".claude/hooks/data.py"]),
        ("python3 .claude/hooks/data.py", []),
        ("X=1 python3 -u .claude/hooks/gone.py", [".claude/hooks/gone.py"]),
        ("~/mine.sh", ["~/mine.sh"]),
        ("~/gone.sh", ["~/gone.sh"]),
        ("'\"${CLAUDE_PROJECT_DIR:-.}\"/.claude/hooks/run.sh'", []),
        ("${CLAUDE_PROJECT_DIR:-.}/gone.sh", ["${CLAUDE_PROJECT_DIR:-.}/gone.sh"]),
        ("${CLAUDE_PROJECT_DIR-$PWD}/gone.sh", ["${CLAUDE_PROJECT_DIR-$PWD}/gone.sh"]),
        # Behind a program that runs another one.
        ("timeout 30 .claude/hooks/run.sh", []),
        ("timeout -k 5 -s KILL 30s ./gone.sh", ["./gone.sh"]),
        ("timeout --signal=KILL 1.5 .claude/hooks/data.py", [".claude/hooks/data.py"]),
        ("env -i A=b C='d e' ./gone.sh --all", ["./gone.sh"]),
        ("/usr/bin/env python3 ./gone.py", ["./gone.py"]),
        ("nice -n 10 ./gone.sh", ["./gone.sh"]),
        ("exec timeout 5 env A=b bash ./gone.sh", ["./gone.sh"]),
        ("uv run ./gone.py", ["./gone.py"]),
        ("uv run --quiet --script .claude/hooks/data.py", []),
        ("uv run python .claude/hooks/gone.py", [".claude/hooks/gone.py"]),
        ("env -S './gone.sh'", []),
        ("env -u NAME ./gone.sh", []),
        ("timeout ./gone.sh", []),
        ("uv run --with rich ./gone.py", []),
        ("uv run ./gone", []),
        ("uvx ./gone.py", []),
        ("npx ./gone.js", []),
        # What cannot be known, or is provided for.
        ("jq -r .tool_input", []),
        ("/opt/tools/check.sh", []),
        ("./gone.sh || true", []),
        ("cd sub && ./gone.sh", []),
        ("$HOOKS/gone.sh", []),
        ("./$(name)/gone.sh", []),
    ],
)
def test_the_script_of_a_hook(command: str, expected: list[str], tmp_path: Path) -> None:
    assert _said(tmp_path, HOOK.format("PreToolUse", "Bash", command)) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python3 ./gone.py", "refuses"),
        ("/usr/bin/python3.11 -u ./gone.py", "refuses"),
        ("perl ./gone.pl", "refuses"),
        ("uv run ./gone.py", "`uv` then ends with exit code 2, which is how a hook refuses"),
        ("timeout 5 python3 ./gone.py", "refuses"),
        ("timeout 5 ./gone.py", "so nothing is prevented"),
        ("sh ./gone.sh", "where `sh` is dash"),
        ("bash -e ./gone.sh", "so nothing is prevented"),
        ("node ./gone.js", "so nothing is prevented"),
        ("./gone.py", "so nothing is prevented"),
        # Only the end of the command decides about its exit code.
        ("python3 ./gone.py 2>&1 && echo 'a|b; c'", "refuses"),
        ("python3 ./gone.py; exit 0", "so the hook goes on without it"),
        ("python3 ./gone.py | tee log", "so the hook goes on without it"),
        ("python3 ./gone.py &", "so the hook goes on without it"),
        ("|\n            python3 ./gone.py\n            exit 0", "so the hook goes on without it"),
        ("./gone.sh; exit 0", "so the hook goes on without it"),
        ("python3 ./gone.py\n          async: true", "so the hook goes on without it"),
        ("python3 ./gone.py\n          async: false", "refuses"),
        # A program in the command, and options.
        ("python3 -c './gone.py'", ""),
        ("python3 -m ./gone.py", ""),
        ("bash -lc ./gone.sh", ""),
        ("bash -ce '.claude/hooks/run.sh --all'", ""),
        ("node -r dotenv/config .claude/hooks/run.sh", ""),
        ("node --import ./node_modules/tsx .claude/hooks/run.sh", ""),
        ("python3 -X pycache_prefix=/x/y .claude/hooks/run.sh", ""),
        # Node.js adds the end of the name, and Python does not.
        ("node .claude/hooks/main", ""),
        ("python3 .claude/hooks/main", "refuses"),
        ("node --import=./gone.mjs .claude/hooks/run.sh", ""),
    ],
)
def test_what_a_missing_script_does(command: str, expected: str, tmp_path: Path) -> None:
    found = _findings(tmp_path, HOOK.format("PreToolUse", "Bash", command))
    assert [expected in message for _, message in found] == [True] * bool(expected)


def test_a_missing_script_refuses_only_where_a_hook_can(tmp_path: Path) -> None:
    for event in ("PostToolUse", "SessionStart"):
        found = _findings(tmp_path / event, HOOK.format(event, "Bash", "python3 ./gone.py"))
        assert ["the hook only fails" in message for _, message in found] == [True]


@pytest.mark.parametrize(
    ("event", "matcher", "expected"),
    [
        ("PreToolUse", "bash", ["bash"]),
        ("PreToolUse", "Bsh", ["Bsh"]),
        ("PreToolUse", "Bsh|Read", []),
        ("PostToolUse", "Write|Edit", ["Write|Edit"]),
        ("PostToolUse", "Write|Read", []),
        ("PreToolUse", "Task", []),
        ("PreToolUse", "'*'", []),
        ("PreToolUse", "'Edit.*'", []),
        ("PreToolUse", "mcp__github__x", []),
        ("PreToolUse", "BrandNewTool", []),
        ("SessionStart", "startup", []),
    ],
)
def test_the_matcher_of_a_hook(
    event: str, matcher: str, expected: list[str], tmp_path: Path
) -> None:
    assert _said(tmp_path, HOOK.format(event, matcher, "jq .")) == expected


def test_an_agent_of_the_user_runs_in_other_folders(tmp_path: Path) -> None:
    hooks = HOOK.format("PreToolUse", "Bash", "./gone.sh")
    assert _said(tmp_path, hooks, "~/.claude/") == []


def test_a_matcher_completes_tools(tmp_path: Path) -> None:
    source = f"{HEAD}hooks:\n{HOOK.format('PreToolUse', 'Ba$0', 'jq .')}---\nB.\n"
    made = fixture(tmp_path, source)
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert {"Bash", "Read"} <= set(labels)
