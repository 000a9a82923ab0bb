"""What surrounds the process: home, environment variables and settings files make a workspace.

Invariants: environment variables are read only here; the command line and the server build
their workspaces here, so that both say the same about a file.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from agent_lsp.dialects.known import DIALECTS
from agent_lsp.installed import installed
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, find_folders, place_for
from agent_lsp.workspace.scopes import Places, scopes, session_root

SETTINGS_FILE = "agent-template-lsp.toml"

_VARIABLES = ("CODEX_HOME", "XDG_CONFIG_HOME")


def places_from_environment() -> Places:
    """The folders of this machine, as its environment states them."""
    try:
        home = Path.home()
    except RuntimeError:
        home = None
    # A relative folder means one below the current folder, to the runtimes as well.
    given = {name: os.environ[name] for name in _VARIABLES if os.environ.get(name)}
    variables = {name: str(Path(folder).absolute()) for name, folder in given.items()}
    return Places(home, installed("templates"), variables)


def workspace_for(
    roots: tuple[Path, ...],
    files: Files,
    places: Places,
    *,
    editor: Mapping[Path, object] | None = None,
    claimed: Mapping[Path, str] | None = None,
    folders: tuple[Path, ...] | None = None,
) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of `roots` with their settings, and what is wrong with those.

    `editor` is the editor's section for each root, and overrides the settings file;
    `claimed` are folders given to a dialect. `folders` are the template folders if they are
    known already (or are to be found later, by `template_folders`); else they are found now.
    """
    settings: dict[Path, Options] = {}
    messages: list[str] = []
    for root in roots:
        settings[root], said = _options(root, files, (editor or {}).get(root))
        messages += said
    workspace = Workspace(files, places, roots, folders or (), settings, claimed or {})
    if folders is None:
        found = (folder for root in roots for folder in template_folders(workspace, root))
        workspace = replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))
    return workspace, tuple(dict.fromkeys(messages))


def template_folders(workspace: Workspace, root: Path) -> Iterator[Path | None]:
    """The template folders below `root` to report on, with a None for each other step.

    The user's own templates and those that the product ships are left out, unless they are
    claimed or `root` lies in their place: nobody sent us there.
    """
    claims = {
        folder: claim
        for options in workspace.settings.values()
        for folder, claim in options.folders.items()
        if claim
    }
    passed_over = _folders_of_nobody(workspace, root) - {*claims, *workspace.claimed}
    for folder in find_folders(workspace, root):
        known = folder is not None and place_for(workspace, folder) not in passed_over
        yield folder if known else None
    # The walk does not enter build folders and links, but what a user names is meant.
    for folder in claims:
        if root in folder.parents and workspace.files.is_folder(folder):
            yield folder


def settings_file(root: Path, files: Files) -> Path | None:
    """The settings file that counts for `root`: the nearest one, up to the folder with `.git`."""
    for folder in (root, *root.parents):
        path = folder / SETTINGS_FILE
        if files.is_open(path) or files.exists(path):
            return path
        if files.exists(folder / ".git"):
            return None
    return None


def _options(root: Path, files: Files, section: object) -> tuple[Options, tuple[str, ...]]:
    path = settings_file(root, files)
    file = files.read(path) if path else None
    if file is None and not section:
        return Options(), ()
    # Settings are rare, and what checks them takes longer to import than all the rest.
    from agent_lsp import settings  # noqa: PLC0415

    base, said = Options(), tuple[str, ...]()
    if file is not None and file.problem is not None:
        said = (f"{file.path}: cannot be read: {file.problem}",)
    elif file is not None:
        base, said = settings.from_file(file.text, file.path)
        said = (*said, *_missing(base, file.path, files))
    over, more = settings.from_editor(section, root)
    return settings.merge(base, over), (*said, *more)


def _missing(options: Options, path: Path, files: Files) -> Iterator[str]:
    """The folders that a settings file counts on and that do not exist."""
    needed = [("session-root", options.session_root)]
    needed += [("folders", folder) for folder, claim in options.folders.items() if claim]
    for key, folder in needed:
        if folder is not None and not files.is_folder(folder):
            written = os.path.relpath(folder, path.parent)
            yield f"{path}: `{key}`: there is no folder `{written}`"


def _folders_of_nobody(workspace: Workspace, root: Path) -> frozenset[Path]:
    """The scopes outside of all projects that a walk of `root` may come across by chance."""
    files = workspace.files
    # Seen from the top of the disk, no project's scope can hide a user's.
    top = Path(workspace.places.templates.anchor)
    found = set()
    for known in DIALECTS:
        for scope in scopes(known, top, workspace.places, files):
            project = session_root(known, scope.folder)
            is_kept = project is not None and files.exists(project / ".git")
            if scope.kind != "project" and not is_kept:
                found.add(scope.folder)
    return frozenset(folder for folder in found if folder.parent not in (root, *root.parents))
