"""Everybody in a workspace: the sessions of each system, whom they find, and who counts.

Invariants: a definition stands in one session of each workspace folder, or in the deeper one that
alone finds it; who counts is the catalog's decision; closed files are read once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from agent_lsp.analysis.markup import line_of
from agent_lsp.analysis.navigation.names import Agent, names
from agent_lsp.analysis.navigation.written import owner
from agent_lsp.dialects.answers import Candidate, Catalog, Failure, Scope
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import (
    Workspace,
    catalog,
    dialect_of_folder,
    is_used,
    options_at,
    root_for,
    subject,
)

_WHY = "it defines no agent that the runtime knows"


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in a file, as far as a list of agents shows it; lines count from 0."""

    severity: Severity
    line: int


Problems = Callable[[Path], tuple[Problem, ...]]


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
class Session:
    """What a session of `known` finds that starts in `root`; `failure` keeps all of it away.

    One that `is_deeper` has only what those above it do not find.
    """

    known: Dialect
    root: Path
    is_deeper: bool
    members: tuple[Member, ...]
    failure: Failure | None = None


def roster(workspace: Workspace, problems: Problems) -> tuple[Session, ...]:
    """The sessions that find more than what comes with the runtime, system by system."""
    found = (one for known in DIALECTS for one in _sessions(workspace, known, problems))
    return tuple(one for one in found if one.known.common is None or _is_own(workspace, one))


def _is_own(workspace: Workspace, of: Session) -> bool:
    """Whether a session finds anything in a folder of a common name that is its system's."""
    return is_used(workspace, of.known, (one.scope for one in of.members))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What every step of one session asks."""

    workspace: Workspace
    known: Dialect
    found: Catalog
    problems: Problems


def _sessions(workspace: Workspace, known: Dialect, problems: Problems) -> Iterator[Session]:
    seen: set[Path] = set()
    tops = (options_at(workspace, root).session_root or root for root in workspace.roots)
    for root in dict.fromkeys(tops):
        asked = _Asked(workspace, known, catalog(workspace, known, root), problems)
        scopes = asked.found.scopes
        seen |= {scope.folder for scope in scopes}
        if not all(scope.builtin for scope in scopes):
            session = Session(known, root, False, _members(asked, scopes), _failure(asked))
            if session.failure or not all(one.scope.builtin for one in session.members):
                yield session
    for root in dict.fromkeys(_deeper(workspace, known)):
        asked = _Asked(workspace, known, catalog(workspace, known, root), problems)
        more = tuple(scope for scope in asked.found.scopes if scope.folder not in seen)
        seen |= {scope.folder for scope in more}
        members = _members(asked, more)
        if members:
            yield Session(known, root, True, members, _failure(asked))


def _deeper(workspace: Workspace, known: Dialect) -> Iterator[Path]:
    """Where the sessions start for which the folders of the workspace were made."""
    for folder in workspace.folders:
        holder = dialect_of_folder(workspace, folder)
        if holder is not None and holder.id == known.id:
            yield root_for(workspace, known, folder)


def _failure(asked: _Asked) -> Failure | None:
    return asked.known.failure(asked.found) if asked.known.failure is not None else None


def _members(asked: _Asked, scopes: tuple[Scope, ...]) -> tuple[Member, ...]:
    """The definitions in `scopes` by name, those of one name in the order of precedence."""
    made = [
        member
        for scope in scopes
        for folder in definitions.folders(asked.workspace.files, scope)
        for member in _in_folder(asked, scope, folder)
    ]
    return tuple(sorted(made, key=lambda one: (one.name.casefold(), one.name, one.rank)))


def _in_folder(asked: _Asked, scope: Scope, folder: Path) -> Iterator[Member]:
    files = asked.workspace.files
    of_path: dict[Path, list[str]] = {}
    for name, paths in definitions.names(files, asked.known, folder, scope).items():
        for path in paths:
            of_path.setdefault(path, []).append(name)
    for path in (folder / entry for entry in files.entries(folder) if asked.known.has(entry)):
        said, defined = asked.problems(path), of_path.get(path, [])
        for name in defined:
            member = _member(asked, scope, path, name)
            if member is not None and len(defined) == 1:
                yield _counted(member, said)
            elif member is not None:
                own = _own(asked.workspace, path, name, said)
                yield _counted(replace(member, is_alone=False), own)
        if not defined and said:
            yield _counted(Member(path.stem, path, 1, scope, why=_WHY), said)


def _member(asked: _Asked, scope: Scope, path: Path, name: str) -> Member | None:
    workspace, chain = asked.workspace, asked.found.candidates(name)
    is_kept = path.parent in workspace.folders
    inside = names(workspace, Agent(asked.known, name, path, is_kept=is_kept))
    member = Member(
        name,
        path,
        _line(workspace, path, inside.span),
        scope,
        tuple((persona, _line(workspace, path, span)) for persona, span in inside.personas),
    )
    at = next((at for at, one in enumerate(chain) if one.path == path), None)
    if at is not None:
        hides = chain[1] if not at and len(chain) > 1 else None
        return replace(member, rank=at, winner=chain[0] if at else None, hides=hides)
    # Where systems share a folder, another's file looks like this.
    of = subject(workspace, path)
    if of is None or of.foreign is not None:
        return None
    faults = (fault.message for fault in of.reading.faults)
    return replace(member, rank=len(chain), why=of.file.problem or next(faults, _WHY))


def _line(workspace: Workspace, path: Path, span: Span) -> int:
    """The line of `span`; the start of a file is known without it."""
    return line_of(workspace, path, span) if span.start else 1


def _own(
    workspace: Workspace, path: Path, name: str, said: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """Those findings that stand in the part of one of the agents of a file."""
    of = subject(workspace, path) if said else None
    if of is None:
        return ()
    index = LineIndex(of.document.text)
    return tuple(one for one in said if owner(of, index.line_span(one.line).end) == name)


def _counted(member: Member, said: tuple[Problem, ...]) -> Member:
    severities = [one.severity for one in said]
    return replace(
        member,
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
    )
