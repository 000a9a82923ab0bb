"""Servers that start at once: each is a fork of a process that has imported everything.

A test starts `program()` like the real program, and gets the same: a process with its own streams,
environment, folder and exit code. On systems without fork, it is the real program.
"""

import asyncio
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

import attrs
from lsprotocol import types
from pytest_lsp import client_capabilities

import agent_lsp
from agent_lsp import cli
from agent_lsp.server.transport import converter
from tests.server.inside import Inside

RELAY = Path(__file__).with_name("relay.py")
PROGRAM = (sys.executable, "-m", "agent_lsp")
# Templates that a server reads before the first test, of the systems that most tests have.
_REHEARSED = (".codex/.agents/x.md", ".claude/agents/x.md", ".github/agents/x.agent.md")
_FAULTY = "---\nname: x\ndescription: d\ntools: Grap\nmodle: m\n---\nGo.\n"


def program() -> tuple[str, ...]:
    """The command that starts the program by a waiting process, which lives as long as this one."""
    if sys.platform == "win32":
        return PROGRAM
    folder, _ = _waiting()
    return (sys.executable, "-I", "-S", str(RELAY), f"{folder}/line")


def stop() -> None:
    """Ends the waiting process, if there is one."""
    if _waiting.cache_info().currsize:
        folder, process = _waiting()
        process.communicate()
        shutil.rmtree(folder)
        _waiting.cache_clear()


@cache
def _waiting() -> tuple[str, subprocess.Popen[bytes]]:
    # Not in the folder of a test, because the path of a socket must be short.
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
    """Forks the program for each connection to `address`, until stdin ends."""
    # Nothing that is imported becomes garbage.
    gc.disable()
    for found in pkgutil.walk_packages(agent_lsp.__path__, "agent_lsp."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    # Each fork inherits what is computed only once: the code that the library generates for the
    # types of the protocol, patterns, and tables of the systems.
    _introduce()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_rehearse(Path(folder)))
    gc.freeze()
    gc.enable()
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
    """Has the library generate its code for all types of the protocol, and read a greeting."""
    for kinds in types.METHOD_TO_TYPES.values():
        for kind in filter(None, kinds[:2]):
            converter().get_structure_hook(kind)
    for kind in vars(types).values():
        if isinstance(kind, type) and attrs.has(kind):
            converter().get_unstructure_hook(kind)
    able = converter().unstructure(client_capabilities("visual-studio-code"))
    params = {"processId": None, "rootUri": "file:///w", "capabilities": able}
    request = {"jsonrpc": "2.0", "id": 1, "method": types.INITIALIZE, "params": params}
    converter().structure(request, types.InitializeRequest)


async def _rehearse(folder: Path) -> None:
    """Has a server do what most tests ask of theirs, in `folder`, which is its home as well."""
    (folder / ".git").mkdir()
    # Not the home of whoever runs the tests; a fork gets its environment from its test.
    os.environ |= {"HOME": str(folder), "CODEX_HOME": str(folder / ".codex")}
    able = converter().unstructure(client_capabilities("visual-studio-code"))
    server = Inside(folder, able)
    await server.rest()
    for name in _REHEARSED:
        file = folder / name
        file.parent.mkdir(parents=True)
        file.write_text(_FAULTY)
        uri = file.as_uri()
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": _FAULTY}
        document, place = {"uri": uri}, {"line": 3, "character": 2}
        changes = [{"uri": uri, "type": 1}]
        server.tell(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"changes": changes})
        await server.rest()
        server.tell(types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": item})
        await server.rest()
        for method in (types.TEXT_DOCUMENT_HOVER, types.TEXT_DOCUMENT_COMPLETION):
            server.ask(method, {"textDocument": document, "position": place})
        server.tell(types.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": document})
        await server.rest()


def _run(line: socket.socket) -> None:
    """Runs the program for the connection `line`, and ends when the other side closes it."""
    size, streams, _, _ = socket.recv_fds(line, 8, 3)
    with line.makefile("rb") as rest:
        parts = os.fsdecode(rest.read(int.from_bytes(size, "big"))).split("\0")
    folder, many, *parts = parts
    arguments, pairs = parts[: int(many)], iter(parts[int(many) :])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # The stream objects of this process refer to its own streams.
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
    """Reaps forks that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, options) != (0, 0):
            pass


if __name__ == "__main__":
    _wait(sys.argv[1])
