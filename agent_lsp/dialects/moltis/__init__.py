"""Presets of Moltis: tables of `moltis.toml` (`moltis`), Markdown files (`moltis-agents`).

Where its files are is all that is loaded before one of them is met; the rest is in `dialect`.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, ScopeRule, SkillPlaces
from agent_lsp.model.system import System

PRESETS, DEFINITIONS = "moltis", "moltis-agents"
FILE = "moltis.toml"
# The runtime reads them as well, in this order after `moltis.toml`; they are not looked into.
_OTHER_FORMS = ("moltis.yaml", "moltis.yml", "moltis.json")
_USER_FOLDER = ".config/moltis"

# Where MCP servers are configured, and that `enabled = false` turns one off: docs/src/mcp.md and
# crates/mcp/src/registry.rs of moltis-org/moltis at 01c823572f9d, which keeps those of its own
# pages in a file with `servers` or, older, with nothing but servers. Read 2026-11-28.
_FORMS = (FILE, *_OTHER_FORMS)
_SERVERS = (
    Configuration(
        (*_FORMS, *(f"~/{_USER_FOLDER}/{form}" for form in _FORMS)),
        (("mcp", "servers"),),
        is_first_there=True,
    ),
    Configuration(
        ("$MOLTIS_DATA_DIR/mcp-servers.json", "~/.moltis/mcp-servers.json"), (("servers",), ())
    ),
)


# `crates/skills/src/discover.rs`, read 2026-11-29. All are below the folder of data.
_DATA = ("$MOLTIS_DATA_DIR", "~/.moltis")
_SKILLS = SkillPlaces(
    "SKILL.md",
    tuple(
        ScopeRule("user", "user", tuple(f"{data}/{folder}" for data in _DATA))
        for folder in (".moltis/skills", "skills")
    ),
)


def _load() -> Dialect:
    from agent_lsp.dialects.moltis.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


def _load_definitions() -> Dialect:
    from agent_lsp.dialects.moltis.dialect import MARKDOWN  # noqa: PLC0415 - when a file is met

    return MARKDOWN


SYSTEMS = (
    System(
        id=PRESETS,
        title="Moltis presets",
        runtime="Moltis (moltis-org/moltis)",
        family="moltis",
        load=_load,
        scopes=(
            ScopeRule("project", "project", (".",), marker=FILE, form=PRESETS),
            ScopeRule("user", "user", (f"~/{_USER_FOLDER}",), marker=FILE, form=PRESETS),
        ),
        files=frozenset({FILE}),
        first_only=True,
        passed_over=_OTHER_FORMS,
        mcp_servers=_SERVERS,
        skills=_SKILLS,
    ),
    System(
        id=DEFINITIONS,
        title="Moltis agent definitions",
        runtime="Moltis (moltis-org/moltis), since March 2026",
        family="moltis",
        load=_load_definitions,
        scopes=(
            ScopeRule("project", "project", (".moltis/agents",), form=DEFINITIONS),
            ScopeRule("user", "user", ("~/.moltis/agents",), form=DEFINITIONS),
        ),
        mcp_servers=_SERVERS,
        skills=_SKILLS,
    ),
)
