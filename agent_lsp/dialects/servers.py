"""How a dialect says where the MCP servers of its runtime are configured."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the runtime's MCP servers are configured, and what the tools of one are called.

    Each of `files` is a place with its alternatives as in a `ScopeRule`, of which the first that
    there can be counts, TOML or JSON by its extension; `keys` lead to the mapping of servers by
    name. `prefix` is what the name of each tool of a server begins
    with, or None where there is no such server for the runtime.
    """

    files: tuple[tuple[str, ...], ...]
    keys: tuple[str, ...]
    prefix: Callable[[str], str | None]
