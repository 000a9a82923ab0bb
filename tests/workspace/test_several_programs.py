"""A file that several systems read has the word of each of their programs."""

import json
from pathlib import Path
from typing import cast

import pytest

from agent_lsp.analysis.agents_tree import in_file, systems
from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.status_report import report, text
from agent_lsp.dialects import SYSTEMS
from agent_lsp.options import Options
from agent_lsp.workspace.exports import named
from agent_lsp.workspace.placement import placements
from agent_lsp.workspace.snapshot import as_others_read, template_file
from tests import planted
from tests.cli.shell import shell_in
from tests.fixture import Fixture, fixture

PLUGIN = "//- .claude-plugin/plugin.json\n" + json.dumps({"name": "kit"}) + "\n"
GEMINI = "//- gemini-extension.json\n{}\n"
QWEN = "//- qwen-extension.json\n{}\n"
BODY = "---\nYou look around in the code and say what you have found.\n"
BARE = "---\nname: scout\ndescription: Looks around. Use it first.\n"
BESIDE: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}


def agent(more: str = "") -> str:
    return f"//- agents/scout.md\n{BARE}{more}{BODY}"


def programs(made: Fixture) -> list[str]:
    file = template_file(made.workspace, made.path)
    return [one.program for one in (file, *as_others_read(file))] if file is not None else []


def said(made: Fixture) -> list[str]:
    return [f"{one.code}: {one.message}" for one in diagnostics(made.workspace, made.path)]


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        (PLUGIN, ["Claude Code"]),
        (GEMINI, ["Gemini CLI"]),
        (PLUGIN + GEMINI, ["Claude Code", "Gemini CLI"]),
        (PLUGIN + GEMINI + QWEN, ["Claude Code", "Gemini CLI", "Qwen Code"]),
    ],
)
def test_the_programs_are_those_whose_manifest_is_there(
    manifests: str, expected: list[str], tmp_path: Path
) -> None:
    assert programs(fixture(tmp_path, agent() + manifests)) == expected


def test_a_program_that_does_not_look_into_the_folder_says_nothing(tmp_path: Path) -> None:
    deep = agent("color: red\n").replace("agents/", "agents/code/")
    made = fixture(tmp_path / "deep", deep + PLUGIN + GEMINI)
    assert programs(made) == ["Claude Code"]

    unnamed = agent("tools: [read_file]\n")
    only = PLUGIN.replace('"kit"', '"kit", "agents": ["./agents/other.md"]')
    made = fixture(tmp_path / "unnamed", unnamed + only + GEMINI)
    assert [one.system.id for one in placements(made.workspace, made.path)][-1] == "gemini"


def test_a_folder_that_a_setting_claims_belongs_to_one_system(tmp_path: Path) -> None:
    claimed = tmp_path / "workspace" / "agents"
    options = Options(folders={claimed: "claude"})
    made = fixture(tmp_path, agent("color: red\n") + PLUGIN + GEMINI, options=options)
    assert programs(made) == ["Claude Code"]
    assert said(made) == []


def test_a_finding_of_one_program_names_it(tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, agent("color: red\n") + PLUGIN + GEMINI))
    assert found.startswith("unknown-key: for Gemini CLI: unknown key `color`")


def test_a_finding_of_every_program_is_shown_once(tmp_path: Path) -> None:
    hidden = agent().replace("Looks", "Looks\u200b")
    found = said(fixture(tmp_path, hidden + PLUGIN + GEMINI))
    assert len(found) == 1
    assert "for " not in found[0].partition("`")[0]


def test_a_fix_for_one_program_is_unsafe_if_it_changes_the_agent_of_another(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, agent("color: red\n") + PLUGIN + GEMINI)
    [fix] = [one for one in fixes(made.workspace, made.path) if one.edits]
    assert fix.title == (
        "Remove `color` (unsafe: loads the file; for Claude Code: changes `color`)"
    )
    assert repaired(made.workspace, made.path) == made.text

    alone = fixture(tmp_path / "alone", agent("color: red\n") + GEMINI)
    assert "color" not in (repaired(alone.workspace, alone.path, unsafe=True) or "color")


