"""Finds the programs that read a file, and the scope of its folder in each of them.

Invariant: a common folder belongs to a system only if its files show so.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from typing import cast

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.dialect import Dialect, Reader
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.misplaced import (
    Misplaced,
    all_misplaced,
    any_claims_template,
    claims_template,
    is_of_system,
)
from agent_lsp.workspace.near import may_look
from agent_lsp.workspace.paths import HostPaths, folded
from agent_lsp.workspace.programs import (
    beside,
    counts,
    extra_scope,
    in_settings,
    in_use,
    is_named,
    may_be,
    named_files,
    readers_in_use,
    with_folder,
)
from agent_lsp.workspace.scopes import scope_of, session_root

_DEFAULT = Options()
# The folders above a file among which that of its options mostly is.
_NEAR = 4

# The programs that look into a folder, and all folders of the workspace that a system looks into.
_PLACED: "Memo[tuple[Placement, ...]]" = Memo(Lifetime.TREE)
_COMMON = Memo[tuple[Path, ...]](Lifetime.TREE)
# The options of folders about whose files somebody asked.
_OPTIONS = Memo[dict[Path, Options]](Lifetime.TREE)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The input of all features.

    `systems` are the systems that the product knows. `roots` are the workspace folders, `folders`
    the folders below them that hold or may hold templates, and `settings` the options of each root.
    `claimed` maps folders to the dialect that the caller claims them for. `focus` is a folder that
    keeps its path if links give it several.
    """

    files: Files
    systems: tuple[System, ...]
    host_paths: HostPaths
    roots: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    settings: Mapping[Path, Options] = field(default_factory=dict)
    claimed: Mapping[Path, str] = field(default_factory=dict)
    focus: Path | None = None

    def at(self, folder: Path) -> "Workspace":
        """The same workspace, in which `folder` keeps its path."""
        files, systems, host_paths = self.files, self.systems, self.host_paths
        roots, folders, settings = self.roots, self.folders, self.settings
        return Workspace(files, systems, host_paths, roots, folders, settings, self.claimed, folder)


class PlacementKind(Enum):
    """Why the files of a folder count as templates of a system."""

    # The runtime looks there, or a setting says so.
    SCOPE = "scope"
    # The runtime does not look there, but a setting or the caller gives the folder to the system.
    CLAIMED = "claimed"
    # The runtime does not look there, though people expect it.
    MISPLACED = "misplaced"


@dataclass(frozen=True, slots=True)
class Placement:
    """How one program reads the files of a folder.

    `scope` is the scope of the folder. `root` is the session root of the first session that finds
    it, and `options` are the settings there. `misplaced` is set if the runtime does not look into
    the folder. `reader` names the program of the system, and is empty for the first one. If there
    are `readers`, only these programs of the system read the file, by their ids.
    """

    system: System
    kind: PlacementKind
    scope: Scope
    root: Path
    options: Options
    misplaced: Misplaced | None = None
    reader: str = ""
    readers: frozenset[str] = frozenset()
    # The dialect, once it is loaded.
    _dialect: Dialect | None = field(init=False, default=None, repr=False, compare=False)

    @property
    def dialect(self) -> Dialect:
        """The dialect of the reader, in the generation that the settings name."""
        if self._dialect is None:
            object.__setattr__(self, "_dialect", self._load())
        return cast("Dialect", self._dialect)

    def _load(self) -> Dialect:
        dialect = in_use(self.system.dialect, self.options)
        found = self.programs(dialect)
        first = found[0] if found and found[0] != dialect.variants.readers[0] else None
        named = next((one for one in found if self.reader and one.name == self.reader), first)
        return dialect if named is None else named.load()

    def programs(self, dialect: Dialect) -> tuple[Reader, ...]:
        """The programs of the system that read the file and count; all if none of them does."""
        every, looking = readers_in_use(dialect, self.options), self.readers or self.scope.readers
        return tuple(one for one in every if not looking or one.id in looking) or every


def placements(
    workspace: Workspace, path: Path, in_systems: tuple[Placement, ...] | None = None
) -> tuple[Placement, ...]:
    """The placements of the file at `path`: those of its readers, then those of other systems.

    `in_systems` are its `system_placements`, if they are there already. A shared folder of one
    system can be a wrong folder of another one.
    """
    own = system_placements(workspace, path) if in_systems is None else in_systems
    own = own or tuple(_beside(workspace, path))
    readers = own if _has_one_reader(own) else tuple(_each_reader(own))
    if (own and own[0].system.shared is None) or not is_free(workspace, path.parent):
        return readers
    return (*readers, *_misplaced(workspace, path, own))


