"""The tables of `gemini`: keys, tools, models, variables, call parameters and notes.

Facts: Gemini CLI 0.61.0, measured 2026-11-28, with what its bundle and google-gemini/gemini-cli at
5411f11 (packages/core/src/agents, tools/tool-names.ts) say beside it, read on the same day.
"""

from agent_lsp.model.schema import (
    Choice,
    Key,
    KeyRole,
    Model,
    Parameter,
    Source,
    Tool,
    ValueKind,
    When,
)

MEASURED = "0.61.0"
SOURCE = Source(f"@google/gemini-cli {MEASURED}, measured", "2026-11-28")
PACKAGES = (
    "node_modules/@google/gemini-cli/package.json",
    "~/.npm-global/lib/node_modules/@google/gemini-cli/package.json",
    "/usr/local/lib/node_modules/@google/gemini-cli/package.json",
    "/usr/lib/node_modules/@google/gemini-cli/package.json",
)

LOCAL, REMOTE = "local", "remote"
REFUSED = "the runtime refuses the file"
DEAD = "the agent is listed, and every call of it fails"
# A minute more, and the timer overflows.
LONGEST_TIMEOUT = 35_791
_RUNTIME = "the runtime"

_COMMON = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name by which the agent is called: lower-case letters, digits, `-` and `_`",
        REFUSED,
        role=KeyRole.AGENT,
        required_by=_RUNTIME,
        mandatory=True,
        nullable=False,
        example="code-reviewer",
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for; the session's model gets it word for word",
        REFUSED,
        role=KeyRole.DESCRIPTION,
        required_by=_RUNTIME,
        mandatory=True,
        nullable=False,
        example="Reviews a change for mistakes.",
    ),
    Key(
        "kind",
        ValueKind.CHOICE,
        "whether the agent runs here or is reached by an agent card",
        "`local`, or `remote` where there is a card",
        nullable=False,
        choices=(
            Choice(LOCAL, "it runs in this session"),
            Choice(REMOTE, "it runs elsewhere, and has other keys: a card and `auth`"),
        ),
    ),
    Key(
        "display_name",
        ValueKind.TEXT,
        "a name for people; no model sees it",
        "people see `name`",
        nullable=False,
    ),
)
_SERVER = (
    Key("command", ValueKind.TEXT, "the program that is the server", "no program is started"),
    Key("args", ValueKind.LIST, "its arguments", "none"),
    Key("env", ValueKind.TABLE, "its variables, each a string", "none"),
    Key("cwd", ValueKind.TEXT, "the folder in which it starts", "the session's"),
    Key("url", ValueKind.TEXT, "the address of a server that runs elsewhere", "none"),
    Key("http_url", ValueKind.TEXT, "the address of a server with streamable HTTP", "none"),
    Key("headers", ValueKind.TABLE, "headers of each request", "none"),
    Key("tcp", ValueKind.TEXT, "the address of a server on TCP", "none"),
    Key(
        "type",
        ValueKind.CHOICE,
        "the transport of `url`",
        "the runtime tries both",
        choices=(Choice("sse", "server-sent events"), Choice("http", "streamable HTTP")),
    ),
    Key(
        "timeout",
        ValueKind.NUMBER,
        "milliseconds until a call fails",
        "10 minutes",
        has_fraction=True,
    ),
    Key("trust", ValueKind.BOOL, "whether calls need no confirmation", "`false`"),
    Key("description", ValueKind.TEXT, "a description for people", "none"),
    Key("include_tools", ValueKind.LIST, "the only tools of it that the agent gets", "all"),
    Key("exclude_tools", ValueKind.LIST, "tools of it that the agent does not get", "none"),
    Key("auth", ValueKind.TABLE, "how to log in", "no log-in"),
)
_LOCALLY, _ELSEWHERE = When("kind", (LOCAL,)), When("kind", (REMOTE,))
_BY_KEY, _BY_HTTP = When("type", ("apiKey",)), When("type", ("http",))
_BY_SCOPES, _BY_OAUTH = When("type", ("google-credentials", "oauth")), When("type", ("oauth",))
_NO = "none"
_AUTH = (
    Key(
        "type",
        ValueKind.CHOICE,
        "the way to log in",
        REFUSED,
        required_by=_RUNTIME,
        choices=(
            Choice("apiKey", "a key"),
            Choice("http", "a header of HTTP"),
            Choice("google-credentials", "the credentials of Google on this machine"),
            Choice("oauth", "OAuth"),
        ),
    ),
    Key("key", ValueKind.TEXT, "the key", REFUSED, when=_BY_KEY),
    Key("name", ValueKind.TEXT, "the name of the header of the key", "the usual one", when=_BY_KEY),
    Key("scheme", ValueKind.TEXT, "`Bearer`, `Basic` or another one", REFUSED, when=_BY_HTTP),
    Key("token", ValueKind.TEXT, "the token of `Bearer`", _NO, when=_BY_HTTP),
    Key("username", ValueKind.TEXT, "the name of `Basic`", _NO, when=_BY_HTTP),
    Key("password", ValueKind.TEXT, "the password of `Basic`", _NO, when=_BY_HTTP),
    Key("value", ValueKind.TEXT, "everything after the scheme, for any scheme", _NO, when=_BY_HTTP),
    Key("scopes", ValueKind.LIST, "what the agent may do", _NO, when=_BY_SCOPES),
    *(
        Key(name, ValueKind.TEXT, meaning, _NO, when=_BY_OAUTH)
        for name, meaning in (
            ("client_id", "the id of the client"),
            ("client_secret", "its secret"),
            ("authorization_url", "where a person agrees"),
            ("token_url", "where a token comes from"),
            ("issuer", "who issues tokens"),
            ("redirect_uri", "where the person returns to"),
            ("token_param_name", "the name of the token in a request"),
            ("registration_url", "where a client registers"),
        )
    ),
    Key("audiences", ValueKind.LIST, "for whom a token is", _NO, when=_BY_OAUTH),
)
SERVER_KEYS = frozenset(key.name for key in _SERVER)
# Names of settings.json, which have no effect here.
SERVER_RENAMED = {
    "httpUrl": "http_url",
    "includeTools": "include_tools",
    "excludeTools": "exclude_tools",
}
LOCAL_KEYS = (
    *_COMMON,
    Key(
        "tools",
        ValueKind.LIST,
        "the only tools that the agent gets of those that its session has; `[]` leaves it only "
        "`complete_task`",
        "all tools of the session that a sub-agent can have",
        role=KeyRole.ALLOW,
        nullable=False,
        when=_LOCALLY,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model; any id is sent unchanged",
        "the model of the session",
        role=KeyRole.MODEL,
        nullable=False,
        when=_LOCALLY,
        example="inherit",
    ),
    Key(
        "temperature",
        ValueKind.NUMBER,
        "a number, which never reaches the model: each request uses the model's own temperature",
        "no difference",
        has_fraction=True,
        nullable=False,
        when=_LOCALLY,
    ),
    Key(
        "max_turns",
        ValueKind.NUMBER,
        "the number of turns after which the agent must end; it gets one more turn to finish",
        "30",
        nullable=False,
        when=_LOCALLY,
    ),
    Key(
        "timeout_mins",
        ValueKind.NUMBER,
        f"the number of minutes after which the agent must end, at most {LONGEST_TIMEOUT}",
        "10",
        nullable=False,
        when=_LOCALLY,
    ),
    Key(
        "mcp_servers",
        ValueKind.TABLE,
        "MCP servers of the agent alone, by name; it gets all their tools, whatever `tools` says",
        "only the servers of the session",
        nullable=False,
        items=_SERVER,
        is_named=True,
        when=_LOCALLY,
    ),
)
REMOTE_ONLY = (
    Key(
        "agent_card_url",
        ValueKind.TEXT,
        "the address of its card, which is fetched at each start",
        "`agent_card_json` has the card",
        nullable=False,
        when=_ELSEWHERE,
        example="https://example.com/.well-known/agent-card.json",
    ),
    Key(
        "agent_card_json",
        ValueKind.TEXT,
        "its card as a string in JSON",
        "`agent_card_url` leads to the card",
        nullable=False,
        when=_ELSEWHERE,
        example="'{}'",
    ),
    Key(
        "auth",
        ValueKind.TABLE,
        "how to log in. `$NAME` is read from the environment, and a value that "
        "begins with `!` is run in a shell",
        "no log-in",
        nullable=False,
        items=_AUTH,
        when=_ELSEWHERE,
    ),
)
REMOTE_KEYS = (*_COMMON, *REMOTE_ONLY)
KEYS = (*LOCAL_KEYS, *REMOTE_ONLY)
ONLY_LOCAL = frozenset(
    {"tools", "mcp_servers", "model", "temperature", "max_turns", "timeout_mins"}
)
ONLY_REMOTE = frozenset(key.name for key in REMOTE_ONLY)

