"""Shows code lenses above a template and its personas: commands, and the main facts.

Invariant: a lens needs no other file's text, because an editor asks after each keystroke. The
exception is a file that keeps all agents from loading, which matters more than anything else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.confirmation import confirmation_of
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.preview.as_written import arguments
from agent_lsp.analysis.render.markup import shown
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.model.runtime import Candidate, Toolset
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, candidates


class LensAction(Enum):
    """The action of a code lens."""

    PREVIEW = "shows what a spawn resolves to"
    LIST = "shows what a session lists"
    OPEN = "opens a file"


@dataclass(frozen=True, slots=True)
class CodeLens:
    """A line above the one of `span`; `call` are the runtime's arguments, `target` a file."""

    span: Span
    title: str
    does: LensAction
    call: Mapping[str, object] = field(default_factory=dict)
    target: Path | None = None


def code_lenses(file: TemplateFile) -> tuple[CodeLens, ...]:
    """The lenses of a file that defines an agent; other files have none."""
    if file.name is None or file.foreign is not None or file.source.problem is not None:
        return ()
    if file.dialect.schema.is_tables:
        return tuple(_tables(file))
    return (*_top(file, file.name), *_personas(file, file.name))


def _top(file: TemplateFile, name: str) -> Iterator[CodeLens]:
    first, call = Span(0, 0), arguments(file.dialect, name, None, None)
    failed = as_written.failure(file)
    if failed is not None and failed.candidate.path != file.path:
        where = shown(file.workspace, failed.candidate.path)
        title = f"No agent loads because of {where}"
        yield CodeLens(first, title, LensAction.OPEN, target=failed.candidate.path)
    if name != file.dialect.names.default_name:
        yield CodeLens(first, "Preview spawn", LensAction.PREVIEW, call)
    yield CodeLens(first, "List agents", LensAction.LIST)
    standing = confirmation_of(file)
    if standing is not None:
        title = standing.word.capitalize() if standing.is_open else f"Not {standing.word}"
        yield CodeLens(first, title, LensAction.LIST)
    chain = candidates(file.workspace, file.dialect, file.root, name)
    at = next((at for at, one in enumerate(chain) if one.path == file.path), None)
    if at is None:
        return
    found = file.dialect.tools.toolset(file.reading, known_tools(file.dialect, file.options), 1)
    yield CodeLens(first, _counted(found), LensAction.PREVIEW, call)
    if at:
        yield CodeLens(
            first, f"Shadowed by {_other(file, chain[0])}", LensAction.OPEN, target=chain[0].path
        )
    elif len(chain) > 1:
        yield CodeLens(
            first, f"Overrides {_other(file, chain[1])}", LensAction.OPEN, target=chain[1].path
        )


def _other(file: TemplateFile, candidate: Candidate) -> str:
    """Another definition of the name; a built-in one is shown without the path of our copy."""
    return "the built-in one" if candidate.scope.builtin else shown(file.workspace, candidate.path)


def _tables(file: TemplateFile) -> Iterator[CodeLens]:
    """The lenses of each template at its name; all are listed above the first one."""
    for number, one in enumerate(file.names):
        if one.span is None:
            continue
        call = arguments(file.dialect, one.name, None, None)
        yield CodeLens(one.span, "Preview spawn", LensAction.PREVIEW, call)
        if not number:
            yield CodeLens(one.span, "List agents", LensAction.LIST)
        reading = file.dialect.format.read(file.document, one.name)
        found = file.dialect.tools.toolset(reading, known_tools(file.dialect, file.options), 1)
        yield CodeLens(one.span, _counted(found), LensAction.PREVIEW, call)


def _counted(toolset: Toolset) -> str:
    """The number of tools; it is open without a policy, because servers may add theirs."""
    if toolset.restricted:
        return f"{len(toolset.kept)} of {len(toolset.verdicts)} tools"
    return f"All tools but {len(toolset.removed)}" if toolset.removed else "All tools"


def _personas(file: TemplateFile, name: str) -> Iterator[CodeLens]:
    for persona in file.reading.declared.personas:
        if persona.name:
            call = arguments(file.dialect, name, persona.name, None)
            title = f"Preview as {persona.name}"
            yield CodeLens(persona.name_span, title, LensAction.PREVIEW, call)
