"""A client of a server in a process of its own: it asks, listens, and tells what does not hold.

What does not hold is handed to `complain` once it is noticed, so that nothing of it is lost when
the server dies. Times are in seconds.
"""

import json
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile.answers import Answer, Lines, Wrong, ranges, wrong_in, wrong_range
from tests.hostile.fuzz.documents import Document, Editor, TextsThen
from tests.hostile.fuzz.process import GoneError, Said, Server
from tests.server.editor import environment

# How long an answer may take: by the clock and in processor time of the server.
LIMIT = 5.0
# Beyond `LIMIT`, what is not answered is given up.
_PATIENCE = 30.0
_GOODBYE = 30.0
# A server is quiet if it says nothing for this time, and works less than that in a tenth of it.
_QUIET, _LITTLE = 0.3, 0.03
_NOWHERE = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
# The errors of the protocol that say that the client is wrong, or has changed its mind.
_REFUSALS = {-32600, -32601, -32602, -32700, -32800, -32801, -32803, -32002}
_ERROR = 1
# The requests that look into all files in steps: their answers are right for the texts at the end.
_SEARCHES = (
    *("textDocument/references", "textDocument/rename", "textDocument/implementation"),
    *("workspace/symbol", "workspace/willRenameFiles", "workspace/diagnostic"),
    *("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"),
)
_RAISED = re.compile(r"^[\w.]*(?:Error|Exception|Interrupt|Exit|Warning)\b.*", re.MULTILINE)
_QUOTED = re.compile(r"'[^']*'?|\"[^\"]*\"?|`[^`]*`?|\d+")
# Below are the ids of what is no request, as `invalid` sends it.
_FIRST_ID = 1000


class StuckError(Exception):
    """The server does not answer any more."""


@dataclass(frozen=True, slots=True)
class Published:
    """The findings that the server has told for a text, by itself or when asked."""

    version: int | None
    items: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    params: Any
    at: float
    cpu: float
    texts: TextsThen


