"""The commands of an editor's views: the Agents view, the panel of one spawn, and the graph.

Invariants: a command takes one JSON object, and writes nothing. Errors are part of the answer,
never protocol errors. Columns count in the client's encoding. Each file is read once for an answer,
however many places in it are named.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.agents_tree import MemberProblem
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.navigation import call_hierarchy as drawing
from agent_lsp.analysis.preview import call_arguments
from agent_lsp.analysis.preview import panel as panels
from agent_lsp.analysis.render import shown
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import (
    Candidate,
    ChainStep,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Verdict,
)
from agent_lsp.model.schema import Severity
from agent_lsp.server import convert
from agent_lsp.server.server import AGENTS, BEGIN_AGENT, COPY_AGENT, Server
from agent_lsp.server.session import Session, path_at, uri_of
from agent_lsp.server.sync.changes import refresh_if_due
from agent_lsp.server.transport import RawJson, raw_json
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import PlacementKind, folder_placement
from agent_lsp.workspace.snapshot import options_at

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Locations:
    """The places in one answer, with the line indexes of their files."""

    ls: Server
    indices: dict[Path, LineIndex] = field(default_factory=dict)

    def place(self, path: Path | None, span: Span | None = None) -> Json | None:
        """The place as `uri`, `range` and `label`; None if the path is not that of a file."""
        if path is None or not path.is_absolute():
            return None
        session, at, line = self.ls.session, None, ""
        if span is not None:
            at = convert.to_range(self._index(path), span, session.client.encoding)
            line = f":{at.start.line + 1}"
        label = convert.printable(shown(session.workspace, path)) + line
        return {"uri": uri_of(session, path), "range": _json(at), "label": label}

    def _index(self, path: Path) -> LineIndex:
        if path not in self.indices:
            self.indices[path] = self.ls.session.files.lines(path)
        return self.indices[path]


def _json(at: types.Range | None) -> object:
    if at is None:
        return None
    ends = {"start": at.start, "end": at.end}
    return {name: {"line": to.line, "character": to.character} for name, to in ends.items()}


def describe_spawn(ls: Server, *arguments: object) -> RawJson:
    """Answers with everything that a panel shows for a template and one spawn call."""
    argument = arguments[0] if len(arguments) == 1 else None
    path = _path(ls, argument)
    call = argument.get("call", {}) if isinstance(argument, Mapping) else None
    if path is None or not isinstance(call, Mapping):
        return raw_json({"error": "it takes one argument, an object with `uri` and `call`"})
    refresh_if_due(ls)
    found = panels.panel(ls.session.workspace, path, call)
    if found is None:
        return raw_json({"error": "there is no template at this place"})
    return raw_json(_panel(Locations(ls), found))


def draw_graph(ls: Server, *arguments: object) -> RawJson:
    """Answers with a session's agents, which overrides which, and which may start which."""
    argument = arguments[0] if len(arguments) == 1 else None
    if not isinstance(argument, Mapping) or argument.keys() - {"uri", "dialect"}:
        return raw_json({"error": "it takes one argument, an object with `uri` and `dialect`"})
    refresh_if_due(ls)
    workspace = ls.session.workspace
    wanted = {key: value for key, value in argument.items() if key == "dialect"}
    asked = call_arguments.read(
        workspace,
        wanted,
        _path(ls, argument),
        lambda dialect: (dialect.calls.list_call, dialect.calls.list_parameters),
    )
    if isinstance(asked, call_arguments.BadArguments):
        return raw_json({"error": asked.message})
    systems = call_arguments.present(workspace, asked.root)
    shown_first = call_arguments.in_order(workspace, systems, asked.root)
    return raw_json(_graph(Locations(ls), asked, shown_first))


def _path(ls: Server, argument: object) -> Path | None:
    return path_at(ls.session, argument.get("uri") if isinstance(argument, Mapping) else None)


