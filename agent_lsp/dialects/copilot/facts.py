"""The tables of `copilot`: keys, words, call parameters and what else to know.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28; the documentation of GitHub and VS
Code of the same day where a line says so. Which models there are depends on the subscription, so
none is listed.
"""

from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import hooks
from agent_lsp.dialects.copilot.cli_header import KNOWN as KNOWN_TO_CLI
from agent_lsp.dialects.copilot.values import INSTEAD_OF_TOOLS
from agent_lsp.model.schema import (
    Choice,
    IfWrong,
    Key,
    KeyRole,
    Model,
    Parameter,
    Renamed,
    Source,
    ValueKind,
)

SOURCE = Source("VS Code 1.139.1 and Copilot CLI 1.0.102, both run", "2026-11-28")
VS_CODE, CLI = "VS Code", "Copilot CLI"
# What a call and a setting name the programs.
READERS = (
    Choice("vscode", "VS Code"),
    Choice("cli", "Copilot CLI, and what asks it for its agents"),
)
REFUSED = "Copilot CLI does not load the agent"
ABSENT = "VS Code reads the whole file as the prompt, and gives the agent every tool"
UNCLOSED = "VS Code reads the whole file as the header, and the prompt is empty"
ALLOW = "tools"
# Agents that VS Code has without a file; the first three win in hand-offs.
MODES = ("agent", "ask", "edit")
BUILT_IN = ("Plan", "Ask", "Explore")
# Agents that Copilot CLI has without a file.
BUILT_IN_CLI = (
    *("explore", "task", "general-purpose", "rubber-duck", "code-review", "research"),
    "security-review",
)
# So many files Copilot CLI reads in a folder and those below it.
MOST_FILES = 100

TARGETS = (
    Choice("vscode", "the agent is written for VS Code"),
    Choice("github-copilot", "the agent is written for GitHub and Copilot CLI"),
)
EFFORTS = tuple(
    Choice(word, "how long the model thinks") for word in ("low", "medium", "high", "xhigh", "max")
)
_TRUTH = (Choice("true", "yes"), Choice("false", "no"))
_DROPPED = "VS Code drops the hand-off"
_HANDOFF = (
    Key("label", ValueKind.TEXT, "the text of the button", _DROPPED, example="Start"),
    Key(
        "agent",
        ValueKind.TEXT,
        "the agent that continues, by its name and not by its file",
        _DROPPED,
        role=KeyRole.OTHER_AGENT,
    ),
    Key("prompt", ValueKind.TEXT, "the prompt that it gets; may be empty", _DROPPED),
    Key(
        "send",
        ValueKind.BOOL,
        "whether the prompt is sent at once",
        "the person sends it",
        choices=_TRUTH,
    ),
    Key(
        "showContinueOn",
        ValueKind.BOOL,
        "whether the button also offers to continue elsewhere",
        "it does",
        choices=_TRUTH,
    ),
    Key("model", ValueKind.TEXT, "the model, as `Name (vendor)`", "the current model"),
)
_SERVER = (
    Key(
        "type",
        ValueKind.CHOICE,
        "how the server is reached",
        "`local`",
        choices=(
            Choice("local", "a program on this machine"),
            Choice("stdio", "as `local`"),
            Choice("http", "a server at a URL"),
            Choice("sse", "a server at a URL, by events"),
        ),
    ),
    Key("command", ValueKind.TEXT, "the program of a local server", REFUSED),
    Key("args", ValueKind.LIST, "its arguments; required even if there are none", REFUSED),
    Key("tools", ValueKind.LIST, "the tools of the server, or `*`; required", REFUSED),
    Key("env", ValueKind.TABLE, "the variables of a local server", "the session's"),
    Key("cwd", ValueKind.TEXT, "the folder in which a local server starts", "the session's"),
    Key("url", ValueKind.TEXT, "the address of a remote server", REFUSED),
    Key("headers", ValueKind.TABLE, "the headers of each request to it", "none"),
    Key("timeout", ValueKind.NUMBER, "the limit for a call in milliseconds", "none"),
)
_ACCESS = ("actions", "contents", "discussions", "issues", "pull-requests", "workflows")
_SCOPES = (*_ACCESS, "checks", "security-events", "metadata")
_GITHUB = (
    Key("toolsets", ValueKind.LIST, "the sets of tools of GitHub's server", "the usual ones"),
    Key(
        "permissions",
        ValueKind.TABLE,
        "what the agent may do, by scope: `read`, `write` or `none`",
        "what the session may do",
        items=tuple(
            Key(name, ValueKind.TEXT, "`read`, `write` or `none`", "as the session has it")
            for name in _SCOPES
        ),
    ),
)
_HOOKS = (
    "what the agent runs at events of the session, as a map from an event to a list of commands"
)