_FILES, _SHELL, _WEB, _PLAN = "files", "shell", "web", "planning"
_TASKS, _SESSION, _MCP = "tasks", "session", "MCP"
_MODE = "a session without a terminal has it only with `--approval-mode {}`"
_EDITS, _YOLO = _MODE.format("auto_edit` or `yolo"), _MODE.format("yolo")
_TRACKER = "`experimental.taskTracker` is true in the settings"
COMPLETE, INVOKE, TOPIC = "complete_task", "invoke_agent", "update_topic"
SEARCH_ALIAS = {"search_file_content": "grep_search"}
DISCOVERED = "discovered_tool_"

TOOLS = (
    Tool("read_file", "reads a file", _FILES),
    Tool("list_directory", "lists a folder", _FILES),
    Tool("glob", "finds files by their paths", _FILES),
    Tool("grep_search", "searches file contents", _FILES),
    Tool("write_file", "writes a whole file", _FILES, notes=(_EDITS,)),
    Tool("replace", "replaces text in a file", _FILES, notes=(_EDITS,)),
    Tool("run_shell_command", "runs a command in a shell", _SHELL, notes=(_YOLO,)),
    Tool("google_web_search", "searches the web", _WEB),
    Tool("web_fetch", "fetches a page and answers a question about it", _WEB, notes=(_EDITS,)),
    Tool("activate_skill", "loads the instructions of a skill", _SESSION, notes=(_YOLO,)),
    Tool("enter_plan_mode", "starts to plan", _PLAN),
    Tool("exit_plan_mode", "shows the plan to the user", _PLAN, "the session is in plan mode"),
    Tool(
        "write_todos",
        "keeps a list of tasks",
        _PLAN,
        "the session's model is of the 2.5 family",
    ),
    Tool("ask_user", "asks the user", _SESSION, "the session is at a terminal"),
    Tool("tracker_create_task", "adds a task", _TASKS, _TRACKER),
    Tool("tracker_update_task", "changes a task", _TASKS, _TRACKER),
    Tool("tracker_get_task", "shows a task", _TASKS, _TRACKER),
    Tool("tracker_list_tasks", "lists the tasks", _TASKS, _TRACKER),
    Tool("tracker_add_dependency", "says that a task needs another one", _TASKS, _TRACKER),
    Tool("tracker_visualize", "draws the tasks", _TASKS, _TRACKER),
    Tool("read_mcp_resource", "reads a resource of an MCP server", _MCP, "a server has resources"),
    Tool(
        "list_mcp_resources", "lists the resources of MCP servers", _MCP, "a server has resources"
    ),
    Tool(COMPLETE, "ends the agent's work with a result; every agent has it", _SESSION),
)
WITHHELD = (
    Tool(INVOKE, "starts a sub-agent", _SESSION),
    Tool(TOPIC, "says what the session is about", _SESSION),
    Tool("read_many_files", "read several files in older versions", _FILES),
    Tool("get_internal_docs", "reads the pages of Gemini CLI itself", _SESSION),
)
# Why no agent has one of these, though `tools` may name it.
NEVER = {
    INVOKE: "a sub-agent cannot start another one",
    TOPIC: "only the session itself has it",
    "read_many_files": f"Gemini CLI {MEASURED} no longer has such a tool",
    "get_internal_docs": "only the built-in `cli_help` has it",
}
# Tools that an agent gets without `tools` or by `*`, and that `tools` cannot name.
UNNAMEABLE = ("list_background_processes", "read_background_output")
NAMES = frozenset(tool.name for tool in (*TOOLS, *WITHHELD)) | frozenset(SEARCH_ALIAS)

