"""The examples in the pages about the command line and the settings are correct.

A block ```` ```LANGUAGE PATH ```` writes a file. A block ```` ```console ```` contains commands
with their output, where `...` stands for text that does not matter to the reader.
"""

import doctest
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from agent_lsp import settings
from tests.cli.shell import Shell

PAGES = ("README.md", "docs/command-line.md", "docs/getting-started.md", "docs/settings.md")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_example_prints_what_the_page_says(page: str, shell: Shell) -> None:
    ran = 0
    for language, path, text in BLOCK.findall(_read(page)):
        if path:
            shell.write(path, text)
        elif language == "console":
            ran += _follow(shell, text)
    assert ran


def test_a_wrong_example_fails(shell: Shell) -> None:
    with pytest.raises(AssertionError):
        _follow(shell, "$ agent-template-lsp explain nonsense\n$ echo $?\n0\n")


def test_the_settings_on_the_page_are_valid_and_complete_in_both_forms() -> None:
    blocks = BLOCK.findall(_read("docs/settings.md"))
    toml = next(text for _, path, text in blocks if path == "agent-template-lsp.toml")
    [section] = [json.loads(text) for language, _, text in blocks if language == "json"]
    in_editor = {key.removeprefix("agentTemplates."): value for key, value in section.items()}
    folder = Path("repository").absolute()
    from_file, said = settings.from_file(toml, folder / "agent-template-lsp.toml")
    assert said == ()
    assert settings.from_editor(in_editor, folder) == (from_file, ())
    assert set(tomllib.loads(toml)) == {"session-root", "for", "severity", "folders", "dialects"}
    extras = tomllib.loads(toml)["dialects"]["codex-templates"]
    assert set(extras) == {"tools", "keys", "models", "scopes"}


def _read(page: str) -> str:
    return (Path(__file__).parents[2] / page).read_text(encoding="utf-8")


def _follow(shell: Shell, session: str) -> int:
    """Runs the commands of one block and compares their output; returns their number."""
    code = 0
    commands = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    for command in commands:
        line, _, expected = command.partition("\n")
        program, *arguments = shlex.split(line)
        if line == "echo $?":
            printed = f"{code}\n"
        else:
            assert program == "agent-template-lsp"
            ran = shell.run(*arguments)
            code, printed = ran.code, ran.out + ran.err
        same = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
        assert same, f"$ {line}\n{printed}"
    return len(commands)