def placement_at(workspace: Workspace, path: Path) -> Placement | None:
    """The placement of the file at `path` in its first reader, or None if no runtime reads it."""
    return next(_of_systems(workspace, path), None)


def system_placements(workspace: Workspace, path: Path) -> tuple[Placement, ...]:
    """The placement of the file at `path` in each system that reads it; loads no dialect."""
    return tuple(_of_systems(workspace, path))


def _of_systems(workspace: Workspace, path: Path) -> Iterator[Placement]:
    """The placement of the file in the first program of each system that really reads it."""
    name, root = path.name, first_root(workspace)
    named = named_files(workspace.systems, root, workspace.host_paths, workspace.files).get(path)
    if named is not None:
        yield Placement(named[0], PlacementKind.SCOPE, named[1], root, options_at(workspace, path))
    # Most files of a workspace are no templates by their names.
    if not may_be_template(workspace.systems, name):
        return
    folder = path.parent
    for found in placements_of_folder(workspace, folder):
        if not (found.system.has(name) and _is_own(workspace, found.system, path)):
            continue
        # A manifest may name the only files that count.
        if found.scope.may_hold(name) or not is_free(workspace, folder):
            yield from _in_programs(workspace, found, path)


def _beside(workspace: Workspace, path: Path) -> Iterator[Placement]:
    """The placement of a file that a runtime reads beside its agents."""
    host, files, options = workspace.host_paths, workspace.files, options_at(workspace, path)
    found = beside(workspace.systems, path.parent, host, files, options, path.name)
    if found and is_free(workspace, path.parent) and may_be(found[0], path, files):
        root = root_of(workspace, found[0], path.parent, found[1])
        yield Placement(found[0], PlacementKind.SCOPE, found[1], root, options)


def _in_programs(workspace: Workspace, found: Placement, path: Path) -> Iterator[Placement]:
    """The placement with the programs that read the file; none if no program does."""
    narrowed = found.system.readers_at
    if narrowed is None or found.kind is not PlacementKind.SCOPE:
        yield found
        return
    readers = narrowed(found.scope, path)
    # A setting may name a folder below another one for some of the programs.
    for options in workspace.settings.values():
        extra = options.extra(found.system.id)
        if path.parent in extra.scopes:
            readers |= narrowed(extra_scope(path.parent, extra), path)
    if readers:
        yield replace(found, readers=readers)


def _has_one_reader(own: tuple[Placement, ...]) -> bool:
    return not own or (len(own) == 1 and not own[0].dialect.variants.readers)


def _each_reader(own: tuple[Placement, ...]) -> Iterator[Placement]:
    for placement in own:
        dialect = in_use(placement.system.dialect, placement.options)
        readers = placement.programs(dialect)
        first = dialect.variants.readers[:1]
        for one in readers:
            yield placement if one in first else replace(placement, reader=one.name)
        if not readers:
            yield placement


def own_placements(workspace: Workspace, folder: Path) -> tuple[Placement, ...]:
    """The placement of `folder` in each system that looks there and has files in it."""
    found = placements_of_folder(workspace, folder)
    return tuple(one for one in found if holds_own(workspace, one.system, folder))


def first_of_forms(found: Iterable[Placement]) -> tuple[Placement, ...]:
    """The first placement for each form of files: Markdown, another extension, a fixed name."""
    first: dict[tuple[str, frozenset[str]], Placement] = {}
    for one in found:
        first.setdefault((one.system.extension, one.system.files), one)
    return tuple(first.values())


def folder_placement(workspace: Workspace, folder: Path) -> Placement | None:
    """The placement of `folder` in the program that looks into it, or None."""
    found = placement_by_place(workspace, folder)
    return found if found is not None and holds_own(workspace, found.system, folder) else None


def placement_by_place(workspace: Workspace, folder: Path) -> Placement | None:
    """As `folder_placement`, by the place alone; the files may be of another system."""
    return next(iter(placements_of_folder(workspace, folder)), None)


