"""Answers the preview commands: the runtime's calls, as text or as JSON with origins.

Invariants: nothing raises. A call that the runtime would refuse is answered with the runtime's
text. Origins are files and lines, counted from 1. The editor and the command line get their answers
only from here.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from agent_lsp.analysis import render
from agent_lsp.analysis.preview import call_arguments, programs
from agent_lsp.analysis.render import line_of
from agent_lsp.model import runtime
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import (
    Candidate,
    CatalogFailure,
    ChainStep,
    Definition,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Verdict,
)
from agent_lsp.model.schema import KeyRole, Parameter
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import Workspace


def spawn(workspace: Workspace, spawn: Spawn) -> dict[str, object]:
    """`spawn` as JSON, in which each setting is a member under its own name."""
    template, several = None, list[str]()
    if spawn.template is not None:
        path, span = spawn.template.path, spawn.template.span
        line = 1 if span is None else line_of(workspace, path, span)
        template = {"file": str(path), "line": line, "label": spawn.template.scope.label}
        several = list(programs.lines(programs.of_path(workspace, path)))
    return {
        "name": spawn.name,
        "persona": spawn.persona,
        "template": template,
        "lost": list(spawn.lost),
        **({"programs": several} if several else {}),
        **{setting.name: _setting(workspace, setting) for setting in spawn.settings},
        "depth": spawn.depth,
        "tools": _tools(workspace, spawn),
        "prompt": [_part(workspace, part) for part in spawn.prompt],
        "notes": list(spawn.notes),
        **{artifact.name: artifact.value for artifact in spawn.artifacts},
    }


def _setting(workspace: Workspace, setting: ResolvedSetting) -> dict[str, object]:
    return {
        "value": setting.value,
        "origin": _origin(workspace, setting.origin),
        "chain": [_link(workspace, link) for link in setting.chain],
        **({"note": setting.note} if setting.note else {}),
    }


def _definition(workspace: Workspace, merged: Definition) -> dict[str, object]:
    """The files that are merged into an agent, and the one that each setting comes from."""
    keys = {}
    for name, value in merged.reading.declared.settings.items():
        origin = merged.origins.get(name)
        path = origin.path if origin is not None else None
        keys[name] = _place(workspace, path, value.key or value.span)
    for name, value in merged.inner.items():
        keys[name] = _place(workspace, value.path or merged.parts[0].path, value.span)
    files = dict.fromkeys(str(part.path) for part in merged.parts)
    return {"files": list(files), "keys": keys}


def _link(workspace: Workspace, link: ChainStep) -> dict[str, object]:
    origin = _origin(workspace, link.origin)
    said = {"said": link.said} if link.said else {}
    return {**origin, "value": link.value, **said, "wins": link.wins}


def _origin(workspace: Workspace, origin: Origin) -> dict[str, object]:
    return {"label": origin.label, **_place(workspace, origin.path, origin.span)}


def _place(workspace: Workspace, path: Path | None, span: Span | None) -> dict[str, object]:
    line = None if path is None or span is None else line_of(workspace, path, span)
    return {"file": None if path is None else str(path), "line": line}


def _tools(workspace: Workspace, spawn: Spawn) -> dict[str, object]:
    return {
        "restricted": spawn.toolset.restricted,
        "kept": [_verdict(workspace, spawn, verdict) for verdict in spawn.toolset.kept],
        "removed": [_verdict(workspace, spawn, verdict) for verdict in spawn.toolset.removed],
        "open_patterns": list(spawn.toolset.open_patterns),
    }


def _verdict(workspace: Workspace, spawn: Spawn, verdict: Verdict) -> dict[str, object]:
    own = spawn.template.path if spawn.template is not None else None
    path = (verdict.path or own) if verdict.entry is not None else None
    place = _place(workspace, path, verdict.entry)
    only = f"; exists only if {verdict.condition}" if verdict.condition else ""
    return {"tool": verdict.tool, "reason": f"{verdict.reason}{only}", **place}


def _part(workspace: Workspace, part: PromptPart) -> dict[str, object]:
    return {
        "title": part.title,
        "text": part.text,
        "verbatim": part.verbatim,
        "origin": _origin(workspace, part.origin),
    }


Answer = dict[str, object]


def list_agents(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """The runtime's list for a session that starts at `start`."""
    asked = call_arguments.read(workspace, argument, start, _listing)
    if isinstance(asked, call_arguments.BadArguments):
        return _wrong(workspace, argument, "listAgents", asked)
    dialect, found = asked.dialect, catalog(workspace, asked.dialect, asked.root)
    result = dialect.calls.list_agents(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    call, filtered = runtime.call_of(dialect, asked.call), runtime.is_filtered(dialect, asked.call)
    if isinstance(result, RuntimeRefusal):
        failed = dialect.names.failure(found) if dialect.names.failure is not None else None
        if not as_markdown:
            return _failed(result, failed)
        cause = failed.candidate if failed is not None else None
        cause = cause if filtered or failed else runtime.culprit(dialect, found)
        return {"markdown": render.refused(workspace, call, result, cause)}
    beside = render.ListNotes(
        () if filtered else runtime.unread(dialect, found),
        found.skipped(),
    )
    if as_markdown:
        return {"markdown": render.listed(workspace, dialect, found, call, result, beside)}
    answer: Answer = {"result": result, "error": None}
    if beside.unread:
        answer["notes"] = [why for _, why in beside.unread]
    if beside.skipped:
        answer["skipped"] = _skipped(beside.skipped)
    return answer


def preview_spawn(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """Everything that the runtime resolves for a spawn call in a session that starts at `start`."""
    asked = call_arguments.read(workspace, argument, start, _spawning)
    if isinstance(asked, call_arguments.BadArguments):
        return _wrong(workspace, argument, "previewSpawn", asked)
    found = catalog(workspace, asked.dialect, asked.root)
    result = asked.dialect.calls.spawn(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    if isinstance(result, RuntimeRefusal):
        failed = (
            asked.dialect.names.failure(found) if asked.dialect.names.failure is not None else None
        )
        agent = asked.call.text(asked.dialect.spawn_argument(KeyRole.AGENT) or "")
        lost = tuple(one for one in found.skipped() if one[0].name == agent)
        if as_markdown:
            cause = failed.candidate if failed is not None else lost[0][0] if lost else None
            call = asked.dialect.calls.spawn_call
            return {"markdown": render.refused(workspace, call, result, cause)}
        answer = _failed(result, failed)
        return {**answer, "skipped": _skipped(lost)} if lost else answer
    if as_markdown:
        path = result.template.path if result.template is not None else None
        read = tuple(programs.lines(programs.of_path(workspace, path))) if path is not None else ()
        return {"markdown": render.spawned(workspace, asked.dialect, found, result, read)}
    answer = spawn(workspace, result)
    merged = found.definition(result.template.name) if result.template is not None else None
    if merged is not None:
        answer["definition"] = _definition(workspace, merged)
    return {"result": answer, "error": None}


def _skipped(found: Iterable[tuple[Candidate, str]]) -> list[dict[str, str]]:
    """The files that the runtime skips, each with the reason."""
    return [{"file": str(candidate.path), "message": why} for candidate, why in found]


def _failed(refusal: RuntimeRefusal, failed: CatalogFailure | None) -> Answer:
    """A refusal, with the file that keeps all agents from loading if that is the cause."""
    answer: Answer = {"result": None, "error": refusal.message}
    if failed is not None and failed.message == refusal.message:
        answer["file"] = str(failed.candidate.path)
    return answer


def _listing(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.calls.list_call, dialect.calls.list_parameters


def _spawning(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.calls.spawn_call, dialect.calls.spawn_parameters


def _wrong(
    workspace: Workspace,
    argument: Mapping[str, object],
    name: str,
    wrong: call_arguments.BadArguments,
) -> Answer:
    if argument.get("format") == "markdown":
        return {"markdown": render.refused(workspace, name, RuntimeRefusal(wrong.message))}
    return {"result": None, "error": wrong.message}