def _panel(at: Locations, panel: panels.Panel) -> Json:
    spawned = panel.answer if isinstance(panel.answer, Spawn) else None
    return {
        "dialect": _dialect(panel.file.dialect),
        "call": panel.file.dialect.calls.spawn_call,
        "name": panel.name,
        "file": at.place(panel.file.path),
        "controls": [_control(one) for one in panel.controls],
        "scopes": [_step(at, panel, one) for one in panel.steps],
        "spawn": None if spawned is None else _spawn(at, spawned),
        "refusal": _refusal(at, panel),
        "problems": [_problem(at, panel.file.path, one) for one in panel.problems],
        "exchanges": [
            {"call": one.call, "arguments": dict(one.arguments), "answer": dict(one.answer)}
            for one in panel.exchanges
        ],
        "error": None,
    }


def _dialect(dialect: Dialect) -> Json:
    return {"id": dialect.id, "title": dialect.title}


def _control(control: panels.Control) -> Json:
    return {
        "name": control.name,
        "meaning": control.meaning,
        "form": control.form.value,
        "value": control.value,
        "choices": [{"name": one.name, "meaning": one.meaning} for one in control.choices],
        "open": control.is_open,
        "main": control.is_main,
        "holds": control.role.value if control.role is not None else None,
    }


def _step(at: Locations, panel: panels.Panel, step: panels.ScopeStep) -> Json:
    scope = step.scope
    return {
        "label": scope.label,
        "builtin": scope.builtin,
        "folder": at.place(scope.folder),
        "files": [
            {
                "place": at.place(one.path, one.span),
                "wins": one == panel.winner,
                "current": one.path == panel.file.path,
            }
            for one in step.candidates
        ],
    }


def _refusal(at: Locations, panel: panels.Panel) -> Json | None:
    if not isinstance(panel.answer, RuntimeRefusal):
        return None
    cause = panel.cause
    return {
        "message": panel.answer.message,
        "ours": panel.answer.ours,
        "cause": at.place(cause.path, cause.span) if cause is not None else None,
    }


def _spawn(at: Locations, spawn: Spawn) -> Json:
    return {
        "name": spawn.name,
        "persona": spawn.persona,
        "depth": spawn.depth,
        "lost": list(spawn.lost),
        "notes": list(spawn.notes),
        "settings": [_setting(at, one) for one in spawn.settings],
        "restricted": spawn.toolset.restricted,
        "kept": [_verdict(at, spawn.template, one) for one in spawn.toolset.kept],
        "removed": [_verdict(at, spawn.template, one) for one in spawn.toolset.removed],
        "patterns": list(spawn.toolset.open_patterns),
        "prompt": [
            {
                "title": part.title,
                "text": part.text,
                "verbatim": part.verbatim,
                "origin": part.origin.label,
                "place": at.place(part.origin.path, part.origin.span),
            }
            for part in spawn.prompt
        ],
        "exhibits": [
            {"name": one.name, "title": one.title, "value": one.value} for one in spawn.artifacts
        ],
    }


def _setting(at: Locations, setting: ResolvedSetting) -> Json:
    return {
        "name": setting.name,
        "value": setting.value,
        "origin": setting.origin.label,
        "place": at.place(setting.origin.path, setting.origin.span),
        "note": setting.note,
        "chain": [_link(at, one) for one in setting.chain],
    }


def _link(at: Locations, step: ChainStep) -> Json:
    return {
        "label": step.origin.label,
        "place": at.place(step.origin.path, step.origin.span)
        if step.origin.span is not None
        else None,
        "value": step.value,
        "said": step.said,
        "wins": step.wins,
    }


def _verdict(at: Locations, template: Candidate | None, verdict: Verdict) -> Json:
    path = template.path if template is not None and verdict.entry is not None else None
    return {
        "tool": verdict.tool,
        "reason": verdict.reason,
        "condition": verdict.condition,
        "certain": verdict.certain,
        "place": at.place(path, verdict.entry),
    }


def _problem(at: Locations, path: Path, diagnostic: Diagnostic) -> Json:
    return {
        "severity": diagnostic.severity.name.lower(),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "place": at.place(path, diagnostic.span),
    }


