"""The language server: which methods it answers, and how it is started.

Invariants: `initialize` is answered before the analysis is loaded, for an editor waits for
that answer; a handler that fails writes to the log and answers nothing.
"""

import gc
import logging
import os
import select
import socket
import sys
from collections.abc import Callable
from threading import Thread
from time import sleep

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from agent_lsp.server.server import (
    AGENTS,
    BEGIN_AGENT,
    CONVERT,
    COPY_AGENT,
    DESCRIBE_SPAWN,
    DRAW_GRAPH,
    LEGEND,
    LIST_AGENTS,
    OPEN_FILE,
    PREVIEW_SPAWN,
    STATUS,
    RequestRefusal,
    Server,
)

# In seconds: who is idle has left by then in the usual way.
_GRACE = 0.5
_GARBAGE = 50_000
_TRIGGERS = (" ", ":", "-", "[", ",", '"', "<")

_ACTIONS = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.SourceFixAll,
    types.CodeActionKind.Refactor,
)

# Each method with the name of its handler in `handlers`, and what the client is told about it.
_FEATURES: tuple[tuple[str, str, object], ...] = (
    (types.INITIALIZED, "initialized", None),
    (types.TEXT_DOCUMENT_DID_OPEN, "did_open", None),
    (types.TEXT_DOCUMENT_DID_CHANGE, "did_change", None),
    (types.TEXT_DOCUMENT_DID_SAVE, "did_save", None),
    (types.TEXT_DOCUMENT_DID_CLOSE, "did_close", None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "did_change_watched_files", None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "did_change_workspace_folders", None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, "did_change_configuration", None),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        "completion",
        types.CompletionOptions(trigger_characters=_TRIGGERS),
    ),
    (types.TEXT_DOCUMENT_HOVER, "hover", None),
    (types.TEXT_DOCUMENT_CODE_ACTION, "code_action", types.CodeActionOptions(_ACTIONS)),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbol", None),
    (types.WORKSPACE_SYMBOL, "workspace_symbol", None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, "folding_range", None),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range", None),
    (types.TEXT_DOCUMENT_DEFINITION, "definition", None),
    (types.TEXT_DOCUMENT_IMPLEMENTATION, "implementation", None),
    (types.TEXT_DOCUMENT_REFERENCES, "references", None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight", None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "prepare_rename", None),
    (types.TEXT_DOCUMENT_RENAME, "rename", None),
    (
        types.WORKSPACE_WILL_RENAME_FILES,
        "will_rename_files",
        types.FileOperationRegistrationOptions(
            [types.FileOperationFilter(types.FileOperationPattern("**/*"), "file")]
        ),
    ),
    (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "text_document_content", None),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "prepare_call_hierarchy", None),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, "outgoing_calls", None),
    (types.CALL_HIERARCHY_INCOMING_CALLS, "incoming_calls", None),
    (types.TEXT_DOCUMENT_CODE_LENS, "code_lens", types.CodeLensOptions()),
    (types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint", None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens_full", LEGEND),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, "document_link", types.DocumentLinkOptions()),
)
_COMMANDS = (
    (LIST_AGENTS, "list_agents"),
    (PREVIEW_SPAWN, "preview_spawn"),
    (STATUS, "status"),
    (AGENTS, "agents"),
    (BEGIN_AGENT, "begin_agent"),
    (COPY_AGENT, "copy_agent"),
    (CONVERT, "conversion"),
    (OPEN_FILE, "open_file"),
    (DESCRIBE_SPAWN, "describe_spawn"),
    (DRAW_GRAPH, "draw_graph"),
)


def serve_stdio() -> int:
    """Serves the client at stdin and stdout until stdin ends; the process' exit code."""
    _log_to_stderr()
    # Whatever prints must not get into the stream of messages.
    stdout, sys.stdout = sys.stdout, sys.stderr
    server = create()
    Thread(target=_leave_with_the_reader, args=(stdout.fileno(),), daemon=True).start()
    server.serve(sys.stdin.buffer, stdout.buffer)
    return server.exit_code


def _leave_with_the_reader(pipe: int) -> None:
    """Ends the process when nobody reads `pipe` any more, whatever it is at.

    The end of stdin is seen between two messages only, and there may be many, or one that takes
    long. Where the system cannot be asked for this (Windows), it has to do.
    """
    if sys.platform == "win32" or not hasattr(select, "poll"):
        return
    watched = select.poll()
    # Of what is not asked for, only the end of the other side is told, or that nobody can tell:
    # some systems say so of a terminal and of a file.
    watched.register(pipe, 0)
    if any(said & (select.POLLHUP | select.POLLERR) for _, said in watched.poll()):
        sleep(_GRACE)
        os._exit(1)


def serve_tcp(host: str, port: int) -> int:
    """Serves the first client at `host` and `port` until it leaves; the process' exit code."""
    _log_to_stderr()
    family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # pygls' own server for TCP leaves the connection open when the client leaves, and since
    # Python 3.12 asyncio waits for it without end.
    with socket.socket(family, kind) as listener:
        if sys.platform != "win32":
            # There it would let another process have the same address.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1)
        connection, _ = listener.accept()
    server = create()
    with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
        server.serve(reader, writer)
    return server.exit_code


def create() -> Server:
    """A server that knows all methods and commands above."""
    server = Server()
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.EXIT)(_exit)
    for method, name, options in _FEATURES:
        server.feature(method, options)(guarded(name))
    for command, name in _COMMANDS:
        server.command(command)(guarded(name))
    # What the imports made stays, and looking through it for garbage, again and again, would
    # hold up the first answers and now and then a keystroke.
    gc.freeze()
    # A large file makes a hundred thousand nodes at a keystroke, and all of them are in use.
    gc.set_threshold(_GARBAGE)
    return server


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    """Keeps what the client says about itself; pygls answers from the lists above."""
    ls.introduction = params


def _shutdown(ls: Server, *_: object) -> None:
    ls.is_shut_down = True


def _exit(ls: Server, *_: object) -> None:
    """The protocol calls it an error if a client leaves without saying so before."""
    ls.exit_code = 0 if ls.is_shut_down else 1


def guarded(name: str) -> Callable[..., object]:
    """The handler `name`, guarded against our own faults."""

    # pygls fills in the first parameter if it is called `ls`.
    def handler(ls: Server, *arguments: object) -> object:
        try:
            from agent_lsp.server import handlers  # noqa: PLC0415 - after `initialize`

            if not hasattr(ls, "session"):
                # Some clients ask at once, and are not made to wait for what they forgot to say.
                handlers.start(ls)
            return getattr(handlers, name)(ls, *arguments)
        except RequestRefusal:
            raise
        except Exception:  # noqa: BLE001 - reported, with its traceback
            ls.report(f"`{name}` failed")
            return None

    return handler


def _log_to_stderr() -> None:
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
    )
    # At a lower level pygls logs every message that it sends, and its dispatcher warns of
    # every request that was answered before the client gave it up.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    sending = logging.getLogger("pygls.protocol.json_rpc")
    sending.setLevel(logging.ERROR)
    # A refusal is an answer; to log it with its traceback is to call it a fault.
    refused = (RequestRefusal, JsonRpcInvalidParams)
    sending.addFilter(lambda record: not isinstance((record.exc_info or (None,) * 2)[1], refused))
