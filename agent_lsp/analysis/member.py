"""One definition of an agent in a session: who counts in its place, and what is wrong with it.

Invariants: who counts is the catalog's decision; what is made is kept only where somebody says when
a file changes, and only as long as neither the files that define the name nor the findings do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agent_lsp.analysis.markup import line_of
from agent_lsp.analysis.navigation.names import Agent, names
from agent_lsp.analysis.navigation.written import owner
from agent_lsp.dialects.answers import Candidate, Catalog, Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.index import Workspace, template_file

WHY = "it defines no agent that the runtime knows"
# Under this, the notes on a file hold what is another thing as soon as its text is another.
_TEXT = ("text",)


@dataclass(frozen=True, slots=True)
class MemberProblem:
    """A finding in a file, as far as a list of agents shows it; lines count from 0."""

    severity: Severity
    line: int


@dataclass(frozen=True, slots=True)
class Member:
    """A definition of an agent: `line`, from 1, is where its name stands, or the first.

    `winner` is the one that counts in its place, and `hides` the one that it counts instead of;
    `why` says why the runtime does not load it, and is empty where it does. It `is_alone` in its
    file. `rank` is its place in the order of precedence, behind all others if it is not loaded, and
    the personas have their lines. `errors` and `warnings` are numbers of findings.
    """

    name: str
    path: Path
    line: int
    scope: Scope
    personas: tuple[tuple[str, int], ...] = ()
    rank: int = 0
    winner: Candidate | None = None
    hides: Candidate | None = None
    why: str = ""
    is_alone: bool = True
    errors: int = 0
    warnings: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for each definition.

    `defining` are the files of the session that define a name; of those of an `unwatched` name,
    nobody says when all of them change.
    """

    workspace: Workspace
    dialect: Dialect
    found: Catalog
    defining: Mapping[str, tuple[Path, ...]]
    unwatched: frozenset[str]


def member(
    asked: Asked,
    place: tuple[Scope, Path],
    name: str,
    said: tuple[MemberProblem, ...],
    *,
    is_alone: bool,
) -> Member | None:
    """The definition of `name` at `place`; None where the file is another system's.

    Who types in one of thousands of files hears of all agents again; the others are as before.
    """
    scope, path = place
    basis = _basis(asked, name, (said, is_alone))
    key = ("member", asked.dialect.id, asked.found.root, scope, name)
    kept = asked.workspace.files.notes.get(path, {}).get(key)
    if basis is not None and isinstance(kept, _Kept) and kept.basis == basis:
        return kept.member
    made = _made(asked, scope, path, name)
    if made is not None:
        own = said if is_alone else _own(asked.workspace, path, name, said)
        made = counted(replace(made, is_alone=is_alone), own)
        if basis is not None and not made.why:
            asked.workspace.files.notes.setdefault(path, {})[key] = _Kept(basis, made)
    return made


def counted(member: Member, said: Iterable[MemberProblem]) -> Member:
    """The same, with the numbers of what is found in it."""
    severities = [one.severity for one in said]
    errors, warnings = map(severities.count, (Severity.ERROR, Severity.WARNING))
    return replace(member, errors=errors, warnings=warnings) if errors or warnings else member


@dataclass(frozen=True, slots=True)
class _Kept:
    """What has been made of a file, and all that decided about it beside its own text."""

    basis: tuple[object, ...]
    member: Member


def _basis(asked: Asked, name: str, told: object) -> tuple[object, ...] | None:
    """All that decides about the definitions of `name`; None where not all of it is known."""
    dialect = asked.dialect
    # What is settled among all agents, or is in files of several forms, depends on more than that.
    if name in asked.unwatched or dialect.settled is not None or dialect.forms is not None:
        return None
    paths, notes = asked.defining.get(name, ()), asked.workspace.files.notes
    texts = tuple(notes.setdefault(path, {}).setdefault(_TEXT, object()) for path in paths)
    return paths, texts, told, asked.found.scopes, asked.workspace.settings


def _made(asked: Asked, scope: Scope, path: Path, name: str) -> Member | None:
    workspace, chain = asked.workspace, asked.found.candidates(name)
    is_kept = path.parent in workspace.folders
    inside = names(workspace, Agent(asked.dialect, name, path, is_kept=is_kept))
    line = _line(workspace, path, inside.span)
    personas = tuple((persona, _line(workspace, path, span)) for persona, span in inside.personas)
    at = next((at for at, one in enumerate(chain) if one.path == path), None)
    if at is not None:
        hides = chain[1] if not at and len(chain) > 1 else None
        return Member(name, path, line, scope, personas, at, chain[0] if at else None, hides)
    # Where systems share a folder, another's file looks like this.
    file = template_file(workspace, path)
    if file is None or file.foreign is not None:
        return None
    faults = (fault.message for fault in file.reading.errors)
    why = file.source.problem or next(faults, WHY)
    return Member(name, path, line, scope, personas, len(chain), why=why)


def _line(workspace: Workspace, path: Path, span: Span) -> int:
    """The line of `span`; the start of a file is known without it."""
    return line_of(workspace, path, span) if span.start else 1


def _own(
    workspace: Workspace, path: Path, name: str, said: tuple[MemberProblem, ...]
) -> tuple[MemberProblem, ...]:
    """Those findings that stand in the part of one of the agents of a file."""
    file = template_file(workspace, path) if said else None
    if file is None:
        return ()
    index = LineIndex(file.document.text)
    return tuple(one for one in said if owner(file, index.line_span(one.line).end) == name)
