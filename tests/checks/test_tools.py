"""An entry is judged by what can be known: certain mistakes, unknown names, and silence."""

import pytest

from agent_lsp.options import Extras, Options
from tests.checks.conftest import Check


@pytest.mark.parametrize(
    ("entry", "fix"),
    [
        ("aply_patch", "did you mean `apply_patch`?"),
        ("WebSearch", "did you mean `web_search`?"),
        ("Exec_Command", "case matters; did you mean `exec_command`?"),
        ("Exec_*", "case matters; did you mean `exec_*`?"),
        ("MCP__github__*", "case matters; did you mean `mcp__github__*`?"),
        ("exec_.*", "regular expressions are not supported; did you mean `exec_*`?"),
        ("^exec_command$", "are not supported; did you mean `exec_command`?"),
        ("list_\\w+", "are not supported; did you mean `list_*`?"),
        ("mcp__github__.*", "are not supported; did you mean `mcp__github__*`?"),
        ("(exec|write)_.*", "regular expressions are not supported"),
        ("exec_command|wait", "regular expressions are not supported"),
        ("[a-z]+", "regular expressions are not supported"),
        (".*", "regular expressions are not supported; did you mean `*`?"),
        ("Bash(git *)", "an entry takes no arguments and covers the whole tool"),
        ("exec_command, wait", "write each tool as a separate item"),
        ("exec_command wait", "write each tool as a separate item"),
        ("exec_command,", "did you mean `exec_command`?"),
        ("!wait", "a leading `!` negates nothing"),
        ("“wait”", "the quotes are part of the name; write `wait`"),
        ("`wait`", "the quotes are part of the name; write `wait`"),
        ("exec_command - wait", "write each tool as a separate item"),
    ],
)
@pytest.mark.parametrize(("key", "effect"), [("allow_list", "allows"), ("deny_list", "denies")])
def test_a_certain_mistake_is_a_warning(
    header: Check, key: str, effect: str, entry: str, fix: str
) -> None:
    written = f"'{entry}'"
    [said] = header(f"{key}:\n  - update_plan\n  - {written}")
    assert (said.code, said.at, said.severity) == ("unknown-tool", written, "warning")
    assert f"it {effect} nothing" in said.message
    assert said.message.endswith(fix)


def test_a_sign_that_nobody_can_see_is_shown(header: Check) -> None:
    [said] = header("deny_list: [exec_command\u200b]")
    assert said.message.startswith("unknown tool `exec_command<U+200B>`: it denies nothing, so")
    [said] = header("exec\u00a0command: x")
    assert "`exec<U+00A0>command`" in said.message


@pytest.mark.parametrize(
    ("entries", "loss"),
    [
        ("aply_patch", "it denies nothing, so the agent keeps the tool; did you"),
        ("Apply_Patch", "it denies nothing, so the agent keeps the tool; case matters"),
        ("Web_*", "it denies nothing, so the agent keeps the tool; case matters"),
        ("List_*", "it denies nothing, so the agent keeps the tools; case matters"),
        ("'exec_command, wait'", "it denies nothing, so the agent keeps the tools; write each"),
        ("exec_command(git *)", "it denies nothing, so the agent keeps the tool; an entry takes"),
        ("^exec_.*", "it denies nothing, so the agent keeps the tool; regular"),
        ("aply_patch, apply_patch", "it denies nothing; did you"),
        ("aply_patch, apply_*", "it denies nothing; did you"),
        ("'!wait'", "it denies nothing; a leading"),
    ],
)
def test_a_denied_tool_that_is_misspelt_stays(header: Check, entries: str, loss: str) -> None:
    [said] = header(f"deny_list: [{entries}]")
    assert (said.code, said.severity) == ("unknown-tool", "warning")
    assert loss in said.message


def test_a_tool_that_is_not_allowed_does_not_stay(header: Check) -> None:
    [said] = header("allow_list: [wait]\ndeny_list: [aply_patch]")
    assert "it denies nothing; did you mean `apply_patch`?" in said.message


@pytest.mark.parametrize(
    ("items", "deeper"),
    [
        ("- exec_command\n    - wait", "`wait`"),
        ("- exec_command\n     - wait\n     - shell", "`wait` and `shell`"),
        ("- mcp__github__*\n    - wait", "`wait`"),
    ],
)
def test_an_item_that_is_indented_deeper_is_part_of_the_one_above(
    header: Check, items: str, deeper: str
) -> None:
    [said] = header(f"allow_list:\n  {items}")
    assert (said.at, said.severity) == (items.removeprefix("- "), "warning")
    assert "it allows nothing, so the agent has no tools; " in said.message
    fix = f"the `-` before {deeper} is indented deeper, so this is one item; align the items"
    assert said.message.endswith(fix)


