"""Converts between the product's values and those of the protocol.

Invariants: positions count in the encoding that the client chose. A URI that is not that of a file
has no path, and is ignored.
"""

import ntpath
import os
import posixpath
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types

from agent_lsp.analysis.completion import Completion, CompletionKind
from agent_lsp.analysis.completion.offer import without_choices
from agent_lsp.analysis.diagnostics import Diagnostic, Related
from agent_lsp.analysis.hover import Hover
from agent_lsp.installed import installed
from agent_lsp.server.client import Client
from agent_lsp.text import Encoding, LineIndex, Span

SOURCE = "agent-template-lsp"

_LONGEST_PATH = 4096
_DRIVE = re.compile(r"/([A-Za-z]):(?=/|$)")
_Flavour = TypeVar("_Flavour", PurePosixPath, PureWindowsPath)

_KINDS = {
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.VALUE: types.CompletionItemKind.EnumMember,
    CompletionKind.TOOL: types.CompletionItemKind.Function,
    CompletionKind.PATTERN: types.CompletionItemKind.Operator,
    CompletionKind.PERSONA: types.CompletionItemKind.Class,
    CompletionKind.SNIPPET: types.CompletionItemKind.Snippet,
    CompletionKind.FILE: types.CompletionItemKind.File,
    CompletionKind.FOLDER: types.CompletionItemKind.Folder,
}
_SUGGEST_AGAIN = types.Command("Suggest", "editor.action.triggerSuggest")


def to_path(uri: str) -> Path | None:
    """The absolute path that `uri` names, or None if it does not name a file."""
    is_windows = os.name == "nt"
    path = path_of(uri, PureWindowsPath) if is_windows else path_of(uri, PurePosixPath)
    return Path(path) if path is not None else None


def path_of(uri: str, flavour: type[_Flavour]) -> _Flavour | None:
    """The absolute path that `uri` names on a system with paths of `flavour`, or None."""
    try:
        scheme, host, quoted, _, _ = urlsplit(uri)
    except ValueError:
        return None
    if scheme != "file":
        return None
    data = unquote_to_bytes(quoted)
    is_windows = issubclass(flavour, PureWindowsPath)
    # On POSIX, file names are bytes, which need not be valid UTF-8.
    path = data.decode("utf-8", "replace") if is_windows else os.fsdecode(data)
    drive = _DRIVE.match(path) if is_windows and not host else None
    if host:
        path = f"//{host}{path}"
    elif drive is not None:
        # Editors write the same drive as `c%3A` or as `C:`.
        path = f"{drive[1].lower()}:{path[len(drive[0]) :]}"
    # No system has such a path, and some functions raise an exception for one.
    if "\0" in path or len(path) > _LONGEST_PATH or not flavour(path).is_absolute():
        return None
    return flavour((ntpath if is_windows else posixpath).normpath(path))


def printable(text: str) -> str:
    """`text` that a client can decode: bytes of file names that are not valid UTF-8 become `?`."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def offset(index: LineIndex, position: types.Position, encoding: Encoding) -> int:
    """The offset of `position`."""
    return index.offset(position.line, position.character, encoding)


def to_range(index: LineIndex, span: Span, encoding: Encoding) -> types.Range:
    """The range of `span`."""
    start, end = (index.position(at, encoding) for at in (span.start, span.end))
    return types.Range(types.Position(*start), types.Position(*end))


def to_diagnostic(
    diagnostic: Diagnostic, index: LineIndex, client: Client, index_of: Callable[[Path], LineIndex]
) -> types.Diagnostic:
    """The diagnostic for this client; `index_of` gives the lines of related files."""
    related = diagnostic.related if client.related_information else ()
    return types.Diagnostic(
        range=to_range(index, diagnostic.span, client.encoding),
        message=printable(diagnostic.message),
        severity=types.DiagnosticSeverity(diagnostic.severity),
        code=diagnostic.code,
        code_description=types.CodeDescription(
            installed(f"docs/rules/{diagnostic.code}.md").as_uri()
        ),
        source=SOURCE,
        tags=[types.DiagnosticTag(tag) for tag in diagnostic.tags] or None,
        related_information=[_related(place, client, index_of) for place in related] or None,
    )


def to_item(completion: Completion, index: LineIndex, client: Client) -> types.CompletionItem:
    """The completion item for this client."""
    snippet = completion.snippet if client.snippets else None
    if snippet is not None and not client.snippet_choices:
        snippet = without_choices(snippet)
    text = completion.edit.text if snippet is None else snippet
    # The lines of an edit are already indented; a client that indents would do so twice.
    as_is = client.keeps_indent and "\n" in text
    if snippet is not None and not client.keeps_indent:
        # Such a client indents each line of a snippet like the cursor's line (vim.snippet does).
        text = snippet.replace(f"\n{completion.indent}", "\n")
    return types.CompletionItem(
        label=completion.label,
        kind=_KINDS[completion.kind],
        detail=completion.detail or None,
        documentation=_documentation(completion, client),
        tags=[types.CompletionItemTag.Deprecated] if completion.deprecated else None,
        sort_text=completion.sort or None,
        filter_text=completion.filter or None,
        insert_text_format=None if snippet is None else types.InsertTextFormat.Snippet,
        insert_text_mode=types.InsertTextMode.AsIs if as_is else None,
        text_edit=types.TextEdit(to_range(index, completion.edit.span, client.encoding), text),
        command=_SUGGEST_AGAIN if completion.retrigger and client.suggests_again else None,
    )


def to_hover(hover: Hover, index: LineIndex, client: Client) -> types.Hover:
    """The hover for this client."""
    return types.Hover(
        _markup(hover.markdown, markdown=client.markdown_hover),
        to_range(index, hover.span, client.encoding),
    )


def _related(
    related: Related, client: Client, index_of: Callable[[Path], LineIndex]
) -> types.DiagnosticRelatedInformation:
    where = to_range(index_of(related.path), related.span, client.encoding)
    return types.DiagnosticRelatedInformation(
        types.Location(related.path.as_uri(), where), printable(related.message)
    )


def _documentation(completion: Completion, client: Client) -> types.MarkupContent | str | None:
    """Markdown if the client prefers it; otherwise plain text, which every client takes."""
    if not completion.documentation:
        return None
    markup = _markup(completion.documentation, markdown=client.markdown_documentation)
    return markup if client.markdown_documentation else markup.value


def _markup(text: str, *, markdown: bool) -> types.MarkupContent:
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, printable(text))
    return types.MarkupContent(types.MarkupKind.PlainText, printable(_plain(text)))


def _plain(markdown: str) -> str:
    """The text of `markdown` without the syntax of links, emphasis and code."""
    text = re.sub(r"\[([^\]\n]*)\]\([^)\n]*\)", r"\1", markdown)
    text = re.sub(r"(?m)^```.*\n?", "", text)
    return re.sub(r"\*\*|`", "", text)
