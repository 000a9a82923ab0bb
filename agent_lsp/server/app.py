"""The language server: the methods that it answers, and how it starts.

Invariants: `initialize` is answered before the analysis is loaded, because an editor waits for that
answer. A handler that fails logs the exception and answers nothing.
"""

import gc
import logging
import os
import select
import socket
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from threading import Thread
from time import sleep
from types import ModuleType

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
    pulls,
)
from agent_lsp.server.stepwise import OutdatedRequest

# In seconds: enough for an idle server to end in the usual way, at the end of stdin.
_GRACE = 0.5
_GARBAGE = 50_000
_TRIGGERS = (" ", ":", "-", "[", ",", '"', "<", "(", "@", "/", ".")

_ACTIONS = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.SourceFixAll,
    types.CodeActionKind.Refactor,
)

# Each method with its handler below `agent_lsp.server`, and the options that `initialize` returns.
_FEATURES: tuple[tuple[str, str, object], ...] = (
    (types.INITIALIZED, "handlers.initialized", None),
    (types.TEXT_DOCUMENT_DID_OPEN, "handlers.did_open", None),
    (types.TEXT_DOCUMENT_DID_CHANGE, "handlers.did_change", None),
    (types.TEXT_DOCUMENT_WILL_SAVE, "handlers.will_save", None),
    (types.TEXT_DOCUMENT_DID_SAVE, "handlers.did_save", None),
    (types.TEXT_DOCUMENT_DID_CLOSE, "handlers.did_close", None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "handlers.did_change_watched_files", None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "handlers.did_change_workspace_folders", None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, "handlers.did_change_configuration", None),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        "requests.at_cursor.completion",
        types.CompletionOptions(trigger_characters=_TRIGGERS),
    ),
    (types.TEXT_DOCUMENT_HOVER, "requests.at_cursor.hover", None),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        "requests.code_actions.code_action",
        types.CodeActionOptions(_ACTIONS),
    ),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "requests.structure.document_symbol", None),
    (types.WORKSPACE_SYMBOL, "requests.structure.workspace_symbol", None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, "requests.structure.folding_range", None),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, "requests.structure.selection_range", None),
    (types.TEXT_DOCUMENT_DEFINITION, "requests.names.definition", None),
    (types.TEXT_DOCUMENT_IMPLEMENTATION, "requests.names.implementation", None),
    (types.TEXT_DOCUMENT_REFERENCES, "requests.names.references", None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "requests.names.document_highlight", None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "requests.names.prepare_rename", None),
    (types.TEXT_DOCUMENT_RENAME, "requests.names.rename", None),
    (
        types.WORKSPACE_WILL_RENAME_FILES,
        "requests.names.will_rename_files",
        types.FileOperationRegistrationOptions(
            [types.FileOperationFilter(types.FileOperationPattern("**/*"), "file")]
        ),
    ),
    (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "sync.previews.text_document_content", None),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "requests.names.prepare_call_hierarchy", None),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, "requests.names.outgoing_calls", None),
    (types.CALL_HIERARCHY_INCOMING_CALLS, "requests.names.incoming_calls", None),
    (types.TEXT_DOCUMENT_CODE_LENS, "requests.structure.code_lens", types.CodeLensOptions()),
    (types.TEXT_DOCUMENT_INLAY_HINT, "requests.structure.inlay_hint", None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "requests.structure.semantic_tokens_full", LEGEND),
    (
        types.TEXT_DOCUMENT_DOCUMENT_LINK,
        "requests.names.document_link",
        types.DocumentLinkOptions(),
    ),
)
_OF_PULLING_CLIENTS = (
    (types.TEXT_DOCUMENT_DIAGNOSTIC, "requests.diagnostics.document_diagnostic"),
    (types.WORKSPACE_DIAGNOSTIC, "requests.diagnostics.workspace_diagnostic"),
)
_COMMANDS = (
    (LIST_AGENTS, "commands.list_agents"),
    (PREVIEW_SPAWN, "commands.preview_spawn"),
    (STATUS, "commands.status"),
    (AGENTS, "commands.views.agents"),
    (BEGIN_AGENT, "commands.views.begin_agent"),
    (COPY_AGENT, "commands.views.copy_agent"),
    (CONVERT, "commands.conversion"),
    (OPEN_FILE, "requests.structure.open_file"),
    (DESCRIBE_SPAWN, "commands.describe_spawn"),
    (DRAW_GRAPH, "commands.draw_graph"),
)


def serve_stdio() -> int:
    """Serves the client on stdin and stdout until stdin ends, and returns the exit code."""
    _log_to_stderr()
    # A stray `print` must not end up between the messages.
    stdout, sys.stdout = sys.stdout, sys.stderr
    server = create()
    Thread(target=_leave_with_the_reader, args=(stdout.fileno(),), daemon=True).start()
    server.serve(sys.stdin.buffer, stdout.buffer)
    return server.exit_code


