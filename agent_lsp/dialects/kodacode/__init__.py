"""KodaCode's agents: `.kodacode/agents/<id>.md` (dialect `kodacode`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, ScopeRule
from agent_lsp.model.system import System

_SCOPES = (
    ScopeRule("project", "project", (".kodacode/agents",)),
    ScopeRule("user", "global", ("$XDG_CONFIG_HOME/kodacode/agents", "~/.config/kodacode/agents")),
    ScopeRule("builtin", "built into the runtime", ("kodacode/builtin",), builtin=True),
)

# Where MCP servers are configured, and that `enabled: false` turns one off: config_store.go and
# config_store_io.go of internal/app, and internal/configdir, at aa5479acbe0f. Read 2026-11-28.
_SERVERS = (
    Configuration(
        ("$XDG_CONFIG_HOME/kodacode/config.yaml", "~/.config/kodacode/config.yaml"),
        (("mcp", "servers"),),
    ),
)


def _load() -> Dialect:
    from agent_lsp.dialects.kodacode.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="kodacode",
    title="KodaCode agents",
    runtime="KodaCode (sageil/kodacode)",
    load=_load,
    scopes=_SCOPES,
    mcp_servers=_SERVERS,
)
