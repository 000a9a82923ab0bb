"""Loads the user's settings, from the editor and from settings files.

Invariant: an invalid value is reported once, and all other settings stay in force.
"""

import re
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from lsprotocol import types

from agent_lsp.data_classes import replace
from agent_lsp.environment import settings_file, workspace_for
from agent_lsp.patterns import regex
from agent_lsp.server.convert import printable
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import Session
from agent_lsp.server.sync.publish import mistakes
from agent_lsp.server.sync.scan import rescan
from agent_lsp.server.sync.watch import watch

SECTION = "agentTemplates"
# The notification to the extension that shows a setting of the editor.
OPEN_SETTINGS = "agentTemplates/openSettings"
_OF_EDITOR = regex(rf"`({SECTION}\.\w+)")


def ask(ls: Server) -> None:
    """Requests the settings from the editor; they take effect when the answer arrives."""
    if not ls.session.client.configuration:
        return
    *roots, rest = _folders(ls.session)
    items = [types.ConfigurationItem(root.as_uri(), SECTION) for root in roots]
    items.append(types.ConfigurationItem(section=SECTION))

    def answered(future: Future[Any]) -> None:
        values = logged(future)
        if isinstance(values, list | tuple) and len(values) == len(items):
            _take(ls, dict(zip((*roots, rest), values, strict=True)))

    ls.workspace_configuration(types.ConfigurationParams(items)).add_done_callback(answered)


def told(ls: Server, settings: object) -> None:
    """Takes the settings that an editor sends unasked, which apply to all folders."""
    section = settings.get(SECTION) if isinstance(settings, Mapping) else None
    *_, rest = _folders(ls.session)
    _take(ls, {rest: section})


def load(ls: Server) -> None:
    """Reads all settings again; if they have changed, checks all files again."""
    session = ls.session
    *roots, rest = _folders(session)
    # Settings without a folder apply to every folder that has none of its own.
    said = session.editor.get(rest)
    editor = {folder: session.editor.get(folder, said) for folder in (*roots, rest)}
    configured, problems = workspace_for(
        (*roots, rest),
        session.files,
        session.workspace.host_paths,
        editor=editor,
        folders=(),
        isolated=session.client.is_isolated,
    )
    _tell(ls, [problem for problem in problems if problem not in session.complaints])
    session.complaints = problems
    if configured.settings != session.workspace.settings:
        session.workspace = replace(session.workspace, settings=configured.settings)
        watch(ls)
        rescan(ls, everything=True)


def _tell(ls: Server, problems: list[str]) -> None:
    """Shows one message about `problems`, with a button that leads to the first one.

    What is wrong in an open settings file is reported there.
    """
    session = ls.session
    found = (settings_file(root, session.files) for root in session.workspace.roots)
    paths = {path for path in found if path is not None}
    opened = tuple(f"{path}:" for path in paths if session.files.is_open(path))
    told = [problem for problem in problems if not problem.startswith(opened)]
    if not told:
        return
    more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
    text, level = printable(f"{told[0]}{more}"), types.MessageType.Warning
    path = next((path for path in paths if told[0].startswith(f"{path}:")), None)
    setting = _OF_EDITOR.match(told[0])
    is_able = path is None or session.client.shows_documents
    if (path is None and setting is None) or not (session.client.is_beside_vscode and is_able):
        ls.window_show_message(types.ShowMessageParams(level, text))
        return

    # VS Code shows no Markdown in a message, and the button says where the file is.
    text = re.sub("`([^`]*)`", "“\\1”", text)
    text = text if path is None else text.replace(str(path), path.name)

    def answered(future: Future[Any]) -> None:
        if logged(future) is None:
            return
        if path is None:
            ls.protocol.notify(OPEN_SETTINGS, {"setting": setting[1] if setting else SECTION})
            return
        wrong = next(iter(mistakes(session, path)), None)
        place = wrong.range if wrong is not None else None
        shown = types.ShowDocumentParams(path.as_uri(), take_focus=True, selection=place)
        ls.window_show_document(shown).add_done_callback(logged)

    button = types.MessageActionItem("Open Settings" if path is None else "Open the Settings File")
    asked = types.ShowMessageRequestParams(level, text, [button])
    ls.window_show_message_request(asked).add_done_callback(answered)


def _folders(session: Session) -> tuple[Path, ...]:
    """The workspace folders, then the root of the file system for files outside of them."""
    top = Path(session.workspace.host_paths.templates.anchor)
    return (*(root for root in session.workspace.roots if root != top), top)


def _take(ls: Server, values: Mapping[Path, object]) -> None:
    ls.session.editor = values
    load(ls)
