"""A value that makes the runtime refuse the header is reported with the value to write."""

import pytest

from tests.checks.conftest import Check

REFUSED = "or the whole file becomes the prompt and `model`, `read_only`, `allow_list`"


@pytest.mark.parametrize(
    ("lines", "at", "words"),
    [
        ("read_only: yes", "yes", "must be `true` or `false`, not `yes`: write `true`"),
        ("read_only: Off", "Off", "not `Off`: write `false`"),
        ('read_only: "true"', '"true"', 'not `"true"`: write `true`'),
        ("read_only: maybe", "maybe", "not `maybe`: write one of them"),
        ("read_only: ~", "~", "not `~`: write one of them"),
        ("read_only:", "read_only", "has no value: write `true` or `false`, or remove the key"),
        ("read_only: [true]", "[true]", "not a list"),
        ("allow_list: wait, send_input", "wait, send_input", "write `[wait, send_input]`"),
        ("allow_list: wait", "wait", "must be a list, not `wait`: write `[wait]`"),
        ('deny_list: "*"', '"*"', 'write `["*"]`'),
        ("allow_list: true", "true", "must be a list, not `true`: remove the key"),
        ("allow_list: Bash(git *), Read", "Bash(git *), Read", "write each item on its own line"),
        ("allow_list:\n  -wait\n  -shell", "-wait\n  -shell", "write a space after each `-`"),
        ("allow_list: {wait: true}", "{wait: true}", "must be a list, not a mapping"),
        (
            "allow_list:\n  - mcp:",
            "mcp:",
            "an item of `allow_list` must be a string, not a mapping",
        ),
        ("deny_list: [[wait]]", "[wait]", "an item of `deny_list` must be a string, not a list"),
        ("model: [x]", "[x]", "`model` must be a string, not a list: write `x`"),
        ("model: {{x}}", "{{x}}", "`model` must be a string, not a mapping"),
        ("reasoning_effort: [high]", "[high]", "must be one word, not a list: write `high`"),
        ("agent_names: strict", "strict", "must be a list of mappings, not `strict`"),
        ("agent_names: [strict]", "strict", "must be a mapping, not `strict`: write `{name: s"),
        ("agent_names:\n  strict: x", "strict: x", "must be a list of mappings, not a mapping"),
        ("model: !!null x", "!!null x", "the tag does not fit"),
        ("? [a]\n: b", "[a]", "a key must be a string, not a list"),
    ],
)
def test_a_wrong_type_says_what_to_write(header: Check, lines: str, at: str, words: str) -> None:
    [said] = header(lines)
    assert (said.code, said.at, said.severity) == ("wrong-type", at, "error")
    assert words in said.message
    assert REFUSED in said.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("description:x", "must be a mapping, not `description:x`: write a space after"),
        ("- a", "the header must be a mapping, not a list"),
        ("~", "the header must be a mapping, not `~`"),
        ("You review.", "not `You review.`: write `description: …` and a line `---` above it"),
        ("- description: x\n- model: y", "not a list: remove each `- ` before a key"),
    ],
)
def test_a_header_that_is_no_mapping_is_one_finding(check: Check, text: str, words: str) -> None:
    [said] = check(f"---\n{text}\n---\nYou review.\n")
    assert (said.code, said.at) == ("wrong-type", text)
    assert words in said.message


@pytest.mark.parametrize("lines", ["read_only: TRUE", "model: 5", "model: ~", "deny_list:"])
def test_what_the_runtime_converts_is_no_wrong_type(header: Check, lines: str) -> None:
    assert header(lines) == []


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("High", "cannot be `High` (did you mean `high`?): write `none`, `minimal`"),
        ("x-high", "did you mean `xhigh`?"),
        ("max", "cannot be `max`: write `none`, `minimal`, `low`, `medium`, `high` or `xhigh`"),
        ("''", "cannot be empty"),
        ("' high '", "cannot be `high` with spaces or line ends around it: write `high`, or"),
        ("3", "cannot be `3`"),
        ("true", "cannot be `true`"),
    ],
)
def test_an_invalid_value_lists_the_words(header: Check, word: str, words: str) -> None:
    [said] = header(f"reasoning_effort: {word}")
    assert (said.code, said.at, said.severity) == ("invalid-value", word, "error")
    assert words in said.message
    assert REFUSED in said.message


def test_the_value_of_a_persona_is_checked_too(check: Check) -> None:
    item = "  - {name: a, description: b, reasoning_effort: Low}\n"
    text = f"---\ndescription: x\nagent_names:\n{item}"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at) == ("invalid-value", "Low")


def test_a_repeated_key_leads_to_the_first_one(header: Check) -> None:
    said = header('model: x\n"model": y\nmodel: z')
    assert [(one.code, one.at, one.related) for one in said] == [
        ("duplicate-key", '"model"', ("model",)),
        ("duplicate-key", "model", ("model",)),
    ]
    assert all(one.message.startswith("`model` is set twice: remove one") for one in said)
    first = {one.diagnostic.related[0].span for one in said}
    assert len(first) == 1
    assert first.pop() < said[0].diagnostic.span


def test_a_key_may_be_repeated_in_another_persona(check: Check) -> None:
    text = "---\ndescription: x\nagent_names:\n  - name: a\n    description: b\n    name: c\n"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at) == ("duplicate-key", "name")


def test_an_unknown_key_may_be_repeated(header: Check) -> None:
    assert {one.code for one in header("color: red\ncolor: blue")} == {"unknown-key"}


@pytest.mark.parametrize(
    ("item", "at", "words"),
    [
        ("- description: x", "description", "this item of `agent_names` has no `name`: add it"),
        ("-", "-", "this item of `agent_names` has no `name`: remove it"),
        ("- {}", "{}", "this item of `agent_names` has no `name`"),
        ("- nmae: a", "nmae", "has `nmae` and lacks `name`: write `name`"),
        ("- Name: a", "Name", "has `Name` and lacks `name`: write `name`"),
    ],
)
def test_a_persona_without_a_name_is_one_finding(
    header: Check, item: str, at: str, words: str
) -> None:
    [said] = header(f"agent_names:\n  {item}")
    assert (said.code, said.at, said.severity) == ("missing-key", at, "error")
    assert words in said.message
    assert REFUSED in said.message


def test_each_wrong_value_of_a_header_is_a_finding_of_its_own(header: Check) -> None:
    said = header("read_only: yes\nreasoning_effort: High\nallow_list: wait\nmodle: x")
    assert [one.code for one in said] == [
        "wrong-type",
        "invalid-value",
        "wrong-type",
        "unknown-key",
    ]
