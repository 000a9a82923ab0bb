"""Sub-agents of Gemini CLI: `.gemini/agents/*.md` (dialect `gemini`).

Only the places of its files are loaded before one of them is met; the rest is in `dialect`.

Facts: Gemini CLI 0.61.0, measured 2026-11-28. The runtime looks into the folder in which it was
started and not above it, into the home folder or that of `GEMINI_CLI_HOME`, and into each
extension. Built-in agents have precedence over all of them.
"""

from collections.abc import Mapping
from functools import partial

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Configuration, Enablement, MisplacedRules, ScopeRule, Switches
from agent_lsp.model.system import System

MANIFEST = "gemini-extension.json"
_EXTENSIONS = ".gemini/extensions"
# The settings below a project and below the home, and the variable that names another home.
SETTINGS, HOME = ".gemini/settings.json", "GEMINI_CLI_HOME"

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


def _is_extension_on(
    texts: tuple[str | None, ...], folders: tuple[str, ...], manifest: str, folder: str
) -> bool:
    from agent_lsp.dialects.gemini.acknowledged import (  # noqa: PLC0415 - when there are any
        is_extension_on,
    )

    return is_extension_on(texts, folders, manifest, folder)


# The file that says which extensions are disabled where.
ENABLEMENT = (
    f"$GEMINI_CLI_HOME/{_EXTENSIONS}/extension-enablement.json",
    f"~/{_EXTENSIONS}/extension-enablement.json",
)


def _is_server_on(
    texts: tuple[str | None, ...], name: str, _server: Mapping[object, object]
) -> bool:
    from agent_lsp.dialects.gemini.acknowledged import (  # noqa: PLC0415 - when there are any
        is_server_on,
    )

    return is_server_on(texts, name)


_SWITCHES = Switches(
    (
        (f"${HOME}/.gemini/mcp-server-enablement.json", "~/.gemini/mcp-server-enablement.json"),
        (f"${HOME}/{SETTINGS}", f"~/{SETTINGS}"),
        (SETTINGS,),
    ),
    _is_server_on,
)
# The settings of a project have precedence over those of a person, and these over the extensions:
# geminicli.com/docs, cli/configuration and extensions, read 2026-11-28. Settings may have comments,
# and `enabled: false` has no effect: measured with Gemini CLI 0.61.0, 2026-11-29.
_configured = partial(Configuration, keys=(("mcpServers",),), has_switch=False, switches=_SWITCHES)
_SERVERS = (
    _configured((SETTINGS,), has_comments=True),
    _configured((f"${HOME}/{SETTINGS}", f"~/{SETTINGS}"), has_comments=True),
    _configured((MANIFEST,)),
    _configured(
        (f"${HOME}/{_EXTENSIONS}/*/{MANIFEST}", f"~/{_EXTENSIONS}/*/{MANIFEST}"),
        enablement=Enablement((ENABLEMENT,), _is_extension_on),
    ),
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
