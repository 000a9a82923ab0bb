"""Reads and writes messages where pygls would leave a request without an answer.

Invariants: every request gets one answer, also if it is malformed, or comes before `initialize` or
after `shutdown`. Input that is not a message is refused. An answer that is already JSON is sent
unchanged. Nothing about a message is kept once it is handled. Any bytes can be read: bytes that are
not a frame are skipped up to the next header with a length, so that one malformed frame does not
affect the following ones.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from functools import cache, partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, BinaryIO, cast, get_args
from urllib.parse import unquote, urlsplit

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
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import (
    JsonRPCResponseMessage,
    MsgId,
    RPCMessage,
    RPCRequest,
    RPCResponse,
)

from agent_lsp.patterns import regex
from agent_lsp.server.stepwise import Stepwise

if TYPE_CHECKING:
    from agent_lsp.server.server import Server

# In seconds. The loop needs several turns to read a message, so a pause of one turn is too short. A
# pipe that is full and does not block is tried again after it, too.
_REST = 0.001


class RawJson:
    """An answer that is already JSON, which pygls sends as it is.

    It is not a data class, because pygls would convert the fields of one, and an answer may name
    thousands of agents.
    """

    __slots__ = ("json",)

    def __init__(self, answer: object) -> None:
        self.json = answer


def raw_json(answer: object) -> RawJson:
    """`answer` as raw JSON; characters that UTF-8 cannot encode, as in file names, become `?`."""
    from agent_lsp.server.convert import printable  # noqa: PLC0415 - slow to import

    text = json.dumps(answer, ensure_ascii=False)
    sent = printable(text)
    return RawJson(answer if sent == text else json.loads(sent))


logger = logging.getLogger(__name__)


@cache
def converter() -> Any:  # noqa: ANN401 - pygls has no type for it
    """The converter between JSON and the protocol's types, shared by all servers of a process.

    It generates the code for a type at the first value of that type. It refuses a value of another
    type, which that of pygls makes fit: `{}` would become the URI `"{}"`.
    """
    made = default_converter()  # type: ignore[no-untyped-call]
    made.register_structure_hook(bool, _flag)
    made.register_structure_hook(types.FileEvent, _file_event)
    # These are for the enums of the protocol, too.
    made.register_structure_hook(str, _text)
    made.register_structure_hook(int, _whole)
    made.register_structure_hook_func(
        lambda kind: getattr(kind, "__origin__", None) is Sequence, partial(_each, made)
    )
    return made


def _flag(value: object, _: type[bool]) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _text(value: object, kind: type[str]) -> str:
    if not isinstance(value, str):
        raise TypeError
    return kind(value)


def _whole(value: object, kind: type[int]) -> int:
    # A client whose language has one type of numbers may write `3.0`.
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise TypeError
    return kind(int(value))


_KINDS_OF_CHANGES: Mapping[object, types.FileChangeType] = {
    one.value: one for one in types.FileChangeType
}


def _file_event(value: Any, _: type[types.FileEvent]) -> types.FileEvent:  # noqa: ANN401 - as above
    # A checkout of another branch sends thousands of these in one message.
    uri, kind = value["uri"], value["type"]
    if isinstance(kind, bool):
        raise TypeError
    return types.FileEvent(uri, _KINDS_OF_CHANGES[kind])


def _each(made: Any, value: object, kind: object) -> list[object]:  # noqa: ANN401 - as above
    # A client in Lua may write an empty list as `{}`.
    if not isinstance(value, list) and value != {}:
        raise TypeError
    # A checkout of another branch sends thousands of items.
    item_kind = get_args(kind)[0]
    structure = made.get_structure_hook(item_kind)
    return [structure(item, item_kind) for item in value]


class Protocol(LanguageServerProtocol):
    """The message handling of pygls, with the missing checks."""

    _server: "Server"
    is_introduced = False
    # In seconds: how long to work on an answer before messages that have come are handled.
    slice = 0.01

    def receive(self, body: bytes) -> None:
        """Handles the message in `body`; if it is malformed, answers with an error."""
        try:
            data = json.loads(body)
        # Only deeply nested brackets raise another exception than ValueError.
        except (ValueError, RecursionError) as error:
            return self._refuse(None, JsonRpcParseError(f"the message is not JSON: {error}"))
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

    # pygls has no common type for messages.
    def structure_message(self, data: Any) -> Any:  # noqa: ANN401 - as pygls declares it
        """The message in `data`, or None if it is an answer or notification to ignore.

        Raises `JsonRpcException` if the message is malformed or its method is unknown.
        """
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            message = 'a message is an object with `"jsonrpc": "2.0"`'
            raise JsonRpcInvalidRequest(message)
        if "method" not in data:
            return self._answer_in(data)
        method = data["method"]
        if not isinstance(method, str):
            message = "`method` is a string"
            raise JsonRpcInvalidRequest(message)
        is_request = "id" in data
        if is_request and (isinstance(data["id"], bool) or not isinstance(data["id"], int | str)):
            message = "`id` is a number or a string"
            raise JsonRpcInvalidRequest(message)
        kind = self.get_message_type(method)
        if not self._is_known(method) or kind is None:
            if is_request:
                raise JsonRpcMethodNotFound.of(method)
            return None
        if is_request != hasattr(kind, "id"):
            message = f"`{method}` is a {'notification' if is_request else 'request'}"
            raise JsonRpcInvalidRequest(message)
        wrong = _wrong_in(data.get("params"))
        if wrong is not None:
            raise JsonRpcInvalidParams(f"the parameters of `{method}` are malformed: {wrong}")
        return self._structured(data, kind, f"the parameters of `{method}` are malformed")

    def handle_message(self, message: RPCMessage) -> None:
        """Handles `message`, or refuses it before `initialize` and after `shutdown`."""
        method = getattr(message, "method", "")
        if isinstance(message, RPCRequest):
            if self._shutdown:
                return self._refuse(message.id, JsonRpcInvalidRequest("the server is shut down"))
            if self.is_introduced is (method == types.INITIALIZE):
                return self._refuse(message.id, self._too_early_or_late())
        elif not self.is_introduced and method != types.EXIT:
            return None
        elif ignored := self._ignored(message):
            logger.warning("%s is ignored", ignored)
            return None
        self.is_introduced = True
        if isinstance(message, types.InitializeRequest):
            _name_root(message.params)
        super().handle_message(message)
        return None

    def _send_handler_result(self, future: Future[Any], *, msg_id: MsgId) -> None:
        """Sends the result of a handler, after all steps of one that takes long."""
        is_there = not future.cancelled() and future.exception() is None
        answer = future.result() if is_there else None
        if not isinstance(answer, Stepwise):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        done: Future[object] = Future()
        try:
            if self._is_done(answer):
                done.set_result(answer.answer)
        except JsonRpcException as refusal:
            done.set_exception(refusal)
        if done.done():
            super()._send_handler_result(done, msg_id=msg_id)
        else:
            task = asyncio.get_running_loop().create_task(self._finished(answer))
            # The client can cancel what is listed here.
            self._request_futures[msg_id] = cast("Future[Any]", task)
            task.add_done_callback(partial(super()._send_handler_result, msg_id=msg_id))

    def _is_done(self, answer: Stepwise) -> bool:
        """Works on `answer` for a slice; whether that was the last one."""
        try:
            return answer.is_done(self.slice)
        except JsonRpcException:
            # A refusal is an answer.
            raise
        except Exception:  # noqa: BLE001 - reported, with its traceback
            self._server.report("a request failed")
            return True

    async def _finished(self, answer: Stepwise) -> object:
        try:
            for _ in iter(partial(self._is_done, answer), True):
                # Messages that have come meanwhile are handled first.
                await asyncio.sleep(_REST)
        finally:
            answer.close()
        return answer.answer

    def _serialize_message(self, data: Any) -> Any:  # noqa: ANN401 - as pygls declares it
        return data.json if isinstance(data, RawJson) else super()._serialize_message(data)

    def _ignored(self, message: RPCMessage) -> str:
        """What a notification is about that no client should send; or nothing."""
        if isinstance(message, types.DidChangeTextDocumentNotification):
            if not self._is_open(message.params):
                return "a change of a document that is not open"
            partial_change = types.TextDocumentContentChangePartial
            if any(isinstance(one, partial_change) for one in message.params.content_changes):
                return "a change of a part of a document"
        if isinstance(message, types.DidOpenTextDocumentNotification):
            # pygls parses the URI.
            is_sound = _is_uri(message.params.text_document.uri)
            return "" if is_sound else "a document whose URI does not parse"
        return ""

    def _is_open(self, params: types.DidChangeTextDocumentParams) -> bool:
        # pygls keeps its documents under this form of the URI.
        return unquote(params.text_document.uri) in self.workspace.text_documents

    def _is_known(self, method: str) -> bool:
        # pygls takes in notebooks, which no client sends to a server that does not ask for them.
        if method.startswith("notebookDocument/"):
            return False
        features = (self.fm.builtin_features, self.fm.features)
        return method == types.CANCEL_REQUEST or any(method in known for known in features)

    def _answer_in(self, data: dict[str, Any]) -> object:
        """The client's answer to one of our requests; a malformed answer counts as an error."""
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
            return self._structure(data, kind)
        except Exception as error:
            # The converter raises exceptions of many types.
            raise JsonRpcInvalidParams(otherwise) from error

    def _structure(self, data: dict[str, Any], kind: type[Any]) -> object:
        try:
            return self._converter.structure(data, kind)
        except Exception:
            if kind is not types.InitializeRequest:
                raise
            # A client that is wrong about one of its capabilities gets the features of the others.
            return _lenient().structure(data, kind)

    def _too_early_or_late(self) -> JsonRpcException:
        if self.is_introduced:
            return JsonRpcInvalidRequest("`initialize` comes only once")
        return JsonRpcServerNotInitialized("`initialize` comes first")

    def _refuse(self, message_id: MsgId | None, error: JsonRpcException) -> None:
        logger.warning("a message is refused: %s", error)
        # lsprotocol's own type leaves out an `id` that is null.
        said = {"jsonrpc": self.VERSION, "id": message_id, "error": error.to_response_error()}
        self._send_data(said)

    def _send_data(self, data: object) -> None:
        """Sends a message; if our answer cannot be encoded, sends an error instead.

        pygls would leave the request without an answer.
        """
        try:
            body = json.dumps(data, default=self._serialize_message)
        except Exception:  # noqa: BLE001 - reported; the client needs an answer
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
        """Calls the handler, then removes its future if it is done.

        pygls removes only those of requests, so each change of a text would leave one behind.
        """
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            del self._request_futures[msg_id]