@pytest.mark.parametrize("item", ["wait\n    -", "- -\n    -", "','", "wait\n    - - -"])
def test_a_dash_or_a_comma_without_a_name_is_no_tool(header: Check, item: str) -> None:
    said = header(f"allow_list:\n  - exec_command\n  - {item}")
    assert {one.code for one in said} <= {"unknown-tool", "wrong-type"}
    assert all("``" not in one.message for one in said)


@pytest.mark.parametrize("entry", ["Bash", "Read", "send_email", "email_*", "null", "e?ail", "git"])
def test_any_other_unknown_name_is_information(header: Check, entry: str) -> None:
    [said] = header(f"allow_list: [wait, {entry}]")
    assert (said.code, said.at, said.severity) == ("unknown-tool", entry, "information")
    assert said.message.endswith("unless the runtime has a tool of this name")


def test_an_unknown_name_that_another_entry_covers_is_no_finding_of_its_own(header: Check) -> None:
    [said] = header('deny_list: ["*_patch", aply_patch]')
    assert (said.code, said.at) == ("redundant-entry", "aply_patch")


@pytest.mark.parametrize(
    "entry",
    [
        "mcp__github__create_issue",
        "mcp__github__*",
        "mcp*",
        "mcp:*",
        "m*",
        '"*_issue"',
        '"?_x"',
        "github__create_issue",
        "github__*",
    ],
)
def test_nothing_is_said_of_what_a_server_could_give_a_meaning_to(
    header: Check, entry: str
) -> None:
    assert header(f"allow_list: [{entry}]") == []
    assert header(f"deny_list: [{entry}]") == []


@pytest.mark.parametrize(
    "entry", ["exec_command", "container.exec", "w?it", "list_*", "container.*", " wait ", "''"]
)
def test_nothing_is_said_of_what_covers_a_known_tool(header: Check, entry: str) -> None:
    assert header(f"allow_list:\n  - update_plan\n  - {entry}") == []


def test_nothing_is_said_of_allowing_every_tool(header: Check) -> None:
    assert header('allow_list: ["*"]') == []


@pytest.mark.parametrize("entry", ["acme_sync", "acme_*", "acme_db_*", "Deploy"])
def test_nothing_is_said_of_a_tool_that_the_user_vouches_for(header: Check, entry: str) -> None:
    options = Options(extras={"codex-templates": Extras(tools=("acme_*", "Deploy"))})
    assert header(f"allow_list: [{entry}]", options) == []
    assert header("allow_list: [Depoly]", options)[0].message.endswith("did you mean `Deploy`?")


def test_entries_are_judged_beside_a_wrong_type_and_a_broken_line(header: Check) -> None:
    said = header("read_only: yes\nallow_list: [aply_patch]")
    assert [one.code for one in said] == ["wrong-type", "unknown-tool"]
    said = header("model: a: b\nallow_list: [aply_patch]\ndeny_list: [aply_patch]")
    codes = ["header-invalid", "unknown-tool", "allowed-and-denied", "unknown-tool"]
    assert [one.code for one in said] == codes


@pytest.mark.parametrize(
    ("allowed", "denied"),
    [
        ("wait", "wait"),
        ("wait", "w?it"),
        ("wait", '"*t"'),
        ("mcp__*", "mcp__*"),
        ("mcp__github__*", "mcp__*"),
        ("mcp__github__*_issue", "mcp__*"),
        ("mcp__?__x", "mcp__*__x"),
        ("mcp__a?*", "mcp__a*"),
        ("mcp__a*b", "mcp__*b"),
        ("mcp__**", "mcp__*"),
    ],
)
def test_an_allowed_entry_of_which_nothing_is_left_is_a_hint(
    header: Check, allowed: str, denied: str
) -> None:
    [said] = header(f"allow_list: [exec_command, {allowed}]\ndeny_list: [{denied}]")
    assert (said.code, said.at, said.severity) == ("allowed-and-denied", allowed, "hint")
    assert said.related == (denied,)
    assert [tag.name for tag in said.diagnostic.tags] == ["UNNECESSARY"]


@pytest.mark.parametrize(
    ("allowed", "denied"),
    [
        ("mcp__*", "mcp__github__*"),
        ("mcp*", "mcp__*"),
        ("mcp__*", "mcp__?"),
        ("mcp__*", "mcp__?*"),
        ("mcp__a*", "mcp__?a*"),
        ("mcp__*b", "mcp__*?b"),
        ("mcp__*a*", "mcp__a*"),
        ("wait", "waits"),
        ("wait", "update_plan"),
    ],
)
def test_an_allowed_entry_of_which_something_is_left_is_not(
    header: Check, allowed: str, denied: str
) -> None:
    said = header(f"allow_list: [{allowed}]\ndeny_list: [{denied}]")
    assert "allowed-and-denied" not in {one.code for one in said}
