"""The entries of a tool policy and the tools that they can speak of.

Invariant: an entry is judged only by what can be known; tools of MCP servers cannot.
"""

from agent_lsp.dialects.model import Holds
from agent_lsp.dialects.template import Value
from agent_lsp.workspace.index import Subject

LISTS = (Holds.ALLOW, Holds.DENY)


def entries(of: Subject, holds: Holds) -> tuple[Value, ...]:
    """The entries of one of the `LISTS` as the runtime compares them, each once."""
    key = of.dialect.key_holding(holds)
    value = of.reading.written.settings.get(key.name) if key else None
    return value.items if value else ()


def names(of: Subject) -> tuple[str, ...]:
    """The names of all tools that the runtime or the user's settings vouch for."""
    vouched = of.options.extra(of.dialect.id).tools
    extra = (name for name in vouched if not of.dialect.is_pattern(name))
    return (*(tool.name for tool in of.dialect.tools), *extra)


def is_known(of: Subject, entry: str) -> bool:
    """Whether `entry` covers a known tool, or is within a pattern that the user vouches for."""
    covers, vouched = of.dialect.matches, of.options.extra(of.dialect.id).tools
    return any(covers(entry, name) for name in names(of)) or any(
        covers(extra, entry) for extra in vouched
    )


def speaks_of_servers(of: Subject, entry: str) -> bool:
    """Whether `entry` means tools that only a running server could name."""
    return of.dialect.cannot_tell(entry) or entry.startswith("mcp")


def cannot_tell(of: Subject, entry: str) -> bool:
    """Whether `entry` may, among others, cover tools that only a running server could name."""
    is_open = of.dialect.is_pattern(entry) and of.dialect.is_pattern(entry[0])
    return is_open or "__" in entry or speaks_of_servers(of, entry)
