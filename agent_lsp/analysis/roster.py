"""Everybody in a workspace: the sessions of each system, whom they find, and who counts.

Invariants: a definition stands in one session of each workspace folder, or in the deeper one that
alone finds it; who counts is the catalog's decision; closed files are read once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.member import WHY, Asked, Member, MemberProblem, counted, member
from agent_lsp.dialects.answers import CatalogFailure, Scope
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import (
    Workspace,
    catalog,
    dialect_of_folder,
    is_used,
    options_at,
    root_for,
)

Problems = Callable[[Path], tuple[MemberProblem, ...]]


@dataclass(frozen=True, slots=True)
class SessionAgents:
    """What a session of `known` finds that starts in `root`; `failure` keeps all of it away.

    One that `is_deeper` has only what those above it do not find.
    """

    dialect: Dialect
    root: Path
    is_deeper: bool
    members: tuple[Member, ...]
    failure: CatalogFailure | None = None


def agents_tree(workspace: Workspace, problems: Problems) -> tuple[SessionAgents, ...]:
    """The sessions that find more than what comes with the runtime, system by system."""
    found = (one for dialect in DIALECTS for one in _sessions(workspace, dialect, problems))
    return tuple(one for one in found if one.dialect.common is None or _is_own(workspace, one))


def _is_own(workspace: Workspace, session: SessionAgents) -> bool:
    """Whether a session finds anything in a folder of a common name that is its system's."""
    return is_used(workspace, session.dialect, (one.scope for one in session.members))


def _sessions(
    workspace: Workspace, dialect: Dialect, problems: Problems
) -> Iterator[SessionAgents]:
    seen: set[Path] = set()
    tops = (options_at(workspace, root).session_root or root for root in workspace.roots)
    for root in dict.fromkeys(tops):
        asked = _asked(workspace, dialect, root)
        scopes = asked.found.scopes
        seen |= {scope.folder for scope in scopes}
        if not all(scope.builtin for scope in scopes):
            members = _members(asked, scopes, problems)
            session = SessionAgents(dialect, root, False, members, _failure(asked))
            if session.failure or not all(one.scope.builtin for one in session.members):
                yield session
    for root in dict.fromkeys(_deeper(workspace, dialect)):
        asked = _asked(workspace, dialect, root)
        more = tuple(scope for scope in asked.found.scopes if scope.folder not in seen)
        seen |= {scope.folder for scope in more}
        members = _members(asked, more, problems)
        if members:
            yield SessionAgents(dialect, root, True, members, _failure(asked))


def _asked(workspace: Workspace, dialect: Dialect, root: Path) -> Asked:
    found, files = catalog(workspace, dialect, root), workspace.files
    defining, unwatched = dict[str, tuple[Path, ...]](), set[str]()
    for scope in found.scopes:
        for folder in definitions.folders(files, scope):
            named = definitions.names(files, dialect, folder, scope)
            for name, paths in named.items():
                defining[name] = (*defining.get(name, ()), *paths)
            if folder not in workspace.folders:
                unwatched.update(named)
    return Asked(workspace, dialect, found, defining, frozenset(unwatched))


def _deeper(workspace: Workspace, dialect: Dialect) -> Iterator[Path]:
    """Where the sessions start for which the folders of the workspace were made."""
    for folder in workspace.folders:
        holder = dialect_of_folder(workspace, folder)
        if holder is not None and holder.id == dialect.id:
            yield root_for(workspace, dialect, folder)


def _failure(asked: Asked) -> CatalogFailure | None:
    return asked.dialect.failure(asked.found) if asked.dialect.failure is not None else None


def _members(asked: Asked, scopes: tuple[Scope, ...], problems: Problems) -> tuple[Member, ...]:
    """The definitions in `scopes` by name, those of one name in the order of precedence."""
    made = [
        member
        for scope in scopes
        for folder in definitions.folders(asked.workspace.files, scope)
        for member in _in_folder(asked, scope, folder, problems)
    ]
    return tuple(sorted(made, key=lambda one: (one.name.casefold(), one.name, one.rank)))


def _in_folder(asked: Asked, scope: Scope, folder: Path, problems: Problems) -> Iterator[Member]:
    files = asked.workspace.files
    of_entry: dict[str, tuple[Path, list[str]]] = {}
    for name, paths in definitions.names(files, asked.dialect, folder, scope).items():
        for path in paths:
            of_entry.setdefault(path.name, (path, []))[1].append(name)
    for entry in filter(asked.dialect.has, files.entries(folder)):
        path, defined = of_entry.get(entry) or (folder / entry, [])
        said = problems(path)
        for name in defined:
            found = member(asked, (scope, path), name, said, is_alone=len(defined) == 1)
            if found is not None:
                yield found
        if not defined and said:
            yield counted(Member(path.stem, path, 1, scope, why=WHY), said)
