"""What no editor sends: parameters of another type, messages out of order, and no messages at all.

Each has one answer, or none, and changes nothing for what is sent after it.
"""

import copy
import json
from collections.abc import Mapping, MutableMapping
from typing import Any

from tests.hostile.fuzz.session import Session
from tests.server.test_any_command import NAMES as ARGUMENTS
from tests.server.test_any_message import BODIES, NOTIFICATIONS, REQUESTS, WRONG
from tests.server.test_process import message

_OTHER_METHODS = (
    *("workspace/diagnostic", "codeLens/resolve", "completionItem/resolve", "$/x", "x/y", ""),
    *("documentLink/resolve", "textDocument/", "initialize", "workspace/textDocumentContent"),
    *("__class__", "textDocument/didOpen"),
)
_OTHER_NOTIFICATIONS: Mapping[str, dict[str, Any]] = {
    "$/setTrace": {"value": "verbose"},
    "$/cancelRequest": {"id": 7},
    "window/workDoneProgress/cancel": {"token": "x"},
    "x/y": {},
}
_JUNK = (*WRONG, 10**30, "../../x", 1.5, {"a": 1}, {"model": "x", "tools": ["a", 7], "depth": -1})
_PAD = b'{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}'
_IDS = (b"null", b"[1]", b"1.5", b"true", b"{}", b"1e999", b"NaN")
_LENGTHS = (b"-5", b"x", b"", b"99999999999999", b"0x10", b"1e3", b"\xc2\xb2")
_NEW_TEXTS: tuple[object, ...] = ([], [7], {}, None, [{}], [{"text": None}])


def any_uri(session: Session) -> str:
    """A URI that is no other name of a text that may be open."""
    root = session.root.as_uri()
    agents = f"{root}/.codex/.agents"
    return session.random.choice(
        (
            *("untitled:Untitled-1", "file:///c%3A/x/.claude/agents/a.md", "file:///", "file://"),
            *("file://host/share/.claude/agents/a.md", "file:", "", "%", "\ud800", "http://x/a.md"),
            *("vscode-notebook-cell:/a.md#x", f"{agents}/%00.md", f"{agents}/%ff.md"),
            *(f"{agents}/../.agents/only.md", f"{agents}/only.md#part", f"{agents}/only.md?query"),
            *(f"{root}//.codex//.agents//only.md", f"{agents}/{'a' * 200}.md"),
            *(f"{root}/{'d/' * 900}a.md", f"{root}/.claude/agents", f"{root}/.claude/agents/"),
            *("agent-template-preview:/previewSpawn-a.md?{}", "agent-template-preview:/x"),
            *("git:/a.md?x", f"{root}/%2Eclaude/agents/%6Fnly.md", "file:///proc/self/mem"),
            *("file:///dev/zero", "file:///dev/stdin", f"{root}/.claude/agents/a%0Ab.md"),
            *(f"{root}/.claude/agents/\u202ea.md", "file://[::1]/a.md", "file://["),
        )
    )


def with_junk(session: Session, argument: dict[str, Any]) -> dict[str, Any]:
    """An argument of a command with a few values of any type."""
    chance = session.random
    junk = {chance.choice(ARGUMENTS): chance.choice(_JUNK) for _ in range(chance.randrange(1, 4))}
    return argument | junk | ({"uri": any_uri(session)} if chance.random() < 0.2 else {})


