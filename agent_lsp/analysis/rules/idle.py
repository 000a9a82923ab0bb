"""Whether a policy under another system's name would limit nothing under its own one, either."""

from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.renamed import Renamed
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.syntax.nodes import Entry, Node, Scalar, Sequence, resolve
from agent_lsp.workspace.index import TemplateFile

_EVERY = "*"


def harmless(file: TemplateFile, said: Renamed, entry: Entry) -> str | None:
    """Why nothing is lost with a renamed key, or None where something is."""
    if said.key is None:
        return None
    value = resolve(entry.value)
    key = file.dialect.key(said.key)
    if key is not None and key.role is KeyRole.DENY:
        return "it denies nothing" if _is_blank(value) else None
    if said.empty_meant_all and _is_blank(value):
        return f"it meant every tool once, and `{said.key}: []` means none"
    return f"{code(_EVERY)} is every tool, which the agent gets" if _is_every(value) else None


def _is_blank(value: Node | None) -> bool:
    if isinstance(value, Sequence):
        return not value.items
    return value is None or (isinstance(value, Scalar) and value.value.strip() in ("", "~", "null"))


def _is_every(value: Node | None) -> bool:
    items = value.items if isinstance(value, Sequence) else (value,)
    nodes = [resolve(item) for item in items]
    return any(isinstance(node, Scalar) and node.value.strip() == _EVERY for node in nodes)
