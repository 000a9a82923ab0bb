"""Which agent of Claude Code a call means; measured with 2.1.332, 2026-11-28."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import Fixture, fixture

SESSION = ("Bash", "Edit", "Read", "Agent")


def agent(file: str, name: str, lines: str = "tools: Read") -> str:
    return f"//- .claude/agents/{file}.md\n---\nname: {name}\ndescription: d\n{lines}\n---\nGo.\n"


def called(made: Fixture, name: str, **env: str) -> Spawn | RuntimeRefusal:
    arguments = {"subagent_type": name, "prompt": "Go.", "env": env}
    parent = Parent(model="claude-opus-5-5", effort="low", tools=SESSION)
    return DIALECT.calls.spawn(catalog(made.workspace, DIALECT, made.root), Call(arguments, parent))


@pytest.mark.parametrize(
    "name", ["code-reviewer", "CodeReviewer", "code_reviewer", "CODE REVIEWER", " code  reviewer"]
)
def test_a_call_names_an_agent_without_case_and_separators(tmp_path: Path, name: str) -> None:
    answer = called(fixture(tmp_path, agent("a", "Code Reviewer")), name)

    assert isinstance(answer, Spawn)
    assert answer.name == "Code Reviewer"


@pytest.mark.parametrize("name", ["code.reviewer", "code/reviewer", "reviewer"])
def test_a_call_by_another_name_is_refused(tmp_path: Path, name: str) -> None:
    answer = called(fixture(tmp_path, agent("a", "Code Reviewer")), name)

    assert isinstance(answer, RuntimeRefusal)
    assert answer.message.startswith(f"Agent type '{name}' not found. Available agents: ")


def test_a_call_that_means_two_agents_is_refused(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("a", "a-b") + agent("b", "A B"))

    assert called(made, "ab") == RuntimeRefusal(
        "Agent type 'ab' is ambiguous — matches A B, a-b. Use the exact name: A B or a-b"
    )
    assert isinstance(called(made, "a-b"), Spawn)


@pytest.mark.parametrize(
    ("lines", "env", "effort"),
    [
        ("", {}, "low"),
        ("effort: HIGH", {}, "high"),
        ("effort: med", {}, "medium"),
        ("effort: 'max '", {}, "low"),
        ("effort: ' 5'", {}, None),
        ("effort: none", {}, "low"),
        ("effort: 50", {}, None),
        ("effort: high", {"CLAUDE_CODE_SUBAGENT_EFFORT": "max"}, "max"),
        ("model: haiku", {}, "medium"),
        ("model: gpt-5", {}, "high"),
        ("model: claude-opus-4-7", {}, "xhigh"),
        ("model: claude-opus-4-1", {}, "medium"),
        ("model: claude-opus-4-1[1m]", {}, "medium"),
        ("model: claude-sonnet-4-5\neffort: high", {}, None),
        ("model: claude-opus-4-5-20251101\neffort: low", {}, "low"),
    ],
)
def test_the_effort_is_the_header_s_or_that_of_the_model(
    tmp_path: Path, lines: str, env: dict[str, str], effort: str | None
) -> None:
    answer = called(fixture(tmp_path, agent("a", "a", lines)), "a", **env)

    assert isinstance(answer, Spawn)
    assert {one.name: one.value for one in answer.settings}["effort"] == effort


def test_a_spawn_into_a_worktree_says_on_what_it_depends(tmp_path: Path) -> None:
    answer = called(fixture(tmp_path, agent("a", "a", "isolation: worktree")), "a")

    assert isinstance(answer, Spawn)
    assert any("Cannot create agent worktree: not in a git" in note for note in answer.notes)


def test_an_old_id_is_moved_on(tmp_path: Path) -> None:
    answer = called(fixture(tmp_path, agent("a", "a", "model: claude-opus-4-1")), "a")

    assert isinstance(answer, Spawn)
    assert answer.settings[0].note == "the runtime asks for the newest model of `opus` instead"


def test_search_goes_with_the_shell_in_a_session_that_has_none_of_its_own(tmp_path: Path) -> None:
    def kept(folder: str, lines: str) -> list[str]:
        answer = called(fixture(tmp_path / folder, agent("a", "a", lines)), "a")
        assert isinstance(answer, Spawn)
        return [verdict.tool for verdict in answer.toolset.kept]

    assert kept("1", "tools: Read, Grep, Bash") == ["Bash", "Read"]
    assert kept("2", "tools: Read, Grep") == ["Read", "Grep"]
    assert kept("3", "tools: Grep, Bash\ndisallowedTools: Bash") == ["Grep"]
    assert kept("4", "disallowedTools: Bash") == ["Edit", "Read", "Agent"]


def test_hover_says_when_there_is_a_search_beside_the_shell(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("a", "a", "tools: Read, Grep, Bash"))
    found = hover(made.workspace, made.path, made.text.index("Grep") + 1)

    assert found is not None
    assert "**`Grep`: this agent has it where it exists**" in found.markdown
    assert "the runtime's build searches without `Bash`" in found.markdown


def test_what_is_no_utf_8_loads_and_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("a", "a"))
    data = "---\nname: a\ndescription: Café.\ntools: Read\n---\nGo.\n".encode("latin-1")
    made.path.write_bytes(data)

    assert isinstance(called(made, "a"), Spawn)
    [said] = diagnostics(made.workspace, made.path)
    assert (said.code, said.severity.name) == ("unreadable", "INFORMATION")
    assert "save the file as UTF-8" in said.message
    assert repaired(made.workspace, made.path) is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_an_agent_in_utf_16_is_lost(tmp_path: Path, encoding: str) -> None:
    made = fixture(tmp_path, agent("a", "a"))
    made.path.write_bytes("---\nname: a\ndescription: d\n---\nGo.\n".encode(encoding))

    assert isinstance(called(made, "a"), RuntimeRefusal)
    said, *_ = diagnostics(made.workspace, made.path)
    assert (said.code, said.severity.name) == ("unreadable", "ERROR")
    assert said.message.startswith("the file is UTF-16: save it as UTF-8, or ")
