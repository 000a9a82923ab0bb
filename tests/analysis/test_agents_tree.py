"""Everybody in a workspace: who counts, who is shadowed, who is not loaded, and with what fault."""

import os
from pathlib import Path

import pytest

from agent_lsp.analysis.agents_tree import (
    Member,
    MemberProblem,
    SessionAgents,
    agents_tree,
    systems,
)
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.preview import call_arguments
from agent_lsp.data_classes import replace
from agent_lsp.model.schema import Severity
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files
from tests.fixture import Fixture, fixture

GOOD = "---\ndescription: Reviews.\n---\nReview.\n"


def found(made: Fixture, *dialects: str) -> tuple[SessionAgents, ...]:
    """The sessions of some systems, else of codex-templates, with the findings of each file."""
    wanted = dialects or ("codex-templates",)

    def problems(path: Path) -> tuple[MemberProblem, ...]:
        file = made.workspace.files.read(path)
        index = LineIndex(file.text if file else "")
        said = diagnostics(made.workspace, path)
        return tuple(MemberProblem(one.severity, index.line_of(one.span.start)) for one in said)

    return tuple(one for one in agents_tree(made.workspace, problems) if one.dialect.id in wanted)


def own(session: SessionAgents) -> list[Member]:
    """The agents of a session without those that come with the runtime."""
    return [one for one in session.members if not one.scope.builtin]


def test_a_definition_says_what_it_takes_the_place_of_and_what_takes_its_own(
    tmp_path: Path,
) -> None:
    made = fixture(
        tmp_path,
        f"""
        //- .codex/.agents/reviewer.md
        {GOOD}//- ~/.codex/.agents/reviewer.md
        {GOOD}//- ~/.codex/.agents/worker.md
        {GOOD}""".replace("        ", ""),
    )
    [session] = found(made)
    project, user, worker = own(session)

    assert [one.scope.kind for one in (project, user, worker)] == ["project", "user", "user"]
    assert (project.winner, project.hides and project.hides.path) == (None, user.path)
    assert user.winner is not None
    assert (user.winner.path, user.hides) == (project.path, None)
    assert worker.hides is not None
    assert worker.hides.scope.builtin
    [shipped] = [one for one in session.members if one.name == "worker" and one.scope.builtin]
    assert shipped.winner is not None
    assert shipped.winner.path == worker.path


def test_a_deeper_session_has_only_what_the_others_do_not_find(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        f"//- .codex/.agents/reviewer.md\n{GOOD}//- sub/.codex/.agents/reviewer.md\n{GOOD}"
        f"//- sub/.codex/.agents/other.md\n{GOOD}",
    )
    top, deeper = found(made)

    assert (top.root, top.is_deeper) == (made.root, False)
    assert (deeper.root, deeper.is_deeper) == (made.root / "sub", True)
    assert [one.path for one in own(top)] == [made.path]
    assert [one.name for one in deeper.members] == ["other", "reviewer"]
    assert [one.hides and one.hides.path for one in deeper.members] == [None, made.path]


def test_systems_of_the_workspace_come_before_those_of_the_user(tmp_path: Path) -> None:
    claude = "---\nname: a\ndescription: Reviews.\n---\nReview.\n"
    files = {".codex/agents/b.md": GOOD, ".claude/agents/a.md": claude}
    text = "".join(f"//- {name}\n{text}" for name, text in files.items())
    made = fixture(tmp_path, f"{text}//- ~/.codex/.agents/reviewer.md\n{GOOD}")
    # Of those in the workspace, the one comes first that is written more widely.
    expected = ["claude", "codex-subagents", "codex-templates"]
    order = [one["dialect"] for one in systems(made.workspace, lambda _: ())]
    assert order == expected
    # And so in the graph.
    present = call_arguments.present(made.workspace, made.root)
    shown = call_arguments.in_order(made.workspace, present, made.root)
    assert [one.id for one in shown] == expected


def test_a_workspace_without_agents_has_no_sessions(tmp_path: Path) -> None:
    """What comes with every runtime is nothing that anybody has made."""
    made = fixture(tmp_path, "//- README.md\n# Shop\n//- .codex/.agents/notes.txt\nNone yet.\n")

    assert found(made) == ()


def test_personas_stand_at_their_lines(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        "---\ndescription: A.\nagent_names:\n  - name: strict\n    description: B.\n---\nR.\n\n"
        "<!-- agent_name: strict -->\nBe strict.\n",
    )
    [session] = found(made)
    [agent] = own(session)

    assert agent.personas == (("strict", 4),)


def test_findings_are_counted_by_their_severity(tmp_path: Path) -> None:
    made = fixture(
        tmp_path, "---\ndescription: A.\nallow_list: [aply_patch]\nmodel: [a]\n---\nR.\n"
    )
    [session] = found(made)
    [agent] = own(session)
    said = [one.severity.name for one in diagnostics(made.workspace, made.path)]

    assert (agent.errors, agent.warnings) == (said.count("ERROR"), said.count("WARNING"))
    assert agent.errors + agent.warnings > 0


def test_a_file_that_the_runtime_skips_says_why(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        f"//- .codex/agents/good.md\n{GOOD}"
        "//- .codex/agents/bad.md\n---\ndescription: A.\ntools: shell\n---\nDo it.\n"
        "//- .codex/agents/README.md\n# The agents of this project\n",
    )
    [session] = found(made, "codex-subagents")

    assert [(one.name, bool(one.why)) for one in session.members] == [
        ("bad", True),
        ("good", False),
    ]
    assert "expected a sequence" in session.members[0].why