def test_a_fix_that_another_program_does_not_see_is_safe(tmp_path: Path) -> None:
    quoted = agent("max_turns: '5'\n")
    made = fixture(tmp_path, quoted + GEMINI + QWEN)
    titles = [(one.safe, one.title) for one in fixes(made.workspace, made.path) if one.edits]
    assert titles == [(True, "Write `5`")]


def test_the_first_program_answers_completion(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("$0\n") + PLUGIN + GEMINI)
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert "disallowedTools" in labels
    assert "max_turns" not in labels


def test_hover_on_the_first_line_says_what_each_program_makes_of_the_file(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, agent("tools: Read, Grep\n") + PLUGIN + GEMINI)
    found = hover(made.workspace, made.path, 0)
    first, lines, *_ = found.markdown.split("\n\n") if found is not None else ("", "")
    assert first == "**Read by Claude Code and Gemini CLI**"
    assert [line.partition(":")[0] for line in lines.splitlines()] == [
        "- Claude Code",
        "- Gemini CLI",
    ]
    assert "loads it as `kit:scout`, with `Read`, `Grep`" in lines
    assert "refuses the file" in lines


def test_one_line_is_enough_where_all_programs_agree(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent() + PLUGIN + GEMINI)
    [detail] = in_file(made.workspace, made.path)
    [line] = cast("list[str]", detail["programs"])
    assert line.startswith("Claude Code and Gemini CLI: each loads it as `kit:scout` and `scout`, ")
    assert line.endswith("with every tool of the session")


def test_a_file_of_one_program_has_no_such_line(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent() + PLUGIN)
    [detail] = in_file(made.workspace, made.path)
    assert detail["programs"] == []
    assert report(made.workspace, BESIDE)["several_programs"] == []


def test_status_counts_the_files_on_which_all_agree_and_shows_the_others(tmp_path: Path) -> None:
    other = agent("color: red\n").replace("scout", "painter")
    made = fixture(tmp_path, agent() + other + PLUGIN + GEMINI)
    lines = [line.strip() for line in text(report(made.workspace, BESIDE))]
    at = lines.index("read by several programs")
    assert lines[at + 1] == str(made.root / "agents/painter.md")
    assert lines[at + 2].startswith("Claude Code: loads it as `kit:painter`")
    assert lines[at + 3].startswith("Gemini CLI: refuses the file: ")
    assert lines[at + 4] == "1 file alike in Claude Code and Gemini CLI"


def test_the_agents_view_has_the_agent_of_each_program(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("color: red\n") + PLUGIN + GEMINI)
    rows = {
        str(system["dialect"]): [
            (row["name"], bool(row["not_loaded"]))
            for session in system["sessions"]  # type: ignore[attr-defined]
            for row in session["agents"]
            if not row["scope"]["builtin"]
        ]
        for system in systems(made.workspace, lambda _: ())
    }
    assert rows == {"claude": [("kit:scout", False)], "gemini": [("scout", True)]}


def test_others_depend_on_the_names_in_every_program(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent() + PLUGIN + GEMINI)
    assert named(made.workspace, made.path) == {("claude", "kit:scout"), ("gemini", "scout")}


def test_a_program_of_a_system_is_named_as_a_program_of_another_one_is(tmp_path: Path) -> None:
    header = "---\ndescription: x\nhooks: []\n---\nYou scout.\n"
    source = f"//- .planted/agents/scout.md\n{header}"
    made = fixture(tmp_path, source, systems=(*SYSTEMS, *planted.SYSTEMS))
    assert programs(made) == ["the terminal", "the window"]
    found = hover(made.workspace, made.path, 0)
    assert found is not None
    assert (
        "the window: loads it as `scout`, with every tool of the session; it ignores `hooks`"
        in (found.markdown)
    )


def test_list_and_preview_answer_for_each_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shell_in(tmp_path, monkeypatch, capsys)
    shell.write(".claude-plugin/plugin.json", '{"name": "kit"}')
    shell.write("gemini-extension.json", "{}")
    shell.write("agents/scout.md", f"{BARE}{BODY}")
    listed = shell.run("list", "--dialect", "gemini").out
    assert "also read by Claude Code: loads it as `kit:scout`" in listed
    for dialect, name in (("claude", "kit:scout"), ("gemini", "scout")):
        shown = shell.run("preview", "--dialect", dialect, "agents/scout.md").out
        assert shown.startswith(name)
        assert "read by Claude Code and Gemini CLI: each loads it as" in shown


