"""Lists the names that other files can see of a file, while files change.

Invariant: a name is given with its dialect, since two of them may know agents of one name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.model.availability import Availability
from agent_lsp.syntax import document
from agent_lsp.workspace import definitions
from agent_lsp.workspace.snapshot import (
    Workspace,
    dialect_at,
    dialect_of_folder,
    scope_or_label,
    speaks_for_folder,
)

Names = frozenset[tuple[str, str]]


def defined(workspace: Workspace, path: Path) -> Names:
    """The names for which a runtime finds the file at `path`, reads it and does not skip it."""
    dialect = dialect_at(workspace, path)
    if dialect is None:
        return frozenset()
    scope = scope_or_label(workspace, dialect, path.parent)
    found = definitions.defines(workspace.files, dialect, path, scope)
    return frozenset((dialect.id, name) for name in found)


@dataclass(frozen=True, slots=True)
class Exports:
    """What other files can see of one: the names that it defines, and for whom its agent is there.

    `fails` says that no agent loads because of it, `speaks` that it makes templates of the files
    beside it.
    """

    names: Names
    availability: tuple[Availability, ...] = ()
    fails: bool = False
    speaks: bool = False


def exports(workspace: Workspace, path: Path) -> Exports:
    """What other files can see of the file at `path`."""
    names, dialect = defined(workspace, path), dialect_at(workspace, path)
    file = workspace.files.read(path)
    if dialect is None or dialect.availability is None or file is None:
        return Exports(names, speaks=speaks_for_folder(workspace, path))
    parsed = document.parse(file.text, dialect.split, bom=file.bom)
    reading = dialect.read(parsed, dialect.name_of(path.name) or "")
    return Exports(names, dialect.availability(reading), bool(reading.errors))


def named(workspace: Workspace, path: Path) -> Names:
    """The names that a file at `path` has, whatever becomes of it."""
    dialect = dialect_at(workspace, path)
    if dialect is None:
        return frozenset()
    scope = (
        scope_or_label(workspace, dialect, path.parent) if dialect.names_in is not None else None
    )
    names = definitions.named(workspace.files, dialect, path, scope)
    return frozenset((dialect.id, one.name) for one in names)


def defining(
    workspace: Workspace, folder: Path, names: Iterable[tuple[str, str]]
) -> Iterator[Path]:
    """The files in `folder` that have one of `names`."""
    dialect = dialect_of_folder(workspace, folder)
    if dialect is None:
        return
    scope = scope_or_label(workspace, dialect, folder) if dialect.names_in is not None else None
    found = definitions.names(workspace.files, dialect, folder, scope)
    for owner, name in names:
        yield from found.get(name, ()) if owner == dialect.id else ()
