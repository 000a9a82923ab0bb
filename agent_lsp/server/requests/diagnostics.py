"""Answers requests for diagnostics, of one document and of the workspace.

Invariants: the diagnostics are those that a client without these requests is sent. An answer that
the client already has, as its id tells, is not sent again.
"""

from collections.abc import Generator
from itertools import count
from pathlib import Path

from lsprotocol import types

from agent_lsp.server.server import Server
from agent_lsp.server.session import Placed, Session, is_pulled, path_at
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.publish import checked, current, publish, pull_workspace

_IDS = count(1)
_Reports = types.WorkspaceFullDocumentDiagnosticReport | (
    types.WorkspaceUnchangedDocumentDiagnosticReport
)


def document_diagnostic(
    ls: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport | Stepwise:
    """The diagnostics of the document, or that they are those of the answer that it names."""
    session = ls.session
    path = path_at(session, params.text_document.uri)
    if path is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    file = session.files.read(path)

    def is_current() -> bool:
        now = session.files.read(path)
        return now is file or (now is not None and file is not None and now.text == file.text)

    return Stepwise(_report(session, path, params), is_current)


def _report(
    session: Session, path: Path, params: types.DocumentDiagnosticParams
) -> Generator[None, None, types.DocumentDiagnosticReport]:
    placed = yield from checked(session, Placed(session.workspace, path))
    now = current(session, path, placed)
    if now is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    if is_pulled(session, path):
        session.sent[path] = now
    own = _id(session, path, now.diagnostics)
    if own == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(own)
    return types.RelatedFullDocumentDiagnosticReport(now.diagnostics, result_id=own)


def workspace_diagnostic(ls: Server, params: types.WorkspaceDiagnosticParams) -> Stepwise:
    """The diagnostics of all files that were checked so far; the client asks again after a change.

    A file that has none any more is named once.
    """
    pull_workspace(ls)
    return Stepwise(_workspace_report(ls, params), lambda: True)


def _workspace_report(
    ls: Server, params: types.WorkspaceDiagnosticParams
) -> Generator[None, None, types.WorkspaceDiagnosticReport]:
    session = ls.session
    for outdated in tuple(session.outdated):
        # What follows from its change is checked in the background.
        publish(ls, outdated)
        yield
    before = {path_at(session, one.uri): one for one in params.previous_result_ids}
    reports: list[_Reports] = []
    for path, sent in session.sent.items():
        previous = before.pop(path, None)
        own = _id(session, path, sent.diagnostics)
        if previous is not None and previous.value == own:
            same = types.WorkspaceUnchangedDocumentDiagnosticReport(sent.uri, own, sent.version)
            reports.append(same)
        elif sent.diagnostics or previous is not None:
            full = types.WorkspaceFullDocumentDiagnosticReport(
                sent.uri, sent.diagnostics, sent.version, result_id=own
            )
            reports.append(full)
    for unreported, gone in before.items():
        if unreported is not None:
            session.answered.pop(unreported, None)
        reports.append(types.WorkspaceFullDocumentDiagnosticReport(gone.uri, []))
    return types.WorkspaceDiagnosticReport(reports)


def _id(session: Session, path: Path, items: tuple[types.Diagnostic, ...]) -> str:
    """The id of an answer, which is another one when the diagnostics are."""
    answered = session.answered.get(path)
    if answered is None or answered[1] != items:
        answered = session.answered[path] = (str(next(_IDS)), items)
    return answered[0]
