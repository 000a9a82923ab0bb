"""The tools of Qwen Code with their display names, and the names of other systems for them.

Facts: Qwen Code 0.24.4, `ToolNames`, `ToolDisplayNames`, `ToolDisplayNamesMigration` and
`EXCLUDED_TOOLS_FOR_SUBAGENTS`, read 2026-11-28; which of them a headless session has, measured the
same day. An entry is a name, else a display name, else an old display name; the old names `task`,
`replace` and `search_file_content` are none for an agent, though settings still know them. Which
tool a name of another system means is our judgement, as in `conversion`.
"""

from agent_lsp.model.schema import Tool

AGENT, SKILL, EVERY = "agent", "skill", "*"
# A list in which no entry is a tool leaves none, and this word says so.
NONE = "none"

_FILES, _RUN, _WEB, _MORE = "files", "commands", "web", "more"
_SETTINGS = "its setting is on"

_AVAILABLE = (
    (Tool("read_file", "reads a file", _FILES), "ReadFile"),
    (Tool("write_file", "writes a file as a whole", _FILES), "WriteFile"),
    (Tool("edit", "replaces text in a file", _FILES), "Edit"),
    (Tool("glob", "finds files by a pattern of their names", _FILES), "Glob"),
    (Tool("grep_search", "searches the contents of files", _FILES), "Grep"),
    (
        Tool(
            "list_directory",
            "lists a folder",
            _FILES,
            condition="the session registers it; `glob` finds the same files",
        ),
        "ListFiles",
    ),
    (Tool("notebook_edit", "changes cells of a notebook", _FILES), "NotebookEdit"),
    (Tool("zoom_image", "looks at a part of an image", _FILES), "ZoomImage"),
    (Tool("run_shell_command", "runs a command", _RUN), "Shell"),
    (Tool("monitor", "follows the output of a command", _RUN), "Monitor"),
    (Tool("web_fetch", "fetches a page from the web", _WEB), "WebFetch"),
    (
        Tool(
            "web_search",
            "searches the web",
            _WEB,
            condition="a search provider is configured",
        ),
        "WebSearch",
    ),
    (
        Tool(
            AGENT,
            "calls another agent",
            _MORE,
            notes=("by default, agents may call each other up to five levels deep",),
        ),
        "Agent",
    ),
    (Tool(SKILL, "loads a skill", _MORE), "Skill"),
    (
        Tool("lsp", "asks a language server about code", _MORE, condition="the experiment is on"),
        "Lsp",
    ),
    (Tool("read_mcp_resource", "reads what MCP servers offer", _MORE), "ReadMcpResource"),
    (Tool("report_findings", "reports what a review has found", _MORE), "ReportFindings"),
    (Tool("loop_wakeup", "continues a loop later", _MORE), "LoopWakeup"),
    (Tool("save_memory", "keeps a note", _MORE, condition=_SETTINGS), "SaveMemory"),
    (Tool("exec", "runs code that calls tools", _MORE, condition=_SETTINGS), "Exec"),
    (Tool("tool_search", "finds tools", _MORE, condition=_SETTINGS), "ToolSearch"),
    (Tool("tool_call", "calls a tool that was found", _MORE, condition=_SETTINGS), "ToolCall"),
    (Tool("image_gen", "makes an image", _MORE, condition=_SETTINGS), "ImageGen"),
    (Tool("display_image", "shows an image", _MORE, condition=_SETTINGS), "DisplayImage"),
    (
        Tool("structured_output", "answers in a given form", _MORE, condition=_SETTINGS),
        "StructuredOutput",
    ),
    (
        Tool("create_sub_session", "starts another session", _MORE, condition=_SETTINGS),
        "CreateSubSession",
    ),
    (Tool("get_goal", "reads the goal of the session", _MORE, condition=_SETTINGS), "Goal"),
    (Tool("update_goal", "changes the goal", _MORE, condition=_SETTINGS), "UpdateGoal"),
    (Tool("propose_goal", "proposes a goal", _MORE, condition=_SETTINGS), "ProposeGoal"),
)
_WITHHELD = {
    "todo_write": ("TodoList", "keeps the to-do list"),
    "ask_user_question": ("AskUserQuestion", "asks the user"),
    "enter_plan_mode": ("EnterPlanMode", "begins to plan"),
    "exit_plan_mode": ("ExitPlanMode", "ends the plan"),
    "enter_worktree": ("EnterWorktree", "moves the session into a worktree"),
    "exit_worktree": ("ExitWorktree", "moves the session out of a worktree"),
    "cron_create": ("CronCreate", "plans a repeated task"),
    "cron_list": ("CronList", "lists repeated tasks"),
    "cron_delete": ("CronDelete", "removes a repeated task"),
    "list_agents": ("ListAgents", "lists the agents that run"),
    "send_message": ("SendMessage", "sends a message to an agent"),
    "task_stop": ("TaskStop", "stops what runs in the background"),
    "task_create": ("TaskCreate", "adds a task of a team"),
    "task_update": ("TaskUpdate", "changes a task of a team"),
    "task_list": ("TaskList", "lists the tasks of a team"),
    "team_create": ("TeamCreate", "makes a team"),
    "team_delete": ("TeamDelete", "removes a team"),
    "team_plan_approval": ("TeamPlanApproval", "approves the plan of a member"),
    "request_shutdown": ("RequestShutdown", "asks a member of a team to stop"),
    "workflow": ("Workflow", "runs a workflow"),
    "artifact": ("Artifact", "keeps a result of the session"),
    "record_artifact": ("RecordArtifact", "records a result of the session"),
    "record_source": ("RecordSource", "records a source of the session"),
}
TOOLS = tuple(tool for tool, _ in _AVAILABLE)
WITHHELD = tuple(
    Tool(name, meaning, "never a sub-agent's") for name, (_, meaning) in _WITHHELD.items()
)
DISPLAY_NAMES = {
    **{tool.name: display for tool, display in _AVAILABLE},
    **{name: display for name, (display, _) in _WITHHELD.items()},
}
_BY_DISPLAY_NAME = {display: name for name, display in DISPLAY_NAMES.items()}
# Old display names, which still count.
OLD_DISPLAY_NAMES = {
    "SearchFiles": "grep_search",
    "FindFiles": "glob",
    "ReadFolder": "list_directory",
    "Task": AGENT,
    "TodoWrite": "todo_write",
}


