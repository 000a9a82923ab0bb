"""Sub-agents of Qwen Code: `.qwen/agents/*.md` (dialect `qwen`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: Qwen Code 0.24.4 (npm @qwen-code/qwen-code), measured headless and read in its bundle,
2026-11-28. It looks into the folder in which it is started, and into none above it; `QWEN_HOME`
replaces `~/.qwen`. An agent of an extension comes after those of the project and the user.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, Enablement, MisplacedRules, ScopeRule
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


def _is_extension_on(
    texts: tuple[str | None, ...], folders: tuple[str, ...], manifest: str, folder: str
) -> bool:
    from agent_lsp.dialects.qwen.extensions import (  # noqa: PLC0415 - when there are any
        is_extension_on,
    )

    return is_extension_on(texts, folders, manifest, folder)


def _of_user(name: str) -> tuple[str, str]:
    return f"$QWEN_HOME/{name}", f"~/.qwen/{name}"


# The files that say which extensions are disabled where.
RECORDS = (
    _of_user("extension-store/state.json"),
    _of_user(f"{EXTENSIONS}/extension-enablement.json"),
)
# The settings of the project come first, then its `.mcp.json`, the settings of the user, and the
# extensions; `enabled: false` has no effect: the same version, read in its bundle and measured
# 2026-11-29.
_KEYS = (("mcpServers",),)
_SERVERS = (
    Configuration((".qwen/settings.json",), _KEYS, has_comments=True, has_switch=False),
    Configuration((".mcp.json",), _KEYS, has_comments=True, has_switch=False),
    Configuration(_of_user("settings.json"), _KEYS, has_comments=True, has_switch=False),
    Configuration((MANIFEST,), _KEYS, has_switch=False),
    Configuration(
        _of_user(f"{EXTENSIONS}/*/{MANIFEST}"),
        _KEYS,
        has_switch=False,
        enablement=Enablement(RECORDS, _is_extension_on),
    ),
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
