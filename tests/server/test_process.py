"""The server as a process: it ends with its client, and keeps its own faults to the log."""

import json
import socket
import subprocess
import sys
import time
from io import BufferedRWPair
from pathlib import Path
from typing import IO, Any

import pytest
from lsprotocol import types

from tests.server.editor import editing, environment, until

SERVE = [sys.executable, "-m", "agent_lsp", "serve"]
INITIALIZE: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize(
    "said", [b"", message(id=1, method="initialize", params=INITIALIZE)], ids=["nothing", "hello"]
)
def test_the_end_of_stdin_ends_the_process(said: bytes, tmp_path: Path) -> None:
    done = subprocess.run(
        [*SERVE, "--stdio"],
        input=said,
        env=environment(tmp_path),
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_client_can_connect_by_tcp(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*SERVE, "--tcp", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, env=environment(tmp_path)) as server:
        with connected(port) as client, client.makefile("rwb") as stream:
            stream.write(message(id=1, method="initialize", params=INITIALIZE))
            stream.flush()
            answer = read(stream)
        assert answer["result"]["serverInfo"]["name"] == "agent-template-lsp"
        try:
            assert server.wait(timeout=20) == 0
        finally:
            # A server that goes on would be waited for without end.
            server.kill()


def connected(port: int) -> socket.socket:
    """A connection to `port`, once somebody listens there."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def read(stream: IO[bytes] | BufferedRWPair) -> Any:
    """One message."""
    length = 0
    while (line := stream.readline()) not in (b"", b"\r\n"):
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return json.loads(stream.read(length))


async def test_our_own_faults_go_to_the_log_and_into_no_pop_up(tmp_path: Path) -> None:
    """A change of a file that was never opened breaks the protocol, and pygls with it."""
    async with editing(tmp_path, "visual-studio-code", {}) as editor:
        path = editor.path(".codex/.agents/never-opened.md")
        editor.versions[path] = 1
        editor.change(path, "---\n")
        await until(lambda: editor.client.log_messages != [])

        [logged] = editor.client.log_messages
        assert logged.type is types.MessageType.Error
        assert "Traceback" in logged.message
        assert "KeyError" in logged.message
        # It goes on all the same.
        await editor.sees(
            editor.open(".codex/.agents/bare.md", "---\nmodel: gpt-5\n---\nBe.\n"),
            "missing-description",
        )


def test_a_handler_that_fails_answers_nothing_and_logs_why(tmp_path: Path) -> None:
    """Nothing may be asked before `initialized`: there is no workspace yet."""
    place = {"textDocument": {"uri": "file:///a.md"}, "position": {"line": 0, "character": 0}}
    said = message(id=1, method="initialize", params=INITIALIZE)
    said += message(id=2, method="textDocument/hover", params=place)
    with subprocess.Popen(
        [*SERVE, "--stdio"],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(said)
        server.stdin.flush()
        _, logged, answer = (read(server.stdout) for _ in range(3))
        server.stdin.close()
        stderr = server.stderr.read().decode()

    assert answer == {"id": 2, "jsonrpc": "2.0", "result": None}
    assert logged["method"] == "window/logMessage"
    assert "Traceback" in logged["params"]["message"]
    assert "Traceback" in stderr
