"""Finds the names that files declare and mention, and indexes them for searches in all files."""

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import DefinedName
from agent_lsp.syntax.document import Document, memoised
from agent_lsp.syntax.nodes import Broken, Scalar
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import (
    Workspace,
    first_of_forms,
    holds_own,
    placements_of_folder,
    scope_for,
)
from agent_lsp.workspace.scopes import fixed_folder
from agent_lsp.workspace.snapshot import TemplateFile


@memoised
def declarations(file: TemplateFile) -> tuple[DefinedName, ...]:
    """The names with their places; none if the agent is named after the file."""
    first = [one for one in file.names if one.span is not None]
    found = {one.span: one for one in (*first, *_tables(file))}
    known = {one.name for one in first}
    places = (one for span, one in found.items() if span is not None and one.name in known)
    return tuple(sorted(places, key=_start))


def owner(file: TemplateFile, offset: int) -> str | None:
    """The agent whose part of the file `offset` lies in, or None."""
    before = _before(file, offset)
    return before.name if before is not None else file.name


def at_line(file: TemplateFile, line: int) -> str | None:
    """The agent in whose part of the file a line is, or None above all tables of agents."""
    if not file.dialect.schema.is_tables:
        return file.name
    end = LineIndex(file.document.text).line_span(max(line, 0)).end
    before = _before(file, end)
    return before.name if before is not None else None


def _before(file: TemplateFile, offset: int) -> DefinedName | None:
    """The last name that is declared at or before `offset`."""
    every = declarations(file)
    at = bisect_right(every, offset, key=_start)
    return every[at - 1] if at else None


def _start(name: DefinedName) -> int:
    return name.span.start if name.span is not None else 0


def _tables(file: TemplateFile) -> Iterator[DefinedName]:
    for section in file.document.tree.sections:
        keys = section.header.keys if section.header is not None else ()
        yield from _named(file, keys, 0)
        for pair in section.pairs:
            yield from _named(file, (*keys, *pair.keys), len(keys))


def _named(
    file: TemplateFile, keys: tuple[Scalar | Broken, ...], first: int
) -> Iterator[DefinedName]:
    """The key that names a template, if it is among those from `first` on."""
    path = tuple(key.value if isinstance(key, Scalar) else "" for key in keys)
    for end in range(1, len(path) + 1):
        name = file.dialect.schema.template_at(path[:end])
        if name is not None:
            if end > first:
                yield DefinedName(name, keys[end - 1].span)
            return


@dataclass(frozen=True, slots=True)
class FileNames:
    """The personas of one agent by name and place, and the names that its file mentions.

    `span` is the place of the agent's own name, or the start of the file. `folded` are the agent
    and its personas in the form for searches, one on each line. `mentioned` are names in the form
    that `key` returns.
    """

    span: Span
    personas: tuple[tuple[str, Span], ...]
    folded: str
    mentioned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agent:
    """A file with a name for the runtime of `dialect`; `is_kept` if its changes are reported."""

    dialect: Dialect
    name: str
    path: Path
    is_kept: bool


@dataclass(frozen=True, slots=True, eq=False)
class AgentFolder:
    """A folder of agents of one system; `is_kept` if changes in it are reported.

    It is found once, and again after the folders of the workspace change.
    """

    dialect: Dialect
    folder: Path
    is_kept: bool


_FOLDERS: "Memo[_AgentFolders]" = Memo(Lifetime.TREE)
_AGENTS = Memo[tuple[Agent, ...]](Lifetime.LISTING)
_NAMES = Memo[FileNames](Lifetime.TEXT)


def agents(workspace: Workspace) -> Iterator[Agent]:
    """All agents in the folders of the workspace, of the user and of the product."""
    for place in agent_folders(workspace):
        yield from agents_of(workspace, place)


def speaking(workspace: Workspace) -> Iterator[Agent]:
    """All agents, and the files of tables that define none but may name those of other files."""
    for place in agent_folders(workspace):
        found = agents_of(workspace, place)
        yield from found
        paths = {one.path for one in found}
        for name in sorted(place.dialect.system.files):
            path = place.folder / name
            if path not in paths and workspace.files.read(path) is not None:
                yield Agent(place.dialect, "", path, place.is_kept)


def agent_folders(workspace: Workspace) -> tuple[AgentFolder, ...]:
    """The folders of the workspace, of the user and of the product that have agents."""
    made_of = (workspace.folders, workspace.settings, workspace.claimed, workspace.host_paths)
    kept = _FOLDERS.get(workspace.files, None, None, lambda: _sorted(workspace), basis=made_of)
    if not kept.common:
        return kept.certain
    own = (one for one in kept.common if one.is_kept)
    used = {one.dialect.id for one in own if holds_own(workspace, one.dialect.system, one.folder)}
    more = (one for one in kept.common if one.dialect.id in used)
    return (
        *kept.certain,
        *(one for one in more if holds_own(workspace, one.dialect.system, one.folder)),
    )