def placements_of_folder(workspace: Workspace, folder: Path) -> tuple[Placement, ...]:
    """The placements of `folder` in all programs that look there; the first owns its files."""
    return _PLACED.get(
        workspace.files,
        None,
        folder,
        lambda: tuple(_placements_of_folder(workspace, folder)),
        basis=(
            workspace.systems,
            workspace.settings,
            workspace.claimed,
            workspace.host_paths,
            workspace.roots,
        ),
    )


def _placements_of_folder(workspace: Workspace, folder: Path) -> Iterator[Placement]:
    options = options_at(workspace, folder)
    claim = workspace.claimed.get(folder) or options.folders.get(folder)
    if claim is None and _is_disowned(options.folders, folder):
        return
    claimed = system_by_id(workspace.systems, claim) if claim is not None else None
    for system in _looking(workspace, folder) if claim is None else filter(None, (claimed,)):
        scope = scope_in(workspace, system, folder)
        root = root_of(workspace, system, folder, scope)
        is_one = scope is not None and counts(system, scope, root, options, workspace.files)
        if claim is None and not is_one:
            continue
        yield Placement(
            system,
            PlacementKind.CLAIMED if scope is None else PlacementKind.SCOPE,
            scope_for(workspace, system, folder),
            root,
            options,
        )


def _looking(workspace: Workspace, folder: Path) -> Iterator[System]:
    """The systems that may look into `folder` by its names, or do by a setting."""
    near = may_look(workspace.systems, folder, workspace.host_paths, workspace.files)
    by_setting = with_folder(folder, workspace.settings.values())
    return (one for one in workspace.systems if one in near or one.id in by_setting)


def uncounted(workspace: Workspace, folder: Path) -> tuple[System, ...]:
    """The systems that look into `folder` and do not count in its project."""
    options, files = options_at(workspace, folder), workspace.files
    if not is_free(workspace, folder):
        return ()
    found = ((one, scope_in(workspace, one, folder)) for one in _looking(workspace, folder))
    return tuple(
        one
        for one, scope in found
        if scope is not None
        and not counts(one, scope, root_of(workspace, one, folder, scope), options, files)
    )


def _misplaced(workspace: Workspace, path: Path, own: tuple[Placement, ...]) -> Iterator[Placement]:
    folder, files = path.parent, workspace.files
    owner = own[0] if own else folder_placement(workspace, folder)
    options = options_at(workspace, folder)
    for wrong in all_misplaced(workspace.systems, path, workspace.host_paths, files):
        system = wrong.system
        is_left_out = bool(options.programs) and not is_named(system, options)
        if not (is_left_out or any(one.system is system for one in own)):
            scope = scope_in(workspace, system, folder)
            yield Placement(
                system,
                PlacementKind.MISPLACED,
                scope or Scope("project", "no scope", folder),
                owner.root if owner is not None else root_of(workspace, system, folder, scope),
                options,
                wrong,
            )


def root_of(workspace: Workspace, system: System, folder: Path, scope: Scope | None) -> Path:
    """The root of the first session of `system` that finds `folder`, a folder of `scope`."""
    if scope is None:
        return folder
    is_project = scope.kind == "project"
    root = session_root(system, folder, workspace.files) if is_project else None
    return root if root is not None else first_root(workspace)


def first_root(workspace: Workspace) -> Path:
    """The session root if nothing else decides it."""
    first = workspace.roots[0] if workspace.roots else None
    chosen = options_at(workspace, first).session_root if first is not None else None
    return chosen or first or workspace.host_paths.home or workspace.host_paths.templates


def options_at(workspace: Workspace, path: Path) -> Options:
    """The options of the deepest workspace folder that contains `path`.

    Options for the root of one disk apply to all disks, because Windows has several.
    """
    settings = workspace.settings
    # Asked several times about each file. Most ask about a workspace folder, or one near it, so the
    # folders above are made one by one.
    for folder in chain((path,), islice(path.parents, _NEAR)):
        if folder in settings:
            return settings[folder]
    return _inherited(workspace, path)


def _inherited(workspace: Workspace, path: Path) -> Options:
    """The options of the folders above `path`.

    These are made only until one is known: to make and to hash all of them takes the square of
    their number.
    """
    settings = workspace.settings
    known = _OPTIONS.get(workspace.files, None, None, dict, basis=settings)
    found, without = known.get(path), list[Path]()
    for folder in path.parents if found is None else ():
        found = known.get(folder) or settings.get(folder)
        without.append(folder)
        if found is not None:
            break
    if found is None:
        disks = (root for root in settings if root.parent == root)
        found = next((settings[root] for root in disks), _DEFAULT)
    known.update(dict.fromkeys(without, found))
    return found


