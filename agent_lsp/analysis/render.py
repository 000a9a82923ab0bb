"""A spawn preview as JSON: every value with its origin.

Invariant: origins are files and lines, counted from 1; nothing here decides anything.
"""

from pathlib import Path

from agent_lsp.analysis.markup import line_of
from agent_lsp.dialects.answers import Link, Origin, Part, Setting, Spawn, Verdict
from agent_lsp.text import Span
from agent_lsp.workspace.index import Workspace


def spawn(workspace: Workspace, of: Spawn) -> dict[str, object]:
    """`of` as JSON; the settings stand beside the rest, each under its own name."""
    template = None
    if of.template is not None:
        path, span = of.template.path, of.template.span
        line = 1 if span is None else line_of(workspace, path, span)
        template = {"file": str(path), "line": line, "label": of.template.scope.label}
    return {
        "name": of.name,
        "persona": of.persona,
        "template": template,
        "lost": list(of.lost),
        **{setting.name: _setting(workspace, setting) for setting in of.settings},
        "depth": of.depth,
        "tools": _tools(workspace, of),
        "prompt": [_part(workspace, part) for part in of.prompt],
        "notes": list(of.notes),
        **{exhibit.name: exhibit.value for exhibit in of.exhibits},
    }


def _setting(workspace: Workspace, setting: Setting) -> dict[str, object]:
    return {
        "value": setting.value,
        "origin": _origin(workspace, setting.origin),
        "chain": [_link(workspace, link) for link in setting.chain],
    }


def _link(workspace: Workspace, link: Link) -> dict[str, object]:
    origin = _origin(workspace, link.origin)
    said = {"said": link.said} if link.said else {}
    return {**origin, "value": link.value, **said, "wins": link.wins}


def _origin(workspace: Workspace, origin: Origin) -> dict[str, object]:
    return {"label": origin.label, **_place(workspace, origin.path, origin.span)}


def _place(workspace: Workspace, path: Path | None, span: Span | None) -> dict[str, object]:
    line = None if path is None or span is None else line_of(workspace, path, span)
    return {"file": None if path is None else str(path), "line": line}


def _tools(workspace: Workspace, of: Spawn) -> dict[str, object]:
    return {
        "restricted": of.toolset.restricted,
        "kept": [_verdict(workspace, of, verdict) for verdict in of.toolset.kept],
        "removed": [_verdict(workspace, of, verdict) for verdict in of.toolset.removed],
        "open_patterns": list(of.toolset.open_patterns),
    }


def _verdict(workspace: Workspace, of: Spawn, verdict: Verdict) -> dict[str, object]:
    path = of.template.path if of.template and verdict.entry else None
    place = _place(workspace, path, verdict.entry)
    only = f"; exists only if {verdict.condition}" if verdict.condition else ""
    return {"tool": verdict.tool, "reason": f"{verdict.reason}{only}", **place}


def _part(workspace: Workspace, part: Part) -> dict[str, object]:
    return {
        "title": part.title,
        "text": part.text,
        "verbatim": part.verbatim,
        "origin": _origin(workspace, part.origin),
    }
