"""Finds the scopes of a session: the folders in which a runtime looks, in order, from one root.

Invariants: home and variables are arguments, and are never read from the machine here. If links
give a folder two names, it is one place.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.model.discovery import HERE, ScopeRule, Walk
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.workspace import bundles
from agent_lsp.workspace.bundles import bundles_of, installed
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.fixed import (
    FixedFolder,
    fixed,
    fixed_folders,
    is_fixed,
    is_marked,
    on_disk,
)
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import (
    HostPaths,
    before,
    ends_with,
    folded,
    led,
    may_end_with,
    names_in,
)


def scopes(
    system: System, root: Path, host_paths: HostPaths, files: Files, focus: Path | None = None
) -> tuple[Scope, ...]:
    """The existing scopes of a session that starts in `root`, highest precedence first.

    If the folder `focus` is one of them, its scope has this path, even if the session uses another
    name of it.
    """
    # Called many times for each folder of a workspace, at every keystroke.
    made = partial(_found, system, root, host_paths, files)
    found = _OF_SESSIONS.get(files, None, (system, root), made, basis=host_paths)
    called = found.get(files.real(focus)) if focus is not None else None
    if focus is None or called is None or called.folder == focus:
        return tuple(found.values())
    return tuple(
        replace(scope, folder=focus) if scope is called else scope for scope in found.values()
    )


_ON = ("1", "true")
# The scopes of a session by real folder; the scope of a folder by its place; and the folder from
# which a session finds a project's folder first.
_OF_SESSIONS = Memo[Mapping[Path, Scope]](Lifetime.TREE)
_OF_FOLDERS = Memo[Scope | None](Lifetime.TREE)
_ROOTS = Memo[Path | None](Lifetime.TREE)
_UPWARD = Memo[tuple[Path, ...]](Lifetime.TREE)


def folders_of(
    rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, str, str]]:
    """The folders that `rule` means in a session which starts in `root`.

    Each has the label of its scope, and the prefix of the names in it. A manifest may name single
    files as well.
    """
    if rule.manifests is None:
        for scope in _of_rule(rule, root, host_paths, files):
            yield scope.folder, scope.label, scope.prefix
        return
    for base, found in bundles_of(rule, root, host_paths, files):
        own = [one for one in rule.folders if one not in found.instead]
        named = [path for folder, path in found.beside if folder in rule.folders]
        for place in (led(base, one) for one in (*own, *named)):
            if place is not None and (files.exists(place) or files.is_folder(place)):
                yield files.spelt(place), rule.label, found.prefix


def scope_of(system: System, folder: Path, host_paths: HostPaths, files: Files) -> Scope | None:
    """The scope of a template in `folder` by its place alone, or None.

    A folder that a user rule or a built-in rule names has that scope, even if it looks like one of
    a project, because the home is seldom a project.
    """
    # Called several times for the folder of a file, at every keystroke.
    return _OF_FOLDERS.get(
        files,
        None,
        (system, folder),
        lambda: _scope_of(system, folder, host_paths, files),
        basis=host_paths,
    )


def _scope_of(system: System, folder: Path, host_paths: HostPaths, files: Files) -> Scope | None:
    parts = folder.parts
    for one in fixed_folders(system, host_paths, files):
        # Few folders may be in a fixed folder by their names.
        seen = parts if one.rule.deep else parts[-1:]
        if one.names.isdisjoint(seen) and "" not in one.names:
            continue
        named = one.folder
        for top in _like(one, len(named.parts), folder):
            may_be = top.name in one.names and files.exists(top) is one.is_there
            if top == named or (may_be and files.real(top) == files.real(named)):
                return _scope(one.rule, top, files)
    # Few folders of a workspace may be a project's by their names.
    ends = project_ends(system)
    is_near = ends is None or not ends.isdisjoint(names_in(parts))
    for rule in _project_rules(system) if is_near else ():
        project = _project_folder(rule, folder, files)
        if project is not None:
            return _scope(rule, project, files, folder)
    return None


# Called for each folder by each system.
@cache
def _project_rules(system: System) -> tuple[ScopeRule, ...]:
    return tuple(rule for rule in system.scopes if not is_fixed(rule))


@cache
def project_ends(system: System) -> frozenset[str] | None:
    """The ends of the paths of folders in projects, as `names_in` has them; None if any may be."""
    rules = _project_rules(system)
    ends = frozenset[str]().union(*map(_ends, rules))
    return None if HERE in ends or any(rule.manifests is not None for rule in rules) else ends


def folders_upward(folder: Path, files: Files) -> tuple[Path, ...]:
    """`folder` and the folders above it up to one with `.git`, as a process there sees them.

    A process does not know the links that led to its folder. A folder above keeps the name that it
    has in `folder`, because people use that name.
    """
    # Each rule that goes up asks for the folders above the same few session roots.
    return _UPWARD.get(files, None, folder, lambda: tuple(_folders_upward(folder, files)))


def _folders_upward(folder: Path, files: Files) -> Iterator[Path]:
    real = files.real(folder)
    names: dict[Path, Path] = {}
    if real != folder:
        # The last name of a real path counts, which is the deepest one, so `folder` keeps its own.
        names = {files.real(name): name for name in (*reversed(folder.parents), folder)}
    for above in (real, *real.parents):
        yield names.get(above, above)
        if files.exists(above / ".git"):
            return


def repository(folder: Path, files: Files) -> Path | None:
    """The folder with `.git` that contains `folder`, or is it; None outside of all repositories."""
    *_, last = folders_upward(folder, files)
    return last if files.exists(last / ".git") else None


def holders(root: Path, files: Files) -> tuple[Path, ...]:
    """The repository of `root`, and its main checkout if it is a worktree; else `root` alone."""
    own = repository(root, files)
    main = main_checkout(own, files) if own is not None else None
    return tuple(one for one in (own or root, main) if one is not None)


def session_root(system: System, folder: Path, files: Files) -> Path | None:
    """The root of the first session that finds the project scope of `folder`, or None."""
    # Called at every keystroke for each folder with a file of the same name.
    return _ROOTS.get(files, None, (system, folder), lambda: _session_root(system, folder, files))


def _session_root(system: System, folder: Path, files: Files) -> Path | None:
    tops = ((rule, _project_folder(rule, folder, files)) for rule in _project_rules(system))
    return next((_base_of(rule, top, files) for rule, top in tops if top is not None), None)


def proper_folder(system: System, base: Path, host_paths: HostPaths, files: Files) -> Path:
    """The right folder for templates below `base`; if `base` is the home, the user's own."""
    is_home = host_paths.home is not None and files.real(base) == files.real(host_paths.home)
    for rule in system.scopes:
        own = fixed(rule, host_paths) if _is_of(rule, builtin=False) else ()
        if is_home and own:
            return own[0]
        if not is_home and not is_fixed(rule):
            return base / rule.folders[0]
    return base


