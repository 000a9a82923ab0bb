"""The commands of the Agents view: lists agents, creates one, copies one.

Invariants: the commands write nothing. An error in an argument is part of the answer.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.agents_tree import MemberProblem
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.model.schema import Severity
from agent_lsp.server.server import AGENTS, BEGIN_AGENT, COPY_AGENT, Server
from agent_lsp.server.session import Session, path_at
from agent_lsp.server.sync.changes import refresh_if_due
from agent_lsp.server.transport import RawJson, raw_json
from agent_lsp.workspace.placement import PlacementKind, folder_placement
from agent_lsp.workspace.snapshot import options_at

_Work = Callable[[Mapping[str, object], Path | None], object]


def agents(ls: Server, *arguments: object) -> RawJson:
    """Answers with all systems in use and their agents, or with the agents of the file at `uri`."""
    from agent_lsp.analysis.agents_tree import in_file, systems  # noqa: PLC0415 - slow to import

    def work(_: Mapping[str, object], start: Path | None) -> object:
        workspace = ls.session.workspace
        if start is not None:
            return {"result": {"agents": in_file(workspace, start)}, "error": None}
        found = systems(workspace, lambda path: _problems(ls.session, path))
        return {"result": {"systems": found}, "error": None}

    return _answer(ls, AGENTS, work, arguments)


def begin_agent(ls: Server, *arguments: object) -> RawJson:
    """Answers with the starters for a new agent; if given a name, also with its file."""
    from agent_lsp.analysis.new_agent import begin, choices  # noqa: PLC0415 - slow to import

    def work(argument: Mapping[str, object], start: Path | None) -> object:
        workspace = ls.session.workspace
        if not argument:
            return {"result": {"systems": choices(workspace, start)}, "error": None}
        return begin(workspace, argument, start)

    return _answer(ls, BEGIN_AGENT, work, arguments)


def copy_agent(ls: Server, *arguments: object) -> RawJson:
    """Answers with the file for a copy of the agent at `uri` in another scope."""
    from agent_lsp.analysis.new_agent import copy  # noqa: PLC0415 - slow to import

    def work(argument: Mapping[str, object], start: Path | None) -> object:
        return copy(ls.session.workspace, argument, start)

    return _answer(ls, COPY_AGENT, work, arguments)


def _answer(ls: Server, name: str, work: _Work, arguments: tuple[object, ...]) -> RawJson:
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


def _problems(session: Session, path: Path) -> tuple[MemberProblem, ...]:
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