_SENT = "the request has `{}`"
_ROUTED = "chosen for each call; without a terminal `gemini-3.1-pro-preview`"
RESOLVED = {
    "auto": "gemini-3.1-pro-preview",
    "auto-gemini-3": "gemini-3.1-pro-preview",
    "auto-gemini-2.5": "gemini-3.1-pro-preview",
    "pro": "gemini-3.1-pro-preview-customtools",
    "flash": "gemini-3.8-flash",
    "flash-lite": "gemini-3.5-flash-lite",
    "gemini-3-pro-preview": "gemini-3.1-pro-preview-customtools",
    "chat-compression-default": "gemini-3.1-pro-preview-customtools",
}
INHERIT = "inherit"
# Names of the runtime's own settings, which are no models: a call with one fails.
UNRESOLVED = ("base", "chat-base")
_IDS = (
    "gemini-3.1-pro-preview",
    "gemini-3.1-pro-preview-customtools",
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
    "gemini-3-flash",
    "gemini-3.8-flash",
    "gemini-3.5-flash",
    "gemini-3.5-flash-lite",
    "gemini-3.1-flash-lite",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
    "gemma-4-31b-it",
    "gemma-4-26b-a4b-it",
)
MODELS = (
    Model(INHERIT, (), "the model of the session"),
    *(Model(name, (), _ROUTED) for name in ("auto", "auto-gemini-3", "auto-gemini-2.5")),
    *(Model(name, (), _SENT.format(RESOLVED[name])) for name in ("pro", "flash", "flash-lite")),
    *(Model(name, ()) for name in _IDS),
)
# What else the runtime takes for a model: names of its own settings.
INNER = frozenset({"classifier", "chat-compression-default"})

