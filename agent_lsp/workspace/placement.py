"""Finds the dialect and the scope of a folder, and of a file in it.

Invariants: a folder with a common name is nobody's unless what lies in it says whose it is. For
that a closed file is read once, and again when somebody says that a file of the folder has changed;
of a folder at most `_MOST` closed files are asked.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import CommonFolder
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import OF_TEXTS, Files
from agent_lsp.workspace.paths import below, folded, holds
from agent_lsp.workspace.scopes import HostPaths, folders_upward, repository, scope_of, session_root

# Asked for in a common folder. Where so many say nothing, nobody keeps templates.
_MOST = 500


def claims_template(files: Files, common: CommonFolder, path: Path) -> bool:
    """Whether the text of the file at `path` says that it is a template."""
    if files.is_open(path):
        return _open_file_claims(files, common, path)
    return path in _closed(files, common, path.parent)


def any_claims_template(files: Files, common: CommonFolder, folder: Path) -> bool:
    """Whether a file of `folder` says so, which speaks for the files beside it, too."""
    held = (path for path in files.opened() if path.parent == folder)
    if any(_open_file_claims(files, common, path) for path in held):
        return True
    return bool(_closed(files, common, folder))


def is_of_system(files: Files, dialect: Dialect, folder: Path, others: Iterable[Path]) -> bool:
    """Whether the repository of `folder` shows that it is for the runtime of `dialect`.

    `others` are folders in which the runtime may look, here and elsewhere.
    """
    common = dialect.system.common
    if common is None:
        return False
    base = session_root(dialect.system, folder, files) or folder
    top = repository(base, files)
    above = tuple(folders_upward(base, files)) if top is not None else (base,)
    if any(files.is_folder(start / common.landmark) for start in above):
        return True
    beside = (start / place for start in above for place in _places(dialect.system))
    # Asked of each common folder of a workspace, at every keystroke in such a file.
    inside = filter(below(top), others) if top is not None else ()
    return any(
        any_claims_template(files, common, other) for other in dict.fromkeys((*beside, *inside))
    )


def _open_file_claims(files: Files, common: CommonFolder, path: Path) -> bool:
    # Forgotten with the text of the file.
    kept = files.notes.get(path, {}).get(common)
    if not isinstance(kept, bool):
        kept = _says(files, common, path)
        files.notes.setdefault(path, {})[common] = kept
    return kept


@dataclass(frozen=True, slots=True)
class _Closed:
    """Those of a folder's files that no editor holds and that say that they are templates."""

    common: CommonFolder
    speaking: frozenset[Path]


def _closed(files: Files, common: CommonFolder, folder: Path) -> frozenset[Path]:
    kept = files.derived(folder, OF_TEXTS)
    if not isinstance(kept, _Closed) or kept.common is not common:
        paths = (folder / name for name in files.entries(folder) if name.endswith(".md"))
        closed = islice((path for path in paths if not files.is_open(path)), _MOST)
        kept = _Closed(common, frozenset(path for path in closed if _says(files, common, path)))
        files.remember(folder, OF_TEXTS, kept)
    return kept.speaking


def _says(files: Files, common: CommonFolder, path: Path) -> bool:
    file = files.read(path)
    return file is not None and common.says(file.text)


def _places(system: System) -> Iterator[str]:
    """The folders of a project in which the runtime looks."""
    yield from (place for rule in system.scopes if not rule.builtin for place in rule.folders)


def extra_scope(folder: Path) -> Scope:
    """What `folder` is where a user says that the runtime looks there, too."""
    return Scope("extra", "extra scope", folder)


def with_extra(
    scopes: tuple[Scope, ...], more: tuple[Path, ...], files: Files
) -> tuple[Scope, ...]:
    """`scopes` with a user's own scopes, which come before what is built in."""
    there = {files.real(scope.folder) for scope in scopes} if more else set()
    new = (folder for folder in more if files.is_folder(folder) and files.real(folder) not in there)
    own = (scope for scope in scopes if not scope.builtin)
    return (*own, *map(extra_scope, new), *(scope for scope in scopes if scope.builtin))


def in_use(dialect: Dialect, options: Options) -> Dialect:
    """The dialect `dialect` in the generation that the settings name, if they name one."""
    first = dialect.forms()[0] if dialect.forms is not None else dialect
    generation = options.extra(first.id).generation
    return (
        dialect.in_generation(generation)
        if generation is not None and dialect.in_generation is not None
        else dialect
    )


_DEFAULT = Options()


