"""Publishes diagnostics, without those of headers that are being typed, and refreshes answers.

Invariants: a client that requests the diagnostics of a file is sent none for it, and is told to
request them again when they change. Others are sent them, if they differ from the last ones of the
file, and under the client's own URI of it. The client is asked to refresh only what depends on
other files or on settings; it knows about changes of the text itself.

Notifications about previews and agents go only to a client that sets `previewChanged` or
`agentsChanged` in its `initializationOptions`. They have no content: the client asks with the
commands.

A message about findings that a repository's settings hide is logged once, until it changes.
"""

from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from time import perf_counter

from lsprotocol import types

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.diagnostics import (
    Diagnostic,
    examined,
    examined_file,
    examining,
    from_below,
    silenced,
)
from agent_lsp.data_classes import replace
from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.server import convert
from agent_lsp.server.convert import printable
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import (
    Placed,
    Sent,
    Session,
    is_pulled,
    is_reported,
    path_at,
    uri_of,
)
from agent_lsp.server.sync.jobs import later, sooner
from agent_lsp.server.sync.previews import refresh
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.text import LineIndex, Span, common_prefix, common_suffix
from agent_lsp.workspace.exports import kept
from agent_lsp.workspace.search import templates
from agent_lsp.workspace.snapshot import TemplateFile, template_file

_FENCE = "---"
# In characters: to check a shorter text takes less time than a message.
_LONG = 10_000


def follow(session: Session, placed: Placed, before: str, now: str) -> tuple[Path, ...]:
    """Takes in that the text of a file has changed; returns the other files with a header left."""
    path, file = placed.path, placed.file if _may_begin(now) else None
    if path in session.begun:
        if file is None or not _is_inside(file, _change(before, now)):
            session.begun.discard(path)
    elif file is not None and _is_unfinished(file) and _begins(before, now):
        # What was there before comes back when a fix is undone, and nobody is typing it.
        if session.reported.get(path) != hash(now):
            session.begun.add(path)
    elif _may_begin(before):
        session.reported[path] = hash(before)
    return leave(session, except_for=path)


def resume(session: Session, path: Path, text: str, version: int) -> None:
    """Takes in that `path` was opened with `text`; in VS Code it may have been typed before.

    VS Code counts the versions of a text from 1, whether or not a server runs already.
    """
    if session.client.is_beside_vscode and version > 1 and _may_begin(text):
        file = template_file(session.workspace, path)
        if file is not None and _is_unfinished(file):
            session.begun.add(path)


def look(
    session: Session, document: types.TextDocumentIdentifier, cursor: types.Position
) -> tuple[Path, ...]:
    """Takes in that the cursor is at `cursor`; returns the files with a header that it has left."""
    if not session.begun:
        return ()
    path = path_at(session, document.uri)
    file = (
        template_file(session.workspace, path)
        if path is not None and path in session.begun
        else None
    )
    if path is None or file is None:
        return leave(session, except_for=path)
    offset = convert.offset(session.files.lines(path), cursor, session.client.encoding)
    is_there = _is_inside(file, Span(offset, offset))
    return leave(session, except_for=path if is_there else None)


def leave(session: Session, *, except_for: Path | None = None) -> tuple[Path, ...]:
    """Ends all headers that are being typed, `except_for` that of one file; returns their files."""
    ended = tuple(path for path in session.begun if path != except_for)
    session.begun.difference_update(ended)
    return ended


def _reported(session: Session, file: TemplateFile) -> tuple[Diagnostic, ...]:
    """The findings on `file` without those in a header that is being typed."""
    found = examined_file(file).shown
    if file.path not in session.begun:
        return found
    close = file.document.frontmatter.close
    return () if close is None else tuple(one for one in found if one.span.start > close.end)


def _may_begin(text: str) -> bool:
    """Whether the first line is an opening fence, or one that is being typed."""
    first = text[: len(_FENCE) + 1].partition("\n")[0].rstrip("\r")
    return first != "" and _FENCE.startswith(first)


def _begins(before: str, now: str) -> bool:
    """Whether the change has only written the first line, in an empty text or above the others."""
    first, _, others = before.partition("\n")
    rest = now.partition("\n")[2]
    return not (
        rest.strip() if not before.strip() else rest != (before if first.strip() else others)
    )


def _is_unfinished(file: TemplateFile) -> bool:
    """Whether nothing closes the header, or only a rule in the prompt below it."""
    is_closed = file.document.frontmatter.close is not None
    return not (is_closed and isinstance(file.document.tree.root, Mapping))


