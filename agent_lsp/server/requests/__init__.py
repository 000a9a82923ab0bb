"""Answers the requests of an editor; here is the file of a request, for the modules below."""

from lsprotocol import types

from agent_lsp.data_classes import dataclass
from agent_lsp.server import convert
from agent_lsp.server.server import Server
from agent_lsp.server.session import path_at
from agent_lsp.text import Encoding, LineIndex
from agent_lsp.workspace.snapshot import TemplateFile, template_file


@dataclass(frozen=True, slots=True)
class FilePosition:
    """A template with the line index of its text, and the encoding of the client's columns."""

    file: TemplateFile
    index: LineIndex
    encoding: Encoding

    def offset(self, position: types.Position) -> int:
        """The offset of `position`."""
        return convert.offset(self.index, position, self.encoding)


def file_position(ls: Server, uri: str) -> FilePosition | None:
    """The template at `uri`, or None if there is none or it cannot be read."""
    path = path_at(ls.session, uri)
    file = template_file(ls.session.workspace, path) if path is not None else None
    if file is None or file.source.problem is not None:
        return None
    return FilePosition(file, LineIndex(file.document.text), ls.session.client.encoding)
