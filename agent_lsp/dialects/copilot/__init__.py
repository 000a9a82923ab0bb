"""Custom agents of GitHub Copilot: `.github/agents/*.agent.md` (dialect `copilot`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28. The CLI looks into the folder in
which it is started and into each one above it up to the root of the repository, and also into the
folders below `agents`; VS Code looks into the folder of the workspace alone. An agent of the user
precedes one of the project in both. `COPILOT_HOME` replaces `~/.copilot` for the CLI.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule, Walk
from agent_lsp.model.skills import SkillPlaces
from agent_lsp.model.system import System

FOLDER, CHAT_MODES = ".github/agents", ".github/chatmodes"
USER_FOLDER = ".copilot/agents"
# The settings of a workspace folder, and the one that names more folders for VS Code alone.
VSCODE_SETTINGS, LOCATIONS = ".vscode/settings.json", "chat.agentFilesLocations"
VSCODE = frozenset({"vscode"})
_CLAUDE = "folder of Claude Code"
_SCOPES = (
    ScopeRule("user", "user", ("$COPILOT_HOME/agents", f"~/{USER_FOLDER}"), deep=True),
    # The variable means nothing to VS Code.
    ScopeRule("user", "user", (f"~/{USER_FOLDER}",), deep=True, readers=VSCODE),
    ScopeRule(
        "user",
        f"{_CLAUDE}, user",
        ("~/.claude/agents",),
        # A folder below is no project's own: VS Code does not look into it, and the CLI neither.
        deep=True,
        is_borrowed=True,
        readers=VSCODE,
    ),
    ScopeRule("project", "project", (FOLDER,), walk=Walk.TO_REPOSITORY, deep=True),
    ScopeRule(
        "project",
        _CLAUDE,
        (".claude/agents",),
        walk=Walk.TO_REPOSITORY,
        deep=True,
        is_borrowed=True,
    ),
    ScopeRule("builtin", "built in", ("copilot/builtin",), builtin=True),
)

# Neither program looks into these; VS Code did into that of the chat modes.
_MISPLACED = MisplacedRules(
    folders=(
        CHAT_MODES,
        ".github/agent",
        ".github/chatmode",
        ".github/copilot/agents",
        ".copilot/agents",
        ".vscode/agents",
    ),
    shared=(".github",),
    extensions=("markdown", "mdx", "txt"),
    endings=(".agent.md", ".chatmode.md"),
    keys=frozenset({"handoffs", "argument-hint", "user-invocable", "disable-model-invocation"}),
)

# VS Code reads the first, and the CLI the others: code.visualstudio.com/docs and docs.github.com,
# read 2026-11-28.
_SERVERS = (
    Configuration((".vscode/mcp.json",), (("servers",),)),
    Configuration(
        ("$COPILOT_HOME/mcp-config.json", "~/.copilot/mcp-config.json"), (("mcpServers",),)
    ),
)


# Copilot CLI 1.0.102, run 2026-11-29.
_SKILLS = SkillPlaces(
    "SKILL.md",
    (
        ScopeRule("project", "project", (".github/skills",), walk=Walk.TO_REPOSITORY),
        ScopeRule("project", "project", (".agents/skills",), walk=Walk.TO_REPOSITORY),
        ScopeRule("project", "project", (".claude/skills",), walk=Walk.TO_REPOSITORY),
        ScopeRule("user", "user", ("$COPILOT_HOME/skills", "~/.copilot/skills")),
        ScopeRule("user", "user", ("~/.agents/skills",)),
    ),
    (ScopeRule("project", "project", (".claude/commands",), walk=Walk.TO_REPOSITORY),),
    is_deep=True,
    are_commands_deep=False,
)


def _load() -> Dialect:
    from agent_lsp.dialects.copilot.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="copilot",
    title="GitHub Copilot and VS Code custom agents",
    runtime="Copilot",
    programs=("copilot-vscode", "copilot-cli"),
    traces=(".github/agents", ".github/chatmodes", ".github/copilot-instructions.md"),
    load=_load,
    scopes=_SCOPES,
    new_ending=".agent.md",
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
    skills=_SKILLS,
)
