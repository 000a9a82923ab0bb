"""Each request has an answer, and the server continues, whatever a client sends and when."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.effort import fifth
from tests.server import ready
from tests.server.editor import environment
from tests.server.test_process import EXIT, HELLO, SERVE, SHUTDOWN, answer_to, message, read

# Every request that the server answers, with valid parameters.
TEXT = {"uri": "file:///w/.codex/.agents/a.md"}
AT = {"textDocument": TEXT, "position": {"line": 1, "character": 2}}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
CALL_ITEM = {"name": "a", "kind": 5, "uri": TEXT["uri"], "range": RANGE, "selectionRange": RANGE}
REQUESTS: dict[str, dict[str, Any]] = {
    "textDocument/completion": AT,
    "textDocument/hover": AT,
    "textDocument/codeAction": {**AT, "range": RANGE, "context": {"diagnostics": []}},
    "textDocument/documentSymbol": {"textDocument": TEXT},
    "workspace/symbol": {"query": "a"},
    "textDocument/foldingRange": {"textDocument": TEXT},
    "textDocument/selectionRange": {"textDocument": TEXT, "positions": [AT["position"]]},
    "textDocument/definition": AT,
    "textDocument/implementation": AT,
    "textDocument/references": {**AT, "context": {"includeDeclaration": True}},
    "textDocument/documentHighlight": AT,
    "textDocument/prepareRename": AT,
    "textDocument/rename": {**AT, "newName": "b"},
    "workspace/willRenameFiles": {"files": [{"oldUri": TEXT["uri"], "newUri": "file:///w/b.md"}]},
    "textDocument/prepareCallHierarchy": AT,
    "callHierarchy/outgoingCalls": {"item": CALL_ITEM},
    "callHierarchy/incomingCalls": {"item": CALL_ITEM},
    "textDocument/codeLens": {"textDocument": TEXT},
    "textDocument/inlayHint": {"textDocument": TEXT, "range": RANGE},
    "textDocument/semanticTokens/full": {"textDocument": TEXT},
    "textDocument/documentLink": {"textDocument": TEXT},
    "workspace/executeCommand": {"command": "agentTemplates.status", "arguments": [{}]},
}
NOTIFICATIONS: dict[str, dict[str, Any]] = {
    "textDocument/didOpen": {
        "textDocument": {**TEXT, "languageId": "markdown", "version": 1, "text": ""}
    },
    "textDocument/didChange": {
        "textDocument": {**TEXT, "version": 2},
        "contentChanges": [{"text": "---\n"}],
    },
    "textDocument/willSave": {"textDocument": TEXT, "reason": 2},
    "textDocument/didSave": {"textDocument": TEXT},
    "textDocument/didClose": {"textDocument": TEXT},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": TEXT["uri"], "type": 1}]},
    "workspace/didChangeWorkspaceFolders": {"event": {"added": [], "removed": []}},
    "workspace/didChangeConfiguration": {"settings": {}},
}
# JSON values of every type.
WRONG: tuple[Any, ...] = (None, 7, -1, 1e400, True, "x", "\ud800", [], [1], {}, {"uri": 1}, [[{}]])
BIG = 2**31 - 1
# In seconds; generous, for a busy machine.
_PATIENCE = 120
# In seconds: the work in progress when the client ends would take much longer.
_LITTLE = 2
SOUND = "---\ndescription: Reviews.\nallow_list: [exec_command]\n---\nReview.\n"


def mangled(params: dict[str, Any]) -> Iterator[Any]:
    """`params` with each part in turn replaced by an invalid value, or left out."""
    yield from WRONG
    for key, value in params.items():
        yield {name: other for name, other in params.items() if name != key}
        inner = mangled(value) if isinstance(value, dict) else WRONG
        yield from ({**params, key: wrong} for wrong in inner)


class Talk:
    """A server in a process of its own, and its messages so far."""

    def __init__(self, folder: Path) -> None:
        (folder / "workspace").mkdir(exist_ok=True)
        (folder / "home").mkdir(exist_ok=True)
        self.log = (folder / "log").open("w+b")
        self.process = subprocess.Popen(
            [*ready.program(), "serve", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=environment(folder),
            cwd=folder,
        )
        self.said: list[Any] = []
        self.known = 100
        # The server would eventually wait for a client that does not read.
        self.listening = Thread(target=self._listen, daemon=True)
        self.listening.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError, OSError):
            while True:
                self.said.append(read(self.process.stdout))

    def send(self, *messages: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(messages))
        self.process.stdin.flush()

    def answer(self, count: int | str) -> Any:
        """The answer to the request `known`; earlier messages are kept."""
        deadline = time.monotonic() + _PATIENCE
        while not any(one.get("id") == count and "method" not in one for one in self.said):
            assert time.monotonic() < deadline, "no answer"
            assert self.listening.is_alive(), "it has ended"
            time.sleep(0.001)
        return answer_to(count, [one for one in self.said if "method" not in one])

    def ask(self, method: str, params: object) -> Any:
        self.known += 1
        self.send(message(id=self.known, method=method, params=params))
        return self.answer(self.known)

    def popups(self) -> list[Any]:
        return [one for one in self.said if one.get("method") == "window/showMessage"]


@contextmanager
def talking(folder: Path, *, hello: bool = True) -> Iterator[Talk]:
    talk = Talk(folder)
    try:
        if hello:
            talk.send(HELLO, message(method="initialized", params={}))
        yield talk
    finally:
        talk.process.kill()
        talk.process.wait()
        talk.listening.join()
        for stream in (talk.process.stdin, talk.process.stdout, talk.log):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking(tmp_path_factory.mktemp("talk")) as one:
        yield one


@pytest.mark.parametrize("method", fifth(REQUESTS))
def test_each_request_is_answered_with_any_parameters(method: str, talk: Talk) -> None:
    for params in (REQUESTS[method], *mangled(REQUESTS[method])):
        answer = talk.ask(method, params)
        assert ("result" in answer) != ("error" in answer), params
    assert talk.popups() == []
    assert talk.process.poll() is None


@pytest.mark.parametrize("method", fifth(NOTIFICATIONS))
def test_the_server_survives_each_notification_with_any_parameters(
    method: str, tmp_path: Path
) -> None:
    with talking(tmp_path) as talk:
        for params in (*mangled(NOTIFICATIONS[method]), NOTIFICATIONS[method]):
            talk.send(message(method=method, params=params))
        assert "result" in talk.ask("workspace/symbol", {"query": ""})
        assert talk.popups() == []


@pytest.mark.parametrize("method", [m for m, params in REQUESTS.items() if "position" in params])
@pytest.mark.parametrize("line", [0, 2, 5, BIG])
@pytest.mark.parametrize("column", fifth([0, 500, BIG]))
def test_a_position_outside_of_the_text_is_answered(
    method: str, line: int, column: int, talk: Talk
) -> None:
    opened = {"uri": TEXT["uri"], "languageId": "markdown", "version": 1, "text": SOUND}
    talk.send(message(method="textDocument/didOpen", params={"textDocument": opened}))
    place = {"line": line, "character": column}
    params = {**REQUESTS[method], "position": place, "range": {"start": place, "end": place}}
    answer = talk.ask(method, params)
    assert answer.get("error", {}).get("code") in (None, -32803)
    talk.send(message(method="textDocument/didClose", params={"textDocument": TEXT}))


@pytest.mark.parametrize(
    "uri",
    ["untitled:a", "file:///no/such.md", "vscode-remote://x/a.md", "", "file:", "%", "file://[/a"],
)
def test_a_request_about_an_invalid_uri_is_answered(uri: str, talk: Talk) -> None:
    for method, params in REQUESTS.items():
        if "textDocument" in params:
            answer = talk.ask(method, {**params, "textDocument": {"uri": uri}})
            assert "result" in answer, method
    assert talk.popups() == []


def test_requests_before_initialize_and_after_shutdown_are_refused(tmp_path: Path) -> None:
    early, late = (
        [
            message(id=f"{when} {method}", method=method, params=params)
            for method, params in REQUESTS.items()
        ]
        for when in ("early", "late")
    )
    with talking(tmp_path, hello=False) as talk:
        talk.send(*early, HELLO, SHUTDOWN, *late, EXIT)
        for method in REQUESTS:
            assert talk.answer(f"early {method}")["error"]["code"] == -32002
            assert talk.answer(f"late {method}")["error"]["code"] == -32600
        assert talk.process.wait(timeout=_PATIENCE) == 0


BODIES = {
    "no JSON": b"{",
    "no object": b"[]",
    "a number": b"7",
    "null": b"null",
    "no bytes of text": b"\xff\xfe{}",
    "no version": b'{"id": 1, "method": "x"}',
    "another version": b'{"jsonrpc": "1.0", "id": 5, "method": "textDocument/hover"}',
    "no method": b'{"jsonrpc": "2.0", "id": 5}',
    "a list as id": b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}',
    "null as id": b'{"jsonrpc": "2.0", "id": null, "method": "textDocument/hover", "params": {}}',
    "a number as method": b'{"jsonrpc": "2.0", "id": 5, "method": 9}',
    "an answer to nothing": b'{"jsonrpc": "2.0", "id": 777, "result": {}}',
    "an error to nothing": b'{"jsonrpc": "2.0", "id": 778, "error": {"code": 1, "message": "x"}}',
    "a malformed answer": b'{"jsonrpc": "2.0", "id": 779, "error": 5}',
    "deep": b'{"jsonrpc": "2.0", "method": "x", "params": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "a long word": b'{"jsonrpc": "2.0", "method": "' + b"x" * 1_000_000 + b'"}',
    "a cancellation of nothing": (
        b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 9}}'
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_server_survives_input_that_is_not_a_message(body: bytes, talk: Talk) -> None:
    talk.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert "result" in talk.ask("workspace/symbol", {"query": ""})
    assert talk.popups() == []


@pytest.mark.parametrize("many", [100, pytest.param(1000, marks=pytest.mark.hostile)])
def test_after_many_changes_at_once_the_last_text_counts(many: int, tmp_path: Path) -> None:
    with talking(tmp_path) as talk:
        path = tmp_path / "workspace/.codex/.agents/a.md"
        uri = path.as_uri()
        item = {"uri": uri, "languageId": "markdown", "version": 0, "text": SOUND}
        changes = (
            message(
                method="textDocument/didChange",
                params={
                    "textDocument": {"uri": uri, "version": number},
                    "contentChanges": [{"text": f"---\nmodel{number}: x\n---\nx\n"}],
                },
            )
            for number in range(1, many + 1)
        )
        talk.send(message(method="textDocument/didOpen", params={"textDocument": item}), *changes)
        answer = talk.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert f"model{many}" in json.dumps(answer)
        last = [one for one in talk.said if one.get("method") == "textDocument/publishDiagnostics"]
        assert last[-1]["params"]["version"] == many


def test_workspace_folders_can_be_added_and_removed(tmp_path: Path) -> None:
    folders = [tmp_path / f"root{number}" for number in range(5)]
    for folder in folders:
        (folder / ".codex/.agents").mkdir(parents=True)
        (folder / ".codex/.agents/a.md").write_text(SOUND, encoding="utf-8")
    named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    gone = {"uri": (tmp_path / "no").as_uri(), "name": "no"}
    with talking(tmp_path) as talk:
        for turn in range(40):
            event = {"added": [named[turn % 5], gone], "removed": [named[(turn + 2) % 5], gone]}
            talk.send(
                message(method="workspace/didChangeWorkspaceFolders", params={"event": event})
            )
        event = {"added": [], "removed": named}
        talk.send(message(method="workspace/didChangeWorkspaceFolders", params={"event": event}))
        # At once, even during a scan, and permanently.
        for _ in range(20):
            found = talk.ask("workspace/symbol", {"query": "a"})["result"]
            assert f"{tmp_path.name}/root" not in json.dumps(found)
            time.sleep(0.02)
        assert talk.popups() == []


@pytest.mark.parametrize("when", ["at once", "in a scan", "with a request under way"])
def test_the_server_ends_when_its_client_dies(when: str, tmp_path: Path) -> None:
    for number in range(300 if when == "in a scan" else 0):
        folder = tmp_path / f"workspace/sub{number}/.codex/.agents"
        folder.mkdir(parents=True)
        (folder / "a.md").write_text(SOUND, encoding="utf-8")
    root = (tmp_path / "workspace").as_uri()
    with talking(tmp_path, hello=False) as talk:
        params: dict[str, Any] = {"processId": None, "rootUri": root, "capabilities": {}}
        talk.send(message(id=1, method="initialize", params=params))
        talk.answer(1)
        talk.send(message(method="initialized", params={}))
        if when == "with a request under way":
            talk.send(message(id=2, method="workspace/symbol", params={"query": "a"}) * 20)
        assert talk.process.stdin is not None
        talk.process.stdin.close()
        talk.process.wait(timeout=_PATIENCE)


LONG = {
    "uri": TEXT["uri"],
    "languageId": "markdown",
    "version": 1,
    "text": "`a` spawn_agent " * 50_000,
}
WORK = (
    message(method="initialized", params={})
    + message(method="textDocument/didOpen", params={"textDocument": LONG})
    + message(method="textDocument/didChange", params=NOTIFICATIONS["textDocument/didChange"])
    + message(id=2, method="textDocument/hover", params=AT) * 50
    + message(method="textDocument/didOpen", params={"textDocument": LONG}) * 50
)


@pytest.mark.skipif(sys.platform == "win32", reason="no such question can be asked there")
def test_an_unwatchable_stream_is_not_mistaken_for_a_closed_one(
    tmp_path: Path,
) -> None:
    """Some systems cannot watch a terminal or a file; here it is a closed descriptor."""
    program = "from agent_lsp.server import app; app._leave_with_the_reader(999); print('here')"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(tmp_path),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert (ran.returncode, ran.stdout.split()) == (0, [b"here"])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="a process is looked up there")
@pytest.mark.parametrize("work", [b"", WORK], ids=["idle", "at work"])
def test_the_server_ends_when_its_client_is_killed(work: bytes, tmp_path: Path) -> None:
    """The client is a process of its own, whose pipes are closed with it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").write_bytes(work)
    program = (
        "import pathlib, subprocess, sys, threading, time\n"
        f"server = subprocess.Popen({[*SERVE, '--stdio']!r}, stdin=subprocess.PIPE,"
        " stdout=subprocess.PIPE)\n"
        f"server.stdin.write({HELLO!r}); server.stdin.flush(); server.stdout.read(20)\n"
        "threading.Thread(target=server.stdout.read, daemon=True).start()\n"
        f"work = pathlib.Path({str(tmp_path / 'work')!r}).read_bytes()\n"
        "threading.Thread(target=server.stdin.write, args=(work,), daemon=True).start()\n"
        "time.sleep(1); print(server.pid, flush=True); time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment(tmp_path)
    ) as client:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        assert _runs(server)
        before = _spent(server)
        client.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + _PATIENCE
        while _runs(server):
            assert _spent(server) - before < _LITTLE
            assert time.monotonic() < deadline
            time.sleep(0.02)


def _runs(process: int) -> bool:
    return _known(process)[0] != "Z"


def _spent(process: int) -> float:
    """The processor time of a process in seconds."""
    return sum(map(int, _known(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def _known(process: int) -> list[str]:
    """What the system reports about a process; one that is gone counts as a zombie."""
    try:
        known = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        known = f") Z{' 0' * 50}"
    return known.rpartition(")")[2].split()
