"""Stands in for the model's API on loopback, so that a real Claude Code starts each agent in turn.

Invariant: nothing is listened to but loopback, and no request is answered by anything but this.
"""

import json
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Self

# Begins the task of each agent that the stub has started, and is in no other request.
TASK = "Started by the stub: "
CALL = "toolu_stub_"
_SPAWN_TOOL = "Agent"


class Stub(ThreadingHTTPServer):
    """Answers as the model would that starts `agents` one after another; keeps all requests."""

    daemon_threads = True

    def __init__(self, agents: tuple[str, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.agents = agents
        self.requests: list[dict[str, Any]] = []
        # When the first request came, in seconds of the monotonic clock.
        self.asked_at: float | None = None
        self._begun = 0
        self._lock = Lock()

    @property
    def url(self) -> str:
        """The address that the runtime is to ask."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        super().__exit__(kind, error, trace)

    def block(self, request: dict[str, Any]) -> dict[str, Any]:
        """What the model answers: the call that starts the next agent, or a word."""
        is_agents = TASK in json.dumps(request.get("messages", [])[:1])
        can_start = any(tool.get("name") == _SPAWN_TOOL for tool in request.get("tools", []))
        with self._lock:
            self.asked_at = monotonic() if self.asked_at is None else self.asked_at
            self.requests.append(request)
            if is_agents or not can_start or self._begun == len(self.agents):
                return {"type": "text", "text": "Done."}
            at, self._begun = self._begun, self._begun + 1
        name = self.agents[at]
        arguments = {"description": "a task", "prompt": TASK + name, "subagent_type": name}
        call = {"type": "tool_use", "id": f"{CALL}{at:05d}", "name": _SPAWN_TOOL}
        return {**call, "input": {**arguments, "run_in_background": False}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Stub

    def log_message(self, *_: object) -> None:
        """Says nothing: the output is that of the test."""

    def do_HEAD(self) -> None:
        """Answers whether anybody is here."""
        self._json({}, is_empty=True)

    def do_GET(self) -> None:
        """Answers whatever else the runtime asks for: with nothing."""
        self._json({})

    def do_POST(self) -> None:
        """Answers a request to the model."""
        body = self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}"
        if "count_tokens" in self.path:
            self._json({"input_tokens": 1})
        elif "/v1/messages" not in self.path:
            self._json({})
        else:
            request = json.loads(body)
            block = self.server.block(request)
            self._message(request, block)

    def _message(self, request: Mapping[str, Any], block: dict[str, Any]) -> None:
        reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message: dict[str, Any] = {
            "id": "msg_stub",
            "type": "message",
            "role": "assistant",
            "usage": usage,
        }
        message |= {"model": request.get("model"), "stop_sequence": None}
        if not request.get("stream"):
            self._json({**message, "content": [block], "stop_reason": reason})
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        begun = {**message, "content": [], "stop_reason": None}
        for event in _events(begun, block, reason):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True

    def _json(self, value: object, *, is_empty: bool = False) -> None:
        body = b"" if is_empty else json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _events(begun: dict[str, Any], block: dict[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    """A message with one block, as the API streams it."""
    yield {"type": "message_start", "message": begun}
    if block["type"] == "text":
        shell, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        shell = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "index": 0, "content_block": shell}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}
