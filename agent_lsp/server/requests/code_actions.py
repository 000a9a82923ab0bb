"""Answers code action requests: quick fixes, the fix of all findings, refactorings, conversions.

Invariants: edits apply to the text and the version that the server has. An action is offered only
if this client can carry it out. The work has a limit, and the user is told when it was reached.
"""

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.conversion import offers
from agent_lsp.analysis.conversion.pair import name_at
from agent_lsp.analysis.fixes import Fix, offered, repairing
from agent_lsp.analysis.refactorings import RefactoringKind, refactorings
from agent_lsp.environment import SETTINGS_FILE, settings_file
from agent_lsp.server import convert
from agent_lsp.server.convert import printable
from agent_lsp.server.server import CONVERT, Server
from agent_lsp.server.session import Session, path_at, uri_of
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.sync.changes import cursor_is_at
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.syntax.toml import edit as toml_edit
from agent_lsp.text import LineIndex, Span, TextEdit, apply, differences, joined
from agent_lsp.workspace.snapshot import template_file

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.agentTemplateLsp"

ALL_SAFE = "Fix all that is safe to fix"
# More edits than this are sent as one, which an editor applies sooner.
_MOST_EDITS = 1_000


def code_action(ls: Server, params: types.CodeActionParams) -> Stepwise | list[types.CodeAction]:
    """The actions for the selection, of the kinds that the client requests."""
    session = ls.session
    # Actions that an editor runs by itself are about the whole text.
    if not params.context.only:
        cursor_is_at(ls, params.text_document, params.range.end)
    path = path_at(session, params.text_document.uri)
    file = session.files.read(path) if path is not None else None
    if path is None or file is None or not session.client.code_actions:
        return []

    def is_current() -> bool:
        now = session.files.read(path)
        return now is not None and (now.version, now.text) == (file.version, file.text)

    return Stepwise(_actions(ls, path, LineIndex(file.text), params), is_current)


def _actions(
    ls: Server, path: Path, index: LineIndex, params: types.CodeActionParams
) -> Generator[None, None, list[types.CodeAction]]:
    session, only = ls.session, params.context.only
    ends = (params.range.start, params.range.end)
    span = Span(*(convert.offset(index, end, session.client.encoding) for end in ends))
    found: list[types.CodeAction] = []
    is_cut = False
    if _is_asked(types.CodeActionKind.QuickFix.value, only):
        is_cut = yield from _quick_fixes(session, path, index, span, params, found)
        found += _turned_off(session, path, params.range)
    # Editors request actions at each move of the cursor, for a light bulb. Fixing the whole file
    # then takes too long, and a bulb on every line for actions that are always possible would be
    # noise.
    is_lamp = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    if only or not is_lamp:
        if _is_asked(FIX_ALL, only):
            is_cut |= yield from _fix_all(session, path, index, found)
        for more in (
            _refactored(session, path, index, span, only),
            _conversions(session, path, span, only),
        ):
            for action in more:
                found.append(action)
                yield
    if is_cut:
        _tell_of_limit(ls, path, is_quiet=is_lamp)
    return found


def _quick_fixes(
    session: Session,
    path: Path,
    index: LineIndex,
    span: Span,
    params: types.CodeActionParams,
    found: list[types.CodeAction],
) -> Generator[None, None, bool]:
    """Adds the quick fixes to `found`; returns whether some were not tried."""
    fixes = offered(session.workspace, path, span)
    while True:
        try:
            fix = next(fixes)
        except StopIteration as end:
            return bool(end.value)
        if fix is not None and (fix.moved is None or session.client.renames_files):
            found.append(_fix(session, path, index, fix, params.context.diagnostics))
        yield


def _tell_of_limit(ls: Server, path: Path, *, is_quiet: bool) -> None:
    """Tells, once for a text, that more fixes may exist; in a pop-up, unless it `is_quiet`."""
    session = ls.session
    file = session.files.read(path)
    state = (file.version if file is not None else None, is_quiet)
    if session.limited.get(path) in (state, (state[0], False)):
        return
    session.limited[path] = state
    text = printable(
        f"{path.name}: trying all fixes would take too long, so there may be more than those that"
        " are offered; select less text, or apply some and ask again"
    )
    if is_quiet:
        ls.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
    else:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))


def _is_asked(kind: str, only: Iterable[types.CodeActionKind | str] | None) -> bool:
    asked = [getattr(one, "value", one) for one in only or ()]
    return not asked or any(f"{kind}.".startswith(f"{one}.") or not one for one in asked)


def _fix(
    session: Session,
    path: Path,
    index: LineIndex,
    fix: Fix,
    diagnostics: Iterable[types.Diagnostic],
) -> types.CodeAction:
    where = convert.to_range(index, fix.diagnostic.span, session.client.encoding)
    about = [one for one in diagnostics if one.range == where and one.code == fix.diagnostic.code]
    edit = workspace_edit(session, path, index, fix.edits)
    if fix.moved is not None:
        move = types.RenameFile(uri_of(session, path), fix.moved.as_uri())
        edit = types.WorkspaceEdit(document_changes=[move])
    return types.CodeAction(
        printable(fix.title),
        types.CodeActionKind.QuickFix,
        about or None,
        is_preferred=True if fix.safe and session.client.prefers_actions else None,
        edit=edit,
    )


