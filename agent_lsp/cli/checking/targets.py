"""Finds the templates that a call of `check` is about, the ignored ones, and their workspace."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.environment import SYSTEMS, host_paths_from_environment, workspace_for
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.system import System
from agent_lsp.patterns import regex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.scopes import repository, session_root
from agent_lsp.workspace.search import left_out, template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, is_template

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"
# More wildcards than this in one part of a path are not matched.
_MOST_WILDCARDS = 3
_WILDCARDS = regex(r"\*+")


def gitignored(paths: Iterable[Path], searched: tuple[Path, ...], files: Files) -> frozenset[Path]:
    """The `paths` that Git ignores, of those found below the `searched` folders."""
    rules = _Rules(files)
    found: set[Path] = set()
    # Judge the folders first, since there are many more files than folders.
    together: dict[Path, list[Path]] = {}
    for path in paths:
        together.setdefault(path.parent, []).append(path)
    for folder, inside in together.items():
        tops = [root for root in searched if root in (folder, *folder.parents)]
        if tops:
            top = max(tops, key=lambda root: len(root.parts))
            found.update(rules.left_out(folder, inside, top))
    return frozenset(found)


class _Rules:
    """The patterns of the repositories in question; each `.gitignore` is read once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._spec_of = cache(self._read)
        self._is_excluded = cache(self._judge)
        self._is_within_excluded = cache(self._look_up)

    def left_out(self, folder: Path, inside: list[Path], top: Path) -> Iterable[Path]:
        """The files `inside` a `folder` that Git ignores, if the search began at `top`."""
        # If the patterns exclude the folder that the user named, they do not count for its files.
        floor = top if self._is_within_excluded(top) else None
        below = folder.relative_to(top).parts
        above = (top.joinpath(*below[:depth]) for depth in range(1, len(below) + 1))
        # Git cannot include a file again whose folder is excluded.
        if any(self._is_excluded(each, floor, "/") for each in above):
            return inside
        if not self._specs(folder, floor):
            return ()
        return [path for path in inside if self._is_excluded(path, floor, "")]

    def _look_up(self, top: Path) -> bool:
        for folder in (top, *top.parents):
            if self._files.exists(folder / ".git"):
                return False
            if self._is_excluded(folder, None, "/"):
                return True
        return False

    def _judge(self, path: Path, floor: Path | None, end: str) -> bool:
        """Whether the patterns exclude `path`; those of the nearest folder that match decide."""
        for folder, spec in self._specs(path.parent, floor):
            name = f"{path.relative_to(folder).as_posix()}{end}"
            verdict = spec.check_file(self._folded(name)).include
            if verdict is not None:
                return verdict
        return False

    def _specs(self, folder: Path, floor: Path | None) -> "list[tuple[Path, GitIgnoreSpec]]":
        found = []
        is_near = True
        for above in (folder, *folder.parents):
            spec = self._spec_of(above) if is_near else None
            if spec is not None:
                found.append((above, spec))
            if self._files.exists(above / ".git"):
                return found
            is_near = is_near and above != floor
        return []

    def _read(self, folder: Path) -> "GitIgnoreSpec | None":
        file = self._files.read(folder / _NAME)
        return _spec(self._folded(file.text)) if file is not None and file.text else None

    def _folded(self, text: str) -> str:
        """`text` as Git compares it: on a disk that ignores case, with ASCII letters in lower case.

        Source: `core.ignoreCase` in Git's documentation, and Git 2.39 itself; 2026-11-28.
        """
        if self._files.is_exact:
            return text
        return "".join(one.lower() if one.isascii() else one for one in text)


def _spec(text: str) -> "GitIgnoreSpec":
    # Most commands meet no `.gitignore`, and need not wait for this import.
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only with a `.gitignore`

    written = (line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))
    lines = [line for line in written if not _explodes(line)]
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _explodes(line: str) -> bool:
    """Whether to match `line` could take very long."""
    parts = line.split("/") if line.count("*") > _MOST_WILDCARDS else ()
    return any(len(_WILDCARDS.findall(part)) > _MOST_WILDCARDS for part in parts)


def _is_pattern(line: str) -> bool:
    """Whether `line` is a valid pattern; Git skips other lines."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only with a `.gitignore`

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


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
    passed = gitignored(paths, searched, files) if is_ignoring else frozenset()
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
