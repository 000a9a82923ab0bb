"""What YAML takes away from a value is reported, and what was put there on purpose is not."""

import pytest

from tests.checks.conftest import Check


def described(value: str) -> str:
    return f"---\ndescription: {value}\n---\nYou review changes.\n"


@pytest.mark.parametrize(
    ("value", "lost", "kept"),
    [
        ("Fix issue #12", "#12", "Fix issue"),
        ("a #b", "#b", "a"),
        ("a\t#b", "#b", "a"),
        ("Uses #fff for errors  ", "#fff for errors", "Uses"),
        ("For C# #dotnet", "#dotnet", "For C#"),
        ("Fix #12 # for now", "#12 # for now", "Fix"),
        ("Reviews\n  a change of #12", "#12", "Reviews a change of"),
        ("Ошибка #ошибка", "#ошибка", "Ошибка"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_end_of_a_description_that_reads_as_a_comment_is_reported(
    check: Check, value: str, lost: str, kept: str, end: str
) -> None:
    [said] = check(described(value).replace("\n", end))
    assert (said.code, said.at, said.severity) == ("lost-text", lost, "warning")
    assert f"`{lost}` is a comment: the runtime reads `{kept}`" in said.message


@pytest.mark.parametrize(
    "value",
    [
        "Fix # 12",
        "a # b",
        "a #",
        "a ##b",
        "a #-b",
        "a #TODO b",
        "a #fixme: b",
        "a #noqa",
        "C#",
        "a#b",
        "'a' #b",
        '"a #b"',
        "|\n  a #b",
        "> #b\n  a",
        "!!str a",
        "&a a",
    ],
)
def test_a_comment_that_is_meant_to_be_one_is_not(check: Check, value: str) -> None:
    assert check(described(value)) == []


def test_the_description_of_a_persona_is_checked_too(check: Check) -> None:
    item = "  - name: a\n    description: Fix #12\n"
    text = f"---\ndescription: x\nagent_names:\n{item}"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at) == ("lost-text", "#12")


@pytest.mark.parametrize(
    "lines",
    [
        "model: gpt-5 #fast",
        "model: #gpt-5",
        "reasoning_effort: low #cheap",
        "read_only: true #for now",
        "allow_list: #all\n  - wait #for others\n  - exec_command #git",
        "reasoning_effort: !high",
    ],
)
def test_a_comment_behind_any_other_value_loses_nothing(header: Check, lines: str) -> None:
    assert header(lines) == []


@pytest.mark.parametrize(
    ("lines", "lost", "words"),
    [
        ("model: !gpt-5", "!gpt-5", "is a tag: the runtime reads no `model`"),
        ("model: !new gpt-5", "!new", "is a tag: the runtime reads `gpt-5`"),
        ("model: &gpt-5", "&gpt-5", "is an anchor: the runtime reads no `model`"),
        ("deny_list:\n  - !wait", "!wait", "the entry is blank, is dropped and denies nothing"),
        ("deny_list:\n  - &wait", "&wait", "is an anchor: the entry is blank, is dropped and den"),
        (
            "allow_list:\n  - shell\n  - !wait",
            "!wait",
            "dropped and allows nothing; remove the `!`",
        ),
        ("allow_list:\n  - !wait", "!wait", "leaves an empty list, which allows every tool"),
        ("allow_list:\n  - !not wait", "!not", "is a tag: the runtime reads `wait`; remove it"),
    ],
)
def test_a_word_that_reads_as_a_tag_or_an_anchor_is_reported(
    header: Check, lines: str, lost: str, words: str
) -> None:
    [said] = header(lines)
    assert (said.code, said.at, said.severity) == ("lost-text", lost, "warning")
    assert words in said.message


def test_a_tag_at_the_start_of_a_description_is_reported(check: Check) -> None:
    [said] = check(described("!important Read this"))
    assert (said.code, said.at) == ("lost-text", "!important")
    assert "the runtime reads `Read this`; put the value in quotes" in said.message


@pytest.mark.parametrize(
    "lines",
    [
        "model: !!str gpt-5",
        "model: !<tag:example.test,2000:x> gpt-5",
        "model: &m gpt-5",
        "model: '!gpt-5'",
        "allow_list:\n  - !!str wait\n  - &s shell\n  - &e\n    exec_command",
        "tags: !x y",
    ],
)
def test_tags_and_anchors_that_take_nothing_away_are_fine(header: Check, lines: str) -> None:
    assert "lost-text" not in {one.code for one in header(lines)}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("#12", "is blank, because `#12` is a comment unless it is quoted"),
        ("!x", "is blank, because `!x` is a tag unless it is quoted"),
        ("~", "is null, because `~` is not a string"),
        ("null", "is null, because `null` is not a string"),
        ("'~'", None),
        ("''", "is blank: "),
        ("", "is blank: "),
        (" # to do", "is blank: "),
    ],
)
def test_an_empty_description_is_one_finding_that_says_why(
    check: Check, value: str, words: str | None
) -> None:
    said = check(described(value))
    if words is None:
        assert said == []
        return
    [one] = said
    assert one.code == "missing-description"
    assert words in one.message


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("read_only: true", "so it restricts no sandbox"),
        ("read_only : true ", "so it restricts no sandbox"),
        ("deny_list: [apply_patch]", "so it denies no tools"),
        ("allow_list:", "so it limits no tools"),
        ("reasoning_effort: high", "so it has no effect"),
        ("agent_names:", "so it has no effect"),
    ],
)
@pytest.mark.parametrize("style", ["|", ">", ">-", "|+"])
def test_a_setting_that_is_indented_into_a_text_is_reported(
    check: Check, line: str, effect: str, style: str
) -> None:
    [said] = check(described(f"{style}\n  Reviews a change.\n  {line}\n  And more."))
    assert (said.code, said.severity) == ("swallowed-key", "warning")
    assert said.at == line.partition(":")[0].strip()
    assert f"is a line of `description`, {effect}; indent it less" in said.message


