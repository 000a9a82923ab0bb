"""Loads the user's settings, from the editor and from settings files.

Invariant: an invalid value is reported once, and all other settings stay in force.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types

from agent_lsp.environment import workspace_for
from agent_lsp.server.convert import printable
from agent_lsp.server.server import Server, logged
from agent_lsp.server.session import Session
from agent_lsp.server.sync.scan import rescan
from agent_lsp.server.sync.watch import watch

SECTION = "agentTemplates"


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
    for problem in problems:
        if problem not in session.complaints:
            shown = types.ShowMessageParams(types.MessageType.Warning, printable(problem))
            ls.window_show_message(shown)
    session.complaints = problems
    if configured.settings != session.workspace.settings:
        session.workspace = replace(session.workspace, settings=configured.settings)
        watch(ls)
        rescan(ls, everything=True)


def _folders(session: Session) -> tuple[Path, ...]:
    """The workspace folders, then the root of the file system for files outside of them."""
    top = Path(session.workspace.host_paths.templates.anchor)
    return (*(root for root in session.workspace.roots if root != top), top)


def _take(ls: Server, values: Mapping[Path, object]) -> None:
    ls.session.editor = values
    load(ls)
