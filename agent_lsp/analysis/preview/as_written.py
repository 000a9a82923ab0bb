"""Previews one template as written: as its author means it, whatever other files say.

Invariant: the answers are the dialect's own. Only two things are assumed: that the file wins, and
that its header is sound. So a hover can explain what is written even if the runtime does not get
that far.
"""

from agent_lsp.analysis.suggest import known_tools
from agent_lsp.data_classes import replace
from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import (
    Call,
    Candidate,
    Catalog,
    CatalogFailure,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
)
from agent_lsp.model.schema import Key, KeyRole, RefusedFile
from agent_lsp.model.template import Persona, Reading, Value
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import catalog, skill_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of


def lost(file: TemplateFile) -> str | None:
    """How the runtime treats a header that it does not see or refuses, else None."""
    consequence = file.consequence
    if file.document.frontmatter.fence is FenceKind.UNCLOSED:
        loss = consequence.unclosed or consequence.header_absent
        return f"the header is never closed: {loss}"
    if file.document.frontmatter.fence is FenceKind.HIDDEN:
        return f"a byte-order mark hides the header: {consequence.header_absent}"
    if (
        file.document.frontmatter.fence is FenceKind.ABSENT
        and file.dialect.format.is_header_optional
    ):
        return None
    if file.document.frontmatter.fence is FenceKind.ABSENT:
        return f"there is no header: {consequence.header_absent}"
    if file.reading.errors and file.reading.errors[0].if_wrong is not None:
        return file.reading.errors[0].if_wrong.value
    if file.reading.errors and consequence.file is RefusedFile.SKIPPED:
        return None if _is_completed(file) else consequence.header_refused
    if file.reading.errors:
        # A file of tables is all header.
        what = "file" if file.dialect.schema.is_tables else "header"
        return f"the {what} is refused: {consequence.header_refused}"
    return None


def _is_completed(file: TemplateFile) -> bool:
    """Whether another file supplies what this one lacks, so that the runtime uses this one."""
    if file.dialect.variants.settled is None:
        return False
    found = catalog_of(file)
    return any(one.path == file.path for name in found.names for one in found.candidates(name))


def reading(file: TemplateFile) -> Reading:
    """The effective values if the header were valid."""
    return replace(file.reading, effective=file.reading.declared, errors=())


def alone(file: TemplateFile, read: Reading) -> Catalog:
    """A catalog in which this file wins for every name."""
    candidate = Candidate(file.name or "", file.path, file.scope)
    skill = skill_of(file.workspace, file.dialect, file.root)
    scopes, names = (file.scope,), (candidate.name,)
    return Catalog(file.root, scopes, names, lambda _: (candidate,), lambda _: read, skill=skill)


def arguments(
    dialect: Dialect, agent: str | None, persona: str | None, effort: str | None
) -> dict[str, object]:
    """The arguments of a spawn call under the runtime's names, without those that it lacks."""
    values = {KeyRole.AGENT: agent, KeyRole.PERSONA_NAME: persona, KeyRole.EFFORT: effort}
    named = ((dialect.spawn_argument(holds), value) for holds, value in values.items())
    return {name: value for name, value in named if name is not None and value is not None}


def preview(
    file: TemplateFile, read: Reading, persona: str | None = None, effort: str | None = None
) -> Spawn | RuntimeRefusal | None:
    """The result of a spawn of this file, read as written; None if no call can name it."""
    # A call can name a misplaced file once it is moved.
    name = file.name if file.misplaced is None else file.path.stem
    if name is None or name == file.dialect.names.default_name:
        return None
    given = arguments(file.dialect, name, persona, effort)
    return file.dialect.calls.spawn(
        alone(file, read), Call(given, tools=known_tools(file.dialect, file.options))
    )


def spawned(file: TemplateFile) -> Spawn | None:
    """The result of a spawn of this file if its header were valid, or None if it is refused."""
    answer = preview(file, reading(file))
    return answer if isinstance(answer, Spawn) else None


def resolved(file: TemplateFile, persona: str | None) -> tuple[Spawn | None, RuntimeRefusal | None]:
    """The result of the file as written, and the reason if the plain call is refused.

    A refused call has values, too: those of the nearest call that is not refused. That call asks
    for no reasoning, or names a persona if one is required.
    """
    refusal = None
    key = file.dialect.schema.by_role.get(KeyRole.EFFORT)
    effort = key.choices[0].name if key and key.choices else None
    block = next((block.name for block in file.reading.declared.blocks[1:]), None)
    for variant, asked in ((persona, None), (persona, effort), (persona or block, effort)):
        answer = preview(file, reading(file), variant, asked)
        if not isinstance(answer, RuntimeRefusal):
            return answer, refusal
        refusal = refusal or answer
    return None, refusal


def setting(spawn: Spawn, key: Key) -> ResolvedSetting | None:
    """The resolved setting to which `key` contributes."""
    names = (key.name, key.role.value if key.role else None)
    return next((setting for setting in spawn.settings if setting.name in names), None)


def toolset(file: TemplateFile, tools: tuple[str, ...] | None = None, depth: int = 1) -> Toolset:
    """The verdicts on `tools`, or on all known tools, for an agent spawned from this file."""
    chosen = known_tools(file.dialect, file.options) if tools is None else tools
    return file.dialect.tools.toolset(reading(file), chosen, depth)


def failure(file: TemplateFile) -> CatalogFailure | None:
    """The file that keeps all agents from loading in sessions of this file's root, if any."""
    dialect = file.dialect
    if dialect.names.failure is None:
        return None
    return dialect.names.failure(catalog(file.workspace, dialect, file.root))


def availability(
    file: TemplateFile, key: Key | None = None, word: str = ""
) -> tuple[Availability, ...]:
    """Who can use the agent as written, or with `word` as the value of `key`."""
    if file.dialect.references.availability is None:
        return ()
    written = file.reading.declared
    if key is not None:
        settings = {**written.settings, key.name: Value(word, Span(0, 0))}
        written = replace(written, settings=settings)
    return file.dialect.references.availability(Reading(written, written), file.scope)


def persona_at(file: TemplateFile, span: Span) -> Persona | None:
    """The persona whose declaration contains `span`."""
    personas = file.reading.declared.personas
    return next(
        (p for p in personas if p.span.start <= span.start and span.end <= p.span.end), None
    )
