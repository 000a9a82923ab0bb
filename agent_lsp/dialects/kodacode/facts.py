"""The tables of `kodacode`: keys, tools, scopes, call parameters and what else to know."""

import re

from agent_lsp.decoders.yaml_v3 import Field, Plain, Slice, Struct
from agent_lsp.model.discovery import Skills
from agent_lsp.model.schema import Choice, Key, KeyRole, Parameter, Renamed, Source, Tool, ValueKind
from agent_lsp.patterns import regex

SOURCE = Source(
    "sageil/kodacode aa5479acbe0f, internal/agent and the document on agents", "2026-11-27"
)

MCP_WILDCARD, MCP_PREFIX = "mcp:*", "mcp_"
DELEGATE = "delegate"
WEB_SEARCH = "web_search"
_READING, _CODE, _EDITING = "reading", "code intelligence, read-only", "editing"
_GIT, _EXECUTION, _WEB = "git, read-only", "execution", "web"
_PEOPLE, _SKILLS, _WORKFLOW = "people and memory", "skills", "workflow and delegation"
# Added at d2f11dd9, with the workflows.
_LATER = "the runtime is newer than the document on agents"

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
    Tool(WEB_SEARCH, "finds pages on the web", _WEB, "the runtime has it configured"),
    Tool("web_fetch", "fetches one page", _WEB),
    Tool("question", "asks the user to choose, and waits for the answer", _PEOPLE),
    Tool("memory", "keeps what the project should remember", _PEOPLE),
    Tool("search_skills", "finds skills by what they are for", _SKILLS),
    Tool("skill", "loads the instructions of one skill", _SKILLS),
    Tool("task_workflow", "keeps a list of tasks that outlasts the turn", _WORKFLOW),
    Tool("task_review", "records the outcome of reviewing a task", _WORKFLOW),
    Tool(DELEGATE, "runs another agent in a child session", _WORKFLOW),
    Tool(
        "workflow_phase_output", "hands in the result of a phase of a workflow", _WORKFLOW, _LATER
    ),
    Tool("workflow_review_result", "records the verdict of a review", _WORKFLOW, _LATER),
)
CONDITIONS = {tool.name: tool.condition for tool in TOOLS if tool.condition}

GLOBS = (Choice(MCP_WILDCARD, "every tool of every MCP server"),)

# internal/skill/loader.go, and `skillMentionPattern` in internal/app.
SKILLS = Skills(
    "skills",
    "SKILL.md",
    regex(r"\$\{([A-Za-z0-9][\w.-]*)\}|\$([A-Za-z0-9][\w.-]*)", re.ASCII),
)

DEFAULT_AGENT = "builder"
MAX_SUMMARY = 2000

# The tools that delegation removes from an agent, whatever its lists say, by the agent's id.
TAKEN = {
    "planner": ("question", "task_workflow", "save_plan"),
    "reviewer": ("task_workflow",),
}
# The tools that a delegated agent keeps only while the parent's session has tasks.
TAKEN_WITHOUT_TASKS = {"reviewer": ("task_review",)}

STATES = (
    Choice("completed", "the child has answered; `assistant_text` is its answer"),
    Choice("failed", "the child's turn failed; `error` says why"),
    Choice("pending_permission", "the child waits for a permission, `pending_permission`"),
    Choice("pending_question", "the child waits for an answer of the user, `pending_question`"),
)

LIST_PARAMETERS = (Parameter("id", str, "show only this agent", role=KeyRole.AGENT),)

# Two ways in which an agent runs, for previews.
AS, SESSION, DELEGATION = "as", "session", "delegation"
SPAWN_PARAMETERS = (
    Parameter(
        "agent_id",
        str,
        "the child agent; its mode must be `subagent` or `all`",
        role=KeyRole.AGENT,
    ),
    Parameter("task", str, "the task of the child", content=True, role=KeyRole.TASK),
    Parameter(
        "context_summary",
        str,
        f"what the child has to know, at most {MAX_SUMMARY} characters",
        content=True,
    ),
    Parameter(
        "source_handoff_ids",
        list,
        "finished handoffs whose results the child gets; by default the contract of the child "
        "selects them",
    ),
    Parameter(
        AS,
        str,
        f"`{SESSION}`: run it as a person picks it, instead of delegating to it",
        choices=(
            Choice(SESSION, "as a person picks it"),
            Choice(DELEGATION, "as a call of `delegate` runs it"),
        ),
    ),
)

_ALL = "the agent gets every tool"
_NONE_DENIED = "no tool is denied"
_UNRESTRICTED = Renamed(
    None,
    "all of its restrictions are lost; `execution.permission_mode` and `permissions` in "
    "`config.yaml` decide "
    "what it may do",
)

