"""Sub-agents of a Codex fork: `.codex/agents/<name>.md` (dialect `codex-subagents`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, ScopeRule, SharedFolder
from agent_lsp.model.system import System

_SCOPES = (
    ScopeRule("project", "project", (".codex/agents",)),
    ScopeRule("user", "user", ("~/.codex/agents",)),
)

_SHARED = SharedFolder(
    keys=frozenset(
        {
            # Claude Code
            "color",
            "permissionMode",
            "disallowedTools",
            "mcpServers",
            "hooks",
            "skills",
            "memory",
            "maxTurns",
            # OpenCode
            "mode",
            "permission",
            "temperature",
            # Templates of another Codex fork
            "agent_names",
            "allow_list",
            "deny_list",
            "read_only",
            "reasoning_effort",
            # Official Codex, whose files are TOML
            "developer_instructions",
            "model_reasoning_effort",
            "sandbox_mode",
            "nickname_candidates",
        }
    ),
    values={
        "model": frozenset({"sonnet", "opus", "haiku", "inherit"}),
        "tools": frozenset(
            {
                "Agent",
                "Bash",
                "Edit",
                "Glob",
                "Grep",
                "LS",
                "MultiEdit",
                "NotebookEdit",
                "NotebookRead",
                "Read",
                "Skill",
                "Task",
                "TodoWrite",
                "WebFetch",
                "WebSearch",
                "Write",
            }
        ),
    },
    elsewhere_required=frozenset({"name"}),
    notes=frozenset({"readme", "changelog", "contributing", "license", "agents", "claude"}),
)

# Where MCP servers are configured: docs/config.md of swordfish444/codex at 0d4a7bef4c54; which
# names they may have, and that `enabled = false` turns one off: mcp_connection_manager.rs in
# codex-rs/core/src of openai/codex at 00302de71ca3. Both read 2026-11-28. This runtime's own source
# was not compared.
_SERVERS = (
    Configuration(("$CODEX_HOME/config.toml", "~/.codex/config.toml"), (("mcp_servers",),)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.codex_subagents.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="codex-subagents",
    title="Codex sub-agents",
    runtime="Codex (fork tomascupr/codex)",
    repositories=74,
    load=_load,
    scopes=_SCOPES,
    shared=_SHARED,
    mcp_servers=_SERVERS,
)
