"""The list of dialects; adding one means adding one line here."""

from agent_lsp.dialects import (
    claude,
    codex_subagents,
    codex_templates,
    kodacode,
    moltis,
    vuhlp,
)
from agent_lsp.model.dialect import Dialect

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
    return any(dialect.has(file_name) for dialect in DIALECTS)


def dialect_by_id(name: str) -> Dialect | None:
    """The dialect whose id is `name`, or None."""
    return next((dialect for dialect in DIALECTS if dialect.id == name), None)
