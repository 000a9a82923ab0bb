"""Messages are found in any bytes, and refused if they are malformed."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, BufferedWriter, BytesIO, FileIO, RawIOBase
from pathlib import Path
from threading import Timer
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.server.app import guarded
from agent_lsp.server.transport import LONGEST_BODY, Writer, read_body
from tests.server.inside import Inside
from tests.server.test_any_message import REQUESTS, TEXT, WRONG, Talk, talking
from tests.server.test_process import message

GOOD = message(id=1, method="x")
BODY = GOOD.partition(b"\r\n\r\n")[2]
SIZE = b"%d" % len(BODY)


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: " + SIZE + b"\r\n\r\n",
        b"content-length:" + SIZE + b"\r\n\r\n",
        b"CONTENT-LENGTH \t:  " + SIZE + b" \r\n\r\n",
        b"Content-Length: " + SIZE + b"\n\n",
        b"Content-Type: x; charset=utf-8\r\nContent-Length: " + SIZE + b"\r\n\r\n",
        b"Content-Length: " + SIZE + b"\r\nContent-Type: x\r\n\r\n",
        b"Content-Length: " + SIZE + b"\r\nContent-Length: " + SIZE + b"\r\n\r\n",
        b"X: " + b"y" * 1_000_000 + b"\r\nContent-Length: " + SIZE + b"\r\n\r\n",
    ],
)
def test_a_header_is_read_in_every_valid_spelling(head: bytes) -> None:
    stream = BytesIO((head + BODY) * 2)
    assert [read_body(stream), read_body(stream), read_body(stream)] == [BODY, BODY, None]


class _InParts(RawIOBase):
    """A pipe whose writer writes `parts`, each when the one before has been read."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._parts = iter(parts)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = next(self._parts, b"")
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("size", [1, 2, 7, 16, 17, len(GOOD) - 1, len(GOOD) + 1, len(GOOD) * 2])
def test_a_message_is_read_however_its_bytes_come(size: int) -> None:
    """In the middle of a name, a number, a line end or a body; and several in one part."""
    data = GOOD * 3
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    stream = BufferedReader(_InParts(parts))
    assert [read_body(stream) for _ in range(4)] == [BODY, BODY, BODY, None]


