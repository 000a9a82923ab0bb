"""Tells the client that what it has drawn into files may be out of date.

Invariant: only what depends on other files or on settings; a file's own text the client knows.
"""

from agent_lsp.server.content import refresh
from agent_lsp.server.server import Server, logged


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
