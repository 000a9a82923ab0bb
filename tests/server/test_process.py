"""The server as a process: it ends with its client, and logs its internal errors."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from io import BufferedRWPair, BytesIO
from pathlib import Path
from typing import IO, Any

import pytest

from tests.hostile.texts import BOMBS
from tests.server import ready
from tests.server.editor import environment

SERVE = (*ready.PROGRAM, "serve")
# In seconds; generous, for a busy machine.
_PATIENCE = 120
INITIALIZE: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}


def message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", marks=pytest.mark.hostile),
        message(id=1, method="initialize", params=INITIALIZE),
        pytest.param(b"Content-Le", marks=pytest.mark.hostile),
        pytest.param(b"Content-Length: 100\r\n\r", marks=pytest.mark.hostile),
        pytest.param(message(id=1, method="initialize")[:-1], marks=pytest.mark.hostile),
    ],
    ids=["nothing", "hello", "half a name", "half a header", "half a body"],
)
def test_the_end_of_stdin_ends_the_process(said: bytes, tmp_path: Path) -> None:
    done = subprocess.run(
        [*ready.program(), "serve", "--stdio"],
        input=said,
        env=environment(tmp_path),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to all processes of a console")
def test_ctrl_c_ends_the_process_at_once_and_without_words(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    command, where = [*SERVE, "--stdio"], environment(tmp_path)
    with subprocess.Popen(command, env=where, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(message(id=1, method="initialize", params=INITIALIZE))
        server.stdin.flush()
        read(server.stdout)
        server.send_signal(signal.SIGINT)
        try:
            # The client is still there, and says nothing.
            assert server.wait(timeout=_PATIENCE) == 130
        finally:
            server.kill()
        assert server.stderr.read() == b""


@pytest.mark.hostile
@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to all processes of a console")
def test_ctrl_c_ends_the_process_in_the_middle_of_its_work(tmp_path: Path) -> None:
    """Reading this file takes seconds, and the request after it waits for that."""
    pipe, where = subprocess.PIPE, environment(tmp_path)
    document = {"uri": "file:///w/moltis.toml", "languageId": "toml", "version": 1}
    opened = {"textDocument": {**document, "text": BOMBS["TOML presets"]()}}
    with subprocess.Popen(
        [*SERVE, "--stdio"], env=where, stdin=pipe, stdout=pipe, stderr=pipe
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(HELLO + message(id=2, method="textDocument/hover", params=PLACE))
        server.stdin.flush()
        read(server.stdout)
        # The analysis is loaded.
        assert read(server.stdout)["id"] == 2
        server.stdin.write(message(method="textDocument/didOpen", params=opened))
        server.stdin.write(message(id=3, method="textDocument/hover", params=PLACE))
        server.stdin.flush()
        time.sleep(0.3)
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(timeout=_PATIENCE) == 130
        finally:
            server.kill()
        assert b'"id": 3' not in server.stdout.read()
        assert server.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to all processes of a console")
@pytest.mark.parametrize(
    ("unbuffered", "is_read"),
    [
        ("", True),
        pytest.param("", False, marks=pytest.mark.hostile),
        pytest.param("1", True, marks=pytest.mark.hostile),
        pytest.param("1", False, marks=pytest.mark.hostile),
    ],
    ids=["buffered-read", "buffered-not read", "unbuffered-read", "unbuffered-not read"],
)
def test_ctrl_c_cuts_no_message_that_the_client_reads(
    *, unbuffered: str, is_read: bool, tmp_path: Path
) -> None:
    """The answer is larger than a pipe, so the server waits in the middle of it."""
    pipe, where = subprocess.PIPE, environment(tmp_path) | {"PYTHONUNBUFFERED": unbuffered}
    text = "---\nname: x\ndescription: d\n---\n" + "# a heading\n" * 2000
    uri = "file:///w/.claude/agents/x.md"
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    params = {"textDocument": {"uri": uri}}
    with subprocess.Popen([*SERVE, "--stdio"], env=where, stdin=pipe, stdout=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(HELLO)
        server.stdin.write(
            message(method="textDocument/didOpen", params={"textDocument": document})
        )
        server.stdin.write(message(id=2, method="textDocument/documentSymbol", params=params))
        server.stdin.flush()
        while (said := read(server.stdout)).get("method") != "textDocument/publishDiagnostics":
            assert said.get("id") != 2
        # The beginning of the answer.
        assert server.stdout.read(10) == b"Content-Le"
        time.sleep(0.1)
        server.send_signal(signal.SIGINT)
        time.sleep(0.1)
        try:
            if is_read:
                rest = server.stdout.read()
                head, _, body = rest.partition(b"\r\n\r\n")
                assert int(head.rpartition(b" ")[2]) == len(body)
            assert server.wait(timeout=_PATIENCE) == 130
        finally:
            server.kill()


@pytest.mark.skipif(os.name == "nt", reason="such a pipe always blocks there")
@pytest.mark.parametrize(
    "unbuffered",
    ["", pytest.param("1", marks=pytest.mark.hostile)],
    ids=["buffered", "unbuffered"],
)
def test_an_answer_comes_whole_through_a_pipe_that_does_not_block(
    unbuffered: str, tmp_path: Path
) -> None:
    where = environment(tmp_path) | {"PYTHONUNBUFFERED": unbuffered}
    uri = "file:///w/.claude/agents/x.md"
    text = "---\nname: x\ndescription: d\n---\n" + "# a heading\n" * 2000
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    about = {"textDocument": {"uri": uri}}
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    command = [*SERVE, "--stdio"]
    with (
        os.fdopen(reading, "rb") as answers,
        subprocess.Popen(command, env=where, stdin=subprocess.PIPE, stdout=writing) as server,
    ):
        os.close(writing)
        assert server.stdin is not None
        opened = message(method="textDocument/didOpen", params={"textDocument": document})
        asked_for = message(id=2, method="textDocument/documentSymbol", params=about)
        server.stdin.write(HELLO + opened + asked_for)
        server.stdin.flush()
        # The pipe is full meanwhile.
        time.sleep(1)
        try:
            while (said := read(answers)).get("id") != 2:
                pass
            # It is larger than a pipe.
            assert len(json.dumps(said)) > 200_000
            server.stdin.write(SHUTDOWN + EXIT)
            server.stdin.flush()
            assert server.wait(timeout=_PATIENCE) == 0
        finally:
            server.kill()


@pytest.mark.hostile
@pytest.mark.skipif(sys.platform != "linux", reason="threads are looked up in /proc")
def test_ctrl_c_ends_the_process_whichever_thread_gets_the_signal(tmp_path: Path) -> None:
    """The main thread then gets no signal either if it is just about to wait."""
    pipe, where = subprocess.PIPE, environment(tmp_path)
    with subprocess.Popen([*SERVE, "--stdio"], env=where, stdin=pipe, stdout=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(message(id=1, method="initialize", params=INITIALIZE))
        server.stdin.flush()
        read(server.stdout)
        threads = {int(one.name) for one in Path(f"/proc/{server.pid}/task").iterdir()}
        other = max(threads - {server.pid})
        assert ctypes.CDLL(None).tgkill(server.pid, other, signal.SIGINT) == 0
        try:
            assert server.wait(timeout=_PATIENCE) == 130
        finally:
            server.kill()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no way to ask for a process")
def test_the_server_ends_when_the_process_of_its_client_is_gone(tmp_path: Path) -> None:
    """Even if somebody else still holds the other end of its input."""
    pipe, where = subprocess.PIPE, environment(tmp_path)
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=pipe) as client,
        subprocess.Popen([*SERVE, "--stdio"], env=where, stdin=pipe, stdout=pipe) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        params = {**INITIALIZE, "processId": client.pid}
        server.stdin.write(message(id=1, method="initialize", params=params))
        server.stdin.flush()
        read(server.stdout)
        client.kill()
        client.wait()
        try:
            assert server.wait(timeout=_PATIENCE) == 1
        finally:
            server.kill()


def test_a_client_can_connect_by_tcp(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*ready.program(), "serve", "--tcp", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, env=environment(tmp_path)) as server:
        with connected(port) as client, client.makefile("rwb") as stream:
            stream.write(message(id=1, method="initialize", params=INITIALIZE))
            stream.flush()
            answer = read(stream)
        assert answer["result"]["serverInfo"]["name"] == "agent-template-lsp"
        try:
            assert server.wait(timeout=_PATIENCE) == 0
        finally:
            # The test would wait forever for a server that does not end.
            server.kill()


def connected(port: int) -> socket.socket:
    """A connection to `port`, as soon as the server listens there."""
    deadline = time.monotonic() + _PATIENCE
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


def asked(folder: Path, *said: bytes) -> tuple[list[Any], int]:
    """The server's answers to messages, and its exit code after the last of them."""
    done = subprocess.run(
        [*ready.program(), "serve", "--stdio"],
        input=b"".join(said),
        env=environment(folder),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    stream, answers = BytesIO(done.stdout), []
    while stream.tell() < len(done.stdout):
        answers.append(read(stream))
    return answers, done.returncode


HELLO = message(id=1, method="initialize", params=INITIALIZE)
PLACE = {"textDocument": {"uri": "file:///a.md"}, "position": {"line": 0, "character": 0}}
SHUTDOWN, EXIT = message(id=8, method="shutdown"), message(method="exit")


def answer_to(count: int | str, answers: list[Any]) -> Any:
    [answer] = [one for one in answers if one.get("id") == count]
    return answer


@pytest.mark.parametrize(
    ("said", "code"), [((HELLO, EXIT), 1), ((HELLO, SHUTDOWN, EXIT), 0), ((EXIT,), 1)]
)
def test_exit_without_shutdown_is_a_failure(
    said: tuple[bytes, ...], code: int, tmp_path: Path
) -> None:
    _, ended = asked(tmp_path, *said)
    assert ended == code


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ((message(id=2, method="textDocument/hover", params=PLACE),), -32002),
        ((HELLO, SHUTDOWN, message(id=2, method="textDocument/hover", params=PLACE)), -32600),
        ((HELLO, message(id=2, method="initialize", params=INITIALIZE)), -32600),
        ((HELLO, message(id=2, method="textDocument/hover", params={"position": 7})), -32602),
        ((HELLO, message(id=2, method="textDocument/hover")), -32602),
        ((HELLO, message(id=2, method="no/such", params={})), -32601),
    ],
    ids=["too early", "too late", "twice", "malformed", "without parameters", "unknown"],
)
def test_a_request_out_of_order_or_shape_is_refused(
    said: tuple[bytes, ...], code: int, tmp_path: Path
) -> None:
    answers, _ = asked(tmp_path, *said)
    assert answer_to(2, answers)["error"]["code"] == code
    assert not any(one.get("method") == "window/showMessage" for one in answers)


