"""Builds the graph of a session's agents: which ones shadow, may start, or mention which.

Invariants: the call hierarchy decides which agent may start which. An agent is mentioned where a
prompt has its exact name as code or in quotes; the same word in a sentence is only a word.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from agent_lsp.analysis.navigation.call_hierarchy import outgoing
from agent_lsp.analysis.navigation.references import Target
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.workspace.snapshot import Workspace

_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'")


@dataclass(frozen=True, slots=True)
class Graph:
    """The definitions by scope and name; the other fields are pairs of definitions.

    `mentions` are the mentions of agents that are not also started.
    """

    nodes: tuple[Candidate, ...]
    hides: tuple[tuple[Candidate, Candidate], ...]
    starts: tuple[tuple[Candidate, Candidate], ...]
    mentions: tuple[tuple[Candidate, Candidate], ...]


def graph(workspace: Workspace, dialect: Dialect, catalog: Catalog) -> Graph:
    """The graph of everything that a session finds."""
    chains = {name: catalog.candidates(name) for name in catalog.names}
    order = {scope: place for place, scope in enumerate(catalog.scopes)}
    nodes = sorted(
        (one for chain in chains.values() for one in chain),
        key=lambda one: (order[one.scope], one.name, one.path),
    )
    hides = [pair for chain in chains.values() for pair in pairwise(chain)]
    winners = {name: chain[0] for name, chain in chains.items() if chain}
    starts = list(_starts(workspace, dialect, winners))
    mentions = (pair for one in nodes for pair in _mentions(catalog, one, winners))
    others = tuple(pair for pair in mentions if pair not in starts)
    return Graph(tuple(nodes), tuple(hides), tuple(starts), others)


def _starts(
    workspace: Workspace, dialect: Dialect, winners: Mapping[str, Candidate]
) -> Iterator[tuple[Candidate, Candidate]]:
    """The pairs of winners of which the first may start the second; losers start nothing."""
    places = {(one.path, name): one for name, one in winners.items()}
    for name, one in winners.items():
        for found in outgoing(workspace, Target(dialect, one.path, name)):
            called = places.get((found.called.path, found.called.agent))
            if called is not None:
                yield one, called


def _mentions(
    catalog: Catalog, candidate: Candidate, winners: Mapping[str, Candidate]
) -> Iterator[tuple[Candidate, Candidate]]:
    text = "\n".join(block.text for block in catalog.read(candidate).effective.blocks)
    words = {word for match in _QUOTED.finditer(text) for word in match.groups() if word}
    for name, other in winners.items():
        if name in words and name != candidate.name:
            yield candidate, other