def agents_of(workspace: Workspace, agent_folder: AgentFolder) -> tuple[Agent, ...]:
    """The agents in one folder."""
    dialect, folder = agent_folder.dialect, agent_folder.folder
    # Names inside of texts can change without a change of the listing.
    if dialect.names.names_in is not None:
        return _agents_of(workspace, agent_folder)
    # A search asks again after each typed letter.
    key = (dialect.id, agent_folder.is_kept)
    return _AGENTS.get(workspace.files, folder, key, lambda: _agents_of(workspace, agent_folder))


def _agents_of(workspace: Workspace, agent_folder: AgentFolder) -> tuple[Agent, ...]:
    dialect, folder = agent_folder.dialect, agent_folder.folder
    scope = scope_for(workspace, dialect.system, folder)
    found = definitions.names(workspace.files, dialect, folder, scope)
    return tuple(
        Agent(dialect, name, path, agent_folder.is_kept)
        for name, paths in found.items()
        for path in paths
    )


def names(workspace: Workspace, agent: Agent) -> FileNames:
    """The names in one file; they are stored only if changes of it are reported."""
    if not agent.is_kept:
        return _names(workspace, agent)
    key = (agent.dialect.id, agent.name)
    return _NAMES.get(workspace.files, agent.path, key, lambda: _names(workspace, agent))


def _names(workspace: Workspace, agent: Agent) -> FileNames:
    file = workspace.files.read(agent.path)
    text, bom = (file.text, file.bom) if file is not None else ("", False)
    parsed = agent.dialect.parse(text, bom=bom)
    read = agent.dialect.format.read(parsed, agent.name)
    personas = tuple((one.name, one.name_span) for one in read.declared.personas if one.name)
    scope = scope_for(workspace, agent.dialect.system, agent.path.parent)
    own = definitions.name_span(workspace.files, agent.dialect, agent.path, scope, agent.name)
    return FileNames(
        own or Span(0, 0),
        personas,
        "\n".join(line(name) for name in (agent.name, *(name for name, _ in personas))),
        _mentioned(parsed, agent.dialect),
    )


@memoised
def _mentioned(document: Document, dialect: Dialect) -> tuple[str, ...]:
    """The names that a file mentions, which may define thousands."""
    # Thousands of files have one each, and a small tuple takes a quarter of a set's memory.
    return tuple({key(one.agent or one.name): None for one in dialect.mentioned(document)})


def line(name: str) -> str:
    """A name in the form for searches."""
    return " ".join(name.casefold().splitlines())


def key(name: str) -> str:
    """The canonical spelling of a name, the same for all of its spellings in any system."""
    return name.casefold().replace("-", "_")


@dataclass(frozen=True, slots=True)
class _AgentFolders:
    """The agent folders of a workspace.

    Texts decide whether the `common` ones are in use, and texts change more often.
    """

    certain: tuple[AgentFolder, ...]
    common: tuple[AgentFolder, ...]


def _sorted(workspace: Workspace) -> _AgentFolders:
    found = tuple(_agent_folders(workspace))
    certain = tuple(one for one in found if one.dialect.system.common is None)
    return _AgentFolders(
        certain, tuple(one for one in found if one.dialect.system.common is not None)
    )


def _agent_folders(workspace: Workspace) -> Iterator[AgentFolder]:
    searched = frozenset(workspace.folders)
    for folder in _folders(workspace):
        for owner in first_of_forms(placements_of_folder(workspace, folder)):
            yield AgentFolder(owner.dialect, folder, folder in searched)


def _folders(workspace: Workspace) -> Iterator[Path]:
    """The template folders of the workspace and of the user, and the built-in ones of both.

    A user without files for a system does not want to find its built-in agents.
    """
    files = workspace.files
    yield from workspace.folders
    seen = {files.real(folder) for folder in workspace.folders}
    found = (one for each in workspace.folders for one in placements_of_folder(workspace, each))
    used = {owner.system.id for owner in found}
    for system in workspace.systems:
        own = fixed_folder(system, workspace.host_paths, builtin=False)
        is_used = system.id in used or (own is not None and files.is_folder(own))
        for builtin in (False, True) if is_used else (False,):
            folder = fixed_folder(system, workspace.host_paths, builtin=builtin)
            if folder is not None and files.real(folder) not in seen:
                seen.add(files.real(folder))
                yield folder
