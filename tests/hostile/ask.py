"""Asks everything that an editor can ask about one file, and checks that answers are in bounds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.decorations import code_lenses, inlay_hints, semantic_tokens
from agent_lsp.analysis.diagnostics import Diagnostic, examined
from agent_lsp.analysis.fixes import fixes_at, suppressions_at
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import (
    definition,
    document_links,
    highlights,
    references_at,
)
from agent_lsp.analysis.navigation.rename import prepare
from agent_lsp.analysis.navigation.structure import (
    document_symbols,
    folding,
    selection_ranges,
    walk,
)
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.analysis.refactorings import refactorings
from agent_lsp.text import Span, apply
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

POET = '[template]\nname = "poet"\n\nAsk `reviewer`.\n'
CODEX = 'name = "poet"\ndescription = "d"\ndeveloper_instructions = "Ask `reviewer`."\n'


@dataclass(frozen=True, slots=True)
class Place:
    """A file of one system that a text is put into; `beside` says whose a common folder is."""

    name: str
    dialect: str
    beside: str = ""

    @property
    def source(self) -> str:
        """What a fixture is made of that has this file."""
        return f"//- {self.name}\nx\n{self.beside}"

    def __str__(self) -> str:
        return self.dialect


PLACES = (
    Place(".codex/.agents/reviewer.md", "codex-templates"),
    Place(".codex/agents/reviewer.md", "codex-subagents"),
    Place(".codex/agents/reviewer.toml", "codex-agents"),
    Place(".codex/config.toml", "codex-config", f"//- .codex/agents/poet.toml\n{CODEX}"),
    Place(".kodacode/agents/reviewer.md", "kodacode"),
    Place(".claude/agents/reviewer.md", "claude"),
    Place(".cursor/agents/reviewer.md", "cursor"),
    Place(".gemini/agents/reviewer.md", "gemini"),
    Place(".github/agents/reviewer.agent.md", "copilot"),
    Place(".qwen/agents/reviewer.md", "qwen"),
    Place(".opencode/agents/reviewer.md", "opencode"),
    Place("opencode.json", "opencode-config"),
    Place("moltis.toml", "moltis"),
    Place(".moltis/agents/reviewer.md", "moltis-agents"),
    Place("docs/templates/reviewer.md", "vuhlp", f"//- docs/templates/poet.md\n{POET}"),
)


def everything(workspace: Workspace, path: Path, offsets: Iterable[int]) -> tuple[Diagnostic, ...]:
    """The findings of the file at `path`, after all other questions were answered as well."""
    said = examined(workspace, path)
    file, template = workspace.files.read(path), template_file(workspace, path)
    if file is None or template is None:
        return said.shown
    whole = Span(0, len(template.document.text))
    for one in (*said.shown, *said.suppressed):
        _inside([one.span, *(r.span for r in one.related if r.path == path)], whole)
    _inside(_parts(template, whole), whole)
    for offset in offsets:
        _inside(_at(workspace, template, max(0, min(offset, len(file.text)))), whole)
    command = {"uri": path.as_uri(), "agent_type": template.name or "x", "format": "markdown"}
    list_agents(workspace, {**command, "dialect": template.dialect.id})
    preview_spawn(workspace, {**command, "dialect": template.dialect.id})
    return said.shown


def fixed(workspace: Workspace, path: Path, span: Span) -> None:
    """Asks for the actions at `span`, each of which has to apply."""
    file = workspace.files.read(path)
    ways = [*fixes_at(workspace, path, span), *suppressions_at(workspace, path, span)]
    for edits in (
        *(way.edits for way in ways),
        *(r.edits for r in refactorings(workspace, path, span)),
    ):
        apply(file.text if file else "", edits)


def _parts(file: TemplateFile, whole: Span) -> Iterator[Span]:
    for part in walk(document_symbols(file)):
        yield from (part.span, part.name_span)
    yield from folding(file)
    yield from (token.span for token in semantic_tokens(file))
    yield from (lens.span for lens in code_lenses(file))
    yield from (Span(hint.offset, hint.offset) for hint in inlay_hints(file, whole))
    yield from (link.span for link in document_links(file))


def _at(workspace: Workspace, file: TemplateFile, offset: int) -> Iterator[Span]:
    found = hover(workspace, file.path, offset)
    if found is not None:
        yield found.span
    yield from (item.edit.span for item in complete(workspace, file.path, offset))
    yield from selection_ranges(file, offset)
    places = (*definition(file, offset), *references_at(file, offset, declaration=True))
    yield from (place.span for place in places if place.path == file.path)
    yield from (place.span for place in highlights(file, offset))
    name = prepare(file, offset)
    if isinstance(name, tuple):
        yield name[0]


def _inside(spans: Iterable[Span], whole: Span) -> None:
    for span in spans:
        assert whole.start <= span.start <= span.end <= whole.end, span