# Keys of older versions and of other systems; without a word of the runtime they do nothing.
RENAMED = {
    "tools": Renamed("AllowTools", _ALL, empty_meant_all=True),
    "allowTools": Renamed("AllowTools", _ALL),
    "allow_tools": Renamed("AllowTools", _ALL),
    "allowedTools": Renamed("AllowTools", _ALL),
    "allowed_tools": Renamed("AllowTools", _ALL),
    "allowed-tools": Renamed("AllowTools", _ALL),
    "disallowedTools": Renamed("DisallowedTools", _NONE_DENIED),
    "disallowed_tools": Renamed("DisallowedTools", _NONE_DENIED),
    "disallowed-tools": Renamed("DisallowedTools", _NONE_DENIED),
    "denyTools": Renamed("DisallowedTools", _NONE_DENIED),
    "deny_tools": Renamed("DisallowedTools", _NONE_DENIED),
    "permission": _UNRESTRICTED,
    "permissions": _UNRESTRICTED,
    "permissionMode": _UNRESTRICTED,
    "permission_mode": _UNRESTRICTED,
}
IGNORED = {
    "name": "the file's name is the id",
    "temperature": "no setting of an agent",
    "max_tokens": "no setting of an agent",
    "reasoning_budget": "no setting of an agent",
    "skills": "an agent may use every skill; deny `skill` and `search_skills` to keep it from that",
}

_VISIBILITY = (
    "the list decides which tools exist in the turn; `execution.permission_mode` and "
    "`permissions` in `config.yaml` decide whether a "
    "call is allowed, denied, or needs a question"
)
_SKILLS = (
    "skills are in `$XDG_CONFIG_HOME/kodacode/skills` (else `~/.config/kodacode/skills`) and in "
    "`.kodacode/skills` of the workspace; `$name` in a message loads one"
)

# Differences between document and code, and facts that the file does not show; hover shows them.
NOTES = {
    "file": "one malformed agent file fails the whole catalog, wherever it is",
    "AllowTools": _VISIBILITY,
    "DisallowedTools": _VISIBILITY,
    "handoff": "the document does not know this key; the code at aa5479acbe0f reads it",
    "question": (
        "a `planner` that people picked shows its plan and asks with it whether to save, apply, "
        "revise or stop; a saved plan is in `.kodacode/plans/`, and `engineer` applies it"
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


PRIMARY, SUBAGENT, ALL = "primary", "subagent", "all"
MODES = (
    Choice(PRIMARY, "people pick it; no agent can delegate to it"),
    Choice(SUBAGENT, "other agents delegate to it; the picker does not show it"),
    Choice(ALL, "people pick it, and other agents delegate to it"),
)

_PROVIDES = Key(
    "provides",
    ValueKind.RECORDS,
    "the kinds of results that the agent hands on",
    "the agent's result is of no kind",
    items=(
        Key("kind", ValueKind.TEXT, "what the result is called", "the entry has no effect"),
        Key("description", ValueKind.TEXT, "what the result is", "the result is not described"),
    ),
    record="markdownFrontMatter",
)
_CONSUMES = Key(
    "consumes",
    ValueKind.RECORDS,
    "the kinds of results that the agent wants from handoffs before it",
    "no result is handed to the agent",
    items=(
        Key("kind", ValueKind.TEXT, "what the result is called", "the entry has no effect"),
        Key(
            "required",
            ValueKind.BOOL,
            "whether a call without such a result is refused",
            "`false`: the agent starts without it",
            choices=(Choice("true", "refused"), Choice("false", "started all the same")),
        ),
        Key(
            "from",
            ValueKind.TEXT,
            "which results are used; any other word than `latest` is refused at the call",
            "`latest`",
            choices=(Choice("latest", "the latest results of that kind"),),
        ),
        Key(
            "max_sources",
            ValueKind.NUMBER,
            "how many results at most",
            "1, also for any smaller number",
        ),
        Key(
            "missing",
            ValueKind.TEXT,
            "`reject` refuses a call without such a result, as `required` does",
            "`required` alone decides",
            choices=(Choice("reject", "a call without such a result is refused"),),
        ),
    ),
    record="markdownFrontMatter",
)

KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for, as the picker and the catalog show it",
        "the agent's id",
        role=KeyRole.DESCRIPTION,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model that the agent runs on, as `provider/model`, cut at the first `/`",
        "the model of the session; for a delegated agent, the model of the turn that delegates",
        role=KeyRole.MODEL,
        example="openai/gpt-5-mini",
    ),
    Key(
        "mode",
        ValueKind.CHOICE,
        "where the agent may appear: in the picker, as a target of `delegate`, or both",
        f"`{PRIMARY}`: selectable, not delegatable",
        role=KeyRole.AVAILABILITY,
        choices=MODES,
        example=ALL,
    ),
    Key(
        "hidden",
        ValueKind.BOOL,
        "`true` removes the agent from the picker; it can still be delegated to",
        "`false`: the mode alone decides",
        role=KeyRole.AVAILABILITY,
        choices=(
            Choice("true", "the picker does not show it"),
            Choice("false", "the picker shows it if its mode allows"),
        ),
        example="true",
    ),
    Key(
        "AllowTools",
        ValueKind.LIST,
        "the only tools that the agent gets, by exact name; `mcp:*` is every MCP tool and "
        "`[]` is none",
        "every tool of the turn",
        role=KeyRole.ALLOW,
    ),
    Key(
        "DisallowedTools",
        ValueKind.LIST,
        "tools to remove, whatever `AllowTools` says, by exact name; `mcp:*` is every MCP tool",
        "nothing is removed",
        role=KeyRole.DENY,
    ),
    Key(
        "handoff",
        ValueKind.TABLE,
        "what kinds of results the agent hands on when it was delegated to, and which it wants "
        "from handoffs before it",
        "no contract: the result is of no kind, and nothing is handed to the agent",
        items=(_PROVIDES, _CONSUMES),
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
