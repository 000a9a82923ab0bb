"""Says which programs count in a project, what they read besides agents, and their versions.

Invariants: a folder of other files, such as commands, is no folder of agents, so that it holds no
template unless its dialect says so of a file. A session may also read a file because of its path
alone, whatever it is called; one that has the name of other files of its system is none of these,
since the folder decides about it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from agent_lsp.data_classes import replace
from agent_lsp.model.dialect import Dialect, Reader
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Extras, Options
from agent_lsp.patterns import regex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.scopes import folders_upward, scope_of, scopes

_USED = Memo[bool](Lifetime.TREE)
# The scopes of a session that the settings leave.
_LEFT = Memo[tuple[Scope, ...]](Lifetime.TREE)
# The files that a session reads because of their paths.
_FILES = Memo[Mapping[Path, tuple[System, Scope]]](Lifetime.TREE)


def counts(system: System, scope: Scope | None, root: Path, options: Options, files: Files) -> bool:
    """Whether `system` counts for the files of `scope` in a session that starts in `root`."""
    if options.programs:
        return is_named(system, options)
    return scope is None or not scope.is_borrowed or is_used(system, root, files)


# Asked several times at every keystroke, and true of few systems.
@cache
def borrows(system: System) -> bool:
    """Whether `system` looks into folders of other programs."""
    return any(rule.is_borrowed for rule in system.scopes)


def is_named(system: System, options: Options) -> bool:
    """Whether the setting `for` names `system`, or one of its programs."""
    return not options.programs.isdisjoint((system.id, *system.programs))


def is_used(system: System, root: Path, files: Files) -> bool:
    """Whether the project of `root` has a folder or a configuration of `system`.

    It is in `root`, or in a folder above it in the same repository.
    """
    return _USED.get(files, None, (system, root), lambda: _is_used(system, root, files))


def is_trace(path: Path, systems: Iterable[System]) -> bool:
    """Whether `path` shows that a project uses a system that looks into folders of others."""
    traces = (PurePosixPath(one).parts for each in filter(borrows, systems) for one in each.traces)
    return any(path.parts[-len(parts) :] == parts for parts in traces)


def _is_used(system: System, root: Path, files: Files) -> bool:
    folders = folders_upward(root, files)
    # Outside of all repositories, a folder above is no part of the project.
    above = folders if files.exists(folders[-1] / ".git") else (root,)
    return any(
        files.exists(folder / name) or files.is_folder(folder / name)
        for folder in above
        for name in system.traces
    )


def in_use(dialect: Dialect, options: Options) -> Dialect:
    """`dialect` in the generation that the settings name, or as it is if they name none."""
    first = dialect.variants.forms()[0] if dialect.variants.forms is not None else dialect
    generation = options.extra(first.id).generation
    return (
        dialect.variants.in_generation(generation)
        if generation is not None and dialect.variants.in_generation is not None
        else dialect
    )


def readers_in_use(dialect: Dialect, options: Options) -> tuple[Reader, ...]:
    """The programs that read the files of `dialect`, without those that the settings leave out."""
    every, wanted = dialect.variants.readers, options.extra(dialect.id).readers
    if not every or not (wanted or options.programs):
        return every
    named = options.programs
    whole = not named or dialect.id in named
    return tuple(
        one
        for one in every
        if (not wanted or one.id in wanted) and (whole or f"{dialect.id}-{one.id}" in named)
    )


def in_settings(scope: Scope, system: System, settings: Iterable[Options]) -> Scope | None:
    """The `scope` for the programs that the settings leave it; None if they leave it to none."""
    for options in settings:
        extra = options.extras.get(system.id)
        left = extra.readers_of.get(scope.folder) if extra is not None else None
        if left is not None:
            readers = scope.readers & left if scope.readers else left
            return replace(scope, readers=readers) if readers else None
    return scope


def with_folder(folder: Path, settings: Iterable[Options]) -> frozenset[str]:
    """The ids of the systems that also look into `folder` by a setting."""
    every = (named for options in settings for named in options.extras.items())
    return frozenset(name for name, extra in every if folder in extra.scopes)


def extra_scope(folder: Path, extras: Extras) -> Scope:
    """The scope of a `folder` that a setting adds."""
    readers = extras.readers_of.get(folder, frozenset[str]())
    return Scope("extra", "extra scope", folder, readers=readers)


def scopes_left(
    own: tuple[Scope, ...],
    system: System,
    root: Path,
    options: Options,
    settings: Mapping[Path, Options],
    files: Files,
) -> tuple[Scope, ...]:
    """The scopes `own` of a session in `root` that the settings leave, and those that they add.

    `options` are the settings in `root`, and `settings` those of each workspace folder.
    """

    def found() -> tuple[Scope, ...]:
        is_sure = not borrows(system)
        read = (one for one in own if is_sure or counts(system, one, root, options, files))
        left = (in_settings(one, system, settings.values()) for one in read)
        return _with_extra(tuple(filter(None, left)), options.extra(system.id), files)

    # Asked at every keystroke.
    return _LEFT.get(files, None, (system, root), found, basis=(own, options, settings))


def _with_extra(scopes: tuple[Scope, ...], extras: Extras, files: Files) -> tuple[Scope, ...]:
    """`scopes` with those of the settings, which come before built-in ones that are last."""
    more = extras.scopes
    there = {files.real(scope.folder) for scope in scopes} if more else set()
    new = (folder for folder in more if files.is_folder(folder) and files.real(folder) not in there)
    # Some runtimes have their built-in agents first.
    own = max((at for at, scope in enumerate(scopes, start=1) if not scope.builtin), default=0)
    return (*scopes[:own], *(extra_scope(one, extras) for one in new), *scopes[own:])


def beside(
    systems: Iterable[System],
    folder: Path,
    host_paths: HostPaths,
    files: Files,
    options: Options,
    name: str = "",
) -> tuple[System, Scope] | None:
    """The first of `systems` that reads other files than agents in `folder`, and their scope.

    With a `name`, only a system that reads a file of this name there.
    """
    for system in systems:
        if options.programs and not is_named(system, options):
            continue
        for other in system.beside:
            is_read = not name or other.has(name)
            scope = scope_of(other, folder, host_paths, files) if is_read else None
            if scope is not None:
                return other, scope
    return None


def may_be(system: System, path: Path, files: Files) -> bool:
    """Whether the file at `path` may be one of `system` by its first line."""
    file = files.read(path) if system.may_begin is not None else None
    if system.may_begin is None or file is None:
        return True
    text = file.text or file.replaced or file.first_line
    return system.may_begin(text.partition("\n")[0])


def named_files(
    systems: tuple[System, ...], root: Path, host_paths: HostPaths, files: Files
) -> Mapping[Path, tuple[System, Scope]]:
    """The files that sessions in `root` read because of their path, each with system and scope."""

    def found() -> Mapping[Path, tuple[System, Scope]]:
        return {
            scope.folder / name: (system, scope)
            for system, labels in _with_files(systems)
            for scope in scopes(system, root, host_paths, files)
            for name in (scope.only if scope.label in labels else ())
            if not system.has(name)
        }

    # Asked for each file that is typed in.
    return _FILES.get(files, None, root, found, basis=(systems, host_paths))


@cache
def _with_files(systems: tuple[System, ...]) -> tuple[tuple[System, frozenset[str]], ...]:
    """The systems whose rules may name a single file, with the labels of these rules."""
    found = (
        (one, frozenset(rule.label for rule in one.scopes if rule.may_be_file)) for one in systems
    )
    return tuple((one, labels) for one, labels in found if labels)


_VERSION = regex(r"\d+\.\d+\.\d+[\w.+-]*")
_SEARCHED = "$PATH/"
_PACKAGE, _PACKAGES = "package.json", "node_modules"


def installed_version(
    places: Iterable[str],
    home: Path | None,
    root: Path,
    files: Files,
    searched: tuple[Path, ...] = (),
) -> str | None:
    """The version of the first package at `places`, or None if there is none.

    A place is the `package.json` of a package, a link to a file whose name is its version, or a
    program of a package. It is relative to `root`, or to the home if it begins with `~/`, or to
    each folder in `searched`, those of `PATH`, if it begins with `$PATH/`, or absolute.
    """
    for path in (path for place in places for path in _paths(place, home, root, searched)):
        if files.exists(path):
            found = _version(path, files)
            if found is not None:
                return found
    return None


def _paths(place: str, home: Path | None, root: Path, searched: tuple[Path, ...]) -> Iterator[Path]:
    if place.startswith(_SEARCHED):
        yield from (folder / place.removeprefix(_SEARCHED) for folder in searched)
    elif place.startswith("~/"):
        yield from (home / place[2:],) if home is not None else ()
    else:
        yield root / place


def _version(path: Path, files: Files) -> str | None:
    if path.name == _PACKAGE:
        return _of_package(path, files)
    real = files.real(path)
    found = _VERSION.fullmatch(real.name)
    if found is not None:
        return found[0]
    # The program of a package that npm has installed.
    inside = [one for one in real.parents if _PACKAGES in one.parts]
    packages = (one / _PACKAGE for one in inside if files.exists(one / _PACKAGE))
    return next(filter(None, (_of_package(one, files) for one in packages)), None)


def _of_package(path: Path, files: Files) -> str | None:
    """The version in a `package.json`."""
    source = files.read(path)
    try:
        version = json.loads(source.text).get("version") if source is not None else None
    except (ValueError, AttributeError, RecursionError):
        return None
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    return found[0] if found is not None else None
