"""The tables of `codex-templates`: keys, tools, models, scopes and call parameters.

Facts: NeoGrAIph/codex at 9f82deac0f1b (docs/features/agent-templates.md,
codex-rs/core/src/agent/role_templates.rs, core/src/tools/spec.rs, core/models.json),
read 2026-11-27.
"""

from agent_lsp.dialects.model import (
    Choice,
    Holds,
    Key,
    Kind,
    Model,
    Parameter,
    ScopeRule,
    Source,
    Tool,
    Walk,
)

SOURCE = Source("NeoGrAIph/codex 9f82deac0f1b, docs/features/agent-templates.md", "2026-11-27")

EFFORTS = (
    Choice("none", "no reasoning; accepted with every model"),
    Choice("minimal", "as little reasoning as the model can do"),
    Choice("low", "short reasoning"),
    Choice("medium", "balanced"),
    Choice("high", "long reasoning"),
    Choice("xhigh", "the longest reasoning, on the models that have it"),
)

_MODEL = Key(
    "model",
    Kind.TEXT,
    "the model that the agent runs on, unless the `spawn_agent` call names another",
    "inherited from the agent that spawns",
    holds=Holds.MODEL,
    example="gpt-5.2-codex",
)
_EFFORT = Key(
    "reasoning_effort",
    Kind.CHOICE,
    "how long the model reasons, unless the `spawn_agent` call says otherwise",
    "inherited from the agent that spawns",
    holds=Holds.EFFORT,
    choices=EFFORTS,
    example="medium",
)

_PERSONA_KEYS = (
    Key(
        "name",
        Kind.TEXT,
        "the persona's name; the `<!-- agent_name: … -->` markers refer to it, case aside",
        "the header is refused",
        holds=Holds.PERSONA_NAME,
        mandatory=True,
        nullable=False,
        required_by="the parser",
    ),
    Key(
        "description",
        Kind.TEXT,
        "what the persona is for, as `list_agents` shows it",
        "`list_agents` refuses the template",
        holds=Holds.DESCRIPTION,
        required_by="list_agents",
    ),
    _MODEL,
    _EFFORT,
)

KEYS = (
    Key(
        "description",
        Kind.TEXT,
        "what the role is for, as `list_agents` and the `spawn_agent` schema show it",
        "`list_agents` refuses the template",
        holds=Holds.DESCRIPTION,
        required_by="list_agents",
    ),
    _MODEL,
    _EFFORT,
    Key(
        "read_only",
        Kind.BOOL,
        "`true` forces the read-only sandbox on the spawned agent",
        "`false`: the sandbox of the agent that spawns",
        holds=Holds.SANDBOX,
        nullable=False,
        choices=(
            Choice("true", "the spawned agent gets the read-only sandbox"),
            Choice("false", "the spawned agent inherits the sandbox"),
        ),
        example="true",
    ),
    Key(
        "agent_names",
        Kind.RECORDS,
        "the personas of this role; each needs a block `<!-- agent_name: … -->` in the body",
        "the role has no personas",
        holds=Holds.PERSONAS,
        items=_PERSONA_KEYS,
        record="TemplateAgentNameEntry",
    ),
    Key(
        "allow_list",
        Kind.LIST,
        "the only tools that the agent keeps; exact names and patterns with `*` and `?`",
        "every tool that the runtime has",
        holds=Holds.ALLOW,
    ),
    Key(
        "deny_list",
        Kind.LIST,
        "tools taken away, whatever `allow_list` says; exact names, and patterns with `*` and `?`",
        "nothing is taken away",
        holds=Holds.DENY,
    ),
)

COLLABORATION = "collaboration"
_EXECUTION = "execution"
_RESOURCES = "MCP resources"
_EXPERIMENTAL = "experimental"