def _is_inside(file: TemplateFile, change: Span) -> bool:
    """Whether `change` is in the header; where nothing closes it, a sentence below is not."""
    header, text = file.document.frontmatter, file.document.text
    if header.close is not None:
        return change.end <= header.close.end
    start = text.rfind("\n", 0, change.start) + 1
    line = text[start:].partition("\n")[0]
    written = text[start : change.end] if "\n" in change.of(text) else line
    return start <= header.inner.end or " " not in written.strip()


def _change(before: str, now: str) -> Span:
    """The span in `now` of the text that has taken the place of another in `before`."""
    start = common_prefix(before, now)
    return Span(start, len(now) - common_suffix(before[start:], now[start:]))


def publish(
    ls: Server, path: Path, placed: Placed | None = None, *, is_asked: bool = False
) -> None:
    """Makes the client have the diagnostics of `path`: sends them, unless it already has them.

    `placed` is known in an event about the file. A client that requests them is told to do so
    again, unless it does so by itself after the message that is handled (`is_asked`).
    """
    session = ls.session
    before = session.sent.get(path)
    now = current(session, path, placed)
    session.checked[path] = session.demands
    session.outdated.discard(path)
    _note(session, path)
    had = before if before is not None and before.is_pushed and before.diagnostics else None
    if had is not None and (now is None or (now.uri, now.is_pushed) != (had.uri, True)):
        _send(ls, Sent(had.uri, None, ()))
    if now is None:
        session.sent.pop(path, None)
    else:
        session.sent[path] = now
    if now is not None and now.is_pushed:
        if now != before:
            _send(ls, now)
    elif not is_asked and is_pulled(session, path) and _items(now) != _items(before):
        ask_again(ls)


def publish_typed(ls: Server, path: Path, placed: Placed) -> None:
    """Makes the client have the diagnostics of a text that has just been typed.

    If to check it takes long, the check goes on in steps between messages, before other background
    work, and ends when the text changes.
    """
    session = ls.session
    outdated = session.typed.pop(path, None)
    if outdated is not None and outdated in session.jobs:
        session.jobs.remove(outdated)
    file = placed.file
    if file is None or len(file.document.text) < _LONG:
        publish(ls, path, placed, is_asked=True)
        return
    steps, until = _published(ls, path, placed), perf_counter() + ls.protocol.slice
    for _ in steps:
        if perf_counter() >= until:
            session.typed[path] = steps
            sooner(ls, steps)
            return


def _published(ls: Server, path: Path, typed: Placed) -> Generator[None, None, None]:
    placed = yield from checked(ls.session, typed)
    ls.session.typed.pop(path, None)
    # The client may have had its answer before something else changed.
    publish(ls, path, placed, is_asked=placed is typed)


def checked(session: Session, placed: Placed) -> Generator[None, None, Placed]:
    """Checks a file in steps, again if anything has changed meanwhile; returns the checked one."""
    while placed.file is not None:
        state = placed.workspace, session.files.answers.changes
        for _ in examining(placed.file):
            yield
            if (session.workspace, session.files.answers.changes) != state:
                placed = Placed(session.workspace, placed.path)
                break
        else:
            break
    return placed


def _items(sent: Sent | None) -> tuple[types.Diagnostic, ...]:
    return sent.diagnostics if sent is not None else ()


def ask_again(ls: Server) -> None:
    """Tells the client to request all diagnostics again, once for all that changes now."""
    if not ls.session.is_asking:
        ls.session.is_asking = True
        later(ls, _asking_again(ls))


def _asking_again(ls: Server) -> Iterator[None]:
    ls.session.is_asking = False
    ls.workspace_diagnostic_refresh(None).add_done_callback(logged)
    yield


def pull_workspace(ls: Server) -> None:
    """Takes in that the client requests the diagnostics of closed files, and takes back its own."""
    session = ls.session
    if session.pulls_workspace:
        return
    session.pulls_workspace = True
    for path, sent in tuple(session.sent.items()):
        if sent.is_pushed:
            session.sent[path] = replace(sent, is_pushed=False)
            if sent.diagnostics:
                _send(ls, Sent(sent.uri, None, ()))


def _note(session: Session, path: Path) -> None:
    """Stores the files that a template names."""
    places = kept(session.files, path)
    if places:
        session.places[path] = places
    else:
        session.places.pop(path, None)


def current(session: Session, path: Path, placed: Placed | None = None) -> Sent | None:
    """The diagnostics that the client should have for `path`; None if it should have none."""
    now = _current(session, path, placed or Placed(session.workspace, path))
    pushed = not is_pulled(session, path)
    return now if now is None or pushed else replace(now, is_pushed=False)