def test_a_role_setting_in_the_text_of_a_persona_is_reported(check: Check) -> None:
    item = "  - name: a\n    description: |\n      Reviews.\n      read_only: true\n"
    text = f"---\ndescription: x\nagent_names:\n{item}"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at) == ("swallowed-key", "read_only")


@pytest.mark.parametrize(
    "text",
    [
        "Set read_only: true for it.",
        "read_only: true keeps it safe.",
        "`read_only: true`",
        "- read_only: true",
        "read_only: yes",
        "model: gpt-5",
        "description: x",
        "reasoning_effort: as you like",
        "allow_list: the tools",
        "color: red",
    ],
)
def test_prose_about_a_setting_is_not(check: Check, text: str) -> None:
    assert check(described(f"|\n  Reviews a change.\n  {text}")) == []


def test_a_setting_that_the_header_has_may_be_spoken_of(check: Check) -> None:
    text = described("|\n  Reviews a change.\n  read_only: true").replace(
        "---\nY", "read_only: true\n---\nY"
    )
    assert check(text) == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "the name of this persona is blank: write one"),
        ("''", "the name of this persona is blank: write one"),
        ("#a", "is blank, because `#a` is a comment unless it is quoted: write one"),
        ("!a", "is blank, because `!a` is a tag unless it is quoted: write one"),
        ("~", "`~` is a name here, not null: it has no block: write a name"),
        ("null", "`null` is a name here, not null"),
    ],
)
def test_a_persona_whose_name_is_not_what_it_looks_like_is_one_finding(
    header: Check, value: str, words: str
) -> None:
    [said] = header(f"agent_names:\n  - name: {value}\n    description: x")
    assert said.code == "persona-without-block"
    assert words in said.message


@pytest.mark.parametrize(
    ("value", "block", "words"),
    [
        ("''", "a", "the name of this persona is blank: write `a`, or"),
        ("", "a", "the name of this persona is blank: write `a`, or"),
        ('" "', "c #", 'the name of this persona is blank: write `"c #"`, or'),
        ("#a", "b", "is blank, because `#a` is a comment unless it is quoted: write `b`, or"),
        ("!a", "!a", 'is blank, because `!a` is a tag unless it is quoted: write `"!a"`, or'),
        ("c #sharp", "c #sharp", "`#sharp` is a comment, and this persona is called `c`: write"),
        ("C #Sharp", "c #sharp", "`#Sharp` is a comment, and this persona is called `c`: write"),
    ],
)
def test_a_persona_whose_name_is_taken_away_and_its_block_are_one_finding(
    header: Check, value: str, block: str, words: str
) -> None:
    lines = f"agent_names:\n  - name: {value}\n    description: x"
    body = f"---\nYou.\n<!-- agent_name: {block} -->\nYou.\n# "
    [said] = header(f"{lines}\n{body}")
    at = "name" if value.startswith("#") else value.partition(" #")[0] or "name"
    assert (said.code, said.at) == ("persona-without-block", at)
    assert words in said.message


def test_a_blank_name_speaks_for_no_more_blocks_than_it_can_name(header: Check) -> None:
    blocks = "---\nYou.\n<!-- agent_name: a -->\nYou.\n<!-- agent_name: b -->\nYou.\n# "
    item = "  - name:\n    description: x\n"
    said = header(f"agent_names:\n{item}{blocks}")
    assert [one.code for one in said] == ["persona-without-block", *["block-without-persona"] * 2]
    [said_of_both] = header(f"agent_names:\n{item}{item}{blocks}")
    assert "is blank: write `a` or `b`, or" in said_of_both.message


def test_a_persona_may_be_called_null(check: Check) -> None:
    text = "---\ndescription: x\nagent_names:\n  - name: ~\n    description: x\n"
    assert check(f"{text}---\nYou.\n<!-- agent_name: ~ -->\nYou.\n") == []
