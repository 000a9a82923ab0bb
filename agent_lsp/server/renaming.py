"""Requests to give an agent or a persona another name."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.navigation import rename as analysis
from agent_lsp.server import convert
from agent_lsp.server.place import opened
from agent_lsp.server.server import Refusal, Server
from agent_lsp.text import LineIndex, TextEdit


def prepare_rename(
    ls: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name that would be changed, or the reason why none can be."""
    at = opened(ls, params.text_document.uri)
    if at is None:
        return None
    found = analysis.prepare(at.of, at.offset(params.position))
    if isinstance(found, analysis.Refused):
        raise Refusal(found.message)
    span, name = found
    return types.PrepareRenamePlaceholder(convert.to_range(at.index, span, at.encoding), name)


def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits of all places, and the move of an agent's file."""
    at = opened(ls, params.text_document.uri)
    if at is None:
        return None
    found = analysis.rename(at.of, at.offset(params.position), params.new_name)
    if isinstance(found, analysis.Refused):
        raise Refusal(found.message)
    if found.moved is not None and not ls.session.client.renames_files:
        old, new = found.moved
        message = (
            f"this editor does not rename files for a server: rename `{old.name}` to `{new.name}`"
        )
        raise Refusal(message)
    return _edit(ls, found)


def will_rename_files(ls: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """The edits that keep names true while files get other names."""
    edits: dict[Path, list[TextEdit]] = {}
    for file in params.files:
        old, new = convert.to_path(file.old_uri), convert.to_path(file.new_uri)
        if old is not None and new is not None:
            moving = analysis.moving(ls.session.workspace, old, new)
            for path, own in moving.edits.items():
                edits.setdefault(path, []).extend(own)
    renaming = analysis.Renaming({path: tuple(own) for path, own in edits.items()})
    return _edit(ls, renaming) if edits else None


def _edit(ls: Server, renaming: analysis.Renaming) -> types.WorkspaceEdit:
    """All edits, and last the move, which the edits of the file itself must not follow."""
    client = ls.session.client
    written = dict(_written(ls, renaming.edits))
    if not client.document_changes:
        return types.WorkspaceEdit(changes=written)
    changes: list[types.TextDocumentEdit | types.RenameFile] = []
    for uri, edits in written.items():
        path = convert.to_path(uri)
        file = ls.session.files.read(path) if path is not None else None
        version = file.version if file is not None else None
        document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        changes.append(types.TextDocumentEdit(document, list(edits)))
    if renaming.moved is not None:
        old, new = renaming.moved
        changes.append(types.RenameFile(ls.session.uris.get(old) or old.as_uri(), new.as_uri()))
    return types.WorkspaceEdit(document_changes=list(changes))


def _written(
    ls: Server, edits: Mapping[Path, tuple[TextEdit, ...]]
) -> Iterator[tuple[str, list[types.TextEdit]]]:
    for path, own in edits.items():
        file = ls.session.files.read(path)
        index = LineIndex(file.text if file is not None else "")
        yield (
            ls.session.uris.get(path) or path.as_uri(),
            [
                types.TextEdit(
                    convert.to_range(index, edit.span, ls.session.client.encoding), edit.text
                )
                for edit in own
            ],
        )
