"""The protocol's machinery, where pygls leaves a request unanswered or a message unforgotten.

Invariants: every request is answered, also one that comes too early, too late or in a wrong
shape; nothing is kept of a message that is done with.
"""

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import MsgId, RPCMessage, RPCRequest

from agent_lsp.server.sendable import Sendable


class _Answered:
    """Stands for a message that needs nothing more."""


class Protocol(LanguageServerProtocol):
    """What pygls does with messages, and what it forgets to do."""

    is_introduced = False

    # What pygls makes of a message has no type of its own.
    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as pygls declares it
        """The message in `data`; a request whose parameters are none is refused at once."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            known, asked = data.get("id"), data.get("method")
            if not isinstance(known, int | str) or not isinstance(asked, str):
                raise
            self._refuse(known, JsonRpcInvalidParams(f"the parameters of `{asked}` are malformed"))
            return _Answered()

    def handle_message(self, message: RPCMessage | _Answered) -> None:
        """Lets only those messages in whose time it is."""
        if isinstance(message, _Answered):
            return None
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
        return data.json if isinstance(data, Sendable) else super()._serialize_message(data)

    def _too_early_or_late(self) -> JsonRpcException:
        if self.is_introduced:
            return JsonRpcInvalidRequest("`initialize` comes only once")
        return JsonRpcServerNotInitialized("`initialize` comes first")

    def _refuse(self, known: MsgId, error: JsonRpcException) -> None:
        self._send_response(known, error=error.to_response_error())

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
