"""Who takes whose place, and who speaks of whom, among the agents that a session finds.

Invariant: an agent is mentioned where its exact name stands in a prompt as code or in quotes; the
same word in a sentence is a word.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from agent_lsp.dialects.answers import Candidate, Catalog

_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'")


@dataclass(frozen=True, slots=True)
class Graph:
    """The definitions by scope and name; `hides` and `mentions` are pairs of them."""

    nodes: tuple[Candidate, ...]
    hides: tuple[tuple[Candidate, Candidate], ...]
    mentions: tuple[tuple[Candidate, Candidate], ...]


def graph(found: Catalog) -> Graph:
    """The graph of everything that a session finds."""
    chains = {name: found.candidates(name) for name in found.names}
    order = {scope: place for place, scope in enumerate(found.scopes)}
    nodes = sorted(
        (one for chain in chains.values() for one in chain),
        key=lambda one: (order[one.scope], one.name, one.path),
    )
    hides = [pair for chain in chains.values() for pair in pairwise(chain)]
    winners = {name: chain[0] for name, chain in chains.items() if chain}
    mentions = [pair for one in nodes for pair in _mentions(found, one, winners)]
    return Graph(tuple(nodes), tuple(hides), tuple(mentions))


def _mentions(
    found: Catalog, one: Candidate, winners: Mapping[str, Candidate]
) -> Iterator[tuple[Candidate, Candidate]]:
    text = "\n".join(block.text for block in found.read(one).held.blocks)
    words = {word for match in _QUOTED.finditer(text) for word in match.groups() if word}
    for name, other in winners.items():
        if name in words and name != one.name:
            yield one, other
