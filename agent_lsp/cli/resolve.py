"""Resolves what users name on the command line: paths, dialects, and the folder of a session."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath

from agent_lsp.analysis.preview import call_arguments
from agent_lsp.analysis.preview.call_arguments import Arguments
from agent_lsp.analysis.suggest import nearest
from agent_lsp.cli.arguments import NAME, CommandError
from agent_lsp.cli.atomic_write import refuse_outside
from agent_lsp.cli.terminal import visible, wrapped
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import (
    BY_USE,
    CONVERTED,
    SYSTEMS,
    host_paths_from_environment,
    path_from,
    workspace_for,
)
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import ScopeRule
from agent_lsp.model.schema import Parameter
from agent_lsp.model.system import System, program_names
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.placement import options_at
from agent_lsp.workspace.programs import counts
from agent_lsp.workspace.scopes import repository, scopes
from agent_lsp.workspace.snapshot import Workspace, root_for


def current_folder() -> Path:
    """The folder that relative paths start from, as the disk spells it.

    Raises `CommandError` if it no longer exists.
    """
    try:
        return Files().spelt(Path.cwd())
    except FileNotFoundError as gone:
        raise CommandError("the current folder no longer exists; change to another one") from gone


def shown(path: Path, here: Path) -> str:
    """`path` for people: relative to `here` inside of the repository, otherwise absolute."""
    near = repository_of(here)
    return visible(from_folder(path, here) if near in (path, *path.parents) else str(path))


def named_from(base: Path, path: Path, near: Path | None = None) -> str:
    """`path` for a program: relative to `base` if it is below `near` (default: `base`).

    Other paths are absolute. The separator is always `/`.
    """
    is_near = (near or base) in (path, *path.parents)
    return Path(from_folder(path, base) if is_near else path).as_posix()


@lru_cache(maxsize=16)
def repository_of(here: Path) -> Path:
    """The repository that contains `here`, or `here` itself outside of all repositories."""
    return repository(here, Files()) or here


def kept_in(path: Path, here: Path, targets: Iterable[Path] = ()) -> tuple[Path, ...]:
    """The folders that no link may lead a write to `path` out of, which the user has written.

    They are those with a `.git` above the path, the current folder or its repository, and the
    `targets` of the call: somebody else may have made the links in each of them.
    """
    repositories = (one for one in path.parents if os.path.lexists(one / ".git"))
    return (repository_of(here), *targets, *repositories)


def path_to_write(written: str, here: Path) -> Path:
    """The path of the file or the folder to write that the user calls `written`.

    Raises `CommandError` if a `..` in it stands behind a link that leads out of the repository:
    whoever made the link would choose the folder.
    """
    own, way = (repository_of(here),), Path()
    for part in (here / written).parts:
        if part != "..":
            way /= part
            continue
        try:
            refuse_outside(way, own)
        except OSError as error:
            raise CommandError(f"cannot write {visible(written)}: {error.strerror}") from error
        way = Path(os.path.realpath(way)).parent if way.is_symlink() else way.parent
    return path_from(written, here)


def session_place(root: Path, here: Path) -> str:
    """The folder where a session starts, in words."""
    return "this folder" if root == here else shown(root, here)


def dialect_named(name: str, systems: tuple[System, ...] = BY_USE) -> Dialect:
    """The dialect called `name`; raises `CommandError` with a suggestion if there is none."""
    system = next((one for one in systems if one.id == name), None)
    if system is None:
        ids = [one.id for one in systems]
        raise CommandError(f"there is no dialect `{visible(name)}`{did_you_mean(name, ids)}")
    return system.dialect


def did_you_mean(name: str, existing: Iterable[str]) -> str:
    """The end of a message about an unknown `name`: the suggestion, or all existing names.

    Many names are on lines of their own.
    """
    names = tuple(existing)
    near = nearest(name, names)
    if near:
        return f"; did you mean `{near}`?"
    listed = ", ".join(names)
    if len(listed) <= _ROW:
        return f"; there are: {listed}"
    return f"; there are:\n{wrapped(listed, _INDENT, _WIDTH, hang=0)}"


# In columns: the longest list on the line of a message, and the width of lines of its own.
_ROW, _WIDTH, _INDENT = 60, 80, 2


def programs_named(
    written: str | None, systems: tuple[System, ...] = BY_USE, option: str = "--for"
) -> frozenset[str]:
    """The programs that an option names; raises `CommandError` for an unknown one."""
    names = tuple(name for one in (written or "").split(",") if (name := one.strip()))
    known = program_names(systems)
    for name in names:
        if name not in known:
            raise CommandError(f"{option}: no program `{visible(name)}`{did_you_mean(name, known)}")
    return frozenset(names)


def session(
    written: str | None, here: Path, programs: str | None = None
) -> tuple[Workspace, Path | None]:
    """The workspace of a session, and its folder if the user has `written` one.

    Without one, the settings decide where it starts, and otherwise it is the current folder.
    `programs` are those of `--for`. Raises `CommandError` if the folder does not exist.
    """
    root = path_from(written or ".", here)
    files = Files()
    if not files.is_folder(root):
        raise CommandError(f"--root: there is no folder {shown(root, here)}")
    workspace, messages = workspace_for(
        (root,),
        files,
        host_paths_from_environment(),
        folders=(),
        programs=programs_named(programs),
    )
    warn(messages, here)
    return workspace, root if written else None


def dialect_for(workspace: Workspace, written: str | None, start: Path | None) -> Dialect:
    """The dialect of a call: the one that the user has `written`, or that of the folder.

    Raises `CommandError` if the dialect does not exist or cannot be decided.
    """
    dialect = call_arguments.dialect_for(workspace, written, start)
    if isinstance(dialect, call_arguments.BadArguments):
        raise CommandError(visible(dialect.message))
    return dialect


@dataclass(frozen=True, slots=True)
class Chosen:
    """The dialect of a call, and the `others` that have templates in the same session.

    `is_sure` is false if the folder says nothing: no system has a template there.
    """

    dialect: Dialect
    others: tuple[Dialect, ...] = ()
    is_sure: bool = True

    @property
    def every(self) -> tuple[Dialect, ...]:
        """The dialect, and the others."""
        return (self.dialect, *self.others)


def chosen(workspace: Workspace, written: str | None, start: Path | None) -> Chosen:
    """The dialect of a call as in `dialect_for`, and what else it could have been.

    Of several forms of one program's files, one stands for all.
    """
    dialect = dialect_for(workspace, written, start)
    if written is not None or (start is not None and not workspace.files.is_folder(start)):
        return Chosen(dialect)
    found = {dialect.system.names: dialect}
    present = call_arguments.present(workspace, start)
    for one in present:
        found.setdefault(one.system.names, one)
    return Chosen(dialect, tuple(found.values())[1:], is_sure=bool(present))


def tell(chosen: Chosen) -> None:
    """Prints which system was chosen if there was a choice, and how to name another.

    Raises `CommandError`, with what a session reads, if no system has a template there.
    """
    if not chosen.is_sure:
        raise CommandError(
            "\n  ".join(
                (
                    "no agents found for a session in this folder",
                    "looked in this folder, the folders above it and your home folder for:",
                    *(f"  {row}" for row in searched()),
                    f"not listed, because only `convert` reads it: {of_convert()}",
                    f"to write a first agent: {NAME} new reviewer --dialect claude",
                    "to see the built-in agents of a system: add `--dialect claude`",
                    "to start the session in another folder: add `--root DIR`",
                )
            )
        )
    if chosen.others:
        also = ", ".join(f"`--dialect {one.id}`" for one in chosen.others)
        said = f"using `{chosen.dialect.id}`; this folder also has {also}"
        print(f"note: {said}", file=sys.stderr)


def searched(systems: tuple[System, ...] = SYSTEMS) -> tuple[str, ...]:
    """A row for each system, the most widely used first: its program, its id, and its files."""
    rows = []
    for system in sorted(systems, key=lambda one: -one.repositories):
        places = (
            f"{file_patterns(system, folder)}{_marker(system, rule)}"
            for rule in system.scopes
            for folder in rule.folders
            if not (rule.builtin or rule.is_borrowed) and not folder.startswith(("$", "~"))
        )
        rows.append(f"{system.heading}: {', '.join(dict.fromkeys(places))}")
    return tuple(rows)


def of_convert() -> str:
    """The systems whose files only `convert` reads, in the words of `searched`."""
    return "; ".join(searched(CONVERTED))


def file_patterns(system: System, folder: str) -> str:
    """The patterns of a system's file names in `folder`."""
    forms = sorted(system.files) or (f"*{system.extension}",)
    return " or ".join(f"`{PurePosixPath(folder, form)}`" for form in forms)