def _current(session: Session, path: Path, placed: Placed) -> Sent | None:
    if path.name == SETTINGS_FILE:
        # A closed one is told of when its settings are loaded.
        file = session.files.read(path) if session.files.is_open(path) else None
        found_in = mistakes(session, path) if file is not None else ()
        return Sent(uri_of(session, path), file.version, found_in) if file is not None else None
    if not is_reported(session, path, placed):
        return None
    files, read = session.workspace.files, placed.file
    file = read.source if read is not None else files.read(path)
    found = _reported(session, read) if read is not None else ()
    version = file.version if file else None
    if version is not None and read is not None and session.client.is_beside_vscode:
        # VS Code reports some of them itself, or as less.
        found = tuple(one for one in found if not _is_theirs(one, read))
    if not found and version is None:
        return None
    index, index_of = files.lines(path), cache(files.lines)
    items = tuple(convert.to_diagnostic(one, index, session.client, index_of) for one in found)
    return Sent(uri_of(session, path), version, items)


def mistakes(session: Session, path: Path) -> tuple[types.Diagnostic, ...]:
    """The mistakes in the settings file at `path`, as the client is told of them."""
    from agent_lsp.settings import editing  # noqa: PLC0415 - loads pydantic

    file = session.files.read(path)
    text = file.text if file is not None else ""
    index, encoding = LineIndex(text), session.client.encoding
    return tuple(
        types.Diagnostic(
            convert.to_range(index, one.span, encoding),
            convert.printable(one.message),
            types.DiagnosticSeverity.Warning,
            source=convert.SOURCE,
        )
        for one in editing.mistakes(text)
    )


def _is_theirs(one: Diagnostic, file: TemplateFile) -> bool:
    """Whether VS Code reports the finding; it knows nothing of other programs."""
    theirs = file.dialect.findings.left_to_vscode
    is_about = not one.programs or _VS_CODE in one.programs
    severity = next((theirs[key] for key in _places(one, file) if key in theirs), None)
    return is_about and severity is not None and one.severity >= severity


def _places(one: Diagnostic, file: TemplateFile) -> Iterator[str]:
    """What a table may call the finding: its code at its key, at the file's ending, or alone."""
    top = header.root(file)
    for entry in top.entries if top is not None else ():
        value = entry.value.span if entry.value is not None else None
        if value is not None and value.start <= one.span.start < value.end:
            yield f"{one.code}/{entry.name}"
    yield f"{one.code}/{''.join(file.path.suffixes[-2:])}"
    yield one.code


_VS_CODE = "VS Code"


def _send(ls: Server, sent: Sent) -> None:
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(sent.uri, sent.diagnostics, sent.version)
    )


def redraw(ls: Server) -> None:
    """Asks the client to refresh code lenses, inlay hints, semantic tokens and previews."""
    refresh(ls)
    client = ls.session.client
    if client.redraws_lenses:
        ls.workspace_code_lens_refresh(None).add_done_callback(logged)
    if client.redraws_hints:
        ls.workspace_inlay_hint_refresh(None).add_done_callback(logged)
    if client.redraws_tokens:
        ls.workspace_semantic_tokens_refresh(None).add_done_callback(logged)


PREVIEW_CHANGED = "agentTemplates/previewChanged"
AGENTS_CHANGED = "agentTemplates/agentsChanged"


def preview_changed(ls: Server, path: Path, placed: Placed | None = None) -> None:
    """Notifies the client that the previews of `path` may have changed."""
    session = ls.session
    # Few clients open previews as documents.
    if session.previews:
        refresh(ls)
    placed = placed or Placed(session.workspace, path)
    if not session.client.follows_previews or not placed.in_systems:
        return
    ls.protocol.notify(PREVIEW_CHANGED, {"uri": session.uris.get(path) or path.as_uri()})


def agents_changed(ls: Server) -> None:
    """Notifies the client that the list of agents or their findings may have changed."""
    if ls.session.client.follows_agents:
        ls.protocol.notify(AGENTS_CHANGED, {})


def tell_hidden(ls: Server) -> Iterator[None]:
    """Checks all templates if a repository's settings hide findings, and logs what they hide."""
    session = ls.session
    workspace, seen = session.workspace, []
    if any(options.silence for options in workspace.settings.values()):
        for path in templates(workspace):
            seen.append((path, examined(workspace, path)))
            yield
    said = tuple(one.sentence(from_below(one.file.parent)) for one in silenced(workspace, seen))
    for text in said:
        if text not in session.hidden:
            message = types.LogMessageParams(types.MessageType.Warning, printable(text))
            ls.window_log_message(message)
    session.hidden = said
