"""Says in the log what the settings of a repository keep quiet.

Invariant: the same is said once, until it is something else.
"""

from collections.abc import Iterator

from lsprotocol import types

from agent_lsp.analysis.diagnostics import examined
from agent_lsp.analysis.silenced import below, silenced, words
from agent_lsp.server.convert import printable
from agent_lsp.server.server import Server
from agent_lsp.workspace.search import templates


def tell_hidden(ls: Server) -> Iterator[None]:
    """Looks at all templates where a repository switches something off, and says what it hides."""
    session = ls.session
    workspace, seen = session.workspace, []
    if any(options.silence for options in workspace.settings.values()):
        for path in templates(workspace):
            seen.append((path, examined(workspace, path)))
            yield
    said = tuple(words(one, below(one.file.parent)) for one in silenced(workspace, seen))
    for text in said:
        if text not in session.hidden:
            message = types.LogMessageParams(types.MessageType.Warning, printable(text))
            ls.window_log_message(message)
    session.hidden = said
