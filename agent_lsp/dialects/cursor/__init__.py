"""Sub-agents of Cursor: `.cursor/agents/*.md` (dialect `cursor`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: cursor.com/docs/subagents and cursor.com/docs/reference/plugins, read 2026-11-28. Nothing was
measured, because the terms of the program do not allow that. The root of a project is the opened
folder alone: forum.cursor.com 149403, an answer of the vendor, read 2026-11-28. The documents say
that `.cursor` precedes `.claude` and `.codex`, and that a project precedes a user.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Bundle, Manifests, MisplacedRules, ScopeRule
from agent_lsp.model.system import System

MANIFEST = ".cursor-plugin/plugin.json"
CLAUDE, CODEX, PLUGIN = "folder of Claude Code", "folder of Codex", "plugin"


def _bundle(own: str | None, indexes: tuple[tuple[str, str], ...], name: str) -> Bundle | None:
    from agent_lsp.dialects.cursor.plugins import bundle  # noqa: PLC0415 - when there is one

    return bundle(own, indexes, name)


_MANIFESTS = Manifests(MANIFEST, ".cursor-plugin/marketplace.json", _bundle)
_SCOPES = (
    ScopeRule("project", "project", (".cursor/agents",)),
    ScopeRule("project", CLAUDE, (".claude/agents",), is_borrowed=True),
    ScopeRule("project", CODEX, (".codex/agents",), is_borrowed=True),
    ScopeRule("user", "user", ("~/.cursor/agents",)),
    ScopeRule("user", f"{CLAUDE}, user", ("~/.claude/agents",), is_borrowed=True),
    ScopeRule("user", f"{CODEX}, user", ("~/.codex/agents",), is_borrowed=True),
    ScopeRule("user", PLUGIN, ("~/.cursor/plugins/local/*/agents",), marker=MANIFEST),
    # A plugin in its own repository: it counts where somebody has installed it.
    ScopeRule("project", PLUGIN, ("agents",), manifests=_MANIFESTS),
)

# Folders in which people put agents and which the documents do not name.
_MISPLACED = MisplacedRules(
    folders=(".cursor/agent", ".cursor/subagents", ".cursor/sub-agents", "cursor/agents"),
    shared=(),
    extensions=(),
    keys=frozenset(),
    is_below_unknown=True,
)


def _load() -> Dialect:
    from agent_lsp.dialects.cursor.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="cursor",
    title="Cursor sub-agents",
    runtime="Cursor",
    repositories=539,
    load=_load,
    scopes=_SCOPES,
    traces=(".cursor", ".cursorrules", MANIFEST),
    misplaced=_MISPLACED,
)
