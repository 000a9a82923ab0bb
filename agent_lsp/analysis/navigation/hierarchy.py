"""Who may start whom: the agents that a file speaks of, if its tools leave it the spawn call.

Invariants: an agent starts another only if it keeps the tool by which its runtime does that, if
the runtime lets the other be started, and if its text names it and does not forbid it; what a
prompt does not name, nobody can tell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.navigation.names import agents, key, names
from agent_lsp.analysis.navigation.references import (
    Role,
    Target,
    is_of_one_runtime,
    places,
    target_at,
)
from agent_lsp.analysis.navigation.written import owner
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, Workspace, subject


@dataclass(frozen=True, slots=True)
class Starts:
    """That `caller` may start `called`, by the names at `spans` of the caller's file."""

    caller: Target
    called: Target
    spans: tuple[Span, ...]


def agent_at(of: Subject, offset: int) -> Target | None:
    """The agent that the place at `offset` means; of a persona, the agent that has it."""
    at = target_at(of, offset)
    if at is None and of.name is not None and of.foreign is None:
        # Anywhere else the file's own agent is meant: that is what people look at.
        return Target(of.dialect, of.path, owner(of, offset) or of.name)
    return Target(at.target.known, at.target.path, at.target.agent) if at is not None else None


def outgoing(workspace: Workspace, of: Target) -> tuple[Starts, ...]:
    """The agents that `of` may start, by what stands in its own part of the file."""
    caller = subject(workspace, of.path)
    found = _outgoing(caller) if caller is not None else ()
    return tuple(one for one in found if one.caller == of)


def incoming(workspace: Workspace, of: Target) -> tuple[Starts, ...]:
    """The agents that may start `of`."""
    return tuple(_incoming(workspace, of))


def _outgoing(caller: Subject) -> Iterator[Starts]:
    found: dict[tuple[str, Target], list[Span]] = {}
    for place in places(caller):
        name = owner(caller, place.span.start)
        is_agent = place.role is Role.MENTION and place.target.persona is None
        is_other = (place.target.path, place.target.agent) != (caller.path, name)
        if name and is_agent and is_other and not _is_forbidden(caller, place.span):
            found.setdefault((name, place.target), []).append(place.span)
    for (name, called), spans in found.items():
        if _can_spawn(caller, name) and _can_be_started(caller.workspace, called):
            yield Starts(Target(caller.dialect, caller.path, name), called, tuple(spans))


def _can_spawn(of: Subject, name: str) -> bool:
    """Whether the agent keeps the tool by which its runtime starts others."""
    how = of.dialect.delegation
    tool = how.tool if how is not None else of.dialect.spawn_call
    reading = of.reading if name == of.name else of.dialect.read(of.document, name)
    return any(one.kept for one in of.dialect.toolset(reading, (tool,), 1).verdicts)


def _can_be_started(workspace: Workspace, called: Target) -> bool:
    """Whether the runtime lets agents start this one."""
    how = called.known.delegation
    of = subject(workspace, called.path) if how is not None else None
    return how is None or of is None or how.refused(of.reading) is None


_NOT = re.compile(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;]\s|\n\s*\n|\n\s*[-*#]")
# A sentence that is longer forbids nothing any more.
_FAR = 300


def _is_forbidden(caller: Subject, span: Span) -> bool:
    """Whether the sentence before a name tells the agent to keep from it."""
    before = caller.document.text[max(0, span.start - _FAR) : span.start]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    return _NOT.search(before, ends[-1] if ends else 0) is not None


def _incoming(workspace: Workspace, called: Target) -> Iterator[Starts]:
    spelled = called.known.spellings
    others = spelled(called.agent) if spelled is not None else ()
    wanted = {key(name) for name in (called.agent, *others)}
    seen = set()
    for agent in agents(workspace):
        if agent.path in seen:
            continue
        seen.add(agent.path)
        is_one = is_of_one_runtime(agent.known, called.known)
        if not is_one or wanted.isdisjoint(names(workspace, agent).mentioned):
            continue
        caller = subject(workspace, agent.path)
        if caller is not None:
            yield from (one for one in _outgoing(caller) if one.called == called)
