"""The agents that an agent of Claude Code names, and what a hover says of it and its keys."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.status_report import report, text
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture

HELPER = "//- .claude/agents/h.md\n---\nname: helper\ndescription: d\n---\nx\n"
TWO_WORDS = "//- .claude/agents/t.md\n---\nname: Two Words\ndescription: d\n---\nx\n"
PLUGIN = '//- .claude-plugin/plugin.json\n{"name": "kit"}\n'


def header(lines: str) -> str:
    return f"//- .claude/agents/a.md\n---\nname: a\ndescription: d\n{lines}\n---\nYou help.\n"


def told(made: Fixture) -> list[str]:
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


def shown(made: Fixture) -> str:
    found = hover(made.workspace, made.path, made.offset)
    assert found is not None
    return found.markdown


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("helper, Explore, general-purpose, fork, kit:any", []),
        ("Helper", ["warning[unknown-agent] Helper"]),
        ("explore", ["warning[unknown-agent] explore"]),
        ("Two Words", []),
        ("two-words, helper", ["warning[unknown-agent] two-words"]),
        ("helpr", ["warning[unknown-agent] helpr"]),
        ("nobody", ["information[unknown-agent] nobody"]),
    ],
)
def test_a_name_that_no_agent_has_is_told(tmp_path: Path, names: str, expected: list[str]) -> None:
    source = header(f"tools: Agent({names}), Read") + HELPER + TWO_WORDS
    assert told(fixture(tmp_path, source)) == expected


def test_a_denied_use_is_told_where_a_colon_of_the_header_is_put_right(tmp_path: Path) -> None:
    source = "---\nname: a\ndescription: do: it\ndisallowedTools: Bash(rm *)\n---\nx\n"
    assert "warning[whole-tool] Bash(rm *)" in told(
        fixture(tmp_path, f"//- .claude/agents/a.md\n{source}")
    )


def test_a_hover_says_of_a_key_that_a_plugin_has_no_use_for_it(tmp_path: Path) -> None:
    source = "//- agents/p.md\n---\nname: p\ndescription: d\npermission$0Mode: plan\n---\nx\n"
    assert "**No effect here**: the runtime ignores" in shown(fixture(tmp_path, source + PLUGIN))
    assert "No effect" not in shown(fixture(tmp_path / "2", header("permission$0Mode: plan")))


def test_a_hover_says_which_sessions_have_an_agent_of_a_plugin(tmp_path: Path) -> None:
    source = "//- agents/sub/p.md\n-$0--\nname: p\ndescription: d\n---\nx\n"
    said = shown(fixture(tmp_path, source + PLUGIN))

    assert "**This file is `kit:sub:p`**" in said
    assert "found by sessions in which the plugin is enabled" in said
    assert ".claude/agents" not in said


@pytest.mark.parametrize(
    ("lines", "label", "expected"),
    [
        ("hoo$0", "hooks", "hooks:\n  "),
        ("hooks:\n  Pre$0", "PreToolUse", "hooks:\n  PreToolUse:\n    - hooks: "),
        ("hooks:\n  Stop:\n    - hooks:\n        - ty$0", "type", "        - type: "),
        ("hooks:\n  Stop:\n    - hooks:\n        - type: co$0", "command", "- type: command"),
        ("experimental:\n  cacheTtl: $0", "1h", "cacheTtl: 1h"),
        ("background: $0", "true", "background: true"),
        ("tools: Agent($0)", "Explore", "tools: Agent(Explore)"),
    ],
)
def test_completion_knows_what_is_inside_a_key(
    tmp_path: Path, lines: str, label: str, expected: str
) -> None:
    made = fixture(tmp_path, header(lines))
    found = complete(made.workspace, made.path, made.offset)
    item = next(item for item in found if item.label == label)
    assert expected in apply(made.text, [item.edit])


def test_the_status_counts_the_files_of_all_folders(tmp_path: Path) -> None:
    below = "//- .claude/agents/deep/b.md\n---\nname: b\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, header("") + below)
    lines = list(text(report(made.workspace, {"versions": {}, "settings": [], "timings": {}})))

    folder = made.root / ".claude/agents"
    assert lines[lines.index(f"  project: 2 files in {folder}") + 1 :][:2] == ["    a", "    b"]