class Client(Editor):
    """A server and its client; `folder` has a workspace and a home, as `environment` divides it.

    `able` are the capabilities that the client tells, and `configuration` the value of each
    setting that the server asks for.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        complain: Callable[[Wrong], None],
        random: Random,
        configuration: object = None,
    ) -> None:
        super().__init__(folder / "workspace", folder / "home")
        self._complain, self._random, self._configuration = complain, random, configuration
        self._server = Server(command, self.root, environment(folder))
        self.able: Mapping[str, Any] = {}
        self.capabilities: dict[str, Any] = {}
        self.published: dict[str, Published] = {}
        self.pulls_workspace = False
        self.sent: deque[bytes] = deque(maxlen=80)
        self.figures: Counter[str] = Counter()
        self.worst = (0.0, "")
        self._pending: dict[object, _Asked] = {}
        self._got: dict[object, Any] = {}
        # What the client has asked for, and the ids of these answers.
        self._pulled: dict[str, Published] = {}
        self._results: dict[str, str] = {}
        self._numbers = count(_FIRST_ID)
        self._progress: set[object] = set()
        self._latest: dict[str, int] = {}
        self._heard = self._last = time.monotonic()
        self._last_cpu = 0.0

    # What is sent.

    def begin(self, able: Mapping[str, Any], options: object, name: str) -> None:
        """Introduces the client."""
        self.able = able
        folder = {"uri": self.root.as_uri(), "name": "workspace"}
        params = {
            "processId": os.getpid(),
            "clientInfo": {"name": name},
            "rootUri": folder["uri"],
            "capabilities": able,
            "initializationOptions": options,
            "workspaceFolders": [folder],
        }
        result = self.wait(self.ask("initialize", params))
        if not isinstance(result, dict) or "capabilities" not in result:
            raise GoneError(f"initialize: {result}")
        self.capabilities = result["capabilities"]
        self.encoding = self.capabilities.get("positionEncoding", "utf-16")
        self._server.measure()
        self.tell("initialized", {})

    def tell(self, method: str, params: object) -> None:
        """Sends a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> object:
        """Sends a request, and returns its id."""
        number: object = next(self._numbers)
        number = f"s{number}" if self._random.random() < 0.1 else number
        texts = TextsThen(self, is_search=method in _SEARCHES)
        self._pending[number] = _Asked(method, params, time.monotonic(), self._server.cpu(), texts)
        self.figures["requests"] += 1
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def write(self, data: bytes) -> None:
        """Sends bytes that may be no message."""
        self.figures["messages"] += 1
        self.sent.append(data[:2000])
        self._server.write(data)

    def _send(self, message: Mapping[str, object]) -> None:
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def cancel(self, number: object) -> None:
        """Takes a request back, which has an answer even so."""
        self.tell("$/cancelRequest", {"id": number})

    # What is waited for.

    def wait(self, number: object) -> Any:
        """The result of a request; None if it was refused."""
        while number in self._pending:
            self.hear(0.05, number)
        return self._got.pop(number, None)

    def asked(self, method: str, params: object) -> Any:
        """The result of a request that is sent now."""
        return self.wait(self.ask(method, params))

    def sync(self) -> None:
        """Waits until all messages are handled that were sent."""
        self.asked("textDocument/hover", _NOWHERE)

    def settle(self) -> None:
        """Waits until the server is quiet; its work in the background does not say that it ends."""
        until = time.monotonic() + 4 * _PATIENCE
        # Has an answer when all files were searched.
        self.asked("workspace/symbol", {"query": "\x01"})
        while time.monotonic() < until:
            self.sync()
            worked = self._server.cpu()
            self.hear(0.1)
            is_idle = self._server.cpu() - worked < _LITTLE and not self._pending
            if is_idle and not self._progress and time.monotonic() - self._heard > _QUIET:
                return
        said = f"no rest: {len(self._pending)} requests, progress {self._progress}"
        self._complain(Wrong("unanswered", said, "no rest"))

    @property
    def waiting(self) -> int:
        """How many requests have no answer yet."""
        return len(self._pending)

    def hear(self, seconds: float = 0.0, number: object = None) -> None:
        """Takes in what the server says for some time, until it answers the request `number`."""
        until = time.monotonic() + seconds
        while number is None or number in self._pending:
            said = self._server.next(until - time.monotonic())
            if said is None:
                break
            self._take(said)
        self._give_up()
        self._check_log()

    def leave(self) -> None:
        """Ends the server as an editor does, and checks its exit code."""
        self.wait(self.ask("shutdown", None))
        self.sync()
        self.tell("exit", None)
        code = self._server.code(_GOODBYE)
        self._check_log()
        if code is None:
            self._complain(Wrong("death", "it stays after `exit`", "stays"))
        elif code:
            self._complain(Wrong("death", f"exit code {code} after `shutdown` and `exit`", "code"))

    def close(self) -> None:
        """Ends the process, whatever state it is in."""
        self._server.close()

    def check_life(self) -> None:
        """Raises `GoneError` if the server has ended."""
        if self._server.code(0) is not None:
            raise GoneError("it has ended")

    def last_words(self) -> str:
        """The exit code of a server that is gone, and the end of what it has written to stderr."""
        code = self._server.code(1)
        return f"exit code {code}, stderr: {' | '.join(self._server.log[-8:])}"

    def memory(self) -> int:
        """How much memory the server has now, in MB."""
        return self._server.memory()

    # What the server says.

    def _take(self, said: Said) -> None:
        message = said.message
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._complain(Wrong("bad-answer", f"no message: {str(message)[:200]}", "no message"))
        elif "method" in message and "id" in message:
            self._serve(message["id"], message["method"], message.get("params") or {})
        elif "method" in message:
            self._note(said.at, message["method"], message.get("params") or {})
        elif message.get("id") is not None:
            self._answered(said, message)
        elif "error" not in message:
            wrong = f"an answer to nothing: {str(message)[:200]}"
            self._complain(Wrong("bad-answer", wrong, "nothing"))

    def _answered(self, said: Said, message: dict[str, Any]) -> None:
        number = message["id"]
        asked = self._pending.pop(number, None) if isinstance(number, int | str) else None
        if asked is None:
            if isinstance(number, str) or number >= _FIRST_ID:
                wrong = f"a second answer to {number}: {str(message)[:200]}"
                self._complain(Wrong("unanswered", wrong, "twice"))
            return
        about = f"{asked.method} {json.dumps(asked.params)[:300]}"
        took = said.at - max(asked.at, self._last)
        worked = said.cpu - max(asked.cpu, self._last_cpu)
        self._last, self._last_cpu = said.at, said.cpu
        self.worst = max(self.worst, (took, asked.method))
        if took > LIMIT and (worked > 0.8 * LIMIT or not self._server.is_measured):
            wrong = f"{took:.1f} s ({worked:.1f} s of processor time) for {about}"
            self._complain(Wrong("slow", wrong, asked.method))
        if ("result" in message) == ("error" in message):
            self._complain(Wrong("bad-answer", f"{message} to {about}"[:600], asked.method))
            return
        self._got[number] = message.get("result")
        if "error" not in message:
            self._check(asked, message["result"])
            return
        self.figures["refused"] += 1
        error = message["error"]
        code = error.get("code") if isinstance(error, dict) else None
        if type(code) is not int or not isinstance(error.get("message"), str):
            self._complain(Wrong("bad-answer", f"{message} to {about}"[:600], asked.method))
        elif code not in _REFUSALS:
            self._complain(Wrong("fault", f"{error} for {about}"[:900], f"{asked.method} {code}"))

    def _check(self, asked: _Asked, result: object) -> None:
        params = asked.params if isinstance(asked.params, dict) else {}
        legend = self.capabilities.get("semanticTokensProvider", {}).get("legend", {})
        many = len(legend.get("tokenTypes", ())), len(legend.get("tokenModifiers", ()))
        try:
            for wrong in wrong_in(Answer(asked.method, params, result, asked.texts, many)):
                self._complain(wrong)
        except (KeyError, TypeError, AttributeError) as error:
            said = f"{asked.method}: {error!r} in {str(result)[:300]}"
            self._complain(Wrong("bad-answer", said, f"{asked.method} {error!r}"))

    def _serve(self, number: object, method: str, params: Mapping[str, Any]) -> None:
        """Answers what the server asks, at times as no client should."""
        result: object = None
        if method == "workspace/configuration":
            result = [self._configuration for _ in params["items"]]
        elif method == "workspace/applyEdit":
            result = {"applied": False}
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": number, "result": result}
        if method != "workspace/configuration" and self._random.random() < 0.1:
            error = {"code": -32603, "message": "no"}
            more = ({"result": [[7]]}, {"result": {"success": "maybe"}}, {"error": 7})
            bare: dict[str, object] = {"jsonrpc": "2.0", "id": number}
            other = (bare, bare | {"error": error}, *(answer | one for one in more))
            answer = self._random.choice(other)
        for _ in range(1 if self._random.random() < 0.98 else 2):
            self._send(answer)

    def _note(self, when: float, method: str, params: Mapping[str, Any]) -> None:
        if method == "textDocument/publishDiagnostics":
            self._heard = when
            self._publish(params)
        elif method == "$/progress":
            self._heard = when
            is_end = params["value"]["kind"] == "end"
            (self._progress.discard if is_end else self._progress.add)(params["token"])
        elif method in ("window/logMessage", "window/showMessage") and params["type"] == _ERROR:
            said = f"{method}: {params['message'][-900:]}"
            self._complain(Wrong("fault", said, _cause(params["message"])))

    def _publish(self, params: Mapping[str, Any]) -> None:
        uri, version, items = params["uri"], params.get("version"), params["diagnostics"]
        self.figures["published"] += 1
        self.published[uri] = Published(version, items)
        document = self.documents.get(uri)
        if version is None or document is None or not document.is_open or document.is_loose:
            return
        if version not in document.history:
            said = f"findings on version {version} of {uri}, {document.version} is current"
            self._complain(Wrong("version", said, "unknown"))
            return
        if version < self._latest.get(uri, version):
            said = f"findings on version {version} of {uri} after {self._latest[uri]}"
            self._complain(Wrong("version", said, "older"))
        self._latest[uri] = version
        self.check_findings(uri, items, document.history[version])

    def check_findings(self, uri: str, items: Sequence[Mapping[str, Any]], text: str) -> None:
        """Checks the places and the words of findings on `text`."""
        lines = Lines(text, self.encoding)
        for one in items:
            code = one.get("code")
            for other, where in ranges(one, uri):
                wrong = wrong_range(where, lines if other == uri else None)
                if wrong:
                    self._complain(Wrong("range", f"{code} in {other}: {wrong}", f"finding {code}"))
            if not one["message"] or one.get("severity") not in (1, 2, 3, 4):
                self._complain(Wrong("bad-answer", f"a finding: {one}", f"finding {code}"))
            try:
                json.dumps(one, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                said = f"half of a character in the finding {code} on {uri}"
                self._complain(Wrong("bad-answer", said, f"half {code}"))

    def findings(self) -> dict[str, list[dict[str, Any]]]:
        """What the client has found in each text, which it asks for if it is one that does."""
        found = {uri: one.items for uri, one in self.published.items()}
        if self._pulls:
            for uri, document in self.documents.items():
                if document.is_open:
                    self._pull(uri)
            if self.pulls_workspace:
                self.pull_workspace()
            found |= {uri: one.items for uri, one in self._pulled.items()}
        return {uri: items for uri, items in found.items() if items}

    def finding_on(self, document: Document) -> list[dict[str, Any]] | None:
        """The findings on an open text as it is now; None if nothing was told about it."""
        self.sync()
        if self._pulls:
            self._pull(document.uri)
            pulled = self._pulled.get(document.uri)
            return pulled.items if pulled is not None else None
        said = self.published.get(document.uri)
        return said.items if said is not None and said.version == document.version else None

    @property
    def _pulls(self) -> bool:
        """Whether it asks for findings, as client and server have agreed."""
        is_able = "diagnostic" in self.able.get("textDocument", {})
        return is_able and "diagnosticProvider" in self.capabilities

    def _pull(self, uri: str) -> None:
        params: dict[str, Any] = {"textDocument": {"uri": uri}}
        if uri in self._results:
            params["previousResultId"] = self._results[uri]
        self._report(uri, self.asked("textDocument/diagnostic", params))

    def pull_workspace(self) -> None:
        """Asks for the findings on all files, and has them told no more."""
        self.pulls_workspace = True
        before = [{"uri": uri, "value": one} for uri, one in self._results.items()]
        params = {"previousResultIds": before}
        for one in (self.asked("workspace/diagnostic", params) or {"items": []})["items"]:
            self._report(one["uri"], one)

    def _report(self, uri: str, report: dict[str, Any] | None) -> None:
        if report is None:
            return
        if report["kind"] == "full":
            self._pulled[uri] = Published(report.get("version"), report["items"])
            self._results.pop(uri, None)
        elif report.get("resultId") != self._results.get(uri):
            said = f"{report} on {uri}, of which {self._results.get(uri)} is known"
            self._complain(Wrong("bad-answer", said, "unchanged"))
        if "resultId" in report:
            self._results[uri] = report["resultId"]

    def forget(self, uri: str) -> None:
        """Starts to count the versions of a text anew, and has no findings that it asked for."""
        self._latest.pop(uri, None)
        if not self.pulls_workspace:
            self._pulled.pop(uri, None)
            self._results.pop(uri, None)

    def _give_up(self) -> None:
        asked = next(iter(self._pending.values()), None)
        if asked is None or time.monotonic() - max(asked.at, self._last) < LIMIT + _PATIENCE:
            return
        worked = self._server.cpu() - max(asked.cpu, self._last_cpu)
        kind = "slow" if worked > LIMIT / 2 else "unanswered"
        waited = time.monotonic() - asked.at
        about = f"{asked.method} {json.dumps(asked.params)[:300]}"
        said = f"no answer in {waited:.0f} s ({worked:.1f} s of processor time) to {about}"
        self._complain(Wrong(kind, said, asked.method))
        raise StuckError(said)

    def _check_log(self) -> None:
        at = next((at for at, one in enumerate(self._server.log) if _is_fault(one)), None)
        if at is not None:
            # The rest of it is on its way.
            time.sleep(0.1)
            text = "\n".join(self._server.log[at:])
            self._server.clear_log()
            self._complain(Wrong("fault", f"on stderr: {text[:1500]}", _cause(text)))


def _is_fault(line: str) -> bool:
    return "Traceback" in line or line.startswith(("CRITICAL", "ERROR"))


def _cause(text: str) -> str:
    """The exception in a log, or its last line, without what differs each time."""
    raised = _RAISED.findall(text)
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    return _QUOTED.sub("#", raised[-1] if raised else lines[-1])[:100]
