"""Role templates of vuhlp: `docs/templates/<role>.md`, with a `[template]` block on top.

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import CommonFolder, ScopeRule
from agent_lsp.model.system import System

ORCHESTRATOR = "orchestrator"
ROLES = (ORCHESTRATOR, "planner", "implementer", "reviewer", "investigator")

_SCOPES = (
    ScopeRule("project", "repository", ("docs/templates",)),
    ScopeRule("system", "shipped with vuhlp", ("vuhlp/builtin",), builtin=True),
)
# Any project may have a package that is called so, but not with templates in this place.
_SHIPPED = "packages/daemon/docs/templates"


def _load() -> Dialect:
    from agent_lsp.dialects.vuhlp.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


def _says(text: str) -> bool:
    from agent_lsp.dialects.vuhlp.preamble import has_block  # noqa: PLC0415 - as `_load`

    return has_block(text)


SYSTEM = System(
    id="vuhlp",
    title="vuhlp role templates",
    runtime="vuhlp (Volpestyle/vuhlp-code)",
    load=_load,
    scopes=_SCOPES,
    common=CommonFolder(_says, frozenset(ROLES), _SHIPPED, "a `[template]` block"),
)
