"""Which tools an agent keeps, and what can be told of those that nobody can list here."""

import re

import pytest

from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.model import template
from agent_lsp.model.runtime import Verdict
from agent_lsp.model.template import Reading
from agent_lsp.syntax import document

TOOLS = ("exec_command", "apply_patch", "wait", "spawn_agent", "list_agents")


def read(header: str) -> Reading:
    return DIALECT.format.read(
        document.parse(f"---\n{header}\n---\nbody\n", DIALECT.format.split), "reviewer"
    )


def verdicts(header: str, depth: int = 1) -> dict[str, tuple[bool, str]]:
    found = DIALECT.tools.toolset(read(header), TOOLS, depth).verdicts
    return {verdict.tool: (verdict.kept, verdict.reason) for verdict in found}


def kept(header: str, depth: int = 1) -> tuple[str, ...]:
    return tuple(tool for tool, (is_kept, _) in verdicts(header, depth).items() if is_kept)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("description: d", TOOLS),
        ("allow_list: []", TOOLS),
        ("allow_list:", TOOLS),
        ("allow_list: ['', ' ']", TOOLS),
        ("allow_list: [wait, exec_command]", ("exec_command", "wait")),
        ("allow_list: [' wait ']", ("wait",)),
        ("allow_list: [Wait]", ()),
        ("allow_list: ['w?it']", ("wait",)),
        ("allow_list: ['?wait']", ()),
        ("allow_list: ['*_agent*']", ("spawn_agent", "list_agents")),
        ("allow_list: ['.*']", ()),
        ("deny_list: [wait]", ("exec_command", "apply_patch", "spawn_agent", "list_agents")),
        ("allow_list: ['*']\ndeny_list: ['*_*']", ("wait",)),
        ("allow_list: [wait]\ndeny_list: [wait]", ()),
    ],
)
def test_lists_decide_by_whole_names_and_globs_and_deny_wins(
    header: str, expected: tuple[str, ...]
) -> None:
    assert kept(header) == expected


def test_each_verdict_names_the_entry_that_decided() -> None:
    header = "allow_list: ['*', wait]\ndeny_list: ['exec_*', apply_patch, 'apply*']"

    assert verdicts(header) == {
        "exec_command": (False, "denied by `exec_*`"),
        "apply_patch": (False, "denied by `apply_patch`"),
        "wait": (True, "allowed by `wait`"),
        "spawn_agent": (True, "allowed by `*`"),
        "list_agents": (True, "allowed by `*`"),
    }
    assert verdicts("allow_list: [wait]")["apply_patch"] == (False, "not in `allow_list`")
    assert verdicts("deny_list: [wait]")["apply_patch"] == (
        True,
        "no `allow_list`: every tool that is not denied",
    )


def test_an_entry_is_named_by_its_place_in_the_file() -> None:
    text = "---\nallow_list:\n  - ' wait '\n---\nbody\n"
    reading = DIALECT.format.read(document.parse(text, DIALECT.format.split), "reviewer")

    verdict = DIALECT.tools.toolset(reading, ("wait",), 1).verdicts[0]

    assert isinstance(verdict, Verdict)
    assert verdict.entry is not None
    assert verdict.entry.of(text) == "' wait '"


def test_at_depth_2_no_list_gives_the_collaboration_tools() -> None:
    assert kept("allow_list: ['*']", 1) == TOOLS
    assert kept("allow_list: ['*']", 2) == ("exec_command", "apply_patch")
    reason = "an agent at depth 2 has no collaboration tools"
    assert verdicts("allow_list: [spawn_agent]", 2)["spawn_agent"] == (False, reason)


