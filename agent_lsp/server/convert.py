"""Converts between the product's values and those of the protocol, as the client takes them."""

import ntpath
import os
import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder, get_capability

from agent_lsp.analysis.diagnostics import Diagnostic, Related
from agent_lsp.data_classes import dataclass
from agent_lsp.installed import installed
from agent_lsp.patterns import regex
from agent_lsp.server.server import pulls
from agent_lsp.text import Encoding, LineIndex, Span


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities that change what the server sends.

    `snippet_choices`: its snippets may offer words. `keeps_indent`: it inserts multi-line text as
    it is. `watches`: it watches files in the workspace; `watches_outside`: also in other folders.
    `suggests_again`: it has VS Code's command for that. `code_actions`: it takes code actions with
    edits. `document_changes`: it takes edits for one version of a text. `asks`: it lets the user
    confirm uncertain edits. `reads_documents`: it can open documents that only the server has.
    `attaches_folders`: it can attach to folders that only the server knows, with `relative_filters`
    if it supports them. `pulls`: it requests diagnostics, and again when it is told to.
    `follows_previews` and `follows_agents`: it wants the notifications of that kind.
    `is_beside_vscode`: VS Code also shows what it finds itself. `is_isolated`: the user does not
    trust the workspace.
    """

    encoding: Encoding = Encoding.UTF16
    snippets: bool = False
    snippet_choices: bool = False
    keeps_indent: bool = False
    markdown_documentation: bool = False
    markdown_hover: bool = False
    related_information: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    watches: bool = False
    watches_outside: bool = False
    shows_documents: bool = False
    suggests_again: bool = False
    code_actions: bool = False
    prefers_actions: bool = False
    document_changes: bool = False
    creates_files: bool = False
    renames_files: bool = False
    asks: bool = False
    reads_documents: bool = False
    attaches_folders: bool = False
    is_isolated: bool = False
    relative_filters: bool = False
    symbol_tree: bool = False
    progress: bool = False
    follows_previews: bool = False
    follows_agents: bool = False
    is_beside_vscode: bool = False
    pulls: bool = False
    redraws_lenses: bool = False
    redraws_hints: bool = False
    redraws_tokens: bool = False


def client(params: types.InitializeParams) -> Client:
    """The capabilities in `params` of `initialize`."""
    capabilities = params.capabilities

    def can(field: str) -> bool:
        return bool(get_capability(capabilities, field))

    def prefers_markdown(field: str) -> bool:
        formats = get_capability(capabilities, field) or ()
        return next(iter(formats), None) == types.MarkupKind.Markdown

    item = "text_document.completion.completion_item"
    modes = get_capability(capabilities, f"{item}.insert_text_mode_support.value_set") or ()
    watched = "workspace.did_change_watched_files"
    encoding = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    on_files = get_capability(capabilities, "workspace.workspace_edit.resource_operations") or ()
    # Neovim declares only its file operations, which imply `documentChanges`.
    changes_documents = can("workspace.workspace_edit.document_changes") or bool(on_files)
    name = params.client_info.name if params.client_info else ""
    # Editors that are made of VS Code have other names.
    is_vscode = "Code" in name or _asks(params.initialization_options, "besideVSCode")
    return Client(
        encoding=Encoding(str(getattr(encoding, "value", encoding))),
        snippets=can(f"{item}.snippet_support"),
        # Those of Emacs insert the choices as a text, and no capability says so.
        snippet_choices=is_vscode or "Neovim" in name,
        keeps_indent=types.InsertTextMode.AsIs in modes,
        markdown_documentation=prefers_markdown(f"{item}.documentation_format"),
        markdown_hover=prefers_markdown("text_document.hover.content_format"),
        related_information=can("text_document.publish_diagnostics.related_information"),
        configuration=can("workspace.configuration"),
        registers_configuration=can("workspace.did_change_configuration.dynamic_registration"),
        watches=can(f"{watched}.dynamic_registration"),
        watches_outside=can(f"{watched}.relative_pattern_support"),
        shows_documents=can("window.show_document.support"),
        # Other clients would report an unknown command.
        suggests_again=is_vscode,
        code_actions=can("text_document.code_action.code_action_literal_support"),
        prefers_actions=can("text_document.code_action.is_preferred_support"),
        document_changes=changes_documents,
        creates_files=types.ResourceOperationKind.Create in on_files,
        renames_files=types.ResourceOperationKind.Rename in on_files,
        asks=can("workspace.workspace_edit.change_annotation_support") and changes_documents,
        reads_documents=can("workspace.text_document_content.dynamic_registration"),
        attaches_folders=_asks(params.initialization_options, "attachFolders")
        and can("text_document.synchronization.dynamic_registration"),
        is_isolated=_asks(params.initialization_options, "isolated"),
        relative_filters=can("text_document.filters.relative_pattern_support"),
        progress=can("window.work_done_progress"),
        follows_previews=_asks(params.initialization_options, "previewChanged"),
        follows_agents=_asks(params.initialization_options, "agentsChanged"),
        is_beside_vscode=_asks(params.initialization_options, "besideVSCode"),
        pulls=pulls(params),
        redraws_lenses=can("workspace.code_lens.refresh_support"),
        redraws_hints=can("workspace.inlay_hint.refresh_support"),
        redraws_tokens=can("workspace.semantic_tokens.refresh_support"),
        symbol_tree=can("text_document.document_symbol.hierarchical_document_symbol_support"),
    )


def _asks(options: object, name: str) -> bool:
    return isinstance(options, Mapping) and options.get(name) is True


SOURCE = "agent-template-lsp"

_LONGEST_PATH = 4096
# The folder and the name of a file, if nothing in the name is quoted or has a meaning in paths.
_PLAIN = regex(r"(file:///[^?#\n]{,2048}[^?#\n/])/(\w[\w-]{,99}\.\w{1,9})\Z", re.ASCII)
_DRIVE = regex(r"/([A-Za-z]):(?=/|$)")
_Flavour = TypeVar("_Flavour", PurePosixPath, PureWindowsPath)


def to_path(uri: str) -> Path | None:
    """The absolute path that `uri` names, or None if it does not name a file."""
    # A client may report thousands of files at once, and they are in few folders.
    plain = _PLAIN.match(uri)
    folder = _folder(plain[1]) if plain is not None else None
    return folder / plain[2] if plain is not None and folder is not None else _to_path(uri)


@lru_cache(maxsize=64)
def _folder(uri: str) -> Path | None:
    return _to_path(uri)


def _to_path(uri: str) -> Path | None:
    is_windows = os.name == "nt"
    path = path_of(uri, PureWindowsPath) if is_windows else path_of(uri, PurePosixPath)
    return Path(path) if path is not None else None


def path_of(uri: str, flavour: type[_Flavour]) -> _Flavour | None:
    """The absolute path that `uri` names on a system with paths of `flavour`, or None."""
    try:
        scheme, host, quoted, _, _ = urlsplit(uri)
        # JSON can have half of a character, which has no bytes.
        data = unquote_to_bytes(quoted)
    except ValueError:
        return None
    if scheme != "file":
        return None
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


def symbol_name(name: str) -> str:
    """`name` as that of a symbol: VS Code refuses an answer with an empty one."""
    return printable(name) or "…"


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
        code_description=types.CodeDescription(_page(diagnostic.code)),
        source=SOURCE,
        tags=[types.DiagnosticTag(tag) for tag in diagnostic.tags] or None,
        related_information=[_related(place, client, index_of) for place in related] or None,
    )


@cache
def _page(code: str) -> str:
    """The URI of the page about the rule with this code."""
    return installed(f"docs/rules/{code}.md").as_uri()


def _related(
    related: Related, client: Client, index_of: Callable[[Path], LineIndex]
) -> types.DiagnosticRelatedInformation:
    where = to_range(index_of(related.path), related.span, client.encoding)
    return types.DiagnosticRelatedInformation(
        types.Location(related.path.as_uri(), where), printable(related.message)
    )