def test_a_file_that_cannot_define_an_agent_is_told_too(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .codex/.agents/Code Review.md\n{GOOD}")
    [session] = found(made)
    [agent] = own(session)

    assert (agent.name, agent.why) == ("Code Review", "the runtime finds no agent in it")
    assert agent.errors + agent.warnings > 0


def test_one_file_for_which_no_agent_loads_is_told_of_its_session(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        f"//- .kodacode/agents/good.md\n{GOOD}//- .kodacode/agents/bad.md\n---\nmode: [\n---\nA.\n",
    )
    [session] = found(made, "kodacode")

    assert session.failure is not None
    assert session.failure.candidate.path.name == "bad.md"


def test_agents_of_one_file_have_their_own_places_and_findings(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        '//- moltis.toml\n[agents.presets.first]\ntools.allow = ["read_file"]\n\n'
        '[agents.presets.second]\nmodel = 3\n\n[agents.presets.third]\nmodel = "a"\n',
    )
    [session] = found(made, "moltis")
    by_name = {one.name: one for one in session.members}

    assert {name: one.line for name, one in by_name.items()} == {
        "first": 1,
        "second": 4,
        "third": 7,
    }
    assert not any(one.is_alone for one in by_name.values())
    assert by_name["second"].errors + by_name["second"].warnings > 0
    assert by_name["first"].errors + by_name["third"].errors == 0


PERSONAS = "---\ndescription: Reviews.\nagent_names:\n  - name: quick\n---\nReview.\n"
UNREADABLE = "\udcff"
KODACODE = "---\ndescription: Plans.\nmode: subagent\n---\nPlan.\n"


CHANGES = (
    (".codex/.agents/reviewer.md", PERSONAS),
    (".codex/.agents/reviewer.md", "---\ndescription: [\n---\nReview.\n"),
    (".codex/.agents/reviewer.md", None),
    (".codex/.agents/fourth.md", GOOD),
    (".codex/.agents/other.md", None),
    (".codex/.agents/reviewer.md", UNREADABLE),
    ("sub/.codex/.agents/reviewer.md", None),
    ("sub/.codex/.agents/other.md", "\n\n"),
    ("../home/.codex/.agents/reviewer.md", PERSONAS),
    ("../home/.codex/.agents/third.md", GOOD),
    (".kodacode/agents/planner.md", "---\nmode: [\n---\nPlan.\n"),
    (".kodacode/agents/planner.md", None),
)


@pytest.mark.parametrize(
    ("path", "text", "is_typed"),
    [
        *((path, text, False) for path, text in CHANGES),
        # What nobody can type, an editor does not hold.
        *((path, text, True) for path, text in CHANGES if text not in (None, UNREADABLE)),
    ],
)
def test_after_any_change_it_is_as_if_it_were_asked_for_the_first_time(
    tmp_path: Path, path: str, text: str | None, *, is_typed: bool
) -> None:
    made = fixture(
        tmp_path,
        f"//- .codex/.agents/reviewer.md\n{GOOD}//- sub/.codex/.agents/reviewer.md\n{GOOD}"
        f"//- sub/.codex/.agents/other.md\n{GOOD}//- .codex/.agents/other.md\n{GOOD}"
        f"//- ~/.codex/.agents/other.md\n{GOOD}//- .kodacode/agents/planner.md\n{KODACODE}",
    )
    before = found(made, "codex-templates", "kodacode")
    changed = Path(os.path.normpath(made.root / path))
    if text is None:
        changed.unlink()
    else:
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_bytes(text.encode("utf-8", "surrogateescape"))
    if is_typed and text is not None:
        made.workspace.files.open(changed, text)
    else:
        made.workspace.files.changed(changed)

    now = found(made, "codex-templates", "kodacode")
    fresh = replace(made, workspace=replace(made.workspace, files=Files()))
    assert now == found(fresh, "codex-templates", "kodacode")
    assert now != before


def test_what_lies_where_nobody_looks_for_changes_is_looked_at_again(tmp_path: Path) -> None:
    made = fixture(
        tmp_path, f"//- .codex/.agents/worker.md\n{GOOD}//- ~/.codex/.agents/worker.md\n{GOOD}"
    )
    mine = tmp_path / "home/.codex/.agents/worker.md"
    [before] = found(made)
    mine.write_bytes(b"\xff")
    made.workspace.files.refresh()
    [now] = found(made)
    assert [one.hides and one.hides.path == mine for one in own(before)] == [True, None]
    assert [one.hides and one.hides.path == mine for one in own(now)] == [False, None]


def test_what_is_said_of_a_file_counts_at_once(tmp_path: Path) -> None:
    made = fixture(tmp_path, GOOD)
    said: list[MemberProblem] = []
    [before] = agents_tree(made.workspace, lambda _: tuple(said))
    said.append(MemberProblem(Severity.WARNING, 1))
    [now] = agents_tree(made.workspace, lambda _: tuple(said))
    assert [one.warnings for one in own(before)] == [0]
    assert [one.warnings for one in own(now)] == [1]


def test_who_asks_again_does_not_have_all_files_read_again(tmp_path: Path) -> None:
    many = "".join(f"//- .codex/.agents/agent-{at}.md\n{PERSONAS}" for at in range(400))
    made = fixture(tmp_path, many)
    [before] = agents_tree(made.workspace, lambda _: ())
    # Nobody has said that they are gone.
    for path in (made.root / ".codex/.agents").iterdir():
        path.unlink()
    [now] = agents_tree(made.workspace, lambda _: ())
    assert own(now) == own(before)
    assert len(own(now)) == 400
