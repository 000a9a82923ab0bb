"""An editor for tests: it drives the real server in a process of its own, and keeps its messages.

The capabilities are those of real editors. Home, `$CODEX_HOME` and the cache are folders of the
test. At the end, the editor checks that no pop-up was shown, unless it asked for one.
"""

import asyncio
import copy
import os
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Union, cast

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tests.server import ready

ROOT = Path(__file__).parents[2]
# Each counts columns in another encoding: units of 2, 1 and 4 bytes, by the editor's preference.
CLIENTS = {
    "visual-studio-code": ("Visual Studio Code", "utf-16"),
    "neovim@v0.11": ("Neovim", "utf-8"),
    "emacs": ("Emacs (eglot)", "utf-32"),
}
# In seconds; generous, for a busy machine.
_PATIENCE = 120.0


@dataclass
class Editor:
    """A connected client, the messages that it has got, and its folders."""

    client: LanguageClient
    name: str
    folder: Path
    home: Path
    published: list[types.PublishDiagnosticsParams] = field(default_factory=list)
    registered: list[types.Registration] = field(default_factory=list)
    # How often the server has told the client to request diagnostics again.
    refreshes: list[None] = field(default_factory=list)
    # How often the server has told that the list of agents may have changed.
    agents_changed: list[object] = field(default_factory=list)
    versions: dict[Path, int] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.folder / "workspace"

    def folders(self, roots: tuple[str, ...]) -> list[types.WorkspaceFolder]:
        """The workspace folders at `roots`, which are relative to the workspace."""
        paths = [Path(os.path.normpath(self.root / root)) for root in roots]
        return [types.WorkspaceFolder(path.as_uri(), path.name) for path in paths]

    def write(self, name: str, text: str) -> Path:
        """Writes a file to the disk without a notification."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, text.encode())
        return path

    def path(self, name: str) -> Path:
        return self.home / name[2:] if name.startswith("~/") else self.root / name

    def open(self, name: str, text: str | None = None) -> Path:
        path = self.path(name)
        if text is None:
            text = path.read_text(encoding="utf-8")
        self.versions[path] = 1
        item = types.TextDocumentItem(path.as_uri(), types.LanguageKind.Markdown, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return path

    def change(self, path: Path, text: str) -> None:
        self.versions[path] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[path], path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def close(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def changed_on_disk(self, path: Path, kind: types.FileChangeType) -> None:
        event = types.FileEvent(path.as_uri(), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def command(self, name: str, *arguments: object) -> Any:
        params = types.ExecuteCommandParams(name, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    def found(self, path: Path) -> list[types.Diagnostic]:
        """The diagnostics that the client has for `path` now."""
        return list(self.client.diagnostics.get(path.as_uri(), ()))

    def codes(self, path: Path) -> list[str]:
        return [str(found.code) for found in self.found(path)]

    def watched(self) -> list[object]:
        """The patterns that the client watches now; none between two registrations."""
        said = (o.register_options for o in self.registered if o.id == "agent-templates-files")
        options = [one for one in said if isinstance(one, dict)]
        return [watcher["globPattern"] for one in options for watcher in one["watchers"]]

    async def watches(self, *patterns: object) -> None:
        """Waits until the client watches `patterns`, among others."""
        await until(
            lambda: all(one in self.watched() for one in patterns),
            lambda: f"expected {patterns}, the client watches {self.watched()}",
        )

    def told(self, path: Path) -> list[list[str]]:
        """The codes that the client has got for `path` each time, the last ones at the end."""
        sent = [one.diagnostics for one in self.published if one.uri == path.as_uri()]
        return [[str(found.code) for found in one] for one in sent]

    async def sees(self, path: Path, *codes: str) -> list[types.Diagnostic]:
        """Waits until the client has exactly the findings `codes` for `path`."""
        await until(
            lambda: path.as_uri() in self.client.diagnostics and self.codes(path) == list(codes),
            lambda: f"{path.name}: expected {list(codes)}, the client has {self.codes(path)}",
        )
        return self.found(path)

    async def saves(self, path: Path, until: Callable[[], bool]) -> None:
        """Saves `path` again and again `until` it shows: the server does not look at each save."""
        deadline = asyncio.get_running_loop().time() + _PATIENCE
        while not until():
            assert asyncio.get_running_loop().time() < deadline, "the change was not seen"
            self.save(path)
            await asyncio.sleep(0.2)

    async def settled(self) -> None:
        """Waits until the server has handled all earlier messages.

        It has then also handled what the client answered to its requests about them.
        """
        document = types.TextDocumentIdentifier((self.root / "nothing.md").as_uri())
        params = types.HoverParams(document, types.Position(0, 0))
        for _ in range(2):
            await self.client.text_document_hover_async(params)


def put(path: Path, data: bytes) -> None:
    """Writes a file in one step: the server may look at any time, and never finds half of it."""
    real = path.resolve()
    whole = real.with_name(f"{real.name}.new")
    whole.write_bytes(data)
    if real.exists():
        shutil.copymode(real, whole)
    whole.replace(real)


async def until(condition: Callable[[], bool], otherwise: Callable[[], str] = str) -> None:
    """Waits for `condition`; fails with the message `otherwise` if it never holds."""
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, otherwise()
        await asyncio.sleep(0.005)


def environment(folder: Path) -> dict[str, str]:
    """The environment of this machine, with a home and its subfolders below `folder`."""
    home = folder / "home"
    places = {
        "HOME": home,
        "USERPROFILE": home,
        "LOCALAPPDATA": home / "cache",
        "CODEX_HOME": home / ".codex",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_STATE_HOME": home / "state",
        "PYTHONPATH": ROOT,
    }
    return os.environ | {name: str(place) for name, place in places.items()}


@asynccontextmanager
async def editing(
    folder: Path,
    name: str,
    files: Mapping[str, str],
    *,
    roots: tuple[str, ...] = (".",),
    settings: object = None,
    asks: Mapping[str, object] | None = None,
    popups: bool = False,
    able: Callable[[types.ClientCapabilities], None] | None = None,
    wrapper: tuple[str, ...] | None = None,
) -> AsyncIterator[Editor]:
    """An editor `name` on a workspace with `files`, with a server of its own.

    `~/` in a path is the home. `able` adds to the capabilities of the editor. `wrapper` is a
    command that starts the server, which then begins without imports, as it does outside of tests.
    """
    client = LanguageClient(converter_factory=_converter, configuration={"": {}})
    editor = Editor(client, name, folder, folder / "home")
    (editor.root / ".git").mkdir(parents=True)
    editor.home.mkdir()
    for file, text in files.items():
        editor.write(file, text)
    if settings is not None:
        client.set_configuration(settings, section="agentTemplates")
    _listen(editor)
    program = ready.program() if wrapper is None else (*wrapper, *ready.PROGRAM)
    await client.start_io(*program, "serve", "--stdio", env=environment(folder), cwd=folder)
    try:
        introduction = _introduction(editor, roots)
        introduction.initialization_options = dict(asks) if asks is not None else None
        if able is not None:
            able(introduction.capabilities)
        await client.initialize_session(introduction)
        yield editor
        assert popups or client.messages == []
    finally:
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]


@cache
def _converter() -> Any:
    """The protocol's converter; pytest-lsp would read a code action with a command as a command."""
    converter = default_converter()  # type: ignore[no-untyped-call] # it has no types

    def structured(found: Any, _: object) -> types.Command | types.CodeAction:
        is_action = not isinstance(found.get("command"), str)
        kind = types.CodeAction if is_action else types.Command
        return cast("types.Command | types.CodeAction", converter.structure(found, kind))

    # The library registers the type in this spelling.
    action = Union[types.Command, types.CodeAction]  # noqa: UP007
    converter.register_structure_hook(action, structured)
    return converter


