"""Sub-agents of Qwen Code: `.qwen/agents/*.md` (dialect `qwen`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: Qwen Code 0.24.4 (npm @qwen-code/qwen-code), measured headless and read in its bundle,
2026-11-28. It looks into the folder in which it is started, and into none above it; `QWEN_HOME`
replaces `~/.qwen`. An agent of an extension comes after those of the project and the user.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule
from agent_lsp.model.system import System

MANIFEST = "qwen-extension.json"
EXTENSIONS = "extensions"

_SCOPES = (
    ScopeRule("project", "project", (".qwen/agents",)),
    ScopeRule("user", "user", ("$QWEN_HOME/agents", "~/.qwen/agents")),
    ScopeRule(
        "user",
        "extension",
        (f"$QWEN_HOME/{EXTENSIONS}/*/agents", f"~/.qwen/{EXTENSIONS}/*/agents"),
        marker=MANIFEST,
    ),
    # An extension in its own repository: it counts where somebody has installed it.
    ScopeRule("project", "extension", ("agents",), marker=MANIFEST),
    ScopeRule("builtin", "built into the runtime", ("qwen/builtin",), builtin=True),
)

# Folders in which people put agents and the runtime does not look.
_MISPLACED = MisplacedRules(
    folders=(".qwen/agent", ".qwen/subagents", ".qwen/sub-agents", "qwen/agents"),
    shared=(".qwen",),
    extensions=("markdown", "mdx", "txt"),
    keys=frozenset({"approvalMode", "disallowedTools", "runConfig", "executionBackend"}),
)

# Settings of the project precede those of the user: the same version, docs/configuration of the
# package, read 2026-11-28.
_SERVERS = (
    Configuration((".qwen/settings.json",), (("mcpServers",),)),
    Configuration(("$QWEN_HOME/settings.json", "~/.qwen/settings.json"), (("mcpServers",),)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.qwen.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="qwen",
    title="Qwen Code sub-agents",
    runtime="Qwen Code",
    repositories=32,
    load=_load,
    scopes=_SCOPES,
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
)
