"""Finds what a name leads to: what defines it, all that could, and what else means it.

Invariant: an agent's place is that of its name, or the start of the file that is called by it; a
persona leads from its declaration to its prompt, and from everywhere else to its declaration.
"""

from agent_lsp.analysis.navigation.references import (
    Reference,
    ReferenceRole,
    Target,
    meaning,
    owner,
    references,
    target_at,
)
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, candidates, deeper, template_file


def definition(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """The target of the name at `offset`; at the top of a shadowed file, the file in force."""
    at = target_at(file, offset)
    if at is None:
        return ()
    if at.target.persona is not None:
        wanted = (
            ReferenceRole.MARKER
            if at.role is ReferenceRole.DECLARATION
            else ReferenceRole.DECLARATION
        )
        found = tuple(place for place in _of_persona(file, at.target) if place.role is wanted)
        return found[:1] or tuple(p for p in _of_persona(file, at.target) if p.span != at.span)[:1]
    if at.role is ReferenceRole.MENTION:
        return (home(file.workspace, at.target),)
    chain = candidates(file.workspace, file.dialect, file.root, at.target.agent)
    targets = (Target(owner(file, one.path), one.path, one.name) for one in chain[:1])
    return tuple(home(file.workspace, target) for target in targets)


def implementation(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """All files that define the agent at `offset`: in force, shadowed, and for deeper sessions."""
    at = target_at(file, offset)
    if at is None or at.target.persona is not None:
        return definition(file, offset)
    own = template_file(file.workspace, at.target.path)
    nearer = deeper(own) if own is not None else ()
    chain = (*candidates(file.workspace, file.dialect, file.root, at.target.agent), *nearer)
    paths = dict.fromkeys(one.path for one in chain)
    found = (Target(owner(file, path), path, at.target.agent) for path in paths)
    return tuple(home(file.workspace, target) for target in found)


def references_at(file: TemplateFile, offset: int, *, declaration: bool) -> tuple[Reference, ...]:
    """All places that mean what is at `offset`; with the `declaration` if that is wanted."""
    at = target_at(file, offset)
    if at is None:
        return ()
    found = tuple(meaning(file.workspace, at.target))
    if not declaration:
        return tuple(place for place in found if place.role is not ReferenceRole.DECLARATION)
    own = home(file.workspace, at.target)
    is_listed = at.target.persona is not None or any(
        (one.path, one.span) == (own.path, own.span) for one in found
    )
    return found if is_listed else (own, *found)


def highlights(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """The places in this file that mean what is at `offset`."""
    at = target_at(file, offset)
    if at is None or at.role is ReferenceRole.FILE:
        return ()
    return tuple(place for place in references(file) if place.target == at.target)


def home(workspace: Workspace, target: Target) -> Reference:
    """The start of the agent's file, or the place of its name where that stands in the text."""
    file = template_file(workspace, target.path)
    names = file.names if file is not None else ()
    span = next((one.span for one in names if one.name == target.agent and one.span), Span(0, 0))
    return Reference(target, target.path, span, ReferenceRole.FILE)


def _of_persona(file: TemplateFile, target: Target) -> tuple[Reference, ...]:
    owner = file if file.path == target.path else template_file(file.workspace, target.path)
    if owner is None:
        return ()
    return tuple(place for place in references(owner) if place.target == target)
