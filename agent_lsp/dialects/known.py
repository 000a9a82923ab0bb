"""The list of dialects; adding one means adding one line here."""

from agent_lsp.dialects import (
    claude,
    codex_subagents,
    codex_templates,
    kodacode,
    moltis,
    vuhlp,
)
from agent_lsp.dialects.model import Dialect

DIALECTS: tuple[Dialect, ...] = (
    codex_templates.DIALECT,
    codex_subagents.DIALECT,
    kodacode.DIALECT,
    moltis.DIALECT,
    moltis.MARKDOWN,
    claude.DIALECT,
    vuhlp.DIALECT,
)


def may_be_template(file_name: str) -> bool:
    """Whether some dialect has files with such a name."""
    return any(known.has(file_name) for known in DIALECTS)


def dialect(name: str) -> Dialect | None:
    """The dialect whose id is `name`, or None."""
    return next((known for known in DIALECTS if known.id == name), None)
