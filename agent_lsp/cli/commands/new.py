"""`new`: writes a template from a starter into the folder where the runtime looks.

Invariants: an existing file is never overwritten. Where one file defines all agents, the new table
is appended to it, the bytes before it stay the same, and the runtime loads the result.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from agent_lsp.cli.arguments import CommandError, add_dialect, examples
from agent_lsp.cli.atomic_write import create_atomically, write_atomically
from agent_lsp.cli.resolve import (
    chosen,
    current_folder,
    dialect_named,
    did_you_mean,
    repository_of,
    session,
    shown,
    tell,
)
from agent_lsp.cli.terminal import visible
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import BY_USE
from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.placement import scope_for
from agent_lsp.workspace.scaffold import (
    home_of,
    new_template,
    starter_named,
    starters,
    tables,
    with_new_table,
)
from agent_lsp.workspace.snapshot import Workspace


def new_table(
    workspace: Workspace, dialect: Dialect, arguments: Namespace, root: Path, here: Path
) -> int:
    """Appends the table, and prints which file a session that starts in `root` reads.

    Raises `CommandError` if the starter or the scope does not exist, or the table cannot be added.
    """
    offered = tables(dialect, workspace.host_paths, workspace.files)
    if not offered:
        raise CommandError(
            f"there is no starter of {dialect.id}; add the agent to its file yourself"
        )
    # The first starter in the file is the one with the fewest permissions.
    chosen = arguments.starter or next(iter(offered))
    if chosen not in offered:
        raise CommandError(
            f"there is no starter `{visible(chosen)}`{did_you_mean(chosen, offered)}"
        )
    homes = _homes(workspace, dialect, root)
    path = homes.get(arguments.scope)
    if path is None:
        raise CommandError(f"{dialect.id} has no folder of your own here")
    within = _within(arguments.scope, root)
    is_new = _append(workspace, dialect, path, offered[chosen], arguments.name, here, within)
    print(f"{'wrote' if is_new else 'added it to'} {shown(path, here)} ({dialect.id})")
    workspace.files.refresh()
    there = [one for one in homes.values() if workspace.files.read(one) is not None]
    if there[0] != path:
        print(f"  a session that starts here reads {shown(there[0], here)} instead")
    elif is_new and len(there) > 1:
        print(f"  a session that starts here no longer reads {shown(there[1], here)}")
    return 0


def _homes(workspace: Workspace, dialect: Dialect, root: Path) -> dict[str, Path]:
    """The files of a session by scope; the one with precedence is first."""
    name, places, files = min(dialect.system.files), workspace.host_paths, workspace.files
    found = ((kind, home_of(dialect, kind, root, places, files)) for kind in ("project", "user"))
    return {kind: folder / name for kind, folder in found if folder is not None}


def _append(
    workspace: Workspace,
    dialect: Dialect,
    path: Path,
    table: str,
    name: str,
    here: Path,
    within: tuple[Path, ...],
) -> bool:
    """Appends the table to the file at `path`; True if the file is new."""
    file, where = workspace.files.read(path), shown(path, here)
    text = file.text if file is not None else ""
    refused = dialect.format.read(dialect.parse(text), name).errors
    if file is not None and (file.problem or refused):
        why = file.problem or refused[0].message
        raise CommandError(f"the runtime refuses {where}; fix that first: {visible(why)}")
    scope = scope_for(workspace, dialect.system, path.parent)
    added = with_new_table(dialect, text, table, name, scope, path) if name else None
    if added is None:
        raise CommandError(f"{where} cannot have another agent `{visible(name)}`")
    try:
        before = used().read(path) if file is not None else b""
        data = before + added.encode("utf-8", "replace")
        write_atomically(path, data, within=within, makes_folder=True)
    except OSError as error:
        raise CommandError(f"cannot write {where}: {error.strerror}") from error
    return file is None


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `new`."""
    command.description = (
        "Writes a new template into the folder where the runtime looks.\n"
        "Without NAME, lists the starters of each system that is used here."
    )
    command.epilog = examples(
        "new reviewer",
        "new reviewer --starter role-with-personas --scope user",
        "new checker --dialect codex-subagents",
        "new scout --dialect moltis",
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="the agent's name")
    add_dialect(command)
    command.add_argument("--starter", metavar="S", help="the starter to copy")
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        default="project",
        help="for the project (default), or for all your projects",
    )
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )


