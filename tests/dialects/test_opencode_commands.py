"""What OpenCode reads beside its agents, commands and skills, is checked for what does harm.

Facts: OpenCode 1.18.33, measured 2026-11-29.
"""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.opencode.dialect import DIALECT
from agent_lsp.model.runtime import Call, RuntimeRefusal
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.search import templates
from agent_lsp.workspace.snapshot import is_template
from tests.cli.shell import Shell, shell_in
from tests.fixture import Fixture, fixture
from tests.server.editor import editing

AGENT = "//- .opencode/agents/a.md\n---\ndescription: d\nmode: subagent\n---\nGo.\n"
COMMAND = "//- .opencode/command/x.md\n"
RUN = "---js\n({description: 'd'})\n---\nGo.\n"
WANTS_TEXT, WANTS_FLAG = "Expected string | undefined, got", "Expected boolean | undefined, got"


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    return shell_in(tmp_path, monkeypatch, capsys)


def made(folder: Path, text: str, path: str = COMMAND, more: str = AGENT) -> Fixture:
    return fixture(folder, f"{path}{text}{more}")


def said(made: Fixture) -> list[str]:
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}]" for one in found]


def refusal(made: Fixture) -> str:
    """What a listing of the agents is answered with; empty if there is a list."""
    found = DIALECT.names.failure
    failure = found(catalog(made.workspace, DIALECT, made.root)) if found is not None else None
    return failure.message if failure is not None else ""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("description: 5", f'{WANTS_TEXT} 5\n  at ["description"]'),
        ("description:", f'{WANTS_TEXT} null\n  at ["description"]'),
        ("description: [a]", f'{WANTS_TEXT} ["a"]\n  at ["description"]'),
        ("description: true", f'{WANTS_TEXT} true\n  at ["description"]'),
        ("description: {a: 1}", f'{WANTS_TEXT} {{"a":1}}\n  at ["description"]'),
        ("description: 5\nfoo: a: b", f'{WANTS_TEXT} 5\n  at ["description"]'),
        ("agent: 5", f'{WANTS_TEXT} 5\n  at ["agent"]'),
        ("model:", f'{WANTS_TEXT} null\n  at ["model"]'),
        ("variant: 5", f'{WANTS_TEXT} 5\n  at ["variant"]'),
        ("subtask: yes", f'{WANTS_FLAG} "yes"\n  at ["subtask"]'),
        ("subtask:", f'{WANTS_FLAG} null\n  at ["subtask"]'),
        ("agent: 5\nmodel: 6", f'{WANTS_TEXT} 5\n  at ["agent"]\n{WANTS_TEXT} 6\n  at ["model"]'),
    ],
)
def test_a_value_of_a_command_that_stops_the_program_is_an_error(
    lines: str, words: str, tmp_path: Path
) -> None:
    one = made(tmp_path, f"---\n{lines}\n---\nDo it.\n")
    assert set(said(one)) == {"error[wrong-type]"}
    sentence = f"Configuration is invalid at {one.path}: SchemaError: {words}"
    assert refusal(one) == sentence
    known = catalog(one.workspace, DIALECT, one.root)
    spawn = DIALECT.calls.spawn(known, Call({"subagent_type": "a", "prompt": "Go."}))
    assert isinstance(spawn, RuntimeRefusal)
    assert sentence in spawn.message


@pytest.mark.parametrize(
    "text",
    [
        "---\ndescription: d\nagent: build\nmodel: p/m\nsubtask: true\n---\nDo it.\n",
        "---\nagent: nobody\nmodel: sonnet\n---\nDo it.\n",
        "---\ntemplate: 5\nname: 5\nfoo: {a: 1}\nargument-hint: [x]\n---\nDo it.\n",
        "---\ndescription: a: b\n---\nDo it.\n",
        "---\ndescription: a: b\n- x\n---\nDo it.\n",
        '---\ndescription: "x\n---\nDo it.\n',
        "---\n- a\n---\nDo it.\n",
        "---\n\n---\nDo it.\n",
        "Do it.\n",
        "",
    ],
)
def test_any_other_command_is_no_template(text: str, tmp_path: Path) -> None:
    one = made(tmp_path, text)
    assert not is_template(one.workspace, one.path)
    assert [path.name for path in templates(one.workspace)] == ["a.md"]
    assert refusal(one) == ""


