"""Finds the agent or persona that a place refers to, and all references to it.

Invariants: a name counts if the runtime would find an agent by it, from the session root of the
file. A file that is no template of a runtime, or is foreign, refers to nothing.
"""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.navigation.name_index import declarations, key, names, speaking
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.availability import Mention
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file


@dataclass(frozen=True, slots=True)
class Target:
    """The agent that the file at `path` defines, or one of its personas."""

    # The path is enough to compare targets. Comparing dialects would compare all their tables.
    dialect: Dialect = field(compare=False, repr=False)
    path: Path
    agent: str
    persona: str | None = None


class ReferenceRole(Enum):
    """The role of a name in a reference."""

    FILE = "the file itself"
    DECLARATION = "declares it"
    MARKER = "begins its prompt"
    MENTION = "mentions it"


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention of `target` at `span` of the file at `path`; `in_doubt` if uncertain."""

    target: Target
    path: Path
    span: Span
    role: ReferenceRole
    is_sure: bool = True


def target_at(file: TemplateFile, offset: int) -> Reference | None:
    """The target of the name at `offset`; at the top of a file, the agent that it defines."""
    named = next((place for place in references(file) if place.span.covers(offset)), None)
    if named is not None:
        return named
    frontmatter = file.document.frontmatter
    if (
        file.name is None
        or frontmatter.fence is FenceKind.ABSENT
        or not frontmatter.open.covers(offset)
    ):
        return None
    return Reference(
        Target(file.dialect, file.path, file.name), file.path, frontmatter.open, ReferenceRole.FILE
    )


def references(file: TemplateFile) -> Iterator[Reference]:
    """All names of agents and personas in a file, those of the header first."""
    # A file of tables may name agents of other files, and define none.
    is_nobody = file.name is None and not file.dialect.schema.is_tables
    if is_nobody or file.foreign is not None or file.source.problem is not None:
        return
    yield from _declared(file)
    if file.name is not None:
        yield from _personas(file, file.name)
    meant: dict[tuple[str, str | None, bool], Target | None] = {}
    for mention in file.dialect.mentioned(file.document):
        # A prompt repeats the same few names.
        said = (mention.name, mention.agent, mention.is_call)
        if said not in meant:
            meant[said] = _target(file, mention)
        target_ = meant[said]
        if target_ is not None:
            yield Reference(
                target_, file.path, mention.span, ReferenceRole.MENTION, mention.is_sure
            )


def meaning(workspace: Workspace, target: Target) -> Iterator[Reference]:
    """All references to `target`: those in its own file, then those in other known files."""
    own = template_file(workspace, target.path)
    for place in references(own) if own is not None else ():
        if place.target == target:
            yield place
    wanted = {key(name) for name in (target.agent, *_spellings(target.dialect, target.agent))}
    seen = {target.path}
    for agent in speaking(workspace):
        if not is_of_one_runtime(agent.dialect, target.dialect) or agent.path in seen:
            continue
        seen.add(agent.path)
        if wanted.isdisjoint(names(workspace, agent).mentioned):
            continue
        other = template_file(workspace, agent.path)
        for place in references(other) if other is not None else ():
            if place.target == target:
                yield place


def called(file: TemplateFile, name: str) -> tuple[Candidate, ...]:
    """The files that define the agent that `file` calls `name`, the best one first."""
    found = file.dialect.names.name_of(f"{name}{file.dialect.system.extension}") or name
    for spelled in (found, *_spellings(file.dialect, found)):
        if spelled != file.dialect.names.default_name:
            chain = candidates(file.workspace, file.dialect, file.root, spelled)
            if chain:
                return chain
    return ()


def owner(file: TemplateFile, path: Path) -> Dialect:
    """The dialect of a file that defines an agent for the runtime of `file`."""
    found = placement_at(file.workspace, path) if file.dialect.variants.forms is not None else None
    return found.dialect if found is not None else file.dialect


def is_of_one_runtime(one: Dialect, other: Dialect) -> bool:
    """Whether two dialects describe files of one runtime, whose names refer to each other."""
    return one is other or (
        one.variants.forms is not None and one.variants.forms is other.variants.forms
    )


def _declared(file: TemplateFile) -> Iterator[Reference]:
    """The spans of the names of the file's own agents."""
    for one in declarations(file):
        if one.span is not None and one.name:
            target = Target(file.dialect, file.path, one.name)
            yield Reference(target, file.path, one.span, ReferenceRole.DECLARATION)
    own = (
        file.dialect.schema.by_role.get(KeyRole.AGENT)
        if file.dialect.names.names_in is None
        else None
    )
    repeated = file.reading.declared.settings.get(own.name) if own is not None else None
    if repeated is not None and file.name and repeated.text.strip() == file.name:
        target = Target(file.dialect, file.path, file.name)
        yield Reference(target, file.path, repeated.span, ReferenceRole.DECLARATION)


def _personas(file: TemplateFile, agent: str) -> Iterator[Reference]:
    template = file.reading.declared
    for declared in template.personas:
        if declared.name:
            target = Target(file.dialect, file.path, agent, declared.name)
            yield Reference(target, file.path, declared.name_span, ReferenceRole.DECLARATION)
    for block in template.blocks[1:]:
        target = Target(file.dialect, file.path, agent, block.name)
        yield from (
            Reference(target, file.path, span, ReferenceRole.MARKER) for span in block.markers
        )


def _target(file: TemplateFile, mention: Mention) -> Target | None:
    chain = called(file, mention.agent or mention.name)
    if not chain:
        return None
    winner, known = chain[0], owner(file, chain[0].path)
    if mention.agent is not None:
        read = definitions.reading(file.workspace.files, known, winner)
        wanted = mention.name.casefold()
        found = [one.name for one in read.declared.personas if one.name.casefold() == wanted]
        return Target(known, winner.path, winner.name, found[0]) if found else None
    # The name of a tool in backticks is the tool, even if an agent has the same name.
    is_tool = not mention.is_call and mention.name in known_tools(file.dialect, file.options)
    return None if is_tool else Target(known, winner.path, winner.name)


def _spellings(dialect: Dialect, name: str) -> Iterator[str]:
    if dialect.names.spellings is not None:
        yield from dialect.names.spellings(name)
