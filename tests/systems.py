"""The systems of the product with all that is known of each, for tests that go through them."""

from agent_lsp.analysis.checks import codes
from agent_lsp.dialects import BY_USE, SYSTEMS
from agent_lsp.model.dialect import Dialect

DIALECTS: tuple[Dialect, ...] = tuple(system.dialect for system in BY_USE)
# Of all checks, in the order in which the pages list them.
CODES = codes(SYSTEMS)


def dialect_by_id(name: str) -> Dialect | None:
    """The dialect whose id is `name`, or None."""
    return next((dialect for dialect in DIALECTS if dialect.id == name), None)


def dialect_of(name: str) -> Dialect:
    """The dialect whose id is `name`; there is one."""
    return next(dialect for dialect in DIALECTS if dialect.id == name)