BAD = {
    "negative": b"Content-Length: -5\r\n\r\n",
    "zero": b"Content-Length: 0\r\n\r\n",
    "a word": b"Content-Length: five\r\n\r\n",
    "a sign": b"Content-Length: +5\r\n\r\n12345",
    "no header": BODY,
    "no length": b"Content-Type: x\r\n\r\n" + BODY,
    "too much to wait for": b"Content-Length: %d\r\n\r\n%s" % (LONGEST_BODY + 1, BODY),
    "no number of bytes": b"Content-Length: " + b"9" * 25 + b"\r\n\r\n" + BODY,
    "more digits than Python reads": b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n" + BODY,
    "blank lines": b"\r\n\r\n\n",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_malformed_frame_does_not_affect_the_next(bad: bytes) -> None:
    assert read_body(BytesIO(bad + GOOD)) == BODY


def test_after_a_body_that_is_too_long_the_next_frame_is_found() -> None:
    stream = BytesIO(b"Content-Length: 5\r\n\r\n" + BODY + GOOD)
    assert [read_body(stream), read_body(stream)] == [BODY[:5], BODY]


def test_an_incomplete_body_ends_the_stream() -> None:
    assert read_body(BytesIO(GOOD[:-1])) is None


@given(st.binary(max_size=200) | st.lists(st.sampled_from([GOOD, *BAD.values()])).map(b"".join))
def test_any_bytes_are_read_to_the_end(data: bytes) -> None:
    stream = BytesIO(data)
    while read_body(stream) is not None:
        pass
    assert stream.read() == b""


def test_a_client_that_has_left_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as pipe, caplog.at_level(logging.WARNING):
        writer = Writer(pipe)
        writer.write(b"a")
        assert os.read(reading, 9) == b"a"
        assert not writer.is_closed
        os.close(reading)
        for _ in range(100):
            writer.write(b"a")
        assert writer.is_closed
    assert len(caplog.records) == 1


class _Counted(FileIO):
    """A stream that counts how often it is asked to write."""

    count = 0

    def write(self, data: Any) -> int:
        self.count += 1
        return super().write(data)


@pytest.mark.skipif(os.name == "nt", reason="such a pipe always blocks there")
@pytest.mark.parametrize("buffered", [lambda raw: raw, BufferedWriter], ids=["raw", "buffered"])
def test_a_full_pipe_that_does_not_block_is_waited_for(
    buffered: Callable[[_Counted], BinaryIO],
) -> None:
    """A part is written at first, then nothing, and the rest once the client reads."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    data, got, raw = bytes(range(256)) * 4000, list[bytes](), _Counted(writing, "w")
    with os.fdopen(reading, "rb") as client, buffered(raw) as pipe:
        writer = Writer(pipe)
        later = Timer(0.5, lambda: got.append(client.read(len(data))))
        later.start()
        writer.write(data)
        # What is missing never comes.
        raw.close()
        later.join()
    assert got == [data]
    assert not writer.is_closed
    # Half a thousand pauses, and some parts; without pauses it would be many thousands.
    assert raw.count < 2000


HOVER = b'"method": "textDocument/hover", "params": {}'
# The code of the refusal, and the id in it.
REFUSED: dict[bytes, tuple[int, Any]] = {
    b"{": (-32700, None),
    b"\xff\xfe{": (-32700, None),
    b"[" * 100_000: (-32700, None),
    b"[]": (-32600, None),
    b'[{"jsonrpc": "2.0", "id": 5, "method": "shutdown"}]': (-32600, None),
    b'{"id": 5, %s}' % HOVER: (-32600, 5),
    b'{"jsonrpc": "1.0", "id": 5, %s}' % HOVER: (-32600, 5),
    b'{"jsonrpc": 2, "id": "a", %s}' % HOVER: (-32600, "a"),
    b'{"jsonrpc": "2.0", "id": null, %s}' % HOVER: (-32600, None),
    b'{"jsonrpc": "2.0", "id": true, %s}' % HOVER: (-32600, None),
    b'{"jsonrpc": "2.0", "id": 1e400, %s}' % HOVER: (-32600, None),
    b'{"jsonrpc": "2.0", "id": 5, "method": ["a"]}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": null}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": "exit"}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": "textDocument/didOpen", "params": 5}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": "$/cancelRequest"}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": "no/such"}': (-32601, 5),
    b'{"jsonrpc": "2.0", "id": 5, "method": "window/showMessageRequest"}': (-32601, 5),
    b'{"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "a"}, %s}' % HOVER: (-32602, 5),
}


BACKWARDS = {"start": {"line": 3, "character": 0}, "end": {"line": 0, "character": 0}}
# What no client should send; each is ignored, or refused with this code.
NO_URI = {"uri": "file://[a/b.md", "languageId": "markdown", "version": 1, "text": ""}
# JSON can have half of a character, and a path cannot.
OPENED = {**TEXT, "languageId": "markdown", "version": 1, "text": "---\n"}
PART = {"range": BACKWARDS, "text": "x"}
HALF = {**NO_URI, "uri": "file:///a/.claude/agents/\ud800.md", "version": 2}
# The server does not ask for notebooks.
NOTEBOOK = {"uri": "file:///w/a.ipynb", "version": 2}
CELL = {"document": {**TEXT, "version": 2}, "changes": [{"text": "a"}]}
ILL_FORMED: tuple[tuple[str, dict[str, Any], int | None], ...] = (
    ("$/cancelRequest", {"id": ["a"]}, None),
    ("$/cancelRequest", {"id": {}}, None),
    ("window/workDoneProgress/cancel", {"token": []}, None),
    ("window/workDoneProgress/cancel", {"token": "no such"}, None),
    (
        "textDocument/didChange",
        {"textDocument": {**TEXT, "version": 2}, "contentChanges": [{"text": "---\n"}]},
        None,
    ),
    ("textDocument/didClose", {"textDocument": TEXT}, None),
    ("textDocument/didOpen", {"textDocument": NO_URI}, None),
    ("textDocument/didOpen", {"textDocument": HALF}, None),
    ("textDocument/didChange", {"textDocument": HALF, "contentChanges": [{"text": ""}]}, None),
    ("textDocument/didClose", {"textDocument": HALF}, None),
    (
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": HALF["uri"], "type": 1}]},
        None,
    ),
    (
        "notebookDocument/didOpen",
        {
            "notebookDocument": {**NO_URI, "notebookType": "x", "cells": []},
            "cellTextDocuments": [NO_URI],
        },
        None,
    ),
    ("notebookDocument/didChange", {"notebookDocument": NOTEBOOK, "change": {}}, None),
    (
        "notebookDocument/didChange",
        {"notebookDocument": NOTEBOOK, "change": {"cells": {"textContent": [CELL]}}},
        None,
    ),
    ("textDocument/inlayHint", {"textDocument": TEXT, "range": BACKWARDS}, -32602),
    (
        "textDocument/codeAction",
        {"textDocument": TEXT, "range": BACKWARDS, "context": {"diagnostics": []}},
        -32602,
    ),
    # The server asks for the whole text.
    ("textDocument/didOpen", {"textDocument": OPENED}, None),
    ("textDocument/didChange", {"textDocument": OPENED, "contentChanges": [PART]}, None),
    ("textDocument/didClose", {"textDocument": TEXT}, None),
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking(tmp_path_factory.mktemp("talk")) as one:
        yield one


@pytest.mark.parametrize(("body", "refusal"), REFUSED.items(), ids=range(len(REFUSED)))
def test_an_invalid_request_is_refused_once(
    body: bytes, refusal: tuple[int, Any], talk: Talk
) -> None:
    talk.ask("workspace/symbol", {"query": ""})
    before = len(talk.said)
    talk.send(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    talk.ask("workspace/symbol", {"query": ""})
    *answers, _ = [one for one in talk.said[before:] if "method" not in one]
    assert [(one["error"]["code"], one["id"]) for one in answers] == [refusal]
    assert talk.popups() == []
    talk.log.seek(0)
    assert b"Traceback" not in talk.log.read()


def test_what_no_client_should_send_is_no_error_of_the_server(talk: Talk) -> None:
    for method, params, code in ILL_FORMED:
        if code is None:
            talk.send(message(method=method, params=params))
        else:
            assert talk.ask(method, params)["error"]["code"] == code, method
    talk.ask("workspace/symbol", {"query": ""})
    assert [one for one in talk.said if one.get("method") == "window/logMessage"] == []
    talk.log.seek(0)
    said = talk.log.read()
    assert b"Traceback" not in said
    assert b"ERROR" not in said


def _of_other_types(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`params` with each value in turn replaced by those of other types."""
    for key, value in params.items():
        inner = _of_other_types(value) if isinstance(value, dict) else ()
        # A client in Lua may write an empty list as `{}`.
        fits = (type(value), dict) if isinstance(value, list) else (type(value),)
        other = (one for one in WRONG if type(one) not in fits)
        yield from ({**params, key: one} for one in (*inner, *other))


@pytest.mark.parametrize("method", [one for one in REQUESTS if one != "workspace/executeCommand"])
def test_a_parameter_of_another_type_is_invalid(method: str, talk: Talk) -> None:
    """Many converters make it fit: `{}` is the text `"{}"`, and `true` the first line."""
    params = {**REQUESTS[method]}
    if "range" in params:
        # The protocol has none here, and a client may send what it likes.
        params.pop("position", None)
    for wrong in _of_other_types(params):
        assert talk.ask(method, wrong).get("error", {}).get("code") == -32602, wrong
    assert [one for one in talk.said if one.get("method") == "window/logMessage"] == []
    talk.log.seek(0)
    assert b"Traceback" not in talk.log.read()


def test_a_client_that_is_wrong_about_one_capability_has_the_others(tmp_path: Path) -> None:
    able = {"workspace": {"configuration": True, "applyEdit": "yes"}}
    with talking(tmp_path, hello=False) as talk:
        hello = {"processId": None, "rootUri": None, "capabilities": able}
        talk.send(message(id=1, method="initialize", params=hello))
        talk.send(message(method="initialized", params={}))
        talk.ask("workspace/symbol", {"query": ""})
        assert any(one.get("method") == "workspace/configuration" for one in talk.said)


_LATER: tuple[dict[str, Any], ...] = (
    {"textDocument": {"hover": {"contentFormat": ["asciidoc", "markdown"]}}},
    {"workspace": {"workspaceEdit": {"resourceOperations": ["copy", "create"]}}},
    {"textDocument": {"completion": {"completionItemKind": {"valueSet": [1, 99]}}}},
    {"textDocument": {"documentSymbol": {"symbolKind": {"valueSet": [1, 99]}}}},
)


@pytest.mark.parametrize("able", _LATER)
async def test_a_client_of_a_later_protocol_is_not_refused(
    able: dict[str, Any], tmp_path: Path
) -> None:
    it = Inside(tmp_path, able, {"rootUri": tmp_path.as_uri(), "trace": "compact"})
    await it.rest()
    assert "capabilities" in it.answers[0]
    assert it.server.session.workspace.roots == (tmp_path,)
    assert it.logged == []


def test_a_message_inside_of_a_message_is_not_handled(tmp_path: Path) -> None:
    """A server that searches for messages inside of messages answers what nobody asked."""
    inner = {"jsonrpc": "2.0", "id": 77, "method": "textDocument/hover", "params": 5}
    command = {"command": "agentTemplates.status", "arguments": [inner]}
    with talking(tmp_path) as talk:
        answer = talk.ask("workspace/executeCommand", command)
        assert "takes at most one argument" in answer["result"]["error"]
        assert not any(one.get("id") == 77 for one in talk.said)


@pytest.mark.parametrize("answer", [{}, {"result": 5}, {"result": "ab"}, {"error": 5}])
def test_a_malformed_answer_is_ignored(answer: dict[str, Any], tmp_path: Path) -> None:
    """The editor's settings stay as they were, and the server continues."""
    able = {"workspace": {"configuration": True}}
    with talking(tmp_path, hello=False) as talk:
        hello = {"processId": None, "rootUri": None, "capabilities": able}
        talk.send(message(id=1, method="initialize", params=hello))
        talk.send(message(method="initialized", params={}))
        talk.ask("workspace/symbol", {"query": ""})
        [asked] = [one for one in talk.said if one.get("method") == "workspace/configuration"]
        talk.send(message(id=asked["id"], **answer))
        text = "---\nmodel: a\n---\nb\n"
        opened = {**TEXT, "languageId": "markdown", "version": 1, "text": text}
        talk.send(message(method="textDocument/didOpen", params={"textDocument": opened}))
        talk.ask("workspace/symbol", {"query": ""})
        published = [one for one in talk.said if "publishDiagnostics" in one.get("method", "")]
        assert [one["code"] for one in published[-1]["params"]["diagnostics"]] == [
            "missing-description"
        ]
        assert talk.popups() == []
        talk.log.seek(0)
        assert b"Traceback" not in talk.log.read()


async def test_an_internal_error_is_logged_with_its_traceback_and_not_in_a_pop_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    it = Inside(tmp_path)
    it.server.command("agentTemplates.none")(guarded("commands.none"))
    assert it.ask("workspace/executeCommand", {"command": "agentTemplates.none"}) is None
    assert it.shown == []
    [logged] = it.logged
    assert "`none` failed\nTraceback" in logged
    assert [one.getMessage() for one in caplog.records if "Traceback" in one.message] == [logged]
    # The server continues.
    assert it.ask("workspace/symbol", {"query": ""}) == []
