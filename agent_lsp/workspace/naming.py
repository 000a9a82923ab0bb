"""Which names a file has, for those who look on while files change.

Invariant: a name is given with its dialect, since two of them may know agents of one name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.dialects.standing import Standing
from agent_lsp.syntax import document
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import Workspace, dialect_at, dialect_of_folder, place_of, speaks

Names = frozenset[tuple[str, str]]


def defined(workspace: Workspace, path: Path) -> Names:
    """The names for which a runtime finds the file at `path`, reads it and does not skip it."""
    known = dialect_at(workspace, path)
    if known is None:
        return frozenset()
    scope = place_of(workspace, known, path.parent)
    found = definitions.defines(workspace.files, known, path, scope)
    return frozenset((known.id, name) for name in found)


@dataclass(frozen=True, slots=True)
class Seen:
    """What other files can see of one: the names that it defines, and for whom its agent is there.

    `fails` says that no agent loads because of it, `speaks` that it makes templates of the files
    beside it.
    """

    names: Names
    standing: tuple[Standing, ...] = ()
    fails: bool = False
    speaks: bool = False


def seen(workspace: Workspace, path: Path) -> Seen:
    """What other files can see of the file at `path`."""
    names, known = defined(workspace, path), dialect_at(workspace, path)
    file = workspace.files.read(path)
    if known is None or known.standing is None or file is None:
        return Seen(names, speaks=speaks(workspace, path))
    parsed = document.parse(file.text, known.cut, bom=file.bom)
    reading = known.read(parsed, known.name_of(path.name) or "")
    return Seen(names, known.standing(reading), bool(reading.faults))


def named(workspace: Workspace, path: Path) -> Names:
    """The names that a file at `path` has, whatever becomes of it."""
    known = dialect_at(workspace, path)
    if known is None:
        return frozenset()
    scope = place_of(workspace, known, path.parent) if known.names_in is not None else None
    names = definitions.named(workspace.files, known, path, scope)
    return frozenset((known.id, one.name) for one in names)


def defining(
    workspace: Workspace, folder: Path, names: Iterable[tuple[str, str]]
) -> Iterator[Path]:
    """The files in `folder` that have one of `names`."""
    known = dialect_of_folder(workspace, folder)
    if known is None:
        return
    scope = place_of(workspace, known, folder) if known.names_in is not None else None
    found = definitions.names(workspace.files, known, folder, scope)
    for owner, name in names:
        yield from found.get(name, ()) if owner == known.id else ()
