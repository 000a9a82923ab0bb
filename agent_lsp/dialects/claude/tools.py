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
    Tool("TodoWrite", "keeps a list of what is to be done", _PLAN),
    Tool(AGENT, "delegates to a sub-agent; `Task` is its old name", _AGENTS),
    Tool("ListAgents", "lists the agents that run", _AGENTS),
    Tool("SendMessage", "sends a message to another agent", _AGENTS),
    Tool("Skill", "loads the instructions of a skill", _SKILLS),
    Tool("ToolSearch", "finds tools that are not loaded yet", _SKILLS),
    Tool("TaskCreate", "adds a task to the list", _TASKS),
    Tool("TaskGet", "shows a task", _TASKS),
    Tool("TaskList", "lists the tasks", _TASKS),
    Tool("TaskStop", "stops what runs in the background", _TASKS),
    Tool("TaskUpdate", "changes a task", _TASKS),
    Tool("CronCreate", "plans a prompt for later", _TASKS),
    Tool("CronDelete", "removes a planned prompt", _TASKS),
    Tool("CronList", "lists the planned prompts", _TASKS),
    Tool("RemoteTrigger", "runs a routine in the cloud", _TASKS),
    Tool("Artifact", "publishes a page", _SESSION),
    Tool("EnterWorktree", "goes to a Git worktree", _SESSION),
    Tool("ExitWorktree", "leaves the Git worktree", _SESSION),
    Tool("ListMcpResourcesTool", "lists what MCP servers offer to read", _SESSION),
    Tool("ReadMcpResourceTool", "reads what an MCP server offers", _SESSION),
    Tool("PushNotification", "notifies the user", _SESSION),
    Tool("ReportFindings", "hands in the findings of a review", _SESSION),
    Tool("SendUserFile", "sends a file to the user", _SESSION),
    Tool("ShareOnboardingGuide", "shares a guide with the team", _SESSION),
)

WITHHELD = (
    Tool("AskUserQuestion", "asks the user to choose", _SESSION),
    Tool("EndConversation", "ends the conversation", _SESSION),
    Tool("EnterPlanMode", "begins to plan", _PLAN),
    Tool(EXIT_PLAN, "shows the plan to the user", _PLAN),
    Tool("ScheduleWakeup", "continues the session later", _TASKS),
    Tool("TaskOutput", "shows what a task has written", _TASKS),
    Tool("WaitForMcpServers", "waits until MCP servers are there", _SESSION),
    Tool("Workflow", "runs a workflow of several agents", _AGENTS),
)

# Names that the runtime still takes for those of today; measured with 2.1.332, 2026-11-28.
ALIASES = {TASK: AGENT, "KillShell": "TaskStop", "KillBash": "TaskStop"}
# What goes with another tool that is denied, which it is built on; measured there, too.
BUILT_ON = {"Monitor": "Bash"}

# Since 2.1.117 builds for Linux and macOS search with `Bash`, and give these only to an agent that
# names them and has no `Bash`: measured there, too, and the CHANGELOG at 5cfc0a1.
SEARCH = frozenset({"Glob", "Grep"})
SEARCHES = "the runtime's build searches without `Bash`, as on Windows"

# Which tool does today what another one did.
RETIRED = {
    "MultiEdit": "Edit",
    "NotebookRead": "Read",
    "LS": "Glob",
    "BashOutput": "Read",
    "SlashCommand": "Skill",
}

# What an agent in the background keeps of what it has, MCP tools and `EXEMPT` aside, in every
# version that has such agents; newer ones keep what `KEPT_SINCE` names, too.
IN_BACKGROUND = frozenset(
    {
        *("Read", "Grep", "Glob", "Bash", "PowerShell", "Edit", "Write", "NotebookEdit"),
        *("WebFetch", "WebSearch", "TodoWrite", "Skill", "ToolSearch", "EnterWorktree"),
        *("ExitWorktree", "Monitor", "TaskStop", "SendMessage", "Artifact"),
    }
)
KEPT_SINCE = {"LSP": "2.1.280"}
EXEMPT = frozenset({AGENT, EXIT_PLAN})
# What `memory` turns on, whatever `tools` says.
FOR_MEMORY = frozenset({"Read", "Write", "Edit"})
