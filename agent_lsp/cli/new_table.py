"""`new` for a system whose agents stand in one file: one more table at its end.

Invariants: what stands in the file stays, byte for byte; the runtime loads it afterwards.
"""

from argparse import Namespace
from pathlib import Path

from agent_lsp.cli.failure import CommandError
from agent_lsp.cli.named import meant, shown
from agent_lsp.cli.terminal import visible
from agent_lsp.cli.writing import write_atomically
from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace.index import Workspace, place_of
from agent_lsp.workspace.starters import home_of
from agent_lsp.workspace.tables import tables, with_new_table


def new_table(
    workspace: Workspace, dialect: Dialect, arguments: Namespace, root: Path, here: Path
) -> int:
    """Writes the table, and says which file a session that starts in `root` reads."""
    offered = tables(dialect, workspace.host_paths, workspace.files)
    if arguments.name is None:
        print(f"starters of {dialect.id}:", *sorted(offered), sep="\n  ")
        return 0
    # The first one in the file of starters can do the least.
    chosen = arguments.starter or next(iter(offered))
    if chosen not in offered:
        raise CommandError(f"there is no starter `{visible(chosen)}`{meant(chosen, offered)}")
    homes = _homes(workspace, dialect, root)
    path = homes.get(arguments.scope)
    if path is None:
        raise CommandError(f"{dialect.id} has no folder of your own here")
    is_new = _append(workspace, dialect, path, offered[chosen], arguments.name, here)
    print(f"{'wrote' if is_new else 'added it to'} {shown(path, here)}")
    workspace.files.refresh()
    there = [one for one in homes.values() if workspace.files.read(one) is not None]
    if there[0] != path:
        print(f"  a session that starts here reads nothing of it, but {shown(there[0], here)}")
    elif is_new and len(there) > 1:
        print(f"  a session that starts here reads nothing of {shown(there[1], here)} any more")
    return 0


def _homes(workspace: Workspace, dialect: Dialect, root: Path) -> dict[str, Path]:
    """The files of a session, the one that hides the others first."""
    name, places, files = min(dialect.files), workspace.host_paths, workspace.files
    found = ((kind, home_of(dialect, kind, root, places, files)) for kind in ("project", "user"))
    return {kind: folder / name for kind, folder in found if folder is not None}


def _append(
    workspace: Workspace, dialect: Dialect, path: Path, table: str, name: str, here: Path
) -> bool:
    """Puts the table at the end of the file; True if there was no file."""
    file, where = workspace.files.read(path), shown(path, here)
    text = file.text if file is not None else ""
    refused = dialect.read(dialect.parse(text), name).errors
    if file is not None and (file.problem or refused):
        why = file.problem or refused[0].message
        raise CommandError(f"the runtime refuses {where}; put that right first: {visible(why)}")
    scope = place_of(workspace, dialect, path.parent)
    added = with_new_table(dialect, text, table, name, scope, path) if name else None
    if added is None:
        raise CommandError(f"{where} cannot have another agent `{visible(name)}`")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if file is not None else b""
        write_atomically(path, before + added.encode("utf-8", "replace"))
    except OSError as error:
        raise CommandError(f"cannot write {where}: {error.strerror}") from error
    return file is None
