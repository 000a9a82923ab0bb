"""No command takes an agent system without saying which one."""

import io
import json
import sys

import pytest

from agent_lsp.environment import BY_USE
from tests.cli.shell import SOUND, Shell

CLAUDE = "---\nname: b\ndescription: D.\n---\nYou review.\n"
IDS = [system.id for system in BY_USE]


@pytest.fixture
def two(shell: Shell) -> Shell:
    """A folder with an agent of each of two systems."""
    shell.write(".codex/.agents/a.md", SOUND)
    shell.write(".claude/agents/b.md", CLAUDE)
    return shell


def test_list_answers_for_each_system_that_is_present(two: Shell) -> None:
    ran = two.run("list")
    heads = [line for line in ran.out.splitlines() if " for a session in " in line]
    assert heads == [
        "7 agents of Claude Code (claude) for a session in this folder",
        "5 agents of Codex (fork NeoGrAIph/codex) (codex-templates) for a session in this folder",
    ]
    assert (ran.code, ran.err) == (0, "")
    one = two.run("list", "--agent-type", "b").out
    head = "1 agent of Claude Code (claude) for a session in this folder"
    assert one.startswith(f"{head}\n\nb  .claude/agents/")
    nobody = two.run("list", "--agent-type", "c")
    assert (nobody.code, nobody.err) == (1, "error: missing agent template: c\n")


@pytest.mark.parametrize(
    ("call", "first"),
    [
        (
            ("preview", "a"),
            "a of Codex (fork NeoGrAIph/codex) (codex-templates)  .codex/.agents/a.md (project)",
        ),
        (("new", "c"), "wrote .codex/.agents/c.md (codex-templates)"),
        (("graph",), "flowchart LR"),
        (("list", "--json"), "{"),
    ],
)
def test_the_other_commands_say_which_was_taken_and_how_to_name_another(
    call: tuple[str, ...], first: str, two: Shell
) -> None:
    ran = two.run(*call)
    assert ran.out.splitlines()[0] == first
    said = "note: using `codex-templates`; this folder also has `--dialect claude`\n"
    assert (ran.code, ran.err) == (0, said)
    named = {"preview": ("preview", "b"), "new": ("new", "d")}.get(call[0], call)
    assert two.run(*named, "--dialect", "claude").err == ""


@pytest.mark.parametrize("call", [("list",), ("preview", "b"), ("graph",), ("preview", "./b.md")])
def test_a_system_that_does_not_count_is_not_said_to_read_nothing(
    call: tuple[str, ...], two: Shell
) -> None:
    call = tuple(one.replace("./", ".claude/agents/") for one in call)
    said = "note: Cursor also reads .claude/agents, but is skipped here; `--for cursor` "
    ran = two.run(*call, "--dialect", "cursor")
    assert ran.err.startswith(said)
    assert "does not read" not in ran.err
    ran = two.run(*call, "--dialect", "cursor", "--for", "cursor")
    assert (ran.code, ran.err) == (0, "")


def test_preview_takes_the_system_that_has_the_agent(two: Shell) -> None:
    ran = two.run("preview", "b")
    assert ran.out.startswith("b of Claude Code (claude)  .claude/agents/b.md (project)\n")
    said = "note: using `claude`; this folder also has `--dialect codex-templates`\n"
    assert (ran.code, ran.err) == (0, said)
    assert two.run("preview", "b", "--dialect", "codex-templates").code == 1
    nobody = two.run("preview", "c")
    assert (nobody.code, nobody.err.splitlines()[0][:29]) == (1, "note: using `codex-templates`")


def test_for_says_in_every_command_which_programs_count(shell: Shell) -> None:
    shell.write(".claude/agents/b.md", CLAUDE.replace("---\nYou", "tools: Read\n---\nYou"))
    calls = (("check", "."), ("list",), ("preview", "b"), ("status",))
    for call in calls:
        for names, is_told in (("claude", False), ("claude,cursor", True)):
            out = shell.run(*call, "--for", names).out.partition("programs that are skipped")[0]
            assert ("Cursor" in out) is is_told, (call, names)
    assert "b" in shell.run("graph", "--dialect", "cursor", "--for", "cursor").out
    assert shell.run("graph", "--dialect", "cursor", "--for", "claude").out == "flowchart LR\n"
    for call in (*calls, ("graph",)):
        ran = shell.run(*call, "--for", "cursr")
        assert (ran.code, "did you mean `cursor`?" in ran.err) == (2, True)


def test_a_schema_without_a_system_is_that_of_the_folder_and_says_so(two: Shell) -> None:
    ran = two.run("schema")
    assert next(iter(json.loads(ran.out).items()))[1].startswith("Codex agent templates: ")
    assert ran.err.splitlines()[0] == "note: the schema of codex-templates"
    assert json.loads(two.run("schema", "claude").out)["title"].startswith("Claude Code")


@pytest.mark.parametrize("call", [("list",), ("list", "--json"), ("preview", "a"), ("graph",)])
def test_with_no_system_present_a_session_has_no_agents_and_the_error_says_what_to_do(
    call: tuple[str, ...], shell: Shell
) -> None:
    ran = shell.run(*call)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: no agents found for a session in this folder\n  looked in ")
    assert "\n    Claude Code (claude): `.claude/agents/*.md`, " in ran.err
    assert "only `convert` reads it: Factory (factory): `.factory/droids/*.md`\n" in ran.err
    assert (
        "\n  to write a first agent: agent-template-lsp new reviewer --dialect claude\n" in ran.err
    )
    assert shell.run(*call, "--dialect", "claude").code == (call[0] == "preview")


def test_with_no_system_present_new_lists_the_systems(shell: Shell) -> None:
    refused = shell.run("new", "c")
    assert (refused.code, refused.out) == (2, "")
    assert [line.split()[0] for line in refused.err.splitlines()[1:]] == IDS
    assert not list(shell.root.rglob("c.md"))
    assert shell.run("schema").code == 2


class Terminal(io.StringIO):
    """Keys that a person types."""

    def isatty(self) -> bool:
        """Whether somebody is there to be asked."""
        return True


@pytest.mark.parametrize("answer", ["claude", str(IDS.index("claude") + 1)])
def test_new_asks_on_a_terminal(answer: str, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    ran = shell.run("new", "c")
    assert (ran.code, ran.out) == (0, "wrote .claude/agents/c.md (claude)\n")
    assert "for which one is the new agent?" in ran.err


def test_an_answer_that_names_no_system_is_an_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("calude\n"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    ran = shell.run("new", "c")
    assert ran.code == 2
    assert ran.err.endswith("error: there is no dialect `calude`; did you mean `claude`?\n")


@pytest.mark.parametrize("command", ["check", "list", "preview", "new", "graph", "seed", "schema"])
def test_the_help_lists_the_systems(command: str, shell: Shell) -> None:
    words = shell.run(command, "--help").out.replace(",", " ").split()
    assert set(IDS) <= set(words)
