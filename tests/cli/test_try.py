"""`try` shows everything about one file, without its project."""

import io
import json
import sys

import pytest

from agent_lsp.environment import SYSTEMS
from tests.cli.shell import SLIP, Shell

FORK = "Codex (fork NeoGrAIph/codex) (codex-templates)"
PERSONAS = (
    "---\ndescription: D.\nagent_names:\n  - name: quick\n    description: Q.\n---\nReview.\n"
    "<!-- agent_name: quick -->\nLook quickly.\n"
)


def test_it_shows_the_findings_and_what_each_agent_and_persona_would_start(shell: Shell) -> None:
    shell.write("draft.md", SLIP)
    # None of these count: settings, the project, the home.
    shell.write("agent-template-lsp.toml", '[severity]\nunknown-tool = "off"\n')
    shell.write("~/.codex/.agents/draft.md", SLIP)
    ran = shell.run("try", "draft.md", "--dialect", "codex-templates")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"draft.md as .codex/.agents/draft.md of {FORK}"
    assert ran.heads == ["draft.md:2:14: warning[unknown-tool]"]
    assert ran.summary == "checked 1 template: 1 warning"
    assert f"draft of {FORK}  .codex/.agents/draft.md (project)" in lines
    assert "  | Review the change." in lines
    shell.write("draft.md", PERSONAS)
    ran = shell.run("try", "draft.md", "--dialect", "codex-templates", "--name", "checker")
    assert f"checker of {FORK}, persona quick  .codex/.agents/checker.md" in ran.out
    assert (ran.code, "  | Look quickly." in ran.out) == (0, True)


def test_a_pasted_text_is_read_from_standard_input(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    pasted = io.TextIOWrapper(io.BytesIO(SLIP.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", pasted)
    ran = shell.run("try", "-", "--dialect", "codex-templates", "--json")
    made = json.loads(ran.out)
    assert (ran.code, made["dialect"]) == (1, "codex-templates")
    assert [one["code"] for one in made["findings"]] == ["unknown-tool"]
    [agent] = made["agents"]
    assert (agent["agent"], agent["error"]) == ("pasted", None)
    assert agent["result"]["tools"]["kept"] == []


def test_the_folder_of_a_file_decides_about_its_system_or_the_user_does(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", "---\nname: b\ndescription: D.\n---\nPrompt.\n")
    assert "b of Claude Code (claude)" in shell.run("try", ".claude/agents/a.md").out
    shell.write("a.md", SLIP)
    ran = shell.run("try", "a.md")
    assert (ran.code, ran.out) == (2, "")
    assert "`--dialect D`, where D is one of claude, copilot" in ran.err
    assert shell.run("try", "gone.md", "--dialect", "claude").err == (
        "error: there is no file gone.md\n"
    )


def test_every_system_has_an_answer(shell: Shell) -> None:
    shell.write("draft.md", SLIP)
    for system in SYSTEMS:
        ran = shell.run("try", "draft.md", "--dialect", system.id)
        # Claude Code passes over a file without a name.
        if system.id == "claude":
            said = "error: Claude Code silently ignores draft.md\n"
            assert (ran.code, ran.err) == (1, said)
            continue
        assert f" of {system.heading}" in ran.out.splitlines()[0]
        assert (ran.code in {0, 1}, ran.err) == (True, "")
