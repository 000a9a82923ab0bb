"""Finds the folders of a workspace that may hold templates, the templates, and links to them."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.workspace.definitions import folders
from agent_lsp.workspace.disk import NEVER_ENTERED
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.misplaced import misplaced_folder
from agent_lsp.workspace.near import may_misplace
from agent_lsp.workspace.paths import is_of_git
from agent_lsp.workspace.placement import (
    Placement,
    PlacementKind,
    Workspace,
    folder_placement,
    is_free,
    may_be_template,
    options_at,
    placement_by_place,
)
from agent_lsp.workspace.programs import beside
from agent_lsp.workspace.scopes import fixed_folder, repository, session_root
from agent_lsp.workspace.snapshot import is_template


def leads_out(path: Path, root: Path, files: Files) -> Path | None:
    """The real `path` of a file that a link leads out of the repository of `root`, or into `.git`.

    None if it stays inside, and for a path that is outside without a link.
    """
    own = repository(root, files) or root
    if own not in path.parents:
        return None
    top, real = files.real(own), files.real(path)
    is_inside = top in real.parents and not any(map(is_of_git, real.relative_to(top).parts))
    return None if is_inside else real


def templates(workspace: Workspace) -> Iterator[Path]:
    """The template files below the workspace folders, folder by folder."""
    for folder in workspace.folders:
        for name in workspace.files.entries(folder):
            path = folder / name
            if is_template(workspace, path):
                yield path


def template_folders(workspace: Workspace, root: Path) -> Iterator[Path | None]:
    """The folders below `root` to report on, with a None for each other step of the walk.

    The user's own templates and the built-in ones are left out, unless settings or the caller name
    their folders; `left_out` returns those of the user.
    """
    files = workspace.files
    for folder in files.walk(root, _Links(workspace, root).beyond):
        belongs = _searched_for(workspace, folder)
        is_left_out = belongs is not None and _is_left_out(workspace, root, belongs)
        yield folder if belongs is not None and not is_left_out else None
        yield from _not_walked(workspace, folder)
    # The walk does not enter build folders and links; add those that the user names.
    for folder in claims(workspace):
        if root in folder.parents and files.is_folder(folder):
            yield folder


def _not_walked(workspace: Workspace, folder: Path) -> Iterator[Path]:
    """The build folders inside `folder` if it is a place that a runtime searches as a whole."""
    owner = placement_by_place(workspace, folder)
    is_scope = owner is not None and owner.kind is PlacementKind.SCOPE
    scope = owner.scope if owner is not None and is_scope else _scope_beside(workspace, folder)
    if scope is None or not scope.deep or scope.folder != folder:
        return
    for inner in folders(workspace.files, scope):
        if folder in inner.parents and not NEVER_ENTERED.isdisjoint(
            inner.relative_to(folder).parts
        ):
            yield inner


class _Links:
    """Finds template folders behind the links below `root`; other links are not followed.

    Links of many projects may lead to the same folder. Each system gets it once, by its first name.
    """

    def __init__(self, workspace: Workspace, root: Path) -> None:
        self._workspace, self._files = workspace, workspace.files
        self._root = workspace.files.real(root)
        self._seen: set[tuple[Path, str, str]] = set()

    def beyond(self, link: Path) -> Iterator[Path]:
        """The template folders that a system finds through `link`."""
        for folder in (
            link,
            *(link / rest for rest in _rests(self._workspace.systems).get(link.name, ())),
        ):
            owner = placement_by_place(self._workspace, folder)
            if not self._files.is_folder(folder):
                continue
            if owner is None:
                scope = _scope_beside(self._workspace, folder)
                yield from folders(self._files, scope) if scope is not None else ()
                continue
            if self._is_new(folder, owner):
                is_scope = owner.kind is PlacementKind.SCOPE
                yield from folders(self._files, owner.scope) if is_scope else (folder,)

    def _is_new(self, folder: Path, owner: Placement) -> bool:
        real = self._files.real(folder)
        seen = (real, owner.system.id, owner.scope.label)
        if seen in self._seen:
            return False
        self._seen.add(seen)
        own = placement_by_place(self._workspace, real) if self._root in real.parents else None
        return own is None or own.system is not owner.system


@cache
def _rests(systems: tuple[System, ...]) -> Mapping[str, frozenset[str]]:
    """The paths in which systems look, without their first part, by that part."""
    found: dict[str, set[str]] = {}
    every = (one for system in systems for one in (system, *system.beside))
    rules = (rule for system in every for rule in system.scopes if not rule.builtin)
    for relative in (relative for rule in rules for relative in rule.folders):
        head, _, rest = relative.partition("/")
        if rest and not relative.startswith(("$", "~")):
            found.setdefault(head, set()).add(rest)
    return {head: frozenset(rests) for head, rests in found.items()}


def left_out(workspace: Workspace, root: Path) -> Iterator[Path]:
    """The folders of the user's own templates below `root` that `template_folders` leaves out."""
    files = workspace.files
    for system in workspace.systems:
        own = fixed_folder(system, workspace.host_paths, builtin=False)
        if own is None:
            continue
        # Compare real paths as well, since a link may lead there from below `root` or into `root`.
        above = {*map(files.real, own.parents), *files.real(own).parents}
        if files.real(root) not in above:
            continue
        has_any = any(is_template(workspace, own / name) for name in files.entries(own))
        if has_any and _is_left_out(workspace, root, own):
            yield own


