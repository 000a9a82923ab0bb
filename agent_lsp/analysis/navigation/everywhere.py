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
from agent_lsp.analysis.navigation.names import Agent, agents, line, names
from agent_lsp.dialects.answers import Candidate
from agent_lsp.text import Span
from agent_lsp.workspace.index import Workspace, candidates, root_for, scope_at

# An editor asks again with each letter, and nobody reads on to the end of more.
MOST = 200


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
            of.name,
            persona[0] if persona is not None else None,
            of.path,
            persona[1] if persona is not None else names(workspace, of).span,
            _where(workspace, of),
        )
        for _, _, _, of, persona in best
    )


_Ranked = tuple[int, int, str, Agent, tuple[str, Span] | None]


def _ranked(workspace: Workspace, wanted: str) -> Iterator[_Ranked]:
    """All that match, each behind what it is sorted by."""
    # A name is a line, so that one search tells whether a file has any that matches.
    letters = re.compile(".*?".join(map(re.escape, wanted)))
    for of in agents(workspace):
        inside = names(workspace, of)
        if not letters.search(inside.folded):
            continue
        for persona in (None, *inside.personas):
            name = of.name if persona is None else persona[0]
            folded = line(name)
            if letters.search(folded):
                yield _rank(folded, wanted), len(name), name, of, persona


def _rank(folded: str, wanted: str) -> int:
    """How well a name that matches does so, the best being 0."""
    if folded.startswith(wanted):
        return 0 if folded == wanted else 1
    return 2 if wanted in folded else 3


def _where(workspace: Workspace, of: Agent) -> str:
    scope = scope_at(workspace, of.path.parent)
    label = scope.label if scope is not None else "claimed folder"
    root = root_for(workspace, of.known, of.path)
    chain = candidates(workspace, of.known, root, of.name)
    return f"{label}{_state(workspace, chain, of.path)} ({of.known.id})"


def _state(workspace: Workspace, chain: tuple[Candidate, ...], path: Path) -> str:
    real = workspace.files.real
    if not any(real(one.path) == real(path) for one in chain):
        return ", not loaded"
    if real(chain[0].path) != real(path):
        return f", shadowed by {shown(workspace, chain[0].path)}"
    return ""