@cache
def _capabilities(name: str) -> types.ClientCapabilities:
    return client_capabilities(name)


def _introduction(editor: Editor, roots: tuple[str, ...]) -> types.InitializeParams:
    title, _ = CLIENTS[editor.name]
    folders = editor.folders(roots)
    return types.InitializeParams(
        copy.deepcopy(_capabilities(editor.name)),
        client_info=types.ClientInfo(title),
        root_uri=folders[0].uri if folders else None,
        workspace_folders=folders,
    )


def _listen(editor: Editor) -> None:
    """Stores what the server publishes and registers, besides what pytest-lsp stores."""

    def publish(client: LanguageClient, params: types.PublishDiagnosticsParams) -> None:
        client.diagnostics[params.uri] = params.diagnostics
        editor.published.append(params)

    def register(client: LanguageClient, params: types.RegistrationParams) -> None:  # noqa: ARG001
        editor.registered.extend(params.registrations)

    def unregister(client: LanguageClient, params: types.UnregistrationParams) -> None:  # noqa: ARG001
        gone = {one.id for one in params.unregisterations}
        editor.registered[:] = [one for one in editor.registered if one.id not in gone]

    def refresh(_: LanguageClient, params: None) -> None:
        editor.refreshes.append(params)

    def agents_changed(_: LanguageClient, params: object) -> None:
        editor.agents_changed.append(params)

    editor.client.feature("agentTemplates/agentsChanged")(agents_changed)
    features = {
        **DEFAULT_CLIENT_FEATURES,
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
        types.WORKSPACE_DIAGNOSTIC_REFRESH: refresh,
        types.CLIENT_REGISTER_CAPABILITY: register,
        types.CLIENT_UNREGISTER_CAPABILITY: unregister,
    }
    register_lsp_features(editor.client, features)
