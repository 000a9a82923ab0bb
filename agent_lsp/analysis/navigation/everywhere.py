"""The agents and personas of all places that a session could look into, by a few letters of a name.

Invariants: closed files are read once and then only when they change; what costs more than a
name is found out only about what is answered.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path

from agent_lsp.analysis.markup import shown
from agent_lsp.dialects.answers import Candidate
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.syntax import document
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import (
    Workspace,
    candidates,
    dialect_of_folder,
    root_for,
    scope_at,
)
from agent_lsp.workspace.scopes import fixed_folder

# An editor asks again with each letter, and nobody reads on to the end of more.
MOST = 200


@dataclass(frozen=True, slots=True)
class Declared:
    """The personas of one file by name and place; `folded` are all names in it, a line for each."""

    personas: tuple[tuple[str, Span], ...]
    folded: str


@dataclass(frozen=True, slots=True)
class Found:
    """An agent, or with `persona` one of its personas, and in a few words where it is defined."""

    agent: str
    persona: str | None
    path: Path
    span: Span
    where: str

    @property
    def name(self) -> str:
        """What the thing itself is called."""
        return self.agent if self.persona is None else self.persona


def everywhere(workspace: Workspace, query: str) -> tuple[Found, ...]:
    """The best matches of `query`, whose letters stand in the name in their order."""
    # The key leaves out what cannot be compared; equal ones keep the order of their places.
    best = nsmallest(MOST, _ranked(workspace, query.casefold()), key=lambda one: one[:3])
    return tuple(
        Found(
            agent,
            persona[0] if persona is not None else None,
            path,
            persona[1] if persona is not None else Span(0, 0),
            _where(workspace, known, agent, path),
        )
        for _, _, _, known, agent, path, persona in best
    )


def declared(workspace: Workspace, known: Dialect, path: Path, *, keep: bool) -> Declared:
    """The personas that the file at `path` declares.

    They are kept only of files of which somebody says when they change.
    """
    kept = workspace.files.notes.get(path)
    if isinstance(kept, Declared):
        return kept
    file = workspace.files.read(path)
    text, bom = (file.text, file.bom) if file is not None else ("", False)
    name = known.name_of(path.name) or ""
    read = known.read(document.parse(text, known.cut, bom=bom), name)
    personas = tuple((one.name, one.name_span) for one in read.written.personas if one.name)
    names = (name, *(called for called, _ in personas))
    found = Declared(personas, "\n".join(_line(called) for called in names))
    if keep:
        workspace.files.notes[path] = found
    return found


_Ranked = tuple[int, int, str, Dialect, str, Path, tuple[str, Span] | None]


def _ranked(workspace: Workspace, wanted: str) -> Iterator[_Ranked]:
    """All that match, each behind what it is sorted by."""
    # A name is a line, so that one search tells whether a file has any that matches.
    letters = re.compile(".*?".join(map(re.escape, wanted)))
    for known, agent, path, is_searched in _agents(workspace):
        inside = declared(workspace, known, path, keep=is_searched)
        if not letters.search(inside.folded):
            continue
        for persona in (None, *inside.personas):
            name = agent if persona is None else persona[0]
            folded = _line(name)
            if letters.search(folded):
                rank = _rank(folded, wanted)
                yield rank, len(name), name, known, agent, path, persona


def _rank(folded: str, wanted: str) -> int:
    """How well a name that matches does so, the best being 0."""
    if folded.startswith(wanted):
        return 0 if folded == wanted else 1
    return 2 if wanted in folded else 3


def _line(name: str) -> str:
    return " ".join(name.casefold().splitlines())


def _agents(workspace: Workspace) -> Iterator[tuple[Dialect, str, Path, bool]]:
    """Each agent with its file, and whether that lies in a folder of the workspace."""
    searched = frozenset(workspace.folders)
    for folder in _folders(workspace):
        is_searched = folder in searched
        known = dialect_of_folder(workspace, folder)
        if known is None:
            continue
        for name, paths in definitions.names(workspace.files, known, folder).items():
            yield from ((known, name, path, is_searched) for path in paths)


def _folders(workspace: Workspace) -> Iterator[Path]:
    """The template folders of the workspace, of the user and of the product."""
    files = workspace.files
    yield from workspace.folders
    seen = {files.real(folder) for folder in workspace.folders}
    for known in DIALECTS:
        for builtin in (False, True):
            folder = fixed_folder(known, workspace.places, builtin=builtin)
            if folder is not None and files.real(folder) not in seen:
                seen.add(files.real(folder))
                yield folder


def _where(workspace: Workspace, known: Dialect, agent: str, path: Path) -> str:
    scope = scope_at(workspace, path.parent)
    label = scope.label if scope is not None else "claimed folder"
    chain = candidates(workspace, known, root_for(workspace, known, path), agent)
    return f"{label}{_state(workspace, chain, path)} ({known.id})"


def _state(workspace: Workspace, chain: tuple[Candidate, ...], path: Path) -> str:
    real = workspace.files.real
    if not any(real(one.path) == real(path) for one in chain):
        return ", not loaded"
    if real(chain[0].path) != real(path):
        return f", shadowed by {shown(workspace, chain[0].path)}"
    return ""
