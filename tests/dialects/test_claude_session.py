"""What an agent is as the session itself: `claude --agent`, previewed with `as: session`.

What is expected was measured with Claude Code 2.1.332, 2026-11-28, with `-p --agent`.
"""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.workspace.catalogs import catalog
from tests.dialects.test_claude import NAMES, header, said
from tests.fixture import fixture


def session(
    folder: Path, source: str, name: str = "a", **arguments: object
) -> Spawn | RuntimeRefusal:
    """What `claude --agent` makes of the agent `name`."""
    made = fixture(folder, source)
    found = catalog(made.workspace, DIALECT, made.root)
    call = Call({"subagent_type": name, "as": "session", **arguments}, Parent("opus"), NAMES)
    return DIALECT.calls.spawn(found, call)


def spawned(folder: Path, source: str, **arguments: object) -> Spawn:
    """The same for one that there is."""
    made = session(folder, source, "a", **arguments)
    assert isinstance(made, Spawn)
    return made


def kept(made: Spawn) -> set[str]:
    """The tools that a session has."""
    return {verdict.tool for verdict in made.toolset.kept}


@pytest.mark.parametrize(
    ("lines", "tools"),
    [
        ("tools: AskUserQuestion, Read", {"AskUserQuestion", "Read"}),
        (
            "tools: Workflow, EnterPlanMode, ExitPlanMode",
            {"Workflow", "EnterPlanMode", "ExitPlanMode"},
        ),
        ("tools: Agent(b, Explore), Read", {"Agent", "Read"}),
        ("tools: Task(b)", {"Agent"}),
        ("tools: Bash(git:*), Read", {"Bash", "Read"}),
        ("tools: Nonsense", set()),
        ("tools: []", set()),
        ("tools: Read\nmemory: project", {"Read", "Edit", "Write"}),
        ("", set(NAMES)),
        ("disallowedTools: Bash(rm:*)", set(NAMES) - {"Bash", "Monitor"}),
        ("disallowedTools: Agent(b)", set(NAMES) - {"Agent"}),
        ('disallowedTools: "*"', set(NAMES)),
        ("permissionMode: plan", set(NAMES)),
    ],
)
def test_a_session_has_the_tools_that_the_header_leaves_it(
    lines: str, tools: set[str], tmp_path: Path
) -> None:
    assert kept(spawned(tmp_path, header(lines))) == tools


def test_the_body_is_the_system_prompt_and_the_first_message_comes_before_the_person_s(
    tmp_path: Path,
) -> None:
    made = spawned(tmp_path, header("initialPrompt: Start now."), prompt="hello")
    parts = [(part.title, part.text) for part in made.prompt if part.verbatim]

    assert parts == [
        ("system prompt", "You help."),
        ("first message", "Start now."),
        ("prompt", "hello"),
    ]
    assert made.depth == 0


@pytest.mark.parametrize(
    ("lines", "option", "model"),
    [
        ("model: haiku", None, "haiku"),
        ("model: haiku", "sonnet", "sonnet"),
        ("model: inherit", None, "opus"),
        ("", None, "opus"),
    ],
)
def test_the_model_is_that_of_the_option_then_of_the_header(
    lines: str, option: str | None, model: str, tmp_path: Path
) -> None:
    arguments = {"model": option} if option else {}
    made = spawned(tmp_path, header(lines), **arguments)

    assert {one.name: one.value for one in made.settings}["model"] == model


def test_what_counts_for_sub_agents_only_decides_nothing(tmp_path: Path) -> None:
    made = spawned(
        tmp_path, header("permissionMode: plan\neffort: low\nskills: x\nisolation: worktree")
    )

    assert {one.name: one.value for one in made.settings} == {
        "model": "opus",
        "permissionMode": None,
        "effort": None,
    }
    assert "in a session, the header's `skills`, `isolation` have no effect" in made.notes
    assert not any("skill" in part.title for part in made.prompt)


def test_the_agents_in_parentheses_are_those_that_it_has(tmp_path: Path) -> None:
    notes = spawned(tmp_path, header("tools: Agent(b, Explore), Read")).notes

    assert "the session has only the agents in `Agent(…)`: b, Explore" in notes


def test_a_name_is_taken_exactly(tmp_path: Path) -> None:
    refused = session(tmp_path, header(""), name="A")

    assert isinstance(refused, RuntimeRefusal)
    assert refused.message.startswith("--agent 'A' not found. Available agents: ")


def test_another_way_is_refused_in_our_words(tmp_path: Path) -> None:
    made = fixture(tmp_path, header(""))
    found = catalog(made.workspace, DIALECT, made.root)
    refused = DIALECT.calls.spawn(found, Call({"subagent_type": "a", "as": "x"}))

    assert isinstance(refused, RuntimeRefusal)
    assert refused.ours


def test_an_agent_of_a_plugin_has_no_first_message(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\ninitialPrompt: Go!\n---\nYou help.\n"
    source = f'//- kit/agents/a.md\n{text}//- kit/.claude-plugin/plugin.json\n{{"name": "kit"}}\n'
    made = fixture(tmp_path, source)
    found = catalog(made.workspace, DIALECT, made.root / "kit")
    made_ = DIALECT.calls.spawn(
        found, Call({"subagent_type": "kit:a", "as": "session"}, tools=NAMES)
    )

    assert isinstance(made_, Spawn)
    assert "first message" not in {part.title for part in made_.prompt}


def test_a_header_with_a_first_message_is_written_for_a_session(tmp_path: Path) -> None:
    lines = "tools: AskUserQuestion, Workflow"

    assert said(fixture(tmp_path / "sub-agent", header(lines))) == 2 * ["error[unavailable-tool]"]
    assert said(fixture(tmp_path / "session", header(f"{lines}\ninitialPrompt: Go."))) == []


def test_the_message_on_a_tool_of_sessions_says_where_it_counts(tmp_path: Path) -> None:
    made = fixture(tmp_path, header("tools: AskUserQuestion, Read"))
    (found,) = diagnostics(made.workspace, made.path)

    assert "only a session of `claude --agent`" in found.message


def test_a_name_with_blanks_is_quoted_as_a_person_types_it(tmp_path: Path) -> None:
    made = session(tmp_path, header("", name="Code Reviewer"), "Code Reviewer")

    assert isinstance(made, Spawn)
    assert "by `claude --agent 'Code Reviewer'`" in made.notes[0]
