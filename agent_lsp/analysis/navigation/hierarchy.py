"""Who may start whom: the agents that a file speaks of, if its tools leave it the spawn call.

Invariants: an agent starts another only if it keeps the tool by which its runtime does that, if
the runtime lets the other be started, and if its text names it and does not forbid it; what a
prompt does not name, nobody can tell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.navigation.names import agents, key, names
from agent_lsp.analysis.navigation.references import Role, Target, places, target_at
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
        return Target(of.dialect, of.path, of.name)
    return Target(at.target.known, at.target.path, at.target.agent) if at is not None else None


def outgoing(workspace: Workspace, of: Target) -> tuple[Starts, ...]:
    """The agents that `of` may start."""
    caller = subject(workspace, of.path)
    return tuple(_outgoing(caller)) if caller is not None else ()


def incoming(workspace: Workspace, of: Target) -> tuple[Starts, ...]:
    """The agents that may start `of`."""
    return tuple(_incoming(workspace, of))


def can_spawn(of: Subject) -> bool:
    """Whether the agent keeps the tool by which its runtime starts others."""
    how = of.dialect.delegation
    tool = how.tool if how is not None else of.dialect.spawn_call
    return any(one.kept for one in of.dialect.toolset(of.reading, (tool,), 1).verdicts)


def _outgoing(caller: Subject) -> Iterator[Starts]:
    if caller.name is None or caller.foreign is not None or not can_spawn(caller):
        return
    own = Target(caller.dialect, caller.path, caller.name)
    found: dict[Target, list[Span]] = {}
    for place in places(caller):
        is_agent = place.role is Role.MENTION and place.target.persona is None
        if is_agent and place.target != own and not _is_forbidden(caller, place.span):
            found.setdefault(place.target, []).append(place.span)
    for called, spans in found.items():
        if _can_be_started(caller.workspace, called):
            yield Starts(own, called, tuple(spans))


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
    for agent in agents(workspace):
        if agent.known is not called.known or wanted.isdisjoint(names(workspace, agent).mentioned):
            continue
        caller = subject(workspace, agent.path)
        if caller is not None:
            yield from (one for one in _outgoing(caller) if one.called == called)
