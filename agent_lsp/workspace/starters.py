"""The text of a template that is begun from a starter.

Invariant: what is begun is called by its file's name, also where a runtime reads the name in it.
"""

from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.syntax.yaml_quote import quote
from agent_lsp.text import TextEdit, apply


def begun(known: Dialect, text: str, scope: Scope | None, path: Path) -> str | None:
    """A starter's text for the file at `path`, or None if no agent can have that file's name."""
    if known.names_in is None or scope is None:
        return text
    spans = {one.span for one in known.names_in(known.parse(text), scope, path)} - {None}
    edits = [TextEdit(span, quote(path.stem, flow=True)) for span in spans if span is not None]
    named = apply(text, edits)
    return named if known.names_in(known.parse(named), scope, path) else None
