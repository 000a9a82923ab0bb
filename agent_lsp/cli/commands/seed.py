"""`seed`: shows what a runtime copies into the folder of the user's own templates when it starts.

Invariants: files are written only with `--write`, and an existing file is never overwritten.
"""

import sys
from argparse import ArgumentParser, Namespace

from agent_lsp.cli.arguments import CommandError, add_dialect, examples
from agent_lsp.cli.atomic_write import create_atomically
from agent_lsp.cli.resolve import current_folder, dialect_named, shown
from agent_lsp.cli.terminal import look, visible, wrapped
from agent_lsp.environment import SYSTEMS, host_paths_from_environment
from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.scaffold import Seeding, seeding

_REFUSED = 1


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `seed`."""
    command.description = (
        "Shows which templates a program copies into its folder in your home folder when\n"
        "it starts, or why it copies none. Writes nothing without --write."
    )
    command.epilog = examples("seed", "seed --write")
    add_dialect(command)
    whether = command.add_mutually_exclusive_group()
    whether.add_argument(
        "--dry-run", action="store_true", help="only show what would be copied (default)"
    )
    whether.add_argument(
        "--write",
        action="store_true",
        help="write this tool's stand-ins for these templates, without overwriting a file",
    )


def run(arguments: Namespace) -> int:
    """Prints what the runtime would copy; with `--write`, copies the stand-ins."""
    dialect, planned = _planned(arguments.dialect)
    target, width = shown(planned.target, current_folder()), look(sys.stdout).width
    if planned.kept_by:
        there = ", ".join(f"`{visible(name)}`" for name in planned.kept_by)
        print(f"{dialect.runtime} copies nothing into {target}: it finds {there} there")
        return _REFUSED if arguments.write else 0
    if arguments.write:
        _copy(planned)
    does = "copied" if arguments.write else f"{dialect.runtime} would copy"
    print(f"{does} into {target}:", *planned.files, sep="\n  ")
    said = (
        "The files are stand-ins: the descriptions and prompts are ours, and so is each entry with "
        "a comment that says so. The runtime copies its own when it starts, but not once one of "
        "these files exists."
    )
    print(wrapped(said, 0, width, hang=0))
    if not arguments.write:
        print("nothing is written; `agent-template-lsp seed --write` writes the stand-ins")
    return 0


def _planned(written: str | None) -> tuple[Dialect, Seeding]:
    every = tuple(system.dialect for system in SYSTEMS)
    asked = every if written is None else (dialect_named(written),)
    places, files = host_paths_from_environment(), Files()
    for dialect in asked:
        planned = seeding(dialect, places, files)
        if planned is not None:
            return dialect, planned
    ids = ", ".join(dialect.id for dialect in asked)
    raise CommandError(
        f"there is nothing that a runtime copies for {ids}, or no folder to copy it to"
    )


def _copy(planned: Seeding) -> None:
    path = planned.target
    try:
        for name in planned.files:
            path = planned.target / name
            # The folder is the user's own, and so are the links there.
            create_atomically(path, (planned.source / name).read_bytes(), within=())
    except OSError as error:
        where = visible(str(path))
        raise CommandError(f"cannot write {where}: {error.strerror}", _REFUSED) from error