@pytest.mark.parametrize(
    "path",
    [
        *(f".opencode/{name}/x.md" for name in ("command", "commands", "command/a/.b")),
        ".opencode/commands/node_modules/x.md",
        *(f".opencode/{name}/s/SKILL.md" for name in ("skill", "skills", "skills/a/b")),
        *(f"{name}/skills/s/SKILL.md" for name in (".claude", ".agents", "sub/.claude")),
    ],
)
@pytest.mark.parametrize("end", ["", "\ud800", "x" * 1_000_001], ids=["", "bytes", "large"])
def test_a_command_or_a_skill_whose_header_is_run_is_an_error(
    end: str, path: str, tmp_path: Path
) -> None:
    one = made(tmp_path, f"{RUN}{end}", f"//- {path}\n", "")
    assert one.path in templates(one.workspace)
    assert said(one) == ["error[executed-header]"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".opencode/command/x.txt", RUN),
        (".opencode/x.md", RUN),
        (".opencode/skills/s/notes.md", RUN),
        (".claude/commands/x.md", RUN),
        ("skills/s/SKILL.md", RUN),
        # The program skips such a skill.
        (".opencode/skills/s/SKILL.md", "---\nname: 5\ndescription: [x]\n---\nGo.\n"),
    ],
)
def test_what_the_program_does_not_read_there_is_no_template(
    path: str, text: str, tmp_path: Path
) -> None:
    one = made(tmp_path, text, f"//- {path}\n")
    assert one.path not in templates(one.workspace)
    assert refusal(one) == ""


def test_a_linked_folder_of_commands_is_searched(shell: Shell) -> None:
    shell.write("elsewhere/x.md", RUN)
    shell.write(".opencode/README", "")
    (shell.root / ".opencode/command").symlink_to("../elsewhere")
    assert shell.run("check").heads == [".opencode/command/x.md:1:1: error[executed-header]"]


def test_the_first_file_in_the_order_of_reading_is_told(tmp_path: Path) -> None:
    """Of a folder of configuration: its JSON, its commands, its agents."""
    wrong = "---\ndescription: 5\n---\nGo.\n"
    agent = f"//- .opencode/agents/b.md\n{wrong}"
    table = '//- .opencode/opencode.json\n{"command": {"x": "do"}}\n'
    earlier = f"//- .opencode/command/a/x.md\n{wrong}"
    assert "/command/a/x.md: " in refusal(made(tmp_path / "a", wrong, more=f"{agent}{earlier}"))
    assert ".opencode/opencode.json" in refusal(made(tmp_path / "b", wrong, more=agent + table))
    outer = refusal(made(tmp_path / "c", wrong, "//- ~/.opencode/command/x.md\n", agent))
    assert ".opencode/agents/b.md" in outer


def test_a_pattern_of_git_hides_no_command(shell: Shell) -> None:
    shell.write(".opencode/command/x.md", RUN)
    shell.write(".gitignore", "/.opencode/\n")
    ran = shell.run("check", "--isolated")
    assert ran.heads == [".opencode/command/x.md:1:1: error[executed-header]"]
    assert ran.code == 1


async def test_an_editor_reports_a_command_only_while_it_does_harm(tmp_path: Path) -> None:
    path = ".opencode/command/x.md"
    async with editing(tmp_path, "visual-studio-code", {path: RUN}) as editor:
        file = editor.path(path)
        await editor.sees(file, "executed-header")
        editor.open(path, "---\nsubtask: 5\n---\nGo.\n")
        await editor.sees(file, "wrong-type")
        editor.close(file)
        await editor.sees(file, "executed-header")
