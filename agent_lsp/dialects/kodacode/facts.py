"""The tables of `kodacode`: keys, tools, scopes and call parameters.

Facts: sageil/kodacode near aa5479acbe0f (docs on agents, internal/agent, internal/tool,
internal/configdir), read 2026-11-27.
"""

from agent_lsp.dialects.folders import ScopeRule
from agent_lsp.dialects.model import Choice, Holds, Key, Kind, Parameter, Source, Tool
from agent_lsp.dialects.yaml_v3 import Field, Plain, Slice, Struct

SOURCE = Source(
    "sageil/kodacode aa5479acbe0f, internal/agent and the document on agents", "2026-11-27"
)

PRIMARY, SUBAGENT, ALL = "primary", "subagent", "all"
MODES = (
    Choice(PRIMARY, "people pick it; no agent can delegate to it"),
    Choice(SUBAGENT, "other agents delegate to it; the picker does not show it"),
    Choice(ALL, "people pick it, and other agents delegate to it"),
)

KEYS = (
    Key(
        "description",
        Kind.TEXT,
        "what the agent is for, as the picker and the catalog show it",
        "the agent's id",
        holds=Holds.DESCRIPTION,
    ),
    Key(
        "model",
        Kind.TEXT,
        "the model that the agent runs on, as `provider/model`, cut at the first `/`",
        "the model of the session; for a delegated agent, that of the turn which delegates",
        holds=Holds.MODEL,
        example="openai/gpt-5-mini",
    ),
    Key(
        "mode",
        Kind.CHOICE,
        "where the agent may appear: in the picker, as a target of `delegate`, or both",
        f"`{PRIMARY}`: selectable, not delegatable",
        choices=MODES,
        example=ALL,
    ),
    Key(
        "hidden",
        Kind.BOOL,
        "`true` takes the agent out of the picker; it can still be delegated to",
        "`false`: the mode alone decides",
        choices=(
            Choice("true", "the picker does not show it"),
            Choice("false", "the picker shows it if its mode allows"),
        ),
        example="true",
    ),
    Key(
        "AllowTools",
        Kind.LIST,
        "the only tools that the agent gets, by exact name; `mcp:*` is every MCP tool and "
        "`[]` is none",
        "every tool of the turn",
        holds=Holds.ALLOW,
    ),
    Key(
        "DisallowedTools",
        Kind.LIST,
        "tools taken away, whatever `AllowTools` says, by exact name; `mcp:*` is every MCP tool",
        "nothing is taken away",
        holds=Holds.DENY,
    ),
)

_PROVIDE = Struct(
    (Field("kind", "Kind", Plain.STRING), Field("description", "Description", Plain.STRING))
)
_CONSUME = Struct(
    (
        Field("kind", "Kind", Plain.STRING),
        Field("required", "Required", Plain.BOOL),
        Field("from", "From", Plain.STRING),
        Field("max_sources", "MaxSources", Plain.INT),
        Field("missing", "Missing", Plain.STRING),
    )
)
RECORD = Struct(
    (
        Field("description", "Description", Plain.STRING),
        Field("model", "Model", Plain.STRING),
        Field("mode", "Mode", Plain.STRING),
        Field("hidden", "Hidden", Plain.BOOL),
        Field("AllowTools", "AllowTools", Slice(Plain.STRING)),
        Field("DisallowedTools", "DisallowedTools", Slice(Plain.STRING)),
        Field(
            "handoff",
            "Handoff",
            Struct(
                (
                    Field("provides", "Provides", Slice(_PROVIDE)),
                    Field("consumes", "Consumes", Slice(_CONSUME)),
                )
            ),
        ),
    )
)

# Present in any form, null too, it fails the whole catalog.
FORBIDDEN = "fallback_models"
FORBIDDEN_TEXT = "agent fallback models are not supported"

MCP_WILDCARD, MCP_PREFIX = "mcp:*", "mcp_"
WEB_SEARCH = "web_search"
_READING, _CODE, _EDITING = "reading", "code intelligence, read-only", "editing"
_GIT, _EXECUTION, _WEB = "git, read-only", "execution", "web"
_PEOPLE, _SKILLS, _WORKFLOW = "people and memory", "skills", "workflow and delegation"

TOOLS = (
    Tool("read", "reads a file", _READING),
    Tool("search", "searches file contents", _READING),
    Tool("locate", "finds files by their paths", _READING),
    Tool("symbols", "lists the symbols of a file or of the project", _CODE),
    Tool("definition", "goes to where a symbol is defined", _CODE),
    Tool("diagnostics", "shows what the language server reports", _CODE),
    Tool("refs", "finds the references to a symbol", _CODE),
    Tool("trace", "follows who calls whom", _CODE),
    Tool("apply_patch", "edits files by a patch", _EDITING),
    Tool("write", "writes a whole file", _EDITING),
    Tool("mkdir", "makes a folder", _EDITING),
    Tool("rename_symbol", "renames a symbol through the language server", _EDITING),
    Tool("code_action", "applies a refactoring or fix of the language server", _EDITING),
    Tool("git_status", "shows what has changed in the working tree", _GIT),
    Tool("git_diff", "shows the changes themselves", _GIT),
    Tool("git_show", "shows a commit or a file of one", _GIT),
    Tool("bash", "runs a command in a shell", _EXECUTION),
    Tool("test", "runs the project's tests", _EXECUTION),
    Tool(WEB_SEARCH, "finds pages on the web; there only where it is configured", _WEB),
    Tool("web_fetch", "gets the page of one address", _WEB),
    Tool("question", "asks the user to choose, and waits for the answer", _PEOPLE),
    Tool("memory", "keeps what the project should remember", _PEOPLE),
    Tool("search_skills", "finds skills by what they are for", _SKILLS),
    Tool("skill", "loads the instructions of one skill", _SKILLS),
    Tool("task_workflow", "keeps a list of tasks that outlasts the turn", _WORKFLOW),
    Tool("task_review", "records the outcome of reviewing a task", _WORKFLOW),
    Tool("delegate", "runs another agent in a child session", _WORKFLOW),
)

