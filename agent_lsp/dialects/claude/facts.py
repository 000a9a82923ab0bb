"""The tables of `claude`: keys, models, scopes, call parameters and what else to know.

Facts: code.claude.com/docs (sub-agents, tools-reference, model-config, plugins-reference) as of
2026-08-22, anthropics/claude-code CHANGELOG.md at 5cfc0a1, and `AgentDefinition` of
@anthropic-ai/claude-agent-sdk 0.3.332; read 2026-11-27.
"""

import json

from agent_lsp.dialects.folders import HERE, ScopeRule, Walk
from agent_lsp.dialects.servers import Configuration
from agent_lsp.dialects.vocabulary import Choice, Holds, Key, Kind, Model, Parameter, Source

SOURCE = Source("code.claude.com/docs, sub-agents", "2026-11-27")

_INHERITED = "inherited from the session"

ALIASES = (
    Choice("inherit", "the model of the session"),
    Choice("sonnet", "the newest Sonnet"),
    Choice("opus", "the newest Opus"),
    Choice("haiku", "the newest Haiku"),
    Choice("fable", "the newest Fable"),
    Choice("default", "what the account has without a choice of its own"),
    Choice("best", "the most capable model that the account has"),
    Choice("opusplan", "Opus while it plans, Sonnet while it works"),
    Choice("sonnet[1m]", "the newest Sonnet, with a context of a million tokens"),
    Choice("opus[1m]", "the newest Opus, with a context of a million tokens"),
)
MODELS = tuple(Model(alias.name, ()) for alias in ALIASES)

EFFORTS = (
    Choice("low", "short thinking"),
    Choice("medium", "some thinking"),
    Choice("high", "long thinking"),
    Choice("xhigh", "longer thinking, where the model has it"),
    Choice("max", "as long as the model can"),
)
PERMISSIONS = (
    Choice("default", "asks before what needs a permission"),
    Choice("manual", "another word for `default`, since 2.1.200"),
    Choice("acceptEdits", "edits files without asking"),
    Choice("auto", "lets a classifier decide what has to be asked"),
    Choice("dontAsk", "denies what would have to be asked"),
    Choice("bypassPermissions", "asks nothing"),
    Choice("plan", "looks and plans, and changes nothing"),
)
MEMORIES = (
    Choice("user", "kept in the user's folder, for all projects"),
    Choice("project", "kept in the project, to be committed"),
    Choice("local", "kept in the project, not to be committed"),
)
# Others are common in published files, and harmless.
COLORS = tuple(
    Choice(name, "the colour in which the agent is shown")
    for name in ("red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan")
)

KEYS = (
    Key(
        "name",
        Kind.TEXT,
        "what the agent is called, whatever its file is: lower-case letters and hyphens",
        "the file is taken for documentation, and defines no agent",
        holds=Holds.AGENT,
        required_by="the runtime",
        example="reviewer",
    ),
    Key(
        "description",
        Kind.TEXT,
        "when to delegate to the agent; Claude reads it to choose one",
        "the runtime skips the file",
        holds=Holds.DESCRIPTION,
        required_by="the runtime",
        mandatory=True,
    ),
    Key(
        "tools",
        Kind.LIST,
        "the only tools that the agent gets, divided by commas or blanks, or a list",
        "every tool of the session that sub-agents can have",
        holds=Holds.ALLOW,
        in_text=True,
    ),
    Key(
        "disallowedTools",
        Kind.LIST,
        "tools that the agent does not get; they are taken away before `tools` is looked at",
        "nothing is taken away",
        holds=Holds.DENY,
        in_text=True,
    ),
    Key(
        "model",
        Kind.TEXT,
        "the model: an alias, or the full id of one",
        _INHERITED,
        holds=Holds.MODEL,
        example="sonnet",
    ),
    Key(
        "permissionMode",
        Kind.CHOICE,
        "what the agent may do without asking; a session in `auto`, `acceptEdits` or "
        "`bypassPermissions` goes first",
        _INHERITED,
        choices=PERMISSIONS,
    ),
    Key("maxTurns", Kind.NUMBER, "after how many turns the agent is stopped", "no limit"),
    Key(
        "skills",
        Kind.LIST,
        "skills that the agent starts with, in full; one that is missing is left out",
        "none is loaded beforehand",
        in_text=True,
    ),
    Key(
        "mcpServers",
        Kind.TEXT,
        "MCP servers for the agent: a list of names, or of mappings from a name to its settings",
        "those of the session",
    ),
    Key(
        "hooks",
        Kind.TABLE,
        "hooks while the agent runs: a mapping from an event to a list of matchers",
        "those of the session",
    ),
    Key(
        "memory",
        Kind.CHOICE,
        "where the agent keeps notes between sessions; it gets Read, Write and Edit for them",
        "it keeps none",
        choices=MEMORIES,
    ),
    Key(
        "background",
        Kind.BOOL,
        "whether the agent always runs in the background, where it has fewer tools",
        "`false`: the call decides",
    ),
    Key(
        "effort",
        Kind.CHOICE,
        "how long the model thinks; a number is taken, too",
        _INHERITED,
        holds=Holds.EFFORT,
        choices=EFFORTS,
    ),
    Key(
        "isolation",
        Kind.CHOICE,
        "whether the agent works on a copy of the repository",
        "it works where the session does",
        choices=(Choice("worktree", "in a Git worktree of its own"),),
    ),
    Key("color", Kind.CHOICE, "the colour of the agent's name", "chosen for it", choices=COLORS),
    Key(
        "initialPrompt",
        Kind.TEXT,
        "the first message of a session that is started with this agent by `--agent`",
        "the session waits for a message",
    ),
)
# A definition in JSON or of the SDK has these; in a file they are seen, too.
OTHER_KEYS = frozenset({"autoCompactWindow", "omitClaudeMd", "observer", "observerMessage"})
# What an agent of a plugin may not decide.
NOT_IN_PLUGINS = ("permissionMode", "mcpServers", "hooks")
# What says of a header without a name that an agent was meant.
TELLING = frozenset(
    {"tools", "disallowedTools", "model", "permissionMode", "maxTurns", "isolation", "color"}
)

