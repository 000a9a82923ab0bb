"""The server's commands: agents, previews of spawns, conversions, and the status.

Invariants: a command takes one JSON object. Errors are part of the answer, never protocol errors.
The answer is the same whether or not the editor also shows it as a document.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lsprotocol import types

from agent_lsp.environment import SYSTEMS
from agent_lsp.model.schema import KeyRole
from agent_lsp.server.convert import to_path
from agent_lsp.server.server import CONVERT, LIST_AGENTS, PREVIEW_SPAWN, STATUS, Server, logged
from agent_lsp.server.session import path_at
from agent_lsp.server.sync.changes import refresh_if_due
from agent_lsp.server.sync.previews import address
from agent_lsp.server.transport import RawJson, raw_json
from agent_lsp.workspace.snapshot import Workspace, template_file

Answer = dict[str, object]
# The arguments that distinguish conversions of the same template.
_CONVERTED = ("to", "persona")
_Command = Callable[[Workspace, Mapping[str, object], Path | None], Answer]

logger = logging.getLogger(__name__)


def list_agents(ls: Server, *arguments: object) -> RawJson:
    """Answers with what the runtime's `list` call would return, or its refusal."""
    # The server starts faster without the code and tables of previews.
    from agent_lsp.analysis.preview import commands  # noqa: PLC0415 - slow to import

    return _answer(ls, LIST_AGENTS, commands.list_agents, arguments)


def preview_spawn(ls: Server, *arguments: object) -> RawJson:
    """Answers with everything that the runtime would resolve for a spawn call, or its refusal."""
    from agent_lsp.analysis.preview import commands  # noqa: PLC0415 - slow to import

    return _answer(ls, PREVIEW_SPAWN, commands.preview_spawn, arguments)


def conversion(ls: Server, *arguments: object) -> RawJson:
    """Answers with the template at `uri` as a file of another agent system, and the losses."""
    from agent_lsp.analysis.conversion import command  # noqa: PLC0415 - slow to import

    return _answer(ls, CONVERT, command.conversion, arguments)


def status(ls: Server, *arguments: object) -> RawJson:
    """Answers with scopes, files, settings, versions, timings, and what is skipped."""
    from agent_lsp.analysis.status_report import report, text  # noqa: PLC0415 - slow to import
    from agent_lsp.environment import surroundings  # noqa: PLC0415 - slow to import

    argument = arguments[0] if arguments else {}
    if len(arguments) > 1 or not isinstance(argument, dict) or argument.keys() - {"format"}:
        return _refused(f"`{STATUS}` takes at most one argument, an object with `format`")
    refresh_if_due(ls)
    session = ls.session
    editor = {root: session.editor.get(root) for root in session.workspace.roots}
    took = session.scan_took
    timings = {"scan": took} if took is not None else {}
    found = report(session.workspace, surroundings(session.workspace, editor, timings))
    if argument.get("format") == "text":
        found = {"text": "\n".join(text(found)) + "\n"}
    else:
        found = {"result": found, "error": None}
    return raw_json(found)


def describe_spawn(ls: Server, *arguments: object) -> RawJson:
    """Answers with everything that the panel shows for a template and one spawn call."""
    from agent_lsp.server.commands import views  # noqa: PLC0415 - as above

    return views.describe_spawn(ls, *arguments)


def draw_graph(ls: Server, *arguments: object) -> RawJson:
    """Answers with nodes and edges: which file overrides which, and which agent may start which."""
    from agent_lsp.server.commands import views  # noqa: PLC0415 - as above

    return views.draw_graph(ls, *arguments)


def _answer(ls: Server, name: str, command: _Command, arguments: tuple[object, ...]) -> RawJson:
    if len(arguments) != 1 or not isinstance(arguments[0], dict):
        return _refused(f'`{name}` takes one argument, an object such as {{"dialect": "…"}}')
    argument = dict(arguments[0])
    uri, show = argument.pop("uri", None), argument.pop("show", False)
    if not isinstance(show, bool):
        return _refused("`show` is true or false")
    start = path_at(ls.session, uri)
    if uri is not None and start is None:
        return _refused("`uri` is the URI of a file or folder, as in `file:///home/me/project`")
    line = argument.pop("line", None)
    if line is not None and (isinstance(line, bool) or not isinstance(line, int)):
        return _refused("`line` is the number of a line of `uri`, counted from 0")
    refresh_if_due(ls)
    if line is not None and start is not None:
        argument = _at_line(ls.session.workspace, start, line) | argument
    answer = command(ls.session.workspace, argument, start)
    markdown = answer.get("markdown")
    if show and isinstance(markdown, str) and ls.session.client.shows_documents:
        asked = argument if uri is None else {**argument, "uri": uri}
        _show(ls, name, asked, markdown)
    return raw_json(answer)


def _at_line(workspace: Workspace, path: Path, line: int) -> Answer:
    """The argument for the agent whose part of the file at `path` contains the line."""
    # Only a call with `line` waits for this import.
    from agent_lsp.analysis.navigation.name_index import at_line  # noqa: PLC0415 - slow to import

    file = template_file(workspace, path)
    agent = file.dialect.spawn_argument(KeyRole.AGENT) if file is not None else None
    name = at_line(file, line) if file is not None else None
    return {agent: name} if agent is not None and name is not None else {}


def _refused(message: str) -> RawJson:
    return raw_json({"result": None, "error": message})


def _file_name(name: str, argument: Mapping[str, object]) -> str:
    """The file name of a preview: the same for the same call, so that it updates the open file."""
    naming = (*_naming_arguments(), *_CONVERTED)
    parts = [name.rpartition(".")[2], *(argument.get(known) for known in dict.fromkeys(naming))]
    path = to_path(str(argument.get("uri"))) if name == CONVERT else None
    parts += [path.stem] if path is not None else []
    words = [re.sub(r"[^\w-]+", "-", part) for part in parts if isinstance(part, str) and part]
    return "-".join(words)[:100] + ".md"


def _naming_arguments() -> Iterator[str]:
    """The arguments that name an agent or a persona in any dialect, without repetition."""
    parameters = (
        parameter
        for dialect in (system.dialect for system in SYSTEMS)
        for parameter in (*dialect.calls.list_parameters, *dialect.calls.spawn_parameters)
        if parameter.role in (KeyRole.AGENT, KeyRole.PERSONA_NAME)
    )
    yield from dict.fromkeys(parameter.name for parameter in parameters)


def _show(ls: Server, command: str, argument: Mapping[str, object], markdown: str) -> None:
    name = _file_name(command, argument)
    if ls.session.client.reads_documents:
        shown = types.ShowDocumentParams(address(command, name, argument), take_focus=True)
        ls.window_show_document(shown).add_done_callback(logged)
        return
    # Only a call that shows a document waits for this import.
    from platformdirs import user_cache_path  # noqa: PLC0415 - slow to import

    path = user_cache_path("agent-template-lsp", appauthor=False) / "previews" / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(markdown, encoding="utf-8", errors="replace", newline="")
    except OSError as error:
        logger.warning("%s cannot be written: %s", path, error.strerror)
        return
    shown = types.ShowDocumentParams(path.as_uri(), take_focus=True)
    ls.window_show_document(shown).add_done_callback(logged)
