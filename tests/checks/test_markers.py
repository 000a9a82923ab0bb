"""What can be wrong with personas and blocks of which the runtime refuses nothing."""

from pathlib import Path

import pytest

from tests.checks.conftest import Check
from tests.checks.pages import reported
from tests.checks.test_prompts import two

SOUND = two("strict", "quick", "strict", "quick")
MARKER = "<!-- agent_name: security -->"


def body(text: str) -> str:
    """A template without personas, with `text` below the first line of its prompt."""
    return f"---\ndescription: Reviews a change.\n---\nYou review changes.\n\n{text}\nMore.\n"


# Comments that look like markers.

LOOKALIKES = [
    "<!--agent_name: security-->",
    "<!--agent_name:security -->",
    "<!--  agent_name: security -->",
    "<!-- agent_name : security -->",
    "<!-- agent_name security -->",
    "<!-- agent_name = security -->",
    "<!-- Agent_Name: security -->",
    "<!-- AGENT_NAME: security -->",
    "<!-- agent-name: security -->",
    "<!-- agentName: security -->",
    "<!-- agent name: security -->",
    "<!-- agent_names: security -->",
    "<!-- agent_nmae: security -->",
    "<!--agent_name: 'security'-->",
    "<!--- agent_name: security --->",
    "<!-- agent_name: security ->",
    "<!-- agent_name: security >",
    "<!-- agent_name: security",
    "<-- agent_name: security -->",
    "<!- agent_name: security -->",
    "<! agent_name: security >",
    "<!--\nagent_name: security\n-->",
]


@pytest.mark.parametrize("line", LOOKALIKES)
def test_a_line_that_was_meant_as_a_marker_is_a_warning_on_it(check: Check, line: str) -> None:
    [said] = check(body(line))
    assert (said.code, said.at, said.severity) == ("marker-lookalike", line, "warning")
    shown = " ".join(line.split())
    assert said.message == (
        f"`{shown}` starts no block, and it and the text below go to the default prompt; "
        f"did you mean `{MARKER}`?"
    )


def test_the_block_that_gets_the_text_is_named(check: Check) -> None:
    [said] = check(f"{SOUND}\n<!--agent_name: security-->\nLook.\n")
    assert "and it and the text below go to the prompt of `quick`" in said.message


@pytest.mark.parametrize(
    "line",
    [
        f"{MARKER} Look for what an attacker could use.",
        f"## {MARKER}",
        f"- {MARKER}",
        f"> {MARKER}",
        f"**{MARKER}**",
        f"1. {MARKER}",
    ],
)
def test_a_marker_has_to_be_alone_on_its_line(check: Check, line: str) -> None:
    [said] = check(body(line))
    assert (said.code, said.at) == ("marker-lookalike", MARKER)
    assert said.message.endswith(f"did you mean `{MARKER}` on its own line?")


@pytest.mark.parametrize("line", ["<!-- agent_name: -->", "<!--agent_name:-->", "<!-- agent_name"])
def test_a_marker_has_to_name_somebody(check: Check, line: str) -> None:
    [said] = check(body(line))
    assert (said.code, said.at) == ("marker-lookalike", line)
    assert said.message.endswith(
        "write the name of a persona into it, as in `<!-- agent_name: NAME -->`"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<!-- What every agent should know. -->",
        "<!-- agent names are listed above -->",
        "<!-- agent names: keep them in step with the docs -->",
        "<!-- agent: security -->",
        "<!-- name: security -->",
        "<!-- security -->",
        "<!-- TODO: name the agents -->",
        "<!-- agent_name: <name> -->".replace("<!-- ", "<!--"),
        "<!--agent_name: …-->",
        "<!DOCTYPE html>",
        "agent_name: security",
        "A block starts with `<!--agent_name: security-->` in a template.",
        "A block starts with <!-- agent_name: security --> in a template.",
        "Blocks look like <!-- agent_name: security -->",
        "~~~md\n<!--agent_name: security-->\n~~~",
        "  ```\n  <!--agent_name: security-->\n  ```",
        "<a href='x'>agent_name</a>",
        "a < b and agent_name: c > d",
    ],
)
def test_text_that_nobody_means_as_a_marker_is_not_reported(check: Check, text: str) -> None:
    assert check(body(text)) == []


@pytest.mark.parametrize(
    "line",
    [
        MARKER,
        f"  {MARKER}\t",
        "<!-- agent_name:security-->",
        "<!-- agent_name:  SECURITY   -->",
    ],
)
def test_what_the_runtime_takes_for_a_marker_is_none_of_them(check: Check, line: str) -> None:
    assert (
        check(two("strict", "security", "strict", "{}").replace("<!-- agent_name: {} -->", line))
        == []
    )


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("<!--agent_name: securty-->", None),
        ("<!-- persona: security -->", None),
        ("<!-- security -->", None),
        ("The block: <!-- agent_name: security --> follows.", MARKER),
    ],
)
def test_a_persona_without_a_block_makes_a_marker_of_more(
    check: Check, line: str, at: str | None
) -> None:
    text = two("strict", "security", "strict", "{}").replace("<!-- agent_name: {} -->", line)
    [said] = check(text)
    assert (said.code, said.at, said.severity) == ("persona-without-block", at or line, "error")
    assert said.related == ("security",)
    assert f"write `{MARKER}`" in said.message


