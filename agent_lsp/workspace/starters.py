"""The text of a template that is begun from a starter.

Invariant: what is begun is called by its file's name, also where a runtime reads the name in it.
"""

from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax import toml_edit
from agent_lsp.syntax.yaml_quote import quote
from agent_lsp.text import TextEdit, apply


def begun(known: Dialect, text: str, scope: Scope | None, path: Path) -> str | None:
    """A starter's text for the file at `path`, or None if no agent can have that file's name."""
    if known.names_in is None:
        return _repeated(known, text, path)
    if scope is None:
        return text
    spans = {one.span for one in known.names_in(known.parse(text), scope, path)} - {None}
    edits = [TextEdit(span, quote(path.stem, flow=True)) for span in spans if span is not None]
    named = apply(text, edits)
    return named if known.names_in(known.parse(named), scope, path) else None


def _repeated(known: Dialect, text: str, path: Path) -> str:
    """The text with the name of its file where it repeats that name."""
    name, key = known.name_of(path.name), known.key_holding(Holds.AGENT)
    written = known.read(known.parse(text), path.stem).written.settings
    value = written.get(key.name) if key is not None else None
    if name is None or value is None:
        return text
    quoted = toml_edit.quote(name) if known.is_toml else quote(name, flow=True)
    return apply(text, [TextEdit(value.span, quoted)])
