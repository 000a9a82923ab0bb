"""Builds the agents tree as JSON: each system's sessions, their agents and the winners.

Invariants: a definition is in one session of each workspace folder, or in the deeper session that
alone finds it. The catalog decides the winners. Closed files are read once. A result for a file is
stored only until its findings or the files that define the name change. Places are paths and lines,
counted from 1. `call` has the runtime's own arguments, or is null if no call means the agent.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis.navigation.name_index import Agent, names, owner
from agent_lsp.analysis.preview import programs
from agent_lsp.analysis.preview.as_written import arguments
from agent_lsp.analysis.render import line_of, shown
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog, CatalogFailure, DefinedName, Scope
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.system import System
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import is_used, own_placements, scope_in
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    as_others_read,
    as_system_reads,
    as_template,
    may_have_templates,
    merged,
    options_at,
    root_for,
    template_file,
)

WHY = "the runtime finds no agent in it"


@dataclass(frozen=True, slots=True)
class MemberProblem:
    """A finding in a file, reduced to what a list of agents shows; lines count from 0."""

    severity: Severity
    line: int


@dataclass(frozen=True, slots=True)
class Member:
    """A definition of an agent; `line`, from 1, is that of its name, or the first.

    `winner` is the definition that shadows this one, and `hides` the one that this one shadows.
    `why` is the reason why the runtime does not load it, or empty. `is_alone` is set if the file
    defines no other agent. `rank` is its position in the order of precedence; a definition that is
    not loaded comes last. Each of `personas` has its line. `errors` and `warnings` are numbers of
    findings.
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
    """The session whose definitions are wanted.

    `defining` are the files of the session that define a name. For an `unwatched` name, changes are
    not reported for all of these files.
    """

    workspace: Workspace
    dialect: Dialect
    found: Catalog
    defining: Mapping[str, tuple[Path, ...]]
    unwatched: frozenset[str]


_MEMBERS = Memo[Member](Lifetime.TEXT)
# Stands for one state of a text.
_TOKEN = Memo[object](Lifetime.TEXT)


def member(
    asked: Asked,
    place: tuple[Scope, Path],
    name: str,
    problems: tuple[MemberProblem, ...],
    *,
    is_alone: bool,
) -> Member | None:
    """The definition of `name` at `place`, with its own `problems`; None if the file is foreign.

    A keystroke in one of thousands of files asks for all agents again, and the others are
    unchanged.
    """
    scope, path = place
    basis = _basis(asked, name, (problems, is_alone))
    key = (asked.dialect.id, asked.found.root, scope, name)
    files = asked.workspace.files
    kept = _MEMBERS.peek(files, path, key, basis=basis) if basis is not None else None
    if kept is not None:
        return kept
    made = _made(asked, scope, path, name)
    if made is not None:
        made = counted(replace(made, is_alone=is_alone), problems)
        if basis is not None and not made.why:
            _MEMBERS.keep(files, path, key, made, basis=basis)
    return made


def counted(member: Member, problems: Iterable[MemberProblem]) -> Member:
    """`member` with the numbers of its `problems`."""
    severities = [one.severity for one in problems]
    errors, warnings = map(severities.count, (Severity.ERROR, Severity.WARNING))
    return replace(member, errors=errors, warnings=warnings) if errors or warnings else member


def _basis(asked: Asked, name: str, told: object) -> tuple[object, ...] | None:
    """Everything that decides the definitions of `name`; None if part of it is unknown."""
    dialect = asked.dialect
    # In a catalog of several forms, a definition depends on more than that.
    if (
        name in asked.unwatched
        or dialect.variants.settled is not None
        or dialect.variants.forms is not None
    ):
        return None
    paths, files = asked.defining.get(name, ()), asked.workspace.files
    texts = tuple(_TOKEN.get(files, path, None, object) for path in paths)
    return paths, texts, told, asked.found.scopes, asked.workspace.settings