def _leave_with_the_reader(pipe: int) -> None:
    """Ends the process when the client closes its end of `pipe`, whatever runs meanwhile.

    The main loop notices the end of stdin only between two messages, which is late if there are
    many, or if one takes long. Windows cannot watch a pipe; there the main loop alone ends it.
    """
    if sys.platform == "win32" or not hasattr(select, "poll"):
        return
    watched = select.poll()
    # With no events requested, `poll` reports only that the other end is closed, or that the
    # descriptor cannot be watched, as some systems do for terminals and files.
    watched.register(pipe, 0)
    if any(said & (select.POLLHUP | select.POLLERR) for _, said in watched.poll()):
        sleep(_GRACE)
        os._exit(1)


def serve_tcp(host: str, port: int) -> int:
    """Serves the first client on `host` and `port` until it disconnects; returns the exit code.

    Raises `OSError` if the server cannot listen there.
    """
    _log_to_stderr()
    family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # pygls' own TCP server keeps the connection open when the client leaves, and since Python 3.12
    # asyncio waits for it forever.
    with socket.socket(family, kind) as listener:
        if sys.platform != "win32":
            # On Windows the option would let another process use the same address.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1)
        connection, _ = listener.accept()
    server = create()
    with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
        server.serve(reader, writer)
    return server.exit_code


def create() -> Server:
    """A server with all methods and commands."""
    server = Server()
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.EXIT)(_exit)
    for method, name, options in _FEATURES:
        server.feature(method, options)(guarded(name))
    for command, name in _COMMANDS:
        server.command(command)(guarded(name))
    # The objects of imported modules stay alive. Without this, each garbage collection would visit
    # them, and delay the first answers and some keystrokes.
    gc.freeze()
    # A large file creates a hundred thousand nodes at a keystroke, and all of them are in use.
    gc.set_threshold(_GARBAGE)
    return server


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    """Keeps the client's parameters; pygls answers from the lists above."""
    ls.introduction = params
    if params.process_id is not None:
        ls.ends_with(params.process_id)
    if pulls(params):
        options = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier="agent-templates"
        )
        for method, name in _OF_PULLING_CLIENTS:
            ls.feature(method, options)(guarded(name))


def _shutdown(ls: Server, *_: object) -> None:
    ls.is_shut_down = True


def _exit(ls: Server, *_: object) -> None:
    """Ends with exit code 1 if no `shutdown` came before, as the protocol demands."""
    ls.exit_code = 0 if ls.is_shut_down else 1


def guarded(path: str) -> Callable[..., object]:
    """The handler at `path` below `agent_lsp.server`, loaded when the client first needs it.

    An exception in it is logged, and the request gets no result.
    """
    module, _, name = path.rpartition(".")

    # pygls fills in the first parameter if it is called `ls`.
    def handler(ls: Server, *arguments: object) -> object:
        try:
            if not hasattr(ls, "session"):
                # Some clients send requests without `initialized`; they are answered, too.
                _start(ls)
            if module != "handlers":
                _loaded("sync.changes").settle(ls)
            return getattr(_loaded(module), name)(ls, *arguments)
        except RequestRefusal:
            raise
        except Exception:  # noqa: BLE001 - reported, with its traceback
            ls.report(f"`{name}` failed")
            return None

    return handler


def _start(ls: Server) -> None:
    """Starts the session; what only requests need is loaded once the workspace is checked."""
    from agent_lsp.server import handlers  # noqa: PLC0415 - after `initialize`
    from agent_lsp.server.sync.jobs import later  # noqa: PLC0415 - after `initialize`

    handlers.start(ls)
    later(ls, _load_all())


def _load_all() -> Iterator[None]:
    """Loads all handlers, so that the first request of a kind does not take longer."""
    for path in (*(path for _, path, _ in _FEATURES), *(path for _, path in _COMMANDS)):
        _loaded(path.rpartition(".")[0])
        yield


def _loaded(module: str) -> ModuleType:
    return import_module(f"agent_lsp.server.{module}")


def _log_to_stderr() -> None:
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
    )
    # At a lower level pygls logs every message that it sends. Its dispatcher warns about every
    # request that was answered before the client cancelled it.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    sending = logging.getLogger("pygls.protocol.json_rpc")
    sending.setLevel(logging.ERROR)
    # A refusal is a valid answer, so it is not logged with a traceback like an error.
    refused = (RequestRefusal, OutdatedRequest, JsonRpcInvalidParams)
    sending.addFilter(lambda record: not isinstance((record.exc_info or (None,) * 2)[1], refused))
