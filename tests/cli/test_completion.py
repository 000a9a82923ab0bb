"""The scripts of `completion` complete the command line in the shells themselves."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tree_sitter_powershell
from tree_sitter import Language, Parser

from agent_lsp.cli.arguments import commands, options, parser
from agent_lsp.cli.commands.completion import SHELLS
from agent_lsp.environment import SYSTEMS
from tests.cli.shell import Shell

# What is typed, with a tab where the shell completes, and the words that the command gets.
TYPED = [
    ("che\t--sever\tw\t", ["check", "--severity", "warning"]),
    ("check --select unknown-mo\t", ["check", "--select", "unknown-model"]),
    ("check --format=sa\t", ["check", "--format=sarif"]),
    ("list --dialect codex-su\t", ["list", "--dialect", "codex-subagents"]),
    ("explain shad\t", ["explain", "shadowed"]),
    ("completion fi\t", ["completion", "fish"]),
    ("check pro\ta\t", ["check", "prompts/a.md"]),
    ("list --root pro\t", ["list", "--root", "prompts/"]),
]
# How long a shell may take to start and to answer, in seconds; generous, for a busy machine.
PATIENCE = 120
# A row of the table in the script for PowerShell.
KEY = re.compile(r"^    '([^']*)' = '[^']*'$", re.MULTILINE)
ANSWER = re.compile(r"^(?:READY|GOT\|.*\|)\r?$", re.MULTILINE)


def test_each_script_has_every_command_and_option_and_nothing_else_decides(shell: Shell) -> None:
    for name in SHELLS:
        ran = shell.run("completion", name)
        assert (ran.code, ran.err) == (0, "")
        for command, made in commands(parser()).items():
            assert command in ran.out
            for option in options(made):
                plain = option.lstrip("-") if name == "fish" else option
                assert plain in ran.out, (name, command, option)
        assert all(system.id in ran.out for system in SYSTEMS)


def test_a_shell_without_a_script_is_an_error(shell: Shell) -> None:
    ran = shell.run("completion", "tcsh")
    assert (ran.code, ran.out) == (2, "")
    assert "'bash', 'zsh', 'fish', 'powershell'" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.parametrize(
    ("name", "words", "start"),
    [
        ("bash", ("--norc", "--noprofile", "-i"), "bind 'set bell-style none'; PS1='> '"),
        ("zsh", ("-f", "-i"), "autoload -U compinit; compinit -D -u; PS1='> '"),
    ],
)
def test_a_shell_completes_what_is_typed(
    name: str, words: tuple[str, ...], start: str, shell: Shell
) -> None:
    program = _program(name)
    script = shell.write(f"script.{name}", shell.run("completion", name).out)
    shell.write("prompts/a.md", "A.")
    report = "agent-template-lsp() { printf 'GOT'; printf '|%s' \"$@\"; echo '|'; }"
    lines = [f"{start}; source {script}; {report}; echo READY"]
    got = _typed(
        [program, *words], shell.root, [*lines, *(f"agent-template-lsp {t}" for t, _ in TYPED)]
    )
    assert got == [_joined(expected, name) for _, expected in TYPED]


def _joined(words: list[str], name: str) -> list[str]:
    """`words` as a shell writes them.

    zsh puts `=` after an option that takes a value, and removes the last slash at the end.
    """
    if name == "zsh" and words[1] == "--severity":
        return [words[0], "--severity=warning"]
    return [word.rstrip("/") for word in words] if name == "zsh" else words


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"no {name}")
    return program


def _typed(command: list[str], folder: Path, lines: list[str]) -> list[list[str]]:
    """Types `lines` into an interactive shell, and returns the words that the command got."""
    import pty  # noqa: PLC0415 - not on Windows

    own, other = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "HOME": str(folder), "HISTFILE": ""}
    with subprocess.Popen(
        command,
        stdin=other,
        stdout=other,
        stderr=other,
        cwd=folder,
        env=environment,
        start_new_session=True,
    ) as process:
        os.close(other)
        try:
            said = _said(own, lines)
        finally:
            process.kill()
    os.close(own)
    return [row.strip().split("|")[1:-1] for row in said.splitlines() if row.startswith("GOT|")]


def _said(own: int, lines: list[str]) -> str:
    """Types each of `lines` after the answer to the last, and returns everything that is shown."""
    said, end = "", time.monotonic() + PATIENCE
    for number, line in enumerate(lines):
        os.write(own, f"{line}\n".encode())
        while len(ANSWER.findall(said)) <= number:
            ready, _, _ = select.select([own], [], [], max(0.0, end - time.monotonic()))
            assert ready, said
            said += os.read(own, 4096).decode("utf-8", "replace")
    return said


def test_fish_offers_commands_options_values_and_paths(shell: Shell) -> None:
    program = _program("fish")
    script = shell.write("script.fish", shell.run("completion", "fish").out)
    shell.write("prompts/a.md", "A.")
    typed = ["che", "check --sever", "check --severity w", "explain shad", "check pro"]
    asked = "; ".join(f"complete -C 'agent-template-lsp {one}'" for one in typed)
    ran = subprocess.run(
        [program, "--no-config", "-c", f"source {script}; {asked}"],
        cwd=shell.root,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(shell.home)},
    )
    about = "report only findings of this severity or above, and exit with 1 if there are any"
    assert ran.stdout.splitlines() == [
        "check\treport what a runtime ignores, refuses or loses",
        f"--severity\t{about}",
        f"warning\t{about}",
        "shadowed",
        "prompts/",
    ]


def test_the_script_for_powershell_is_sound(shell: Shell) -> None:
    script = shell.run("completion", "powershell").out
    tree = Parser(Language(tree_sitter_powershell.language())).parse(script.encode())
    assert not tree.root_node.has_error
    # A table with a key twice is refused, and case does not count.
    keys = [
        key.casefold() for key in re.findall(r"^    '([^']*)' = '[^']*'$", script, re.MULTILINE)
    ]
    assert len(keys) == len(set(keys)) > len(SYSTEMS)
