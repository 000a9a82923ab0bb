"""Tells the client what is found in a file.

Invariants: a message is sent only if it differs from the last one of that file; the name of
a file is the one that the client uses for it.
"""

from functools import cache
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.server import convert
from agent_lsp.server.server import Server
from agent_lsp.server.session import Sent, Session, is_reported, uri_of


def publish(ls: Server, path: Path) -> None:
    """Sends the diagnostics of `path`, unless the client has just these."""
    session = ls.session
    before = session.sent.get(path)
    now = _current(session, path)
    if before is not None and (now is None or now.uri != before.uri):
        if before.diagnostics:
            _send(ls, Sent(before.uri, None, ()))
        before = None
    if now is None:
        session.sent.pop(path, None)
    elif now != before:
        session.sent[path] = now
        _send(ls, now)


def _current(session: Session, path: Path) -> Sent | None:
    """The diagnostics that the client should have for `path`; None for none at all."""
    if not is_reported(session, path):
        return None
    file = session.files.read(path)
    found = diagnostics(session.workspace, path)
    version = file.version if file else None
    if not found and version is None:
        return None
    index, index_of = session.files.lines(path), cache(session.files.lines)
    items = tuple(convert.to_diagnostic(one, index, session.client, index_of) for one in found)
    return Sent(uri_of(session, path), version, items)


def _send(ls: Server, sent: Sent) -> None:
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(sent.uri, sent.diagnostics, sent.version)
    )
