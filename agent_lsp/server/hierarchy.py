"""Requests about who may start whom."""

from collections.abc import Iterable

from lsprotocol import types

from agent_lsp.analysis.navigation import definition, hierarchy
from agent_lsp.analysis.navigation.references import Target
from agent_lsp.server import convert
from agent_lsp.server.place import opened
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.index import scope_at, subject


def prepare_call_hierarchy(
    ls: Server, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem]:
    """The agent at the cursor, or that of the file."""
    at = opened(ls, params.text_document.uri)
    of = hierarchy.agent_at(at.of, at.offset(params.position)) if at is not None else None
    return [_item(ls, of)] if of is not None else []


def outgoing_calls(
    ls: Server, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """The agents that this one may start."""
    of = _target(ls, params.item)
    found = hierarchy.outgoing(ls.session.workspace, of) if of is not None else ()
    return [
        types.CallHierarchyOutgoingCall(_item(ls, one.called), _ranges(ls, one.caller, one.spans))
        for one in found
    ]


def incoming_calls(
    ls: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """The agents that may start this one."""
    of = _target(ls, params.item)
    found = hierarchy.incoming(ls.session.workspace, of) if of is not None else ()
    return [
        types.CallHierarchyIncomingCall(_item(ls, one.caller), _ranges(ls, one.caller, one.spans))
        for one in found
    ]


def _target(ls: Server, item: types.CallHierarchyItem) -> Target | None:
    """The agent of an item that the client hands back, as far as it is still there."""
    path = path_at(ls.session, item.uri)
    of = subject(ls.session.workspace, path) if path is not None else None
    names = [one.name for one in of.names if convert.printable(one.name) == item.name] if of else []
    return Target(of.dialect, of.path, names[0]) if of is not None and names else None


def _item(ls: Server, of: Target) -> types.CallHierarchyItem:
    scope = scope_at(ls.session.workspace, of.path.parent)
    home = definition.home(ls.session.workspace, of)
    [start] = _ranges(ls, of, (home.span,))
    return types.CallHierarchyItem(
        name=convert.printable(of.agent),
        kind=types.SymbolKind.Class,
        uri=ls.session.uris.get(of.path) or of.path.as_uri(),
        range=start,
        selection_range=start,
        detail=convert.printable(scope.label if scope is not None else "claimed folder"),
    )


def _ranges(ls: Server, of: Target, spans: Iterable[Span]) -> list[types.Range]:
    file = ls.session.files.read(of.path)
    index = LineIndex(file.text if file is not None else "")
    return [convert.to_range(index, span, ls.session.client.encoding) for span in spans]
