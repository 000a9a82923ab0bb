"""Custom agents of the Codex CLI: `.codex/agents/**/*.toml` (dialect `codex-agents`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
Facts: measured with `@openai/codex` 0.171.0 on 2026-11-28.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, ScopeRule, Walk
from agent_lsp.model.system import System

_SCOPES = (
    ScopeRule("project", "project", (".codex/agents",), walk=Walk.TO_REPOSITORY, deep=True),
    ScopeRule("user", "user", ("$CODEX_HOME/agents", "~/.codex/agents"), deep=True),
)

# Its servers are those of the session, whatever the file of an agent says.
_SERVERS = (
    Configuration((".codex/config.toml",), (("mcp_servers",),)),
    Configuration(("$CODEX_HOME/config.toml", "~/.codex/config.toml"), (("mcp_servers",),)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.codex_agents.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="codex-agents",
    title="Codex custom agents",
    runtime="Codex CLI (openai/codex)",
    load=_load,
    scopes=_SCOPES,
    extension=".toml",
    mcp_servers=_SERVERS,
)
