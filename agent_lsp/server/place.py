"""The template that a request is about, and where in it."""

from dataclasses import dataclass

from lsprotocol import types

from agent_lsp.server import convert
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.text import Encoding, LineIndex
from agent_lsp.workspace.index import Subject, subject


@dataclass(frozen=True, slots=True)
class Opened:
    """A template with the index of its text, in the columns that the client counts."""

    of: Subject
    index: LineIndex
    encoding: Encoding

    def offset(self, position: types.Position) -> int:
        """The offset of `position`."""
        return convert.offset(self.index, position, self.encoding)


def opened(ls: Server, uri: str) -> Opened | None:
    """The template at `uri`, or None where there is none that can be read."""
    path = path_at(ls.session, uri)
    of = subject(ls.session.workspace, path) if path is not None else None
    if of is None or of.file.problem is not None:
        return None
    return Opened(of, LineIndex(of.document.text), ls.session.client.encoding)
