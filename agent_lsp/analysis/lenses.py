"""The lines above a template and its personas: what they lead to, and what to know at once.

Invariant: only what takes no other file's text, since an editor asks at each keystroke; but
where one file can keep all agents from loading, nothing else is worth knowing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.hovers.meant import arguments
from agent_lsp.analysis.markup import shown
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Candidate, Toolset
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, candidates


class Does(Enum):
    """What happens when somebody follows a lens."""

    PREVIEW = "shows what a spawn resolves to"
    LIST = "shows what a session lists"
    OPEN = "opens a file"


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above the one of `span`; `call` are the runtime's arguments, `target` a file."""

    span: Span
    title: str
    does: Does
    call: Mapping[str, object] = field(default_factory=dict)
    target: Path | None = None


def lenses(of: Subject) -> tuple[Lens, ...]:
    """The lenses of a file that an agent is made of; others have none."""
    if of.name is None or of.foreign is not None or of.file.problem is not None:
        return ()
    if of.dialect.keys_at is not None:
        return tuple(_tables(of))
    return (*_top(of, of.name), *_personas(of, of.name))


def _top(of: Subject, name: str) -> Iterator[Lens]:
    first, call = Span(0, 0), arguments(of.dialect, name, None, None)
    failed = meant.failure(of)
    if failed is not None and failed.candidate.path != of.path:
        where = shown(of.workspace, failed.candidate.path)
        title = f"No agent loads because of {where}"
        yield Lens(first, title, Does.OPEN, target=failed.candidate.path)
    if name != of.dialect.default_name:
        yield Lens(first, "Preview spawn", Does.PREVIEW, call)
    yield Lens(first, "List agents", Does.LIST)
    chain = candidates(of.workspace, of.dialect, of.root, name)
    at = next((at for at, one in enumerate(chain) if one.path == of.path), None)
    if at is None:
        return
    found = of.dialect.toolset(of.reading, known_tools(of.dialect, of.options), 1)
    yield Lens(first, _counted(found), Does.PREVIEW, call)
    if at:
        yield Lens(first, f"Shadowed by {_other(of, chain[0])}", Does.OPEN, target=chain[0].path)
    elif len(chain) > 1:
        yield Lens(first, f"Overrides {_other(of, chain[1])}", Does.OPEN, target=chain[1].path)


def _other(of: Subject, one: Candidate) -> str:
    """Another definition of the name; where ours of a built-in one lies is nobody's concern."""
    return "the built-in one" if one.scope.builtin else shown(of.workspace, one.path)


def _tables(of: Subject) -> Iterator[Lens]:
    """The lenses of each template at its name; all are listed above the first one."""
    for number, one in enumerate(of.names):
        if one.span is None:
            continue
        call = arguments(of.dialect, one.name, None, None)
        yield Lens(one.span, "Preview spawn", Does.PREVIEW, call)
        if not number:
            yield Lens(one.span, "List agents", Does.LIST)
        reading = of.dialect.read(of.document, one.name)
        found = of.dialect.toolset(reading, known_tools(of.dialect, of.options), 1)
        yield Lens(one.span, _counted(found), Does.PREVIEW, call)


def _counted(found: Toolset) -> str:
    """How many tools there are; without a policy also those of servers, which nobody counts."""
    if found.restricted:
        return f"{len(found.kept)} of {len(found.verdicts)} tools"
    return f"All tools but {len(found.removed)}" if found.removed else "All tools"


def _personas(of: Subject, name: str) -> Iterator[Lens]:
    for persona in of.reading.written.personas:
        if persona.name:
            call = arguments(of.dialect, name, persona.name, None)
            title = f"Preview as {persona.name}"
            yield Lens(persona.name_span, title, Does.PREVIEW, call)