@cache
def _lenient() -> Any:  # noqa: ANN401 - as above
    """A converter that makes values fit, and keeps those that a later protocol may have added."""
    made = default_converter()  # type: ignore[no-untyped-call]

    def known(value: Any, kind: type[Any]) -> object:  # noqa: ANN401 - as above
        try:
            return kind(value)
        except ValueError:
            if not issubclass(kind, Enum):
                raise
            return value

    # These are for the enums of the protocol, too.
    made.register_structure_hook(str, known)
    made.register_structure_hook(int, known)
    return made


def _name_root(params: types.InitializeParams) -> None:
    """Makes the root a URI that parses, or none; old clients name only its path."""
    if params.root_uri is None and params.root_path is not None:
        try:
            params.root_uri = Path(params.root_path).as_uri()
        # The path is relative, or has half of a character.
        except ValueError:
            params.root_uri = None
    if params.root_uri is not None and not _is_uri(params.root_uri):
        params.root_uri = None
    params.root_path = None


def _is_uri(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


def _wrong_in(params: object) -> str | None:
    """What is wrong in the parameters of a message and passes the converter; None if nothing is."""
    if not isinstance(params, dict):
        return None
    for key in ("id", "token"):
        named = params.get(key, "")
        if isinstance(named, bool) or not isinstance(named, int | str):
            return f"`{key}` is a number or a string"
    asked = params.get("range")
    start, end = (asked.get("start"), asked.get("end")) if isinstance(asked, dict) else (None, None)
    if isinstance(start, dict) and isinstance(end, dict) and _place(end) < _place(start):
        return "the range ends before it starts"
    return None


def _place(position: dict[str, Any]) -> tuple[int, int]:
    """The line and the column of a position; 0 for what is no number, which others refuse."""
    line, column = (position.get(key) for key in ("line", "character"))
    return line if isinstance(line, int) else 0, column if isinstance(column, int) else 0


# More than any editor sends in one message. A longer body is skipped instead of awaited.
LONGEST_BODY = 256 * 1024 * 1024
# Headers are short; longer lines are read in parts.
_LINE = 65_536
# After a body that was longer than announced, the header does not start a line.
_LENGTH = regex(rb"(?i)content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n\Z")

logger = logging.getLogger(__name__)


def read_body(stream: BinaryIO) -> bytes | None:
    """The body of the next frame in `stream`, or None if the stream has ended."""
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
    """Writes messages to a stream; after the client has left, drops them and logs that once."""

    def __init__(self, stream: BinaryIO) -> None:
        # Only without a buffer is it clear which bytes are written.
        self._stream = getattr(stream, "raw", stream)
        self.is_closed = False
        # Whether a part of a message is written, and what a signal handler leaves to do after it.
        self.is_writing = False
        self.afterwards: Callable[[], None] | None = None

    def write(self, data: bytes) -> None:
        """Writes all of `data`, however long the client takes to read it, unless it has left."""
        if self.is_closed:
            return
        self.is_writing = True
        try:
            rest = memoryview(data)
            while rest:
                # A part if a signal comes; None if the client made a pipe that does not block.
                count = self._stream.write(rest)
                if count is None:
                    sleep(_REST)
                else:
                    rest = rest[count:]
        # Writing to a closed stream raises ValueError.
        except (OSError, ValueError) as error:
            self.is_closed = True
            logger.warning("the client does not listen any more: %s", error)
        self.is_writing = False
        if self.afterwards is not None:
            self.afterwards()

    def close(self) -> None:
        """Drops all further messages."""
        self.is_closed = True
