"""The commands behind an editor's panels: one spawn in all its parts, and the agents as a graph.

Invariants: a command takes one plain object; whatever is wrong with it is said in the answer,
which is never a protocol error; places are in the columns that the client counts.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis import graph as drawing
from agent_lsp.analysis import panel as panels
from agent_lsp.analysis import request
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.dialects.answers import Candidate, Link, Refusal, Setting, Spawn, Verdict
from agent_lsp.dialects.model import Dialect
from agent_lsp.server.changes import refresh_if_due
from agent_lsp.server.places import Json, Places
from agent_lsp.server.sendable import Sendable, sendable
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.workspace.index import catalog


def describe_spawn(ls: Server, *arguments: object) -> Sendable:
    """Everything that a panel shows of a template and one spawn call."""
    argument = arguments[0] if len(arguments) == 1 else None
    path = _path(ls, argument)
    call = argument.get("call", {}) if isinstance(argument, Mapping) else None
    if path is None or not isinstance(call, Mapping):
        return sendable({"error": "it takes one argument, an object with `uri` and `call`"})
    refresh_if_due(ls)
    found = panels.panel(ls.session.workspace, path, call)
    if found is None:
        return sendable({"error": "there is no template at this place"})
    return sendable(_panel(Places(ls), found))


def draw_graph(ls: Server, *arguments: object) -> Sendable:
    """The agents of a session: who takes whose place, who may start whom."""
    argument = arguments[0] if len(arguments) == 1 else None
    if not isinstance(argument, Mapping) or argument.keys() - {"uri", "dialect"}:
        return sendable({"error": "it takes one argument, an object with `uri` and `dialect`"})
    refresh_if_due(ls)
    workspace = ls.session.workspace
    wanted = {key: value for key, value in argument.items() if key == "dialect"}
    asked = request.read(
        workspace, wanted, _path(ls, argument), lambda of: (of.list_call, of.list_parameters)
    )
    if isinstance(asked, request.Wrong):
        return sendable({"error": asked.message})
    systems = request.present(workspace, asked.root)
    return sendable(_graph(Places(ls), asked, systems))


def _path(ls: Server, argument: object) -> Path | None:
    return path_at(ls.session, argument.get("uri") if isinstance(argument, Mapping) else None)


def _panel(at: Places, of: panels.Panel) -> Json:
    spawned = of.answer if isinstance(of.answer, Spawn) else None
    return {
        "dialect": _dialect(of.of.dialect),
        "call": of.of.dialect.spawn_call,
        "name": of.name,
        "file": at.place(of.of.path),
        "controls": [_control(one) for one in of.controls],
        "scopes": [_step(at, of, one) for one in of.steps],
        "spawn": None if spawned is None else _spawn(at, spawned),
        "refusal": _refusal(at, of),
        "problems": [_problem(at, of.of.path, one) for one in of.problems],
        "exchanges": [
            {"call": one.call, "arguments": dict(one.arguments), "answer": dict(one.answer)}
            for one in of.exchanges
        ],
        "error": None,
    }


def _dialect(known: Dialect) -> Json:
    return {"id": known.id, "title": known.title}


def _control(of: panels.Control) -> Json:
    return {
        "name": of.name,
        "meaning": of.meaning,
        "form": of.form.value,
        "value": of.value,
        "choices": [{"name": one.name, "meaning": one.meaning} for one in of.choices],
        "open": of.is_open,
        "main": of.is_main,
        "holds": of.holds.value if of.holds is not None else None,
    }


def _step(at: Places, of: panels.Panel, step: panels.Step) -> Json:
    scope = step.scope
    return {
        "label": scope.label,
        "builtin": scope.builtin,
        "folder": at.place(scope.folder),
        "files": [
            {
                "place": at.place(one.path, one.span),
                "wins": one == of.winner,
                "current": one.path == of.of.path,
            }
            for one in step.candidates
        ],
    }


def _refusal(at: Places, of: panels.Panel) -> Json | None:
    if not isinstance(of.answer, Refusal):
        return None
    cause = of.cause
    return {
        "message": of.answer.message,
        "ours": of.answer.ours,
        "cause": at.place(cause.path, cause.span) if cause is not None else None,
    }


def _spawn(at: Places, of: Spawn) -> Json:
    return {
        "name": of.name,
        "persona": of.persona,
        "depth": of.depth,
        "lost": list(of.lost),
        "notes": list(of.notes),
        "settings": [_setting(at, one) for one in of.settings],
        "restricted": of.toolset.restricted,
        "kept": [_verdict(at, of.template, one) for one in of.toolset.kept],
        "removed": [_verdict(at, of.template, one) for one in of.toolset.removed],
        "patterns": list(of.toolset.open_patterns),
        "prompt": [
            {
                "title": part.title,
                "text": part.text,
                "verbatim": part.verbatim,
                "origin": part.origin.label,
                "place": at.place(part.origin.path, part.origin.span),
            }
            for part in of.prompt
        ],
        "exhibits": [
            {"name": one.name, "title": one.title, "value": one.value} for one in of.exhibits
        ],
    }


def _setting(at: Places, of: Setting) -> Json:
    return {
        "name": of.name,
        "value": of.value,
        "origin": of.origin.label,
        "place": at.place(of.origin.path, of.origin.span),
        "note": of.note,
        "chain": [_link(at, one) for one in of.chain],
    }


def _link(at: Places, of: Link) -> Json:
    return {
        "label": of.origin.label,
        "place": at.place(of.origin.path, of.origin.span) if of.origin.span is not None else None,
        "value": of.value,
        "said": of.said,
        "wins": of.wins,
    }


def _verdict(at: Places, template: Candidate | None, of: Verdict) -> Json:
    path = template.path if template is not None and of.entry is not None else None
    return {
        "tool": of.tool,
        "reason": of.reason,
        "condition": of.condition,
        "certain": of.certain,
        "place": at.place(path, of.entry),
    }


def _problem(at: Places, path: Path, of: Diagnostic) -> Json:
    return {
        "severity": of.severity.name.lower(),
        "code": of.code,
        "message": of.message,
        "place": at.place(path, of.span),
    }


def _graph(at: Places, asked: request.Request, systems: tuple[Dialect, ...]) -> Json:
    workspace = at.ls.session.workspace
    found = catalog(workspace, asked.known, asked.root)
    drawn = drawing.graph(workspace, asked.known, found)
    ids = {one: number for number, one in enumerate(drawn.nodes)}
    edges = {"hides": drawn.hides, "starts": drawn.starts, "mentions": drawn.mentions}
    hidden = {other for _, other in drawn.hides}
    return {
        "dialect": _dialect(asked.known),
        "dialects": [_dialect(one) for one in systems],
        "nodes": [
            {
                "name": one.name,
                "scope": one.scope.label,
                "builtin": one.scope.builtin,
                "hidden": one in hidden,
                "place": at.place(one.path, one.span),
                "problems": _counted(at, one),
            }
            for one in drawn.nodes
        ],
        "edges": list(_edges(edges, ids)),
        "error": None,
    }


def _edges(
    pairs: Mapping[str, tuple[tuple[Candidate, Candidate], ...]], ids: Mapping[Candidate, int]
) -> Iterator[Json]:
    for kind, found in pairs.items():
        for one, other in found:
            yield {"kind": kind, "from": ids[one], "to": ids[other]}


def _counted(at: Places, one: Candidate) -> int:
    """How many errors and warnings a file has, as far as anybody can act on them."""
    if one.scope.builtin:
        return 0
    found = diagnostics(at.ls.session.workspace, one.path)
    return sum(each.severity.name in ("ERROR", "WARNING") for each in found)
