"""The tools of Claude Code, which of them a sub-agent can have, and what other systems call them.

Facts: code.claude.com/docs/tools-reference as of 2026-08-22 and sub-agents as of 2026-10-08, and
the CHANGELOG of anthropics/claude-code at 5cfc0a1; read 2026-11-28. What a tool depends on: Claude
Code 2.1.332, measured 2026-11-28, in sessions in print mode with several models and variables. The
names in other systems: measured with Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33, Codex
CLI 0.171.0, Copilot CLI 1.0.102 and the reader of code-server 4.139.1 (VS Code), and read at
cursor.com/docs (tools); all on 2026-11-28. The choice of the tool of Claude Code is our judgement,
as in `conversion`.
"""

from collections.abc import Iterator

from agent_lsp.model.schema import Tool

_FILES, _SHELL, _WEB, _PLAN = "files", "shell", "web", "planning"
_AGENTS, _SKILLS, _TASKS, _SESSION = "agents", "skills", "tasks", "session"
AGENT, TASK, EXIT_PLAN, SHELL = "Agent", "Task", "ExitPlanMode", "Bash"

# What has to be so for a session to have a tool.
_TO_DO = (
    "the session's model is Opus 4.7, Sonnet 4.6, Haiku 4.5 or an older one, or the variable "
    "`CLAUDE_CODE_ENABLE_TODO_TOOLS` is set"
)
_OLD_TO_DO = f"`CLAUDE_CODE_ENABLE_TASKS` is `0`, and {_TO_DO}"
_WINDOWS = "the system is Windows, or the variable `CLAUDE_CODE_USE_POWERSHELL_TOOL` is set"
_SERVERS = "the session has an MCP server with resources"
_PLUGIN = "a plugin of the session brings a language server"
_DEFERRED = "the session loads some tools only when they are needed"
_OFFERED = "the session offers it, which one in print mode with an API key does not"

TOOLS = (
    Tool("Read", "reads a file", _FILES),
    Tool("Write", "writes a whole file", _FILES),
    Tool("Edit", "replaces text in a file", _FILES),
    Tool("NotebookEdit", "edits a cell of a notebook", _FILES),
    Tool("Glob", "finds files by their paths", _FILES),
    Tool("Grep", "searches file contents", _FILES),
    Tool("LSP", "asks a language server about code", _FILES, _PLUGIN),
    Tool("Bash", "runs a command in a shell", _SHELL),
    Tool("PowerShell", "runs a command in PowerShell", _SHELL, _WINDOWS),
    Tool("Monitor", "waits for the output of a command", _SHELL),
    Tool("WebFetch", "fetches a page and answers a question about it", _WEB),
    Tool("WebSearch", "searches the web", _WEB),
    Tool("TodoWrite", "keeps a list of tasks", _PLAN, _OLD_TO_DO),
    Tool(AGENT, "delegates to a sub-agent; `Task` is its old name", _AGENTS),
    Tool("ListAgents", "lists the running agents", _AGENTS),
    Tool("SendMessage", "sends a message to another agent", _AGENTS),
    Tool("Skill", "loads the instructions of a skill", _SKILLS),
    Tool("ToolSearch", "finds tools that are not loaded yet", _SKILLS, _DEFERRED),
    Tool("TaskCreate", "adds a task to the list", _TASKS, _TO_DO),
    Tool("TaskGet", "shows a task", _TASKS, _TO_DO),
    Tool("TaskList", "lists the tasks", _TASKS, _TO_DO),
    Tool("TaskStop", "stops a task in the background", _TASKS),
    Tool("TaskUpdate", "changes a task", _TASKS, _TO_DO),
    Tool("CronCreate", "schedules a prompt", _TASKS),
    Tool("CronDelete", "removes a scheduled prompt", _TASKS),
    Tool("CronList", "lists the scheduled prompts", _TASKS),
    Tool("RemoteTrigger", "runs a routine in the cloud", _TASKS, _OFFERED),
    Tool("Artifact", "publishes a page", _SESSION, _OFFERED),
    Tool("EnterWorktree", "enters a Git worktree", _SESSION),
    Tool("ExitWorktree", "leaves the Git worktree", _SESSION),
    Tool("ListMcpResourcesTool", "lists the resources of MCP servers", _SESSION, _SERVERS),
    Tool("ReadMcpResourceTool", "reads a resource of an MCP server", _SESSION, _SERVERS),
    Tool("PushNotification", "notifies the user", _SESSION, _OFFERED),
    Tool("ReportFindings", "reports the findings of a review", _SESSION),
    Tool("SendUserFile", "sends a file to the user", _SESSION, _OFFERED),
    Tool("ShareOnboardingGuide", "shares a guide with the team", _SESSION, _OFFERED),
)
CONDITIONS = {tool.name: tool.condition for tool in TOOLS if tool.condition}

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


