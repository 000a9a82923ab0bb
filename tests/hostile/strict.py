"""A client that checks what it is told: places, versions, and what becomes of an edit.

It divides texts into lines and counts columns by itself, in the units that it has asked for. What
it finds wrong is in `wrong`, since the server would catch an exception.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.server.inside import Inside

ENCODINGS = ("utf-8", "utf-16", "utf-32")
_LINE_END = re.compile(r"\r\n|\n|\r")
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

# The requests about a place, and those about a whole file.
AT = (
    "hover",
    "completion",
    "definition",
    "references",
    "prepareRename",
    "documentHighlight",
    "implementation",
    "prepareCallHierarchy",
)
WHOLE = ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "documentLink")


class WrongPlaceError(Exception):
    """A place that is not in the text, or an edit that cannot be applied."""


class Lines:
    """The lines of a text, without their ends, and the columns between their characters."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text, self._encoding = text, encoding
        ends = list(_LINE_END.finditer(text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(text)]

    @property
    def count(self) -> int:
        """The number of lines; that after the last line end is one, too."""
        return len(self._starts)

    def offset(self, position: Mapping[str, int]) -> int:
        """The offset of `position`; raises `WrongPlaceError` if the text has no such place."""
        line, column = position["line"], position["character"]
        if not 0 <= line < self.count:
            message = f"line {line} of {self.count}"
            raise WrongPlaceError(message)
        start, end = self._starts[line], self._ends[line]
        columns = accumulate(map(self._width, self._text[start:end]), initial=0)
        for number, one in enumerate(columns):
            if one == column:
                return start + number
        message = f"column {column} in line {line}: {self._text[start:end]!r}"
        raise WrongPlaceError(message)

    def span(self, where: Mapping[str, Mapping[str, int]]) -> tuple[int, int]:
        """The offsets of a range; raises `WrongPlaceError` as above, or if it ends too early."""
        start, end = self.offset(where["start"]), self.offset(where["end"])
        if end < start:
            message = f"a range ends before it starts: {where}"
            raise WrongPlaceError(message)
        return start, end

    def edited(self, edits: list[dict[str, Any]]) -> str:
        """The text after `edits`; raises `WrongPlaceError` if two of them overlap."""
        spans = sorted(((*self.span(one["range"]), one["newText"]) for one in edits), key=_place)
        for (_, end, _), (start, _, _) in pairwise(spans):
            if start < end:
                message = f"edits overlap: {edits}"
                raise WrongPlaceError(message)
        # Edits at the same place are inserted in their order.
        text, at = "", 0
        for start, end, new in spans:
            text, at = text + self._text[at:start] + new, end
        return text + self._text[at:]

    def _width(self, character: str) -> int:
        if self._encoding == "utf-32":
            return 1
        codec = "utf-16-le" if self._encoding == "utf-16" else "utf-8"
        size = len(character.encode(codec, "surrogatepass"))
        return size // 2 if self._encoding == "utf-16" else size


def _place(one: tuple[int, int, str]) -> tuple[int, int]:
    return one[:2]


@dataclass(frozen=True, slots=True)
class _Held:
    version: int
    text: str


class StrictClient(Inside):
    """A client with open texts, which counts columns in units of `encoding`.

    `are_told` is false while the disk has changes that the server does not know.
    """

    def __init__(self, root: Path, encoding: str = "utf-16") -> None:
        self.encoding = encoding
        self.held: dict[str, _Held] = {}
        self.wrong: list[str] = []
        self.are_told = True
        super().__init__(root, {**CAPABILITIES, "general": {"positionEncodings": [encoding]}})

    # Texts.

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Opens `text`."""
        self.held[uri] = _Held(version, text)
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str, version: int | None = None) -> None:
        """Replaces an open text; the whole is sent, as the server asks for."""
        version = self.held[uri].version + 1 if version is None else version
        self.held[uri] = _Held(version, text)
        changes = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}],
        }
        self.tell("textDocument/didChange", changes)

    def close_text(self, uri: str) -> None:
        """Closes a text."""
        del self.held[uri]
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    # Questions.

    def asked(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request, after its places were checked; None if it was refused."""
        answer = self.ask(method, params)
        if isinstance(answer, dict) and "code" in answer and "message" in answer:
            self._check(answer["code"] != -32603, f"{method} {params}: {answer}")
            return None
        uri = params.get("textDocument", {}).get("uri", "")
        self._check_places(answer, uri, method)
        if answer is None:
            return None
        if method == "textDocument/semanticTokens/full":
            self._check_tokens(answer, params)
        elif method == "textDocument/foldingRange":
            self._check_folds(answer, params)
        elif method == "textDocument/completion":
            self._check_completions(answer, params)
        return answer

    def edits_in(self, edit: dict[str, Any] | None) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The edits of each text of a workspace edit, after their version was checked."""
        yield from ((edit or {}).get("changes") or {}).items()
        for one in (edit or {}).get("documentChanges") or []:
            if "textDocument" in one:
                uri, version = one["textDocument"]["uri"], one["textDocument"]["version"]
                held = self.held.get(uri)
                expected = held.version if held is not None else None
                self._check(version == expected, f"an edit of {uri} {version}, not {expected}")
                yield uri, one["edits"]

    def applied(self, uri: str, edit: dict[str, Any] | None) -> str | None:
        """An open text after a workspace edit; None if it does not touch the text, or is wrong."""
        found = None
        for other, edits in self.edits_in(edit):
            lines = self._lines(other)
            if lines is None:
                continue
            try:
                text = lines.edited(edits)
            except WrongPlaceError as error:
                self.wrong.append(f"an edit of {other}: {error}")
                continue
            found = text if other == uri else found
        return found

    # What the server says.

    def write(self, data: bytes) -> None:
        """Takes a message of the server, and checks diagnostics."""
        message = json.loads(data.split(b"\r\n\r\n", 1)[1])
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            uri, held = params["uri"], self.held.get(params["uri"])
            if held is not None:
                version = params.get("version")
                said = f"{uri}: diagnostics of version {version}, not {held.version}"
                self._check(version == held.version or not params["diagnostics"], said)
            self._check_places(params["diagnostics"], uri, "diagnostics")
        super().write(data)

    def _check(self, is_right: object, what: str) -> None:
        if not is_right:
            self.wrong.append(what)

    def _lines(self, uri: object) -> Lines | None:
        """The lines of an open text, or of a file; None if nobody knows what the server has."""
        if not isinstance(uri, str):
            return None
        held = self.held.get(uri)
        if held is not None:
            return Lines(held.text, self.encoding)
        if not self.are_told:
            return None
        try:
            text = Path(unquote(urlsplit(uri).path)).read_bytes().decode()
        except (OSError, ValueError):
            return None
        return Lines(text.removeprefix("\ufeff"), self.encoding)

    def _check_places(self, said: object, uri: str, what: str) -> None:
        kept: dict[str, Lines | None] = {}
        for other, where in _ranges(said, uri):
            if other not in kept:
                kept[other] = self._lines(other)
            lines = kept[other]
            try:
                if lines is not None:
                    lines.span(where)
                else:
                    start, end = _at(where["start"]), _at(where["end"])
                    self._check(start <= end and min(*start, *end) >= 0, f"{what}: {where}")
            except WrongPlaceError as error:
                self.wrong.append(f"{what} in {other}: {error}")

    def _check_tokens(self, answer: dict[str, Any], params: dict[str, Any]) -> None:
        lines = self._lines(params["textDocument"]["uri"])
        line = column = end = 0
        data = answer["data"]
        for below, after, length in zip(data[::5], data[1::5], data[2::5], strict=True):
            column, end = (after, 0) if below else (column + after, end)
            line += below
            self._check(length > 0 and column >= end, f"tokens overlap in line {line}: {data}")
            end = column + length
            where = {"line": line, "character": column}
            try:
                if lines is not None:
                    lines.span({"start": where, "end": {"line": line, "character": end}})
            except WrongPlaceError as error:
                self.wrong.append(f"a token: {error}")

    def _check_folds(self, answer: list[dict[str, int]], params: dict[str, Any]) -> None:
        lines = self._lines(params["textDocument"]["uri"])
        for one in answer:
            is_in = 0 <= one["startLine"] <= one["endLine"]
            self._check(is_in and (lines is None or one["endLine"] < lines.count), f"a fold: {one}")

    def _check_completions(self, answer: dict[str, Any], params: dict[str, Any]) -> None:
        at = _at(params["position"])
        lines = self._lines(params["textDocument"]["uri"])
        try:
            _ = lines.offset(params["position"]) if lines is not None else None
        except WrongPlaceError:
            # Of a place that is none, it may complete what is at the nearest one.
            return
        for item in answer["items"]:
            where = item.get("textEdit", {}).get("range")
            if where is not None:
                start, end = _at(where["start"]), _at(where["end"])
                is_here = start[0] == end[0] and start <= at <= end
                self._check(is_here, f"a completion at {at} replaces {where}")


def _at(position: Mapping[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


def _ranges(said: object, uri: str) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """The ranges anywhere in a message, each with the URI of the text that it is about."""
    if isinstance(said, list):
        for one in said:
            yield from _ranges(one, uri)
    elif isinstance(said, dict):
        document = said.get("textDocument")
        named = document.get("uri") if isinstance(document, dict) else said.get("uri")
        own = said.get("targetUri", named) or uri
        for key, value in said.items():
            if key == "changes" and isinstance(value, dict):
                for other, edits in value.items():
                    yield from _ranges(edits, other)
            elif key == "position" and isinstance(value, dict):
                yield own, {"start": value, "end": value}
            elif isinstance(value, dict) and {"start", "end"} <= value.keys():
                yield uri if key == "originSelectionRange" else own, value
            else:
                yield from _ranges(value, own)
