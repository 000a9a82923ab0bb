"""Writes locations as the panels of an editor take them: a URI, a range and words.

Invariant: each file is read once for an answer, however many places in it are named.
"""

from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.render.markup import shown
from agent_lsp.server import convert
from agent_lsp.server.server import Server
from agent_lsp.server.session import uri_of
from agent_lsp.text import LineIndex, Span

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Locations:
    """The files that have been named in one answer."""

    ls: Server
    indices: dict[Path, LineIndex] = field(default_factory=dict)

    def place(self, path: Path | None, span: Span | None = None) -> Json | None:
        """The place as `uri`, `range` and `label`; None where nobody could go there."""
        if path is None or not path.is_absolute():
            return None
        session, at, line = self.ls.session, None, ""
        if span is not None:
            at = convert.to_range(self._index(path), span, session.client.encoding)
            line = f":{at.start.line + 1}"
        label = convert.printable(shown(session.workspace, path)) + line
        return {"uri": uri_of(session, path), "range": _json(at), "label": label}

    def _index(self, path: Path) -> LineIndex:
        if path not in self.indices:
            self.indices[path] = self.ls.session.files.lines(path)
        return self.indices[path]


def _json(at: types.Range | None) -> object:
    if at is None:
        return None
    ends = {"start": at.start, "end": at.end}
    return {name: {"line": to.line, "character": to.character} for name, to in ends.items()}
