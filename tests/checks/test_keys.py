"""An ignored key is a warning only where the author gets something else than the file says."""

import pytest

from agent_lsp.options import Extras, Options
from tests.checks.conftest import Check


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("modle", "did you mean `model`?"),
        ("Model", "did you mean `model`?"),
        ("reasoningEffort", "did you mean `reasoning_effort`?"),
        ("allow-list", "so it limits no tools; did you mean `allow_list`?"),
        ("allowlist", "so it limits no tools; did you mean `allow_list`?"),
        ("denyList", "so it denies no tools; did you mean `deny_list`?"),
        ("readOnly", "so it restricts no sandbox; did you mean `read_only`?"),
        ("tools", "so it limits no tools; its name here is `allow_list`"),
        ("allowed-tools", "so it limits no tools; its name here is `allow_list`"),
        ("AllowTools", "so it limits no tools; its name here is `allow_list`"),
        ("permissionMode", "so it limits no tools; its name here is `allow_list`"),
        ("disallowedTools", "so it denies no tools; its name here is `deny_list`"),
        ("tool_denylist", "so it denies no tools; its name here is `deny_list`"),
        ("sandbox_mode", "so it restricts no sandbox; its name here is `read_only`"),
    ],
)
def test_a_key_that_loses_its_effect_is_a_warning(header: Check, key: str, words: str) -> None:
    [said] = header(f"{key}: x")
    assert (said.code, said.at, said.severity) == ("unknown-key", key, "warning")
    assert said.message == f"unknown key `{key}`: the runtime ignores it{_joined(words)}"


def _joined(words: str) -> str:
    return f", {words}" if words.startswith("so ") else f"; {words}"


@pytest.mark.parametrize(
    "key", ["version", "author", "color", "mode", "tags", "skills", "1.5", "'a b'", "mcpServers"]
)
def test_any_other_key_is_information(header: Check, key: str) -> None:
    [said] = header(f"{key}: x")
    assert (said.code, said.severity) == ("unknown-key", "information")
    assert said.message.endswith("the runtime ignores it")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("effort", "its name here is `reasoning_effort`"),
        ("personas", "its name here is `agent_names`"),
        ("name", "the agent is called `reviewer`, after its file"),
    ],
)
def test_a_key_of_another_system_is_information_with_the_way_here(
    header: Check, key: str, words: str
) -> None:
    [said] = header(f"{key}: x")
    assert (said.severity, said.message.partition("; ")[2]) == ("information", words)


@pytest.mark.parametrize("lines", ["x-team: y", "x_team: y", "# a comment", "model: x"])
def test_private_and_known_keys_are_not_reported(header: Check, lines: str) -> None:
    assert header(lines) == []


def test_a_key_that_the_user_vouches_for_is_not_reported_at_any_level(check: Check) -> None:
    text = "---\ndescription: x\nmode: y\nagent_names:\n  - {name: a, description: b, mode: z}\n"
    options = Options(extras={"codex-templates": Extras(keys=("mode",))})
    assert check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n", options) == []


def test_who_sets_the_own_key_too_writes_for_two_systems(header: Check) -> None:
    [said] = header("tools: x\nallow_list: [wait]")
    assert said.severity == "information"
    [said] = header("Model: x\nmodel: y")
    assert (said.at, said.severity) == ("Model", "information")


@pytest.mark.parametrize(
    ("key", "effect"),
    [
        ("allow_list", "limits no tools"),
        ("deny_list", "denies no tools"),
        ("read_only", "restricts no sandbox"),
        ("tools", "limits no tools"),
    ],
)
def test_a_policy_inside_of_a_persona_is_a_warning(check: Check, key: str, effect: str) -> None:
    item = f"  - name: a\n    description: b\n    {key}: [wait]\n"
    text = f"---\ndescription: x\nagent_names:\n{item}"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at, said.severity) == ("unknown-key", key, "warning")
    assert said.message == (
        f"the runtime ignores `{key}` in a persona, so it {effect}; set it for the role"
    )


def test_merged_settings_are_lost_and_a_merge_of_nothing_known_is_not(header: Check) -> None:
    said = header("base: &b {deny_list: [wait]}\n<<: *b")
    assert [(one.at, one.severity) for one in said] == [("<<", "warning")]
    assert "merge keys are not resolved, so `deny_list` from `<<` has no effect" in said[0].message
    assert header("<<: {color: red}")[0].severity == "information"


@pytest.mark.parametrize(
    "lines",
    [
        "base: &x [wait]\nallow_list: *x",
        "base:\n  tools: &x [wait]\nallow_list: *x",
        "base:\n  - &x wait\nallow_list:\n  - *x",
        "tools: &x [wait]\nallow_list: *x",
    ],
)
def test_a_key_that_holds_an_anchor_for_another_place_is_not_reported(
    header: Check, lines: str
) -> None:
    assert header(lines) == []


@pytest.mark.parametrize(
    ("lines", "at", "severity"),
    [
        ("base: &x [wait]", "base", "information"),
        ("base:\n  - &x wait\n  - *x", "base", "information"),
        ("allow-list: &x [wait]\ndeny_list: *x", "allow-list", "warning"),
        ("tools: &x [wait]\ndeny_list: *x", "tools", "warning"),
    ],
)
def test_an_anchor_that_nothing_else_uses_or_that_loses_its_effect_is(
    header: Check, lines: str, at: str, severity: str
) -> None:
    [said] = header(lines)
    assert (said.code, said.at, said.severity) == ("unknown-key", at, severity)


def test_a_misspelt_required_key_is_the_cause_and_the_only_finding(check: Check) -> None:
    [said] = check("---\nDescription: x\n---\nYou.\n")
    assert (said.code, said.at, said.severity) == ("missing-description", "Description", "error")
    text = "---\ndescription: x\nagent_name:\n  - {name: a, description: b}\n---\nYou.\n"
    [said] = check(f"{text}<!-- agent_name: a -->\nYou.\n")
    assert (said.code, said.at) == ("block-without-persona", "agent_name")
    assert said.message.endswith("did you mean `agent_names`?")


def test_the_cause_of_a_missing_key_is_told_beside_what_the_runtime_refuses(check: Check) -> None:
    said = check("---\ndesciption: x\nread_only: yes\n---\nYou.\n")
    assert [(one.code, one.at) for one in said] == [
        ("missing-description", "desciption"),
        ("wrong-type", "yes"),
    ]


def test_keys_are_not_judged_in_a_header_that_is_not_used_as_one(check: Check) -> None:
    assert [one.code for one in check("---\nmodle: a: b\n---\nYou.\n")] == ["header-invalid"]
    assert [one.code for one in check("---\nmodle: x\nYou.\n")] == ["header-unclosed"]