def place_for(workspace: Workspace, folder: Path) -> Path | None:
    """The right folder for a template in `folder`: itself, or another one if it is misplaced.

    None for all folders that do not hold templates.
    """
    # Use only the place, since a change of a text may change the owner of the folder.
    if placement_by_place(workspace, folder) is not None:
        return folder
    near = may_misplace(workspace.systems, folder)
    misplaced = (
        misplaced_folder(system, folder, workspace.host_paths, workspace.files)
        for system in workspace.systems
        if system in near
    )
    found = next(filter(None, misplaced), None)
    return found.belongs if found is not None and is_free(workspace, folder) else None


def is_searched(workspace: Workspace, folder: Path) -> bool:
    """Whether `folder` is a place for templates, or a wrong place that people use."""
    return _searched_for(workspace, folder) is not None


def claims(workspace: Workspace) -> dict[Path, str]:
    """The folders that settings name, each with the dialect that they claim it for."""
    claims = {
        folder: known
        for options in workspace.settings.values()
        for known, extras in options.extras.items()
        for folder in extras.scopes
    }
    named = (claim for options in workspace.settings.values() for claim in options.folders.items())
    return claims | {folder: claim for folder, claim in named if claim}


def _searched_for(workspace: Workspace, folder: Path) -> Path | None:
    """The right folder for the templates in `folder`, or None if it is not searched."""
    place = place_for(workspace, folder)
    if place is None:
        return folder if _scope_beside(workspace, folder) is not None else None
    if place == folder:
        return place
    paths = (folder / name for name in workspace.files.entries(folder))
    return place if any(is_template(workspace, path) for path in paths) else None


def _scope_beside(workspace: Workspace, folder: Path) -> Scope | None:
    """The scope of `folder` if a runtime reads other files than agents there."""
    if not is_free(workspace, folder):
        return None
    options = options_at(workspace, folder)
    found = beside(workspace.systems, folder, workspace.host_paths, workspace.files, options)
    return found[1] if found is not None else None


def _fixed_folders(workspace: Workspace) -> Iterator[Path]:
    for system in workspace.systems:
        for builtin in (True, False):
            folder = fixed_folder(system, workspace.host_paths, builtin=builtin)
            if folder is not None:
                yield folder


def _is_left_out(workspace: Workspace, root: Path, folder: Path) -> bool:
    """Whether `folder` is no part of a project, and the walk of `root` only came across it."""
    files, home = workspace.files, workspace.host_paths.home
    owner = folder_placement(workspace, folder)
    if owner is None or owner.scope.kind == "project":
        return False
    if files.real(folder) not in map(files.real, _fixed_folders(workspace)):
        return False
    is_meant = folder in workspace.claimed or folder in claims(workspace)
    if is_meant or folder.parent in (root, *root.parents):
        return False
    if owner.scope.builtin:
        return True
    project = session_root(owner.system, folder, files)
    is_home = home is not None and files.real(root) == files.real(home)
    if project is not None and files.real(project) == files.real(root) and not is_home:
        # A session in `root` finds it as a folder of the project.
        return False
    # A folder in a repository belongs to the repository.
    return not any(files.exists(above / ".git") for above in folder.parents)


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