@pytest.mark.parametrize(
    ("manifests", "said"),
    [
        (PLUGIN + GEMINI, "**Gemini CLI refuses the file because of it**, and reads this file"),
        (PLUGIN + QWEN, "**No effect in Qwen Code**, which reads this file, too"),
    ],
)
def test_hover_on_a_key_says_which_program_does_not_know_it(
    manifests: str, said: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, agent("memory: user\n") + manifests)
    found = hover(made.workspace, made.path, made.text.index("memory") + 1)
    assert found is not None
    assert said in found.markdown


@pytest.mark.parametrize(
    ("programs_", "expected"),
    [
        ((), ["unknown-key: for Gemini CLI"]),
        (("claude",), []),
        (("claude", "gemini"), ["unknown-key: for Gemini CLI"]),
        (("gemini",), ["unknown-key: unknown key `color`"]),
        (("qwen",), []),
    ],
)
def test_the_setting_for_says_which_programs_count(
    programs_: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    options = Options(programs=frozenset(programs_))
    made = fixture(tmp_path, agent("color: red\n") + PLUGIN + GEMINI, options=options)
    found = said(made)
    assert [one[: len(start)] for one, start in zip(found, expected, strict=True)] == expected


def test_a_file_for_another_system_has_its_programs_in_the_view(tmp_path: Path) -> None:
    text = f"//- .codex/agents/scout.md\n{BARE}tools: [Read]\n{BODY}"
    made = fixture(tmp_path / "both", f"{text}//- .cursorrules\nBe brief.\n")
    [detail] = in_file(made.workspace, made.path)
    assert [line.split(":")[0] for line in cast("list[str]", detail["programs"])] == [
        "Codex (fork tomascupr/codex)",
        "Cursor",
    ]
    alone = fixture(tmp_path / "alone", text)
    assert in_file(alone.workspace, alone.path) == []


@pytest.mark.parametrize(
    ("programs_", "expected"),
    [((), 1), (("copilot",), 1), (("copilot-cli",), 1), (("copilot-vscode",), 0), (("claude",), 0)],
)
def test_the_setting_for_can_name_one_of_several_programs_of_a_system(
    programs_: tuple[str, ...], expected: int, tmp_path: Path
) -> None:
    text = f"//- .github/agents/scout.agent.md\n{BARE}mcp-servers: []\n{BODY}"
    made = fixture(tmp_path, text, options=Options(programs=frozenset(programs_)))
    assert len([one for one in said(made) if "wrong-type" in one]) == expected


def test_status_names_the_programs_that_do_not_count(tmp_path: Path) -> None:
    alone = f"//- .claude/agents/scout.md\n{BARE}{BODY}"
    made = fixture(tmp_path / "default", alone)
    said_ = "Cursor also reads 1 file, but is skipped: nothing else in this project uses it"
    assert said_ in [line.strip() for line in text_of(made)]

    options = Options(programs=frozenset({"cursor"}))
    made = fixture(tmp_path / "named", alone, options=options)
    lines = [line.strip() for line in text_of(made)]
    assert (
        "Claude Code also reads 1 file, but is skipped: the setting `for` does not list it" in lines
    )


def test_status_counts_the_own_files_of_a_program_that_does_not_count(tmp_path: Path) -> None:
    both = f"//- .claude/agents/scout.md\n{BARE}{BODY}//- .cursor/agents/own.md\n{BARE}{BODY}"
    made = fixture(tmp_path, both, options=Options(programs=frozenset({"claude"})))
    said_ = "Cursor also reads 2 files, but is skipped: the setting `for` does not list it"
    assert said_ in [line.strip() for line in text_of(made)]


def test_status_names_the_program_of_a_system_that_does_not_count(tmp_path: Path) -> None:
    source = f"//- .github/agents/scout.agent.md\n{BARE}{BODY}"
    options = Options(programs=frozenset({"copilot-cli"}))
    lines = [line.strip() for line in text_of(fixture(tmp_path, source, options=options))]
    assert "VS Code also reads 1 file, but is skipped: the setting `for` does not list it" in lines


def text_of(made: Fixture) -> list[str]:
    return list(text(report(made.workspace, BESIDE)))
