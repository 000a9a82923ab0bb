"""Finds the templates that a call of `check` is about, and the workspace to check them in.

Invariants: the findings in a template do not depend on how it is named in the call. Files that are
left out still count for others, for example if they define a name.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from agent_lsp.cli.gitignore import gitignored
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.environment import SYSTEMS, host_paths_from_environment, workspace_for
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.system import System
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.placement import PlacementKind, folder_placement, placements
from agent_lsp.workspace.scopes import repository, session_root
from agent_lsp.workspace.search import left_out, template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, is_template


@dataclass(frozen=True, slots=True)
class Targets:
    """The templates to check, sorted; `others` are named files that are not templates.

    `own` are the folders of the user's own templates that were found and are not checked. `ignored`
    are the templates that Git ignores.
    """

    workspace: Workspace
    paths: tuple[Path, ...]
    others: tuple[Path, ...]
    own: tuple[Path, ...]
    ignored: tuple[Path, ...]
    messages: tuple[str, ...]


def targets(
    targets: tuple[Path, ...],
    files: Files,
    dialect: Dialect | None,
    here: Path,
    *,
    is_ignoring: bool = True,
    is_isolated: bool = False,
    programs: frozenset[str] = frozenset(),
    systems: tuple[System, ...] = SYSTEMS,
    config: Path | None = None,
) -> Targets:
    """The templates at `targets`; a `dialect` claims their folders, and `programs` are `--for`."""
    folders = {path: path if files.is_folder(path) else path.parent for path in targets}
    claimed = dict.fromkeys(folders.values(), dialect.id) if dialect else {}
    build = partial(
        workspace_for,
        files=files,
        host_paths=host_paths_from_environment(),
        claimed=claimed,
        folders=(),
        isolated=is_isolated,
        programs=programs,
        systems=systems,
        config=config,
    )
    roots = tuple(dict.fromkeys(folders.values()))
    workspace, messages = build(roots)
    searched = tuple(path for path in targets if folders[path] == path)
    workspace = _with_folders(workspace, searched)
    paths, others = set(templates(workspace)), []
    project_of = partial(_project_of, workspace)
    passed = gitignored(paths, searched, files, project_of) if is_ignoring else frozenset()
    paths -= passed
    for path in targets:
        if folders[path] != path and is_template(workspace, path):
            paths.add(path)
        elif folders[path] != path:
            others.append(path)
    holding = tuple({path.parent for path in paths})
    owners = filter(None, (folder_placement(workspace, folder) for folder in holding))
    # The user's own templates are checked from the current folder, as an editor checks them from
    # its folder.
    first = (here,) if any(owner.scope.kind == "user" for owner in owners) else ()
    wider = _wider(workspace, (*first, *_session_roots(holding, files)), searched)
    if wider or first:
        workspace, messages = build(tuple(dict.fromkeys((*first, *roots, *wider))))
        workspace = _with_folders(workspace, (*searched, *wider))
    checked = set(map(files.real, holding))
    own = (folder for root in searched for folder in left_out(workspace, root))
    unchecked = dict.fromkeys(folder for folder in own if files.real(folder) not in checked)
    left = tuple(sorted(passed - paths))
    return Targets(workspace, tuple(sorted(paths)), tuple(others), tuple(unchecked), left, messages)


def without(found: Targets, patterns: Iterable[str], here: Path) -> Targets:
    """`found` without the templates whose path, or the path of a folder above, fits a pattern.

    A pattern is compared with the path relative to `here`, and one without a `/` with each name in
    it.
    """
    wanted = tuple(pattern.rstrip("/") for pattern in patterns)
    if not wanted:
        return found

    def fits(path: Path) -> bool:
        parts = Path(from_folder(path, here)).parts
        places = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        return any(
            fnmatchcase(name, one) for one in wanted for name in (places if "/" in one else parts)
        )

    return replace(found, paths=tuple(path for path in found.paths if not fits(path)))


def above(here: Path, files: Files) -> tuple[Path, ...]:
    """The templates above `here`, in its repository, that a session in `here` may find."""
    top = repository(here, files)
    if top is None or top == here:
        return ()
    workspace, _ = workspace_for((top,), files, host_paths_from_environment(), folders=())
    found = tuple(templates(_with_folders(workspace, (top,))))
    starts = {folder: set(_session_roots((folder,), files)) for folder in {p.parent for p in found}}
    return tuple(sorted(p for p in found if not starts[p.parent].isdisjoint(here.parents)))


def _project_of(workspace: Workspace, folder: Path) -> Path | None:
    """The project in which a runtime looks into `folder`, or None if it is in none."""
    found = folder_placement(workspace, folder)
    if found is None:
        own = (path for path in (folder / name for name in workspace.files.entries(folder)))
        found = next((one for path in own for one in placements(workspace, path)), None)
    is_scope = found is not None and found.kind is PlacementKind.SCOPE
    return found.root if found is not None and is_scope and found.scope.kind == "project" else None


def _with_folders(workspace: Workspace, searched: Iterable[Path]) -> Workspace:
    found = (folder for root in searched for folder in template_folders(workspace, root))
    return replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))


def _session_roots(folders: Iterable[Path], files: Files) -> Iterator[Path]:
    roots = (session_root(system, folder, files) for folder in folders for system in SYSTEMS)
    return filter(None, roots)


def _wider(
    workspace: Workspace, starts: tuple[Path, ...], searched: tuple[Path, ...]
) -> tuple[Path, ...]:
    """The session roots in `starts` that were not searched yet.

    Which sessions find a file depends on the folders below their session roots, even if the call
    names only the file. Roots outside of a repository are not searched, and neither are the home
    folder and those above it.
    """
    files, home = workspace.files, workspace.host_paths.home
    roots: dict[Path, None] = {}
    for root in sorted(starts):
        if any(top in (root, *root.parents) for top in searched):
            continue
        if home is not None and root in (home, *home.parents):
            continue
        if repository(root, files) is not None:
            roots[root] = None
    return tuple(roots)
