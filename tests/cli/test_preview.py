"""`preview` shows every value that a spawn call resolves to, with its origin."""

import json

import pytest

from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.cli.arguments import parser
from agent_lsp.cli.commands.preview import spawn_argument
from agent_lsp.environment import host_paths_from_environment, workspace_for
from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace.files import Files
from tests.cli.shell import BROKEN, SOUND, Shell
from tests.systems import DIALECTS

REVIEWER = """\
---
description: Reviews a change.
model: gpt-5.2-codex
reasoning_effort: medium
read_only: true
allow_list: [exec_command, mcp__git__*]
agent_names:
  - {name: quick, description: A first look., reasoning_effort: low}
---
Review the change.

<!-- agent_name: quick -->
Look for what breaks.
"""


def test_every_value_is_shown_with_its_origin_and_overridden_values(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    ran = shell.run("preview", "reviewer", "--persona", "quick", "--parent-sandbox", "none")
    head, settings, tools, prompt, notes = ran.out.split("\n\n")
    assert head == (
        "reviewer of Codex (fork NeoGrAIph/codex) (codex-templates), persona quick"
        "  .codex/.agents/reviewer.md (project)\n"
        "for a session in this folder, at depth 1"
    )
    assert settings == (
        "settings\n"
        "  model             gpt-5.2-codex  (the template, .codex/.agents/reviewer.md:3)\n"
        "  reasoning_effort  low  (persona `quick`, .codex/.agents/reviewer.md:8)\n"
        "                    instead of medium  (the template, .codex/.agents/reviewer.md:4)\n"
        "  sandbox           read-only  (`read_only` of the template,"
        " .codex/.agents/reviewer.md:5)\n"
        "                    instead of none  (the agent that spawns)\n"
        "  thread_note       agent_type=reviewer; agent_name=quick;"
        " agent_description=A first look.  (composed by the runtime)"
    )
    assert tools.startswith(
        "tools\n  keeps 1 of 29: exec_command\n  and any other tool that matches mcp__git__*\n"
        "  removed, not in `allow_list` (.codex/.agents/reviewer.md:6): write_stdin, shell, "
    )
    assert prompt == (
        "prompt\n"
        "  base instructions, block of persona `quick`, .codex/.agents/reviewer.md:13, verbatim\n"
        "  | Look for what breaks."
    )
    assert notes.startswith("notes\n  - of the 29 tools that this runtime can have, ")
    assert (ran.code, ran.err) == (0, "")


def test_what_the_runtime_makes_of_a_value_stands_below_it(shell: Shell) -> None:
    shell.write(
        ".claude/agents/old.md", "---\nname: old\ndescription: d\nmodel: claude-opus-4-1\n---\nx\n"
    )
    said = "the runtime asks for the newest model of `opus` instead"

    assert f"old.md:4)\n{' ' * 18}{said}\n" in shell.run("preview", "old").out
    assert json.loads(shell.run("preview", "old", "--json").out)["model"]["note"] == said


def test_a_lost_header_is_shown_first_and_a_built_in_prompt_as_a_stand_in(shell: Shell) -> None:
    shell.write(".codex/.agents/broken.md", BROKEN)
    lost = shell.run("preview", "broken").out
    head, *_, notes = lost.split("\n\n")
    assert "\nwarning: the header is refused" in head
    assert "header" not in notes
    assert "\n  | read_only: yes\n" in lost
    assert "stand-in for the runtime's own text\n" in shell.run("preview", "explorer").out


OPTIONS: dict[str, dict[str, object]] = {
    "--persona quick": {"agent_name": "quick"},
    "--model gpt-5 --effort high": {"model": "gpt-5", "reasoning_effort": "high"},
    "--thread-note mine --working-directory /tmp": {
        "thread_note": "mine",
        "working_directory": "/tmp",  # noqa: S108 - nothing is written there
    },
    "--parent-model gpt-5 --parent-effort low --parent-sandbox none --parent-depth 1": {
        "parent": {"model": "gpt-5", "effort": "low", "sandbox": "none", "depth": 1}
    },
    "--parent-tools exec_command,mcp__git__log": {
        "parent": {"tools": ["exec_command", "mcp__git__log"]}
    },
    "--argument model=gpt-5": {"model": "gpt-5"},
    "--dialect codex-templates": {"dialect": "codex-templates"},
}


@pytest.mark.parametrize("options", OPTIONS)
def test_json_is_exactly_what_the_editors_command_returns(options: str, shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    workspace, _ = workspace_for((shell.root,), Files(), host_paths_from_environment())
    answer = preview_spawn(workspace, {"agent_type": "reviewer", **OPTIONS[options]})
    ran = shell.run("preview", "reviewer", "--json", *options.split())
    assert answer["error"] is None
    assert json.loads(ran.out) == answer["result"]
    assert answer["result"] != preview_spawn(workspace, {"agent_type": "worker"})["result"]


def test_a_refused_call_prints_the_runtimes_message(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", SOUND)
    deep = shell.run("preview", "reviewer", "--parent-depth", "2", "--json")
    text = "error: Agent depth limit reached. Solve the task yourself.\n"
    assert (deep.code, deep.out, deep.err) == (1, "", text)


def test_a_misspelled_agent_has_a_suggestion(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", SOUND)
    ran = shell.run("preview", "reviewr")
    assert ran.code == 1
    assert ran.err == "error: missing agent template: reviewr\n  did you mean `reviewer`?\n"


def test_an_impossible_call_is_an_error(shell: Shell) -> None:
    ran = shell.run("preview", "worker", "--parent-effort", "much")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith('error: `parent.effort` is string "much"; expected one of none, ')
    assert shell.run("preview", "worker", "--dialect", "nothing").code == 2


def test_options_become_arguments_of_the_folders_runtime(shell: Shell) -> None:
    shell.write(".codex/agents/checker.md", SOUND)
    out = shell.run("preview", "checker", "--task", "Look at x.").out
    assert "\n  | Task: Look at x.\n" in out
    assert '\n  |   "command_line": "codex -c tools.subagent_tools=true",\n' in out
    wrong = shell.run("preview", "checker", "--persona", "quick")
    said = "error: --persona: `subagent_run` of codex-subagents has no such argument\n"
    assert (wrong.code, wrong.out, wrong.err) == (2, "", said)


def test_background_and_env_are_arguments_if_the_runtime_has_them(shell: Shell) -> None:
    shell.write(
        ".claude/agents/checker.md",
        "---\nname: checker\ndescription: d\ntools: Read, LSP\n---\nCheck.\n",
    )
    preview = ("preview", "checker", "--json")
    plain = json.loads(shell.run(*preview).out)
    env = ("--env", "CLAUDE_CODE_SUBAGENT_MODEL=haiku", "--env", "OTHER=a=b")
    given = json.loads(shell.run(*preview, "--background", *env).out)
    assert [one["tool"] for one in plain["tools"]["kept"]] == ["Read", "LSP"]
    assert [one["tool"] for one in given["tools"]["kept"]] == ["Read"]
    assert (plain["model"]["value"], given["model"]["value"]) == (None, "haiku")
    wrong = shell.run(*preview, "--env", "HAIKU")
    assert (wrong.code, wrong.err) == (2, "error: --env: `HAIKU` is not of the form NAME=VALUE\n")
    shell.write(".codex/agents/checker.md", SOUND)
    other = shell.run("preview", "checker", "--dialect", "codex-subagents", "--background")
    said = "error: --background: `subagent_run` of codex-subagents has no such argument\n"
    assert (other.code, other.err) == (2, said)


def test_the_file_that_keeps_all_agents_from_loading_is_named(shell: Shell) -> None:
    shell.write(".kodacode/agents/good.md", "---\nmode: subagent\n---\nWork.\n")
    shell.write(".kodacode/agents/bad.md", "---\nhidden: 1\n---\nWork.\n")
    ran = shell.run("preview", "good", "--dialect", "kodacode", "--task", "Look.")
    message, where = ran.err.splitlines()
    assert message.startswith("error: decode front matter: ")
    assert where == "  no agent loads because of .kodacode/agents/bad.md"
    assert (ran.code, ran.out) == (1, "")


def test_the_context_of_a_preset_is_in_its_prompt(shell: Shell) -> None:
    shell.write("moltis.toml", '[agents.presets.scout]\nidentity.name = "Scout"\n')
    asked = ("preview", "scout", "--dialect", "moltis", "--task", "Look.", "--context", "In src.")

    assert "| Context: In src." in shell.run(*asked).out


def test_a_system_whose_call_takes_no_context_says_so(shell: Shell) -> None:
    shell.write(".codex/.agents/checker.md", SOUND)
    ran = shell.run("preview", "checker", "--context", "In src.")

    assert (ran.code, "--context: `spawn_agent`" in ran.err) == (2, True)


def previewed(shell: Shell, *arguments: str) -> dict[str, object]:
    """The result of a preview, as data."""
    ran = shell.run("preview", "--json", *arguments)
    assert ran.code == 0, ran.err
    return dict(json.loads(ran.out))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_each_argument_of_each_runtimes_call_can_be_given(dialect: Dialect) -> None:
    values = {
        str: ("x", "x"),
        bool: ("true", True),
        list: ("[1]", [1]),
        dict: ('{"a": 1}', {"a": 1}),
    }
    for parameter in dialect.calls.spawn_parameters:
        written, value = values[parameter.type]
        call = parser().parse_args(["preview", "--argument", f"{parameter.name}={written}"])
        assert spawn_argument(call, dialect) == {parameter.name: value}


def test_the_context_and_the_handoffs_of_kodacode_reach_the_child(shell: Shell) -> None:
    shell.write(".kodacode/agents/scout.md", "---\ndescription: D.\nmode: subagent\n---\nLook.\n")
    call = ("scout", "--task", "Find it.", "--context", "Since Monday.")
    plain = previewed(shell, *call)
    told = previewed(shell, *call, "--argument", 'source_handoff_ids=["h-1"]')
    assert "Since Monday." in json.dumps(plain["prompt"])
    assert "h-1" in json.dumps(told)
    assert "h-1" not in json.dumps(plain)


def test_without_an_agent_the_call_has_none(shell: Shell) -> None:
    assert previewed(shell, "--dialect", "codex-templates")["name"] == "default"
    shell.write("moltis.toml", '[agents]\ndefault = "scout"\n[agents.presets.scout]\n')
    assert previewed(shell, "--dialect", "moltis")["name"] == "scout"
    ran = shell.run("preview", "--dialect", "kodacode")
    assert (ran.code, ran.err) == (1, "error: agent_id is required\n")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("model", "`model` is not of the form NAME=VALUE"),
        ("=x", "`=x` is not of the form NAME=VALUE"),
        ("modle=x", "`spawn_agent` of codex-templates has no argument `modle`; did you mean"),
        ("items={}", "`items` is a list in JSON"),
        ("items=" + "[" * 5000, "`items` is a list in JSON"),
    ],
)
def test_an_argument_that_the_call_cannot_have_is_an_error(
    written: str, said: str, shell: Shell
) -> None:
    ran = shell.run("preview", "worker", "--argument", written)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: --argument: {said}")


def test_a_repeated_argument_is_an_error(shell: Shell) -> None:
    ran = shell.run("preview", "worker", "--model", "a", "--argument", "model=b")
    assert (ran.code, ran.err) == (2, "error: --argument: `model` is given twice\n")


def test_an_option_that_the_call_does_not_have_is_an_error(shell: Shell) -> None:
    for option in ("--context", "--thread-note", "--working-directory", "--persona", "--effort"):
        ran = shell.run("preview", "x", "--dialect", "claude", option, "y")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"error: {option}: `Agent` of claude has no such argument\n"


ROLE = """\
[template]
name = "poet"

You are a poet. Always rhyme, never lie, and answer in one stanza.
"""


def test_the_artifacts_of_a_prompt_are_written_into_a_folder(shell: Shell) -> None:
    """Equal calls write equal files, and a change shows in the hash of its block."""
    shell.write("docs/templates/poet.md", ROLE)
    call = ("preview", "poet", "--artifacts", "logged/turn-1", "--argument")
    ran = shell.run(*call, "mode=IMPLEMENTATION", "--argument", "user_override=Now.")
    folder = shell.root / "logged/turn-1"
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert (ran.code, ran.err) == (0, "wrote 8 files into logged/turn-1\n")
    assert files == [
        "blocks/1-system.md",
        "blocks/2-role.md",
        "blocks/3-mode.md",
        "blocks/4-task.md",
        "blocks/5-override.md",
        "delta.md",
        "hashes.json",
        "prompt.md",
    ]
    assert (folder / "blocks/2-role.md").read_text(encoding="utf-8") == ROLE
    first = json.loads((folder / "hashes.json").read_text(encoding="utf-8"))
    shell.run(*call, "mode=PLANNING", "--argument", "user_override=Now.")
    second = json.loads((folder / "hashes.json").read_text(encoding="utf-8"))
    assert {name for name in first if first[name] != second[name]} == {
        "prompt",
        "delta",
        "mode",
        "task",
    }


def test_any_argument_of_the_call_can_be_given(shell: Shell) -> None:
    shell.write("docs/templates/poet.md", ROLE)
    given = ("label=Bard", 'capabilities={"edgeManagement":"all"}', "provider=gemini")
    options = [word for one in given for word in ("--argument", one)]
    shown = json.loads(shell.run("preview", "poet", "--task", "Sing.", *options, "--json").out)
    assert shown["edgeManagement"]["value"] == "all"
    task = shown["blocks"]["task"]["text"]
    for line in ("Node: Bard (…)", "Provider: gemini", "Objective: Sing."):
        assert line in task.splitlines()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--argument", "label"), "is not of the form NAME=VALUE"),
        (("--argument", "input={"), "`input` is an object in JSON"),
        (("--argument", "lable=x"), "did you mean `label`?"),
        (("--artifacts", "file/below"), "cannot write file/below"),
    ],
)
def test_an_invalid_argument_is_an_error(options: tuple[str, str], said: str, shell: Shell) -> None:
    shell.write("docs/templates/poet.md", ROLE)
    shell.write("file", "in the way")
    ran = shell.run("preview", "poet", *options)
    assert ran.code
    assert said in ran.err


