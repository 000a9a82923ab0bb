"""Mends the machinery of the protocol where pygls leaves a request or a message behind.

Invariants: every request is answered once, also one that comes too early, too late or in a wrong
shape; what is no message is refused; an answer that is JSON already goes
out as it is; nothing is kept of a message that is done with. Any bytes can
be read; what is no frame is passed over up to the next header that names a length, so that one bad
frame does not take along those behind it.
"""

import json
import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import (
    JsonRPCResponseMessage,
    MsgId,
    RPCMessage,
    RPCRequest,
    RPCResponse,
)

if TYPE_CHECKING:
    from agent_lsp.server.server import Server


class RawJson:
    """JSON that pygls need not look into: an answer may name thousands of agents.

    It is no data class, since pygls would take that apart, with all that is in it.
    """

    __slots__ = ("json",)

    def __init__(self, answer: object) -> None:
        self.json = answer


def raw_json(answer: object) -> RawJson:
    """`answer` without what is no text; the names of files may hold it."""
    from agent_lsp.server.convert import printable  # noqa: PLC0415 - not to start

    text = json.dumps(answer, ensure_ascii=False)
    sent = printable(text)
    return RawJson(answer if sent == text else json.loads(sent))


logger = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """The message handling of pygls, with what it lacks."""

    _server: "Server"
    is_introduced = False

    def receive(self, body: bytes) -> None:
        """Does what the message in `body` says, or says why it is none."""
        try:
            data = json.loads(body)
        # Of all text that is none, only brackets in brackets are no ValueError.
        except (ValueError, RecursionError) as error:
            return self._refuse(None, JsonRpcParseError(f"the message is no JSON: {error}"))
        request_id = data.get("id") if isinstance(data, dict) else None
        request_id = (
            request_id
            if isinstance(request_id, int | str) and not isinstance(request_id, bool)
            else None
        )
        try:
            message = self.structure_message(data)
        except JsonRpcException as error:
            if not isinstance(data, dict) or "id" in data:
                return self._refuse(request_id, error)
            logger.warning("a notification is ignored: %s", error)
        else:
            if message is not None:
                self.handle_message(message)
        return None

    # The messages of pygls have no type of their own.
    def structure_message(self, data: Any) -> Any:  # noqa: ANN401 - as pygls declares it
        """The message in `data`, or None for one that nobody waits for."""
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            message = 'a message is an object with `"jsonrpc": "2.0"`'
            raise JsonRpcInvalidRequest(message)
        if "method" not in data:
            return self._answer_in(data)
        method = data["method"]
        if not isinstance(method, str):
            message = "`method` is a text"
            raise JsonRpcInvalidRequest(message)
        is_request = "id" in data
        if is_request and (isinstance(data["id"], bool) or not isinstance(data["id"], int | str)):
            message = "`id` is a number or a text"
            raise JsonRpcInvalidRequest(message)
        kind = self.get_message_type(method)
        if not self._is_known(method) or kind is None:
            if is_request:
                raise JsonRpcMethodNotFound.of(method)
            return None
        if is_request != hasattr(kind, "id"):
            message = f"`{method}` is a {'notification' if is_request else 'request'}"
            raise JsonRpcInvalidRequest(message)
        return self._structured(data, kind, f"the parameters of `{method}` are malformed")

    def handle_message(self, message: RPCMessage) -> None:
        """Lets only those messages in whose time it is."""
        method = getattr(message, "method", "")
        if isinstance(message, RPCRequest):
            if self._shutdown:
                return self._refuse(message.id, JsonRpcInvalidRequest("the server is shut down"))
            if self.is_introduced is (method == types.INITIALIZE):
                return self._refuse(message.id, self._too_early_or_late())
        elif not self.is_introduced and method != types.EXIT:
            return None
        self.is_introduced = True
        super().handle_message(message)
        return None

    def _serialize_message(self, data: Any) -> Any:  # noqa: ANN401 - as pygls declares it
        return data.json if isinstance(data, RawJson) else super()._serialize_message(data)

    def _is_known(self, method: str) -> bool:
        features = (self.fm.builtin_features, self.fm.features)
        return method == types.CANCEL_REQUEST or any(method in known for known in features)

    def _answer_in(self, data: dict[str, Any]) -> object:
        """The client's answer to a request of ours; one in a wrong shape is a failed request."""
        request_id = data.get("id")
        if not isinstance(request_id, int | str) or request_id not in self._request_futures:
            logger.warning("an answer without a request is ignored")
            return None
        kind = self._result_types.pop(request_id, None) or JsonRPCResponseMessage
        try:
            if data.get("error") is not None:
                return self._structured(data, types.ResponseErrorMessage, "a malformed error")
            return self._structured({"result": None, **data}, kind, "a malformed answer")
        except JsonRpcException as error:
            return types.ResponseErrorMessage(request_id, error.to_response_error())

    def _structured(self, data: dict[str, Any], kind: type[Any], otherwise: str) -> object:
        try:
            return self._converter.structure(data, kind)
        except Exception as error:
            # The converter has no exception of its own for all that it may come across.
            raise JsonRpcInvalidParams(otherwise) from error

    def _too_early_or_late(self) -> JsonRpcException:
        if self.is_introduced:
            return JsonRpcInvalidRequest("`initialize` comes only once")
        return JsonRpcServerNotInitialized("`initialize` comes first")

    def _refuse(self, message_id: MsgId | None, error: JsonRpcException) -> None:
        logger.warning("a message is refused: %s", error)
        # The protocol's own type leaves out an `id` that is null.
        said = {"jsonrpc": self.VERSION, "id": message_id, "error": error.to_response_error()}
        self._send_data(said)

    def _send_data(self, data: object) -> None:
        """Sends a message, or where our answer is none, that it is missing.

        pygls would leave the request without an answer.
        """
        try:
            body = json.dumps(data, default=self._serialize_message)
        except Exception:  # noqa: BLE001 - reported; and whatever it is, somebody waits
            self._server.report("a message is none")
            if isinstance(data, RPCResponse):
                self._refuse(data.id, JsonRpcInternalError("the answer cannot be sent"))
            return
        header = f"Content-Length: {len(body)}\r\n\r\n"
        if self.writer is not None:
            self.writer.write((header + body).encode("ascii"))

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Forgets the future of a handler that is done, which pygls does for requests only.

        Each change of a text would leave one behind otherwise.
        """
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            del self._request_futures[msg_id]


# More than any editor sends in one message; who announces more is not waited for.
LONGEST_BODY = 256 * 1024 * 1024
# A header is short; what is longer is read in parts.
_LINE = 65_536
# Behind a body that was longer than announced, a header does not begin a line.
_LENGTH = re.compile(rb"(?i)content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n\Z")

logger = logging.getLogger(__name__)


def read_body(stream: BinaryIO) -> bytes | None:
    """The body of the next frame in `stream`, or None where that has ended."""
    length = 0
    while line := stream.readline(_LINE):
        named = _LENGTH.search(line)
        if named is not None:
            length = int(named[1])
        elif length and not line.strip():
            if length <= LONGEST_BODY:
                body = stream.read(length)
                return body if len(body) == length else None
            length = 0
    return None


class Writer:
    """Sends messages; messages to a closed client are dropped, which is logged once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.is_closed = False

    def write(self, data: bytes) -> None:
        """Sends `data`."""
        if self.is_closed:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        # A stream that somebody has closed is a ValueError.
        except (OSError, ValueError) as error:
            self.is_closed = True
            logger.warning("the client does not listen any more: %s", error)

    def close(self) -> None:
        """Sends nothing more."""
        self.is_closed = True
