"""Finds the other names of a template file: the symbolic and hard links to it.

Invariant: only names in folders that are known to hold templates are found, because these are the
names under which a program reads the file.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import Workspace, may_be_template
from agent_lsp.workspace.scopes import fixed_folder

_NAMES = Memo[tuple[Path, ...]](Lifetime.TREE)


def other_names(workspace: Workspace, path: Path) -> tuple[Path, ...]:
    """The other paths of the file at `path`, sorted; none for a file that is not on disk."""
    return _NAMES.get(
        workspace.files,
        None,
        path,
        lambda: tuple(sorted(set(_other_names(workspace, path)))),
        basis=(workspace.folders, workspace.systems),
    )


def _other_names(workspace: Workspace, path: Path) -> Iterator[Path]:
    files = workspace.files
    real, inode = files.real(path), files.shared_inode(path)
    for folder in dict.fromkeys((*workspace.folders, *_own_folders(workspace))):
        for name in _possible_names(workspace, folder, real.name, is_hard=inode is not None):
            other = folder / name
            if other == path:
                continue
            is_hard = inode is not None and files.shared_inode(other) == inode
            if is_hard or files.real(other) == real:
                yield other


def _possible_names(
    workspace: Workspace, folder: Path, name: str, *, is_hard: bool
) -> Iterator[str]:
    """The names in `folder` that may lead to a file called `name`."""
    entries = workspace.files.entries(folder)
    if is_hard:
        yield from (one for one in entries if may_be_template(workspace.systems, one))
        return
    if name in entries:
        yield name
    yield from workspace.files.links(folder)


def _own_folders(workspace: Workspace) -> Iterator[Path]:
    """The folders of the user's own templates, which a search of a project leaves out."""
    for system in workspace.systems:
        folder = fixed_folder(system, workspace.host_paths, builtin=False)
        if folder is not None:
            yield folder
