"""Tells the client that what it has drawn or shows may be out of date.

Invariants: only what depends on other files or on settings; a file's own text the client knows.
Only a client that asked for it is told of previews and agents, by `previewChanged` or
`agentsChanged` among its `initializationOptions`; what is so now, it asks with the commands.
"""

from pathlib import Path

from agent_lsp.server.commands.content import refresh
from agent_lsp.server.server import Server, logged
from agent_lsp.workspace.snapshot import dialect_at


def redraw(ls: Server) -> None:
    """Has lenses, hints, colours and previews asked for again, as far as the client can do so."""
    refresh(ls)
    client = ls.session.client
    if client.redraws_lenses:
        ls.workspace_code_lens_refresh(None).add_done_callback(logged)
    if client.redraws_hints:
        ls.workspace_inlay_hint_refresh(None).add_done_callback(logged)
    if client.redraws_tokens:
        ls.workspace_semantic_tokens_refresh(None).add_done_callback(logged)


PREVIEW_CHANGED = "agentTemplates/previewChanged"
AGENTS_CHANGED = "agentTemplates/agentsChanged"


def preview_changed(ls: Server, path: Path) -> None:
    """What would be spawned from `path`, or in its place, may have changed."""
    session = ls.session
    refresh(ls)
    if not session.client.follows_previews or dialect_at(session.workspace, path) is None:
        return
    ls.protocol.notify(PREVIEW_CHANGED, {"uri": session.uris.get(path) or path.as_uri()})


def agents_changed(ls: Server) -> None:
    """Other agents may be there than before, or other findings in their files."""
    if ls.session.client.follows_agents:
        ls.protocol.notify(AGENTS_CHANGED, {})