def is_called(folder: Path, relative: str, files: Files) -> bool:
    """Whether `folder` is what a runtime finds as `relative` in a folder above."""
    if ends_with(folder, relative):
        return True
    # The disk decides whether two spellings are the same name. Few folders come this far.
    if not may_end_with(folder, relative):
        return False
    return files.spelt(before(folder, relative) / relative) == files.spelt(folder)


def is_as_written(system: System, folder: Path) -> bool:
    """Whether `folder` has the dialect's own spelling, which editors' patterns use."""
    ends = (_without_head(relative) for rule in system.scopes for relative in rule.folders)
    return any(end == HERE or folder.as_posix().endswith(f"/{end}") for end in ends)


def fixed_folder(system: System, host_paths: HostPaths, *, builtin: bool) -> Path | None:
    """The folder of the built-in templates or of the user's own; it need not exist."""
    rules = (rule for rule in system.scopes if _is_of(rule, builtin=builtin))
    return next((folder for rule in rules for folder in fixed(rule, host_paths)), None)


def _found(system: System, root: Path, host_paths: HostPaths, files: Files) -> Mapping[Path, Scope]:
    found: dict[Path, Scope] = {}
    for rule in system.scopes:
        for scope in _of_rule(rule, root, host_paths, files):
            # The walk upwards may meet the home again; the first role of a folder counts. A single
            # file may be in a folder that has another role.
            folder = scope.folder.joinpath(*scope.only) if rule.may_be_file else scope.folder
            found.setdefault(files.real(folder), scope)
    return found


def _of_rule(rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files) -> Iterator[Scope]:
    if rule.unless and host_paths.variables.get(rule.unless, "").lower() in _ON:
        return
    if is_fixed(rule):
        yield from _of_fixed(rule, host_paths, files)
        return
    if rule.manifests is not None:
        yield from bundles.scopes_of(rule, root, files)
        for prefix, folder in installed(rule, root, host_paths, files):
            yield from bundles.scopes_of(rule, folder, files, prefix)
        return
    for start in _visited(rule, root, host_paths, files):
        for relative in rule.folders:
            folder = start / relative
            if is_marked(rule, start, files) and files.is_folder(folder):
                # Open files have paths in the spelling of the disk.
                yield _scope(rule, files.spelt(folder), files)


def _of_fixed(rule: ScopeRule, host_paths: HostPaths, files: Files) -> Iterator[Scope]:
    for place in on_disk(rule, host_paths, files):
        if files.is_folder(place):
            yield _scope(rule, files.spelt(place), files)
        elif rule.may_be_file and files.exists(place):
            spelt = files.spelt(place)
            yield replace(_scope(rule, spelt.parent, files), only=frozenset({spelt.name}))


