"""Whether the runtime sees a file by its name and place, and which file it uses."""

import pytest

from tests.checks.conftest import Check

TEXT = "---\ndescription: Reviews a change.\n---\nYou review changes.\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("code review.md", "may not contain a space; call it `code-review.md`"),
        ("reviewer.v2.md", "may not contain `.`; call it `reviewer-v2.md`"),
        ("Prüfer.md", "may not contain `ü`; call it `prufer.md`"),
        ("a+b & c.md", "may not contain `+`, `&` or a space; call it `a-b-c.md`"),
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
        assert said.message.startswith(f"the runtime ignores `{name}`: the name of an agent")
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
    assert (said.code, said.at, said.severity) == ("shadowed", "---", "warning")
    assert said.message == (
        "never used: `Worker.md` in the same folder defines `worker`, too, and comes first"
    )
    assert said.diagnostic.related[0].path.name == "Worker.md"
    assert check(source.replace("Worker", "other")) == []


def test_a_file_that_no_session_uses_is_a_warning_wherever_the_used_one_is(check: Check) -> None:
    users = f"//- ~/.codex/.agents/Worker.md\n{TEXT}//- ~/.codex/.agents/worker.md\n$0{TEXT}"
    [said] = check(f"//- .codex/.agents/worker.md\n{TEXT}{users}")
    assert (said.code, said.severity) == ("shadowed", "warning")
    assert said.message.startswith("never used: `Worker.md` in the same folder")


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


def test_of_many_nearer_files_a_few_are_named_and_the_others_counted(check: Check) -> None:
    below = "//- s/{}/.codex/.agents/reviewer.md\n" + TEXT
    many = "".join(below.format(f"{at:03}") for at in range(100))
    [said] = check(f"//- .codex/.agents/reviewer.md\n{TEXT}{many}")
    assert "started in `s/000`, `s/001`, `s/002` and 97 more or below" in said.message
    assert len(said.diagnostic.related) == 10


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


def test_a_template_for_the_agent_without_one_is_never_spawned(check: Check) -> None:
    [said] = check(f"//- .codex/.agents/Default.md\n{TEXT}")
    assert (said.code, said.at, said.severity) == ("never-spawned", "---", "warning")
    assert said.message.startswith("`spawn_agent` never uses this file, because `default` is")
    assert check(f"//- .codex/.agents/defaults.md\n{TEXT}") == []


def test_what_makes_a_listing_fail_is_reported_of_a_file_that_is_never_spawned(
    check: Check,
) -> None:
    said = check("//- .codex/.agents/default.md\nYou review.\n")
    assert [one.code for one in said] == ["header-missing", "never-spawned"]


def test_a_file_that_cannot_be_read_is_not_said_to_be_listed(check: Check) -> None:
    assert [one.code for one in check("//- .codex/.agents/default.md\n\ud800")] == ["unreadable"]


# Names that a call cannot tell apart.


def test_two_agents_that_a_third_spelling_can_mean_are_one_finding(check: Check) -> None:
    one, other = ".codex/.agents/a-b_c.md", ".codex/.agents/a_b-c.md"
    [said] = check(f"//- {one}\n$0{TEXT}//- {other}\n{TEXT}")
    assert (said.code, said.at, said.severity) == ("ambiguous-name", "---", "information")
    assert said.message == (
        "a call for `a-b-c` fails with `ambiguous agent_type`: it can mean `a-b_c` and `a_b-c`"
    )
    assert [link.path.name for link in said.diagnostic.related] == ["a_b-c.md"]
    assert check(f"//- {one}\n{TEXT}//- {other}\n$0{TEXT}") == []


def test_the_spelling_that_fails_is_one_that_no_agent_has(check: Check) -> None:
    [said] = check(f"//- .codex/.agents/a-b-c.md\n{TEXT}//- .codex/.agents/a_b_c.md\n{TEXT}")
    assert said.message.startswith("a call for `a-b_c` fails")


def test_the_nearest_of_two_agents_in_different_scopes_is_reported(check: Check) -> None:
    near, far = f"//- .codex/.agents/a_b-c.md\n{TEXT}", f"//- ~/.codex/.agents/a-b_c.md\n{TEXT}"
    assert [one.code for one in check(near + far)] == ["ambiguous-name"]
    assert check(far + near) == []


@pytest.mark.parametrize(
    "names",
    [("a-b", "a_b"), ("a-b_c", "a_b"), ("a-b-c",), ("abc", "ab-c"), ("a-b-c", "a-b-d")],
)
def test_names_that_no_call_confuses_are_not_reported(check: Check, names: tuple[str, ...]) -> None:
    assert check("".join(f"//- .codex/.agents/{name}.md\n{TEXT}" for name in names)) == []


def test_names_with_all_their_spellings_taken_are_not_ambiguous(check: Check) -> None:
    spelt = ("a-b-c", "a-b_c", "a_b-c", "a_b_c")
    assert check("".join(f"//- .codex/.agents/{name}.md\n{TEXT}" for name in spelt)) == []


def test_a_file_that_cannot_be_read_confuses_nobody(check: Check) -> None:
    assert check(f"//- .codex/.agents/a-b_c.md\n{TEXT}//- .codex/.agents/a_b-c.md\n\ud800") == []


def test_a_name_of_many_words_is_looked_at_in_no_time(check: Check) -> None:
    assert check(f"//- .codex/.agents/{'a-' * 100}b.md\n{TEXT}") == []


# Templates where nobody looks.