GLOBS = (Choice(MCP_WILDCARD, "every tool of every MCP server"),)

SCOPES = (
    ScopeRule("project", "project", (".kodacode/agents",)),
    ScopeRule("user", "global", ("$XDG_CONFIG_HOME/kodacode/agents", "~/.config/kodacode/agents")),
    ScopeRule("builtin", "built into the runtime", ("kodacode/builtin",), builtin=True),
)

DEFAULT_AGENT = "builder"
MAX_SUMMARY = 2000

# What delegation itself takes from an agent, whatever its lists say, by the agent's id.
TAKEN = {
    "planner": ("question", "task_workflow", "save_plan"),
    "reviewer": ("task_workflow",),
}
# What a delegated agent keeps only while the parent's session has tasks.
TAKEN_WITHOUT_TASKS = {"reviewer": ("task_review",)}

STATES = (
    Choice("completed", "the child has answered; `assistant_text` is its answer"),
    Choice("failed", "the child's turn failed; `error` says why"),
    Choice("pending_permission", "the child waits for a permission, `pending_permission`"),
    Choice("pending_question", "the child waits for an answer of the user, `pending_question`"),
)

LIST_PARAMETERS = (Parameter("id", str, "only this agent", holds=Holds.AGENT),)

SPAWN_PARAMETERS = (
    Parameter(
        "agent_id",
        str,
        "the child agent; its mode must be `subagent` or `all`",
        holds=Holds.AGENT,
    ),
    Parameter("task", str, "the task of the child", content=True, holds=Holds.TASK),
    Parameter(
        "context_summary",
        str,
        f"what the child has to know, at most {MAX_SUMMARY} characters",
        content=True,
    ),
    Parameter(
        "source_handoff_ids",
        list,
        "finished handoffs whose results the child gets; the contract of the child finds them "
        "unless told",
    ),
)

_LOST = "the runtime ignores it without a word, and the agent gets every tool"

# Keys of older versions and of other systems; without a word of the runtime they do nothing.
IGNORED = {
    "tools": f"the key is `AllowTools`; {_LOST} (in older versions an empty list was all tools)",
    "allowTools": f"the key is `AllowTools`, and case matters; {_LOST}",
    "allow_tools": f"the key is `AllowTools`; {_LOST}",
    "allowed_tools": f"the key is `AllowTools`; {_LOST}",
    "disallowedTools": f"the key is `DisallowedTools`, and case matters; {_LOST}",
    "deny_tools": f"the key is `DisallowedTools`; {_LOST}",
    "disallowed_tools": f"the key is `DisallowedTools`; {_LOST}",
    "permission": (
        "`execution.permission_mode` and `permissions` in `config.yaml` decide what may be done"
    ),
    "name": "the file's name is the id",
    "temperature": "no setting of an agent",
    "max_tokens": "no setting of an agent",
    "reasoning_budget": "no setting of an agent",
    "skills": "an agent may use every skill; deny `skill` and `search_skills` to keep it from that",
}

_VISIBILITY = (
    "the list decides which tools exist in the turn; whether a call is allowed, is asked for or "
    "denied is up to `execution.permission_mode` and `permissions` in `config.yaml`"
)
_SKILLS = (
    "skills lie in `$XDG_CONFIG_HOME/kodacode/skills` (else `~/.config/kodacode/skills`) and in "
    "`.kodacode/skills` of the workspace; `$name` in a message loads one"
)

# Where document and code differ, or where neither shows in the file; hover says so at that place.
NOTES = {
    "file": "one malformed agent file fails the whole catalog, wherever it lies",
    "AllowTools": _VISIBILITY,
    "DisallowedTools": _VISIBILITY,
    "handoff": "the document does not know this key; the code at aa5479acbe0f reads it",
    "question": (
        "a `planner` that people picked shows its plan and asks with it whether to save, apply, "
        "revise or stop; a saved plan lies in `.kodacode/plans/`, and `engineer` applies it"
    ),
    "task_workflow": "`engineer` owns the tasks of a session",
    "task_review": (
        "`reviewer` owns the review of tasks; with `workflow.review_mode: auto` the runtime "
        "starts it after a turn of `engineer`, once every task is completed and one of them has "
        "no review yet; `manual` leaves it to the agents, `off` starts none; "
        "`workflow.review_model` is the model of such a turn"
    ),
    "skill": _SKILLS,
    "search_skills": _SKILLS,
}
