"""The tables of `codex-agents` beside its keys: tools, models, built-in agents, calls, notes.

Facts: measured with `@openai/codex` 0.171.0 on loopback, 2026-11-28 (`codex exec`, the requests of
sessions and agents, `codex debug models`); that an agent's file is mostly without effect: role.rs
of openai/codex after its pull request 39299.
"""

from agent_lsp.model.schema import Choice, KeyRole, Model, Parameter, Source, Tool

SOURCE = Source("openai/codex 0.171.0, measured", "2026-11-28")

_COMMANDS, _FILES, _OTHER = "commands", "files", "other"
_SERVERS, AGENTS = "MCP servers", "agents"
SHELL = frozenset({"exec_command", "write_stdin"})
_IF_SERVERS = "the session has MCP servers"
_CODE_MODE = (
    "models of code mode, which all newer ones are, call the tools from `functions.exec` instead",
)

TOOLS = (
    Tool("exec_command", "starts a command and returns its output", _COMMANDS, notes=_CODE_MODE),
    Tool("write_stdin", "writes to a command that runs", _COMMANDS),
    Tool("apply_patch", "edits files", _FILES),
    Tool("view_image", "shows an image file to the model", _FILES),
    Tool("request_user_input", "asks the user", _OTHER),
    Tool("get_goal", "reads the goal of the session", _OTHER),
    Tool("create_goal", "sets a goal for the session", _OTHER),
    Tool("update_goal", "changes the goal of the session", _OTHER),
    Tool("web_search", "searches the web", _OTHER, "the session may search the web"),
    Tool("tool_search", "finds tools that are deferred", _SERVERS, _IF_SERVERS),
    Tool("list_mcp_resources", "lists what servers offer to read", _SERVERS, _IF_SERVERS),
    Tool("list_mcp_resource_templates", "lists templates of that", _SERVERS, _IF_SERVERS),
    Tool("read_mcp_resource", "reads what a server offers", _SERVERS, _IF_SERVERS),
)
_SECOND = "the session has agent tools of the second kind"
AGENT_TOOLS = (
    Tool("spawn_agent", "starts another agent", AGENTS, _SECOND),
    Tool("send_message", "sends a message to an agent", AGENTS, _SECOND),
    Tool("followup_task", "gives an agent another task", AGENTS, _SECOND),
    Tool("wait_agent", "waits for agents", AGENTS, _SECOND),
    Tool("interrupt_agent", "interrupts an agent", AGENTS, _SECOND),
    Tool("list_agents", "lists the agents that run, and no roles", AGENTS, _SECOND),
)

_FULL = ("low", "medium", "high", "xhigh", "max", "ultra")
_NO_ULTRA, _FOUR = _FULL[:-1], _FULL[:4]
MODELS = (
    *(Model(name, _FULL) for name in ("gpt-6.2-sol", "gpt-6.2-astra", "gpt-6.1-terra")),
    *(Model(name, _FULL) for name in ("gpt-6.1-sol", "gpt-6-astra", "gpt-6-sol")),
    Model("gpt-6-luna", _NO_ULTRA),
    *(Model(name, _FULL) for name in ("gpt-5.6-sol", "gpt-5.6-terra")),
    Model("gpt-5.6-luna", _NO_ULTRA),
    Model("gpt-5.5", _FOUR),
)
# They are not in the list that a refusal prints.
_HIDDEN = (
    *(Model(f"gpt-daybreak-{name}-latest", _FULL) for name in ("blue", "red")),
    Model("codex-auto-review", _NO_ULTRA),
)
HIDDEN = frozenset(one.name for one in _HIDDEN)
KNOWN = (*MODELS, *_HIDDEN)
# The levels that every listed model has.
SHARED_EFFORTS = tuple(
    level for level in MODELS[0].efforts if all(level in model.efforts for model in MODELS)
)
# The session's models whose agent tools are of the first kind; of models that are not listed it
# is the same.
FIRST_KIND = frozenset({"gpt-5.6-luna", "codex-auto-review", "gpt-5.5"})

# Built in, without a model, an effort or a prompt of their own; their descriptions are ours.
BUILT_IN = (
    Choice("default", "the agent of calls that name none"),
    Choice("explorer", "answers questions about the code base"),
    Choice("worker", "does a piece of the work"),
)
DEFAULT = "default"

SPAWN_PARAMETERS = (
    Parameter("agent_type", str, "the agent", role=KeyRole.AGENT),
    Parameter("message", str, "the task", role=KeyRole.TASK),
    Parameter("task_name", str, "second kind: a name for the task, `[a-z0-9_]`", content=True),
    Parameter("model", str, "the model, unless the file names one", role=KeyRole.MODEL),
    Parameter("reasoning_effort", str, "the effort, unless the file has one", role=KeyRole.EFFORT),
    Parameter("fork_context", bool, "first kind: whether the agent gets the history"),
    Parameter("fork_turns", str, "second kind: how much of the history it gets, `all` or `none`"),
    Parameter("items", list, "first kind: the task in pieces", content=True),
)
LIST_PARAMETERS = (Parameter("agent_type", str, "only the agent of this name", role=KeyRole.AGENT),)

FORKED = (
    "Full-history forked agents inherit the parent agent type; omit agent_type, or spawn without a "
    "full-history fork."
)
EMPTY = "Empty message can't be sent to an agent"
UNAVAILABLE = "agent type is currently not available"
NO_MODEL = (
    "collab spawn failed: No models are available. Set `model` explicitly or check your model "
    "catalog configuration."
)


def family(model: str | None) -> Model | None:
    """The listed model whose levels `model` has: the longest with which its name begins.

    One word with a `/` may stand before the name.
    """
    _, slash, rest = (model or "").partition("/")
    name = rest if slash and "/" not in rest else model or ""
    found = (one for one in KNOWN if name.startswith(one.name))
    return max(found, key=lambda one: len(one.name), default=None)


def unknown(name: str) -> str:
    """The runtime's text for an agent that the session does not have."""
    return f"unknown agent_type '{name}'"


def unsupported(effort: str, model: Model, name: str = "") -> str:
    """The runtime's text for an effort that a model does not have, which may have another name."""
    return (
        f"Reasoning effort `{effort}` is not supported for model `{name or model.name}`. "
        f"Supported reasoning efforts: {', '.join(model.efforts)}"
    )


def unknown_model(name: str) -> str:
    """The runtime's text for a call's model that its list does not have."""
    names = ", ".join(model.name for model in MODELS)
    return f"Unknown model `{name}` for spawn_agent. Available models: {names}"


def note(model: str | None, effort: str | None) -> str:
    """The line that the list adds about a model or an effort that a file sets; may be empty."""
    if model is not None and effort is not None:
        return (
            f"- This role's model is set to `{model}` and its reasoning effort is set to "
            f"`{effort}`. These settings cannot be changed."
        )
    if model is not None:
        return f"- This role's model is set to `{model}` and cannot be changed."
    if effort is not None:
        return f"- This role's reasoning effort is set to `{effort}` and cannot be changed."
    return ""


NOTES = {
    "project": (
        "an untrusted project has no agents; trust applies to the root of the repository, and "
        "`codex exec --trust` gives it"
    ),
    "model": (
        "the file's model overrides that of a call, and is not checked against the list of models"
    ),
    "tools": "there is no list of tools for an agent; `tools` is a table without an effect",
}
CONFIG_NOTES = {"project": NOTES["project"]}
