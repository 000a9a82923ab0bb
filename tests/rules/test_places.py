"""Whether the runtime sees a file by its name and place, and which file it uses."""

import pytest

from tests.rules.conftest import Check

TEXT = "---\ndescription: Reviews a change.\n---\nYou review changes.\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("code review.md", "may not contain a blank; call it `code-review.md`"),
        ("reviewer.v2.md", "may not contain `.`; call it `reviewer-v2.md`"),
        ("Prüfer.md", "may not contain `ü`; call it `prufer.md`"),
        ("a+b & c.md", "may not contain `+`, `&` or a blank; call it `a-b-c.md`"),
        ("审查.md", "may not contain `审` or `查`"),
        (".hidden.md", "may not contain `.`; call it `hidden.md`"),
    ],
)
def test_a_name_that_the_runtime_passes_over_is_the_only_finding(
    check: Check, name: str, words: str
) -> None:
    for text in (TEXT, "", "---\nmodle: [\n"):
        [said] = check(f"//- .codex/.agents/{name}\n{text}")
        assert (said.code, said.severity) == ("file-name", "error")
        assert said.message.startswith(f"the runtime passes over `{name}`: the name of an agent")
        assert said.message.endswith(words)


@pytest.mark.parametrize("name", ["reviewer.md", "Reviewer.MD", " a .md", "a-b_c.md", "1.md"])
def test_a_name_that_the_runtime_takes_is_not_reported(check: Check, name: str) -> None:
    assert check(f"//- .codex/.agents/{name}\n{TEXT}") == []


def test_a_file_that_nobody_can_read_is_not_judged_by_its_text(check: Check) -> None:
    said = check("//- .codex/.agents/reviewer.md\n\ud800")
    assert [found.code for found in said] == ["unreadable"]


def test_of_two_files_in_a_folder_the_second_is_not_used(check: Check) -> None:
    source = f"//- .codex/.agents/Worker.md\n{TEXT}//- .codex/.agents/worker.md\n$0{TEXT}"
    [said] = check(source)
    assert (said.code, said.at, said.severity) == ("shadowed", "---", "information")
    assert said.message == "not used: `Worker.md` beside it defines `worker`, too, and comes first"
    assert said.diagnostic.related[0].path.name == "Worker.md"
    assert check(source.replace("Worker", "other")) == []


def test_a_nearer_file_is_used_by_sessions_further_down(check: Check) -> None:
    above = f"//- .codex/.agents/reviewer.md\n{TEXT}"
    below = "//- services/{}/.codex/.agents/reviewer.md\n" + TEXT
    [said] = check(above + below.format("billing"))
    assert said.message == (
        "not used in sessions started in `services/billing` or below: "
        "a nearer file defines `reviewer`, too"
    )
    [said] = check(above + below.format("a") + below.format("b"))
    assert "started in `services/a` or `services/b` or below: nearer files define" in said.message
    assert len(said.diagnostic.related) == 2
    assert check(above.replace("reviewer", "other") + below.format("billing")) == []


def test_the_nearer_file_itself_is_not_reported(check: Check) -> None:
    above = f"//- .codex/.agents/reviewer.md\n{TEXT}"
    assert check(f"{above}//- a/.codex/.agents/reviewer.md\n$0{TEXT}") == []


def test_a_file_of_the_user_is_not_used_where_the_project_has_one(check: Check) -> None:
    source = f"//- .codex/.agents/reviewer.md\n{TEXT}//- ~/.codex/.agents/Reviewer.md\n$0{TEXT}"
    [said] = check(source)
    assert said.code == "shadowed"
    assert said.message == (
        "not used in sessions started in `workspace`: `.codex/.agents/reviewer.md` defines "
        "`reviewer`, too, and comes first"
    )


def test_a_user_or_project_file_may_have_the_name_of_a_built_in_agent(check: Check) -> None:
    assert check(f"//- .codex/.agents/worker.md\n{TEXT}") == []
    assert check(f"//- ~/.codex/.agents/worker.md\n{TEXT}") == []


def test_a_shadowed_file_is_checked_like_all_others(check: Check) -> None:
    said = check(
        f"//- .codex/.agents/Worker.md\n{TEXT}//- .codex/.agents/worker.md\n$0You review.\n"
    )
    assert [(one.code, one.at) for one in said] == [
        ("header-missing", "You review."),
        ("shadowed", "You review."),
    ]
