"""Custom agents of the Codex CLI: their files (`codex-agents`) and `config.toml` (`codex-config`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
Facts: measured with `@openai/codex` 0.171.0 on 2026-11-28.
"""

import re

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import CommonFolder, Configuration, ScopeRule, SkillPlaces, Walk
from agent_lsp.model.system import System
from agent_lsp.patterns import regex

AGENTS, CONFIG = "codex-agents", "codex-config"
FILE, MANAGED_FILE = "config.toml", "managed_config.toml"
# The folder of the machine, where the first file is the lowest layer, and the second goes before
# all others; measured on Linux.
SYSTEM_FOLDER = "codex-system"
SYSTEM_FOLDERS = {"linux": "/etc/codex", "darwin": "/etc/codex"}
_FOLDER = ".codex"
# The user's own folder.
_HOME = ("$CODEX_HOME", "~/.codex")

# Its servers are those of the session, whatever the file of an agent says.
_SERVERS = (
    Configuration((f"{_FOLDER}/{FILE}",), (("mcp_servers",),)),
    Configuration(tuple(f"{home}/{FILE}" for home in _HOME), (("mcp_servers",),)),
)
# Measured with Codex CLI 0.171.0, 2026-11-29.
_SKILLS = SkillPlaces(
    "SKILL.md",
    (
        ScopeRule("project", "project", (f"{_FOLDER}/skills",), walk=Walk.TO_REPOSITORY),
        ScopeRule("project", "project", (".agents/skills",), walk=Walk.TO_REPOSITORY),
        ScopeRule("user", "user", tuple(f"{home}/skills" for home in _HOME)),
        ScopeRule("user", "user", ("~/.agents/skills",)),
    ),
    is_deep=True,
)
# A table or a key of the name `agents`, or what becomes one.
_ROLES = regex(r"""^[ \t]*\[*[ \t]*["']?agents\b""", re.MULTILINE)


def _load() -> Dialect:
    from agent_lsp.dialects.codex_agents.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


def _load_config() -> Dialect:
    from agent_lsp.dialects.codex_agents.dialect import (  # noqa: PLC0415 - when a file is met
        CONFIGURED,
    )

    return CONFIGURED


def _declares(text: str) -> bool:
    return _ROLES.search(text) is not None


SYSTEMS = (
    System(
        id=AGENTS,
        title="Codex custom agents",
        runtime="Codex CLI (openai/codex)",
        repositories=805,
        family=AGENTS,
        load=_load,
        scopes=(
            ScopeRule(
                "project",
                "project",
                (f"{_FOLDER}/agents",),
                walk=Walk.TO_REPOSITORY,
                deep=True,
                form=AGENTS,
            ),
            ScopeRule(
                "user", "user", tuple(f"{home}/agents" for home in _HOME), deep=True, form=AGENTS
            ),
            ScopeRule("managed", "system", (f"${SYSTEM_FOLDER}/agents",), deep=True, form=AGENTS),
        ),
        extension=".toml",
        mcp_servers=_SERVERS,
        skills=_SKILLS,
    ),
    System(
        id=CONFIG,
        title="Codex agents in config.toml",
        runtime="Codex CLI (openai/codex)",
        repositories=805,
        family=AGENTS,
        load=_load_config,
        scopes=(
            ScopeRule(
                "project",
                "project",
                (_FOLDER,),
                walk=Walk.TO_REPOSITORY,
                marker=f"{_FOLDER}/{FILE}",
                form=CONFIG,
            ),
            ScopeRule("user", "user", _HOME, marker=FILE, form=CONFIG),
            ScopeRule("managed", "system", (f"${SYSTEM_FOLDER}",), form=CONFIG),
        ),
        extension=".toml",
        files=frozenset({FILE, MANAGED_FILE}),
        common=CommonFolder(
            _declares, frozenset({"config"}), f"{_FOLDER}/agents", "`[agents]`", ".toml"
        ),
        mcp_servers=_SERVERS,
    ),
)
