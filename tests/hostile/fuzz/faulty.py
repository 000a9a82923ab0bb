"""A small server that does one thing wrong, so that a test can see the fuzzer notice it.

The first argument says which. It has one finding on each open text, and a fix for it.
"""

import json
import os
import sys
import time
from typing import Any

_START = {"line": 0, "character": 0}
_HERE = {"start": _START, "end": _START}
_FAR = {"start": _START, "end": {"line": 10**6, "character": 0}}
_CAPABILITIES = {
    "capabilities": {
        "textDocumentSync": 1,
        "semanticTokensProvider": {"legend": {"tokenTypes": ["class"], "tokenModifiers": []}},
    }
}


def main(wrong: str) -> int:
    """Serves until `exit`; 0 unless that is what is wrong."""
    while (message := _read()) is not None:
        method, number = message.get("method"), message.get("id")
        if method == "exit":
            break
        if wrong == "fault" and method == "textDocument/didChange":
            sys.stderr.write("Traceback (most recent call last):\nKeyError: 'x'\n")
            sys.stderr.flush()
        if wrong == "slow" and method == "textDocument/hover":
            _work(1.0)
        if method in ("textDocument/didOpen", "textDocument/didChange"):
            _publish(message["params"]["textDocument"], wrong)
        if method is not None and number is not None:
            answer = {"jsonrpc": "2.0", "id": number, "result": _result(method, message, wrong)}
            for _ in range(2 if wrong == "unanswered" else 1):
                _write(answer)
    return 1 if wrong == "death" else 0


def _result(method: str, message: dict[str, Any], wrong: str) -> object:
    if method == "initialize":
        return _CAPABILITIES
    if method == "textDocument/hover" and wrong in ("range", "bad-answer"):
        return {"range": _FAR, "contents": "x"} if wrong == "range" else {"range": _HERE}
    if method == "textDocument/codeAction":
        found = message["params"].get("context", {}).get("diagnostics")
        uri = message["params"]["textDocument"]["uri"]
        edit = {"range": _HERE if wrong != "edit" else _FAR, "newText": "x"}
        changes = {"changes": {uri: [edit]}}
        action = {"title": "Mend it", "kind": "quickfix", "diagnostics": found, "edit": changes}
        return [action] if "quickfix" in message["params"]["context"].get("only", ()) else []
    return None


def _publish(document: dict[str, Any], wrong: str) -> None:
    said = f"found by {os.getpid()}" if wrong == "inconsistent" else "found"
    finding = {"range": _HERE, "severity": 2, "code": "x", "message": said}
    version = document["version"] - (3 if wrong == "version" else 0)
    # Without a fault the fix takes the finding away, as far as anybody can see.
    is_left = wrong == "fix" or document["version"] == 1
    items = [finding] if is_left or wrong != "" else []
    params = {"uri": document["uri"], "version": version, "diagnostics": items}
    _write({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})


def _work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def _read() -> dict[str, Any] | None:
    size = 0
    while (line := sys.stdin.buffer.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        size = int(value) if name == b"Content-Length" else size
    body = sys.stdin.buffer.read(size) if line else b""
    return json.loads(body) if body else None


def _write(message: dict[str, Any]) -> None:
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
