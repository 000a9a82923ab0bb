"""`convert` prints the new file and the losses, and overwrites nothing."""

import json

import pytest

from tests.cli.shell import Shell

EDITOR = """\
---
name: editor
description: Edits.
tools: WebSearch, Edit
---
Edit the page.
"""
PERSONAS = """\
---
description: Reviews.
allow_list: [web_search]
agent_names:
  - name: strict
    description: Strict.
---
Review.
<!-- agent_name: strict -->
Be strict.
"""


def test_the_file_goes_to_stdout_and_the_report_to_stderr(shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", EDITOR)
    ran = shell.run("convert", ".claude/agents/editor.md", "--to", "codex-templates")

    assert ran.code == 0
    assert ran.out == (
        "---\ndescription: Edits.\nallow_list:\n  - web_search\n---\n\nEdit the page.\n"
    )
    assert ".claude/agents/editor.md:4:19: lost: `Edit`" in ran.err
    assert ".codex/.agents/editor.md; `--scope` writes it there" in ran.err
    assert not (shell.root / ".codex").exists()


def test_an_agent_that_may_do_more_gives_exit_code_1(shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", EDITOR.replace("tools: WebSearch, Edit\n", ""))
    ran = shell.run("convert", ".claude/agents/editor.md", "--to", "kodacode")

    assert ran.code == 1
    assert ran.err.splitlines()[0].startswith(".claude/agents/editor.md:1:1: may do more: ")


@pytest.mark.parametrize("scope", ["project", "user"])
def test_the_new_file_is_written_where_the_other_runtime_finds_it(scope: str, shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", EDITOR)
    call = ("convert", ".claude/agents/editor.md", "--to", "codex-templates", "--scope", scope)
    ran = shell.run(*call)

    base = shell.root if scope == "project" else shell.home
    path = base / ".codex/.agents/editor.md"
    assert (ran.code, ran.out) == (0, "")
    assert path.is_file()
    assert "\neditor  " in shell.run("list", "--dialect", "codex-templates").out
    assert shell.run("check", path).summary == "checked 1 template: nothing to report"


def test_an_existing_file_is_overwritten_only_with_force(shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", EDITOR)
    there = shell.write("out.md", "mine\n")
    call = ("convert", ".claude/agents/editor.md", "--to", "kodacode", "--output", "out.md")
    ran = shell.run(*call)

    assert ran.code == 2
    assert "out.md already exists and is not changed without `--force`" in ran.err
    assert there.read_text() == "mine\n"
    assert shell.run(*call, "--force").code == 0
    assert "mode: subagent" in there.read_text()


def test_several_agents_are_all_written_or_none(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", PERSONAS)
    taken = shell.write(".claude/agents/reviewer-strict.md", "mine\n")
    call = ("convert", ".codex/.agents/reviewer.md", "--to", "claude")

    assert "==> .claude/agents/reviewer-strict.md <==\n---\n" in shell.run(*call).out
    assert shell.run(*call, "--output", "one.md").code == 2
    assert shell.run(*call, "--scope", "project").code == 2
    assert not (shell.root / ".claude/agents/reviewer.md").exists()
    taken.unlink()
    assert shell.run(*call, "--scope", "project").code == 0
    assert "Be strict." in taken.read_text()


def test_one_persona_is_converted_to_one_file(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", PERSONAS)
    call = ("convert", ".codex/.agents/reviewer.md", "--to", "claude", "--persona", "strict")

    assert shell.run(*call, "--output", "one.md").code == 0
    assert "name: reviewer-strict\n" in (shell.root / "one.md").read_text()


def test_the_report_is_available_as_json(shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", EDITOR)
    call = ("convert", ".claude/agents/editor.md", "--to", "codex-templates", "--format", "json")
    data = json.loads(shell.run(*call).out)

    assert (data["from"], data["to"]) == ("claude", "codex-templates")
    assert [one["path"] for one in data["files"]] == [".codex/.agents/editor.md"]
    [lost] = [one for one in data["losses"] if one["weight"] == "lost"]
    assert lost["start"] == {"line": 4, "column": 19}


def test_a_file_anywhere_can_be_converted_with_from(shell: Shell) -> None:
    shell.write("drafts/editor.md", EDITOR)
    call = ("convert", "drafts/editor.md", "--to", "kodacode")

    assert "name its system with `--from`" in shell.run(*call).err
    ran = shell.run(*call, "--from", "claude", "--scope", "project")
    assert ran.code == 0
    assert (shell.root / ".kodacode/agents/editor.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.md", "--to", "claude"), "there is no file nothing.md"),
        ((".claude/agents/editor.md", "--to", "claud"), "did you mean `claude`?"),
        (
            (".claude/agents/editor.md", "--to", "claude"),
            "it is a template of `claude` already; `--to` takes another system\n",
        ),
        ((".claude/agents/editor.md",), "--to"),
    ],
)
def test_invalid_arguments_of_convert_are_an_error(
    arguments: tuple[str, ...], said: str, shell: Shell
) -> None:
    shell.write(".claude/agents/editor.md", EDITOR)
    ran = shell.run("convert", *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_one_preset_of_a_file_can_be_selected(shell: Shell) -> None:
    text = "[agents.presets.scout]\ntools.allow = ['Read']\nsystem_prompt_suffix = 'Look.'\n"
    shell.write("moltis.toml", f"{text}[agents.presets.other]\n")
    call = ("convert", "moltis.toml", "--to", "codex-templates", "--scope", "project")
    unsaid, ran = shell.run(*call), shell.run(*call, "--preset", "scout")

    assert unsaid.code == 2
    assert "none of its agents is selected: there are `scout` and `other`" in unsaid.err
    assert (ran.code, ran.out) == (0, "")
    written = (shell.root / ".codex/.agents/scout.md").read_text(encoding="utf-8")
    assert "allow_list:\n  - read_file\n---\n\nLook.\n" in written
    assert shell.run("check", ".codex").code == 0


CHAT_MODE = "---\ndescription: Plans.\ntools: [codebase, think]\ninfer: false\n---\nPlan.\n"


def test_all_chat_modes_of_a_project_become_agents_in_one_call(shell: Shell) -> None:
    shell.write(".github/chatmodes/plan.chatmode.md", CHAT_MODE)
    shell.write(".github/agents/review.chatmode.md", CHAT_MODE)
    shell.write(".github/agents/fix.agent.md", "---\ndescription: Fixes.\n---\nFix.\n")
    older = "---\ndescription: d\ntools: [{}]\n---\nWork.\n"
    there = shell.write(".github/agents/old.agent.md", older.format("codebase"))
    ran = shell.run("convert", ".github", "--to", "copilot", "--scope", "project")

    assert ran.code == 0
    assert ".github/chatmodes/plan.chatmode.md:3:19: lost: `think` is no longer a tool" in ran.err
    said = [line for line in ran.err.splitlines() if line.startswith("wrote ")]
    names = ("old.agent.md", "plan.agent.md", "review.agent.md")
    assert sorted(said) == [f"wrote .github/agents/{name}" for name in names]
    assert there.read_text("utf-8") == older.format("search/codebase")
    for name in names[1:]:
        text = (shell.root / ".github/agents" / name).read_text("utf-8")
        assert "tools: [search/codebase]\ndisable-model-invocation: true\n" in text


@pytest.mark.parametrize("place", [("--scope", "project"), ("--output", ".claude/agents/a.md")])
def test_a_link_out_of_the_repository_is_not_written_through(
    place: tuple[str, str], shell: Shell
) -> None:
    elsewhere = shell.root.parent / "elsewhere"
    elsewhere.mkdir()
    (shell.root / ".claude").symlink_to(elsewhere)
    shell.write(".codex/.agents/scout.md", "---\ndescription: d\n---\nb\n")
    ran = shell.run("convert", ".codex/.agents/scout.md", "--to", "claude", *place)
    assert ran.code == 2
    name = "scout.md" if place[0] == "--scope" else "a.md"
    said = f"a link points outside the repository, to {elsewhere / 'agents' / name}\n"
    assert ran.err.endswith(said)
    assert list(elsewhere.iterdir()) == []


COPILOT = "---\nname: editor\ndescription: Edits.\ntools: Read, mcp__s__t\n---\nEdit.\n"


def test_a_file_of_another_system_is_not_overwritten_by_its_own_copy(shell: Shell) -> None:
    """Copilot also reads files of Claude Code, and a file for that program goes to their folder."""
    path = shell.write(".claude/agents/editor.md", COPILOT)
    shell.write("agent-template-lsp.toml", 'for = ["copilot-cli"]\n')
    call = ("convert", ".claude/agents/editor.md", "--to", "claude", "--scope", "project")
    ran = shell.run(*call)
    assert ran.code == 2
    assert "editor.md already exists and is not changed without `--force`" in ran.err
    assert path.read_text() == COPILOT


def test_a_folder_of_claude_code_is_converted_for_the_program_that_counts(shell: Shell) -> None:
    shell.write(".claude/agents/editor.md", COPILOT)
    call = ("convert", ".claude/agents", "--to", "opencode")
    assert "s_t" in shell.run(*call).out
    shell.write("agent-template-lsp.toml", 'for = ["copilot-cli"]\n')
    ran = shell.run(*call)
    assert ran.code == 0
    assert "read: allow" in ran.out
    assert "`mcp__s__t` is not a known tool of Copilot CLI" in ran.err
