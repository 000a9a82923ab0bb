"""A client in the process of the test that checks what it is told, with the rules of `answers`.

What it finds wrong is in `wrong`, since the server would catch an exception.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.hostile.answers import Answer, Lines, edits_in, ranges, wrong_in, wrong_range
from tests.server.inside import Inside

CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]},
    },
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}
        },
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
    },
}


@dataclass(frozen=True, slots=True)
class _Held:
    version: int
    text: str


class StrictClient(Inside):
    """A client with open texts, which counts columns in units of `encoding`."""

    def __init__(self, root: Path, encoding: str = "utf-16") -> None:
        self.encoding = encoding
        self.held: dict[str, _Held] = {}
        self.wrong: list[str] = []
        super().__init__(root, {**CAPABILITIES, "general": {"positionEncodings": [encoding]}})

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Opens `text`."""
        self.held[uri] = _Held(version, text)
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    # Questions.

    def asked(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request, after it was checked; None if it was refused."""
        answer = self.ask(method, params)
        if isinstance(answer, dict) and "code" in answer and "message" in answer:
            if answer["code"] == -32603:
                self.wrong.append(f"{method} {params}: {answer}")
            return None
        self.wrong += [one.what for one in wrong_in(Answer(method, params, answer, self))]
        return answer

    def edits_in(self, edit: object) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The edits of each text of a workspace edit."""
        for uri, _, edits in edits_in(edit):
            yield uri, edits

    # What the checks ask.

    def lines(self, uri: str) -> Lines | None:
        """The lines of an open text, or of a file."""
        held = self.held.get(uri)
        if held is not None:
            return Lines(held.text, self.encoding)
        try:
            text = Path(unquote(urlsplit(uri).path)).read_bytes().decode()
        except (OSError, ValueError):
            return None
        return Lines(text.removeprefix("\ufeff"), self.encoding)

    def versions(self, uri: str) -> Mapping[int | None, Lines | None]:
        """The only version that there is."""
        held = self.held.get(uri)
        return {held.version if held is not None else None: self.lines(uri)}

    def is_inside(self, uri: str) -> bool:
        """Everywhere: the tests of this client say where a file may be."""
        return bool(uri)

    # What the server says.

    def write(self, data: bytes) -> None:
        """Takes a message of the server, and checks diagnostics."""
        message = json.loads(data.split(b"\r\n\r\n", 1)[1])
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            uri, held = params["uri"], self.held.get(params["uri"])
            version, found = params.get("version"), params["diagnostics"]
            if held is not None and found and version != held.version:
                self.wrong.append(f"{uri}: diagnostics of version {version}, not {held.version}")
            for other, where in ranges(found, uri):
                self.wrong += filter(None, [wrong_range(where, self.lines(other))])
        super().write(data)
