"""Answers requests about a name: definition, references, links, who starts whom, and renames."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.context.prompts import left
from agent_lsp.analysis.navigation import call_hierarchy, skills
from agent_lsp.analysis.navigation import definition as lookup
from agent_lsp.analysis.navigation import rename as renaming
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.analysis.navigation.references import Reference, ReferenceRole, Target
from agent_lsp.analysis.render import shown
from agent_lsp.server import convert
from agent_lsp.server.requests import file_position
from agent_lsp.server.server import RequestRefusal, Server
from agent_lsp.server.session import path_at
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.changes import cursor_is_at, refresh_if_due
from agent_lsp.server.sync.scan import once_searched
from agent_lsp.text import LineIndex, Span, TextEdit
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.snapshot import TemplateFile, template_file


def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
    """The definition of the agent, persona, skill, file or MCP server at the cursor."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    offset = at.offset(params.position)
    found = lookup.definition(at.file, offset)
    link = lookup.skill_at(at.file, offset) or lookup.file_at(at.file, offset)
    if link is not None and not found:
        start = types.Position(0, 0)
        return [types.Location(_uri(ls, link.target), types.Range(start, start))]
    configured = lookup.configured_at(at.file, offset) if not found else None
    if configured is not None:
        path, span = configured
        there = convert.to_range(ls.session.files.lines(path), span, ls.session.client.encoding)
        return [types.Location(_uri(ls, path), there)]
    return list(locations(ls, found))


def _uri(ls: Server, path: Path) -> str:
    """The client's own URI of a file, or else the usual one."""
    return ls.session.uris.get(path) or path.as_uri()


def implementation(ls: Server, params: types.ImplementationParams) -> list[types.Location]:
    """All files that define the agent at the cursor, including shadowed ones."""
    at = file_position(ls, params.text_document.uri)
    found = lookup.implementation(at.file, at.offset(params.position)) if at is not None else ()
    return list(locations(ls, found))


def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | Stepwise:
    """All references to the agent, persona or skill at the cursor."""
    return once_searched(ls, params.text_document.uri, lambda: _references(ls, params))


def _references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    offset, declaration = at.offset(params.position), params.context.include_declaration
    found = lookup.references_at(at.file, offset, declaration=declaration)
    if found:
        return list(locations(ls, found))
    home = skills.home_at(at.file, offset) if declaration else None
    own = ((home, Span(0, 0)),) if home is not None else ()
    return list(_locations(ls, (*own, *skills.uses_at(at.file, offset))))


