"""Provides previews as documents of the server, for clients that can open those.

Invariants: the URI of a preview contains the whole call, so its text is what the command answers.
Only an open preview whose text has changed is refreshed.
"""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from agent_lsp.server.convert import printable
from agent_lsp.server.server import (
    CONVERT,
    LIST_AGENTS,
    PREVIEW_SPAWN,
    RequestRefusal,
    Server,
    logged,
)
from agent_lsp.server.session import path_at
from agent_lsp.server.sync.jobs import later

SCHEME = "agent-template-preview"
# Not every client reports which previews it has closed.
_MOST = 20


def register(ls: Server) -> None:
    """Registers the documents, if the client can open them."""
    if not ls.session.client.reads_documents:
        return
    options = types.TextDocumentContentRegistrationOptions([SCHEME])
    method = types.WORKSPACE_TEXT_DOCUMENT_CONTENT
    registration = types.Registration("agent-templates-previews", method, options)
    future = ls.client_register_capability(types.RegistrationParams([registration]))
    future.add_done_callback(logged)


def address(command: str, name: str, argument: Mapping[str, object]) -> str:
    """The URI of the answer of `command` to `argument`; `name` is for people to read."""
    call = json.dumps({"command": command, "argument": argument}, ensure_ascii=False)
    return f"{SCHEME}:/{quote(name)}?{quote(printable(call), safe='')}"


def text_document_content(
    ls: Server, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """The text of the preview at a URI; refuses any other URI."""
    text = _text(ls, params.uri)
    if text is None:
        message = f"`{params.uri}` is not the address of a preview"
        raise RequestRefusal(message)
    previews = ls.session.previews
    previews.pop(params.uri, None)
    previews[params.uri] = text
    while len(previews) > _MOST:
        del previews[next(iter(previews))]
    return types.TextDocumentContentResult(text)


def refresh(ls: Server) -> None:
    """Asks the client to read those open previews again whose text has changed."""
    if ls.session.previews and not ls.session.is_refreshing:
        ls.session.is_refreshing = True
        later(ls, _refresh(ls))


def _refresh(ls: Server) -> Iterator[None]:
    ls.session.is_refreshing = False
    for uri, before in tuple(ls.session.previews.items()):
        now = _text(ls, uri)
        if now is not None and now != before and uri in ls.session.previews:
            ls.session.previews[uri] = now
            params = types.TextDocumentContentRefreshParams(uri)
            ls.workspace_text_document_content_refresh(params).add_done_callback(logged)
        yield


def _text(ls: Server, uri: str) -> str | None:
    """The current text of the preview at `uri`, or None if there is none."""
    from agent_lsp.analysis.conversion import command as converting  # noqa: PLC0415 - slow to import
    from agent_lsp.analysis.preview import commands  # noqa: PLC0415 - as in `commands`

    known = {
        LIST_AGENTS: commands.list_agents,
        PREVIEW_SPAWN: commands.preview_spawn,
        CONVERT: converting.conversion,
    }
    try:
        parts = urlsplit(uri)
        call = json.loads(unquote(parts.query)) if parts.scheme == SCHEME else None
    except (ValueError, RecursionError):
        return None
    command = call.get("command") if isinstance(call, dict) else None
    argument = call.get("argument") if isinstance(call, dict) else None
    if not isinstance(command, str) or command not in known or not isinstance(argument, dict):
        return None
    rest = {name: value for name, value in argument.items() if name not in ("uri", "show")}
    start = path_at(ls.session, argument.get("uri"))
    answer = known[command](ls.session.workspace, {**rest, "format": "markdown"}, start)
    markdown = answer.get("markdown")
    return printable(markdown) if isinstance(markdown, str) else None