NAME = Key(
    "name",
    ValueKind.TEXT,
    "the name by which people and other agents call the agent; any text",
    "the name of the file, without its extension",
    role=KeyRole.AGENT,
    nullable=False,
)
DESCRIPTION = Key(
    "description",
    ValueKind.TEXT,
    "when to use the agent; models read it to choose one",
    REFUSED,
    role=KeyRole.DESCRIPTION,
    nullable=False,
)
TOOLS = Key(
    ALLOW,
    ValueKind.LIST,
    "the only tools that the agent gets: a list, or a string with commas",
    "every tool",
    role=KeyRole.ALLOW,
    in_text=True,
    nullable=False,
)
MODEL = Key(
    "model",
    ValueKind.TEXT,
    "the model, or a list of which the first that exists is used; VS Code expects `Name (vendor)`, "
    "Copilot CLI also accepts ids",
    "the model of the session",
    role=KeyRole.MODEL,
    nullable=False,
)
EVERY_KEY = (
    NAME,
    DESCRIPTION,
    TOOLS,
    MODEL,
    Key(
        "reasoning-effort",
        ValueKind.TEXT,
        "how long the model thinks, for Copilot CLI and VS Code's Agent Host",
        "the session decides",
        role=KeyRole.EFFORT,
        choices=EFFORTS,
        nullable=False,
    ),
    Key(
        "agents",
        ValueKind.LIST,
        "the agents that this one may call in VS Code, by name; `*` is all, `[]` none",
        "all that a model may call",
        role=KeyRole.OTHER_AGENT,
    ),
    Key(
        "handoffs",
        ValueKind.RECORDS,
        "buttons that continue with another agent, in VS Code",
        "no buttons",
        items=_HANDOFF,
        record="hand-off",
        closed=True,
    ),
    Key(
        "argument-hint",
        ValueKind.TEXT,
        "the hint in VS Code's empty prompt",
        "no hint",
    ),
    Key(
        "target",
        ValueKind.CHOICE,
        "the program for which the agent is written; VS Code adapts its messages, and always "
        "shows the agent",
        "for all",
        choices=TARGETS,
    ),
    Key(
        "user-invocable",
        ValueKind.BOOL,
        "whether people can select the agent",
        "`true`",
        choices=_TRUTH,
        role=KeyRole.AVAILABILITY,
        nullable=False,
    ),
    Key(
        "disable-model-invocation",
        ValueKind.BOOL,
        "whether the agent is hidden from models",
        "`false`",
        choices=_TRUTH,
        role=KeyRole.AVAILABILITY,
        nullable=False,
    ),
    Key(
        "infer",
        ValueKind.BOOL,
        "the older form of the two switches: whether a model may call the agent",
        "the two switches decide",
        choices=_TRUTH,
        nullable=False,
    ),
    Key(
        "mcp-servers",
        ValueKind.TABLE,
        "MCP servers of this agent alone, in Copilot CLI and on GitHub: a map from a name to its "
        "settings",
        "the session's",
        items=_SERVER,
        is_named=True,
    ),
    Key(
        "skills",
        ValueKind.LIST,
        "skills that are loaded at the start, in Copilot CLI",
        "none",
        nullable=False,
        role=KeyRole.SKILL,
    ),
    Key(
        "deferred-tool-loading",
        ValueKind.BOOL,
        "whether Copilot CLI loads tools only when the model searches for them",
        "the session decides",
        choices=_TRUTH,
        nullable=False,
    ),
    Key(
        "github",
        ValueKind.TABLE,
        "access to GitHub: `toolsets`, and `permissions` by scope",
        "as the session has it",
        nullable=False,
        items=_GITHUB,
    ),
    Key(
        "hooks",
        ValueKind.TABLE,
        f"{_HOOKS}, in VS Code",
        "the session's",
        items=hooks.EVENTS,
    ),
    Key(
        "advancedOptions",
        ValueKind.TABLE,
        "options of VS Code whose effect is not known",
        "none",
    ),
)
_ONLY_CLI = frozenset({"mcp-servers", "skills", "deferred-tool-loading"})
# Without such a list VS Code restricts nothing.
_WIDENING = (ALLOW, "agents")
KEYS = tuple(
    replace(key, if_wrong=IfWrong.EVERYTHING) if key.name in _WIDENING else key
    for key in EVERY_KEY
    if key.name not in _ONLY_CLI
)
KEYS_OF_CLI = tuple(key for key in EVERY_KEY if key.name in KNOWN_TO_CLI)
NAMES = frozenset(key.name for key in EVERY_KEY)
MODELS: tuple[Model, ...] = ()

