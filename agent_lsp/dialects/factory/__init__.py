"""Custom droids of Factory: `.factory/droids/*.md` (dialect `factory`), only to convert them.

Facts: docs.factory.ai/cli/configuration/custom-droids as of 2026-01-13, read 2026-11-28. The
program was neither run nor read. Only files directly in the folder count, and the project precedes
the user.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import ScopeRule
from agent_lsp.model.system import System

_SCOPES = (
    ScopeRule("project", "project", (".factory/droids",)),
    ScopeRule("user", "user", ("~/.factory/droids",)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.factory.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="factory",
    title="Factory custom droids",
    runtime="Factory",
    load=_load,
    scopes=_SCOPES,
)