STRAY = "---\ndescription: Reviews a change.\ndeny_list: [apply_patch]\n---\nYou review.\n"
NOT_READ = "the runtime does not read this file"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (
            ".codex/.agents/sub/a.md",
            (
                ", because it reads none from folders below `.codex/.agents`: "
                "move it to `.codex/.agents/a.md`"
            ),
        ),
        (
            ".codex/.agents/x/y/A.MD",
            (
                ", because it reads none from folders below `.codex/.agents`: "
                "move it to `.codex/.agents/A.md`"
            ),
        ),
        (
            "~/.codex/.agents/sub/a.md",
            (
                ", because it reads none from folders below `~/.codex/.agents`: "
                "move it to `~/.codex/.agents/a.md`"
            ),
        ),
        (
            ".codex/.agents/a.markdown",
            ", because it reads only `*.md`: rename it to `.codex/.agents/a.md`",
        ),
        (
            ".codex/.agents/My Agent.txt",
            ", because it reads only `*.md`: rename it to `.codex/.agents/my-agent.md`",
        ),
        (
            "web/.agents/a.md",
            (
                ", which is a template by its header, because it does not read `web/.agents`: "
                "move it to `web/.codex/.agents/a.md`"
            ),
        ),
        (
            ".codex/.agents.md",
            (
                ", which is a template by its header, because it does not read `.codex`: "
                "move it to `.codex/.agents/agents.md`"
            ),
        ),
        (
            ".codex/agents/审.md",
            (
                ", which is a template by its header, because it does not read "
                "`.codex/agents`: move it to `.codex/.agents`"
            ),
        ),
        (
            "~/.agents/a.md",
            (
                ", which is a template by its header, because it does not read `~/.agents`: "
                "move it to `~/.codex/.agents/a.md`"
            ),
        ),
    ],
)
def test_a_template_in_a_wrong_place_is_told_its_own(check: Check, place: str, words: str) -> None:
    [said] = check(f"//- {place}\n{STRAY}")
    assert (said.code, said.at, said.severity) == ("misplaced", "---", "information")
    assert said.message == NOT_READ + words


@pytest.mark.parametrize(
    "text",
    [
        STRAY.replace("---\nYou", "You"),
        STRAY.replace("[apply_patch]", "apply_patch"),
        STRAY.replace("[apply_patch]", "[apply_patch"),
        STRAY.replace("description", "agent_names:\n  - name: strict\ndescription"),
        "\ufeff" + STRAY,
    ],
)
def test_a_template_in_a_wrong_place_is_one_finding_whatever_it_holds(
    check: Check, text: str
) -> None:
    for place in (".codex/agents/a.md", ".codex/.agents/sub/a b.md", ".codex/.agents/a.txt"):
        assert [said.code for said in check(f"//- {place}\n{text}")] == ["misplaced"]


def test_a_place_that_is_taken_is_said_to_be(check: Check) -> None:
    [said] = check(
        f"//- .codex/.agents/old/reviewer.md\n{STRAY}//- .codex/.agents/reviewer.md\n{TEXT}"
    )
    assert said.message.endswith("; `.codex/.agents/reviewer.md` already exists")
    assert said.diagnostic.related[0].path.parent.name == ".agents"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        # What lies below templates may be anything.
        (".codex/.agents/docs/a.md", "You review.\n"),
        (".codex/.agents/docs/a.md", ""),
        (".codex/.agents/skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\nDo it.\n"),
        (".codex/.agents/a.txt", "You review.\n"),
        (".codex/.agents/a.mdx", "---\ntitle: x\n---\nDo it.\n"),
        (".codex/.agents/a.md.bak", STRAY),
        (".codex/.agents/a", STRAY),
        # What other systems have in folders of nearly that name.
        (".codex/agents/a.md", TEXT),
        (".agents/a.md", "---\ndescription: b\nmodel: c\nreasoning_effort: high\n---\nYou.\n"),
        (".agents/skills/x/SKILL.md", STRAY),
        (".codex/AGENTS.md", "---\ndescription: b\n---\nYou.\n"),
        (".codex/prompts/a.md", STRAY),
        # Places that nobody would take for one.
        ("docs/a.md", STRAY),
        ("agents/a.md", STRAY),
        (".claude/agents/a.md", STRAY),
        ("README.md", STRAY),
    ],
)
def test_nothing_is_said_about_what_is_no_template(check: Check, place: str, text: str) -> None:
    assert check(f"//- {place}\n{text}") == []


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\ndescription: b\ntools: [x]\n---\nYou.\n",
        "---\nname: a\ncolor: red\nagent_names: []\n---\nYou.\n",
    ],
)
def test_what_is_another_systems_is_not_misplaced(check: Check, text: str) -> None:
    assert "misplaced" not in {said.code for said in check(f"//- .codex/agents/a.md\n{text}")}


# Notes beside the templates.


@pytest.mark.parametrize(
    "text", ["# Agents\n", "---\ntitle: Agents\n---\n# Agents\n", "---\n---\n# Agents\n"]
)
def test_a_readme_is_one_finding_that_says_what_it_is_to_the_runtime(
    check: Check, text: str
) -> None:
    [said] = check(f"//- .codex/.agents/README.md\n{text}")
    assert said.severity == "error"
    assert "to the runtime this file is the agent `readme`" in said.message


def test_a_readme_that_is_a_template_is_one(check: Check) -> None:
    assert check(f"//- .codex/.agents/README.md\n{TEXT}") == []
    [said] = check("//- .codex/.agents/README.md\n---\nmodel: gpt-5\n---\nYou.\n")
    assert said.message == "the header has no `description`: `list_agents` refuses the template"