def document_highlight(
    ls: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """The references in this file to what is at the cursor."""
    cursor_is_at(ls, params.text_document, params.position)
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    kinds = {ReferenceRole.DECLARATION: types.DocumentHighlightKind.Write}
    return [
        types.DocumentHighlight(
            convert.to_range(at.index, place.span, at.encoding),
            kinds.get(place.role, types.DocumentHighlightKind.Read),
        )
        for place in lookup.highlights(at.file, at.offset(params.position))
    ]


def document_link(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """The links to the files that a prompt names."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return []
    return [
        types.DocumentLink(
            convert.to_range(at.index, link.span, at.encoding),
            link.target.as_uri(),
            _tooltip(at.file, link.target),
        )
        for link in document_links(at.file)
    ]


def _tooltip(file: TemplateFile, target: Path) -> str | None:
    """The note that a link points outside the repository, with the real path, or None."""
    outside = left(file, target)
    if not outside:
        return None
    return convert.printable(f"Points outside {outside}, to {file.workspace.files.real(target)}")


def locations(ls: Server, references: Iterable[Reference]) -> Iterator[types.Location]:
    """The places with the client's own URIs and in its own columns."""
    yield from _locations(ls, ((place.path, place.span) for place in references))


def _locations(ls: Server, places: Iterable[tuple[Path, Span]]) -> Iterator[types.Location]:
    indexes: dict[str, LineIndex] = {}
    for path, span in places:
        uri = _uri(ls, path)
        if uri not in indexes:
            indexes[uri] = ls.session.files.lines(path)
        yield types.Location(uri, convert.to_range(indexes[uri], span, ls.session.client.encoding))


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
) -> list[types.CallHierarchyIncomingCall] | Stepwise:
    """The agents that may start this agent."""
    return once_searched(ls, None, lambda: _incoming_calls(ls, params))


def _incoming_calls(
    ls: Server, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
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
    every = [one.name for one in file.names] if file is not None else []
    names = [name for name in every if convert.symbol_name(name) == item.name]
    return Target(file.dialect, file.path, names[0]) if file is not None and names else None


def _item(ls: Server, target: Target) -> types.CallHierarchyItem:
    owner = folder_placement(ls.session.workspace, target.path.parent)
    home = lookup.home(ls.session.workspace, target)
    [start] = _ranges(ls, target, (home.span,))
    return types.CallHierarchyItem(
        name=convert.symbol_name(target.agent),
        kind=types.SymbolKind.Class,
        uri=ls.session.uris.get(target.path) or target.path.as_uri(),
        range=start,
        selection_range=start,
        detail=convert.printable(owner.scope.label if owner is not None else "claimed folder"),
    )


def _ranges(ls: Server, target: Target, spans: Iterable[Span]) -> list[types.Range]:
    index = ls.session.files.lines(target.path)
    return [convert.to_range(index, span, ls.session.client.encoding) for span in spans]


_Answer = renaming.Renaming | renaming.CannotRename | None
# A file that changes all the time would otherwise be read forever.
_MOST_TURNS = 3
_DOUBTFUL = "prose"
_ANNOTATIONS = {
    _DOUBTFUL: types.ChangeAnnotation(
        "Mentioned in prose", needs_confirmation=True, description="may mean something else"
    )
}


def prepare_rename(
    ls: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name at the cursor; refuses the request with the reason if it cannot be changed."""
    at = file_position(ls, params.text_document.uri)
    if at is None:
        return None
    offset = at.offset(params.position)
    found = skills.prepare(at.file, offset) or renaming.prepare(at.file, offset)
    if isinstance(found, renaming.CannotRename):
        raise RequestRefusal(found.message)
    span, name = found
    return types.PrepareRenamePlaceholder(convert.to_range(at.index, span, at.encoding), name)


def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | Stepwise | None:
    """The edits of all references, and the rename of the file or folder of an agent or a skill.

    Raises `RequestRefusal` if the name cannot be changed, or the client does not rename files.
    """
    return once_searched(ls, params.text_document.uri, lambda: _rename(ls, params))


def _rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    refresh_if_due(ls)

    def ask() -> _Answer:
        at = file_position(ls, params.text_document.uri)
        if at is None:
            return None
        offset, name = at.offset(params.position), params.new_name
        skill = skills.rename(at.file, offset, name)
        return skill if skill is not None else renaming.rename(at.file, offset, name)

    found = _for_the_disk(ls, ask)
    if found is None:
        return None
    if isinstance(found, renaming.CannotRename):
        raise RequestRefusal(found.message)
    if found.moved is not None and not ls.session.client.renames_files:
        old, new = found.moved
        message = (
            f"this editor does not rename files for a server: rename `{old.name}` to `{new.name}`"
        )
        raise RequestRefusal(message)
    return _edit(ls, found)


def will_rename_files(
    ls: Server, params: types.RenameFilesParams
) -> types.WorkspaceEdit | Stepwise | None:
    """The edits of references when files are renamed."""
    return once_searched(ls, None, lambda: _will_rename_files(ls, params))


def _will_rename_files(ls: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    refresh_if_due(ls)

    def ask() -> renaming.Renaming:
        found = renaming.Renaming()
        for file in params.files:
            old, new = path_at(ls.session, file.old_uri), convert.to_path(file.new_uri)
            if old is not None and new is not None:
                # The new file name may differ only in case, so it is not spelled as on the disk.
                new = ls.session.files.spelt(new.parent) / new.name
                found = _joined(found, renaming.moving(ls.session.workspace, old, new))
        return found

    found = _for_the_disk(ls, ask)
    if not isinstance(found, renaming.Renaming):
        return None
    return _edit(ls, found) if found.edits or found.doubtful or found.left else None


def _for_the_disk(ls: Server, ask: Callable[[], _Answer]) -> _Answer:
    """The answer of `ask` for the current texts of closed files.

    Closed files have no version by which an editor could notice that they have changed.
    """
    found = ask()
    for _ in range(_MOST_TURNS):
        if not isinstance(found, renaming.Renaming) or not _is_outdated(ls, found):
            break
        found = ask()
    return found


def _is_outdated(ls: Server, renaming: renaming.Renaming) -> bool:
    files = ls.session.files
    closed = [path for path in {**renaming.edits, **renaming.doubtful} if not files.is_open(path)]
    before = list(map(files.read, closed))
    for path in closed:
        files.rewritten(path)
    return list(map(files.read, closed)) != before


def _joined(some: renaming.Renaming, more: renaming.Renaming) -> renaming.Renaming:
    return renaming.Renaming(
        _both(some.edits, more.edits),
        None,
        _both(some.doubtful, more.doubtful),
        tuple(dict.fromkeys((*some.left, *more.left))),
    )


def _both(some: renaming.Edits, more: renaming.Edits) -> renaming.Edits:
    return {path: (*some.get(path, ()), *more.get(path, ())) for path in {**some, **more}}


def _edit(ls: Server, renaming: renaming.Renaming) -> types.WorkspaceEdit:
    """The edits, followed by the rename of the file, which must come after edits of that file.

    Doubtful edits need the user's confirmation; a client that cannot ask does not get them.
    """
    client = ls.session.client
    doubtful = renaming.doubtful if client.asks else {}
    _say_what_is_left(ls, renaming.left, () if client.asks else renaming.doubtful)
    written = dict(_written(ls, renaming.edits))
    if not client.document_changes:
        return types.WorkspaceEdit(changes=written)
    changes: list[types.TextDocumentEdit | types.RenameFile] = []
    asked = dict(_written(ls, doubtful))
    for uri in dict.fromkeys((*written, *asked)):
        path = path_at(ls.session, uri)
        file = ls.session.files.read(path) if path is not None else None
        version = file.version if file is not None else None
        document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        marked = [
            types.AnnotatedTextEdit(_DOUBTFUL, one.range, one.new_text)
            for one in asked.get(uri, ())
        ]
        changes.append(types.TextDocumentEdit(document, [*written.get(uri, ()), *marked]))
    if renaming.moved is not None:
        old, new = renaming.moved
        changes.append(types.RenameFile(ls.session.uris.get(old) or old.as_uri(), new.as_uri()))
    return types.WorkspaceEdit(
        document_changes=list(changes), change_annotations=_ANNOTATIONS if asked else None
    )


def _say_what_is_left(ls: Server, outside: Iterable[Path], in_doubt: Iterable[Path]) -> None:
    """Shows one message about files that still contain the old name."""
    said = []
    for paths, why in (
        (outside, "files outside the workspace folders are not edited"),
        (in_doubt, "in prose it may mean something else"),
    ):
        places = ", ".join(f"`{shown(ls.session.workspace, path)}`" for path in paths)
        said += [f"{places} ({why})"] if places else []
    if said:
        message = f"the old name is still in {' and in '.join(said)}"
        shown_ = types.ShowMessageParams(types.MessageType.Info, convert.printable(message))
        ls.window_show_message(shown_)


def _written(
    ls: Server, edits: Mapping[Path, tuple[TextEdit, ...]]
) -> Iterator[tuple[str, list[types.TextEdit]]]:
    for path, own in edits.items():
        index = ls.session.files.lines(path)
        yield (
            ls.session.uris.get(path) or path.as_uri(),
            [
                types.TextEdit(
                    convert.to_range(index, edit.span, ls.session.client.encoding), edit.text
                )
                for edit in own
            ],
        )
