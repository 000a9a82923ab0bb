"""A header that ends elsewhere than its author meant is told of, and prose never is."""

import pytest

from tests.checks.conftest import Check

HEAD = "---\ndescription: Reviews a change.\n"
SETTINGS = f"{HEAD}allow_list: [wait]\n"
LOST = "part of the prompt and ha"
REFUSED = "or the whole file becomes the prompt and `model`, `read_only`, `allow_list`"


# The line that closes the header stands too early.


@pytest.mark.parametrize(
    ("text", "names", "below"),
    [
        (f"{HEAD}---\nallow_list: [wait]\n---\nYou.\n", "`allow_list`", "allow_list"),
        (f"{HEAD}---\n\nread_only: yes\n---\nYou.\n", "`read_only`", "read_only"),
        (f"{HEAD}---\nreasoning_effort: low\n---\nYou.\n", "`reasoning_effort`", None),
        (f"{HEAD}---\nmodel: gpt-5\n---\nYou.\n", "`model`", "model"),
        (f"{HEAD}---\ndeny_list:\n- wait\nmodel: x\n---\nYou.\n", "`deny_list` and `model`", None),
        (f'{HEAD}---\n"deny_list": [wait]\n---\nYou.\n', "`deny_list`", '"deny_list"'),
        (f"{HEAD}---\nallow_list: [wait]\ncolor: red\n---\nYou.\n", "`allow_list`", None),
        (f"{HEAD}---\nname: x\nallow_list: [wait]\n---\nYou.\n", "`allow_list`", "allow_list"),
        (f"{HEAD}  ---\t\nallow_list: [wait]\n---\nYou.\n", "`allow_list`", "allow_list"),
        ("---\n---\ndescription: x\n---\nYou.\n", "`description`", "description"),
        ("---\nmodel: gpt-5\n---\ndescription: x\n---\nYou.\n", "`description`", "description"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_settings_between_two_lines_that_close_are_an_error(
    check: Check, text: str, names: str, below: str | None, end: str
) -> None:
    [said] = check(text.replace("\n", end))
    assert (said.code, said.at, said.severity) == ("header-cut-short", "---", "error")
    assert said.diagnostic.span.start > 0
    assert f"this `---` closes the header: {names} below it " in said.message
    assert LOST in said.message
    assert said.message.endswith("; remove the line")
    if below is not None:
        assert said.related == (below,)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}---\nread_only: true\n\nYou review.\n",
        f"{HEAD}---\nread_only: true\nYou review.\n\n---\nMore.\n",
        f"{HEAD}---\nallow_list:\n  - wait\n\n# Role\nYou review.\n",
        f"{SETTINGS}---\nallow_list: [shell]\n",
    ],
)
def test_settings_right_below_the_header_are_a_warning(check: Check, text: str) -> None:
    [said] = check(text)
    assert (said.code, said.severity) == ("header-cut-short", "warning")
    assert LOST in said.message
    assert said.message.endswith("; move the line below the last setting")


def test_settings_that_the_header_has_as_well_are_a_warning(check: Check) -> None:
    [said] = check(f"{SETTINGS}---\nallow_list: [shell]\n---\nYou.\n")
    assert (said.code, said.severity) == ("header-cut-short", "warning")


@pytest.mark.parametrize("between", ["", "\n", "\n\n \n"])
def test_a_second_header_is_told_of(check: Check, between: str) -> None:
    [said] = check(f"{HEAD}---\n{between}---\ndescription: x\nallow_list: [wait]\n---\nYou.\n")
    assert (said.code, said.severity) == ("header-cut-short", "error")
    assert "a second header follows this `---`, and only the first is used" in said.message
    assert "`description` and `allow_list` in the second are part" in said.message