MARKER = ".claude-plugin/plugin.json"


def prefix(manifest: str, folder: str) -> str:
    """What a plugin's agents are called by: its name, which is the folder's unless it says so."""
    try:
        name = json.loads(manifest).get("name")
    except (ValueError, AttributeError, RecursionError):
        name = None
    return f"{name if isinstance(name, str) and name else folder}:"


SCOPES = (
    ScopeRule("project", "project", (".claude/agents",), walk=Walk.TO_GIT, deep=True),
    ScopeRule("user", "user", ("$CLAUDE_CONFIG_DIR/agents", "~/.claude/agents"), deep=True),
    ScopeRule("project", "plugin", ("agents",), deep=True, marker=MARKER, prefix=prefix),
)


def _of_plugin(manifest: str, folder: str, server: str) -> str:
    """What a plugin's server is called in the names of its tools."""
    return f"plugin_{prefix(manifest, folder).removesuffix(':')}_{server}"


# Where MCP servers are configured: code.claude.com/docs/en/mcp and plugins-reference, read
# 2026-11-28. A person's own servers of one project go before those that the project shares, and
# these before a person's own of all projects; a plugin's file may have nothing but servers.
_OWN = ("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json")
_SHARED, _SERVERS = ".mcp.json", "mcpServers"
SERVERS = (
    Configuration(_OWN, (("projects", HERE, _SERVERS),)),
    Configuration((_SHARED,), ((_SERVERS,),)),
    Configuration(_OWN, ((_SERVERS,),)),
    Configuration((_SHARED,), ((_SERVERS,), ()), marker=MARKER, qualified=_of_plugin),
    Configuration((MARKER,), ((_SERVERS,),), marker=MARKER, qualified=_of_plugin),
)

_AGENT = Parameter("subagent_type", str, "the agent, by its name", holds=Holds.AGENT)
LIST_PARAMETERS = (Parameter("name", str, "only this agent", holds=Holds.AGENT),)
SPAWN_PARAMETERS = (
    _AGENT,
    Parameter("prompt", str, "what the agent shall do", content=True, holds=Holds.TASK),
    Parameter("model", str, "an alias, which goes before the header's", holds=Holds.MODEL),
    Parameter("background", bool, "whether it runs in the background"),
    Parameter("env", dict, "variables that the session has, such as CLAUDE_CODE_SUBAGENT_MODEL"),
)
MODEL_VARIABLE = "CLAUDE_CODE_SUBAGENT_MODEL"
# From this depth on an agent cannot call another one.
DEEPEST = 3

NOTES = {
    "project": (
        "every `.claude/agents` from the folder where the session starts up to the repository's "
        "counts, with all folders below it; the nearest one wins"
    ),
    "tools": (
        "`Tool(…)` limits what the tool may be used for; the agents in `Agent(…)` count only for "
        "an agent that is started by `claude --agent`"
    ),
    "model": (
        f"the variable `{MODEL_VARIABLE}` goes before the call, and the call before the header; "
        "an organisation may put another model in its place"
    ),
    "permissionMode": "the session's own mode goes first if it asks less",
}
