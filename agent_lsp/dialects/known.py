"""The list of dialects; adding one means adding one line here."""

from agent_lsp.dialects import codex_subagents, codex_templates, kodacode
from agent_lsp.dialects.model import Dialect

DIALECTS: tuple[Dialect, ...] = (
    codex_templates.DIALECT,
    codex_subagents.DIALECT,
    kodacode.DIALECT,
)


def dialect(name: str) -> Dialect | None:
    """The dialect whose id is `name`, or None."""
    return next((known for known in DIALECTS if known.id == name), None)