def test_a_header_that_is_refused_restricts_nothing() -> None:
    assert kept("allow_list: wait") == TOOLS
    assert not DIALECT.tools.toolset(read("allow_list: wait"), TOOLS, 1).restricted
    assert DIALECT.tools.toolset(read("deny_list: [wait]"), TOOLS, 1).restricted


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("mcp__github__get_issue", True),
        ("mcp__*", True),
        ("mcp*", True),
        ("m*", True),
        ("mcp?_x", True),
        ("mcp", False),
        ("mcp_github", False),
        ("mcp:*", False),
        ("*", False),
        ("*_agent", False),
        ("list_*", False),
        ("wait", False),
        ("", False),
    ],
)
def test_entries_about_mcp_tools_cannot_be_judged(entry: str, expected: bool) -> None:
    assert DIALECT.tools.cannot_tell(entry) is expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("description: d", ("mcp__*",)),
        ("deny_list: ['mcp*']", ()),
        ("deny_list: ['*']", ()),
        ("deny_list: ['mcp__github__*']", ("mcp__*",)),
        ("allow_list: [wait, 'list_*', 'mcp:*']", ()),
        ("allow_list: ['*']", ("*",)),
        ("allow_list: ['*_agent']", ("*_agent",)),
        ("allow_list: [mcp__a__b, 'mcp__c__*']", ("mcp__a__b", "mcp__c__*")),
        ("allow_list: ['mcp*']\ndeny_list: ['mcp__*']", ()),
        ("allow_list: ['*']\ndeny_list: ['mcp__*']", ()),
        ("allow_list: ['mcp__a__*']\ndeny_list: ['mcp__a*']", ()),
        ("allow_list: ['mcp__a*']\ndeny_list: ['mcp__a__*']", ("mcp__a*",)),
        ("allow_list: ['mcp__*']\ndeny_list: ['mcp__?']", ("mcp__*",)),
        ("allow_list: ['mcp__a?']\ndeny_list: ['mcp__a?']", ()),
        ("allow_list: ['mcp__a?']\ndeny_list: ['mcp__ab']", ("mcp__a?",)),
        ("allow_list: [mcp__a__b]\ndeny_list: [mcp__a__b]", ()),
        ("allow_list: ['mc?*']\ndeny_list: ['mcp__*']", ()),
    ],
)
def test_what_may_admit_mcp_tools_is_told_unless_all_of_them_are_denied(
    header: str, expected: tuple[str, ...]
) -> None:
    assert DIALECT.tools.toolset(read(header), TOOLS, 1).open_patterns == expected


def test_what_a_tool_is_for_completes_a_sentence() -> None:
    """Hover says `It …`."""
    assert [
        tool.name for tool in DIALECT.tools.listed if not re.match(r"[a-z]+s ", tool.meaning)
    ] == []


def test_only_some_tools_are_in_every_session() -> None:
    assert [tool.name for tool in DIALECT.tools.listed if not tool.condition] == [
        "update_plan",
        "view_image",
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "read_mcp_resource",
    ]


def test_a_kept_tool_comes_with_its_condition_and_a_removed_one_without() -> None:
    found = DIALECT.tools.toolset(read("allow_list: [wait]"), ("wait", "spawn_agent"), 1)

    assert [verdict.condition for verdict in found.verdicts] == ["the feature `collab` is on", ""]


STAND_IN = template.ShippedStandIn("a", "deny_list", "mcp__*", "some names")


@pytest.mark.parametrize(
    ("header", "tool", "expected"),
    [
        ("deny_list: ['mcp__*']", "mcp__x__y", ("cannot tell: `mcp__*` stands in for some names")),
        ("deny_list: ['mcp__*', mcp__x__y]", "mcp__x__y", "denied by `mcp__x__y`"),
        ("deny_list: ['mcp__*']\nallow_list: [wait]", "mcp__x__y", "not in `allow_list`"),
        ("deny_list: ['mcp__*']", "wait", "no `allow_list`: every tool that is not denied"),
        ("deny_list: ['mcp*']", "mcp__x__y", "denied by `mcp*`"),
    ],
)
def test_a_stand_in_leaves_open_only_what_nothing_else_decides(
    header: str, tool: str, expected: str
) -> None:
    marked = template.mark(read(header), (STAND_IN,), "a")

    [verdict] = DIALECT.tools.toolset(marked, (tool,), 1).verdicts

    assert verdict.reason == expected
    assert verdict.certain is not expected.startswith("cannot tell")


def test_a_stand_in_is_one_of_its_template_alone() -> None:
    plain = read("deny_list: ['mcp__*']")

    assert template.mark(plain, (STAND_IN,), "b") is plain
    assert list(template.shipped_stand_ins(plain.effective.settings)) == []
    assert template.mark(plain, (STAND_IN,), "a") != plain
