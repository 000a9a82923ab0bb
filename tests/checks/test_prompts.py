"""What `list_agents` and `spawn_agent` ask of a header that loads, and of the body's blocks."""

import pytest

from tests.checks.conftest import Check

REFUSED = "or the whole file becomes the prompt"
TWO = """\
---
description: Reviews a change.
agent_names:
  - name: {}
    description: Reports every risk.
  - name: {}
    description: Reports what would break.
---
You review changes.

<!-- agent_name: {} -->
Report every risk.

<!-- agent_name: {} -->
Report what would break.
"""


def two(*names: str) -> str:
    """A template with two personas and two blocks of these names."""
    return TWO.format(*names)


@pytest.mark.parametrize("value", ["", " ''", ' "  "', " |"])
def test_a_blank_description_is_reported_on_its_key(check: Check, value: str) -> None:
    [said] = check(f"---\ndescription:{value}\n---\nYou.\n")
    assert (said.code, said.at, said.severity) == ("missing-description", "description", "error")
    assert said.message == "`description` is blank: `list_agents` refuses the template"


@pytest.mark.parametrize("header", ["", "\n", "# nothing yet\n", "model: x\n"])
def test_an_absent_description_is_reported_on_the_opening_fence(check: Check, header: str) -> None:
    [said] = check(f"---\n{header}---\nYou.\n")
    assert (said.code, said.at, said.diagnostic.span.start) == ("missing-description", "---", 0)


def test_an_undescribed_persona_is_reported_on_its_name(check: Check) -> None:
    text = "---\ndescription: x\nagent_names:\n  - name: strict\n---\nYou.\n"
    [said] = check(f"{text}<!-- agent_name: strict -->\nYou.\n")
    assert (said.code, said.at) == ("missing-description", "strict")
    assert said.message.startswith("persona `strict` has no `description`: `list_agents` refuses")


def test_a_persona_with_a_misspelt_description_is_reported_there(check: Check) -> None:
    text = "---\ndescription: x\nagent_names:\n  - name: strict\n    desciption: y\n---\nYou.\n"
    [said] = check(f"{text}<!-- agent_name: strict -->\nYou.\n")
    assert (said.code, said.at) == ("missing-description", "desciption")


@pytest.mark.parametrize(
    "text",
    [
        "---\ndescription: a: b\n---\nReview.\n",
        "---\nmodel: x\n",
        "\ufeff---\nmodel: x\n---\n",
        "",
    ],
)
def test_what_is_absent_is_not_reported_of_a_header_that_is_not_read(
    check: Check, text: str
) -> None:
    [said] = check(f"//- .codex/.agents/reviewer.md\n{text}")
    assert said.code.startswith("header-")


def test_what_is_absent_is_reported_beside_what_the_runtime_refuses(check: Check) -> None:
    said = check("//- .codex/.agents/reviewer.md\n---\nread_only: yes\n---\n")
    assert [one.code for one in said] == [
        "missing-description",
        "wrong-type",
        "missing-default-prompt",
    ]


@pytest.mark.parametrize("body", ["", "\n", " \n\t\n"])
def test_an_absent_prompt_is_reported_on_the_closing_fence(check: Check, body: str) -> None:
    [said] = check(f"---\ndescription: x\n---\n{body}")
    assert (said.code, said.at, said.severity) == ("missing-default-prompt", "---", "error")
    assert said.diagnostic.span.start > 0
    assert "`list_agents` and `spawn_agent` refuse the template" in said.message


def test_one_persona_stands_in_for_the_role_and_several_do_not(check: Check) -> None:
    header = "---\ndescription: x\nagent_names:\n  - {name: a, description: x}\n"
    block = "<!-- agent_name: {} -->\nYou.\n"
    [said] = check(f"{header}---\n{block.format('a')}")
    assert "`spawn_agent` takes the only persona, `a`" in said.message
    more = "  - {name: b, description: x}\n"
    [said] = check(f"{header}{more}---\n{block.format('a')}{block.format('b')}")
    assert "and `spawn_agent` every call without a persona" in said.message


def test_names_are_compared_as_the_runtime_does(check: Check) -> None:
    assert check(two("Strict", "quick", "strict", "QUICK")) == []


