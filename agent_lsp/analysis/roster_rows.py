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
from agent_lsp.analysis.roster import Problems, SessionAgents, agents_tree
from agent_lsp.analysis.tables.subjects import of_names
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Candidate, DefinedName
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.workspace.index import TemplateFile, Workspace, template_file

Json = dict[str, object]
_Shown = Callable[[Path], str]


def systems(workspace: Workspace, problems: Problems) -> list[Json]:
    """Each system that is in use, with its sessions and their agents."""
    found: dict[str, Json] = {}
    at = _shown(workspace)
    for session in agents_tree(workspace, problems):
        dialect = session.dialect
        head: Json = {"dialect": dialect.id, "title": dialect.title, "runtime": dialect.runtime}
        system = found.setdefault(dialect.id, {**head, "sessions": []})
        sessions = system["sessions"]
        if isinstance(sessions, list):
            sessions.append(_session(workspace, at, session))
    return list(found.values())


def in_file(workspace: Workspace, path: Path) -> list[Json]:
    """The agents of one file, each with what it is for and how many tools it is left with."""
    file = template_file(workspace, path)
    if file is None or file.source.problem is not None or file.foreign is not None:
        return []
    several = file.dialect.keys_at is not None
    return [
        _detail(workspace, of_names(file, (one,)) if several else file, one) for one in file.names
    ]


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
        if member.name == dialect.default_name:
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
    """How people write a path; what all files of a folder have in common is found once."""
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


def _detail(workspace: Workspace, file: TemplateFile, one: DefinedName) -> Json:
    dialect = file.dialect
    tools = file.dialect.toolset(file.reading, known_tools(dialect, file.options), 1)
    key = dialect.key_with_role(KeyRole.DESCRIPTION)
    about = file.reading.effective.settings.get(key.name) if key is not None else None
    return {
        "name": one.name,
        "dialect": dialect.id,
        "title": dialect.title,
        "line": 1 if one.span is None else line_of(workspace, file.path, one.span),
        "description": about.text if about is not None else "",
        "tools": {
            "kept": len(tools.kept),
            "known": len(tools.verdicts),
            "restricted": tools.restricted,
        },
        "call": None
        if one.name == dialect.default_name
        else arguments(dialect, one.name, None, None),
    }


def _folder(workspace: Workspace, root: Path) -> str:
    return root.name if root in workspace.roots else shown(workspace, root)
