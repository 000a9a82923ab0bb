"""The connection to one client: the protocol's machinery plus what the server knows.

Invariant: our own faults go to the log, with a traceback, and never into a pop-up.
"""

import asyncio
import logging
import traceback
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound, PyglsError
from pygls.lsp.server import LanguageServer

from agent_lsp import __version__
from agent_lsp.server.protocol import Protocol

if TYPE_CHECKING:
    from agent_lsp.server.session import Session

LIST_AGENTS = "agentTemplates.listAgents"
PREVIEW_SPAWN = "agentTemplates.previewSpawn"
STATUS = "agentTemplates.status"
CONVERT = "agentTemplates.convert"
AGENTS = "agentTemplates.agents"
BEGIN_AGENT = "agentTemplates.beginAgent"
COPY_AGENT = "agentTemplates.copyAgent"
OPEN_FILE = "agentTemplates.openFile"
DESCRIBE_SPAWN = "agentTemplates.describeSpawn"
DRAW_GRAPH = "agentTemplates.drawGraph"

logger = logging.getLogger(__name__)


def logged(future: Future[Any]) -> object:
    """The client's answer, or None after a line in the log where it refused to give one."""
    problem = None if future.cancelled() else future.exception()
    if problem is not None:
        logger.warning("the client refused a request: %s", problem)
    return None if problem is not None or future.cancelled() else future.result()


class Refusal(JsonRpcException):
    """What was asked for cannot be done, for a reason that the user should read."""

    # `RequestFailed` of the protocol.
    CODE = -32803


class Server(LanguageServer):
    """A language server with its session."""

    introduction: types.InitializeParams
    # The analysis behind it is loaded after `initialize`, and the session made then.
    session: "Session"
    is_shut_down = False
    exit_code = 0

    def __init__(self) -> None:
        # The texts are kilobytes, and whole ones cannot drift: pygls splits lines at
        # characters where the protocol does not.
        super().__init__(
            "agent-template-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
        )
        self.worker: asyncio.Task[None] | None = None
        self._reporting = False

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Logs what pygls caught, except that a client asks for what we do not have or refuse."""
        if not isinstance(error, JsonRpcMethodNotFound | Refusal):
            self.report(f"{source.__name__}: {error}")

    def report(self, message: str) -> None:
        """Logs `message` with the traceback of the exception at hand, here and at the client."""
        text = f"{message}\n{traceback.format_exc()}"
        logger.error(text)
        # What fails here may be the sending itself.
        if not self._reporting:
            self._reporting = True
            try:
                self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))
            finally:
                self._reporting = False
