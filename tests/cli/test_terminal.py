"""No text of a template, and no name of a file, controls a terminal."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_lsp.cli.arguments import COMMANDS
from agent_lsp.cli.checking.report import _CLEAR
from agent_lsp.cli.commands.completion import SHELLS
from agent_lsp.cli.terminal import _COLOURS, _RESET, as_json, put_file
from tests.cli.repository import commit
from tests.cli.shell import Shell
from tests.effort import share, usually
from tests.hostile.test_untrusted import HOSTILE
from tests.server import ready
from tests.server.editor import environment

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


@pytest.mark.parametrize(
    "word",
    [
        *("--\x1b]0;x\x07", "--for=\x1b[2J", "a\x9b2J.md", "\x1b[2J"),
        *("--x\nerror: FORGED", "--for\nerror: FORGED", "x\nerror: FORGED", "-\nerror: FORGED"),
    ],
)
def test_an_error_about_an_argument_has_no_controls(word: str, shell: Shell) -> None:
    """A shell makes arguments of the names of files, as in `check *`."""
    shell.write("a.md", "x\n")
    for arguments in ((word,), ("check", "a.md", word), ("explain", word), ("new", "a", word)):
        ran = shell.run(*arguments)
        assert (ran.code, ran.err.startswith("error: ")) == (2, True), arguments
        assert _controls(ran.err) == set(), arguments
        assert "\nerror: FORGED" not in ran.err, arguments


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["--version", "--help", "check --help"])
def test_a_help_text_that_cannot_be_written_has_it_too(arguments: str, unbuffered: str) -> None:
    """Without a buffer, it is argparse that meets the failure."""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "agent_lsp", *arguments.split()]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 74
    assert ran.stderr == "error: cannot write the output: No space left on device\n"


# It sets the title, moves the cursor, turns the text around, and looks like a line or a colour of
# this program. A header has it in escapes, since few systems read a header with raw ones.
_ATTACK = "a\x1b]0;x\x07\x9b31m\u202e\rb\x1b[1;31mFORGED\x1b[0m"
_ESCAPED = "".join(one if " " < one < "\x7f" else f"\\u{ord(one):04x}" for one in _ATTACK)
_NAME = f"{_ATTACK}\nFORGED: line"
_AGENT = f'---\nname: "{_ESCAPED}"\ndescription: "{_ESCAPED}"\ntools: Grap\n---\n{_ATTACK}\n'


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with an attack wherever a text or a name can have one."""
    root = tmp_path_factory.mktemp("attacked")
    for name, text in HOSTILE.values():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        header, line, prompt = text.rpartition("---\n")
        written = re.sub("'''|'", '"', header).replace("{0}", _ESCAPED)
        path.write_text(written + line + prompt.replace("{0}", _ATTACK), encoding="utf-8")
    for folder in ("", ".claude/agents", f"{_NAME}/.claude/agents", ".codex/.agents", ".github/x"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / f"{_NAME}.md").write_text(_AGENT, encoding="utf-8")
    # A name that is no UTF-8.
    (root / os.fsdecode(b".claude/agents/\x9b2J\x1b.md")).write_text(_AGENT, encoding="utf-8")
    (root / ".claude/agents/out.md").symlink_to("/etc/hostname")
    settings = f'for = ["{_ESCAPED}"]\n"{_ESCAPED}" = 1\n[rules]\n"{_ESCAPED}" = "off"\n'
    (root / "agent-template-lsp.toml").write_text(settings, encoding="utf-8")
    (root / "agent-template-lsp.lock.json").write_text(
        f'{{"version": "{_ESCAPED}"}}', encoding="utf-8"
    )
    (root / "baseline.json").write_text(f'{{"version": "{_ESCAPED}"}}', encoding="utf-8")
    commit(root)
    for path in (root / ".claude/agents").glob("*.md"):
        if not path.is_symlink():
            path.write_text(_AGENT.replace("Grap", f'"{_ESCAPED}"'), encoding="utf-8")
    return root


