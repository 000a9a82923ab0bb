"""No text of a template, and no name of a file, controls a terminal."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_lsp.cli.terminal import as_json, put_file
from tests.cli.shell import Shell

_CONTROLS = "\x1b[2J\x07\x7f\x9b31m\u202e\u2066\u2028"


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def _controls(text: str) -> set[str]:
    return {one for one in text if not one.isprintable() and one not in "\n\t"}


def test_a_file_on_a_terminal_has_pictures_of_its_controls() -> None:
    stream = Terminal()
    put_file(f"a\tb\r\n{_CONTROLS}\n", stream)
    assert stream.getvalue().startswith("a\tb\n\u241b[2J")
    assert _controls(stream.getvalue()) == set()


def test_json_on_a_terminal_escapes_controls_and_means_the_same() -> None:
    text = as_json({"a": _CONTROLS, "é": 1}, Terminal())
    assert _controls(text) == set()
    assert json.loads(text) == {"a": _CONTROLS, "é": 1}
    assert "é" in text


def test_json_that_a_terminal_cannot_encode_escapes_controls_as_well() -> None:
    value = {"a": f"{_CONTROLS}\udc80"}
    text = as_json(value, Terminal())
    assert _controls(text) == set()
    assert json.loads(text) == value


@pytest.mark.parametrize("word", ["--\x1b]0;x\x07", "--for=\x1b[2J", "a\x9b2J.md", "\x1b[2J"])
def test_an_error_about_an_argument_has_no_controls(word: str, shell: Shell) -> None:
    """A shell makes arguments of the names of files, as in `check *`."""
    shell.write("a.md", "x\n")
    for arguments in ((word,), ("check", "a.md", word), ("explain", word), ("new", "a", word)):
        ran = shell.run(*arguments)
        assert (ran.code, ran.err.startswith("error: ")) == (2, True), arguments
        assert _controls(ran.err) == set(), arguments


def test_annotations_have_no_controls_in_the_name_of_a_file(shell: Shell) -> None:
    name = ".claude/agents/a\x1b[2J\x9b.md"
    shell.write(name, "---\nname: a\ndescription: d\ntools: Grap\n---\nGo.\n")
    ran = shell.run("check", ".", "--format", "github")
    assert "file=" in ran.out
    assert _controls(ran.out) == set()


def test_new_on_a_full_disk_leaves_no_empty_file(shell: Shell) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        ran = shell.run("new", "scout", "--dialect", "claude")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (ran.code, ran.err.startswith("error: cannot write ")) == (2, True)
    assert [path for path in shell.root.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_output_that_cannot_be_written_has_an_exit_code_of_its_own(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", "---\nname: a\ndescription: d\n---\nGo.\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "agent_lsp", "check"]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 74
    assert ran.stderr == "error: cannot write the output: No space left on device\n"
