"""Agent templates of a Codex fork: `.codex/.agents/<agent_type>.md` (dialect `codex-templates`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule, Walk
from agent_lsp.model.system import System

_SCOPES = (
    ScopeRule("project", "project", (".codex/.agents",), walk=Walk.TO_GIT),
    ScopeRule("user", "user", ("$CODEX_HOME/.agents", "~/.codex/.agents")),
    ScopeRule("builtin", "built into the runtime", ("codex-templates/builtin",), builtin=True),
)

# No runtime of this system looks into these; that they are the near misses is our judgement.
_MISPLACED = MisplacedRules(
    folders=(".codex/agent", ".codex/.agent"),
    shared=(".codex", ".codex/agents", ".agents"),
    extensions=("markdown", "mdx", "txt"),
    keys=frozenset({"agent_names", "allow_list", "deny_list"}),
)

# Where MCP servers are configured: docs/config.md of swordfish444/codex at 0d4a7bef4c54; which
# names they may have, and that `enabled = false` turns one off: mcp_connection_manager.rs in
# codex-rs/core/src of openai/codex at 00302de71ca3. Both read 2026-11-28. This runtime's own source
# was not compared.
_SERVERS = (
    Configuration(("$CODEX_HOME/config.toml", "~/.codex/config.toml"), (("mcp_servers",),)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.codex_templates.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="codex-templates",
    title="Codex agent templates",
    runtime="Codex (fork NeoGrAIph/codex)",
    load=_load,
    scopes=_SCOPES,
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
)
