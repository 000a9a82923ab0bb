"""Measures what a typed letter costs with whole texts, and with the changed part alone.

Invariants: the time is that of pygls, from the bytes of the message to the new text, which must be
that of the editor; no analysis is in it.
"""

import json
import time
from collections.abc import Iterator
from statistics import median

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.workspace import Workspace

_SIZES = (4_000, 200_000)
_KINDS = (types.TextDocumentSyncKind.Full, types.TextDocumentSyncKind.Incremental)
_URI = "file:///workspace/.claude/agents/one.md"
_LINE = "A line of the prompt, which says what the agent does with its task.\n"
_LETTERS = 40


def main() -> None:
    """Prints a row for each size of a document and each kind of synchronisation."""
    print("| document | text sent | bytes of a message | processor time |")
    print("|---|---|---:|---:|")
    for size in _SIZES:
        for kind in _KINDS:
            sent, times = zip(*_typed(size, kind), strict=True)
            what = "the whole" if kind is types.TextDocumentSyncKind.Full else "the change"
            cells = f"{max(sent):,} | {median(times) * 1000:.3f} ms"
            print(f"| {size // 1000} kB | {what} | {cells} |")


def _typed(size: int, kind: types.TextDocumentSyncKind) -> Iterator[tuple[int, float]]:
    """Types letters into the middle of a document; yields the bytes and the seconds of each."""
    text = (_LINE * (size // len(_LINE) + 1))[:size]
    utf16 = types.PositionEncodingKind.Utf16
    documents = Workspace("file:///workspace", kind, position_encoding=utf16)
    documents.put_text_document(types.TextDocumentItem(_URI, "markdown", 0, text))
    # pygls has no types for it.
    converter = default_converter()  # type: ignore[no-untyped-call]
    middle = size // 2
    line, column = text.count("\n", 0, middle), middle - text.rfind("\n", 0, middle) - 1
    for version in range(1, _LETTERS + 1):
        text = f"{text[:middle]}x{text[middle:]}"
        place = {"line": line, "character": column}
        part = {"range": {"start": place, "end": place}, "text": "x"}
        change = {"text": text} if kind is types.TextDocumentSyncKind.Full else part
        document = {"uri": _URI, "version": version}
        params = {"textDocument": document, "contentChanges": [change]}
        message = {"jsonrpc": "2.0", "method": types.TEXT_DOCUMENT_DID_CHANGE, "params": params}
        body = json.dumps(message).encode()
        begun = time.process_time()
        got = converter.structure(json.loads(body)["params"], types.DidChangeTextDocumentParams)
        for one in got.content_changes:
            documents.update_text_document(got.text_document, one)
        received = documents.text_documents[_URI].source
        yield len(body), time.process_time() - begun
        if received != text:
            raise RuntimeError(f"after letter {version}, the server has another text")
        middle, column = middle + 1, column + 1


if __name__ == "__main__":
    main()