def _made(asked: Asked, scope: Scope, path: Path, name: str) -> Member | None:
    workspace, chain = asked.workspace, asked.found.candidates(name)
    is_kept = path.parent in workspace.folders
    inside = names(workspace, Agent(asked.dialect, name, path, is_kept=is_kept))
    line = _line(workspace, path, inside.span)
    personas = tuple((persona, _line(workspace, path, span)) for persona, span in inside.personas)
    at = next((at for at, one in enumerate(chain) if one.path == path), None)
    used = asked.found.made(name, path) if at is None else ""
    if used:
        return Member(used, path, line, scope, personas, 0)
    if at is not None and asked.dialect.names.is_merged:
        return Member(name, path, line, scope, personas, at)
    if at is not None:
        hides = chain[1] if not at and len(chain) > 1 else None
        return Member(name, path, line, scope, personas, at, chain[0] if at else None, hides)
    # In a shared folder, the file may be foreign.
    first = template_file(workspace, path)
    file = as_system_reads(first, asked.dialect.system) if first is not None else None
    if file is None or file.foreign is not None:
        return None
    errors = (error.message for error in file.reading.errors)
    why = file.source.problem or next(errors, WHY)
    return Member(name, path, line, scope, personas, len(chain), why=why)


def _line(workspace: Workspace, path: Path, span: Span) -> int:
    """The line of `span`; the start of a file needs no search."""
    return line_of(workspace, path, span) if span.start else 1


def _by_agent(
    workspace: Workspace, path: Path, problems: tuple[MemberProblem, ...]
) -> Mapping[str, tuple[MemberProblem, ...]]:
    """The findings in each agent's part of a file with several."""
    file = template_file(workspace, path) if problems else None
    found: dict[str, list[MemberProblem]] = {}
    if file is not None:
        index = LineIndex(file.document.text)
        for one in problems:
            name = owner(file, index.line_span(one.line).end)
            if name is not None:
                found.setdefault(name, []).append(one)
    return {name: tuple(own) for name, own in found.items()}


Problems = Callable[[Path], tuple[MemberProblem, ...]]


@dataclass(frozen=True, slots=True)
class SessionAgents:
    """The agents of a session of `dialect` that starts in `root`; `failure` keeps all from loading.

    A session that `is_deeper` has only the agents that no session above it finds.
    """

    dialect: Dialect
    root: Path
    is_deeper: bool
    members: tuple[Member, ...]
    failure: CatalogFailure | None = None


def agents_tree(workspace: Workspace, problems: Problems) -> tuple[SessionAgents, ...]:
    """The sessions that find more than built-in agents, system by system."""
    found = (
        one
        for system in workspace.systems
        if _may_be_used(workspace, system)
        for one in _sessions(workspace, system.dialect, problems)
    )
    return tuple(
        one for one in found if one.dialect.system.common is None or _is_own(workspace, one)
    )


def _may_be_used(workspace: Workspace, system: System) -> bool:
    """Whether any session of `system` in the workspace may find an agent that is not built-in."""
    tops = (options_at(workspace, root).session_root or root for root in workspace.roots)
    if any(may_have_templates(workspace, system, root) for root in tops):
        return True
    return any(scope_in(workspace, system, folder) for folder in workspace.folders)


def _is_own(workspace: Workspace, session: SessionAgents) -> bool:
    """Whether the session finds anything in a common folder that its system uses."""
    return is_used(workspace, session.dialect.system, (one.scope for one in session.members))


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
    """The session roots to which the folders of the workspace belong."""
    for folder in workspace.folders:
        if any(one.system is dialect.system for one in own_placements(workspace, folder)):
            yield root_for(workspace, dialect.system, folder)


def _failure(asked: Asked) -> CatalogFailure | None:
    return (
        asked.dialect.names.failure(asked.found)
        if asked.dialect.names.failure is not None
        else None
    )


def _members(asked: Asked, scopes: tuple[Scope, ...], problems: Problems) -> tuple[Member, ...]:
    """The definitions in `scopes` by name, and for one name in the order of precedence."""
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
    for entry in filter(asked.dialect.system.has, files.entries(folder)):
        path, defined = of_entry.get(entry) or (folder / entry, [])
        said = problems(path)
        is_alone = len(defined) == 1
        parts = {} if is_alone else _by_agent(asked.workspace, path, said)
        for name in defined:
            own = said if is_alone else parts.get(name, ())
            found = member(asked, (scope, path), name, own, is_alone=is_alone)
            if found is not None:
                yield found
        if not defined and said:
            yield counted(Member(path.stem, path, 1, scope, why=WHY), said)


Json = dict[str, object]
_Shown = Callable[[Path], str]


