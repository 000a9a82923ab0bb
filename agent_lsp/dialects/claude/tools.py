"""The tools of Claude Code, and which of them a sub-agent can have.

Facts: code.claude.com/docs/tools-reference as of 2026-08-22 and sub-agents as of 2026-10-08, and
the CHANGELOG of anthropics/claude-code at 5cfc0a1; read 2026-11-28.
"""

from agent_lsp.model.schema import Tool

_FILES, _SHELL, _WEB, _PLAN = "files", "shell", "web", "planning"
_AGENTS, _SKILLS, _TASKS, _SESSION = "agents", "skills", "tasks", "session"
AGENT, TASK, EXIT_PLAN, SHELL = "Agent", "Task", "ExitPlanMode", "Bash"

TOOLS = (
    Tool("Read", "reads a file", _FILES),
    Tool("Write", "writes a whole file", _FILES),
    Tool("Edit", "replaces text in a file", _FILES),
    Tool("NotebookEdit", "edits a cell of a notebook", _FILES),
    Tool("Glob", "finds files by their paths", _FILES),
    Tool("Grep", "searches file contents", _FILES),
    Tool("LSP", "asks a language server about code", _FILES),
    Tool("Bash", "runs a command in a shell", _SHELL),
    Tool("PowerShell", "runs a command in PowerShell", _SHELL),
    Tool("Monitor", "waits for the output of a command", _SHELL),
    Tool("WebFetch", "gets a page and answers a question about it", _WEB),
    Tool("WebSearch", "searches the web", _WEB),
    Tool("TodoWrite", "keeps a list of tasks", _PLAN),
    Tool(AGENT, "delegates to a sub-agent; `Task` is its old name", _AGENTS),
    Tool("ListAgents", "lists the running agents", _AGENTS),
    Tool("SendMessage", "sends a message to another agent", _AGENTS),
    Tool("Skill", "loads the instructions of a skill", _SKILLS),
    Tool("ToolSearch", "finds tools that are not loaded yet", _SKILLS),
    Tool("TaskCreate", "adds a task to the list", _TASKS),
    Tool("TaskGet", "shows a task", _TASKS),
    Tool("TaskList", "lists the tasks", _TASKS),
    Tool("TaskStop", "stops a task in the background", _TASKS),
    Tool("TaskUpdate", "changes a task", _TASKS),
    Tool("CronCreate", "schedules a prompt", _TASKS),
    Tool("CronDelete", "removes a scheduled prompt", _TASKS),
    Tool("CronList", "lists the scheduled prompts", _TASKS),
    Tool("RemoteTrigger", "runs a routine in the cloud", _TASKS),
    Tool("Artifact", "publishes a page", _SESSION),
    Tool("EnterWorktree", "enters a Git worktree", _SESSION),
    Tool("ExitWorktree", "leaves the Git worktree", _SESSION),
    Tool("ListMcpResourcesTool", "lists the resources of MCP servers", _SESSION),
    Tool("ReadMcpResourceTool", "reads a resource of an MCP server", _SESSION),
    Tool("PushNotification", "notifies the user", _SESSION),
    Tool("ReportFindings", "reports the findings of a review", _SESSION),
    Tool("SendUserFile", "sends a file to the user", _SESSION),
    Tool("ShareOnboardingGuide", "shares a guide with the team", _SESSION),
)

WITHHELD = (
    Tool("AskUserQuestion", "asks the user to choose", _SESSION),
    Tool("EndConversation", "ends the conversation", _SESSION),
    Tool("EnterPlanMode", "starts to plan", _PLAN),
    Tool(EXIT_PLAN, "shows the plan to the user", _PLAN),
    Tool("ScheduleWakeup", "continues the session later", _TASKS),
    Tool("TaskOutput", "shows the output of a task", _TASKS),
    Tool("WaitForMcpServers", "waits until MCP servers are ready", _SESSION),
    Tool("Workflow", "runs a workflow of several agents", _AGENTS),
)

# Old names that the runtime still accepts; measured with 2.1.332, 2026-11-28.
ALIASES = {TASK: AGENT, "KillShell": "TaskStop", "KillBash": "TaskStop"}
# Tools that are built on another one, and denied with it; also measured there.
BUILT_ON = {"Monitor": "Bash"}

# Since 2.1.117 builds for Linux and macOS search with `Bash`, and give these only to an agent that
# names them and has no `Bash`: also measured there, and the CHANGELOG at 5cfc0a1.
SEARCH = frozenset({"Glob", "Grep"})
SEARCHES = "the runtime's build searches without `Bash`, as on Windows"

# Old tools, with the tool that now does the same.
RETIRED = {
    "MultiEdit": "Edit",
    "NotebookRead": "Read",
    "LS": "Glob",
    "BashOutput": "Read",
    "SlashCommand": "Skill",
}

# The tools that an agent keeps in the background, besides MCP tools and `EXEMPT`, in every version
# that has such agents; newer versions also keep those in `KEPT_SINCE`.
IN_BACKGROUND = frozenset(
    {
        *("Read", "Grep", "Glob", "Bash", "PowerShell", "Edit", "Write", "NotebookEdit"),
        *("WebFetch", "WebSearch", "TodoWrite", "Skill", "ToolSearch", "EnterWorktree"),
        *("ExitWorktree", "Monitor", "TaskStop", "SendMessage", "Artifact"),
    }
)
KEPT_SINCE = {"LSP": "2.1.280"}
EXEMPT = frozenset({AGENT, EXIT_PLAN})
# The tools that `memory` turns on, whatever `tools` says.
FOR_MEMORY = frozenset({"Read", "Write", "Edit"})
