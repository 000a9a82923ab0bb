"""Who is in a workspace, as JSON for a view of agents and for a line about one file.

Invariants: files are paths and lines count from 1; `call` are the runtime's own arguments, null
where no call means the agent.
"""

import os
from collections.abc import Callable
from pathlib import Path

from agent_lsp.analysis.hovers.meant import arguments
from agent_lsp.analysis.markup import line_of, shown
from agent_lsp.analysis.member import Member
from agent_lsp.analysis.roster import Problems, Session, roster
from agent_lsp.analysis.tables.subjects import of_names
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Candidate, Named
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject, Workspace, subject

Json = dict[str, object]
_Shown = Callable[[Path], str]


def systems(workspace: Workspace, problems: Problems) -> list[Json]:
    """Each system that is in use, with its sessions and their agents."""
    found: dict[str, Json] = {}
    at = _shown(workspace)
    for session in roster(workspace, problems):
        known = session.known
        head: Json = {"dialect": known.id, "title": known.title, "runtime": known.runtime}
        system = found.setdefault(known.id, {**head, "sessions": []})
        sessions = system["sessions"]
        if isinstance(sessions, list):
            sessions.append(_session(workspace, at, session))
    return list(found.values())


def in_file(workspace: Workspace, path: Path) -> list[Json]:
    """The agents of one file, each with what it is for and how many tools it is left with."""
    of = subject(workspace, path)
    if of is None or of.file.problem is not None or of.foreign is not None:
        return []
    several = of.dialect.keys_at is not None
    return [_detail(workspace, of_names(of, (one,)) if several else of, one) for one in of.names]


def _session(workspace: Workspace, at: _Shown, session: Session) -> Json:
    failed, known = session.failure, session.known
    calls = tuple(map(known.spawn_argument, (Holds.AGENT, Holds.PERSONA_NAME)))
    return {
        "root": str(session.root),
        "label": _folder(workspace, session.root),
        "deeper": session.is_deeper,
        "failure": None
        if failed is None
        else {"file": str(failed.candidate.path), "message": failed.message},
        "agents": [_agent(at, known, calls, one) for one in session.members],
    }


def _agent(at: _Shown, known: Dialect, calls: tuple[str | None, ...], of: Member) -> Json:
    def call(*values: str) -> Json | None:
        if of.name == known.default_name:
            return None
        return {name: value for name, value in zip(calls, values, strict=False) if name is not None}

    return {
        "name": of.name,
        "file": str(of.path),
        "path": at(of.path),
        "line": of.line,
        "alone": of.is_alone,
        "scope": {"kind": of.scope.kind, "label": of.scope.label, "builtin": of.scope.builtin},
        "shadowed_by": _other(at, of.winner),
        "overrides": _other(at, of.hides),
        "not_loaded": of.why or None,
        "errors": of.errors,
        "warnings": of.warnings,
        "call": call(of.name),
        "personas": [
            {"name": name, "line": line, "call": call(of.name, name)} for name, line in of.personas
        ],
    }


def _shown(workspace: Workspace) -> _Shown:
    """How people write a path; what all files of a folder have in common is found once."""
    folders: dict[str, str] = {}

    def at(path: Path) -> str:
        folder, _, name = str(path).rpartition(os.sep)
        if folder not in folders:
            folders[folder] = shown(workspace, path).removesuffix(name)
        return folders[folder] + name

    return at


def _other(at: _Shown, of: Candidate | None) -> Json | None:
    if of is None:
        return None
    scope = of.scope
    return {
        "path": at(of.path),
        "scope": {"kind": scope.kind, "label": scope.label, "builtin": scope.builtin},
    }


def _detail(workspace: Workspace, of: Subject, one: Named) -> Json:
    known = of.dialect
    tools = of.dialect.toolset(of.reading, known_tools(known, of.options), 1)
    key = known.key_holding(Holds.DESCRIPTION)
    about = of.reading.held.settings.get(key.name) if key is not None else None
    return {
        "name": one.name,
        "dialect": known.id,
        "title": known.title,
        "line": 1 if one.span is None else line_of(workspace, of.path, one.span),
        "description": about.text if about is not None else "",
        "tools": {
            "kept": len(tools.kept),
            "known": len(tools.verdicts),
            "restricted": tools.restricted,
        },
        "call": None if one.name == known.default_name else arguments(known, one.name, None, None),
    }


def _folder(workspace: Workspace, root: Path) -> str:
    return root.name if root in workspace.roots else shown(workspace, root)
