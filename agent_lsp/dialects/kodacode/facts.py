"""The tables of `kodacode`: tools, scopes, call parameters and what else to know.

Facts: sageil/kodacode near aa5479acbe0f (docs on agents, internal/agent, internal/tool,
internal/configdir), read 2026-11-27; the tools of workflows at d2f11dd9 and 6342fd1b.
"""

import re

from agent_lsp.model.dialect import Renamed
from agent_lsp.model.discovery import Skills
from agent_lsp.model.schema import Choice, KeyRole, Parameter, Source, Tool

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
    re.compile(r"\$\{([A-Za-z0-9][\w.-]*)\}|\$([A-Za-z0-9][\w.-]*)", re.ASCII),
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
        "finished handoffs whose results the child gets; the contract of the child finds them "
        "unless told",
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
    "all of its restrictions are lost; what may be done is up to `execution.permission_mode` "
    "and `permissions` in `config.yaml`",
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
    "the list decides which tools exist in the turn; whether a call is allowed, is asked for or "
    "denied is up to `execution.permission_mode` and `permissions` in `config.yaml`"
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