TOOLS = (
    Tool("exec_command", "starts a command in a terminal and returns its output", _EXECUTION),
    Tool("write_stdin", "writes to a command that `exec_command` left running", _EXECUTION),
    Tool("shell", "runs a command given as an argument list", _EXECUTION),
    Tool("shell_command", "runs a command line", _EXECUTION),
    Tool("local_shell", "runs a command through the model's own shell tool", _EXECUTION),
    Tool("container.exec", "another name under which the runtime takes shell calls", _EXECUTION),
    Tool("apply_patch", "edits files", _EXECUTION),
    Tool("update_plan", "keeps the visible plan up to date", _EXECUTION),
    Tool("view_image", "shows an image file to the model", _EXECUTION),
    Tool("web_search", "searches the web", _EXECUTION),
    Tool("request_user_input", "asks the user a question", _EXECUTION),
    Tool("js_repl", "runs JavaScript in a session that keeps its state", _EXECUTION),
    Tool("js_repl_reset", "starts the JavaScript session afresh", _EXECUTION),
    Tool("search_tool_bm25", "finds tools by their descriptions", _EXECUTION),
    Tool("list_mcp_resources", "lists what MCP servers offer to read", _RESOURCES),
    Tool(
        "list_mcp_resource_templates",
        "lists the parameterised resources of MCP servers",
        _RESOURCES,
    ),
    Tool("read_mcp_resource", "reads one resource of an MCP server", _RESOURCES),
    Tool("grep_files", "searches file contents", _EXPERIMENTAL),
    Tool("read_file", "reads a file", _EXPERIMENTAL),
    Tool("list_dir", "lists a folder", _EXPERIMENTAL),
    Tool("test_sync_tool", "a tool for the runtime's own tests", _EXPERIMENTAL),
    Tool("list_agents", "lists the roles and personas that can be spawned", COLLABORATION),
    Tool("list_active_agents", "lists the agents that run now", COLLABORATION),
    Tool("spawn_agent", "starts another agent", COLLABORATION),
    Tool("send_input", "sends a message to a running agent", COLLABORATION),
    Tool("resume_agent", "takes up a closed agent again", COLLABORATION),
    Tool("wait", "waits for agents, 10 s to 30 min, 5 min unless told", COLLABORATION),
    Tool("close_agent", "ends an agent", COLLABORATION),
    Tool("set_thread_note", "sets the note by which an agent's thread is known", COLLABORATION),
)

GLOBS = (
    Choice("mcp__*", "every tool of every MCP server"),
    Choice("*_agent", "`spawn_agent`, `resume_agent`, `close_agent`"),
    Choice("list_*", "every tool that lists something"),
)

_ALL = ("low", "medium", "high", "xhigh")
_TO_HIGH = ("low", "medium", "high")

MODELS = (
    Model("gpt-5.3-codex", _ALL),
    Model("gpt-5.2-codex", _ALL),
    Model("gpt-5.1-codex-max", _ALL),
    Model("gpt-5.2", _ALL),
    Model("gpt-5.1-codex", _TO_HIGH),
    Model("gpt-5.1", _TO_HIGH),
    Model("gpt-5-codex", _TO_HIGH),
    Model("gpt-5", ("minimal", *_TO_HIGH)),
    Model("gpt-5.1-codex-mini", ("medium", "high")),
    Model("gpt-5-codex-mini", ("medium", "high")),
)

SCOPES = (
    ScopeRule("project", "project", (".codex/.agents",), walk=Walk.TO_GIT),
    ScopeRule("user", "user", ("$CODEX_HOME/.agents", "~/.codex/.agents")),
    ScopeRule("builtin", "built into the runtime", ("codex-templates/builtin",), builtin=True),
)

# Applied before the template, so that a template which says nothing inherits these.
BUILTIN_ROLES = {
    "default": (None, None),
    "orchestrator": (None, None),
    "worker": (None, None),
    "explorer": ("gpt-5.1-codex-mini", "medium"),
}

MAX_DEPTH = 2
SCHEMA_ROLES = 12
SCHEMA_DESCRIPTION = 119
MAX_THREADS = 12

LIST_PARAMETERS = (
    Parameter("agent_type", str, "only this role"),
    Parameter("expanded", bool, "with models, efforts and prompts"),
)

SPAWN_PARAMETERS = (
    Parameter("agent_type", str, "the role; `default` loads no template"),
    Parameter("agent_name", str, "the persona"),
    Parameter("model", str, "overrides every model of the template"),
    Parameter("reasoning_effort", str, "overrides every effort of the template"),
    Parameter("thread_note", str, "the note by which the thread is known"),
    Parameter("working_directory", str, "another folder to work in; needs the user's approval"),
    Parameter("message", str, "the task", content=True),
    Parameter("items", list, "the task as structured input", content=True),
)

# Where document and code differ, or where neither shows in the file; hover says so at that place.
NOTES = {
    "file": (
        "the document ends the search at the nearest `.git`; the code at 9f82deac goes on to the "
        "root of the file system where there is none, and its user folder is `$CODEX_HOME/.agents`"
    ),
    "prompt": (
        "the document requires a default prompt; the code at 9f82deac asks for it only in "
        "`list_agents`, and spawns a file of personas alone"
    ),
    "agent_names": (
        "the document requires a description of each persona; the code at 9f82deac asks for it "
        "only in `list_agents`"
    ),
    "description": (
        f"the `spawn_agent` schema shows at most {SCHEMA_ROLES} roles, and cuts a description "
        f"after {SCHEMA_DESCRIPTION} characters"
    ),
    "user": (
        "when it starts, the runtime creates this folder and writes all its built-in templates "
        "into it, unless a file with one of their names is there"
    ),
}
