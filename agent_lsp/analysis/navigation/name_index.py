"""Indexes the names that files declare and mention, for searches through all of them.

Invariant: a closed file is read once, and again only when somebody says that it has changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.model.dialect import Dialect
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.scopes import fixed_folder
from agent_lsp.workspace.snapshot import Workspace, dialect_of_place, holds_own, scope_or_label


@dataclass(frozen=True, slots=True)
class FileNames:
    """The personas of one agent by name and place, and the names that its file speaks of.

    `span` is where the agent's own name stands, or the start of the file; `folded` are the agent
    and its personas as a search compares them, a line for each; `mentioned` are in the form that
    `key` gives.
    """

    span: Span
    personas: tuple[tuple[str, Span], ...]
    folded: str
    mentioned: frozenset[str]


@dataclass(frozen=True, slots=True)
class Agent:
    """A file that has a name for the runtime of `dialect`; `is_kept` says who hears of changes."""

    dialect: Dialect
    name: str
    path: Path
    is_kept: bool


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """A folder of agents of one system; `is_kept` says who hears of changes in it."""

    dialect: Dialect
    folder: Path
    is_kept: bool


def agents(workspace: Workspace) -> Iterator[Agent]:
    """All agents in the folders of the workspace, of the user and of the product."""
    for place in agent_folders(workspace):
        yield from agents_of(workspace, place)


def speaking(workspace: Workspace) -> Iterator[Agent]:
    """All agents, and the files of tables that have none and may name those of other files."""
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
    kept = workspace.files.derived(None, "agent folders")
    if not isinstance(kept, _AgentFolders) or kept.made_of != made_of:
        found = tuple(_agent_folders(workspace))
        certain = tuple(one for one in found if one.dialect.system.common is None)
        kept = _AgentFolders(
            made_of, certain, tuple(one for one in found if one.dialect.system.common is not None)
        )
        workspace.files.remember(None, "agent folders", kept)
    if not kept.common:
        return kept.certain
    own = (one for one in kept.common if one.is_kept)
    used = {one.dialect.id for one in own if holds_own(workspace, one.dialect, one.folder)}
    more = (one for one in kept.common if one.dialect.id in used)
    return (
        *kept.certain,
        *(one for one in more if holds_own(workspace, one.dialect, one.folder)),
    )


def agents_of(workspace: Workspace, agent_folder: AgentFolder) -> tuple[Agent, ...]:
    """The agents in one folder."""
    files, dialect, folder, is_kept = (
        workspace.files,
        agent_folder.dialect,
        agent_folder.folder,
        agent_folder.is_kept,
    )
    # A search asks with each letter; names in texts change without the listing.
    kept = files.derived(folder, ("agents", dialect.id, is_kept))
    if isinstance(kept, tuple) and dialect.names_in is None:
        return kept
    found = definitions.names(files, dialect, folder, scope_or_label(workspace, dialect, folder))
    made = tuple(
        Agent(dialect, name, path, is_kept) for name, paths in found.items() for path in paths
    )
    files.remember(folder, ("agents", dialect.id, is_kept), made)
    return made


def names(workspace: Workspace, agent: Agent) -> FileNames:
    """The names in one file; they are kept only if somebody says when it changes."""
    kept = workspace.files.notes.get(agent.path, {}).get(agent.name)
    if isinstance(kept, FileNames):
        return kept
    file = workspace.files.read(agent.path)
    text, bom = (file.text, file.bom) if file is not None else ("", False)
    parsed = agent.dialect.parse(text, bom=bom)
    read = agent.dialect.read(parsed, agent.name)
    personas = tuple((one.name, one.name_span) for one in read.declared.personas if one.name)
    scope = scope_or_label(workspace, agent.dialect, agent.path.parent)
    named = definitions.named(workspace.files, agent.dialect, agent.path, scope)
    found = FileNames(
        next((one.span for one in named if one.name == agent.name and one.span), Span(0, 0)),
        personas,
        "\n".join(line(name) for name in (agent.name, *(name for name, _ in personas))),
        frozenset(key(one.agent or one.name) for one in agent.dialect.mentioned(parsed)),
    )
    if agent.is_kept:
        workspace.files.notes.setdefault(agent.path, {})[agent.name] = found
    return found


def line(name: str) -> str:
    """A name as a search compares it."""
    return " ".join(name.casefold().splitlines())


def key(name: str) -> str:
    """The same for all spellings of one name in any system."""
    return name.casefold().replace("-", "_")


@dataclass(frozen=True, slots=True)
class _AgentFolders:
    """The agent folders of a workspace, and the parts of it that they follow from.

    Whether the `common` ones are somebody's is decided by texts, which change more often.
    """

    made_of: tuple[object, ...]
    certain: tuple[AgentFolder, ...]
    common: tuple[AgentFolder, ...]


def _agent_folders(workspace: Workspace) -> Iterator[AgentFolder]:
    searched = frozenset(workspace.folders)
    for folder in _folders(workspace):
        dialect = dialect_of_place(workspace, folder)
        if dialect is not None:
            yield AgentFolder(dialect, folder, folder in searched)


def _folders(workspace: Workspace) -> Iterator[Path]:
    """The template folders of the workspace and of the user, and the built-in ones of both.

    Who has nothing for a system does not want to come across the agents that it ships.
    """
    files = workspace.files
    yield from workspace.folders
    seen = {files.real(folder) for folder in workspace.folders}
    found = (dialect_of_place(workspace, folder) for folder in workspace.folders)
    used = {dialect.id for dialect in found if dialect is not None}
    for system in workspace.systems:
        own = fixed_folder(system, workspace.host_paths, builtin=False)
        is_used = system.id in used or (own is not None and files.is_folder(own))
        for builtin in (False, True) if is_used else (False,):
            folder = fixed_folder(system, workspace.host_paths, builtin=builtin)
            if folder is not None and files.real(folder) not in seen:
                seen.add(files.real(folder))
                yield folder
