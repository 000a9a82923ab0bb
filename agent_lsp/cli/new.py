"""`new`: begins a template from a starter, in the place where the runtime looks.

Invariant: nothing is ever written over what is there; a file in which all agents stand only grows.
"""

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.cli.failure import CommandError
from agent_lsp.cli.named import current_folder, dialect_for, meant, session, shown
from agent_lsp.cli.new_table import new_table
from agent_lsp.cli.terminal import visible
from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace.index import Workspace, candidates, place_of
from agent_lsp.workspace.starters import SUFFIX, home_of, new_template, starter_named, starters


def run(arguments: Namespace) -> int:
    """Writes the template, and says whether a session that starts there finds it."""
    here = current_folder()
    workspace, start = session(arguments.root, here)
    dialect = dialect_for(workspace, arguments.dialect, start)
    if dialect.files:
        return new_table(workspace, dialect, arguments, start or here, here)
    offered = starters(dialect, workspace.host_paths, workspace.files)
    if not offered:
        raise CommandError(f"there is no starter for {dialect.id}")
    if arguments.name is None:
        print(f"starters of {dialect.id}:", *sorted(offered), sep="\n  ")
        return 0
    # The plainest one has the name with which those of the others begin.
    chosen = arguments.starter or min(offered)
    if chosen not in offered:
        raise CommandError(f"there is no starter `{visible(chosen)}`{meant(chosen, offered)}")
    made = _place(workspace, dialect, arguments, start or here)
    starter = offered[chosen].read_bytes().decode("utf-8")
    scope = place_of(workspace, dialect, made.path.parent)
    text = new_template(dialect, starter, scope, made.path)
    if text is None:
        raise _no_name(dialect, made.path.stem)
    _write(made.path, text.encode("utf-8"), here)
    print(f"wrote {shown(made.path, here)}")
    _tell(workspace, dialect, made, here)
    return 0


@dataclass(frozen=True, slots=True)
class _Made:
    """Where the template goes, what the runtime calls it, and where a session starts."""

    path: Path
    name: str
    root: Path


def _place(workspace: Workspace, dialect: Dialect, arguments: Namespace, root: Path) -> _Made:
    stem = arguments.name.removesuffix(SUFFIX)
    name = starter_named(dialect, stem)
    if name is None:
        raise _no_name(dialect, stem)
    folder = home_of(dialect, arguments.scope, root, workspace.host_paths, workspace.files)
    if folder is None:
        raise CommandError(f"{dialect.id} has no folder of your own templates here")
    return _Made(folder / f"{stem}{SUFFIX}", name, root)


def _no_name(dialect: Dialect, name: str) -> CommandError:
    return CommandError(f"`{visible(name)}` cannot be the name of an agent of {dialect.id}")


def _write(path: Path, data: bytes, here: Path) -> None:
    name = shown(path, here)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(data)
    except FileExistsError as error:
        raise CommandError(f"{name} is there already; it stays as it is") from error
    except OSError as error:
        raise CommandError(f"cannot write {name}: {error.strerror}") from error


def _tell(workspace: Workspace, dialect: Dialect, made: _Made, here: Path) -> None:
    """Says which file counts, if there is more than one of this name."""
    workspace.files.refresh()
    chain = candidates(workspace, dialect, made.root, made.name)
    others = [one for one in chain if one.path != made.path]
    if made.name != made.path.stem:
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
        print(f"  a session that starts here does not use it, but {names}")