def _turned_off(session: Session, path: Path, where: types.Range) -> Iterator[types.CodeAction]:
    """For each rule with a finding at `where`, an action that turns it off in the settings file."""
    root = max((one for one in session.workspace.roots if one in path.parents), default=None)
    # In a workspace that is not trusted, its settings file does not count.
    if root is None or session.client.is_isolated:
        return
    sent = session.sent.get(path)
    ours = [
        one
        for one in (sent.diagnostics if sent is not None else ())
        if one.code and one.range.start <= where.end and where.start <= one.range.end
    ]
    at = settings_file(root, session.files)
    if at is None and not session.client.creates_files:
        return
    for code in dict.fromkeys(str(one.code) for one in ours):
        text = session.files.lines(at).text if at is not None else ""
        edits = _off(text, code)
        if at is None:
            edit = _created([(root / SETTINGS_FILE, apply(text, edits))])
        else:
            edit = workspace_edit(session, at, LineIndex(text), edits)
        if edits:
            yield types.CodeAction(
                f"Turn off `{code}` in this workspace",
                types.CodeActionKind.QuickFix,
                [one for one in ours if one.code == code],
                edit=edit,
            )


def _off(text: str, code: str) -> tuple[TextEdit, ...]:
    """The edits that turn off a rule in the settings file `text`; none if it is not valid."""
    tree = toml.parse(text)
    if tree.problem is not None:
        return ()
    table = tree.root.get("severity") if isinstance(tree.root, Mapping) else None
    if table is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        end = Span(len(text), len(text))
        return (TextEdit(end, f'{gap}[severity]\n{code} = "off"\n'),)
    said = table.node.get(code) if isinstance(table.node, Mapping) else None
    if said is not None:
        return tuple(toml_edit.replace_value(text, said, "off"))
    return tuple(toml_edit.insert_entry(text, tree, ("severity",), code, "off"))


def _refactored(
    session: Session,
    path: Path,
    index: LineIndex,
    span: Span,
    only: Iterable[types.CodeActionKind | str] | None,
) -> Iterator[types.CodeAction]:
    if not any(_is_asked(kind.value, only) for kind in RefactoringKind):
        return
    for change in refactorings(session.workspace, path, span):
        if not _is_asked(change.kind.value, only):
            continue
        edit = workspace_edit(session, path, index, change.edits)
        if change.created is not None:
            if not session.client.creates_files:
                continue
            edit = _created([(change.created, change.text)])
        title = printable(change.title)
        yield types.CodeAction(title, change.kind.value, edit=edit)


def _conversions(
    session: Session,
    path: Path,
    span: Span,
    only: Iterable[types.CodeActionKind | str] | None,
) -> Iterator[types.CodeAction]:
    """The conversions of the template, each with a command that shows the losses.

    In a file with several agents, it is the conversion of the agent whose table `span` is in.
    """
    if not _is_asked(RefactoringKind.CONVERT.value, only):
        return
    file = template_file(session.workspace, path)
    can = session.client.creates_files and session.client.shows_documents
    if file is None or not can:
        return
    name = name_at(file, span.start)
    chosen = {} if name is None else {"preset": name}
    for offer in offers(file, name):
        asked = {"uri": uri_of(session, path), "to": offer.target, **chosen, "format": "markdown"}
        shown = types.Command("Show what is lost", CONVERT, arguments=[{**asked, "show": True}])
        yield types.CodeAction(
            printable(offer.title),
            RefactoringKind.CONVERT.value,
            edit=_created([(file.path, file.text) for file in offer.files]),
            command=shown,
        )


def _created(files: Iterable[tuple[Path, str]]) -> types.WorkspaceEdit:
    """The edit that creates new files; the client refuses it if one of them exists."""
    changes: list[types.CreateFile | types.TextDocumentEdit] = []
    for path, text in files:
        uri, start = path.as_uri(), types.Position(0, 0)
        document = types.OptionalVersionedTextDocumentIdentifier(uri, None)
        written = types.TextEdit(types.Range(start, start), printable(text))
        changes += [
            types.CreateFile(uri, options=types.CreateFileOptions(overwrite=False)),
            types.TextDocumentEdit(document, [written]),
        ]
    return types.WorkspaceEdit(document_changes=[*changes])


def _fix_all(
    session: Session, path: Path, index: LineIndex, found: list[types.CodeAction]
) -> Generator[None, None, bool]:
    """Adds the fix of all findings to `found`; returns whether some were not tried."""
    done = yield from repairing(session.workspace, path)
    if done is not None and done.text != index.text:
        edit = workspace_edit(session, path, index, differences(index.text, done.text))
        # The protocol allows kinds below its own, which lsprotocol's enumeration lacks.
        found.append(types.CodeAction(ALL_SAFE, FIX_ALL, edit=edit))
    return done is not None and done.is_cut


def workspace_edit(
    session: Session, path: Path, index: LineIndex, edits: Iterable[TextEdit]
) -> types.WorkspaceEdit:
    """`edits` of the file at `path`, in the form that this client takes."""
    uri, encoding = uri_of(session, path), session.client.encoding
    edits = tuple(edits)
    if len(edits) > _MOST_EDITS:
        edits = (joined(index.text, edits),)
    written = [
        types.TextEdit(convert.to_range(index, edit.span, encoding), edit.text) for edit in edits
    ]
    if not session.client.document_changes:
        return types.WorkspaceEdit(changes={uri: written})
    file = session.files.read(path)
    version = file.version if file is not None else None
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(written))])
