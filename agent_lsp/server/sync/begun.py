"""Knows the headers that a person is typing, from the first line of the file on.

Invariants: until such a header is closed and the cursor has left it, nothing is reported in it,
because each finding would only say that it is not finished. A header that was in the file, that was
pasted, or that has been left once is reported at once.

No message tells where the cursor is. It is where the text changes, and where the client requests
completions, highlights or code actions; most editors request some of these after each move.
"""

from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.server import convert
from agent_lsp.server.session import Session, path_at
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.text import Span, common_prefix, common_suffix
from agent_lsp.workspace.snapshot import TemplateFile, template_file

_FENCE = "---"


def follow(session: Session, path: Path, before: str, now: str) -> tuple[Path, ...]:
    """Takes in that the text of `path` has changed; returns the other files with a header left."""
    file = template_file(session.workspace, path) if _may_begin(now) else None
    if path in session.begun:
        if file is None or not _is_inside(file, _change(before, now)):
            session.begun.discard(path)
    elif file is not None and _is_unfinished(file) and _begins(before, now):
        session.begun.add(path)
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


def reported(session: Session, path: Path, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The findings on `path` without those in a header that is being typed."""
    file = template_file(session.workspace, path) if path in session.begun else None
    if file is None:
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
