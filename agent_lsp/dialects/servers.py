"""How a dialect says where the MCP servers of its runtime are configured."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Configuration:
    """One place in which servers are configured.

    `files` are alternatives as in a `ScopeRule`: TOML, YAML or JSON by the extension. The first
    that there can be counts, or with `is_first_there` the first that exists. Each of `keys` leads
    to the servers, by name or as a list with names, and the first that leads anywhere counts; `.`
    among them is the session's folder. Where there is a `marker` below that folder, it is
    `qualified` that says what the runtime calls a server there, by the text of the marker, the name
    of the folder and that of the server.
    """

    files: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    is_first_there: bool = False
    marker: str = ""
    qualified: Callable[[str, str, str], str] | None = None


@dataclass(frozen=True, slots=True)
class McpServerConfig:
    """Where the runtime's MCP servers are configured, and what the tools of one are called.

    Of two servers of one name the one in the earlier configuration counts. `prefix` is what the
    name of each tool of a server begins with, or None where there is no such server for the
    runtime.
    """

    configurations: tuple[Configuration, ...]
    prefix: Callable[[str], str | None]
