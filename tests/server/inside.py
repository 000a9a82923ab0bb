"""A server in the process of the test, which is quick to start and whose work is run at once.

What a client would get is in `published`, `logged` and `shown`. A message is handled when `tell`
returns, and all that follows from it in the background when `rest` does.
"""

import asyncio
import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any, cast

from agent_lsp.server.app import create

_WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


class Inside:
    """A server with one client that watches files; to be used inside of an event loop."""

    def __init__(
        self,
        root: Path,
        capabilities: Mapping[str, object] | None = None,
        roots: Mapping[str, object] | None = None,
    ) -> None:
        self.server = create()
        self.server.protocol.set_writer(cast("Any", self))
        # Each answer is there when `ask` returns.
        self.server.protocol.slice = inf
        self._requests = 0
        self.published: dict[str, Any] = {}
        self.answers: dict[object, Any] = {}
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.order: list[str] = []
        # The methods of what the server asks the client, after `initialized`.
        self.requests: list[str] = []
        # The kinds of the reports of progress.
        self.progress: list[str] = []
        able = _WATCHES if capabilities is None else capabilities
        folder = {"uri": root.as_uri(), "name": "workspace"}
        named = {"workspaceFolders": [folder]} if roots is None else roots
        self._tell("initialize", {"processId": None, "capabilities": able, **named}, 0)
        self.tell("initialized", {})

    def tell(self, method: str, params: object) -> None:
        """Sends a notification."""
        self._tell(method, params)

    def ask(self, method: str, params: object) -> Any:
        """The result of a request."""
        return self.answers[self.begin(method, params)]

    def begin(self, method: str, params: object) -> int:
        """Sends a request, and returns the key of its answer, which need not be there yet."""
        self._requests += 1
        self._tell(method, params, self._requests)
        return self._requests

    def _tell(self, method: str, params: object, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        message |= {} if number is None else {"id": number}
        self.server.protocol.receive(json.dumps(message).encode())

    async def rest(self) -> None:
        """Waits until nothing is left to do."""
        while (worker := self.server.worker) is not None and not worker.done():
            await worker

    def found(self) -> dict[str, list[tuple[object, ...]]]:
        """The findings that the client has, for each URI that has one."""
        return {
            uri: [
                (one["code"], one["message"], one["severity"], *one["range"]["start"].values())
                for one in params["diagnostics"]
            ]
            for uri, params in self.published.items()
            if params["diagnostics"]
        }

    # What the protocol writes to.

    def write(self, data: bytes) -> None:
        """Takes a message of the server, and answers its requests."""
        message = json.loads(data.split(b"\r\n\r\n", 1)[1])
        method = message.get("method")
        if method is None:
            self.answers[message["id"]] = message.get("result", message.get("error"))
        elif method == "textDocument/publishDiagnostics":
            self.order.append(message["params"]["uri"])
            self.published[message["params"]["uri"]] = message["params"]
        elif method == "$/progress":
            self.progress.append(message["params"]["value"]["kind"])
        elif method == "window/logMessage":
            self.logged.append(message["params"]["message"])
        elif method == "window/showMessage":
            self.shown.append(message["params"]["message"])
        if method is not None and "id" in message:
            self.requests.append(method)
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": None}
            asyncio.get_running_loop().call_soon(
                self.server.protocol.receive, json.dumps(answer).encode()
            )

    def close(self) -> None:
        """Does nothing: there is no stream."""
