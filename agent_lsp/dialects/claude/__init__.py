"""Sub-agents of Claude Code: `.claude/agents/**/*.md` (dialect `claude`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28; other sources are beside
the facts.
"""

from collections.abc import Mapping

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import (
    HERE,
    Bundle,
    Configuration,
    Disabled,
    Installed,
    Manifests,
    MisplacedRules,
    ScopeRule,
    SkillPlaces,
    Switches,
    Walk,
)
from agent_lsp.model.system import System

MARKER = ".claude-plugin/plugin.json"


def _bundle(own: str | None, indexes: tuple[tuple[str, str], ...], name: str) -> Bundle | None:
    from agent_lsp.dialects.claude.plugins import bundle  # noqa: PLC0415 - when there is one

    return bundle(own, indexes, name)


def _enabled(texts: tuple[str | None, ...], root: str) -> tuple[tuple[str, str], ...]:
    from agent_lsp.dialects.claude.plugins import enabled  # noqa: PLC0415 - when there are any

    return enabled(texts, root)


def _are_missing(texts: tuple[str | None, ...]) -> bool:
    from agent_lsp.dialects.claude.plugins import are_missing  # noqa: PLC0415 - when there are any

    return are_missing(texts)


# The files that say which plugins a session has: see `plugins`.
_INSTALLED = Installed(
    (
        (
            "$CLAUDE_CONFIG_DIR/plugins/installed_plugins.json",
            "~/.claude/plugins/installed_plugins.json",
        ),
        ("$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"),
        (".claude/settings.json",),
        (".claude/settings.local.json",),
    ),
    _enabled,
    _are_missing,
)
# The administrator's folder of managed settings, by the machine's system: code.claude.com/docs,
# managed-settings and settings, read 2026-11-28.
MANAGED = "managed-settings"
MANAGED_FOLDERS = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "linux": "/etc/claude-code",
    "win32": "C:\\Program Files\\ClaudeCode",
}
_MANIFESTS = Manifests(MARKER, ".claude-plugin/marketplace.json", _bundle)
_PLUGINS = ScopeRule(
    "project",
    "plugin",
    ("agents",),
    deep=True,
    manifests=_MANIFESTS,
    installed=_INSTALLED,
    is_header_optional=True,
)
_SCOPES = (
    ScopeRule("managed", "managed settings", (f"${MANAGED}/.claude/agents",), deep=True),
    ScopeRule("project", "project", (".claude/agents",), walk=Walk.TO_CHECKOUT, deep=True),
    ScopeRule("user", "user", ("$CLAUDE_CONFIG_DIR/agents", "~/.claude/agents"), deep=True),
    _PLUGINS,
    ScopeRule("builtin", "built into the runtime", ("claude/builtin",), builtin=True),
)


# Folders in which people put agents and the runtime does not look: measured with Claude Code
# 2.1.332, 2026-11-28. `.claude` itself has other files, so only keys of agents alone count there.
_MISPLACED = MisplacedRules(
    folders=(
        ".claude/agent",
        ".claude/Agents",
        ".claude/AGENTS",
        ".Claude/agents",
        ".Claude/Agents",
        ".claude/subagents",
        ".claude/sub-agents",
        "claude/agents",
    ),
    shared=(".claude",),
    extensions=("markdown", "mdx", "txt"),
    keys=frozenset({"permissionMode", "disallowedTools", "maxTurns", "initialPrompt"}),
    in_bundles=("Agents", "AGENTS", "agent", ".claude-plugin/agents"),
)


# The folders of skills and commands, which count as skills: measured with Claude Code 2.1.332,
# 2026-11-29. Those of the user have precedence over those of the project, and skills over commands.
def _places_of(name: str) -> tuple[ScopeRule, ...]:
    return (
        ScopeRule("managed", "managed settings", (f"${MANAGED}/.claude/{name}",)),
        ScopeRule("user", "user", (f"$CLAUDE_CONFIG_DIR/{name}", f"~/.claude/{name}")),
        ScopeRule("project", "project", (f".claude/{name}",), walk=Walk.TO_CHECKOUT),
        ScopeRule("project", "plugin", (name,), manifests=_MANIFESTS, installed=_INSTALLED),
    )