def test_artifacts_of_a_system_that_logs_none_are_an_error(shell: Shell) -> None:
    shell.write(".codex/.agents/reviewer.md", REVIEWER)
    ran = shell.run("preview", "reviewer", "--artifacts", "logged")
    assert "--artifacts" in ran.err
    assert not (shell.root / "logged").exists()


def test_an_agent_that_only_people_start_is_shown_as_the_session(shell: Shell) -> None:
    shell.write(".kodacode/agents/main.md", "---\nDisallowedTools: [bash]\n---\nWork.\n")
    ran = shell.run("preview", "main")
    assert ran.err.splitlines() == [
        "error: child agent is not available for delegation",
        "  `--as session` shows it as the session itself",
    ]
    ran = shell.run("preview", "main", "--as", "session")
    assert ran.code == 0
    assert "removed, denied by `bash` in `DisallowedTools`" in ran.out


def test_the_program_that_answers_is_one_that_there_is(shell: Shell) -> None:
    shell.write(".github/agents/a.agent.md", "---\ndescription: d\ntools: [read]\n---\nWork.\n")
    ran = shell.run("preview", "a", "--argument", "reader=foo")
    assert ran.code == 2
    assert ran.err == "error: `reader` is `vscode` or `cli`, not `foo`\n"
    for options in (("--argument", "reader=cli"), ("--for", "copilot-cli")):
        assert "keeps 1 of 22: view" in shell.run("preview", "a", *options).out
