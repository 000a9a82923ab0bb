"""Custom agents of GitHub Copilot: `.github/agents/*.agent.md` (dialect `copilot`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28. The CLI looks into the folder in
which it is started and into each one above it up to the root of the repository, and also into the
folders below `agents`; VS Code looks into the folder of the workspace alone. An agent of the user
precedes one of the project in both. `COPILOT_HOME` replaces `~/.copilot` for the CLI. VS Code also
looks into the folder `prompts` of its user's data, and into folders that its settings name. It
looks into no folder below one with agents. It takes `*.agent.md` and `*.chatmode.md`, and in
folders with one of three names every other `*.md`, except files that mean something else
(`getPromptFileType` in promptSyntax/config/promptFileLocations). The CLI takes every `*.md` without
a leading dot.
"""

from pathlib import Path

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule, SkillPlaces, Walk
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System

VSCODE, CLI, NOBODY = frozenset({"vscode"}), frozenset({"cli"}), frozenset[str]()
AGENT, CHAT_MODE, PLAIN = ".agent.md", ".chatmode.md", ".md"
# The only file of a folder with agents that is none to VS Code, and explains the folder.
README = "README.md"
# Names of files that mean something else to VS Code; that of a skill counts in any case.
_OTHERS, _SKILL = (".prompt.md", ".instructions.md"), "skill.md"
_NAMES = ("copilot-instructions.md", README)
_FOLDERS = ("/.github/agents", "/.claude/agents", "/.copilot/agents")
FOLDER, CHAT_MODES = ".github/agents", ".github/chatmodes"
USER_FOLDER = ".copilot/agents"
# The settings of a workspace folder and of the user, and the one that names the folders in which
# VS Code looks.
VSCODE_SETTINGS, USER_SETTINGS = ".vscode/settings.json", "settings.json"
LOCATIONS = "chat.agentFilesLocations"
# The folders in which VS Code looks unless that setting says `false`.
USUAL = (FOLDER, ".claude/agents", f"~/{USER_FOLDER}", "~/.claude/agents")
# Stand for the folder of the user's data of VS Code, and for those of a profile with `prompts` and
# with `settings.json`; without others the folder of the data is all three.
VSCODE_USER = "VSCODE_USER"
VSCODE_PROMPTS, VSCODE_PROFILE = "VSCODE_PROMPTS", "VSCODE_PROFILE"
# Where that folder is, by the name of the platform: below a variable, or else below the home. See
# code.visualstudio.com/docs/configure/settings, read 2026-11-29.
VSCODE_DATA = {
    "darwin": ("", "Library/Application Support"),
    "win32": ("APPDATA", "AppData/Roaming"),
    "": ("XDG_CONFIG_HOME", ".config"),
}
VSCODE_NAMES = ("Code", "Code - Insiders")
_CLAUDE = "folder of Claude Code"
_SCOPES = (
    ScopeRule("user", "user", (f"~/{USER_FOLDER}",), deep=True, replaced_by="COPILOT_HOME"),
    ScopeRule("user", "user", ("$COPILOT_HOME/agents",), deep=True, readers=CLI),
    # The variable is not known to VS Code.
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
    ScopeRule("user", "profile of VS Code", (f"${VSCODE_PROMPTS}/prompts",), readers=VSCODE),
    ScopeRule("project", "project", (FOLDER,), walk=Walk.TO_REPOSITORY, deep=True),
    ScopeRule(
        "project",
        _CLAUDE,
        (".claude/agents",),
        walk=Walk.TO_REPOSITORY,
        deep=True,
        is_borrowed=True,
    ),
    ScopeRule("builtin", "built in", ("copilot/builtin",), builtin=True, readers=VSCODE),
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


def readers_at(scope: Scope, path: Path) -> frozenset[str]:
    """The ids of the programs that take the file at `path`, which is in `scope`, for an agent."""
    looking = scope.readers or VSCODE | CLI
    if not path.name.endswith(PLAIN):
        # Another case of the extension is reported for all.
        return looking
    # A folder that the user's settings of this product add is one for what is in it.
    is_open = scope.kind == "extra" and not scope.readers
    is_vs = path.parent == scope.folder and is_agent_of_vs(path, is_open=is_open)
    is_cli = not path.name.startswith(".")
    return looking & ((VSCODE if is_vs else NOBODY) | (CLI if is_cli else NOBODY))


def id_at(scope: Scope, path: Path) -> str:
    """What the CLI calls the agent of a file: its name, with those of folders below `agents`."""
    parts = path.relative_to(scope.folder).parts
    return "--".join((*parts[:-1], stem(parts[-1])))


def stem(file_name: str) -> str:
    """The name of a file without what the CLI takes away."""
    return file_name.removesuffix(AGENT if file_name.endswith(AGENT) else PLAIN)


def is_agent_of_vs(path: Path, *, is_open: bool = False) -> bool:
    """Whether VS Code takes a file for an agent in a folder in which it looks for agents.

    In a folder that `is_open`, no ending is needed but `.md`.
    """
    name = path.name
    if name.endswith(_OTHERS) or name.lower() == _SKILL or name in _NAMES:
        return False
    is_plain = is_open or path.parent.as_posix().endswith(_FOLDERS)
    return name.endswith((AGENT, CHAT_MODE)) or (is_plain and name.endswith(PLAIN))


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
    repositories=1017,
    programs=("copilot-vscode", "copilot-cli"),
    traces=(
        *(".github/agents", ".github/chatmodes", ".github/copilot-instructions.md"),
        *(".github/instructions", ".github/prompts"),
    ),
    load=_load,
    scopes=_SCOPES,
    new_ending=".agent.md",
    readers_at=readers_at,
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
    skills=_SKILLS,
)