def may_be_template(systems: Iterable[System], file_name: str) -> bool:
    """Whether some system has files with this name."""
    return any(system.has(file_name) for system in systems)


def system_by_id(systems: Iterable[System], name: str) -> System | None:
    """The system whose id is `name`, or None."""
    return next((system for system in systems if system.id == name), None)


def holds_own(workspace: Workspace, system: System, folder: Path) -> bool:
    """Whether `folder`, where `system` looks, holds a file of that system."""
    common, files = system.common, workspace.files
    if common is None or _is_vouched(workspace, system, folder):
        return True
    if any_claims_template(files, common, folder):
        return True
    shipped = any(
        system.dialect.names.name_of(name) in common.names for name in files.entries(folder)
    )
    return shipped and _is_of_system(workspace, system, folder)


def is_used(workspace: Workspace, system: System, scopes: Iterable[Scope]) -> bool:
    """Whether one of `scopes` holds templates of `system` that are not built in."""
    own = (scope for scope in scopes if not scope.builtin)
    return any(holds_own(workspace, system, scope.folder) for scope in own)


def scope_in(workspace: Workspace, system: System, folder: Path) -> Scope | None:
    """The scope of `system` that contains `folder`, by its place or by a setting; or None."""
    own = scope_of(system, folder, workspace.host_paths, workspace.files)
    if own is not None:
        return in_settings(own, system, workspace.settings.values())
    if system.id not in with_folder(folder, workspace.settings.values()):
        return None
    extras = (options.extra(system.id) for options in workspace.settings.values())
    return next(extra_scope(folder, one) for one in extras if folder in one.scopes)


def scope_for(workspace: Workspace, system: System, folder: Path) -> Scope:
    """As `scope_in`; for any other folder, the scope that it gets if it is claimed for `system`."""
    return scope_in(workspace, system, folder) or Scope("project", "claimed folder", folder)


def is_free(workspace: Workspace, folder: Path) -> bool:
    """Whether no setting claims `folder` for a dialect or excludes it."""
    claims = options_at(workspace, folder).folders
    is_claimed = folder in workspace.claimed or claims.get(folder) is not None
    return not is_claimed and not _is_disowned(claims, folder)


def _is_disowned(claims: Mapping[Path, str | None], folder: Path) -> bool:
    disowned = {place for place, claim in claims.items() if claim is None}
    return bool(disowned) and not disowned.isdisjoint((folder, *folder.parents))


def _is_vouched(workspace: Workspace, system: System, folder: Path) -> bool:
    """Whether all files of `folder` are templates of `system`, whatever their texts."""
    if system.common is None or folder in workspace.claimed:
        return True
    scope = scope_in(workspace, system, folder)
    return scope is not None and scope.builtin


def _is_own(workspace: Workspace, system: System, path: Path) -> bool:
    """Whether the file at `path`, where `system` looks, is a template of that system."""
    if system.common is None:
        return True
    folder, files = path.parent, workspace.files
    if _is_vouched(workspace, system, folder) or claims_template(files, system.common, path):
        return True
    if any_claims_template(files, system.common, folder):
        return True
    is_shipped = system.dialect.names.name_of(path.name) in system.common.names
    return is_shipped and _is_of_system(workspace, system, folder)


def _is_of_system(workspace: Workspace, system: System, folder: Path) -> bool:
    """Whether the repository of `folder` is for `system`, by its files or by a setting."""
    is_said = options_at(workspace, folder).folders.get(folder) is not None
    if is_said or system.id in with_folder(folder, workspace.settings.values()):
        return True
    return is_of_system(workspace.files, system, folder, _others(workspace, system))


def _others(workspace: Workspace, system: System) -> tuple[Path, ...]:
    """The folders of the workspace in which `system` looks."""

    def found() -> tuple[Path, ...]:
        places = {place.rpartition("/")[2] for rule in system.scopes for place in rule.folders}
        lasts = set(map(folded, places))
        named = (folder for folder in workspace.folders if folded(folder.name) in lasts)
        return tuple(folder for folder in named if scope_in(workspace, system, folder))

    # Compare names first: few of thousands of folders have such a name, and a full check of each at
    # a keystroke takes too long.
    return _COMMON.get(workspace.files, None, system, found, basis=workspace.folders)
