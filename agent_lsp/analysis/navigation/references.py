"""Which agent or persona a place means, and all the places that mean the same.

Invariants: a name counts where the runtime would find an agent by it, from the session that the
file belongs to; what is no template of a runtime, or another system's, means nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.navigation.names import key, names, speaking
from agent_lsp.analysis.navigation.written import written
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Candidate
from agent_lsp.dialects.mentions import Mention
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import Subject, Workspace, candidates, dialect_at, subject


@dataclass(frozen=True, slots=True)
class Target:
    """The agent that the file at `path` defines, or one of its personas."""

    # The path tells it, and to compare dialects would be to compare all their tables.
    known: Dialect = field(compare=False, repr=False)
    path: Path
    agent: str
    persona: str | None = None


class Role(Enum):
    """What a name does at a place."""

    FILE = "the file itself"
    DECLARATION = "declares it"
    MARKER = "begins its prompt"
    MENTION = "speaks of it"


@dataclass(frozen=True, slots=True)
class Place:
    """One place that means `target`, under `span` of the file at `path`, unless in doubt."""

    target: Target
    path: Path
    span: Span
    role: Role
    is_sure: bool = True


def target_at(of: Subject, offset: int) -> Place | None:
    """What the name at `offset` means; at the top of a file, the agent that it defines."""
    named = next((place for place in places(of) if place.span.covers(offset)), None)
    if named is not None:
        return named
    cut = of.document.cut
    if of.name is None or cut.fence is Fence.ABSENT or not cut.open.covers(offset):
        return None
    return Place(Target(of.dialect, of.path, of.name), of.path, cut.open, Role.FILE)


def places(of: Subject) -> Iterator[Place]:
    """All names in a file that mean an agent or a persona, those of the header first."""
    # A file of tables may name the agents of others, and define none.
    is_nobody = of.name is None and of.dialect.keys_at is None
    if is_nobody or of.foreign is not None or of.file.problem is not None:
        return
    yield from _declared(of)
    if of.name is not None:
        yield from _personas(of, of.name)
    meant: dict[tuple[str, str | None, bool], Target | None] = {}
    for mention in of.dialect.mentioned(of.document):
        # A prompt has the same few names again and again.
        said = (mention.name, mention.agent, mention.is_call)
        if said not in meant:
            meant[said] = _meant(of, mention)
        target_ = meant[said]
        if target_ is not None:
            yield Place(target_, of.path, mention.span, Role.MENTION, mention.is_sure)


def meaning(workspace: Workspace, target: Target) -> Iterator[Place]:
    """All places that mean `target`: in its own file, then in the others that are known."""
    own = subject(workspace, target.path)
    for place in places(own) if own is not None else ():
        if place.target == target:
            yield place
    wanted = {key(name) for name in (target.agent, *_spellings(target.known, target.agent))}
    seen = {target.path}
    for of in speaking(workspace):
        if not is_of_one_runtime(of.known, target.known) or of.path in seen:
            continue
        seen.add(of.path)
        if wanted.isdisjoint(names(workspace, of).mentioned):
            continue
        other = subject(workspace, of.path)
        for place in places(other) if other is not None else ():
            if place.target == target:
                yield place


def called(of: Subject, name: str) -> tuple[Candidate, ...]:
    """The files that define the agent that a text in `of` calls `name`, best first."""
    found = of.dialect.name_of(f"{name}.md") or name
    for spelled in (found, *_spellings(of.dialect, found)):
        if spelled != of.dialect.default_name:
            chain = candidates(of.workspace, of.dialect, of.root, spelled)
            if chain:
                return chain
    return ()


def owner(of: Subject, path: Path) -> Dialect:
    """The dialect of a file that defines an agent for the runtime of `of`."""
    found = dialect_at(of.workspace, path) if of.dialect.forms is not None else None
    return found or of.dialect


def is_of_one_runtime(one: Dialect, other: Dialect) -> bool:
    """Whether two dialects describe files of one runtime, so that names in one mean the other."""
    return one is other or (one.forms is not None and one.forms is other.forms)


def _declared(of: Subject) -> Iterator[Place]:
    """Where the names of the file's own agents stand in it."""
    for one in written(of):
        if one.span is not None and one.name:
            target = Target(of.dialect, of.path, one.name)
            yield Place(target, of.path, one.span, Role.DECLARATION)
    own = of.dialect.key_holding(Holds.AGENT) if of.dialect.names_in is None else None
    repeated = of.reading.written.settings.get(own.name) if own is not None else None
    if repeated is not None and of.name and repeated.text.strip() == of.name:
        target = Target(of.dialect, of.path, of.name)
        yield Place(target, of.path, repeated.span, Role.DECLARATION)


def _personas(of: Subject, agent: str) -> Iterator[Place]:
    template = of.reading.written
    for declared in template.personas:
        if declared.name:
            target = Target(of.dialect, of.path, agent, declared.name)
            yield Place(target, of.path, declared.name_span, Role.DECLARATION)
    for block in template.blocks[1:]:
        target = Target(of.dialect, of.path, agent, block.name)
        yield from (Place(target, of.path, span, Role.MARKER) for span in block.markers)


def _meant(of: Subject, mention: Mention) -> Target | None:
    chain = called(of, mention.agent or mention.name)
    if not chain:
        return None
    winner, known = chain[0], owner(of, chain[0].path)
    if mention.agent is not None:
        read = definitions.reading(of.workspace.files, known, winner)
        wanted = mention.name.casefold()
        found = [one.name for one in read.written.personas if one.name.casefold() == wanted]
        return Target(known, winner.path, winner.name, found[0]) if found else None
    # A tool's name in backticks is the tool, also where an agent is called like it.
    is_tool = not mention.is_call and mention.name in known_tools(of.dialect, of.options)
    return None if is_tool else Target(known, winner.path, winner.name)


def _spellings(known: Dialect, name: str) -> Iterator[str]:
    if known.spellings is not None:
        yield from known.spellings(name)