def _graph(at: Locations, asked: call_arguments.Arguments, systems: tuple[Dialect, ...]) -> Json:
    workspace = at.ls.session.workspace
    found = catalog(workspace, asked.dialect, asked.root)
    drawn = drawing.graph(workspace, asked.dialect, found)
    ids = {one: number for number, one in enumerate(drawn.nodes)}
    edges = {"hides": drawn.hides, "starts": drawn.starts, "mentions": drawn.mentions}
    hidden = {other for _, other in drawn.hides}
    # One file may define all agents.
    counted = cache(partial(_counted, at))
    return {
        "dialect": _dialect(asked.dialect),
        "dialects": [_dialect(one) for one in systems],
        "nodes": [
            {
                "name": one.name,
                "scope": one.scope.label,
                "builtin": one.scope.builtin,
                "hidden": one in hidden,
                "place": at.place(one.path, one.span),
                "problems": 0 if one.scope.builtin else counted(one.path),
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


def _counted(at: Locations, path: Path) -> int:
    """The number of errors and warnings in a file."""
    found = diagnostics(at.ls.session.workspace, path)
    return sum(each.severity.name in ("ERROR", "WARNING") for each in found)


_Work = Callable[[Mapping[str, object], Path | None], object]


def agents(ls: Server, *arguments: object) -> RawJson:
    """Answers with all systems in use and their agents, or with the agents of the file at `uri`."""
    from agent_lsp.analysis.agents_tree import in_file, systems  # noqa: PLC0415 - slow to import

    def work(_: Mapping[str, object], start: Path | None) -> object:
        workspace = ls.session.workspace
        if start is not None:
            return {"result": {"agents": in_file(workspace, start)}, "error": None}
        found = systems(workspace, lambda path: _told(ls.session, path))
        return {"result": {"systems": found}, "error": None}

    return _answered(ls, AGENTS, work, arguments)


def begin_agent(ls: Server, *arguments: object) -> RawJson:
    """Answers with the starters for a new agent; if given a name, also with its file."""
    from agent_lsp.analysis.new_agent import begin, choices  # noqa: PLC0415 - slow to import

    def work(argument: Mapping[str, object], start: Path | None) -> object:
        workspace = ls.session.workspace
        if not argument:
            return {"result": {"systems": choices(workspace, start)}, "error": None}
        return begin(workspace, argument, start)

    return _answered(ls, BEGIN_AGENT, work, arguments)


def copy_agent(ls: Server, *arguments: object) -> RawJson:
    """Answers with the file for a copy of the agent at `uri` in another scope."""
    from agent_lsp.analysis.new_agent import copy  # noqa: PLC0415 - slow to import

    def work(argument: Mapping[str, object], start: Path | None) -> object:
        return copy(ls.session.workspace, argument, start)

    return _answered(ls, COPY_AGENT, work, arguments)


def _answered(ls: Server, name: str, work: _Work, arguments: tuple[object, ...]) -> RawJson:
    argument = arguments[0] if arguments else {}
    if len(arguments) > 1 or not isinstance(argument, dict):
        return _refused(f"`{name}` takes one argument, an object")
    rest = {known: value for known, value in argument.items() if known != "uri"}
    uri = argument.get("uri")
    start = path_at(ls.session, uri)
    if uri is not None and start is None:
        return _refused("`uri` is the URI of a file or folder, as in `file:///home/me/project`")
    refresh_if_due(ls)
    return raw_json(work(rest, start))


def _refused(message: str) -> RawJson:
    return raw_json({"result": None, "error": message})


def _told(session: Session, path: Path) -> tuple[MemberProblem, ...]:
    """The diagnostics of `path` that the client has; computes those of the user's own files."""
    sent = session.sent.get(path)
    if sent is not None:
        return tuple(map(_as_sent, sent.diagnostics))
    # Most files in the workspace have no diagnostics, so none were sent.
    if path.parent in session.folders:
        return ()
    owner = folder_placement(session.workspace, path.parent)
    is_own = owner is not None and owner.kind is PlacementKind.SCOPE and not owner.scope.builtin
    if not is_own or not options_at(session.workspace, path).closed_files:
        return ()
    index = session.files.lines(path)
    found = diagnostics(session.workspace, path)
    return tuple(MemberProblem(one.severity, index.line_of(one.span.start)) for one in found)


def _as_sent(diagnostic: types.Diagnostic) -> MemberProblem:
    return MemberProblem(
        Severity((diagnostic.severity or types.DiagnosticSeverity.Error).value),
        diagnostic.range.start.line,
    )