def test_a_second_line_of_the_kind_is_a_mistake_of_its_own(check: Check) -> None:
    said = check(
        two("strict", "security", "strict", "{}").replace(
            "<!-- agent_name: {} -->", "<!--agent_name: security-->\n<!--agent_name: quick-->"
        )
    )
    assert [(one.code, one.at) for one in said] == [
        ("persona-without-block", "<!--agent_name: security-->"),
        ("marker-lookalike", "<!--agent_name: quick-->"),
    ]


@pytest.mark.parametrize("header", ["model: a: b", "model: [x"])
def test_a_marker_is_told_beside_a_header_that_is_not_read(check: Check, header: str) -> None:
    said = check(f"---\ndescription: x\n{header}\n---\nYou.\n<!--agent_name: a-->\n")
    assert {one.code for one in said} == {"header-invalid", "marker-lookalike"}


def test_a_long_line_is_read_in_no_time(check: Check) -> None:
    for piece in ("<!-- agent_name" + " " * 20_000 + "<", "<!--" * 20_000, "-x" * 20_000):
        assert check(body(piece)) == []


# Markers in code.


def test_a_marker_of_a_declared_persona_in_code_is_a_warning(check: Check) -> None:
    example = "You review changes.\n```md\n<!-- agent_name: quick -->\n```\n"
    [said] = check(SOUND.replace("You review changes.\n", example))
    assert (said.code, said.at, said.severity) == ("marker-in-code", "quick", "warning")
    assert "the text from here on is the prompt of `quick`" in said.message


@pytest.mark.parametrize(
    "fence", ["```\n{}\n```", "~~~~ md\n{}\n~~~~~", "  ```\n{}\n  ```", "```\n~~~\n{}\n```"]
)
def test_every_kind_of_fence_is_known(check: Check, fence: str) -> None:
    marker = "<!-- agent_name: quick -->"
    text = SOUND.replace(marker, fence.replace("{}", marker))
    assert [said.code for said in check(text)] == ["marker-in-code"]


@pytest.mark.parametrize(
    "code", ["```\nx\n```\n", "```\nnever closed\n", "```js` is no fence\n", "`x`\n", "~~\n"]
)
def test_a_marker_beside_code_is_fine(check: Check, code: str) -> None:
    assert check(SOUND.replace("You review changes.\n", f"You review changes.\n{code}")) == []


# Blocks that say nothing, or twice.


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n"])
def test_a_persona_with_an_empty_block_is_a_warning(check: Check, text: str) -> None:
    [said] = check(SOUND.replace("Report every risk.\n", text))
    assert (said.code, said.at, said.severity) == ("empty-block", "strict", "warning")
    assert said.message == (
        "the block of `strict` is empty: `spawn_agent` starts the persona without a prompt, "
        "not with the default one"
    )


def test_a_block_that_is_filled_further_down_is_not_empty(check: Check) -> None:
    text = SOUND.replace("Report every risk.\n", "")
    said = check(f"{text}\n<!-- agent_name: strict -->\nReport.\n")
    assert [one.code for one in said] == ["repeated-block"]


def test_an_empty_block_of_nobody_is_one_finding(check: Check) -> None:
    said = check("---\ndescription: x\n---\nYou.\n<!-- agent_name: a -->\n")
    assert [one.code for one in said] == ["block-without-persona"]


def test_a_block_that_is_continued_is_information_on_each_further_marker(check: Check) -> None:
    again = "\n<!-- agent_name: Strict -->\nMore.\n"
    said = check(SOUND + again + again)
    assert [(one.code, one.at, one.severity) for one in said] == [
        ("repeated-block", "Strict", "information"),
        ("repeated-block", "Strict", "information"),
    ]
    assert said[0].related == ("strict",)
    assert said[0].message == (
        "continues the block of `strict` above: the prompt of the persona is both texts together"
    )


# Personas that are declared twice.


def test_of_two_declarations_of_a_persona_the_second_is_a_warning(check: Check) -> None:
    text = two("strict", '" Strict "', "strict", "strict").replace(
        "\n<!-- agent_name: strict -->\nReport what would break.\n", ""
    )
    [said] = check(text)
    assert (said.code, said.at, said.severity) == ("duplicate-persona", '" Strict "', "warning")
    assert said.related == ("strict",)
    assert said.message == (
        "`strict` is declared above: `spawn_agent` never uses this declaration, "
        "while `list_agents` shows both"
    )


def test_a_repeated_declaration_is_wrong_also_beside_what_refuses_the_header(check: Check) -> None:
    said = check(two("strict", "strict", "strict", "quick"))
    assert [one.code for one in said] == ["duplicate-persona", "block-without-persona"]


def test_a_marker_of_later_versions_is_told_as_one(tmp_path: Path) -> None:
    """They call a persona `agent_nickname`; this version leaves such a line in the prompt."""
    body = "Base.\n<!-- agent_nickname: brief -->\nBe brief.\n"
    declared = f"---\ndescription: x\nagent_names:\n- {{name: brief, description: y}}\n---\n{body}"
    path = ".codex/.agents/a.md"

    [lacking] = reported(tmp_path / "declared", {path: declared})
    [alone] = reported(tmp_path / "alone", {path: f"---\ndescription: x\n---\n{body}"})
    said = "`<!-- agent_nickname: brief -->` starts a block only in later versions of the runtime"
    assert f"error[persona-without-block] {said}" in lacking
    assert f"warning[marker-lookalike] {said}" in alone
