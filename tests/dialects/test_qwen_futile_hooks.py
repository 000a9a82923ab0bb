"""Hooks of a Qwen agent whose script or matcher cannot do anything."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from tests.fixture import fixture

HEAD = (
    "//- .qwen/agents/a.md\n---\nname: aa\ndescription: A.\ntools: [read_file, run_shell_command]\n"
)
HOOK = "  {}:\n    - matcher: {}\n      hooks:\n        - type: command\n          command: {}\n"
FILES = "//- hooks/good.sh\nexit 2\n//- hooks/data.sh\nexit 2\n"
ROOT = "'\"${}_PROJECT_DIR\"/hooks/{}.sh'"


def _said(folder: Path, hooks: str) -> list[str]:
    made = fixture(folder, f"{HEAD}hooks:\n{hooks}---\nDo the work that you are told.\n{FILES}")
    (made.root / "hooks/good.sh").chmod(0o755)
    (made.root / "hooks/data.sh").chmod(0o644)
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name[0]} {one.meant}" for one in found if one.code == "futile-hook"]


# What the program did with each is said in the module of the check.
@pytest.mark.parametrize(
    ("command", "is_run"),
    [
        *(("./hooks/good.sh", True), ("bash hooks/data.sh", True), ("'echo no; exit 2'", True)),
        *((ROOT.format(name, "good"), True) for name in ("QWEN", "CLAUDE", "GEMINI")),
        *(("./hooks/gone.sh", False), ("./hooks/data.sh", False)),
        (ROOT.format("QWEN", "gone"), False),
    ],
)
def test_a_script_that_does_not_run_is_a_warning(
    command: str, is_run: bool, tmp_path: Path
) -> None:
    said = _said(tmp_path, HOOK.format("PreToolUse", "run_shell_command", command))
    assert said == ([] if is_run else ["W ()"])


def test_a_matcher_matches_parts_of_names_and_other_names_of_tools(tmp_path: Path) -> None:
    for place, (matcher, expected) in enumerate(
        (
            *((one, []) for one in ("run_shell_command", "Bash", "Shell", "shell", "un_she")),
            *((one, []) for one in ("Bash|Write", "'.*'", "'*'", "'^run'", "''", "zork", "e")),
            ("mcp__github__x", []),
            *((one, ["I ()"]) for one in ("write_file", "WriteFile", "Write|Edit", "agent")),
            ("bash", ["W ('Bash',)"]),
            ("Run_Shell_Command", ["W ('run_shell_command',)"]),
        )
    ):
        said = _said(tmp_path / str(place), HOOK.format("PreToolUse", matcher, "echo"))
        assert said == expected, matcher
    assert _said(tmp_path / "other", HOOK.format("SessionStart", "bash", "echo")) == []


def test_events_and_matchers_are_completed(tmp_path: Path) -> None:
    for place, (hooks, expected) in enumerate(
        (
            ("  Pre$0\n", "PreToolUse"),
            ("  PreToolUse:\n    - matcher: $0\n", "run_shell_command"),
            ("  PreToolUse:\n    - hooks:\n        - ty$0\n", "type"),
        )
    ):
        made = fixture(tmp_path / str(place), f"{HEAD}hooks:\n{hooks}---\nDo what you are told.\n")
        labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
        assert expected in labels
