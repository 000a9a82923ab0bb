"""The connection to one client: pygls' server with the session.

Invariant: an internal error is logged with its traceback, and never shown as a pop-up.
"""

import asyncio
import logging
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, PyglsError
from pygls.lsp.server import LanguageServer

from agent_lsp import __version__
from agent_lsp.server.stepwise import OutdatedRequest
from agent_lsp.server.transport import Protocol, Writer, converter, read_body

if TYPE_CHECKING:
    from agent_lsp.server.session import Session

# The names of semantic tokens, which `initialize` returns before the analysis is loaded.
LEGEND = types.SemanticTokensLegend(
    ["macro", "class", "function", "regexp"],
    # A denied tool looks like a deprecated one.
    ["declaration", "deprecated"],
)

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

# In seconds: how long the thread that reads messages waits at most while the main one computes. The
# usual time is that of a whole slice of background work.
_SWITCH = 0.0005

# The exit code after Ctrl-C, as in a shell.
_INTERRUPTED = 130
# In seconds: how long a message that is being written may take after Ctrl-C.
_TO_WRITE = 1
# In seconds: how often the server looks whether the process of its client exists.
_BETWEEN_LOOKS = 3

logger = logging.getLogger(__name__)


def _interrupted() -> None:
    """Ends the process.

    The thread that waits for the client cannot be interrupted, and a usual end waits for all
    threads. Nothing is left to be flushed: that is done for each message and log record.
    """
    os._exit(_INTERRUPTED)


def _exists(process: int) -> bool:
    """Whether there is a process with this id, of whatever user."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def logged(future: Future[Any]) -> object:
    """The client's answer; if it refused to answer, logs why and returns None."""
    problem = None if future.cancelled() else future.exception()
    if problem is not None:
        logger.warning("the client refused a request: %s", problem)
    return None if problem is not None or future.cancelled() else future.result()


def pulls(params: types.InitializeParams) -> bool:
    """Whether the client requests the diagnostics of its open files, which it then is not sent.

    It must also take the request to ask again, because findings change with the cursor and with
    other files. The VS Code extension leaves out what VS Code shows itself, and can do so only with
    diagnostics that it is sent.
    """
    capabilities, options = params.capabilities, params.initialization_options
    asks = get_capability(capabilities, "text_document.diagnostic") is not None
    repeats = get_capability(capabilities, "workspace.diagnostics.refresh_support")
    is_beside_vscode = isinstance(options, Mapping) and options.get("besideVSCode") is True
    return asks and bool(repeats) and not is_beside_vscode


class RequestRefusal(JsonRpcException):
    """Refuses a request, with a reason that the editor shows to the user."""

    # `RequestFailed` in the protocol.
    CODE = -32803


class Server(LanguageServer):
    """A language server with its session."""

    protocol: Protocol
    introduction: types.InitializeParams
    # The session is created after `initialize`, because it loads the analysis.
    session: "Session"
    is_shut_down = False
    exit_code = 0
    # Whether a message has been read and not handled yet. Background work pauses meanwhile.
    has_message = False

    def __init__(self) -> None:
        # Texts are a few kilobytes, and whole texts cannot get out of step. pygls applies partial
        # changes to other lines, since it splits lines at characters where the protocol does not.
        super().__init__(
            "agent-template-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            converter_factory=converter,
        )
        self.worker: asyncio.Task[None] | None = None
        self._reporting = False

    def serve(self, reader: BinaryIO, stream: BinaryIO) -> None:
        """Serves the client at `reader` and `stream` until it disconnects.

        It replaces pygls' own loop. That one stops at an invalid length, waits forever after a
        header in lower case, and logs each message to a client that has left.
        """
        writer = Writer(stream)
        self.protocol.set_writer(writer)
        sys.setswitchinterval(_SWITCH)
        try:
            asyncio.run(self._serve(reader, writer))
        except KeyboardInterrupt:
            _interrupted()
        except SystemExit:
            pass
        finally:
            self.shutdown()  # type: ignore[no-untyped-call] # pygls has no type for it

    async def _serve(self, reader: BinaryIO, writer: Writer) -> None:
        loop = asyncio.get_running_loop()
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._end_at_ctrl_c(loop, writer)

        def read() -> bytes | None:
            body = read_body(reader)
            self.has_message = True
            return body

        while not writer.is_closed:
            body = await loop.run_in_executor(self.thread_pool, read)
            self.has_message = False
            if body is None:
                return
            try:
                self.protocol.receive(body)
            except Exception:  # noqa: BLE001 - reported; later messages are handled
                self.report("a message failed")

    def _end_at_ctrl_c(self, loop: asyncio.AbstractEventLoop, writer: Writer) -> None:
        """Ends the process at Ctrl-C, whether the server waits or works.

        By itself, a waiting loop does not notice a signal that another thread gets, or that comes
        just before it waits; Windows has no handlers for that. A handler of Python itself
        interrupts work. It comes second, because the loop sets one that does nothing.
        """
        with suppress(NotImplementedError):
            loop.add_signal_handler(signal.SIGINT, _interrupted)

        def handler(*_: object) -> None:
            if not writer.is_writing:
                _interrupted()
            # The message is finished, unless the client does not read it.
            writer.afterwards = _interrupted
            ending = Timer(_TO_WRITE, _interrupted)
            ending.daemon = True
            ending.start()

        signal.signal(signal.SIGINT, handler)

    def ends_with(self, process: int) -> None:
        """Ends the server when `process`, that of the client, no longer exists, as LSP demands.

        Usually the input ends first, but another process may have inherited the client's end of it.
        A process that does not exist at the start is one of another machine or container. On
        Windows, to ask for a process would end it.
        """
        if os.name != "nt" and _exists(process):
            self._watch(asyncio.get_running_loop(), process)

    def _watch(self, loop: asyncio.AbstractEventLoop, process: int) -> None:
        if not _exists(process):
            logging.shutdown()
            os._exit(0 if self.is_shut_down else 1)
        loop.call_later(_BETWEEN_LOOKS, self._watch, loop, process)

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Logs an exception that pygls caught, unless the request itself was at fault."""
        if not isinstance(error, JsonRpcInvalidParams | RequestRefusal | OutdatedRequest):
            self.report(f"{source.__name__}: {error}")

    def report(self, message: str) -> None:
        """Logs `message` with the current exception's traceback, also in the client's log."""
        text = f"{message}\n{traceback.format_exc()}"
        logger.error(text)
        # Sending the log message may fail and come here again.
        if not self._reporting:
            self._reporting = True
            try:
                self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))
            finally:
                self._reporting = False
