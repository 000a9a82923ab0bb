"""Computes what other files can see of a file, and keeps which places its text names."""

from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.template import Record, Value
from agent_lsp.workspace import definitions
from agent_lsp.workspace.disk import SourceFile
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.misplaced import claims_template
from agent_lsp.workspace.placement import (
    Placement,
    Workspace,
    own_placements,
    placements_of_folder,
    system_placements,
)


class NamedIn(Enum):
    """The part of a file that names a place."""

    PROMPT = "the prompt"
    HOOK = "the command of a hook"
    SKILL = "the path of a skill"


_PLACES = Memo[frozenset[Path]](Lifetime.TEXT)


def keep(files: Files, path: Path, where: NamedIn, places: Iterable[Path]) -> None:
    """Stores the `places` that a part of the file at `path` names."""
    found = frozenset(places)
    if found or _PLACES.peek(files, path, where):
        _PLACES.keep(files, path, where, found)


def kept(files: Files, path: Path) -> frozenset[Path]:
    """The places that the file at `path` names."""
    found = [one for where in NamedIn if (one := _PLACES.peek(files, path, where))]
    return found[0] if len(found) == 1 else frozenset[Path]().union(*found)


Names = frozenset[tuple[str, str]]


def _names(workspace: Workspace, path: Path, found: tuple[Placement, ...]) -> tuple[Names, Names]:
    """The names that the file defines where a runtime does not skip it, and all of them."""
    counting, every = set[tuple[str, str]](), set[tuple[str, str]]()
    for one in found:
        system, dialect, scope = one.system.names, one.dialect, one.scope
        names = definitions.named(workspace.files, dialect, path, scope)
        every.update((system, name.name) for name in names)
        defined = definitions.defines(workspace.files, dialect, path, scope, names)
        counting.update((system, name) for name in defined)
    everything = frozenset(every)
    # Mostly the same: one object takes half of the memory.
    return everything if counting == everything else frozenset(counting), everything


@dataclass(frozen=True, slots=True)
class Exports:
    """The exports of a file: the names that it defines, and the availability of its agent.

    `named` are the same names, and those that the runtime skips because of the rest of the file.
    `fails`: no agent loads because of this file. `speaks`: the files beside it are templates
    because of it. `settings` stand for those that it gives to an agent of several files, and
    `configuration` for the text of a file of tables, which may decide anything about all agents.
    """

    names: Names
    named: Names = frozenset()
    availability: tuple[Availability, ...] = ()
    fails: bool = False
    speaks: bool = False
    settings: frozenset[int] = frozenset()
    configuration: int = 0


_EXPORTS = Memo[Exports](Lifetime.TEXT)


def exports(
    workspace: Workspace, path: Path, in_systems: tuple[Placement, ...] | None = None
) -> Exports:
    """The exports of the file at `path`; `in_systems` are its placements, if they are there."""
    found = system_placements(workspace, path) if in_systems is None else in_systems
    around = placements_of_folder(workspace, path.parent)
    # Called before and after each keystroke.
    return _EXPORTS.get(
        workspace.files,
        path,
        None,
        lambda: _exports(workspace, path, found, around),
        basis=(found, around[:1]),
    )


def _exports(
    workspace: Workspace,
    path: Path,
    found: tuple[Placement, ...],
    around: tuple[Placement, ...],
) -> Exports:
    file = workspace.files.read(path)
    names, every = _names(workspace, path, found)
    dialect = found[0].dialect if found else None
    if dialect is not None and file is not None and dialect.schema.is_tables:
        return Exports(names, every, configuration=hash(file.text))
    if dialect is not None and dialect.names.is_merged and file is not None:
        return Exports(names, every, settings=frozenset(_settings(dialect, file, names)))
    availability = dialect.references.availability if dialect is not None else None
    if dialect is None or availability is None or file is None:
        return Exports(names, every, speaks=_speaks(workspace.files, path, around))
    parsed = dialect.parse(file.text, bom=file.bom)
    name = dialect.names.name_of(path.name) or ""
    # The diagnostics of the file mostly need the same reading.
    scope = found[0].scope
    reading = definitions.read(dialect, parsed, scope, name)
    return Exports(names, every, availability(reading, scope), fails=bool(reading.errors))


def _speaks(files: Files, path: Path, around: tuple[Placement, ...]) -> bool:
    """Whether `path` makes the files beside it in a common folder templates."""
    found = next((one for one in around if one.system.has(path.name)), None)
    common = found.system.common if found is not None else None
    return common is not None and claims_template(files, common, path)


def _settings(dialect: Dialect, file: SourceFile, names: Names) -> Iterator[int]:
    parsed = dialect.parse(file.text, bom=file.bom)
    for _, name in names:
        for key, value in dialect.format.read(parsed, name).effective.settings.items():
            yield hash((key, _said(value)))


def _said(value: object) -> object:
    """What a value says, wherever it is; no file depends on the words of another one's sentence."""
    if isinstance(value, Value):
        return _said(value.value)
    if isinstance(value, Record):
        return tuple((key, _said(one)) for key, one in value.values.items())
    if isinstance(value, tuple):
        return tuple(map(_said, value))
    return " " if isinstance(value, str) and " " in value else value


def named(
    workspace: Workspace, path: Path, in_systems: tuple[Placement, ...] | None = None
) -> Names:
    """The names that the file at `path` defines, even if the runtime skips it.

    `in_systems` are its placements, if they are there.
    """
    found = system_placements(workspace, path) if in_systems is None else in_systems
    return frozenset(
        (placement.system.names, one.name)
        for placement in found
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