def tool_of(entry: str) -> str:
    """The tool that an entry names, or the entry itself if it names none."""
    if entry in DISPLAY_NAMES:
        return entry
    return _BY_DISPLAY_NAME.get(entry) or OLD_DISPLAY_NAMES.get(entry, entry)


def is_tool(entry: str) -> bool:
    """Whether an entry may stand for a tool of a session, of the program or of an MCP server."""
    return entry in DISPLAY_NAMES or entry == EVERY or entry.startswith("mcp__")


_CLAUDE, _GEMINI, _OLD = "Claude Code", "Gemini CLI", "older versions of Qwen Code"
_OTHERS = "other systems"
# By the name of a tool elsewhere: whose name it is, and the tools here that do the same.
_BORROWED: dict[str, dict[str, str]] = {
    _CLAUDE: {
        "Read": "read_file",
        "Write": "write_file",
        "Bash": "run_shell_command",
        "PowerShell": "run_shell_command",
        "MultiEdit": "edit",
        "LS": "list_directory",
        "NotebookRead": "read_file",
        "LSP": "lsp",
        "BashOutput": "monitor",
        "ReadMcpResourceTool": "read_mcp_resource",
    },
    _OLD: {"replace": "edit", "search_file_content": "grep_search", "task": AGENT},
    _GEMINI: {
        "read_many_files": "read_file",
        "google_web_search": "web_search",
        "activate_skill": SKILL,
        "invoke_agent": AGENT,
    },
    _OTHERS: {
        "ReadManyFiles": "read_file",
        "bash": "run_shell_command",
        "shell": "run_shell_command",
        "RunShellCommand": "run_shell_command",
        "execute_command": "run_shell_command",
        "terminal": "run_shell_command",
        "read": "read_file",
        "view": "read_file",
        "write": "write_file",
        "create": "write_file",
        "create_file": "write_file",
        "edit_file": "edit",
        "EditFile": "edit",
        "str_replace": "edit",
        "search": "grep_search",
        "grep": "grep_search",
        "search_files": "grep_search",
        "find_files": "glob",
        "list_files": "list_directory",
        "list_dir": "list_directory",
        "fetch": "web_fetch",
        "webfetch": "web_fetch",
        "websearch": "web_search",
        "GoogleSearch": "web_search",
        "ls": "list_directory",
    },
}
BORROWED = {name: (system, tool) for system, of in _BORROWED.items() for name, tool in of.items()}
