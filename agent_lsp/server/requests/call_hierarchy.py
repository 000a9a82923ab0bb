"""Answers call hierarchy requests: which agent may start which."""

from collections.abc import Iterable

from lsprotocol import types

from agent_lsp.analysis.navigation import call_hierarchy, definition
from agent_lsp.analysis.navigation.references import Target
from agent_lsp.server import convert
from agent_lsp.server.requests.position import file_position
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.text import Span
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.snapshot import template_file


def prepare_call_hierarchy(
    ls: Server, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem]:
    """The agent at the cursor, otherwise that of the file."""
    at = file_position(ls, params.text_document.uri)
    file = call_hierarchy.agent_at(at.file, at.offset(params.position)) if at is not None else None
    return [_item(ls, file)] if file is not None else []


def outgoing_calls(
    ls: Server, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """The agents that this agent may start."""
    file = _target(ls, params.item)
    found = call_hierarchy.outgoing(ls.session.workspace, file) if file is not None else ()
    return [
        types.CallHierarchyOutgoingCall(_item(ls, one.called), _ranges(ls, one.caller, one.spans))
        for one in found
    ]


def incoming_calls(
    ls: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """The agents that may start this agent."""
    file = _target(ls, params.item)
    found = call_hierarchy.incoming(ls.session.workspace, file) if file is not None else ()
    return [
        types.CallHierarchyIncomingCall(_item(ls, one.caller), _ranges(ls, one.caller, one.spans))
        for one in found
    ]


def _target(ls: Server, item: types.CallHierarchyItem) -> Target | None:
    """The agent of an item that the client returns, or None if it no longer exists."""
    path = path_at(ls.session, item.uri)
    file = template_file(ls.session.workspace, path) if path is not None else None
    names = (
        [one.name for one in file.names if convert.printable(one.name) == item.name] if file else []
    )
    return Target(file.dialect, file.path, names[0]) if file is not None and names else None


def _item(ls: Server, target: Target) -> types.CallHierarchyItem:
    owner = folder_placement(ls.session.workspace, target.path.parent)
    home = definition.home(ls.session.workspace, target)
    [start] = _ranges(ls, target, (home.span,))
    return types.CallHierarchyItem(
        name=convert.printable(target.agent),
        kind=types.SymbolKind.Class,
        uri=ls.session.uris.get(target.path) or target.path.as_uri(),
        range=start,
        selection_range=start,
        detail=convert.printable(owner.scope.label if owner is not None else "claimed folder"),
    )


def _ranges(ls: Server, target: Target, spans: Iterable[Span]) -> list[types.Range]:
    index = ls.session.files.lines(target.path)
    return [convert.to_range(index, span, ls.session.client.encoding) for span in spans]
