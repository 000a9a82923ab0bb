"""Sub-agents of Gemini CLI: `.gemini/agents/*.md` (dialect `gemini`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: Gemini CLI 0.61.0, measured 2026-11-28. The runtime looks into the folder in which it was
started and not above it, into the home folder or that of `GEMINI_CLI_HOME`, and into each
extension. Built-in agents have precedence over all of them.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, MisplacedRules, ScopeRule
from agent_lsp.model.system import System

MANIFEST = "gemini-extension.json"
_EXTENSIONS = ".gemini/extensions"
_SETTINGS = ".gemini/settings.json"
# The settings of the project have precedence over those of the user.
SETTINGS = ((_SETTINGS,), (f"$GEMINI_CLI_HOME/{_SETTINGS}", f"~/{_SETTINGS}"))

_SCOPES = (
    ScopeRule("builtin", "built into the runtime", ("gemini/builtin",), builtin=True),
    ScopeRule("project", "project", (".gemini/agents",)),
    ScopeRule("user", "user", ("$GEMINI_CLI_HOME/.gemini/agents", "~/.gemini/agents")),
    ScopeRule(
        "user",
        "extension",
        (f"$GEMINI_CLI_HOME/{_EXTENSIONS}/*/agents", f"~/{_EXTENSIONS}/*/agents"),
        marker=MANIFEST,
    ),
    # An extension in its own repository: it counts where somebody has installed it.
    ScopeRule("project", "extension", ("agents",), marker=MANIFEST),
)

# The runtime looks into none of these, and takes only `*.md`; that they are the near misses is our
# judgement. `.gemini` itself has other files, so only keys of agents alone count there.
_MISPLACED = MisplacedRules(
    folders=(".gemini/agent", ".gemini/subagents", ".gemini/sub-agents"),
    shared=(".gemini",),
    extensions=("markdown", "mdx", "txt"),
    keys=frozenset({"max_turns", "timeout_mins", "agent_card_url", "agent_card_json"}),
)

# The settings of a project have precedence over those of a person, and an extension brings servers
# of its own: geminicli.com/docs, cli/configuration and extensions, read 2026-11-28.
_SERVERS = (
    Configuration((_SETTINGS,), (("mcpServers",),)),
    Configuration((f"$GEMINI_CLI_HOME/{_SETTINGS}", f"~/{_SETTINGS}"), (("mcpServers",),)),
    Configuration((MANIFEST,), (("mcpServers",),)),
)


def _load() -> Dialect:
    from agent_lsp.dialects.gemini.dialect import DIALECT  # noqa: PLC0415 - when a file is met

    return DIALECT


SYSTEM = System(
    id="gemini",
    title="Gemini CLI sub-agents",
    runtime="Gemini CLI",
    repositories=85,
    load=_load,
    scopes=_SCOPES,
    misplaced=_MISPLACED,
    mcp_servers=_SERVERS,
)
