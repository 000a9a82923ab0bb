"""Servers that start at once: each is a fork of a process that has everything imported already.

A test starts `program()` as it would start the program, and has the same: a process with streams,
an environment, a folder and an exit code of its own. Where nothing forks, it is the program.
"""

import gc
import importlib
import os
import pkgutil
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread

from lsprotocol import types
from pytest_lsp import client_capabilities

import agent_lsp
from agent_lsp import cli
from agent_lsp.server.app import create
from agent_lsp.server.server import converter

RELAY = Path(__file__).with_name("relay.py")
PROGRAM = (sys.executable, "-m", "agent_lsp")


def program() -> tuple[str, ...]:
    """What starts the program, by a process that waits for as long as this one runs."""
    if sys.platform == "win32":
        return PROGRAM
    folder, _ = _waiting()
    return (sys.executable, "-I", "-S", str(RELAY), f"{folder}/line")


def stop() -> None:
    """Ends the process that waits, if there is one."""
    if _waiting.cache_info().currsize:
        folder, process = _waiting()
        process.communicate()
        shutil.rmtree(folder)
        _waiting.cache_clear()


@cache
def _waiting() -> tuple[str, subprocess.Popen[bytes]]:
    # Not among the folders of tests: the path of a socket must be short.
    folder = tempfile.mkdtemp()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.ready", f"{folder}/line"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    return folder, process


def _wait(address: str) -> None:
    """Forks the program for each who asks at `address`, until stdin ends."""
    for found in pkgutil.walk_packages(agent_lsp.__path__, "agent_lsp."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    # What the library finds out about the protocol once, it knows in each fork.
    create()
    _introduce()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while sys.stdin not in (asked := select.select([listener, sys.stdin], [], [])[0]):
            assert asked == [listener]
            line, _ = listener.accept()
            with line:
                if os.fork() == 0:
                    _run(line)
            _bury(os.WNOHANG)
    _bury()


def _introduce() -> None:
    """Reads what an editor says of itself, for which the library writes most of its code."""
    able = converter().unstructure(client_capabilities("visual-studio-code"))
    params = {"processId": None, "rootUri": "file:///w", "capabilities": able}
    request = {"jsonrpc": "2.0", "id": 1, "method": types.INITIALIZE, "params": params}
    converter().structure(request, types.InitializeRequest)


def _run(line: socket.socket) -> None:
    """Is the program that is asked for on `line`, and ends with whoever has asked."""
    size, streams, _, _ = socket.recv_fds(line, 8, 3)
    with line.makefile("rb") as rest:
        parts = os.fsdecode(rest.read(int.from_bytes(size, "big"))).split("\0")
    folder, many, *parts = parts
    arguments, pairs = parts[: int(many)], iter(parts[int(many) :])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those of this process know what its own streams are.
    sys.stdin = open(0)  # noqa: SIM115 # it stays open, as do the others
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(zip(pairs, pairs, strict=True))
    os.chdir(folder)
    Thread(target=_end_with, args=(line,), daemon=True).start()
    code = cli.main(arguments)
    for said in (sys.stdout, sys.stderr):
        said.flush()
    line.send(bytes([code]))
    os._exit(code)


def _end_with(line: socket.socket) -> None:
    line.recv(1)
    os._exit(1)


def _bury(options: int = 0) -> None:
    """Takes note of forks that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, options) != (0, 0):
            pass


if __name__ == "__main__":
    _wait(sys.argv[1])
