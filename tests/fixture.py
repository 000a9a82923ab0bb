"""Workspaces written as text: `//- path` starts a file, `$0` is the cursor.

A path that starts with `~/` lies below the fixture's home; every other one below the
workspace folder, which holds a `.git`. The first file with a cursor, else the first file,
is the one under test.
"""

import textwrap
from collections.abc import Mapping
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects import SYSTEMS
from agent_lsp.installed import installed
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.search import template_folders
from agent_lsp.workspace.snapshot import Workspace

DEFAULT_PATH = ".codex/.agents/reviewer.md"


@dataclass(frozen=True, slots=True)
class Fixture:
    """A workspace on disk, the file under test, its text and the cursor in it (or 0)."""

    workspace: Workspace
    root: Path
    path: Path
    text: str
    offset: int


def fixture(
    folder: Path,
    source: str,
    *,
    options: Options | None = None,
    variables: Mapping[str, str] | None = None,
    systems: tuple[System, ...] = SYSTEMS,
) -> Fixture:
    """The fixture that `source` describes, written below the empty `folder`."""
    root, home = folder / "workspace", folder / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir()
    marked: tuple[Path, str, int] | None = None
    for name, marked_text in _files(textwrap.dedent(source)):
        path = home / name.removeprefix("~/") if name.startswith("~/") else root / name
        cursor = marked_text.find("$0")
        text = marked_text.replace("$0", "")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        if marked is None or (cursor >= 0 and marked[2] < 0):
            marked = (path, text, cursor)
    if marked is None:
        message = "a fixture needs a file"
        raise ValueError(message)
    files = Files()
    places = HostPaths(home, installed("templates"), dict(variables or {}))
    bare = Workspace(files, systems, places, (root,), (), {root: options or Options()})
    folders = tuple(found for found in template_folders(bare, root) if found is not None)
    workspace = Workspace(files, systems, places, (root,), folders, bare.settings)
    return Fixture(workspace, root, marked[0], marked[1], max(marked[2], 0))


def _files(source: str) -> list[tuple[str, str]]:
    source = source.removeprefix("\n")
    if not source.startswith("//- "):
        return [(DEFAULT_PATH, source)]
    files = []
    for piece in source.removeprefix("//- ").split("\n//- "):
        name, _, text = piece.partition("\n")
        # The line end before the next header belongs to the file, as the last one does.
        files.append((name.strip(), text if piece.endswith("\n") or not text else f"{text}\n"))
    return files