def _marker(system: System, rule: ScopeRule) -> str:
    """The marker file that a folder needs besides the templates, in words."""
    sign = f" with {system.common.sign}" if system.common is not None else ""
    marker = next(iter(rule.markers), "")
    is_beside = marker and marker not in system.files
    return f" beside `{marker}`" if is_beside else sign


def tell_uncounted(workspace: Workspace, dialect: Dialect, start: Path | None) -> None:
    """Prints which folders `dialect` looks into and does not count for, if they have files."""
    system, files = dialect.system, workspace.files
    root = root_for(workspace, system, start)
    options = options_at(workspace, root)
    folders = [
        scope.folder
        for scope in scopes(system, root, workspace.host_paths, files)
        if not scope.builtin
        and not counts(system, scope, root, options, files)
        and any(map(system.has, files.entries(scope.folder)))
    ]
    if folders:
        named = " and ".join(shown(one, current_folder()) for one in folders)
        said = f"{dialect.runtime} also reads {named}, but is skipped here"
        print(f"note: {said}; `--for {system.id}` includes it", file=sys.stderr)


def request_for(
    workspace: Workspace,
    argument: Mapping[str, object],
    start: Path | None,
    call: Callable[[Dialect], tuple[str, tuple[Parameter, ...]]],
) -> Arguments:
    """The runtime call that `argument` describes; raises `CommandError` if it is invalid."""
    asked = call_arguments.read(workspace, argument, start, call)
    if isinstance(asked, call_arguments.BadArguments):
        raise CommandError(visible(asked.message))
    return asked


def standard_input() -> str:
    """The text of standard input; raises `CommandError` if it is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(
            f"standard input is not UTF-8: byte {error.start} does not decode"
        ) from error


def refuse(messages: Iterable[str]) -> None:
    """Prints all of the messages but the last one, which is raised as a `CommandError`."""
    said = tuple(map(visible, messages))
    for one in said[:-1]:
        print(f"error: {one}", file=sys.stderr)
    if said:
        raise CommandError(said[-1])


def warn(messages: Iterable[str], here: Path) -> None:
    """Prints what is wrong with the settings to standard error."""
    for message in messages:
        print(f"warning: {visible(message.removeprefix(f'{here}{os.sep}'))}", file=sys.stderr)
