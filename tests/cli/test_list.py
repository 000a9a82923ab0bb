"""`list` shows what the runtime's own call returns, and which file defines each agent."""

import json

import pytest

from agent_lsp.analysis.preview.commands import list_agents
from agent_lsp.environment import host_paths_from_environment, workspace_for
from agent_lsp.workspace.files import Files
from tests.cli.shell import BROKEN, SOUND, Shell

REVIEWER = """\
---
description: Reviews a change.
model: gpt-5.2-codex
allow_list: [wait, exec_command]
agent_names:
  - {name: quick, description: A first look., reasoning_effort: low}
---
Review the change.
<!-- agent_name: quick -->
Look for what breaks.
"""


def test_an_agent_is_listed_with_its_scope_its_file_and_shadowed_files(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    own = shell.write("~/.codex/.agents/reviewer.md", SOUND)
    ran = shell.run("list", "--agent-type", "reviewer")
    assert ran.out == (
        "1 agent of Codex (fork NeoGrAIph/codex) (codex-templates) for a session in this folder\n"
        "\n"
        "reviewer  .codex/.agents/reviewer.md (project)\n"
        f"  instead of {own} (user)\n"
        "  Reviews a change.\n"
        "  allow_list: exec_command, wait\n"
        "  agent_names:\n"
        "    quick\n"
        "      A first look.\n"
    )
    assert (ran.code, ran.err) == (0, "")


def test_an_expanded_agent_has_models_efforts_and_prompts(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    ran = shell.run("list", "--agent-type", "reviewer", "--expanded")
    assert ran.out.splitlines()[5:] == [
        "  model: gpt-5.2-codex",
        "  default_prompt:",
        "    | Review the change.",
        "  agent_names:",
        "    quick",
        "      A first look.",
        "      reasoning_effort: low",
        "      prompt:",
        "        | Look for what breaks.",
    ]


def test_a_system_whose_list_has_no_more_to_show_says_where_the_rest_is(shell: Shell) -> None:
    shell.write(".github/agents/a.agent.md", "---\ndescription: Reviews.\n---\nReview.\n")
    plain = shell.run("list", "--agent-type", "a")
    ran = shell.run("list", "--agent-type", "a", "--expanded")
    assert (ran.code, ran.out) == (0, plain.out)
    assert ran.err == (
        "note: `--expanded` adds nothing for Copilot (copilot);"
        " `preview NAME` shows the model and the prompt\n"
    )


def test_a_stand_in_is_marked_as_one(shell: Shell) -> None:
    out = shell.run("list", "--dialect", "codex-templates").out
    assert "\nworker  built into the runtime, shown as a stand-in\n" in out


def test_an_agent_that_overrides_a_built_in_one_says_so(shell: Shell) -> None:
    shell.write(".codex/.agents/worker.md", SOUND)
    out = shell.run("list", "--agent-type", "worker").out
    assert "project)\n  instead of built into the runtime\n" in out


@pytest.mark.parametrize("more", [(), ("--expanded",), ("--agent-type", "worker")])
def test_json_is_exactly_what_the_runtime_returns(more: tuple[str, ...], shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER.replace("change", "Änderung 🦀"))
    argument: dict[str, object] = {"expanded": True} if more == ("--expanded",) else {}
    if len(more) == 2:
        argument = {"agent_type": more[1]}
    workspace, _ = workspace_for((shell.root,), Files(), host_paths_from_environment())
    ran = shell.run("list", "--json", *more)
    assert json.loads(ran.out) == list_agents(workspace, argument)["result"]
    assert ran.code == 0


def test_one_broken_template_fails_the_call_and_the_others_are_still_shown(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    shell.write(".codex/.agents/broken.md", BROKEN)
    ran = shell.run("list")
    assert ran.code == 1
    assert "broken  .codex/.agents/broken.md (project)\n  `list_agents` refuses it: " in ran.out
    assert "reviewer  .codex/.agents/reviewer.md (project)\n  Reviews a change." in ran.out
    message, where = ran.err.splitlines()
    assert message.startswith('error: invalid agent template "broken": invalid YAML: read_only')
    assert where == "  the cause is .codex/.agents/broken.md (project)"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_unknown_agent_gives_the_runtimes_error(form: tuple[str, ...], shell: Shell) -> None:
    shell.write(".codex/.agents/a.md", SOUND)
    ran = shell.run("list", "--agent-type", "nobody", *form)
    assert (ran.code, ran.out, ran.err) == (1, "", "error: missing agent template: nobody\n")


def test_a_file_that_the_runtime_cannot_read_defines_no_agent(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", b"\xff\xfe")
    ran = shell.run("list")
    assert ran.code == 0
    assert "reviewer" not in ran.out


def test_a_session_starts_in_the_root_or_where_the_settings_say(shell: Shell) -> None:
    shell.write("app/.codex/.agents/inner.md", SOUND)
    assert "inner" not in shell.run("list").out
    assert "inner  app/.codex/.agents/inner.md" in shell.run("list", "--root", "app").out
    shell.write("agent-template-lsp.toml", 'session-root = "app"\n')
    assert "for a session in app\n" in shell.run("list").out
    assert "inner" not in shell.run("list", "--root", ".").out


def test_a_file_above_the_session_is_shown_from_the_current_folder(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(".codex/.agents/upper.md", SOUND)
    own = shell.write("~/.codex/.agents/own.md", SOUND)
    shell.write("sub/deep/.codex/.agents/x", "")
    monkeypatch.chdir(shell.root / "sub/deep")
    out = shell.run("list").out
    assert "upper  ../../.codex/.agents/upper.md (project)\n" in out
    assert f"own  {own} (user)\n" in out
    assert "for a session in ..\n" in shell.run("list", "--root", "..").out


def test_a_linked_root_changes_only_the_paths(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("../real/.codex/.agents/upper.md", SOUND)
    shell.write("../real/deep/.codex/.agents/own.md", SOUND)
    shell.write(".codex/.agents/other.md", SOUND)
    (shell.root / "link").symlink_to("../real/deep")
    upper = shell.root.parent / "real/.codex/.agents/upper.md"
    named = shell.run("list", "--root", "link")
    assert f"upper  {upper} (project)\n" in named.out
    assert "own  link/.codex/.agents/own.md (project)\n" in named.out
    assert "\nother  " not in named.out
    above = shell.run("list", "--root", "link/..", "--json")
    asked = [shell.run("list", "--root", "link", "--json").out]
    monkeypatch.chdir(shell.root / "link")
    asked += [shell.run("list", "--json").out, shell.run("list", "--root", ".", "--json").out]
    assert len(set(asked)) == 1
    assert shell.run("list", "--root", "..", "--json") == above


def test_codex_home_above_the_session_is_found_once(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(".codex/.agents/r.md", SOUND)
    shell.write("sub/x", "")
    monkeypatch.chdir(shell.root / "sub")
    monkeypatch.setenv("CODEX_HOME", f"{shell.root}/sub/../.codex")
    out = shell.run("list", "--agent-type", "r").out
    assert "r  ../.codex/.agents/r.md (project)\n" in out
    assert "instead of" not in out


def test_a_root_that_does_not_exist_is_an_error(shell: Shell) -> None:
    ran = shell.run("list", "--root", "nowhere")
    assert (ran.code, ran.out, ran.err) == (2, "", "error: --root: there is no folder nowhere\n")


def test_template_text_cannot_control_the_terminal(shell: Shell) -> None:
    text = '---\ndescription: "a\\e[31mb\\u202Ec"\n---\n\x1b]0;title\x07\n'
    shell.write(".codex/.agents/evil.md", text)
    out = shell.run("list", "--agent-type", "evil", "--expanded").out
    assert "  a␛[31mb\ufffdc\n" in out
    assert "    | ␛]0;title␇\n" in out


def test_skipped_files_are_listed_after_the_agents(shell: Shell) -> None:
    mine = shell.write("~/.codex/agents/checker.md", SOUND)
    shell.write(".codex/agents/checker.md", "---\ndescription: Checks.\n---\n")
    ran = shell.run("list", "--dialect", "codex-subagents")
    assert ran.out == (
        "1 agent of Codex (fork tomascupr/codex) (codex-subagents) for a session in this folder\n"
        "\n"
        f"checker  {mine} (user)\n"
        "  Reviews a change.\n"
        "\n"
        ".codex/agents/checker.md (project)\n"
        "  skipped by the runtime: Agent 'checker' must have a non-empty body (system prompt)\n"
    )
    one = shell.run("list", "--dialect", "codex-subagents", "--agent-type", "checker")
    assert one.out.endswith("  Reviews a change.\n  body:\n    | Review the change.\n")
    assert (ran.code, one.code) == (0, 0)


def test_an_overridden_row_names_its_own_file_and_is_no_further_agent(shell: Shell) -> None:
    """Claude Code lists every file of a name, the winner first."""
    agent = "---\nname: x\ndescription: D.\n---\nYou review.\n"
    mine = shell.write("~/.claude/agents/x.md", agent)
    shell.write(".claude/agents/x.md", agent)
    lines = shell.run("list").out.splitlines()
    assert (
        lines[0]
        == "7 agents of Claude Code (claude) for a session in this folder, and 1 that is overridden"
    )
    first, second = (at for at, line in enumerate(lines) if line.startswith("x  "))
    assert lines[first].startswith("x  .claude/agents/x.md (project)")
    assert lines[first + 1].startswith(f"  instead of {mine} (user)")
    assert lines[second] == f"x  {mine} (user)"
    assert lines[second + 1] == "  overridden by .claude/agents/x.md (project)"


LOST = {
    "hk": ("---\nname: hk\ndescription: D.\nhooks: 5\n---\nYou review.\n", "`hooks` is `5`"),
    "none": ("---\ndescription: D.\n---\nYou review.\n", "it has no name for an agent"),
    "bare": ("---\nname: bare\n---\nYou review.\n", "it has no `description`"),
    "list": (
        "---\nname: list\ndescription: [D.]\n---\nYou review.\n",
        "`description` must be a string, not a list",
    ),
    "open": ("---\nname: open\ndescription: D.\nYou review.\n", "it has no complete header"),
    "five": ("---\nname: 5\ndescription: D.\n---\nYou review.\n", "it has no name for an agent"),
}


def test_a_lost_agent_is_told_with_the_cause_by_each_command(shell: Shell) -> None:
    for name, (text, _) in LOST.items():
        shell.write(f".claude/agents/{name}.md", text)
    listed, status = shell.run("list").out, shell.run("status").out
    for name, (_, why) in LOST.items():
        assert f"{name}.md (project)\n  skipped by the runtime: {why}" in listed
        assert f"{name}.md: skipped by the runtime: {why}" in status
    spawned = shell.run("preview", "hk").err
    assert "skipped by the runtime: .claude/agents/hk.md: `hooks` is `5`" in spawned


def test_documentation_beside_agents_is_not_called_skipped(shell: Shell) -> None:
    shell.write(".claude/agents/README.md", "# Our agents\n\nHow we use them.\n")
    shell.write(".claude/agents/ok.md", "---\nname: ok\ndescription: D.\n---\nYou review.\n")
    assert "skipped" not in shell.run("list").out


def test_the_only_program_that_counts_answers(shell: Shell) -> None:
    header = "---\n{}tools: [read]\ninfer: true\ndisable-model-invocation: true\n---\nWork.\n"
    shell.write(".github/agents/a.agent.md", header.format("description: d\n"))
    shell.write(".github/agents/b.agent.md", header.format(""))
    both = shell.run("list", "--dialect", "copilot").out
    assert "  otherwise:\n    cli\n      modelInvocable: no\n" in both
    ran = shell.run("list", "--dialect", "copilot", "--for", "copilot-cli")
    assert ran.out.startswith("1 agent of Copilot (copilot) for a session in this folder\n")
    assert "  modelInvocable: no\n  readers: cli\n" in ran.out
    assert "b.agent.md (project)\n  skipped by the runtime: custom agent markdown" in ran.out
    shell.write("agent-template-lsp.toml", '[dialects.copilot]\nreaders = ["cli"]\n')
    assert shell.run("list", "--dialect", "copilot").out == ran.out
    alone = shell.run("list", "--dialect", "copilot", "--for", "copilot-vscode")
    assert "  modelInvocable: yes\n  readers: vscode\n" in alone.out