def run(arguments: Namespace) -> int:
    """Writes the template, and prints whether a session that starts there finds it."""
    here = current_folder()
    workspace, start = session(arguments.root, here)
    if arguments.name is None:
        _list_starters(workspace, arguments.dialect, start)
        return 0
    dialect = _dialect(workspace, arguments.dialect, start)
    if dialect.system.files:
        return new_table(workspace, dialect, arguments, start or here, here)
    offered = starters(dialect, workspace.host_paths, workspace.files)
    if not offered:
        raise CommandError(f"there is no starter for {dialect.id}")
    # The name of the plainest starter is a prefix of the others' names.
    chosen = arguments.starter or min(offered)
    if chosen not in offered:
        raise CommandError(
            f"there is no starter `{visible(chosen)}`{did_you_mean(chosen, offered)}"
        )
    made = _place(workspace, dialect, arguments, start or here)
    starter = offered[chosen].read_bytes().decode("utf-8")
    scope = scope_for(workspace, dialect.system, made.path.parent)
    text = new_template(dialect, starter, scope, made.path)
    if text is None:
        raise _no_name(dialect, made.path.stem)
    _write(made.path, text.encode("utf-8"), here, _within(arguments.scope, made.root))
    print(f"wrote {shown(made.path, here)} ({dialect.id})")
    _tell(workspace, dialect, made, here)
    return 0


def _list_starters(workspace: Workspace, written: str | None, start: Path | None) -> None:
    """Prints the starters of the `written` system, or of those that are used here, or of all.

    Raises `CommandError` if there is none.
    """
    taken = chosen(workspace, written, start)
    asked = taken.every if taken.is_sure else tuple(one.dialect for one in BY_USE)
    places, files = workspace.host_paths, workspace.files
    found = [
        (one.id, (tables if one.system.files else starters)(one, places, files)) for one in asked
    ]
    if not any(offered for _, offered in found):
        raise CommandError(f"there is no starter for {taken.dialect.id}")
    for name, offered in found:
        if offered:
            print(f"starters of {name}:", *sorted(offered), sep="\n  ")


def _dialect(workspace: Workspace, written: str | None, start: Path | None) -> Dialect:
    """The system of the new template; if the folder does not say which, the user does.

    Raises `CommandError` with all systems if nobody is there to be asked.
    """
    taken = chosen(workspace, written, start)
    if taken.is_sure:
        tell(taken)
        return taken.dialect
    rows = [f"{number:4}  {one.id}  {one.title}" for number, one in enumerate(BY_USE, 1)]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        ids = "\n  ".join(f"{one.id}  {one.title}" for one in BY_USE)
        said = "no agent system has a template here; name the system with `--dialect`"
        raise CommandError(f"{said}:\n  {ids}")
    print("no agent system has a template here; for which one is the new agent?", file=sys.stderr)
    print(*rows, "number or name: ", sep="\n", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip()
    at = int(answer) - 1 if answer.isdecimal() else -1
    return BY_USE[at].dialect if 0 <= at < len(BY_USE) else dialect_named(answer)


@dataclass(frozen=True, slots=True)
class _Made:
    """The path of the template, its name for the runtime, and its session root."""

    path: Path
    name: str
    root: Path


def _place(workspace: Workspace, dialect: Dialect, arguments: Namespace, root: Path) -> _Made:
    ending = dialect.system.new_ending or dialect.system.extension
    stem = arguments.name.removesuffix(ending).removesuffix(dialect.system.extension)
    name = starter_named(dialect, stem)
    if name is None:
        raise _no_name(dialect, stem)
    folder = home_of(dialect, arguments.scope, root, workspace.host_paths, workspace.files)
    if folder is None:
        raise CommandError(f"{dialect.id} has no folder of your own templates here")
    return _Made(folder / dialect.system.file_name(stem), name, root)


def _no_name(dialect: Dialect, name: str) -> CommandError:
    return CommandError(f"`{visible(name)}` cannot be the name of an agent of {dialect.id}")


def _within(scope: str, root: Path) -> tuple[Path, ...]:
    """The folder that no link may lead out of; the links in the user's own folder are theirs."""
    return (repository_of(root),) if scope == "project" else ()


def _write(path: Path, data: bytes, here: Path, within: tuple[Path, ...]) -> None:
    name = shown(path, here)
    try:
        create_atomically(path, data, within=within)
    except FileExistsError as error:
        raise CommandError(f"{name} already exists and is not changed") from error
    except OSError as error:
        raise CommandError(f"cannot write {name}: {error.strerror}") from error


def _tell(workspace: Workspace, dialect: Dialect, made: _Made, here: Path) -> None:
    """Prints which file has precedence, if several define the name."""
    workspace.files.refresh()
    chain = candidates(workspace, dialect, made.root, made.name)
    others = [one for one in chain if one.path != made.path]
    if made.name != dialect.names.name_of(made.path.name):
        print(f"  the runtime calls it `{visible(made.name)}`")
    if not others:
        return
    names = ", ".join(
        f"the one that is {one.scope.label}"
        if one.scope.builtin
        else f"{shown(one.path, here)} ({one.scope.label})"
        for one in others
    )
    if chain[0].path == made.path:
        print(f"  a session that starts here uses it instead of {names}")
    else:
        print(f"  a session that starts here uses {names} instead of it")
