"""Answers requests about a settings file, and makes the diagnostics of one that is open.

The forms of the settings load pydantic, so that they are imported only for such a file.
"""

from pathlib import Path

from lsprotocol import types

from agent_lsp.analysis.completion import Completion
from agent_lsp.analysis.hover import Hover
from agent_lsp.server import convert
from agent_lsp.server.server import Server
from agent_lsp.server.session import Session
from agent_lsp.text import LineIndex


def completions(ls: Server, path: Path, offset: int) -> tuple[Completion, ...]:
    """The completion items at `offset` of the settings file at `path`."""
    from agent_lsp.settings import editing  # noqa: PLC0415 - slow to import

    file = ls.session.files.read(path)
    return editing.complete_settings(file.text, offset) if file is not None else ()


def hover(ls: Server, path: Path, offset: int) -> Hover | None:
    """The hover at `offset` of the settings file at `path`."""
    from agent_lsp.settings import editing  # noqa: PLC0415 - slow to import

    file = ls.session.files.read(path)
    return editing.hover_settings(file.text, offset) if file is not None else None


def diagnostics(session: Session, path: Path) -> tuple[types.Diagnostic, ...]:
    """The mistakes in the settings file at `path`, as the client is told of them."""
    from agent_lsp.settings import editing  # noqa: PLC0415 - slow to import

    file = session.files.read(path)
    text = file.text if file is not None else ""
    index, encoding = LineIndex(text), session.client.encoding
    return tuple(
        types.Diagnostic(
            convert.to_range(index, one.span, encoding),
            convert.printable(one.message),
            types.DiagnosticSeverity.Warning,
            source=convert.SOURCE,
        )
        for one in editing.mistakes(text)
    )