@dataclass(frozen=True, slots=True)
class Workspace:
    """What all features look at.

    `systems` are those that the product knows. `roots` are the workspace folders; `folders` those
    found below them that hold templates, or may do so; `settings` the options of each root;
    `claimed` folders given to a dialect by the caller. `focus` is a folder that is called by this
    name of all that links give it.
    """

    files: Files
    systems: tuple[System, ...]
    host_paths: HostPaths
    roots: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    settings: Mapping[Path, Options] = field(default_factory=dict)
    claimed: Mapping[Path, str] = field(default_factory=dict)
    focus: Path | None = None


def options_at(workspace: Workspace, path: Path) -> Options:
    """The options of the deepest workspace folder that holds `path`.

    What is said of the top of a disk holds for all disks, of which Windows has many.
    """
    holding = [root for root in workspace.settings if holds(root, path)]
    holding = holding or [root for root in workspace.settings if root.parent == root]
    deepest = max(holding, key=lambda root: len(root.parts), default=None)
    return workspace.settings[deepest] if deepest is not None else _DEFAULT


def may_be_template(systems: Iterable[System], file_name: str) -> bool:
    """Whether some system has files with such a name."""
    return any(system.has(file_name) for system in systems)


def system_by_id(systems: Iterable[System], name: str) -> System | None:
    """The system whose id is `name`, or None."""
    return next((system for system in systems if system.id == name), None)


def dialect_at(workspace: Workspace, path: Path) -> Dialect | None:
    """The dialect of the file at `path`, or None: then it is none of our business."""
    if not may_be_template(workspace.systems, path.name):
        return None
    dialect = dialect_of_place(workspace, path.parent)
    if (
        dialect is None
        or not dialect.system.has(path.name)
        or not _is_own(workspace, dialect, path)
    ):
        return None
    scope = scope_of(dialect.system, path.parent, workspace.host_paths, workspace.files)
    is_left_out = scope is not None and not scope.may_hold(path.name)
    return None if is_left_out and is_free(workspace, path.parent) else dialect


def dialect_of_folder(workspace: Workspace, folder: Path) -> Dialect | None:
    """The dialect that looks into `folder`, or None."""
    dialect = dialect_of_place(workspace, folder)
    return dialect if dialect is not None and holds_own(workspace, dialect, folder) else None


def dialect_of_place(workspace: Workspace, folder: Path) -> Dialect | None:
    """As `dialect_of_folder`, by the place alone: what is there may be somebody else's."""
    # Asked several times about the folder of each file.
    kept = workspace.files.derived(None, ("place", folder))
    if not isinstance(kept, _PlacedDialect) or not kept.is_of(workspace):
        found = _dialect_of_place(workspace, folder)
        kept = _PlacedDialect(workspace.settings, workspace.claimed, workspace.host_paths, found)
        workspace.files.remember(None, ("place", folder), kept)
    return kept.dialect


@dataclass(frozen=True, slots=True)
class _PlacedDialect:
    """The dialect that looks into a folder by what is said of folders."""

    settings: Mapping[Path, Options]
    claimed: Mapping[Path, str]
    host_paths: HostPaths
    dialect: Dialect | None

    def is_of(self, workspace: Workspace) -> bool:
        """Whether the answer holds in `workspace`."""
        is_said = self.settings is workspace.settings and self.claimed is workspace.claimed
        return is_said and self.host_paths is workspace.host_paths


def _dialect_of_place(workspace: Workspace, folder: Path) -> Dialect | None:
    options = options_at(workspace, folder)
    claim = workspace.claimed.get(folder) or options.folders.get(folder)
    if claim is not None:
        system = system_by_id(workspace.systems, claim)
    elif _is_disowned(options.folders, folder):
        system = None
    else:
        own = (one for one in workspace.systems if scope_in(workspace, one, folder))
        system = next(own, None)
    return in_use(system.dialect, options) if system is not None else None


def holds_own(workspace: Workspace, dialect: Dialect, folder: Path) -> bool:
    """Whether a file of `folder`, where `dialect` looks, is one of its own."""
    common_, files = dialect.system.common, workspace.files
    if common_ is None or _is_vouched(workspace, dialect, folder):
        return True
    if any_claims_template(files, common_, folder):
        return True
    shipped = any(dialect.name_of(name) in common_.names for name in files.entries(folder))
    return shipped and _is_of_system(workspace, dialect, folder)


