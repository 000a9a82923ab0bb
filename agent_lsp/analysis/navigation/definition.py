"""Where a name leads: to what defines it, to all that could define it, to what else means it.

Invariant: an agent's place is that of its name, or the start of the file that is called by it; a
persona leads from its declaration to its prompt, and from everywhere else to its declaration.
"""

from agent_lsp.analysis.navigation.references import (
    Place,
    Role,
    Target,
    meaning,
    owner,
    places,
    target_at,
)
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, Workspace, candidates, deeper, subject


def definition(of: Subject, offset: int) -> tuple[Place, ...]:
    """What the name at `offset` leads to; at the top of a shadowed file, the one that counts."""
    at = target_at(of, offset)
    if at is None:
        return ()
    if at.target.persona is not None:
        wanted = Role.MARKER if at.role is Role.DECLARATION else Role.DECLARATION
        found = tuple(place for place in _of_persona(of, at.target) if place.role is wanted)
        return found[:1] or tuple(p for p in _of_persona(of, at.target) if p.span != at.span)[:1]
    if at.role is Role.MENTION:
        return (home(of.workspace, at.target),)
    chain = candidates(of.workspace, of.dialect, of.root, at.target.agent)
    targets = (Target(owner(of, one.path), one.path, one.name) for one in chain[:1])
    return tuple(home(of.workspace, target) for target in targets)


def implementation(of: Subject, offset: int) -> tuple[Place, ...]:
    """All files that define the agent at `offset`: in force, shadowed, and for deeper sessions."""
    at = target_at(of, offset)
    if at is None or at.target.persona is not None:
        return definition(of, offset)
    own = subject(of.workspace, at.target.path)
    nearer = deeper(own) if own is not None else ()
    chain = (*candidates(of.workspace, of.dialect, of.root, at.target.agent), *nearer)
    paths = dict.fromkeys(one.path for one in chain)
    found = (Target(owner(of, path), path, at.target.agent) for path in paths)
    return tuple(home(of.workspace, target) for target in found)


def references(of: Subject, offset: int, *, declaration: bool) -> tuple[Place, ...]:
    """All places that mean what is at `offset`; with the `declaration` if that is wanted."""
    at = target_at(of, offset)
    if at is None:
        return ()
    found = tuple(meaning(of.workspace, at.target))
    if not declaration:
        return tuple(place for place in found if place.role is not Role.DECLARATION)
    own = home(of.workspace, at.target)
    is_listed = at.target.persona is not None or any(
        (one.path, one.span) == (own.path, own.span) for one in found
    )
    return found if is_listed else (own, *found)


def highlights(of: Subject, offset: int) -> tuple[Place, ...]:
    """The places in this file that mean what is at `offset`."""
    at = target_at(of, offset)
    if at is None or at.role is Role.FILE:
        return ()
    return tuple(place for place in places(of) if place.target == at.target)


def home(workspace: Workspace, target: Target) -> Place:
    """The start of the agent's file, or the place of its name where that stands in the text."""
    of = subject(workspace, target.path)
    names = of.names if of is not None else ()
    span = next((one.span for one in names if one.name == target.agent and one.span), Span(0, 0))
    return Place(target, target.path, span, Role.FILE)


def _of_persona(of: Subject, target: Target) -> tuple[Place, ...]:
    owner = of if of.path == target.path else subject(of.workspace, target.path)
    if owner is None:
        return ()
    return tuple(place for place in places(owner) if place.target == target)
