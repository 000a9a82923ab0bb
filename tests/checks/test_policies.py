"""What is said about a policy as a whole is what the runtime makes of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.checks import tool_policy
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.checks.conftest import Check, Said
from tests.effort import examples
from tests.fixture import Fixture, fixture
from tests.recorded import each

CONFORMANCE = Path(__file__).parents[1] / "conformance" / "codex-templates.jsonl"
KNOWN = tuple(tool.name for tool in DIALECT.tools.listed)
# Names of every kind: known ones, those of servers, and such as only a dynamic tool has.
NAMES = (*KNOWN, "mcp__github__merge", "mcp__a__b", "send_email", "a", "ab", "__x")


def those(said: list[Said], code: str) -> list[Said]:
    return [one for one in said if one.code == code]


# Redundant entries.


@pytest.mark.parametrize("key", ["allow_list", "deny_list"])
@pytest.mark.parametrize(
    ("entries", "superfluous", "because"),
    [
        ("wait, wait", "wait", "wait"),
        ("wait, ' wait '", "' wait '", "wait"),
        ("wait, w*", "wait", "w*"),
        ("w*, wait", "wait", "w*"),
        ("exec_*, exec_c*", "exec_c*", "exec_*"),
        ("exec_c*, exec_*", "exec_c*", "exec_*"),
        ("mcp__a__*, mcp*", "mcp__a__*", "mcp*"),
        ("mcp__a__?, mcp__*", "mcp__a__?", "mcp__*"),
        ("exec_*, exec_**", "exec_**", "exec_*"),
        ("exec_**, exec_*", "exec_*", "exec_**"),
    ],
)
def test_an_entry_that_another_one_covers_is_a_hint(
    header: Check, key: str, entries: str, superfluous: str, because: str
) -> None:
    [said] = header(f"{key}: [{entries}]")
    assert (said.code, said.at, said.severity) == ("redundant-entry", superfluous, "hint")
    assert said.related == (because,)
    assert [tag.name for tag in said.diagnostic.tags] == ["UNNECESSARY"]
    assert said.diagnostic.related[0].span != said.diagnostic.span


@pytest.mark.parametrize(
    "entries",
    ["wait, Wait_*", "wait, waits", "list_*, '*_agents'", "w?it, wai?", "mcp__?, mcp__??", "''"],
)
def test_entries_that_only_overlap_are_both_needed(header: Check, entries: str) -> None:
    said = header(f"allow_list: [{entries}]\ndeny_list: [exec_command]")
    assert those(said, "redundant-entry") == []


def test_the_same_entry_in_both_lists_is_not_redundant(header: Check) -> None:
    said = header("allow_list: [wait, exec_command]\ndeny_list: [wait]")
    assert [one.code for one in said] == ["allowed-and-denied"]


def test_repetitions_behind_an_alias_are_found_where_they_stand(header: Check) -> None:
    [said] = header("allow_list: [&w wait, *w]")
    assert (said.code, said.at, said.related) == ("redundant-entry", "*w", ("&w wait",))


ENTRY = st.text("ab_*?", min_size=1, max_size=5)


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> TemplateFile:
    written = fixture(tmp_path_factory.mktemp("some"), "---\ndescription: x\n---\nYou.\n")
    found = template_file(written.workspace, written.path)
    assert found is not None
    return found


@settings(max_examples=examples(1000), deadline=None)
@given(broad=ENTRY, narrow=ENTRY, name=st.text("ab_", min_size=1, max_size=7))
def test_what_is_covered_matches_no_name_that_its_cover_does_not(
    some: TemplateFile, broad: str, narrow: str, name: str
) -> None:
    if tool_policy.covers(some, broad, narrow) and DIALECT.tools.matches(narrow, name):
        assert DIALECT.tools.matches(broad, name)


# No tools.


@pytest.mark.parametrize(
    ("lines", "at", "severity", "words"),
    [
        ("deny_list: ['*']", "'*'", "information", "`*` denies every tool: the agent has no tools"),
        ("deny_list: ['?*']", "'?*'", "information", "`?*` denies every tool"),
        ("allow_list: [wait]\ndeny_list: ['*']", "'*'", "warning", "whatever `allow_list` says"),
        ("allow_list: [wait]\ndeny_list: [w*]", "allow_list", "warning", "each entry of `allow_l"),
        ("allow_list: [Bash, Read]", "allow_list", "warning", "no entry of `allow_list` covers a"),
        ("allow_list: [Bash]", "allow_list", "warning", "unless the runtime has more than are"),
        ("allow_list: [wait, x]\ndeny_list: [wait]", "allow_list", "warning", "tool that is not d"),
        ("allow_list: [mcp__x]\ndeny_list: [mcp*]", "allow_list", "warning", "each entry"),
    ],
)
def test_a_policy_that_leaves_nothing_is_one_finding(
    header: Check, lines: str, at: str, severity: str, words: str
) -> None:
    [said] = header(lines)
    assert (said.code, said.at, said.severity) == ("no-tools", at, severity)
    assert words in said.message


@pytest.mark.parametrize(
    "lines",
    [
        "allow_list: [mcp__github__*]",
        "allow_list: [mcp*]\ndeny_list: [mcp__a__*]",
        "allow_list: ['*_issue']",
        "allow_list: [github__search]",
        "allow_list: ['*']\ndeny_list: [exec_command]",
        "allow_list: [list_*]\ndeny_list: [list_agents, list_dir, list_active_agents, list_mcp*]",
        "deny_list: ['?']",
        "deny_list: ['?', '??*']",
        "deny_list: ['*_*']",
        "allow_list: [wait, Bash]",
    ],
)
def test_nothing_is_said_where_an_entry_could_leave_a_tool(header: Check, lines: str) -> None:
    assert those(header(lines), "no-tools") == []


def test_a_tool_that_the_user_vouches_for_is_one(header: Check) -> None:
    options = Options(extras={"codex-templates": Extras(tools=("acme_*", "Deploy"))})
    assert header("allow_list: [acme_sync]", options) == []
    assert header("allow_list: [Deploy]", options) == []


def test_a_misspelt_entry_that_leaves_nothing_says_so_itself(header: Check) -> None:
    said = header("allow_list: [Bash, aply_patch]")
    assert [(one.code, one.severity) for one in said] == [
        ("unknown-tool", "information"),
        ("unknown-tool", "warning"),
    ]
    assert "it allows nothing, so the agent has no tools; did you mean" in said[1].message
    assert "has no tools" not in header("allow_list: [wait, aply_patch]")[0].message


def test_denied_entries_lead_to_what_denies_them(header: Check) -> None:
    [said] = header("allow_list: [wait, shell, web_search]\ndeny_list: [w*, shell]")
    assert sorted(said.related) == ["shell", "w*"]


# Empty lists.


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        (" []", "warning"),
        (" ['', ' ']", "warning"),
        ("\n  -\n  - ''", "warning"),
        ("", "information"),
        (" ~", "information"),
        (" null", "information"),
        (" # exec_command", "information"),
        ("\n#  - exec_command", "information"),
    ],
)
def test_an_allow_list_without_entries_allows_everything(
    header: Check, value: str, severity: str
) -> None:
    [said] = header(f"allow_list:{value}")
    assert (said.code, said.at, said.severity) == ("empty-allow-list", "allow_list", severity)
    assert "the agent gets every tool" in said.message
    assert "that is not denied" not in said.message
    [beside] = header(f"allow_list:{value}\ndeny_list: [wait]")
    assert "the agent gets every tool that is not denied" in beside.message


@pytest.mark.parametrize("value", ["", " []", " ['']", " ~"])
def test_an_empty_deny_list_is_harmless(header: Check, value: str) -> None:
    assert header(f"deny_list:{value}") == []


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("allow_list: []\nallow_list: [wait]", "duplicate-key"),
        ("allow_list: [[wait]]", "wrong-type"),
        ("allow_list: ''", "wrong-type"),
        ("allow_list: []\ndeny_list: ['*']", "no-tools"),
        ("allow_list:\n  - !wait", "lost-text"),
        ("allow_list: [", "header-invalid"),
    ],
)
def test_an_empty_list_of_which_something_else_is_said_is_no_second_finding(
    header: Check, lines: str, code: str
) -> None:
    assert [one.code for one in header(lines)] == [code]


# All of it against what the dialect answers.


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), "x\n")


@each(map(json.loads, CONFORMANCE.read_text(encoding="utf-8").splitlines()))
def test_the_effective_tools_bear_out_what_is_said(case: dict[str, Any], written: Fixture) -> None:
    text = case["text"].rstrip("\n")
    written.workspace.files.open(written.path, f"---\n{text}\n---\nYou.\n")
    file = template_file(written.workspace, written.path)
    assert file is not None
    codes = {one.code for one in diagnostics(written.workspace, written.path)}
    tools = DIALECT.tools.toolset(replace(file.reading, effective=file.reading.declared), NAMES, 1)
    if "no-tools" in codes:
        assert not [kept.tool for kept in tools.kept if kept.tool in KNOWN]
        assert not tools.open_patterns
    if "empty-allow-list" in codes:
        assert {gone.reason.split()[0] for gone in tools.removed} <= {"denied"}
    for holds in tool_policy.LISTS:
        for entry, other in tool_policy.covering(file)[holds]:
            covered = [name for name in NAMES if DIALECT.tools.matches(entry.text, name)]
            assert all(DIALECT.tools.matches(other.text, name) for name in covered)
