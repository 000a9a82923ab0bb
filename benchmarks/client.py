"""An editor's end of the protocol, down to the bytes, so that nothing of ours is measured twice.

Invariants: times are those of `time.perf_counter`, taken when a message has arrived as a whole;
a server that dies or stays silent is an error, never a small number.
"""

import itertools
import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

Message = dict[str, Any]

_PATIENCE = 60.0
# Until all of a large workspace is looked at, on a machine that does something else as well.
_SCAN_PATIENCE = 600.0
_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
        },
    },
}


class Client:
    """One server process with an editor at its other end; `started` is when it was started."""

    def __init__(self, command: Sequence[str], root: Path, environment: Mapping[str, str]) -> None:
        self.root = root
        self.started = time.perf_counter()
        self._server = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env=dict(environment),
        )
        self._numbers = itertools.count(1)
        self._versions = itertools.count(1)
        self._arrived = threading.Condition()
        self._sending = threading.Lock()
        self._answers: dict[object, tuple[float, Message]] = {}
        self._is_closed = False
        threading.Thread(target=self._receive, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self._server.wait(_PATIENCE)
        finally:
            self._server.kill()

    def initialize(self) -> float:
        """Introduces the editor; returns when the server's answer was there."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        introduction = {
            "processId": os.getpid(),
            "clientInfo": {"name": "benchmark"},
            "rootUri": folder["uri"],
            "workspaceFolders": [folder],
            "capabilities": _CAPABILITIES,
        }
        arrived, _ = self.request("initialize", introduction)
        self.notify("initialized", {})
        return arrived

    def open(self, path: Path, text: str) -> float:
        """Opens `path` with `text`; returns when its diagnostics were there."""
        return self._diagnostics(path, self.show(path, text, "markdown"))

    def show(self, path: Path, text: str, language: str) -> int:
        """Opens `path` with `text` and waits for nothing; returns the version."""
        document = {"uri": path.as_uri(), "languageId": language, "text": text}
        version = next(self._versions)
        self.notify("textDocument/didOpen", {"textDocument": {**document, "version": version}})
        return version

    def change(self, path: Path, text: str) -> float:
        """Replaces the text of `path`; returns when the diagnostics of the new one were there."""
        version = next(self._versions)
        document = {"uri": path.as_uri(), "version": version}
        changes = [{"text": text}]
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        return self._diagnostics(path, version)

    def closed(self, path: Path) -> float:
        """When there were diagnostics of `path`, which is not open."""
        return self._wait((path.as_uri(), None), _SCAN_PATIENCE)[0]

    def is_told(self, path: Path, word: str) -> bool:
        """Whether the last diagnostics of `path`, which is not open, contain `word`."""
        with self._arrived:
            _, told = self._answers.get((path.as_uri(), None), (0, {}))
            return word in json.dumps(told)

    def at(self, method: str, path: Path, position: tuple[int, int]) -> tuple[float, object]:
        """When a request about a place was answered, and with what."""
        line, character = position
        place = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": path.as_uri()}, "position": place})

    def request(self, method: str, params: object) -> tuple[float, object]:
        """When the request was answered, and with what."""
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": params})
        arrived, answer = self._wait(number)
        if "error" in answer:
            raise RuntimeError(f"`{method}` was refused: {answer['error']}")
        return arrived, answer["result"]

    def notify(self, method: str, params: object) -> None:
        """Sends what needs no answer."""
        self._send({"method": method, "params": params})

    def memory(self) -> float | None:
        """The resident memory of the server in MB; None where the system has no `ps`."""
        try:
            process = str(self._server.pid)
            told = subprocess.check_output(["ps", "-o", "rss=", "-p", process], text=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return int(told) / 1024

    def processor_time(self) -> float:
        """The processor time of the server so far, in seconds."""
        told = subprocess.check_output(
            ["ps", "-o", "time=", "-p", str(self._server.pid)], text=True
        ).strip()
        days, _, rest = told.rpartition("-")
        hours, minutes, seconds = (int(part) for part in rest.split(":"))
        return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds

    def _diagnostics(self, path: Path, version: int) -> float:
        return self._wait((path.as_uri(), version))[0]

    def _wait(self, key: object, patience: float = _PATIENCE) -> tuple[float, Message]:
        """The message with this number, or about this file and version, and when it was there."""
        until = time.perf_counter() + patience
        with self._arrived:
            while key not in self._answers:
                left = until - time.perf_counter()
                if self._is_closed or not self._arrived.wait(max(left, 0)):
                    raise TimeoutError(f"no answer from {self._server.args!r}")
            return self._answers.pop(key)

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self._server.stdin
        if stream is None:
            raise RuntimeError("the server has no standard input")
        with self._sending:
            stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            stream.flush()

    def _receive(self) -> None:
        """Takes in what the server sends, and answers what it asks, until it ends."""
        try:
            while (message := self._next()) is not None:
                arrived = time.perf_counter()
                if "method" in message and "id" in message:
                    self._reply(message)
                elif (key := _key(message)) is not None:
                    with self._arrived:
                        self._answers[key] = arrived, message
                        self._arrived.notify_all()
        finally:
            with self._arrived:
                self._is_closed = True
                self._arrived.notify_all()

    def _reply(self, asked: Message) -> None:
        """Answers that there are no settings; takes note of everything else."""
        items = asked["params"].get("items")
        answer = None if items is None else [None for _ in items]
        self._send({"id": asked["id"], "result": answer})

    def _next(self) -> Message | None:
        stream, length = self._server.stdout, 0
        if stream is None:
            return None
        while (line := stream.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(stream.read(length)) if length else None


def _key(message: Message) -> object:
    """Under which key the message is waited for; None where nobody does."""
    if message.get("method") == "textDocument/publishDiagnostics":
        return message["params"]["uri"], message["params"].get("version")
    return message.get("id")