def is_used(workspace: Workspace, dialect: Dialect, scopes: Iterable[Scope]) -> bool:
    """Whether some of `scopes` has templates of somebody's own, and no other system's."""
    own = (scope for scope in scopes if not scope.builtin)
    return any(holds_own(workspace, dialect, scope.folder) for scope in own)


def speaks_for_folder(workspace: Workspace, path: Path) -> bool:
    """Whether the file at `path` makes templates of those beside it, in a common folder."""
    dialect = dialect_of_place(workspace, path.parent)
    if dialect is None or dialect.system.common is None or not dialect.system.has(path.name):
        return False
    return claims_template(workspace.files, dialect.system.common, path)


def scope_at(workspace: Workspace, folder: Path) -> Scope | None:
    """What `folder` is by its place to the dialect that looks into it, or None."""
    dialect = dialect_of_folder(workspace, folder)
    return scope_in(workspace, dialect.system, folder) if dialect is not None else None


def scope_or_label(
    workspace: Workspace, dialect: Dialect, folder: Path, label: str = "claimed folder"
) -> Scope:
    """The scope of the files that `dialect` reads in `folder`; `label` is for one that is none."""
    return scope_in(workspace, dialect.system, folder) or Scope("project", label, folder)


def scope_in(workspace: Workspace, system: System, folder: Path) -> Scope | None:
    """The scope of `system` that `folder` is, by its place or because a user says so."""
    own = scope_of(system, folder, workspace.host_paths, workspace.files)
    return own or (extra_scope(folder) if _is_extra(workspace, system, folder) else None)


def is_free(workspace: Workspace, folder: Path) -> bool:
    """Whether nobody has said what `folder` is: given to a dialect, or none of our business."""
    claims = options_at(workspace, folder).folders
    is_claimed = folder in workspace.claimed or claims.get(folder) is not None
    return not is_claimed and not _is_disowned(claims, folder)


def _is_disowned(claims: Mapping[Path, str | None], folder: Path) -> bool:
    disowned = {place for place, claim in claims.items() if claim is None}
    return bool(disowned) and not disowned.isdisjoint((folder, *folder.parents))


def _is_extra(workspace: Workspace, system: System, folder: Path) -> bool:
    vouched = (options.extra(system.id).scopes for options in workspace.settings.values())
    return any(folder in more for more in vouched)


def _is_vouched(workspace: Workspace, dialect: Dialect, folder: Path) -> bool:
    """Whether all files of `folder` are templates of `dialect`, whatever they say."""
    if dialect.system.common is None or folder in workspace.claimed:
        return True
    scope = scope_in(workspace, dialect.system, folder)
    return scope is not None and scope.builtin


def _is_own(workspace: Workspace, dialect: Dialect, path: Path) -> bool:
    """Whether the file at `path`, where `dialect` looks, is a template and nobody else's."""
    folder, files = path.parent, workspace.files
    if dialect.system.common is None or _is_vouched(workspace, dialect, folder):
        return True
    if claims_template(files, dialect.system.common, path) or any_claims_template(
        files, dialect.system.common, folder
    ):
        return True
    is_shipped = dialect.name_of(path.name) in dialect.system.common.names
    return is_shipped and _is_of_system(workspace, dialect, folder)


def _is_of_system(workspace: Workspace, dialect: Dialect, folder: Path) -> bool:
    """Whether the repository of `folder` is for the runtime of `dialect`, or a user says so."""
    is_said = options_at(workspace, folder).folders.get(folder) is not None
    if is_said or _is_extra(workspace, dialect.system, folder):
        return True
    return is_of_system(workspace.files, dialect, folder, _others(workspace, dialect.system))


def _others(workspace: Workspace, system: System) -> Iterator[Path]:
    """The folders of the workspace where `system` looks."""
    files, key = workspace.files, ("common", system.id)
    kept = files.derived(None, key)
    # Of thousands of folders few are called so, and to ask each at a keystroke takes too long.
    if not isinstance(kept, _CommonFolders) or kept.among is not workspace.folders:
        places = {place.rpartition("/")[2] for rule in system.scopes for place in rule.folders}
        lasts = set(map(folded, places))
        named = (folder for folder in workspace.folders if folded(folder.name) in lasts)
        found = tuple(folder for folder in named if scope_in(workspace, system, folder))
        kept = _CommonFolders(workspace.folders, found)
        files.remember(None, key, kept)
    yield from kept.found


@dataclass(frozen=True, slots=True)
class _CommonFolders:
    """Those of the folders `among` that a dialect looks into."""

    among: tuple[Path, ...]
    found: tuple[Path, ...]
