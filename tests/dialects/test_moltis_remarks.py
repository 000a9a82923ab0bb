"""What is said about presets of Moltis, and above all what is not."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.model.schema import Severity
from tests.dialects.moltis import codes, said
from tests.fixture import fixture

PRESET = "[agents.presets.scout]\n"
TODAY = f'{PRESET}identity.theme = "calm"\n'
GUARD = '[tools.policy]\nprofile = "minimal"\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[server]\nport = 'x'\n[server.agents]\nmodle = 1\n",
        "[agents]\n",
        f"{PRESET}tools.allow = []\n",
        f'{PRESET}tools.allow = ["mcp__files__read"]\n',
        f'{PRESET}tools.allow = ["Read", "Glob"]\n',
        f'{PRESET}identity.name = "a"\nidentity.emoji = "🔍"\nsessions.can_send = false\n',
        f'{PRESET}identity.name = "a"\nidentity.creature = "owl"\n',
        f'{PRESET}model = "a-model-of-tomorrow"\n',
        f"{PRESET}timeout_secs = ${{LIMIT}}\n",
        "[agents]\nmulti_agent = true\n",
        "[agents.presets.research]\nmax_iterations = 3\n",
        f'[agents]\ndefault = "scout"\n{PRESET}',
        f'[agents]\ndefault = "research"\n{PRESET}',
        f'[agents]\ndefault_preset = "coder"\n{PRESET}',
        f'[agents]\ndefault = "${{PRESET}}"\n{PRESET}',
        f'{GUARD}{TODAY}tools.allow = ["Read"]\n',
        f'{TODAY}reasoning_effort = "max"\nsandbox.force = true\n',
    ],
)
def test_a_file_that_does_what_it_says_is_left_alone(text: str, tmp_path: Path) -> None:
    assert codes(tmp_path, text) == []


@pytest.mark.parametrize("told", ["", 'identity.vibe = "calm"\n', 'identity.theme = "calm"\n'])
def test_a_pattern_matches_no_tool_of_a_spawned_sub_agent(told: str, tmp_path: Path) -> None:
    """Only the policies of today's sessions read `*`; a spawn compares names exactly."""
    text = f'{PRESET}{told}tools.allow = ["mcp__files__*"]\ntools.deny = ["mcp__*"]\n{GUARD}'
    allowed, denied = said(tmp_path, text)

    assert "warning[no-effect] `mcp__files__*` matches no tool of a spawned sub-agent" in allowed
    assert allowed.endswith("the sub-agent is left without any tool")
    assert "warning[no-effect] `mcp__*` matches no tool of a spawned sub-agent" in denied


@pytest.mark.parametrize("told", ["", 'identity.vibe = "calm"\n'])
def test_tools_of_the_document_that_no_runtime_has_are_an_information(
    told: str, tmp_path: Path
) -> None:
    text = f'{PRESET}{told}tools.allow = ["exec", "read_file", "glob", "grep"]\n'
    found = said(tmp_path, text)

    assert [one.count("information[renamed-tool] no runtime has a tool") for one in found] == [
        1
    ] * 3
    assert "the current runtime calls it `Read`" in found[0]


def test_the_quick_start_of_the_document_is_quiet(tmp_path: Path) -> None:
    text = """
[agents.presets.researcher]
identity.name = "scout"
identity.emoji = "🔍"
model = "anthropic/claude-haiku-3-5-20241022"
tools.deny = ["exec", "write_file"]
system_prompt_suffix = "Find facts, and leave the files alone."

[agents.presets.coder]
identity.name = "forge"
identity.emoji = "⚡"
model = "anthropic/claude-sonnet-4-20250514"
tools.deny = ["spawn_agent"]
max_iterations = 50
"""
    assert said(tmp_path, text) == []


def test_each_fault_that_drops_the_file_is_marked_beside_what_else_is_wrong(tmp_path: Path) -> None:
    text = f'{PRESET}modle = "o3"\nmax_iterations = -1\ntools.deny = "exec"\n'

    assert codes(tmp_path, text) == ["unknown-key", "config-dropped", "config-dropped"]
    assert "`max_iterations` is `-1`" in said(tmp_path / "again", text)[1]