_SKILLS = SkillPlaces("SKILL.md", _places_of("skills"), _places_of("commands"))


def _of_plugin(prefix: str, server: str) -> str:
    """The name of a plugin's server in the names of its tools."""
    return f"plugin_{prefix.removesuffix(':')}_{server}"


# The configurations of MCP servers: code.claude.com/docs/en/mcp and plugins-reference, read
# 2026-11-28. A person's own servers of one project have precedence over those that the project
# shares, and these over a person's own of all projects. `enabled: false` has no effect, and the
# `.mcp.json` of a plugin may have only servers: measured with Claude Code 2.1.332, 2026-11-29.
_OWN = ("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json")
_SHARED, _SERVERS = ".mcp.json", "mcpServers"
# What a person switches off with /mcp has no tools for agents either; the lists of the settings are
# only about servers that the project shares: measured with the same version, 2026-11-30. Those that
# nobody has approved are asked about at a terminal, and there without one: so whether they are
# approved (`enabledMcpjsonServers`, `enableAllProjectMcpServers`) decides nothing that lasts.
_SETTINGS = (
    (f"${MANAGED}/managed-settings.json",),
    ("$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"),
    (".claude/settings.json",),
    (".claude/settings.local.json",),
)
_OFF = (Disabled(_OWN, ("projects", HERE, "disabledMcpServers")),)
_SHARED_OFF = (
    *_OFF,
    Disabled(_OWN, ("projects", HERE, "disabledMcpjsonServers")),
    *(Disabled(files, ("disabledMcpjsonServers",)) for files in _SETTINGS),
)


def _is_allowed(texts: tuple[str | None, ...], name: str, server: Mapping[object, object]) -> bool:
    from agent_lsp.dialects.claude.mcp_policy import is_allowed  # noqa: PLC0415 - for a server

    return is_allowed(texts, name, server)


def _is_of_plugin_allowed(
    texts: tuple[str | None, ...], name: str, server: Mapping[object, object]
) -> bool:
    from agent_lsp.dialects.claude.mcp_policy import is_allowed  # noqa: PLC0415 - as above

    return is_allowed(texts, f"plugin:{name}", server)


_POLICY = Switches(_SETTINGS, _is_allowed)
_MANAGED_SERVERS = f"${MANAGED}/managed-mcp.json"
_MCP_SERVERS = (
    # With this file, a session has no other servers, and only managed settings switch one off.
    Configuration(
        (_MANAGED_SERVERS,),
        ((_SERVERS,),),
        has_switch=False,
        disabled=_OFF,
        switches=Switches((*_SETTINGS[:1], (_MANAGED_SERVERS,)), _is_allowed),
        is_sole=True,
    ),
    Configuration(
        _OWN, (("projects", HERE, _SERVERS),), has_switch=False, disabled=_OFF, switches=_POLICY
    ),
    Configuration(
        (_SHARED,), ((_SERVERS,),), has_switch=False, disabled=_SHARED_OFF, switches=_POLICY
    ),
    Configuration(_OWN, ((_SERVERS,),), has_switch=False, disabled=_OFF, switches=_POLICY),
    Configuration(
        (_SHARED,),
        ((_SERVERS,), ()),
        has_switch=False,
        switches=Switches(_SETTINGS, _is_of_plugin_allowed),
        bundles=_PLUGINS,
        qualified=_of_plugin,
    ),
)


def _load() -> Dialect:
    from agent_lsp.dialects.claude.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="claude",
    title="Claude Code sub-agents",
    runtime="Claude Code",
    repositories=11514,
    load=_load,
    scopes=_SCOPES,
    misplaced=_MISPLACED,
    mcp_servers=_MCP_SERVERS,
    skills=_SKILLS,
)