# Each command, with arguments that make it print most of what it can.
_SYSTEMS = tuple(HOSTILE)
_FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
_CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "check": (
        *((".claude", "--format", name) for name in _FORMATS),
        (".claude", "--diff", "--unsafe-fixes"),
        ("--statistics",),
        ("--show-files",),
        (".claude", "--since", "HEAD"),
        ("--since", _ATTACK),
        ("--isolated",),
        ("--baseline", "baseline.json"),
        ("--config", f"{_NAME}.md"),
        ("--exclude", _ATTACK),
        ("--select", _ATTACK),
        ("--write-baseline", f"{_ATTACK}/x"),
        ("--output-file", f"{_ATTACK}/x"),
        ("--stdin-filename", _NAME, "-"),
        (_NAME,),
        (f"{_NAME}.md",),
        (f"{_ATTACK}.md",),
        ("--severity", _ATTACK),
    ),
    "list": (
        *(("--dialect", one) for one in share(_SYSTEMS, 0)),
        ("--json", "--dialect", "claude"),
        ("--agent-type", _ATTACK),
        ("--root", _ATTACK),
        ("--for", _ATTACK),
    ),
    "preview": (
        *((_ATTACK, "--dialect", one) for one in share(_SYSTEMS, 1)),
        (_ATTACK, "--dialect", "claude", "--json"),
        ("reviewer", "--dialect", "opencode", "--argument", _ATTACK),
        ("reviewer", "--dialect", "codex-templates", "--persona", _ATTACK),
        ("reviewer", "--dialect", "kodacode", "--task", _ATTACK, "--context", _ATTACK),
    ),
    "try": (
        *((HOSTILE[one][0], "--dialect", one) for one in share(_SYSTEMS, 2)),
        (f"{_NAME}.md", "--dialect", "claude", "--json"),
    ),
    "status": ((), ("--json",), ("--root", _ATTACK)),
    "explain": ((), ("unknown-tool",), (_ATTACK,)),
    "new": (
        ("--dialect", "claude"),
        (_ATTACK, "--dialect", "claude"),
        ("a", "--starter", _ATTACK, "--dialect", "claude"),
        (_ATTACK, "--dialect", "moltis"),
        ("reviewer", "--dialect", "claude"),
    ),
    "convert": (
        (f".claude/agents/{_NAME}.md", "--to", "codex-templates"),
        (f".claude/agents/{_NAME}.md", "--to", "opencode", "--format", "json"),
        (".claude/agents", "--to", "gemini", "--scope", "project", "--output", _ATTACK),
        *((HOSTILE[one][0], "--to", "claude") for one in share(_SYSTEMS, 3)),
        ("--write", "cursor"),
        ("--write", _ATTACK),
        ("--drop", _ATTACK),
        ("--check",),
        (_ATTACK, "--to", "claude"),
    ),
    "diff": (
        ("HEAD",),
        ("HEAD", "--format", "json"),
        ("HEAD", "--format", "markdown"),
        (_ATTACK,),
    ),
    "seed": ((), ("--dialect", _ATTACK)),
    "schema": (("claude",), (_ATTACK,)),
    "graph": ((), ("--dialect", "claude"), ("--root", _ATTACK)),
    "completion": (*((one,) for one in SHELLS), (_ATTACK,)),
    "": (("--help",), ("check", "--help")),
    "serve": (("--tcp", _ATTACK), ("--stdio",)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    "command",
    usually([*COMMANDS, _ATTACK, f"--{_ATTACK}", ""], ("check", "preview", _ATTACK).__contains__),
)
def test_no_command_controls_a_terminal(command: str, attacked: Path) -> None:
    for arguments in (*_CALLS.get(command, ()), (f"--{_ATTACK}",), (_ATTACK,) * 3):
        shown = _on_terminal(attacked, *filter(None, (command, *arguments)))
        assert "Traceback" not in shown, arguments
        assert "\x1b[1;31mFORGED" not in shown, arguments
        assert not re.search(r"(?m)^(\x1b\[[0-9;]*m)*FORGED", shown), arguments
        assert _controls(_without_own_codes(shown)) == set(), arguments


# What Python prints by itself, and a command that forgot to make a text visible.
_CARELESS = f"""
import logging, sys, threading, warnings
from agent_lsp.__main__ import program
from agent_lsp.cli.commands import explain
attack = {_ATTACK!r}
def fail():
    raise OSError(attack)
def run(arguments):
    print(attack)
    sys.stdout.writelines([attack])
    print(attack, file=sys.stderr)
    warnings.warn(attack)
    logging.warning(attack)
    thread = threading.Thread(target=fail, name=attack)
    thread.start()
    thread.join()
    fail()
explain.run = run
program()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    "colour", [pytest.param("NO_COLOR", marks=pytest.mark.hostile), "FORCE_COLOR"]
)
def test_what_a_command_forgets_and_python_prints_does_not_control_a_terminal(
    colour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(colour, "1")
    program = (sys.executable, "-c", _CARELESS, "explain")
    shown = _on_terminal(tmp_path, program=program)
    assert shown.count("FORGED") >= 7
    assert shown.count("OSError: a␛]0;x␇") == 2
    assert (shown == _without_own_codes(shown)) is (colour == "NO_COLOR")
    assert _controls(_without_own_codes(shown)) == set()


def _on_terminal(folder: Path, *arguments: str, program: tuple[str, ...] = ()) -> str:
    """All that a call shows on a terminal of its own, which shows what it gets."""
    import pty  # noqa: PLC0415 - not there on Windows
    import tty  # noqa: PLC0415 - as above

    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    places = {**environment(folder), "TERM": "xterm", "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [*(program or ready.program()), *arguments],
        cwd=folder,
        env=places,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return shown.decode("utf-8")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # The last process on the other side is gone.
        return b""


def _without_own_codes(shown: str) -> str:
    for code in (*_COLOURS.values(), _RESET, _CLEAR):
        shown = shown.replace(code, "")
    return shown
