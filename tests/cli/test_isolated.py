"""Findings that a repository's settings hide are mentioned, and `--isolated` reports them."""

import json

import pytest

from tests.cli.shell import SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"
SETTINGS = "agent-template-lsp.toml"
OFF = '[severity]\nunknown-tool = "off"\n'
TAG = "Review.\U000e0041\n"
UNKNOWN = f"{AGENT}:2:14: warning[unknown-tool]"


@pytest.mark.parametrize(
    ("settings", "what", "many"),
    [
        (OFF, "switches off `unknown-tool`", 1),
        ('[folders]\n".codex" = false\n', "excludes .codex", 2),
        ('[folders]\n".codex/.agents" = false\n', "excludes .codex/.agents", 2),
        ('[folders]\n"." = false\n', "excludes .", 3),
        (
            f'{OFF}hidden-text = "off"\n',
            "switches off `hidden-text` and `unknown-tool`",
            2,
        ),
    ],
)
def test_findings_hidden_by_settings_are_mentioned(
    settings: str, what: str, many: int, shell: Shell
) -> None:
    shell.write(AGENT, SLIP.replace("Review the change.\n", TAG))
    shell.write(".claude/agents/b.md", "---\nname: b\ndescription: B.\nmodle: x\n---\nx\n")
    shell.write(SETTINGS, settings)
    told = f"{SETTINGS} {what}: {'1 finding is' if many == 1 else f'{many} findings are'} hidden"
    assert f"{told}; `--isolated` shows them\n" in shell.run("check").err
    assert f"  {told}\n" in shell.run("status").out
    [status] = json.loads(shell.run("status", "--json").out)["hidden_by_settings"]
    assert (status["file"], status["count"]) == (str(shell.root / SETTINGS), many)


def test_formats_for_programs_mention_hidden_findings(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write(SETTINGS, OFF)
    told = f"{SETTINGS} switches off `unknown-tool`: 1 finding is hidden; `--isolated` shows them"
    assert f"::notice title=settings::{told}\n" in shell.run("check", "--format", "github").out
    [run] = json.loads(shell.run("check", "--format", "sarif").out)["runs"]
    [notice] = run["invocations"][0]["toolConfigurationNotifications"]
    assert notice == {"level": "note", "message": {"text": told}}
    found = json.loads(shell.run("check", "--format", "json").out)["hidden_by_settings"]
    codes = {"unknown-tool": 1}
    assert found == [{"file": SETTINGS, "count": 1, "codes": codes, "folders": {}}]


def test_the_exit_code_depends_only_on_reported_findings(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write(SETTINGS, OFF)
    assert shell.run("check").code == 0
    assert shell.run("check", "--isolated").code == 1
    shell.write(SETTINGS, '[folders]\n".codex" = false\n')
    ran = shell.run("check")
    assert ran.code == 2
    assert f"  {SETTINGS} excludes .codex: 1 finding is hidden" in ran.err


@pytest.mark.parametrize(
    "settings",
    [
        '[severity]\nheader-missing = "off"\n',
        '[severity]\nunknown-tool = "hint"\n',
        '[folders]\n"vendor" = false\n',
        "",
    ],
)
def test_settings_that_hide_nothing_are_not_mentioned(settings: str, shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write("vendor/.codex/.agents/b.md", SOUND)
    shell.write(SETTINGS, settings)
    assert shell.run("check").err == ""
    assert json.loads(shell.run("check", "--format", "json").out)["hidden_by_settings"] == []


def test_only_findings_that_would_be_reported_count_as_hidden(shell: Shell) -> None:
    """Findings that a comment or the call excludes do not count, nor those in other files."""
    shell.write(AGENT, SLIP)
    shell.write("other/.codex/.agents/b.md", SOUND)
    shell.write(SETTINGS, f'{OFF}[folders]\n"vendor" = false\n')
    shell.write("vendor/.codex/.agents/c.md", SLIP)
    assert "2 findings are hidden" in shell.run("check").err
    assert shell.run("check", "other").err == ""
    assert shell.run("check", "--ignore", "unknown-tool").err == ""
    shell.write(AGENT, SLIP.replace("allow", "# agent-template-lsp: ignore[unknown-tool]\nallow"))
    assert "excludes vendor: 1 finding is hidden" in shell.run("check").err


def test_isolated_ignores_the_settings_of_a_repository(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    for settings in (OFF, '[folders]\n".codex" = false\n', "= no TOML", '[folders]\n"." = false\n'):
        shell.write(SETTINGS, settings)
        ran = shell.run("check", "--isolated")
        assert (ran.heads, ran.err, ran.code) == ([UNKNOWN], "", 1)
    shell.write(SETTINGS, '[dialects.codex-templates]\ntools = ["aply_patch"]\n')
    assert shell.run("check").heads == []
    assert shell.run("check", "--isolated").heads == [UNKNOWN]


def test_isolated_applies_the_users_own_settings(shell: Shell) -> None:
    shell.write("~/projects/.codex/.agents/a.md", SLIP)
    shell.write(f"~/{SETTINGS}", OFF)
    ran = shell.run("check", "--isolated", shell.home / "projects")
    assert (ran.heads, ran.err) == ([], "")
    assert shell.run("check", shell.home / "projects").err == ""
    shell.write(f"~/projects/{SETTINGS}", '[folders]\n".codex" = false\n')
    isolated = shell.run("check", "--isolated", shell.home / "projects")
    assert (isolated.summary, isolated.err) == ("checked 1 template: nothing to report", "")


def test_isolated_reports_hidden_text_in_spite_of_comments(shell: Shell) -> None:
    """A comment for the file or for a line does not hide `hidden-text`; other comments work."""
    lines = [
        "---",
        "# agent-template-lsp: ignore-file[hidden-text, unknown-tool]",
        "allow_list: [aply_patch]",
        "# agent-template-lsp: ignore[hidden-text]",
        "description: Reviews.\U000e0041",
        "---",
        "Review.\U000e0041",
    ]
    shell.write(AGENT, "\n".join(lines) + "\n")
    assert "hidden-text]" not in shell.run("check").out
    isolated = shell.run("check", "--isolated")
    sees = [f"{AGENT}:{place}: warning[hidden-text]" for place in ("5:22", "7:8")]
    assert (isolated.heads, isolated.code) == (sees, 1)
    assert isolated.summary.endswith("2 warnings (1 suppressed)")
