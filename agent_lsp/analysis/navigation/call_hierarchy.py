"""Finds which agents an agent may start, as a call hierarchy and as the graph of a session."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from agent_lsp.analysis.navigation.name_index import agents, key, names, owner
from agent_lsp.analysis.navigation.references import (
    ReferenceRole,
    Target,
    is_of_one_runtime,
    references,
    target_at,
)
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, catalog_of, template_file


@dataclass(frozen=True, slots=True)
class CallEdge:
    """`caller` may start `called`, according to the names at `spans` of the caller's file."""

    caller: Target
    called: Target
    spans: tuple[Span, ...]


def agent_at(file: TemplateFile, offset: int) -> Target | None:
    """The agent that the place at `offset` refers to; for a persona, the agent that has it."""
    at = target_at(file, offset)
    if at is None and file.name is not None and file.foreign is None:
        # Any other place stands for the file's own agent, which the reader is looking at.
        return Target(file.dialect, file.path, owner(file, offset) or file.name)
    return Target(at.target.dialect, at.target.path, at.target.agent) if at is not None else None


def outgoing(workspace: Workspace, target: Target) -> tuple[CallEdge, ...]:
    """The agents that `target` may start, according to its own part of the file."""
    return tuple(one for one in _edges(workspace, target.path) if one.caller == target)


def incoming(workspace: Workspace, target: Target) -> tuple[CallEdge, ...]:
    """The agents that may start `target`."""
    return tuple(_incoming(workspace, target))


def _edges(workspace: Workspace, path: Path) -> Iterator[CallEdge]:
    caller = template_file(workspace, path)
    return _outgoing(caller) if caller is not None else iter(())


def _outgoing(caller: TemplateFile) -> Iterator[CallEdge]:
    found: dict[tuple[str, Target], list[Span]] = {}
    for place in references(caller):
        name = owner(caller, place.span.start)
        is_agent = place.role is ReferenceRole.MENTION and place.target.persona is None
        is_other = (place.target.path, place.target.agent) != (caller.path, name)
        if name and is_agent and is_other and not _is_forbidden(caller, place.span):
            found.setdefault((name, place.target), []).append(place.span)
    for (name, called), spans in found.items():
        if _can_spawn(caller, name, called.agent) and _can_be_started(caller.workspace, called):
            yield CallEdge(Target(caller.dialect, caller.path, name), called, tuple(spans))


def _can_spawn(file: TemplateFile, name: str, called: str) -> bool:
    """Whether the agent keeps the tool by which its runtime starts others, and may start this."""
    how = file.dialect.references.delegation
    if how is not None and how.may is not None:
        merged = catalog_of(file).definition(name)
        own = file.reading if name == file.name else file.dialect.format.read(file.document, name)
        return how.may(merged.reading if merged is not None else own, called)
    tool = how.tool if how is not None else file.dialect.calls.spawn_call
    reading = file.reading if name == file.name else file.dialect.format.read(file.document, name)
    return any(one.kept for one in file.dialect.tools.toolset(reading, (tool,), 1).verdicts)


def _can_be_started(workspace: Workspace, called: Target) -> bool:
    """Whether the runtime lets agents start this one."""
    how = called.dialect.references.delegation
    file = template_file(workspace, called.path) if how is not None else None
    return how is None or file is None or how.refused(file.reading) is None


_NOT = regex(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = regex(r"[.!?:;]\s|\n\s*\n|\n\s*[-*#]")
# The most characters between a prohibition and the name that it is about.
_FAR = 300


def _is_forbidden(caller: TemplateFile, span: Span) -> bool:
    """Whether the text before a name, in the same sentence, forbids its use."""
    before = caller.document.text[max(0, span.start - _FAR) : span.start]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    return _NOT.search(before, ends[-1] if ends else 0) is not None


def _incoming(workspace: Workspace, called: Target) -> Iterator[CallEdge]:
    spelled = called.dialect.names.spellings
    others = spelled(called.agent) if spelled is not None else ()
    wanted = {key(name) for name in (called.agent, *others)}
    seen = set()
    for agent in agents(workspace):
        if agent.path in seen:
            continue
        seen.add(agent.path)
        is_one = is_of_one_runtime(agent.dialect, called.dialect)
        if not is_one or wanted.isdisjoint(names(workspace, agent).mentioned):
            continue
        caller = template_file(workspace, agent.path)
        if caller is not None:
            yield from (one for one in _outgoing(caller) if one.called == called)


_QUOTED = regex(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'")


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
    # One file may define all agents.
    edges: dict[Target, list[CallEdge]] = {}
    for path in dict.fromkeys(one.path for one in winners.values()):
        for edge in _edges(workspace, path):
            edges.setdefault(edge.caller, []).append(edge)
    for name, one in winners.items():
        for found in edges.get(Target(dialect, one.path, name), ()):
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