def _scope(rule: ScopeRule, top: Path, files: Files, folder: Path | None = None) -> Scope:
    """The scope with the folder `top`, for the `folder` in it."""
    base = _base_of(rule, top, files) if rule.manifests is not None else None
    if rule.manifests is not None and base is not None:
        found = bundles.bundle_of(rule.manifests, base, files)
        if found is not None:
            return bundles.scope_in(rule, found, base, top, folder or top)
    reaches_down = is_fixed(rule) or rule.walk is not Walk.NONE
    return Scope(
        rule.kind,
        rule.label,
        top,
        rule.builtin,
        reaches_down,
        rule.deep,
        form=rule.form,
        is_borrowed=rule.is_borrowed,
        readers=rule.readers,
    )


def _tops(rule: ScopeRule, folder: Path) -> tuple[Path, ...]:
    """The folders that can be the top of a scope with `folder`; several only in deep scopes."""
    return (folder, *folder.parents) if rule.deep else (folder,)


def _like(one: FixedFolder, depth: int, folder: Path) -> Iterator[Path]:
    """The tops of a scope with `folder` that are as deep as the folder `one`, or have its name."""
    # To make a path and to compare it takes longer than to look at the part that is its name.
    parts, parents = folder.parts, folder.parents
    for up in range(len(parts) if one.rule.deep else 1):
        at = len(parts) - 1 - up
        # The root has no name.
        if at + 1 == depth or (parts[at] if at else "") in one.names:
            yield parents[up - 1] if up else folder


def _project_folder(rule: ScopeRule, folder: Path, files: Files) -> Path | None:
    """The project folder of `rule` that contains `folder`, or is it; otherwise None."""
    # Called for every folder of a workspace; few have such names in their path.
    ends = _ends(rule)
    names = names_in(folder.parts if rule.deep else folder.parts[-2:])
    is_near = HERE in ends or not ends.isdisjoint(names)
    for top in _tops(rule, folder) if is_near else ():
        base = _base(rule, top, files)
        if base is not None and is_marked(rule, base, files):
            return top
    is_named = rule.manifests and bundles.bundle_with(rule.manifests, folder, files)
    return folder if is_named else None


def _base_of(rule: ScopeRule, top: Path, files: Files) -> Path | None:
    """As `_base`, but also for a folder that only a manifest names."""
    base = _base(rule, top, files)
    if rule.manifests is None or (base is not None and is_marked(rule, base, files)):
        return base
    return bundles.bundle_with(rule.manifests, top, files)


@cache
def _ends(rule: ScopeRule) -> frozenset[str]:
    """The last two names of each folder of `rule`, or its only one, in canonical spelling."""
    return frozenset("/".join(map(folded, one.split("/")[-2:])) for one in rule.folders)


def _base(rule: ScopeRule, top: Path, files: Files) -> Path | None:
    """The folder to which the rule's name of `top` is relative, or None if the rule has none."""
    for relative in rule.folders:
        if relative == HERE:
            return top
        if is_called(top, relative, files):
            return before(top, relative)
    return None


def _visited(rule: ScopeRule, root: Path, host_paths: HostPaths, files: Files) -> Iterator[Path]:
    if rule.walk is Walk.TO_REPOSITORY:
        yield from folders_upward(root, files) if repository(root, files) else (root,)
        return
    if rule.walk is not Walk.TO_CHECKOUT:
        yield from (root,) if rule.walk is Walk.NONE else folders_upward(root, files)
        return
    home = files.real(host_paths.home) if host_paths.home is not None else None
    for above in folders_upward(root, files):
        if files.real(above) == home:
            return
        yield above
        main = main_checkout(above, files)
        if main is not None and not any(files.is_folder(above / one) for one in rule.folders):
            yield main


def main_checkout(folder: Path, files: Files) -> Path | None:
    """The main checkout if `folder` is a worktree of its repository, otherwise None.

    In a worktree, `.git` is a file with the path of its data, and `commondir` there contains the
    path of the repository's data: git-scm.com/docs/gitrepository-layout, read 2026-11-28.
    """
    link = files.read(folder / ".git") if files.exists(folder / ".git") else None
    word, _, place = link.text.partition(":") if link is not None else ("", "", "")
    if word != "gitdir":
        return None
    data = led(folder, place.strip())
    if data is None:
        return None
    common = files.read(data / "commondir")
    shared = led(data, common.text.strip()) if common is not None else None
    git = files.real(shared) if shared is not None else None
    return git.parent if git is not None and git.name == ".git" else None


def _is_of(rule: ScopeRule, *, builtin: bool) -> bool:
    """Whether a rule names the folder of the built-in templates, or of the user's own."""
    return is_fixed(rule) and rule.builtin is builtin and rule.kind != "managed"


def _without_head(relative: str) -> str:
    """The part of a rule's folder after `~/` or a variable; all of it if it has neither."""
    return relative.partition("/")[2] if relative.startswith(("$", "~")) else relative
