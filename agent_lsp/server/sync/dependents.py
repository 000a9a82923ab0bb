"""Finds the files whose diagnostics depend on an agent name.

Invariants: a name stands for all that a call can mistake for it; a file that lies in a wrong
place has the name that it would have in the right one.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.analysis.checks.file_names import name_for
from agent_lsp.workspace import definitions
from agent_lsp.workspace.exports import Names, named
from agent_lsp.workspace.placement import Workspace, folder_placement, placements, system_by_id


def dependents(workspace: Workspace, path: Path) -> Names:
    """The names of the file at `path`, in one spelling each."""
    return spelt(workspace, named(workspace, path)) | _misplaced(workspace, path)


def spelt(workspace: Workspace, names: Iterable[tuple[str, str]]) -> Names:
    """`names` in one spelling for all those that a call can mistake for one another."""
    return frozenset((owner, _first_spelling(workspace, owner, name)) for owner, name in names)


def concerned(workspace: Workspace, folder: Path, names: Names) -> Iterator[Path]:
    """The files in `folder` that have one of `names`, which are spelt as above."""
    owner, found = folder_placement(workspace, folder), dict[Path, None]()
    if owner is not None:
        system = owner.system.id
        defined = definitions.names(workspace.files, owner.dialect, folder, owner.scope)
        for name, paths in defined.items():
            if (system, _first_spelling(workspace, system, name)) in names:
                found |= dict.fromkeys(paths)
    for entry in workspace.files.entries(folder):
        if _misplaced(workspace, folder / entry) & names:
            found[folder / entry] = None
    yield from found


def _first_spelling(workspace: Workspace, owner: str, name: str) -> str:
    system = system_by_id(workspace.systems, owner)
    if system is None or system.dialect.names.spellings is None:
        return name
    # Names that can be meant by one spelling have the same spellings, in the same order.
    return next(system.dialect.names.spellings(name), name)


def _misplaced(workspace: Workspace, path: Path) -> Names:
    found = set[tuple[str, str]]()
    for placement in placements(workspace, path):
        dialect = placement.dialect if placement.misplaced is not None else None
        file = name_for(dialect, path, "md") if dialect is not None else None
        name = dialect.names.name_of(file) if dialect is not None and file is not None else None
        if name is not None:
            found.add((placement.system.id, name))
    return spelt(workspace, found)