def test_a_persona_without_a_block_is_reported_on_its_name(check: Check) -> None:
    [said] = check(two("strict", "security", "strict", "strict"))
    assert (said.code, said.at, said.severity) == ("persona-without-block", "security", "error")
    assert "persona `security` has no block: add `<!-- agent_name: security -->`" in said.message
    assert REFUSED in said.message


@pytest.mark.parametrize(
    "line",
    [
        "<!--agent_name: security-->",
        "<!-- Agent_Name: security -->",
        "<!-- agent_name : security -->",
        "<!-- agent-name: Security -->",
    ],
)
def test_a_line_that_looks_like_its_block_is_reported_in_its_place(check: Check, line: str) -> None:
    text = two("strict", "security", "strict", "strict")
    [said] = check(f"{text}\n{line}\nLook for what an attacker could use.\n")
    assert (said.code, said.severity) == ("persona-without-block", "error")
    assert (said.at, said.related) == (line, ("security",))
    assert f"`{line}` starts no block, and persona `security` has no other" in said.message
    assert "write `<!-- agent_name: security -->`, or the whole file" in said.message


def test_a_block_that_may_be_a_copy_with_the_old_name_is_shown(check: Check) -> None:
    [said] = check(two("strict", "security", "strict", "Strict"))
    assert (said.code, said.at, said.related) == ("persona-without-block", "security", ("Strict",))


def test_a_persona_that_is_declared_twice_lacks_its_block_once(check: Check) -> None:
    said = check(two("strict", "Strict", "quick", "other"))
    assert [one.code for one in said] == [
        "persona-without-block",
        "duplicate-persona",
        "block-without-persona",
        "block-without-persona",
    ]


def test_a_block_without_a_persona_is_reported_on_its_name(check: Check) -> None:
    [_, said] = check(two("strict", "strict", "strict", "Security"))
    assert (said.code, said.at, said.severity) == ("block-without-persona", "Security", "error")
    assert "`agent_names` has no `security`: declare it" in said.message
    assert REFUSED in said.message


def test_a_name_that_differs_by_a_slip_is_one_mistake(check: Check) -> None:
    [said] = check(two("strict", "quick", "strikt", "quick"))
    assert (said.code, said.at, said.related) == ("block-without-persona", "strikt", ("strict",))
    assert "did you mean `strict`?" in said.message


def test_names_that_have_nothing_in_common_are_two_mistakes(check: Check) -> None:
    said = check(two("strict", "quick", "strict", "security"))
    assert [(one.code, one.at) for one in said] == [
        ("persona-without-block", "quick"),
        ("block-without-persona", "security"),
    ]


@pytest.mark.parametrize("declared", ["", "agent_names: []\n", "agent_names:\n"])
def test_blocks_of_a_file_without_personas_are_one_finding(check: Check, declared: str) -> None:
    blocks = "<!-- agent_name: a -->\nYou.\n<!-- agent_name: b -->\nYou.\n"
    [said] = check(f"---\ndescription: x\n{declared}---\nYou.\n{blocks}")
    assert (said.code, said.at, said.severity) == ("block-without-persona", "a", "error")
    assert said.message == (
        "`a` and `b` without `agent_names`: `list_agents` refuses the template, "
        "while `spawn_agent` takes them by name; declare them"
    )


def test_a_marker_in_a_code_fence_counts(check: Check) -> None:
    block = "```\n<!-- agent_name: a -->\n```\n"
    [said] = check(f"---\ndescription: x\n---\nYou.\n{block}")
    assert (said.code, said.at) == ("block-without-persona", "a")
    assert "`a` in a code block, where a marker works, too" in said.message
    [said] = check(f"{two('strict', 'quick', 'strict', 'quick')}{block}")
    assert (said.code, said.at) == ("block-without-persona", "a")
    assert "put other text on the line if it is an example" in said.message


@pytest.mark.parametrize("quoted", ["'strict'", '"strict"', "`strict`"])
def test_quotes_are_part_of_a_name_and_a_slip(check: Check, quoted: str) -> None:
    [said] = check(two("strict", "quick", quoted, "quick"))
    assert (said.code, said.at, said.related) == ("block-without-persona", quoted, ("strict",))
    assert "did you mean `strict`?" in said.message