def test_a_client_that_sends_no_initialized_is_answered(tmp_path: Path) -> None:
    command = {"command": "agentTemplates.listAgents", "arguments": [{}]}
    said = message(id=2, method="workspace/executeCommand", params=command)
    answers, _ = asked(tmp_path, HELLO, said, SHUTDOWN, EXIT)
    assert answer_to(2, answers)["result"].keys() == {"result", "error"}


@pytest.mark.parametrize(
    "uri",
    [
        "file:///%00",
        "file:///a%00b/c.md",
        f"file:///{'a' * 300_000}",
        "file://" + "/a" * 200,
        pytest.param("file://" + "/a" * 2000, marks=pytest.mark.hostile),
    ],
)
def test_an_invalid_root_does_not_prevent_answers(uri: str, tmp_path: Path) -> None:
    hello = {**INITIALIZE, "rootUri": uri}
    place = {**PLACE, "textDocument": {"uri": uri}}
    command = {"command": "agentTemplates.listAgents", "arguments": [{"uri": uri}]}
    answers, code = asked(
        tmp_path,
        message(id=1, method="initialize", params=hello),
        message(method="initialized", params={}),
        message(id=2, method="textDocument/hover", params=place),
        message(id=3, method="workspace/executeCommand", params=command),
        SHUTDOWN,
        EXIT,
    )
    assert answer_to(2, answers)["result"] is None
    assert answer_to(3, answers)["result"].keys() >= {"result", "error"}
    assert not any(one.get("method") == "window/logMessage" for one in answers)
    assert code == 0
