"""The command as a process: exit codes, streams, encodings, pipes, and imports."""

import errno
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from agent_lsp import __version__
from agent_lsp.cli import is_reader_gone
from agent_lsp.cli.arguments import parser
from tests.cli.repository import commit
from tests.cli.shell import SLIP, Shell
from tests.effort import share

COMMAND = (sys.executable, "-m", "agent_lsp")


def start(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[bytes]":
    """Runs the command in a process of its own in the current folder."""
    checkout = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": checkout, **variables}
    return subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, check=False)


def test_the_command_reports_findings_and_exits_with_1(shell: Shell) -> None:
    shell.write(".codex/.agents/a.md", SLIP)
    ran = start("check")
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert ran.stdout.decode().endswith(
        f"\nchecked 1 template of Codex (fork NeoGrAIph/codex): 1 warning{os.linesep}"
        f"fixable: 1 with `--fix`{os.linesep}"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("list",),
        pytest.param(("preview", "a"), marks=pytest.mark.hostile),
        pytest.param(("check",), marks=pytest.mark.hostile),
    ],
)
def test_a_terminal_without_unicode_gets_question_marks(
    command: tuple[str, ...], shell: Shell
) -> None:
    shell.write(".codex/.agents/a.md", SLIP.replace("change", "Änderung 你"))
    ran = start(*command, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.returncode in (0, 1)
    assert ran.stderr == b""
    assert ran.stdout.isascii()


def test_json_stays_exact_on_a_terminal_without_unicode(shell: Shell) -> None:
    shell.write(".codex/.agents/a.md", SLIP.replace("change", "Änderung 你"))
    arguments = ("list", "--agent-type", "a", "--json")
    narrow = start(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout
    assert json.loads(narrow) == json.loads(shell.run(*arguments).out)
    assert json.loads(narrow)["agents"][0]["description"] == "Reviews a Änderung 你."


# The text of a file, a name and a word of this program have characters that each encoding has.
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--format", "json"),
        ("check", "--format", "sarif"),
        ("check", "--format", "gitlab"),
        ("check", "--format", "junit"),
        ("check", "--format", "github"),
        ("list", "--json"),
        ("graph",),
        ("diff", "HEAD", "--format", "markdown"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_what_a_program_reads_is_utf_8_in_every_locale(
    arguments: tuple[str, ...], encoding: str, shell: Shell
) -> None:
    """A pipe and a file have the code page of a country on Windows, which no program expects."""
    shell.write("x", "")
    commit(shell.root)
    text = "---\nname: prüfer\ndescription: Prüft.\ntools: Grép\n---\nGo.\n"
    shell.write(".claude/agents/prüfer.md", text)
    plain = start(*arguments, PYTHONIOENCODING="utf-8", PYTHONUTF8="0").stdout
    narrow = start(*arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="0").stdout.decode("utf-8")
    if narrow.startswith(("{", "[")):
        assert json.loads(narrow) == json.loads(plain)
    else:
        assert narrow == plain.decode("utf-8")
    assert any(one in narrow for one in ("ü", "é", "\\u00fc", "\\u00e9"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only names in Unicode")
@pytest.mark.parametrize("form", ["github", "junit"])
def test_a_name_that_is_no_utf_8_is_told_with_question_marks(form: str, shell: Shell) -> None:
    shell.write(os.fsdecode(b".claude/agents/s\xff.md"), "---\nname: s\ntools: Grepp\n---\nGo.\n")
    ran = start("check", "--format", form)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert "Grepp" in ran.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only names in Unicode")
def test_a_new_file_has_a_name_that_the_locale_can_write(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", "---\nname: prüfer\ndescription: D.\n---\nGo.\n")
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    ran = start("convert", ".claude/agents", "--write", "opencode", **locale)
    assert ran.returncode in (0, 1), ran.stderr
    assert [one.name for one in (shell.root / ".opencode/agents").iterdir()] == ["pr-fer.md"]


_CONVERT = ("convert", ".codex/.agents/a.md", "--to", "claude")
_DIFF = ("check", "--diff")


# Both write their text in the same way, so each has one of the encodings that are like ASCII.
@pytest.mark.parametrize(
    ("arguments", "encoding"),
    [
        (_CONVERT, "cp1252"),
        pytest.param(_CONVERT, "utf-16", marks=pytest.mark.hostile),
        pytest.param(_DIFF, "ascii", marks=pytest.mark.hostile),
        (_DIFF, "utf-16"),
    ],
)
def test_the_text_of_a_file_is_exact_in_a_pipe(
    arguments: tuple[str, ...], encoding: str, shell: Shell
) -> None:
    """It goes into a file or to `git apply`, whatever a terminal on this machine can show."""
    written = SLIP.replace("a change", "\u4f60 \u00c4nderung").replace("\n", "\r\n")
    shell.write(".codex/.agents/a.md", written.encode())
    ran = start(*arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert "Reviews \u4f60 \u00c4nderung." in ran.stdout.decode("utf-8")
    assert b"\r\r\n" not in ran.stdout


@pytest.mark.parametrize(
    ("error", "system", "is_gone"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "linux", True),
        (OSError(errno.EINVAL, "Invalid argument"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "darwin", False),
        (OSError(errno.ENOSPC, "No space left on device"), "win32", False),
    ],
)
def test_a_closed_pipe_is_recognised_on_each_operating_system(
    error: OSError, system: str, *, is_gone: bool
) -> None:
    assert is_reader_gone(error, system) is is_gone


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
def test_a_closed_pipe_is_no_error(shell: Shell) -> None:
    for number in range(400):
        shell.write(f".codex/.agents/a{number}.md", SLIP)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [*COMMAND, "check"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_the_version_is_printed_without_loading_the_commands() -> None:
    script = (
        "import json, sys; from agent_lsp.cli import main; code = main(['--version']);"
        "print(json.dumps([code, sorted(m for m in sys.modules if m.startswith('agent_lsp'))]))"
    )
    checkout = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": checkout}
    said = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True
    )
    version, loaded = said.stdout.decode().splitlines()
    assert version == f"agent-template-lsp {__version__}"
    of_cli = ("arguments", "streams")
    own = ["agent_lsp", "agent_lsp.cli", *(f"agent_lsp.cli.{name}" for name in of_cli)]
    assert json.loads(loaded) == [0, own]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("check", ""), "PATH"),
        (("check", ".", ""), "PATH"),
        (("check", "--dialect", ""), "--dialect"),
        (("check", "--baseline", ""), "--baseline"),
        (("check", "--write-baseline", ""), "--write-baseline"),
        (("check", "-", "--stdin-filename", ""), "--stdin-filename"),
        (("list", "--root", ""), "--root"),
        (("status", "--root", ""), "--root"),
        (("graph", "--dialect", ""), "--dialect"),
        (("preview", "worker", "--artifacts", ""), "--artifacts"),
        (("convert", "", "--to", "claude"), "PATH"),
        (("convert", "a.md", "--to", "claude", "--output", ""), "--output"),
    ],
)
def test_an_empty_name_is_an_error_and_not_the_current_folder(
    arguments: tuple[str, ...], named: str, shell: Shell
) -> None:
    shell.write(".codex/.agents/a.md", SLIP)
    ran = shell.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"error: {named}: the name is empty\n"


@pytest.mark.parametrize("arguments", [("chek",), ("check", "--colour"), ("convert",)])
def test_invalid_arguments_give_one_error_that_names_the_help(
    arguments: tuple[str, ...], shell: Shell
) -> None:
    ran = shell.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    said, help_ = ran.err.splitlines()
    assert said.startswith("error: ")
    assert help_.startswith("  see `agent-template-lsp")
    assert help_.endswith("--help`")


def test_no_arguments_print_the_help_and_fail(shell: Shell) -> None:
    ran = shell.run()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == shell.run("--help").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chekc",), "there is no command `chekc`; did you mean `check`?"),
        (("perview", "reviewer"), "there is no command `perview`; did you mean `preview`?"),
        (("frobnicate",), "there is no command `frobnicate`"),
        (("check", "--selcet=header"), "there is no option `--selcet`; did you mean `--select`?"),
        (("check", "--sel", "header"), "there is no option `--sel`"),
        (("convert", "a.md", "--ot"), "there is no option `--ot`; did you mean `--to`?"),
        (("--verison",), "there is no option `--verison`; did you mean `--version`?"),
    ],
)
def test_a_misspelt_command_or_option_gets_a_suggestion(
    arguments: tuple[str, ...], said: str, shell: Shell
) -> None:
    ran = shell.run(*arguments)
    assert (ran.code, ran.out, ran.err.splitlines()[0]) == (2, "", f"error: {said}")


def test_a_word_after_two_dashes_or_with_a_space_is_no_option(shell: Shell) -> None:
    assert shell.run("check", "--", "--x").err == "error: there is no file or folder --x\n"
    text = ("--task", "--be quick")
    assert "there is no option" not in shell.run("preview", "worker", *text).err


@pytest.mark.parametrize("command", ["check", "list", "preview", "explain", "serve"])
def test_the_help_of_a_command_has_examples_that_are_valid_calls(
    command: str, shell: Shell
) -> None:
    ran = shell.run(command, "--help")
    assert ran.code == 0
    calls = [
        shlex.split(line)[1:] for line in ran.out.splitlines() if line.startswith("  agent-tem")
    ]
    assert calls
    for call in calls:
        assert parser().parse_args(call).command == command


def test_the_server_ends_at_the_end_of_its_input() -> None:
    ran = subprocess.run(
        [*COMMAND, "serve", "--stdio"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, b"")


@pytest.mark.parametrize(
    "address", ["localhost", ":80", "localhost:http", "localhost:65536", f"a:{'9' * 5000}"]
)
def test_an_address_needs_a_host_and_a_port(address: str, shell: Shell) -> None:
    ran = shell.run("serve", "--tcp", address)
    assert ran.code == 2
    assert ran.err.startswith(f"error: --tcp {address}: expected HOST:PORT")


def test_an_address_in_use_is_an_error(shell: Shell) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ran = shell.run("serve", "--tcp", address)
    assert ran.code == 2
    assert ran.err.startswith(f"error: --tcp {address}: cannot listen there: ")


@pytest.mark.skipif(sys.platform == "win32", reason="its shell cannot close a stream")
@pytest.mark.parametrize(
    ("options", "closed", "code"),
    [
        pytest.param("", "<&-", 1, marks=pytest.mark.hostile),
        # Nobody gets the report, as with a full disk.
        ("", ">&-", 74),
        pytest.param("", "2>&-", 1, marks=pytest.mark.hostile),
        pytest.param("", "<&- >&- 2>&-", 74, marks=pytest.mark.hostile),
        pytest.param("--select header", ">&-", 74, marks=pytest.mark.hostile),
        # There is nothing to write here.
        pytest.param("--select header --quiet", ">&-", 0, marks=pytest.mark.hostile),
        ("--select header --quiet", "<&- >&- 2>&-", 0),
    ],
)
def test_output_to_a_closed_stream_is_an_error(
    shell: Shell, options: str, closed: str, code: int
) -> None:
    shell.write(".codex/.agents/a.md", SLIP)
    command = shlex.join([*COMMAND, "check", *options.split()])
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{command} {closed}"], env=environment, capture_output=True, check=False
    )
    is_told = code == 74 and "2>&-" not in closed
    said = b"error: cannot write the output: it is closed\n" if is_told else b""
    assert (ran.returncode, ran.stderr) == (code, said)
    assert (b"1 warning" in ran.stdout) is (closed in ("<&-", "2>&-"))


@pytest.mark.skipif(sys.platform == "win32", reason="such a pipe always blocks there")
def test_standard_streams_that_do_not_block_are_waited_for(shell: Shell) -> None:
    """An editor in JavaScript may hand over such pipes."""
    shell.write(".codex/.agents/a.md", SLIP)
    text = SLIP.replace("Review the", "Review the long " * 20_000)
    (from_us, to_it), (from_it, to_us) = os.pipe(), os.pipe()
    os.set_blocking(from_us, False)
    os.set_blocking(to_us, False)
    command = [*COMMAND, "check", "-", "--stdin-filename", ".codex/.agents/a.md", "--diff"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with (
        os.fdopen(from_it, "rb") as answer,
        os.fdopen(to_it, "wb") as question,
        subprocess.Popen(
            command, env=environment, stdin=from_us, stdout=to_us, stderr=subprocess.PIPE
        ) as process,
    ):
        os.close(from_us)
        os.close(to_us)
        # It waits for the first text, and then for the rest.
        sleep(0.5)
        for start in range(0, len(text), 100_000):
            question.write(text[start : start + 100_000].encode())
            question.flush()
            sleep(0.1)
        question.close()
        sleep(0.5)
        shown = answer.read()
        assert process.stderr is not None
        assert process.stderr.read() == b"would fix 1 finding in 1 file\n"
    assert process.returncode == 1
    assert text.partition("---\n")[2].partition("---\n")[2].encode() in shown.replace(b"\n ", b"\n")


def test_the_server_of_the_extension_imports_nothing_before_it_hears_ctrl_c() -> None:
    """Python would report a signal in its own words while it imports anything else."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    imported = []
    for arguments in (["-c", ""], [str(root / "vscode-client/server/start.py"), "--version"]):
        command = [sys.executable, "-X", "importtime", *arguments]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        rows = (row.rpartition("|") for row in ran.stderr.splitlines())
        imported.append([name.strip() for _, bar, name in rows if bar])
    by_python, by_it = imported
    assert next(name for name in by_it if name not in by_python) == "agent_lsp"


# In seconds after the start of the process. Python itself needs some fifty thousandths, in which
# nothing can be done.
_MOMENTS = [number / 100 for number in range(0, 50, 2)]
_STARTED: tuple[tuple[str, ...], ...] = (("check", "--no-cache"), ("serve", "--stdio"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")
@pytest.mark.parametrize("arguments", _STARTED)
@pytest.mark.parametrize("number", ["SIGINT", pytest.param("SIGTERM", marks=pytest.mark.hostile)])
def test_a_signal_ends_a_start_without_words(
    arguments: tuple[str, ...], number: str, shell: Shell
) -> None:
    """At whatever moment it comes: while Python imports this program, and afterwards."""
    shell.write(".codex/.agents/a.md", SLIP)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    pipe, wanted, codes = subprocess.PIPE, getattr(signal, number), []

    def ended(moment: float) -> int:
        with subprocess.Popen(
            [*COMMAND, *arguments], env=environment, stdin=pipe, stdout=pipe, stderr=pipe
        ) as process:
            sleep(moment)
            process.send_signal(wanted)
            _, said = process.communicate(timeout=60)
        # Before the first line of this program, Python reports the signal in its own words.
        assert b"agent_lsp" not in said, moment
        codes.append(process.returncode)
        return process.returncode

    for moment in share(_MOMENTS, _STARTED.index(arguments)):
        ended(moment)
    ours = 130 if wanted == signal.SIGINT else -signal.SIGTERM
    # A machine may be so fast that each of these moments was too early or too late.
    early, late = 0.0, _MOMENTS[-1]
    for _ in range(20):
        if ours in codes:
            break
        middle = (early + late) / 2
        early, late = (early, middle) if ended(middle) == 1 else (middle, late)
    # Python's own end in the first moments, or that of a check that was faster.
    assert set(codes) <= {ours, -wanted, 1}
    assert ours in codes