def spoilt(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """`params` with a value of another type somewhere, or without it."""
    changed = copy.deepcopy(dict(params))
    at: MutableMapping[str, Any] = changed
    while at:
        key = session.random.choice(sorted(at))
        if isinstance(at[key], dict) and session.random.random() < 0.7:
            at = at[key]
            continue
        if session.random.random() < 0.2:
            del at[key]
        else:
            at[key] = session.random.choice(WRONG)
        break
    return changed


def wrong_types(session: Session) -> None:
    """Sends a request or a notification of a right name whose parameters are none."""
    chance, document = session.random, session.document()
    if chance.random() < 0.7:
        method = chance.choice(sorted(REQUESTS))
        params: dict[str, Any] = dict(REQUESTS[method])
        if "textDocument" in params:
            params["textDocument"] = {"uri": document.uri}
        asked: object = spoilt(session, params)
        asked = chance.choice(WRONG) if chance.random() < 0.2 else asked
        if chance.random() < 0.2:
            method = chance.choice(_OTHER_METHODS)
        session.client.ask(method, asked)
        return
    # The texts of these are none of those that are open, and the server forgets them again.
    every = {**NOTIFICATIONS, **_OTHER_NOTIFICATIONS, "textDocument/hover": {}}
    method = chance.choice(sorted(set(every) - {"workspace/didChangeWorkspaceFolders"}))
    said = spoilt(session, every[method])
    session.client.tell(method, said)
    about = said.get("textDocument")
    uri = about.get("uri") if isinstance(about, dict) else None
    if method == "textDocument/didOpen" and isinstance(uri, str):
        session.client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def break_rules(session: Session) -> None:
    """Does with a text what no editor does; then it is opened as it was."""
    chance, document, client = session.random, session.document(), session.client
    text, about = document.text, {"uri": document.uri}
    document.is_loose = True
    near = (document.version, document.version - 3, -1, 0, 2**31 - 1)
    version = chance.choice((*near, 2**40, None, "x", 1.5))
    changed = {**about, "version": version}
    other = any_uri(session)
    opened = {"languageId": "markdown", "version": 1, "text": "---\nx: y\n---\n"}
    match chance.randrange(8):
        case 0:
            _change(session, changed, [{"text": session.typist.changed(text)}])
        case 1:
            client.tell("textDocument/didOpen", {"textDocument": {**about, **opened}})
        case 2:
            client.tell("textDocument/didClose", {"textDocument": about})
        case 3:
            place = {
                "line": chance.choice((0, 5, 2**31, -1)),
                "character": chance.choice((0, 10**9)),
            }
            new = chance.choice(("", "x", "\n", "\ud800"))
            part = {"range": {"start": place, "end": {"line": 1, "character": 1}}, "text": new}
            _change(session, changed, [part] * chance.randrange(1, 4))
        case 4:
            _change(session, changed, chance.choice(_NEW_TEXTS))
        case 5:
            client.tell("textDocument/didSave", {"textDocument": {"uri": other}})
        case 6:
            _change(session, {"uri": other, "version": 3}, [{"text": "---\na: b\n---\n"}])
            client.tell("textDocument/didClose", {"textDocument": {"uri": other}})
        case _:
            client.tell("textDocument/didOpen", {"textDocument": {"uri": other, **opened}})
            for method in chance.sample(sorted(REQUESTS), 3):
                client.ask(method, {**REQUESTS[method], "textDocument": {"uri": other}})
            client.tell("textDocument/didClose", {"textDocument": {"uri": other}})
    client.tell("textDocument/didClose", {"textDocument": about})
    document.is_open = False
    client.sync()
    session.open(document, text)


def _change(session: Session, about: Mapping[str, object], changes: object) -> None:
    params = {"textDocument": about, "contentChanges": changes}
    session.client.tell("textDocument/didChange", params)


def noise(session: Session) -> None:
    """Sends what is no message, or no frame of one; the next message counts."""
    chance, size = session.random, len(_PAD)
    hover = b'{"jsonrpc":"2.0","id":%s,"method":"textDocument/hover","params":{}}'
    answer: dict[str, object] = {
        "id": chance.choice((10**9, "none")),
        chance.choice(("result", "error")): chance.choice((None, 7, {}, [], "x")),
    }
    http = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    header = b"Content-Type: x; charset=latin-1\r\nContent-Length: %d\r\n\r\n" % size
    deep = b"[" * chance.choice((10, 3000, 200_000))
    session.client.write(
        chance.choice(
            (
                _frame(chance.choice(sorted(BODIES.values()))),
                _frame(deep),
                _frame(hover % chance.choice(_IDS)),
                _frame(json.dumps([{"jsonrpc": "2.0", "method": "x"}] * 3).encode()),
                message(**answer),
                # It is longer than it says; it is shorter, and takes a piece of the next one.
                _frame(_PAD, size - chance.randrange(1, 20)) + b"\r\n" + _frame(_PAD),
                _frame(b"Z" * 10, 10 + chance.randrange(1, 20)) + _frame(_PAD) * 2,
                b"Content-Length: %s\r\n\r\n" % chance.choice(_LENGTHS) + _frame(_PAD),
                chance.choice((b"\r\n\r\n", b"\0\0\0", http, b"\n\n")) + _frame(_PAD),
                b"X" * chance.choice((10, 70_000, 200_000)) + b"\r\n" + _frame(_PAD),
                b"content-length:%d\n\n" % size + _PAD + header + _PAD + _frame(b"", 0),
            )
        )
        + _frame(_PAD)
    )


def _frame(body: bytes, size: int | None = None) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body) if size is None else size, body)