VARIABLES = (
    Choice("query", "the prompt of the call"),
    Choice("today", "the date"),
    Choice("activeModel", "the model of the session"),
    Choice("cliVersion", "the version of Gemini CLI"),
)
# In the order in which the runtime prints them.
INPUTS = ("query", "cliVersion", "activeModel", "today")

_NAME = Parameter("agent_name", str, "the agent, by its `name`", role=KeyRole.AGENT)
LIST_PARAMETERS = (_NAME,)
SPAWN_PARAMETERS = (
    _NAME,
    Parameter("prompt", str, "the task, the agent's first message", content=True),
    Parameter("wait_for_previous", bool, "whether it waits for calls before it", content=True),
)

NOTES = {
    "project": (
        "a session looks only in the folder in which it starts, not above it. An agent of a "
        "project exists once a person has confirmed this exact text in an interactive session; "
        "each edit needs a new confirmation, and a session without a terminal reports nothing"
    ),
    "extension": (
        "agents of an extension exist in every session in which it is installed and active; they "
        "need no confirmation, and their names get no prefix"
    ),
    "tools": (
        "what restricts the session also restricts its agents: `tools.exclude`, a policy that "
        "denies, and "
        "`tools.core`, without whose `complete_task` no agent can end"
    ),
    "temperature": (
        "to change it, write `modelConfigs.overrides` in settings.json, with the agent's name as "
        "`match.overrideScope`, and `modelConfig.generateContentConfig.temperature`"
    ),
    "model": (
        "`agents.overrides.<name>.modelConfig.model` in the settings has precedence over the header"
    ),
    "mcp_servers": (
        "only `include_tools` and `exclude_tools` limit the tools of these servers; give the "
        "servers of two agents different names"
    ),
}