@pytest.mark.parametrize(
    "text",
    [
        "---\ndescription: |\n  Reviews.\n  ---\n  More.\nallow_list:\n  - wait\n---\nYou.\n",
        "---\ndescription: |\n  Reviews.\n---\n  More.\nallow_list:\n  - wait\n---\nYou.\n",
        "---\ndescription: >-\n    Reviews.\n    ---\n\n    More.\nallow_list: [wait]\n---\nYou.\n",
        "---\ndescription: Reviews.\n  ---\n  More.\nallow_list: [wait]\n---\nYou.\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_in_a_text_closes_the_header_all_the_same(check: Check, text: str, end: str) -> None:
    [said] = check(text.replace("\n", end))
    assert (said.code, said.at, said.severity) == ("header-cut-short", "---", "error")
    assert said.related == ("allow_list",)
    words = "even inside `description`: the rest of it and `allow_list` are part of the prompt"
    assert words in said.message
    assert said.message.endswith("; write something else on the line")


@pytest.mark.parametrize("fence", ["  ---\n  ", "---\n"])
def test_in_a_text_in_quotes_the_line_breaks_the_header(check: Check, fence: str) -> None:
    [said] = check(f'---\ndescription: "a\n{fence}b"\nallow_list: [wait]\n---\nYou.\n')
    assert (said.code, said.at, said.severity) == ("header-cut-short", "---", "error")
    assert "and more of the header follows: write something else on the line, or" in said.message
    assert REFUSED in said.message


def test_a_text_that_loses_its_end_alone_is_a_warning(check: Check) -> None:
    [said] = check("---\ndescription: |\n  Reviews.\n  ---\n  More.\n---\nYou.\n")
    assert (said.code, said.severity) == ("header-cut-short", "warning")
    assert "the rest of it is part of the prompt" in said.message


def test_personas_below_the_line_are_not_missed_twice(check: Check) -> None:
    personas = "agent_names:\n  - name: {}\n    description: |\n      x\n"
    blocks = "---\nYou.\n<!-- agent_name: a -->\nA\n<!-- agent_name: b -->\nB\n"
    both = personas.format("a") + personas.format("b").partition("\n")[2]
    [said] = check(f"{HEAD}---\n{both}{blocks}")
    assert (said.code, "`agent_names` below it" in said.message) == ("header-cut-short", True)
    text = both.replace("      x\n", "      x\n      ---\n      y\n", 1)
    [said] = check(f"{HEAD}{text}{blocks}")
    assert (said.code, REFUSED in said.message) == ("header-cut-short", True)


@pytest.mark.parametrize(
    "body",
    [
        "# Role\n\nYou review.\n\n---\n\nRules:\n\n---\nMore.\n",
        "---\n\n# Title\n\nYou review.\n\n---\n",
        "Reviewer\n---\nYou review.\n",
        "Role: reviewer\n---\nYou review.\n",
        "description: what it is for\n---\nYou review.\n",
        "model: think first, then answer\n\n---\nYou review.\n",
        "description: what the user wants\nfiles: the files\n\n---\nYou review.\n",
        "allow_list: the tools that stay\ndeny_list: the tools that go\n\n---\nYou review.\n",
        "read_only: whether it may write\n---\nYou review.\n",
        "Input: a change\nOutput: a report\n\n---\nYou review.\n",
        "# Keys\nread_only: true\n---\nYou review.\n",
        "read_only mode: never write.\n\n---\n",
        "- allow_list: [a]\n- deny_list: [b]\n---\n",
        "| key | value |\n|---|---|\n| model | gpt-5 |\n\n---\n",
        "```yaml\n---\ndescription: x\nallow_list: [wait]\n---\n```\nLike this.\n",
        "~~~\nallow_list: [wait]\n---\n~~~\n",
        "A template:\n\n---\ndescription: x\nallow_list: [wait]\n---\nYou.\n",
        "A template:\n---\nallow_list: [wait]\n---\n",
        "<!-- note -->\nallow_list: [wait]\n---\n",
        "    allow_list: [wait]\n\nThis is how to write it.\n\n---\n",
        "  read_only: true is what one writes\n\nYou review.\n",
        "+++\nallow_list = []\n+++\n",
        "מה: הכל\n\n---\nطلب: كل شيء\n---\n",
        "-" * 30_000 + "\n",
        "word " * 30_000 + "\n---\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_prompt_is_no_header(check: Check, body: str, end: str) -> None:
    assert check(f"{SETTINGS}model: gpt-5\n---\n{body}".replace("\n", end)) == []


def test_a_text_with_another_line_of_hyphens_is_fine(check: Check) -> None:
    text = (
        "---\ndescription: |\n  Reviews.\n  -----\n  More.\nread_only: true\n---\n  You.\n\n---\n"
    )
    assert check(text) == []


# The line that closes the header stands too late.


@pytest.mark.parametrize(
    ("prompt", "at"),
    [
        ("\nYou are a reviewer.\n\n---\n\nRules\n", "You are a reviewer."),
        ("\nTitle\n---\nmore\n", "Title"),
        ("\n# Role\nYou are a reviewer.\n---\nmore\n", "# Role"),
        ("\n# Role\n\nYou are a reviewer.\n\n---\nmore\n", "# Role"),
        ("# Role\nYou are a reviewer.\n\n---\nmore\n", "# Role"),
        ("\n## Rules\n- never edit a file\n\n---\nmore\n", "## Rules"),
        ("\n# Role\nInput: a change\nYou are a reviewer.\n---\nmore\n", "# Role"),
        ("You are a reviewer.\n\nRules.\n---\nmore\n", "You are a reviewer."),
        ("\n* one\n* two\n\n---\nmore\n", "* one"),
        ("\n1. one\n2. two: x\n\n---\nmore\n", "1. one"),
        ("\n| a | b |\n|---|---|\n\n---\nmore\n", "| a | b |"),
        ("\n<!-- a note -->\n\n---\nmore\n", "<!-- a note -->"),
        ("\n```yaml\nmodel: x\n---\n```\n", "```yaml"),
        ("\nYou review: {x\n\n---\nmore\n", "You review: {x"),
        ("\nמה [הכל\n\n---\nmore\n", "מה [הכל"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_prompt_in_the_header_is_told_of_where_it_begins(
    check: Check, prompt: str, at: str, end: str
) -> None:
    [said] = check(f"{SETTINGS}{prompt}".replace("\n", end))
    assert (said.code, said.at, said.severity) == ("header-unclosed", at, "error")
    assert said.related == ("---",)
    assert (
        "is in the header, which continues to the next `---`: write a line `---` above it, or"
        in (said.message)
    )
    assert REFUSED in said.message


@pytest.mark.parametrize(
    "prompt",
    [
        "\n# Role\nYou review: everything.\n\n---\nmore\n",
        "\nYou review: everything.\n---\nmore\n",
        "\nWhen you review code: look at the tests\n\n---\nmore\n",
    ],
)
def test_a_prompt_that_is_yaml_is_a_warning_and_the_only_one(check: Check, prompt: str) -> None:
    [said] = check(f"{SETTINGS}{prompt}")
    assert (said.code, said.severity) == ("header-unclosed", "warning")
    assert "write a line `---` above it, or the runtime ignores the text" in said.message


def test_below_a_description_the_text_may_belong_to_it(check: Check) -> None:
    [said] = check(f"{HEAD}\nAnd reports what breaks.\n---\nYou review.\n")
    assert said.code == "header-unclosed"
    assert "`---` above it if the prompt begins there, else indent it, or" in said.message


def test_a_file_that_begins_with_a_rule_lacks_a_header(check: Check) -> None:
    [said] = check("---\n# Role\nYou review: [all\n\n---\nmore\n")
    assert (said.code, said.at) == ("header-unclosed", "# Role")
    assert "write `description: …` and a line `---` above it" in said.message


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        ("\nmod", "header-invalid", "`mod` has no colon"),
        ("\nDescription", "header-invalid", "write `description: …`"),
        ("\nmodel gpt-5", "header-invalid", "write `model: …`"),
        ("\nmodel:gpt-5", "header-invalid", "no space after the colon"),
        ("\n- shell", "header-invalid", "`- shell` does not belong to a list"),
        ("\nYou review [all\nread_only: true", "header-invalid", "is not `key: value`"),
        ("You are a reviewer.", "header-invalid", "is not `key: value`"),
        ("\nReview team: x", "unknown-key", "unknown key `Review team`"),
        ("\nreviewers: Who can. And will.", "unknown-key", "unknown key `reviewers`"),
        ("\nReview team: all.\nread_only: true", "unknown-key", "unknown key `Review team`"),
    ],
)
def test_what_may_be_header_stays_what_it_was(
    check: Check, lines: str, code: str, words: str
) -> None:
    [said] = check(f"{SETTINGS}{lines}\n---\nYou review.\n")
    assert said.code == code
    assert words in said.message


@pytest.mark.parametrize(
    "lines",
    [
        "\n# the tools\n\nallow_list:\n\n  - wait\n\n  - shell\n\n# the sandbox\nread_only: true\n",
        "allow_list: [wait]\n\n# deny_list: [x]\n# More to come: soon.\n",
        "allow_list:\n- wait\n\n- shell\n",
        "model: gpt-5\n\nx-owner: Me. And you.\n",
        'summary: "Reviews\na change: all of it.\n\nAnd: more of it."\nx_a: b\n',
    ],
)
def test_a_header_of_several_paragraphs_is_fine(check: Check, lines: str) -> None:
    assert {one.code for one in check(f"{HEAD}{lines}---\nYou review.\n")} <= {"unknown-key"}


def test_a_description_of_several_paragraphs_is_fine(check: Check) -> None:
    text = "---\ndescription: |\n  # Role\n  You review: everything.\n\n  Twice.\n---\nYou.\n"
    assert check(text) == []
