"""Agents of OpenCode: Markdown files (`opencode`), and tables of a JSON file (`opencode-config`).

The files are `.opencode/agents/**/*.md`, the tables are `agent` in `opencode.json` and
`opencode.jsonc`.

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: OpenCode 1.18.33, measured 2026-11-28. The program looks into each `.opencode` from the
folder in which it was started up to the repository's, into that of the home folder, and into the
folders of its configuration. Which of them wins is `catalog`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule, SkillPlaces, Walk
from agent_lsp.model.system import System

AGENTS, TABLES = "opencode", "opencode-config"
NAMES = ("agents", "agent")
# Folders of an older form, whose files are always primary agents.
MODES = ("modes", "mode")
COMMAND_FOLDERS = ("commands", "command")
# Skills are read also from the folders of other programs.
_OF_OTHERS = (".claude/skills", ".agents/skills")
CONFIGURED, HOME, USER = "OPENCODE_CONFIG_DIR", "home", "user"
ADMINISTRATOR, NAMED = "managed settings", "OPENCODE_CONFIG"
# Variables that have a configuration as their value: a whole one, and rules for all agents.
CONTENT, RULES = "OPENCODE_CONFIG_CONTENT", "OPENCODE_PERMISSION"
# The administrator's folder by the machine's system: the text of OpenCode 1.18.33.
MANAGED = "opencode-managed"
MANAGED_FOLDERS = {
    "linux": "/etc/opencode",
    "darwin": "/Library/Application Support/opencode",
    "win32": r"C:\ProgramData\opencode",
}
# The program looks at no file of a project while this is set.
_WITHOUT = "OPENCODE_DISABLE_PROJECT_CONFIG"
_CONFIG = ("opencode.jsonc", "opencode.json")
_XDG = ("$XDG_CONFIG_HOME/opencode", "~/.config/opencode")


def _below(folders: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}" for folder in folders)


def _rules(names: tuple[str, ...], *, deep: bool, form: str = AGENTS) -> tuple[ScopeRule, ...]:
    """The places of the files that lie in folders with one of `names`."""
    project = tuple(f".opencode/{name}" for name in names)
    of_user = (
        (label, folders)
        for name in names
        for label, folders in (
            (USER, _below(_XDG, name)),
            (HOME, (f"~/.opencode/{name}",)),
            (CONFIGURED, (f"$OPENCODE_CONFIG_DIR/{name}",)),
        )
    )
    return (
        ScopeRule(
            *("project", "project", project),
            walk=Walk.TO_GIT,
            deep=deep,
            form=form,
            unless=_WITHOUT,
        ),
        *(ScopeRule("user", label, folders, deep=deep, form=form) for label, folders in of_user),
    )


_SCOPES = (*_rules(NAMES, deep=True), *_rules(MODES, deep=False))
_OF_COMMANDS = _rules(COMMAND_FOLDERS, deep=True, form="")
_OF_SKILLS = (
    *_rules(("skill", "skills"), deep=True, form=""),
    ScopeRule("project", "project", _OF_OTHERS, walk=Walk.TO_GIT, deep=True),
    *(ScopeRule("user", USER, (f"~/{folder}",), deep=True) for folder in _OF_OTHERS),
)
_UP = Walk.TO_GIT
_OF_TABLES = (
    ScopeRule("project", "project", (".opencode",), walk=_UP, form=TABLES, unless=_WITHOUT),
    # A file in the folder of a session, and in those above it.
    *(
        ScopeRule(
            *("project", "project", (".",)), walk=_UP, marker=name, form=TABLES, unless=_WITHOUT
        )
        for name in _CONFIG
    ),
    ScopeRule("user", USER, _XDG, form=TABLES),
    # The older name, which only this folder may have.
    ScopeRule("user", USER, _below(_XDG, "config.json"), form=TABLES, may_be_file=True),
    ScopeRule("user", HOME, ("~/.opencode",), form=TABLES),
    ScopeRule("user", CONFIGURED, ("$OPENCODE_CONFIG_DIR/",), form=TABLES),
    ScopeRule("user", NAMED, ("$OPENCODE_CONFIG",), form=TABLES, may_be_file=True),
    ScopeRule("managed", ADMINISTRATOR, (f"${MANAGED}",), form=TABLES),
)

# Measured 2026-11-29, all of them.
_SKILL_FOLDERS = ("skills", "skill")
_SKILLS = SkillPlaces(
    "SKILL.md",
    (
        *(
            ScopeRule("project", "project", (folder,), walk=Walk.TO_GIT, unless=_WITHOUT)
            for folder in (
                *(f".opencode/{name}" for name in _SKILL_FOLDERS),
                *(".agents/skills", ".claude/skills"),
            )
        ),
        *(
            ScopeRule("user", "user", folders)
            for name in _SKILL_FOLDERS
            for folders in (
                *((f"$OPENCODE_CONFIG_DIR/{name}",), (f"~/.opencode/{name}",)),
                _below(_XDG, name),
            )
        ),
        *(ScopeRule("user", "user", (f"~/{name}/skills",)) for name in (".agents", ".claude")),
    ),
    is_deep=True,
    has_direct=True,
)

# The program looks into none of these; that they are the near misses is our judgement. `.opencode`
# itself has other files, so only keys of agents alone count there.
_MISPLACED = MisplacedRules(
    folders=(".opencode/subagents", ".opencode/sub-agents", "opencode/agents"),
    shared=(".opencode",),
    extensions=("markdown", "mdx", "mdc", "txt"),
    keys=frozenset({"permission", "temperature", "top_p", "steps"}),
)

# The project's file goes before the user's, and the one with comments before the other one:
# opencode.ai/v1/docs/config, read 2026-11-28.
_MCP = (("mcp",),)
_SERVERS = (
    *(Configuration((name,), _MCP, has_comments=True) for name in _CONFIG),
    *(Configuration((f".opencode/{name}",), _MCP, has_comments=True) for name in _CONFIG),
    *(Configuration(_below(_XDG, name), _MCP, has_comments=True) for name in _CONFIG),
)


def _load() -> Dialect:
    from agent_lsp.dialects.opencode.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


def _load_tables() -> Dialect:
    from agent_lsp.dialects.opencode.dialect import OF_TABLES  # noqa: PLC0415 - when a file is met

    return OF_TABLES


def _load_commands() -> Dialect:
    from agent_lsp.dialects.opencode.commands_and_skills import OF_COMMANDS  # noqa: PLC0415 - when one is met

    return OF_COMMANDS


def _load_skills() -> Dialect:
    from agent_lsp.dialects.opencode.commands_and_skills import OF_SKILLS  # noqa: PLC0415 - when one is met

    return OF_SKILLS


def _may_be_script(first_line: str) -> bool:
    """Whether a header may be JavaScript, which is all that matters of a skill."""
    return any(word in first_line.lower() for word in ("js", "javascript"))


COMMANDS = System(
    id="opencode-commands",
    title="OpenCode commands",
    runtime="OpenCode",
    load=_load_commands,
    scopes=_OF_COMMANDS,
)
SKILLS = System(
    id="opencode-skills",
    title="OpenCode skills",
    runtime="OpenCode",
    load=_load_skills,
    scopes=_OF_SKILLS,
    files=frozenset({"SKILL.md"}),
    may_begin=_may_be_script,
)
SYSTEM = System(
    id=AGENTS,
    title="OpenCode agents",
    runtime="OpenCode",
    repositories=907,
    family=AGENTS,
    load=_load,
    scopes=_SCOPES,
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
    beside=(COMMANDS, SKILLS),
    skills=_SKILLS,
)
TABLE_SYSTEM = System(
    id=TABLES,
    title="OpenCode agents in opencode.json",
    runtime="OpenCode",
    repositories=907,
    family=AGENTS,
    load=_load_tables,
    scopes=_OF_TABLES,
    extension=".json",
    files=frozenset(_CONFIG),
    mcp_servers=_SERVERS,
    skills=_SKILLS,
)
SYSTEMS = (SYSTEM, TABLE_SYSTEM)
