"""A spawn preview as JSON: every value with its origin.

Invariant: origins are files and lines, counted from 1; nothing here decides anything.
"""

from pathlib import Path

from agent_lsp.analysis.markup import line_of
from agent_lsp.dialects.answers import (
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    Spawn,
    Verdict,
)
from agent_lsp.text import Span
from agent_lsp.workspace.index import Workspace


def spawn(workspace: Workspace, spawn: Spawn) -> dict[str, object]:
    """`of` as JSON; the settings stand beside the rest, each under its own name."""
    template = None
    if spawn.template is not None:
        path, span = spawn.template.path, spawn.template.span
        line = 1 if span is None else line_of(workspace, path, span)
        template = {"file": str(path), "line": line, "label": spawn.template.scope.label}
    return {
        "name": spawn.name,
        "persona": spawn.persona,
        "template": template,
        "lost": list(spawn.lost),
        **{setting.name: _setting(workspace, setting) for setting in spawn.settings},
        "depth": spawn.depth,
        "tools": _tools(workspace, spawn),
        "prompt": [_part(workspace, part) for part in spawn.prompt],
        "notes": list(spawn.notes),
        **{exhibit.name: exhibit.value for exhibit in spawn.artifacts},
    }


def _setting(workspace: Workspace, setting: ResolvedSetting) -> dict[str, object]:
    return {
        "value": setting.value,
        "origin": _origin(workspace, setting.origin),
        "chain": [_link(workspace, link) for link in setting.chain],
    }


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
    path = spawn.template.path if spawn.template and verdict.entry else None
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
