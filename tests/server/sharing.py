"""Servers that the tests of a module share: each test has folders of its own in a running one."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from lsprotocol import types

from tests.server.editor import Editor, editing

Able = Callable[[types.ClientCapabilities], None]
_SECTION = "agentTemplates"


class Servers:
    """The running servers of a module, one for each kind of client."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._idle: dict[object, Editor] = {}
        self._started = 0

    @asynccontextmanager
    async def editing(
        self,
        folder: Path,
        name: str,
        files: Mapping[str, str],
        *,
        roots: tuple[str, ...] = (".",),
        settings: object = None,
        asks: Mapping[str, object] | None = None,
        popups: bool = False,
        able: Able | None = None,
    ) -> AsyncIterator[Editor]:
        """An editor that adds a workspace with `files`, and removes it at the end.

        The other arguments are those of `tests.server.editor.editing`.
        """
        kind = (name, repr(asks), able)
        editor = self._idle.pop(kind, None)
        if editor is None:
            self._started += 1
            own = self._folder / str(self._started)
            own.mkdir()
            fresh = editing(own, name, {}, roots=(), asks=asks, able=able)
            editor = await self._stack.enter_async_context(fresh)
        editor.folder = folder
        (editor.root / ".git").mkdir(parents=True)
        for file, text in files.items():
            editor.write(file, text)
        if settings is not None:
            _configure(editor, settings)
        added = editor.folders(roots)
        _move(editor, types.WorkspaceFoldersChangeEvent(added, []))
        yield editor
        await _leave(editor, added)
        said, editor.client.messages = editor.client.messages, []
        assert popups or said == []
        self._idle[kind] = editor


def _configure(editor: Editor, settings: object) -> None:
    editor.client.set_configuration(settings, section=_SECTION)
    params = types.DidChangeConfigurationParams(settings=None)
    editor.client.workspace_did_change_configuration(params)


def _move(editor: Editor, event: types.WorkspaceFoldersChangeEvent) -> None:
    params = types.DidChangeWorkspaceFoldersParams(event)
    editor.client.workspace_did_change_workspace_folders(params)


async def _leave(editor: Editor, folders: list[types.WorkspaceFolder]) -> None:
    """Takes back all that a test has told the server, and waits until the server has done so."""
    for path in list(editor.versions):
        editor.close(path)
    editor.versions.clear()
    _move(editor, types.WorkspaceFoldersChangeEvent([], folders))
    gone = [path for path in editor.home.rglob("*") if not path.is_dir()]
    for path in gone:
        path.unlink()
        editor.changed_on_disk(path, types.FileChangeType.Deleted)
    _configure(editor, {})
    await editor.settled()
    editor.published.clear()
    editor.refreshes.clear()
    editor.agents_changed.clear()
    editor.client.diagnostics.clear()
    editor.client.log_messages.clear()
