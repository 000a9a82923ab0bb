"""Tells a client that shows previews, or who is there, that what it shows may be out of date.

Invariant: only a client that asked for it is told, by `previewChanged` or `agentsChanged` among
its `initializationOptions`; what is so now, it asks with the commands.
"""

from pathlib import Path

from agent_lsp.server.content import refresh
from agent_lsp.server.server import Server
from agent_lsp.workspace.index import dialect_at

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