_FILES = "it is a key of prompt files"
IGNORED = {
    "mode": _FILES,
    "agent": _FILES,
    "metadata": "only the agent on GitHub does",
    "models": "Copilot CLI 1.0.102 does not know it yet; a list of models is the value of `model`",
    "modelPolicy": "Copilot CLI 1.0.102 does not know it yet",
    "include-custom-instructions": "Copilot CLI 1.0.102 does not know it yet",
    "sidekick": "Copilot CLI 1.0.102 does not know it yet",
    "color": "nothing shows it",
    "temperature": "no key of a file does this",
}
_EVERY = "the agent gets every tool"
RENAMED = {
    **{name: Renamed(ALLOW, _EVERY) for name in INSTEAD_OF_TOOLS},
    **{
        name: Renamed(
            None, "no key removes tools, so the agent keeps them; list the others in `tools`"
        )
        for name in ("disallowedTools", "disallowed-tools", "disallowed_tools", "excludeTools")
    },
    "mcpServers": Renamed("mcp-servers", "the servers are not there"),
    "mcp_servers": Renamed("mcp-servers", "the servers are not there"),
    "user-invokable": Renamed("user-invocable", "people can select the agent"),
    "reasoningEffort": Renamed("reasoning-effort", "the session decides how long the model thinks"),
    "Description": Renamed("description", "the agent has no description"),
    "Name": Renamed("name", "the agent has the name of its file"),
    "Model": Renamed("model", "the agent has the model of the session"),
}

_READER = Parameter(
    "reader",
    str,
    "the program that reads the file: `vscode`, or `cli`",
    role=KeyRole.PROGRAM,
    choices=READERS,
)
LIST_PARAMETERS = (
    Parameter("agentName", str, "show only this agent", role=KeyRole.AGENT),
    replace(_READER, meaning="show only the agents of this program: `vscode`, or `cli`"),
)
SPAWN_PARAMETERS = (
    Parameter(
        "agentName",
        str,
        "the agent, by its name; without it a copy of the current agent",
        role=KeyRole.AGENT,
    ),
    Parameter("caller", str, "the agent that calls in VS Code, by its name; its `agents` apply"),
    Parameter("prompt", str, "the task of the agent", content=True, role=KeyRole.TASK),
    Parameter("description", str, "the task in three to five words", content=True),
    Parameter("model", str, "the model, as `Name (vendor)`", role=KeyRole.MODEL),
    _READER,
)

NOTES = {
    "user": "in both programs an agent of the user has precedence over one of the project",
    "project": (
        "VS Code reads the folder of the workspace, and no folders below `agents`; "
        "Copilot CLI also reads the folders above it up to the root of the repository"
    ),
    "built in": (
        "the first three are VS Code's, the others are Copilot CLI's, with texts of our own"
    ),
    "tools": (
        "VS Code compares names exactly, and `*` is not a name there; to Copilot CLI `*` is every "
        "tool, and case does not matter. `read`, `edit`, `search`, `execute`, `agent`, `web` and "
        "`todo` are the same in both. In a session of Copilot CLI inside VS Code an empty list is "
        "every tool, and the names after `#tool:` in the prompt replace the list"
    ),
    "model": (
        "VS Code wants `Name (vendor)`, or the bare name for Copilot's own models; an id such as "
        "`gpt-5` is not a model there, and the current one stays. Which models there are "
        "depends on the subscription"
    ),
    "infer": "VS Code prefers it to `disable-model-invocation`, Copilot CLI the other way round",
    "target": "VS Code and Copilot CLI load the agent whatever it says",
}
