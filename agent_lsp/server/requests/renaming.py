"""Answers rename requests for agents, personas, skills and files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.navigation import rename as analysis
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.render import shown
from agent_lsp.server import convert
from agent_lsp.server.requests.position import file_position
from agent_lsp.server.server import RequestRefusal, Server
from agent_lsp.server.session import path_at
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.changes import refresh_if_due
from agent_lsp.server.sync.scan import once_searched
from agent_lsp.text import TextEdit

_Answer = analysis.Renaming | analysis.CannotRename | None
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
    found = skills.prepare(at.file, offset) or analysis.prepare(at.file, offset)
    if isinstance(found, analysis.CannotRename):
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
        return skill if skill is not None else analysis.rename(at.file, offset, name)

    found = _for_the_disk(ls, ask)
    if found is None:
        return None
    if isinstance(found, analysis.CannotRename):
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

    def ask() -> analysis.Renaming:
        found = analysis.Renaming()
        for file in params.files:
            old, new = path_at(ls.session, file.old_uri), convert.to_path(file.new_uri)
            if old is not None and new is not None:
                # The new file name may differ only in case, so it is not spelled as on the disk.
                new = ls.session.files.spelt(new.parent) / new.name
                found = _joined(found, analysis.moving(ls.session.workspace, old, new))
        return found

    found = _for_the_disk(ls, ask)
    if not isinstance(found, analysis.Renaming):
        return None
    return _edit(ls, found) if found.edits or found.doubtful or found.left else None


def _for_the_disk(ls: Server, ask: Callable[[], _Answer]) -> _Answer:
    """The answer of `ask` for the current texts of closed files.

    Closed files have no version by which an editor could notice that they have changed.
    """
    found = ask()
    for _ in range(_MOST_TURNS):
        if not isinstance(found, analysis.Renaming) or not _is_outdated(ls, found):
            break
        found = ask()
    return found


def _is_outdated(ls: Server, renaming: analysis.Renaming) -> bool:
    files = ls.session.files
    closed = [path for path in {**renaming.edits, **renaming.doubtful} if not files.is_open(path)]
    before = list(map(files.read, closed))
    for path in closed:
        files.rewritten(path)
    return list(map(files.read, closed)) != before


def _joined(some: analysis.Renaming, more: analysis.Renaming) -> analysis.Renaming:
    return analysis.Renaming(
        _both(some.edits, more.edits),
        None,
        _both(some.doubtful, more.doubtful),
        tuple(dict.fromkeys((*some.left, *more.left))),
    )


def _both(some: analysis.Edits, more: analysis.Edits) -> analysis.Edits:
    return {path: (*some.get(path, ()), *more.get(path, ())) for path in {**some, **more}}


def _edit(ls: Server, renaming: analysis.Renaming) -> types.WorkspaceEdit:
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