def test_a_syntax_error_outside_of_agents_is_said(tmp_path: Path) -> None:
    assert codes(tmp_path, f"[server]\nport = \n{PRESET}") == ["config-dropped"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ('modle = "o3"', "did you mean `model`?"),
        ('tools.alow = ["exec"]', "so it restricts no tools; did you mean `allow`?"),
        ('identity.nmae = "a"', "did you mean `name`?"),
    ],
)
def test_an_unknown_key_is_named_with_the_key_that_was_meant(
    line: str, hint: str, tmp_path: Path
) -> None:
    [only] = said(tmp_path, f"{PRESET}{line}\n")

    assert "warning[unknown-key]" in only
    assert only.endswith(hint)


def test_a_key_of_today_in_a_file_of_today_is_no_finding(tmp_path: Path) -> None:
    text = f"{TODAY}delegate_only = true\nmemory.scope = 'user'\nskills.allow = []\n"

    assert codes(tmp_path, text) == []


def test_a_key_of_the_other_generation_is_an_information(tmp_path: Path) -> None:
    [only] = said(tmp_path, f"{TODAY}sandbox.enabled = true\n")

    assert "information[other-generation]" in only
    assert only.endswith("and has `sandbox.mode`")


def test_a_tool_of_today_in_a_file_of_the_document_is_an_information(tmp_path: Path) -> None:
    text = f'{PRESET}identity.vibe = "calm"\ntools.deny = ["Read"]\n'

    assert codes(tmp_path, text) == ["other-generation"]


def test_an_unknown_tool_is_said_of_allow_and_of_deny(tmp_path: Path) -> None:
    text = (
        f'{PRESET}tools.allow = ["web_serach", "exec"]\n[agents.presets.b]\ntools.deny = ["exce"]\n'
    )
    allow, deny = said(tmp_path, text)

    assert allow.startswith("2:16 warning[unknown-tool] unknown tool `web_serach`")
    assert allow.endswith("the entry allows nothing; did you mean `web_search`?")
    assert deny.endswith("the entry denies nothing; did you mean `exec`?")


def test_denying_what_is_not_allowed_is_a_hint_unless_no_sub_agent_has_it(tmp_path: Path) -> None:
    text = f'{PRESET}tools.allow = ["exec"]\ntools.deny = ["cron", "spawn_agent"]\n'

    assert [line.split("]")[0] for line in said(tmp_path, text)] == ["3:15 hint[redundant-entry"]


def test_a_policy_that_leaves_nothing_is_a_warning(tmp_path: Path) -> None:
    text = f'{PRESET}tools.allow = ["exec"]\ntools.deny = ["exec"]\n'

    assert codes(tmp_path, text) == ["no-tools"]


def test_old_names_are_no_tools_today(tmp_path: Path) -> None:
    text = f'{GUARD}{TODAY}tools.allow = ["read_file"]\n'

    assert sorted(codes(tmp_path, text)) == ["renamed-tool"]


def test_the_main_session_is_spoken_of_once_and_only_today(tmp_path: Path) -> None:
    more = '[agents.presets.builder]\ntools.deny = ["cron"]\n'

    assert codes(tmp_path, f'{TODAY}tools.deny = ["exec"]\n{more}') == ["main-session-unprotected"]
    assert codes(tmp_path / "seed", f'{PRESET}tools.deny = ["exec"]\n{more}') == []


def test_a_server_that_no_file_configures_is_reported(tmp_path: Path) -> None:
    servers = "[mcp.servers.files]\ncommand = 'x'\n"
    text = f'{TODAY}mcp.allow_servers = ["flies", "files"]\n'

    [only] = said(tmp_path, f"{text}{servers}")
    assert "warning[unknown-server] no configuration has an MCP server `flies`" in only
    assert only.endswith("did you mean `files`?")
    assert codes(tmp_path / "none", text) == []


def test_only_delegating_fixes_the_tools(tmp_path: Path) -> None:
    text = f'{GUARD}{TODAY}delegate_only = true\ntools.allow = ["Read"]\n'

    [only] = said(tmp_path, text)
    assert only.startswith("6:7 warning[no-effect] no effect: with `delegate_only`")


def test_a_file_that_is_no_text_is_an_error_and_nothing_else(tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- moltis.toml\n{PRESET}")
    written.path.write_bytes(b'[agents.presets.scout]\nmodel = "\xff"\n')
    written.workspace.files.refresh()

    [found] = diagnostics(written.workspace, written.path)

    assert (found.code, found.severity) == ("unreadable", Severity.ERROR)
    assert found.message.endswith(
        "the whole configuration is dropped, and none of its presets exists"
    )
