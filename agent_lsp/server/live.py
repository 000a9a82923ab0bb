"""Tells a client that shows previews that one of them may be out of date.

Invariant: only a client that asked for it is told, by `previewChanged` among its
`initializationOptions`; what the preview is now, it asks with `agentTemplates.previewSpawn`.
"""

from pathlib import Path

from agent_lsp.server.content import refresh
from agent_lsp.server.server import Server
from agent_lsp.workspace.index import dialect_at

PREVIEW_CHANGED = "agentTemplates/previewChanged"


def preview_changed(ls: Server, path: Path) -> None:
    """What would be spawned from `path`, or in its place, may have changed."""
    session = ls.session
    refresh(ls)
    if not session.client.follows_previews or dialect_at(session.workspace, path) is None:
        return
    ls.protocol.notify(PREVIEW_CHANGED, {"uri": session.uris.get(path) or path.as_uri()})
