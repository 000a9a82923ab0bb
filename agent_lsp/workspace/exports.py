"""Computes the exports of a file: what other files can see of it.

Invariant: a name comes with its system or family, because two may have agents of the same name.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace import definitions
from agent_lsp.workspace.disk import SourceFile
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import (
    Placement,
    Workspace,
    own_placements,
    placement_by_place,
    speaks_for_folder,
    system_placements,
)

Names = frozenset[tuple[str, str]]


def _defined(workspace: Workspace, path: Path, found: tuple[Placement, ...]) -> Names:
    """The names that the file at `path` defines where a runtime reads it and does not skip it."""
    names = set[tuple[str, str]]()
    for one in found:
        defined = definitions.defines(workspace.files, one.dialect, path, one.scope)
        names.update((one.system.names, name) for name in defined)
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Exports:
    """The exports of a file: the names that it defines, and the availability of its agent.

    `named` are the same names, and those that the runtime skips because of the rest of the file.
    `fails`: no agent loads because of this file. `speaks`: the files beside it are templates
    because of it. `settings` are those that it gives to an agent of several files. `configuration`
    stands for the text of a file of tables, which may decide anything about all agents.
    """

    names: Names
    named: Names = frozenset()
    availability: tuple[Availability, ...] = ()
    fails: bool = False
    speaks: bool = False
    settings: frozenset[str] = frozenset()
    configuration: int = 0


_EXPORTS = Memo[Exports](Lifetime.TEXT)


def exports(workspace: Workspace, path: Path) -> Exports:
    """The exports of the file at `path`."""
    found = system_placements(workspace, path)
    # Called before and after each keystroke.
    return _EXPORTS.get(
        workspace.files,
        path,
        None,
        lambda: _exports(workspace, path, found),
        basis=(found, placement_by_place(workspace, path.parent)),
    )


def _exports(workspace: Workspace, path: Path, found: tuple[Placement, ...]) -> Exports:
    file = workspace.files.read(path)
    own = Exports(_defined(workspace, path, found), named(workspace, path))
    dialect = found[0].dialect if found else None
    if dialect is not None and file is not None and dialect.schema.is_tables:
        return replace(own, configuration=hash(file.text))
    if dialect is not None and dialect.names.is_merged and file is not None:
        return replace(own, settings=frozenset(_settings(dialect, file, own.names)))
    availability = dialect.references.availability if dialect is not None else None
    if dialect is None or availability is None or file is None:
        return replace(own, speaks=speaks_for_folder(workspace, path))
    parsed = dialect.parse(file.text, bom=file.bom)
    name = dialect.names.name_of(path.name) or ""
    # The diagnostics of the file mostly need the same reading.
    reading = definitions.read(dialect, parsed, found[0].scope, name)
    return replace(own, availability=availability(reading), fails=bool(reading.errors))


def _settings(dialect: Dialect, file: SourceFile, names: Names) -> Iterator[str]:
    parsed = dialect.parse(file.text, bom=file.bom)
    for _, name in names:
        yield from dialect.format.read(parsed, name).effective.settings


def named(workspace: Workspace, path: Path) -> Names:
    """The names that the file at `path` defines, even if the runtime skips it."""
    return frozenset(
        (placement.system.names, one.name)
        for placement in system_placements(workspace, path)
        for one in definitions.named(workspace.files, placement.dialect, path, placement.scope)
    )


def defining(
    workspace: Workspace, folder: Path, names: Iterable[tuple[str, str]]
) -> Iterator[Path]:
    """The files in `folder` that define one of `names`."""
    wanted = tuple(names)
    for owner in own_placements(workspace, folder):
        found = definitions.names(workspace.files, owner.dialect, folder, owner.scope)
        for system, name in wanted:
            yield from found.get(name, ()) if system == owner.system.names else ()