def systems(workspace: Workspace, problems: Problems) -> list[Json]:
    """Each system that is in use, with its sessions and their agents.

    Systems with agents in the workspace come before those that only the user has agents of, and
    then those that are written more widely.
    """
    found: dict[str, Json] = {}
    here: set[str] = set()
    written: dict[str, int] = {}
    at = _shown(workspace)
    for session in agents_tree(workspace, problems):
        dialect = session.dialect
        written[dialect.id] = dialect.system.repositories
        if any(one.scope.kind == "project" for one in session.members):
            here.add(dialect.id)
        head: Json = {"dialect": dialect.id, "title": dialect.title, "runtime": dialect.runtime}
        system = found.setdefault(dialect.id, {**head, "sessions": []})
        sessions = system["sessions"]
        if isinstance(sessions, list):
            sessions.append(_session(workspace, at, session))
    order = sorted(found, key=lambda one: (one not in here, -written[one]))
    return [found[one] for one in order]


def in_file(workspace: Workspace, path: Path) -> list[Json]:
    """The agents of one file, each with its purpose and the number of its tools."""
    first = template_file(workspace, path)
    if first is None or first.source.problem is not None:
        return []
    others = as_others_read(first)
    if first.foreign is not None and not others:
        return []
    # The first program may have no agent of a file that another one loads.
    file = next((one for one in (first, *others) if one.names), first)
    several = file.dialect.schema.is_tables
    agents = ((as_template(file, (one,)) if several else file, one) for one in file.names)
    said = list(programs.lines(programs.programs(first)))
    return [_detail(workspace, agent, one, said) for agent, one in agents]


def _session(workspace: Workspace, at: _Shown, session: SessionAgents) -> Json:
    failed, dialect = session.failure, session.dialect
    calls = tuple(map(dialect.spawn_argument, (KeyRole.AGENT, KeyRole.PERSONA_NAME)))
    return {
        "root": str(session.root),
        "label": _folder(workspace, session.root),
        "deeper": session.is_deeper,
        "failure": None
        if failed is None
        else {"file": str(failed.candidate.path), "message": failed.message},
        "agents": [_agent(at, dialect, calls, one) for one in session.members],
    }


def _agent(at: _Shown, dialect: Dialect, calls: tuple[str | None, ...], member: Member) -> Json:
    def call(*values: str) -> Json | None:
        if member.name == dialect.names.default_name:
            return None
        return {name: value for name, value in zip(calls, values, strict=False) if name is not None}

    return {
        "name": member.name,
        "file": str(member.path),
        "path": at(member.path),
        "line": member.line,
        "alone": member.is_alone,
        "scope": {
            "kind": member.scope.kind,
            "label": member.scope.label,
            "builtin": member.scope.builtin,
        },
        "shadowed_by": _other(at, member.winner),
        "overrides": _other(at, member.hides),
        "not_loaded": member.why or None,
        "errors": member.errors,
        "warnings": member.warnings,
        "call": call(member.name),
        "personas": [
            {"name": name, "line": line, "call": call(member.name, name)}
            for name, line in member.personas
        ],
    }


def _shown(workspace: Workspace) -> _Shown:
    """A function that writes paths for people, and memoises the common part of each folder."""
    folders: dict[str, str] = {}

    def at(path: Path) -> str:
        folder, _, name = str(path).rpartition(os.sep)
        if folder not in folders:
            folders[folder] = shown(workspace, path).removesuffix(name)
        return folders[folder] + name

    return at


def _other(at: _Shown, candidate: Candidate | None) -> Json | None:
    if candidate is None:
        return None
    scope = candidate.scope
    return {
        "path": at(candidate.path),
        "scope": {"kind": scope.kind, "label": scope.label, "builtin": scope.builtin},
    }


def _detail(workspace: Workspace, file: TemplateFile, name: DefinedName, said: list[str]) -> Json:
    dialect = file.dialect
    tools = file.dialect.tools.toolset(merged(file), known_tools(dialect, file.options), 1)
    key = dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    about = file.reading.effective.settings.get(key.name) if key is not None else None
    return {
        "name": name.name,
        "dialect": dialect.id,
        "title": dialect.title,
        "programs": said,
        "line": 1 if name.span is None else line_of(workspace, file.path, name.span),
        "description": about.text if about is not None else "",
        "tools": {
            "kept": len(tools.kept),
            "known": len(tools.verdicts),
            "restricted": tools.restricted,
        },
        "call": None
        if name.name == dialect.names.default_name
        else arguments(dialect, name.name, None, None),
    }


def _folder(workspace: Workspace, root: Path) -> str:
    return root.name if root in workspace.roots else shown(workspace, root)