# The names in other systems, by the tools of Claude Code that do the same.
_VSCODE, _GEMINI, _CODEX = "VS Code", "Gemini CLI", "Codex CLI"
OTHERS = "other systems"
_OPENCODE, _CURSOR, _COPILOT, _QWEN = "OpenCode", "Cursor", "Copilot CLI", "Qwen Code"
_READ, _WRITE, _EDIT, _RUN = ("Read",), ("Write",), ("Edit",), ("Bash",)
_FIND, _SEARCH, _LOOK = ("Glob",), ("Grep",), ("Grep", "Glob")
_FETCH, _SEARCH_WEB, _SPAWN, _LIST = ("WebFetch",), ("WebSearch",), (AGENT,), ("TodoWrite",)

_NAMES: dict[str, dict[tuple[str, ...], str]] = {
    f"{_GEMINI} and {_QWEN}": {
        _RUN: "run_shell_command",
        _READ: "read_many_files",
        _SEARCH_WEB: "google_web_search",
        _FIND: "list_directory FindFiles ReadFolder ListFiles",
        _SEARCH: "search_file_content SearchFiles",
        _WRITE: "WriteFile",
        _EDIT: "replace",
        _LIST: "write_todos todo_write TodoList",
        _SPAWN: "invoke_agent",
        ("AskUserQuestion",): "ask_user",
        ("Skill",): "activate_skill",
    },
    _VSCODE: {
        _EDIT: "editFiles edit/editFiles",
        _WRITE: "createFile edit/createFile edit/createDirectory createDirectory",
        ("NotebookEdit",): "editNotebook edit/editNotebook",
        _RUN: "runCommands runInTerminal execute runTasks runTests execute/runInTerminal "
        "runCommands/runInTerminal execute/runTests runTests",
        _LOOK: "codebase search search/codebase searchResults",
        _SEARCH: "textSearch search/textSearch",
        _FIND: "fileSearch search/fileSearch listDirectory search/listDirectory",
        _READ: "readFile read/readFile search/readFile",
        ("LSP",): "usages search/usages problems read/problems",
        _FETCH: "fetch web/fetch web githubRepo web/githubRepo",
        _SPAWN: "runSubagent agent/runSubagent",
        _LIST: "todo todos",
    },
    _CODEX: {_RUN: "exec_command write_stdin local_shell", _EDIT: "apply_patch"},
    f"{_CODEX} and {_COPILOT}": {_RUN: "shell"},
    _OPENCODE: {
        _FIND: "list",
        _EDIT: "patch multiedit",
        _FETCH: "webfetch",
        _SEARCH_WEB: "websearch",
        _LIST: "todowrite todoread",
    },
    _CURSOR: {
        _RUN: "run_terminal_cmd run_terminal_command Shell Terminal Delete delete_file",
        _EDIT: "edit_file search_replace",
        _LOOK: "codebase_search SemanticSearch",
        _FIND: "list_dir file_search glob_file_search",
        ("LSP",): "ReadLints read_lints",
    },
    _COPILOT: {
        _READ: "view",
        _WRITE: "create",
        _LIST: "update_todo",
        _RUN: "read_bash stop_bash",
    },
    OTHERS: {
        _READ: "read_file ReadFile FileRead",
        _WRITE: "write_file FileWrite create_file",
        _EDIT: "str_replace str_replace_editor str_replace_based_edit_tool FileEdit EditFile",
        _SEARCH: "grep_search search_files",
        _FIND: "find_files list_files",
        _FETCH: "web_fetch fetch_url",
        _SEARCH_WEB: "web_search",
        _RUN: "run_command run_in_terminal execute_command terminal run_terminal",
    },
}


def _entries() -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    for system, tools in _NAMES.items():
        for meant, names in tools.items():
            yield from ((name, (system, meant)) for name in names.split())


BORROWED = dict(_entries())
